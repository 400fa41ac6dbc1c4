"""Data sets of relatedness and of phrases with verbs, each in the layout of its makers."""

from __future__ import annotations

from typing import Any

from hybridsem.datasets import relatedness_files
from hybridsem.datasets.rated_pairs import ALL, MEAN, WEIGHTED_MEAN
from hybridsem.evaluation.options import SPLIT
from hybridsem.evaluation.sts.pictures import PICTURES
from hybridsem.evaluation.sts.task import ANNOTATIONS, measure
from hybridsem.evaluation.task import Task, declared

_COMMON: dict[str, Any] = {
    "measure": measure,
    "headline": "spearman",
    "pictures": {"scatter": PICTURES["scatter"]},
}
TASKS: tuple[Task, ...] = (
    declared(
        "relatedness",
        load=relatedness_files.relatedness,
        groups=(ALL, MEAN, WEIGHTED_MEAN),
        **_COMMON,
    ),
    declared("str2022", load=relatedness_files.str2022, **_COMMON),
    declared("semrel", load=relatedness_files.semrel, options=(SPLIT,), **_COMMON),
    declared("stss131", load=relatedness_files.stss, **_COMMON),
    declared("stss65", load=relatedness_files.stss, **_COMMON),
    declared("gs2011", load=relatedness_files.gs2011, groups=(ALL, ANNOTATIONS), **_COMMON),
    declared("ks2013", load=relatedness_files.ks2013, groups=(ALL, ANNOTATIONS), **_COMMON),
)
