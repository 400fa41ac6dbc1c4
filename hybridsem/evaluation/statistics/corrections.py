"""Corrections of p-values for the number of tests. NaN, where no test was made, stays NaN."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray
from hybridsem.errors import InputError


def holm(p: ArrayLike) -> AnyArray:
    """Holm's adjusted p-values: the chance of any false finding among all stays below the level.

    Args:
        p: (m,) p-values of m tests, in any order.

    Returns:
        (m,) in the same order, at most 1.

    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """

    def adjusted(tested: AnyArray) -> AnyArray:
        order = np.argsort(tested, kind="stable")
        found = np.empty_like(tested)
        found[order] = np.maximum.accumulate(tested[order] * np.arange(len(tested), 0, -1))
        return np.minimum(found, 1)

    return _of_tested(p, adjusted)


def benjamini_hochberg(p: ArrayLike) -> AnyArray:
    """Benjamini and Hochberg's adjusted p-values: the expected share of false findings.

    Args:
        p: (m,) p-values of m tests, in any order.

    Returns:
        (m,) in the same order, at most 1.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.04, 0.04]
    """
    from scipy.stats import false_discovery_control

    return _of_tested(p, false_discovery_control)


def _of_tested(p: ArrayLike, adjusted: Callable[[AnyArray], AnyArray]) -> AnyArray:
    """The p-values adjusted, those that are NaN left out of the number of tests."""
    given = np.asarray(p, float)
    if np.any((given < 0) | (given > 1)):
        raise InputError(
            f"p-values lie between 0 and 1, got {given[(given < 0) | (given > 1)][0]!r}"
        )
    found = np.full(given.shape, np.nan)
    tested = ~np.isnan(given)
    if tested.any():
        found[tested] = adjusted(given[tested])
    return found
