"""What saves time: a solver without all of scipy, a cache by identity, rarer garbage collection."""

import gc
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import PathFinder
from weakref import ref

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from support.commands import python

from hybridsem._utils.assignment import _solver, assignment
from hybridsem._utils.garbage import THRESHOLD, relaxed_gc
from hybridsem._utils.latest import keep_latest

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


@dataclass
class Text:
    words: str


def test_results_are_kept_for_the_latest_objects_while_they_live() -> None:
    made: list[str] = []

    def read(text: Text) -> list[str]:
        made.append(text.words)
        return text.words.split()

    keeps = keep_latest(read, 2)
    one, two, three = Text("a b"), Text("c"), Text("d")
    assert [keeps(text) for text in (one, two, one, three, two)] == [
        ["a", "b"],
        ["c"],
        ["a", "b"],
        ["d"],
        ["c"],
    ]
    assert made == ["a b", "c", "d"]
    keeps(one)
    assert made[3:] == ["a b"], "the first was no longer kept"
    seen = ref(one)
    del one
    assert seen() is None


@pytest.fixture
def own_thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("own_thresholds")
def test_the_threshold_is_restored_by_the_last_thread_even_after_an_error() -> None:
    before = gc.get_threshold()
    entered, may_leave = threading.Event(), threading.Event()

    def other() -> None:
        with relaxed_gc():
            entered.set()
            may_leave.wait(60)

    thread = threading.Thread(target=other)
    with suppress(ValueError), relaxed_gc():
        thread.start()
        assert entered.wait(60)
        raise ValueError("no sentence")
    assert gc.get_threshold()[0] == THRESHOLD
    may_leave.set()
    thread.join()
    assert gc.get_threshold() == before
