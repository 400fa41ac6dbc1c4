"""What the benchmarks of SAGE have in common."""

from __future__ import annotations

from functools import partial

from hybridsem.evaluation.sage.document_models import prepared
from hybridsem.evaluation.sage.results import SCORE
from hybridsem.evaluation.sage.sets import OPTIONS
from hybridsem.evaluation.task import Task

__all__ = ["sage_task"]

sage_task = partial(
    Task,
    needs=("vectors", "scores"),
    headline=SCORE,
    range=(0, 1),
    licence="as your data's",
    citation="Goel, Lee & Ramchandran 2025, SAGE: A Realistic Benchmark for Semantic Understanding",
    options=OPTIONS,
    prepare=prepared,
)
"""A task of SAGE: ``name``, ``summary``, ``layout``, then ``load=``, ``measure=`` and what is its
own.
"""
