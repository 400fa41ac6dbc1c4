"""The template of the benchmarks of SAGE: what their declarations have in common."""

from __future__ import annotations

from functools import partial

from hybridsem.evaluation.sage.document_models import prepared
from hybridsem.evaluation.sage.results import SCORE
from hybridsem.evaluation.sage.sets import OPTIONS
from hybridsem.evaluation.task import declared

sage_task = partial(declared, headline=SCORE, options=OPTIONS, prepare=prepared)
"""A task of SAGE: ``name``, ``load=``, ``measure=``, and its own."""
