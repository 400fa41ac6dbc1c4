"""Score pair files of any size."""

from __future__ import annotations

from hybridsem.batch.report import BatchReport
from hybridsem.batch.run import score_file
from hybridsem.batch.work import InProcess, Result, Scorer

__all__ = ["BatchReport", "InProcess", "Result", "Scorer", "score_file"]
