"""The template of the benchmarks of SAGE: what their declarations have in common."""

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
    count_notes={
        "empty": "items have an empty text and are left out",
        "no summary": "documents have no summary and are left out",
        "summary longer": "items have a summary that is longer than its source and are left out",
        "sets of one label": "sets have a single label and are left out",
        "ties": "comparisons are ties, which count half as a choice of each",
        "ties to the second": "comparisons are ties, which count as a choice of the second",
        "equal ratings": (
            "pairs of summaries are rated alike or are the same text, and no comparison is "
            "derived of them"
        ),
        "unknown queries": "queries are judged and not there",
        "unknown documents": "judgements name a document that is not there",
        "without relevant": "queries have no relevant document and are left out",
        "blank queries": "queries have no text and are left out",
        "truncated documents": "of {documents} documents are longer than the model reads",
        "documents not looked at": (
            "documents, over all searches, have no text or no vector and are never found"
        ),
        "pairs without score": "pairs of a query and a document have no score",
    },
)
"""A task of SAGE: ``name``, ``summary``, ``layout``, ``load=``, ``measure=``, and its own."""
