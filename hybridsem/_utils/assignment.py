"""Optimal assignment of the rows of a matrix to its columns."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec

from hybridsem._typing import AnyArray

Solver = Callable[[AnyArray], tuple[AnyArray, AnyArray]]


def assignment(gain: AnyArray) -> list[tuple[int, int]]:
    """Return the min(m, n) pairs (row, column) with the greatest sum of the finite ``gain`` (m, n).
    The pairs are in the order of their rows.
    """
    rows, columns = _solver()(-gain)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


@cache
def _solver() -> Solver:
    """Return scipy's ``linear_sum_assignment``. Its compiled module is loaded alone if possible,
    because importing scipy.optimize takes longer than comparing two sentences.
    """
    found = find_spec("scipy")
    folders = found.submodule_search_locations if found is not None else None
    spec = PathFinder.find_spec("_lsap", [f"{folder}/optimize" for folder in folders or ()])
    if spec is not None and spec.loader is not None:
        with suppress(ImportError, AttributeError):  # another version or system
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            solver: Solver = module.linear_sum_assignment
            return solver
    from scipy.optimize import linear_sum_assignment

    solver = linear_sum_assignment
    return solver
