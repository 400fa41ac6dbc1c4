"""Fits in these tests look at a few of the minimal pairs: reading all takes seconds a model."""

import pytest

from hybridsem.datasets.triples import HELD_OUT
from hybridsem.training import run

FEW = 40


@pytest.fixture(autouse=True)
def _few_minimal_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run.probe_pairs

    def few(part: str = HELD_OUT) -> list[tuple[str, str]]:
        return whole(part)[:FEW]

    monkeypatch.setattr(run, "probe_pairs", few)
