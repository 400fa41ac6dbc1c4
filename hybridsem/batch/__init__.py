"""Score and judge pair files of any size."""

from __future__ import annotations

from hybridsem.batch.files import FileOptions, judge_file, score_file
from hybridsem.batch.report import BatchReport
from hybridsem.batch.work import InProcess, Result, Scorer

__all__ = [
    "BatchReport",
    "FileOptions",
    "InProcess",
    "Result",
    "Scorer",
    "judge_file",
    "score_file",
]
