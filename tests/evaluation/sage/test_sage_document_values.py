"""Cards of SAGE's parts side by side: differences over the same documents and queries, and what
cannot be compared.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.evaluated import ByPair, bags, beir, written

from hybridsem.evaluation import Card, evaluate
from hybridsem.evaluation.perturbations import RETRIEVAL
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.report.tables import Cell
from hybridsem.evaluation.sage.changes import CHANGES
from hybridsem.evaluation.sage.retrieval import ORIGINAL

DOCUMENTS = [
    f"Number {n} was late. It rained on the {n} houses, and nobody came." for n in range(30)
]
SUMMARY = "It was late."


def knowing(name: str, right: int, mute: int = -1) -> ByPair:
    """A model that finds meaning changed where it is: in the first ``right`` documents, and has no
    answer for the ``mute`` one.
    """

    def score(text: str, other: str) -> float:
        number = DOCUMENTS.index(text)
        if number == mute:
            return float("nan")
        if other == SUMMARY:
            return 0.5
        semantic = any(change(text) == other for change in CHANGES[3:])
        return 0.2 if semantic and number < right else 0.9

    return ByPair(score, name)


def documents(path: Path, rows: Sequence[str] = DOCUMENTS) -> Path:
    return written(path, *({"text": text, "summary": SUMMARY} for text in rows))


def collection(folder: Path, numbers: range) -> Path:
    """Queries of three words each, and a document for each with more."""
    asked = {f"q{n}": f"aa{n} bb{n} cc{n}" for n in numbers}
    found = {
        f"d{name}": ("", f"{text} {text} and more, of {text}.") for name, text in asked.items()
    }
    return beir(folder, found, asked, [(name, f"d{name}", 1) for name in asked])


def cell(cards: Sequence[Card], measure: str, group: str = "all") -> Cell:
    """The first card's figure, tested against the second's."""
    found = compare(cards, measure=measure, groups=[group], against=cards[1].name, resamples=400)
    [column] = found.columns
    return found.cells[cards[0].name, column]


def test_robustness_over_the_documents_that_both_answer(tmp_path: Path) -> None:
    data = documents(tmp_path / "d.jsonl")
    models = knowing("all", 30, 3), knowing("some", 15, 20)
    cards = [evaluate("sage-robustness", model, data) for model in models]
    known = {"superficial > semantic": 0.5, "superficial > summary": 0}
    for measure, value in (known | {"score": 2 / 3 * 14 / 28}).items():
        found = cell(cards, measure).difference
        assert (found.value, found.n, found.missing) == (pytest.approx(value), 28, 2)
    sure, none = cell(cards, "all three"), cell(cards, "superficial > summary")
    assert (sure.separable, none.separable) == (True, False)
    assert none.p == 1
    assert 0.2 < (sure.difference.low or 0) < 0.5
    assert cell(cards, "s(negation)").difference is None  # less is not worse


def test_several_data_sets_are_drawn_apart_and_averaged(tmp_path: Path) -> None:
    documents(tmp_path / "a.jsonl", DOCUMENTS[:10])
    documents(tmp_path / "b.jsonl", DOCUMENTS[10:])
    models = knowing("one", 30), knowing("two", 15)
    cards = [evaluate("sage-robustness", model, tmp_path) for model in models]
    values = {group: cell(cards, "all three", group).difference for group in ("a", "b", "all")}
    assert {group: found and (found.value, found.n) for group, found in values.items()} == {
        "a": (0, 10), "b": (0.75, 20), "all": (0.375, 30),
    }  # fmt: skip


def test_retention_is_compared_over_the_same_queries(tmp_path: Path) -> None:
    folder = tmp_path / "sets"
    for name, numbers in (("x", range(12)), ("y", range(12, 20))):
        collection(folder / name, numbers)
    models = bags("words", str.split), bags("letters", str)
    cards = [evaluate("sage-retrieval", model, folder, resamples=0) for model in models]

    def harmonic(card: Card, rows: slice) -> float:
        means = [np.mean(card.columns[kind.name][rows]) for kind in RETRIEVAL]
        original = np.mean(card.columns[ORIGINAL][rows])
        return len(means) / sum(original / mean if mean else np.inf for mean in means)

    places = slice(12), slice(12, 20)
    parts = [harmonic(cards[0], rows) - harmonic(cards[1], rows) for rows in places]
    for group, value in (("x", parts[0]), ("y", parts[1]), ("all", np.mean(parts))):
        found = cell(cards, "score", group).difference
        assert found.value == pytest.approx(value)
        assert found.value == pytest.approx(
            cards[0].scores[group]["score"].value - cards[1].scores[group]["score"].value
        )
    given: dict[str, Any] = {"resamples": 0, "mode": "together"}
    both = [evaluate("sage-retrieval", model, folder / "x", **given) for model in models]
    one, two = (card.scores["all"]["score"].value or 0 for card in both)
    found = cell(both, "retention together").difference
    assert found.value == pytest.approx(one - two)
    note = cell([cards[0], replace(cards[1], columns={}, groups={})], "score").note
    assert note == "not tested: the card of letters holds no values of single items"
