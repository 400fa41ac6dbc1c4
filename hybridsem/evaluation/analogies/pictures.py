"""Pictures of analogies: the heat map without the sums over questions (micro)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from hybridsem.datasets.analogies import MICRO
from hybridsem.evaluation.report.plots import KINDS, heat
from hybridsem.evaluation.task import Picture

PICTURES: Mapping[str, Picture] = {
    "heat": Picture(
        KINDS["heat"].help, partial(heat, shows=lambda group: not group.endswith(MICRO))
    )
}
"""Sums over questions are drawn only where they are asked for."""
