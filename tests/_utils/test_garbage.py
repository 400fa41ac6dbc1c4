"""Garbage is collected less often during reading, and as before afterwards."""

import gc
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from hybridsem._utils.garbage import THRESHOLD, relaxed_gc


@pytest.fixture(autouse=True)
def own_thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


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
