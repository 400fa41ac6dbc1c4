"""Statistics with intervals: correlations, tests between models, corrections, reliability.

A row with a missing score or rating (NaN) takes no part in a statistic and is counted in
``missing``; no number replaces it. An undefined statistic is None, with the reason in ``note``.
"""

from __future__ import annotations

from hybridsem.evaluation.statistics.model_tests import (
    WilliamsTest,
    benjamini_hochberg,
    holm,
    paired_bootstrap,
    williams,
)
from hybridsem.evaluation.statistics.rating_correlations import (
    MEASURES,
    RESAMPLES,
    Difference,
    Estimate,
    Reliability,
    correlation,
    correlations,
    difference,
    interval,
    resampled_correlations,
    with_resamples,
)
from hybridsem.evaluation.statistics.reliability import (
    KAPPA,
    rater_deviation,
    shuffled_ratings,
    split_half,
)

__all__ = [
    "KAPPA",
    "MEASURES",
    "RESAMPLES",
    "Difference",
    "Estimate",
    "Reliability",
    "WilliamsTest",
    "benjamini_hochberg",
    "correlation",
    "correlations",
    "difference",
    "holm",
    "interval",
    "paired_bootstrap",
    "rater_deviation",
    "resampled_correlations",
    "shuffled_ratings",
    "split_half",
    "williams",
    "with_resamples",
]
