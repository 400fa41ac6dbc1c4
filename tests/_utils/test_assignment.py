"""Optimal assignment by scipy, without importing all of it."""

from importlib.machinery import PathFinder

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from support.commands import python

from hybridsem._utils.assignment import _solver, assignment

GAIN = np.array([[0.5, 0.0, 0.5], [0.5, 0.0, 1.0]])


def test_the_solver_is_scipys_with_or_without_its_own_module(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find = _solver.__wrapped__
    assert assignment(GAIN) == [(0, 0), (1, 2)]
    assert assignment(GAIN.T) == [(0, 0), (2, 1)]
    assert assignment(np.zeros((0, 3))) == assignment(np.zeros((3, 0))) == []
    assert find() is not linear_sum_assignment
    monkeypatch.setattr(PathFinder, "find_spec", lambda *_: None)
    assert find() is linear_sum_assignment


def test_a_pair_of_sentences_needs_no_scipy() -> None:
    code = (
        "import sys; from hybridsem import Pipeline; "
        "Pipeline().similarity('A dog chased the old cat.', 'The cat chased a dog.'); "
        "print([name for name in sys.modules if name.partition('.')[0] == 'scipy'])"
    )
    assert python("-c", code) == "[]\n"
