"""Optimal assignment: the same as scipy, including ties."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from hybridsem._typing import Float64Array
from hybridsem._utils.assignment import assignment


@pytest.fixture
def without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "scipy.optimize")


def theirs(gain: Float64Array) -> list[tuple[int, int]]:
    return [
        (int(row), int(column)) for row, column in zip(*linear_sum_assignment(-gain), strict=True)
    ]


@pytest.mark.parametrize("levels", [0, 1, 2, 3, 10])
def test_the_pairs_are_scipys(levels: int, without_scipy: None) -> None:
    random = np.random.default_rng(levels)
    for number in range(600):
        gain = random.random(tuple(random.integers(1, 13, 2)) if number else (40, 40))
        if levels:  # many ties
            gain = np.floor(gain * levels) / levels
        gain[gain < random.random() * 0.7] = 0
        assert assignment(gain) == theirs(gain), gain.tolist()


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_to_pair(shape: tuple[int, int], without_scipy: None) -> None:
    assert assignment(np.zeros(shape)) == []


def test_a_pair_of_sentences_needs_no_scipy() -> None:
    code = (
        "import sys; from hybridsem import Pipeline; "
        "Pipeline().similarity('A dog chased the old cat.', 'The cat chased a dog.'); "
        "print([name for name in sys.modules if name.partition('.')[0] == 'scipy'])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
