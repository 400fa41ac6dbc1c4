"""Progress bars in a notebook."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from hybridsem import Pipeline
from hybridsem._utils import progress
from hybridsem._utils.progress import counter


class Cell:
    """A notebook's cell with the states of its display."""

    def __init__(self) -> None:
        self.pictures: list[dict[str, str]] = []

    def display(self, shown: Any, display_id: bool) -> Cell:
        assert display_id
        return self.update(shown)

    def update(self, shown: Any) -> Cell:
        self.pictures.append(shown._repr_mimebundle_(include=None, exclude=None))
        return self


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    """A kernel of IPython."""
    found = Cell()
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=found.display))
    monkeypatch.setattr(progress, "EVERY", 0.0)
    return found


def test_a_notebook_shows_a_bar_that_goes_when_all_is_done(cell: Cell) -> None:
    with counter("scoring", 1200, wanted=True) as advance:
        advance(400)
        advance(800)
    assert [picture["text/plain"].partition(",")[0] for picture in cell.pictures[1:2]] == [
        "scoring 400 of 1"
    ]
    assert cell.pictures[1]["text/plain"].endswith(" left")
    assert '<progress value="1200" max="1200">' in cell.pictures[2]["text/html"]
    assert cell.pictures[-1] == {"text/plain": "", "text/html": ""}


def test_scores_have_a_bar_only_where_it_is_asked_for(cell: Cell) -> None:
    nlp = Pipeline("jaccard")
    nlp.score([("a b", "a c")] * 40)
    assert not cell.pictures
    nlp.score([("a b", "a c")] * 40, progress=True)
    assert any("40 of 40" in picture["text/plain"] for picture in cell.pictures)
