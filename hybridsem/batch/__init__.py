"""Score pair files of any size.

run.py          score_file: read, score, write    report.py     counts, progress, the report
work.py         scoring a chunk, executors       cache.py      results of earlier pairs
checkpoint.py   the work folder of an output     columns.py    the columns of an output
identity.py     the model's fingerprint
"""

from __future__ import annotations

from hybridsem.batch.report import BatchReport
from hybridsem.batch.run import score_file
from hybridsem.batch.work import InProcess, Result, Scorer

__all__ = ["BatchReport", "InProcess", "Result", "Scorer", "score_file"]
