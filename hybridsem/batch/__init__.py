"""Scoring pair files of any size.

run.py        score_file: read, score, write; the report
work.py       what an engine does to a chunk            cache.py     pairs that were scored before
journal.py    what is finished, on disk                 writers.py   output formats
identity.py   what scores depend on besides the sentences
"""

from __future__ import annotations

from hybridsem.batch.run import BatchReport, score_file
from hybridsem.batch.work import Engine, InProcess, Result, Scorer

__all__ = ["BatchReport", "Engine", "InProcess", "Result", "Scorer", "score_file"]
