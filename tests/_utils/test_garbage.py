"""Garbage is collected less often while sentences are read, and as before afterwards."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

from hybridsem._utils.garbage import THRESHOLD, relaxed_gc


@pytest.fixture(autouse=True)
def own_thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_the_threshold_is_restored_even_after_an_error() -> None:
    seen = []

    @relaxed_gc()
    def read() -> None:
        seen.append(gc.get_threshold()[0])
        raise ValueError("no sentence")

    before = gc.get_threshold()
    with pytest.raises(ValueError, match="no sentence"):
        read()
    assert seen == [THRESHOLD]
    assert gc.get_threshold() == before


def test_the_last_of_several_threads_restores_it() -> None:
    before = gc.get_threshold()
    entered, may_leave = threading.Event(), threading.Event()

    def other() -> None:
        with relaxed_gc():
            entered.set()
            may_leave.wait(60)

    thread = threading.Thread(target=other)
    with relaxed_gc():
        thread.start()
        assert entered.wait(60)
    assert gc.get_threshold()[0] == THRESHOLD
    may_leave.set()
    thread.join()
    assert gc.get_threshold() == before
