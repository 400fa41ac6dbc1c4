"""Sentence analogies: answers from cosines, accuracies over pairs, the benchmark, its files and
cards.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.evaluated import ByText

from hybridsem import Pipeline
from hybridsem.datasets.analogies import MASK, Analogies, Category, Pair, read, write
from hybridsem.errors import InputError, ParseError
from hybridsem.evaluation import evaluate, load_card
from hybridsem.evaluation.analogies import geometry
from hybridsem.evaluation.analogies.geometry import (
    EPSILON,
    METHODS,
    RIGHT,
    TIE,
    TIED,
    among_all,
    among_own,
)
from hybridsem.evaluation.model import evaluated_model
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.report.plots import plot

# -- answers


def by_hand(vectors: Any, a: Any, b: Any, own: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The outcomes, question by question and candidate by candidate."""
    units, known = geometry.directions(vectors)
    found = {method: np.full((len(a), len(a)), -1) for method in METHODS}
    for i in range(len(a)):
        for j in range(i + 1, len(a)):
            sides = {a[i], b[i], a[j]}
            if not all(known[place] for place in (*sides, b[j])):
                continue
            for method in METHODS:
                candidates = (
                    range(len(units))
                    if own is None
                    else [int(places[j]) for places in own.values()]
                )
                others = {place for place in candidates if place >= 0 and known[place]} - sides
                others = (others | (sides if "with ABC" in method else set())) - {b[j]}
                best = max(
                    (score(method, units, a[i], b[i], a[j], place) for place in others),
                    default=-np.inf,
                )
                answer = score(method, units, a[i], b[i], a[j], b[j])
                found[method][i, j] = (
                    RIGHT if answer > best + TIE else 0 if answer < best - TIE else TIED
                )
    return found


def score(method: str, units: Any, a: int, b: int, c: int, x: int) -> float:
    to_a, to_b, to_c = (units[place] @ units[x] for place in (a, b, c))
    if "Add" in method:
        return float(to_b - to_a + to_c)
    return float((to_b + 1) / 2 * (to_c + 1) / 2 / ((to_a + 1) / 2 + EPSILON))


@st.composite
def questions(draw: Any) -> tuple[Any, Any, Any, dict[str, Any]]:
    """Vectors of small whole numbers, so that there are ties, zeros and equal texts; pairs;
    distractors.
    """
    size, n = draw(st.integers(2, 9)), draw(st.integers(1, 6))
    rows = draw(
        st.lists(st.lists(st.integers(-1, 1), min_size=3, max_size=3), min_size=size, max_size=size)
    )
    vectors = np.array(rows, float)
    if draw(st.booleans()):
        vectors[draw(st.integers(0, size - 1)), 0] = np.nan
    places = st.lists(st.integers(0, size - 1), min_size=n, max_size=n).map(np.array)
    own = {
        kind: draw(st.lists(st.integers(-1, size - 1), min_size=n, max_size=n).map(np.array))
        for kind in "xy"
    }
    return vectors, draw(places), draw(places), own


@given(questions(), st.sampled_from([(1 << 23, 1 << 17), (7, 5)]))
def test_answers_are_those_found_one_by_one(drawn: Any, sizes: tuple[int, int]) -> None:
    vectors, a, b, own = drawn
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(geometry, "OWN_CELLS", sizes[0])
        patched.setattr(geometry, "CELLS", sizes[0])  # the small ones cut the work into many blocks
        patched.setattr(geometry, "CACHED", sizes[1])
        among, beside = among_all(vectors, a, b), among_own(vectors, a, b, own)
    for found, wanted in ((among, by_hand(vectors, a, b)), (beside, by_hand(vectors, a, b, own))):
        for method in METHODS:
            np.testing.assert_array_equal(found.outcome[method], wanted[method])
    outcome = beside.outcome[METHODS[0]]
    shares = beside.chosen
    assert sum(shares.values())[outcome >= 0] == pytest.approx(np.ones((outcome >= 0).sum()))
    assert not any(share[outcome < 0].any() for share in shares.values())
    assert shares["answer"][outcome == RIGHT] == pytest.approx(1)
    assert not shares["answer"][outcome == 0].any()


# -- the benchmark

CITIES = {"Athens": "Greece", "Oslo": "Norway", "Paris": "France", "Cairo": "Egypt"}
CAPITALS = Category(
    "capitals", "semantic", tuple(Pair(f"He saw {a}.", f"He saw {b}.") for a, b in CITIES.items())
)
ACTS = (("dog", "cat"), ("nurse", "boy"), ("king", "wolf"))
PASSIVES = Category(
    "passivisation",
    "relational",
    tuple(
        Pair(
            f"The {one} chased the {two}.",
            f"The {two} was chased by the {one}.",
            {
                "negation": f"The {two} was not chased by the {one}.",
                "masking": f"The {two} was {MASK} by the {one}.",
                "reordering": f"By the {one} the {two} was chased.",
            },
        )
        for one, two in ACTS
    ),
)
DATA = Analogies.of(
    [CAPITALS, PASSIVES, Category("lone", "syntactic", (Pair("A cat slept.", "Cats slept."),))]
)


def words(fails: str = "", flat: str = "") -> ByText:
    """An encoder of sums of fixed random vectors of words: order is lost. A text with ``fails`` has
    no vector, one with ``flat`` a vector of zeros.
    """

    def vector(text: str) -> Any:
        if fails and fails in text:
            raise ParseError(f"no parse of {fails!r}")
        found = (np.random.default_rng(list(w.encode())) for w in text.lower().strip(".").split())
        return np.sum([random.normal(size=64) for random in found], axis=0) * (
            not flat or flat not in text
        )

    return ByText(vector, "words")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write(tmp_path / "data.jsonl", DATA)
    return tmp_path / "data.jsonl"


def test_the_benchmark(file: Path) -> None:
    model = words()
    card = evaluate("analogies", model, file, resamples=200)
    assert list(card.scores)[:3] == ["capitals", "passivisation", "lone"]
    assert list(card.scores)[3:] == [
        group + end
        for group in ("lexical", "semantic", "relational", "syntactic", "all")
        for end in (", micro", "")
    ]
    passives = {name: one.value for name, one in card.scores["passivisation"].items()}
    expected = {"3CosAdd": 0, "tied": 1, "answer": 0.5, "reordering": 0.5}
    assert passives.items() >= expected.items()
    capitals = card.scores["capitals"]["3CosAdd"]
    assert (capitals.n, capitals.missing) == (4, 0)
    assert card.scores["lone"]["3CosAdd"].note.startswith("no questions")
    assert "lone: one pair makes no question" in card.notes
    macro, micro = card.scores["all"]["3CosAdd"].value, card.scores["all, micro"]["3CosAdd"].value
    assert macro == pytest.approx((capitals.value or 0) / 2)  # lone has none
    assert micro == pytest.approx((capitals.value or 0) * 6 / 9)
    counts = {"rows": 8, "scored": 8, "failed": 0, "truncated": None, "questions": 9}
    assert card.counts.items() >= counts.items()
    assert card.settings["mask"] == "UNK"
    assert any("was UNK by" in text for text in model.seen)
    assert not any(MASK in text for text in model.seen)
    assert evaluated_model("embedded").mask == "[MASK]"
    assert evaluate("analogies", words(), file, resamples=200).digest == card.digest


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("hybrid", "hybrid (vectors of embedded)"),
        ("embedded", "embedded"),
        ("role-encoder", "role-encoder"),
    ],
)
def test_the_name_says_whose_vectors_answer(model: str, name: str, file: Path) -> None:
    card = evaluate("analogies", Pipeline(model), file, resamples=0)
    assert (card.name, f"| {name} |" in card.fingerprint()) == (name, True)


def test_sentences_without_vector_take_no_part_and_are_counted(file: Path) -> None:
    card = evaluate("analogies", words(fails="wolf was not", flat="Oslo"), file, resamples=0)
    assert (card.counts["scored"], card.counts["failed"]) == (7, 1)
    capitals = card.scores["capitals"]["3CosAdd"]
    assert (capitals.n, capitals.missing, card.counts["questions"]) == (3, 1, 3 + 3)
    assert "distractors that have no vector are no candidates: 1" in card.notes
    none = evaluate("analogies", words(fails=" "), file, resamples=10)
    assert (none.counts["scored"], none.scores["all"]["3CosAdd"].value) == (0, None)


def test_cards_side_by_side(file: Path, tmp_path: Path) -> None:
    cards = [
        evaluate("analogies", words(flat=flat), file, name=flat or "whole", resamples=50)
        for flat in ("", "Oslo")
    ]
    cards[1].save(tmp_path / "card.json")
    cards[1] = load_card(tmp_path / "card.json")
    table = compare(cards, resamples=100)
    column = next(one for one in table.columns if one.group == "capitals")
    tested = table.cells["Oslo", column].difference or table.cells["whole", column].difference
    # Over the questions that both were asked.
    assert (tested.value, tested.n, tested.missing) == (0, 3, 1)
    bare = replace(cards[0], columns={}, groups={})
    cells = compare([bare, cards[1]], names=["bare", "Oslo"], resamples=10).cells.values()
    said = "not tested: the card of bare does not hold which questions were answered"
    assert said in {cell.note for cell in cells}
    panel = plot(cards, "heat").axes[0]
    assert [label.get_text() for label in panel.get_yticklabels()] == ["whole", "Oslo"]
    shown = [label.get_text() for label in panel.get_xticklabels()]
    assert shown == [name for name in cards[0].scores if not name.endswith(", micro")]


# -- files and bad input


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    for ending in ("jsonl", "tsv", "csv"):
        path = tmp_path / f"data.{ending}"
        assert write(path, DATA) == 8
        found = read(path)
        assert (found.categories, found.sha256) == (DATA.categories, DATA.sha256)
    with pytest.raises(InputError, match=r"written as \.jsonl, \.tsv, \.csv"):
        write(tmp_path / "data.xlsx", DATA)


def test_tables_of_one_category(tmp_path: Path) -> None:
    (tmp_path / "currency_pairs.tsv").write_text(
        "a\tb\nIn Japan.\tIn yen.\nIn India.\tIn rupees.\n"
    )
    (tmp_path / "dative.csv").write_text("a,b\nHe gave her tea.,He gave tea to her.\n")
    found = {category.name: category for category in read(tmp_path).categories}
    groups = {"currency": "semantic", "dative": "relational"}
    assert {name: one.group for name, one in found.items()} == groups
    assert found["currency"].pairs[1] == Pair("In India.", "In rupees.")
    bare = tmp_path / "bare.csv"
    bare.write_text("It is old.,It is new.,old,new\n")
    assert evaluate("analogies", words(), bare, columns=("1", "2"), resamples=0).data["rows"] == 1
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no file of analogies \(.*\) in the folder"):
        read(tmp_path / "empty")


def test_odd_pairs_and_options(file: Path) -> None:
    table = file.with_name("odd.csv")
    table.write_text("category,group,a,b\n" + "x,semantic,A.,B.\n" * 2 + "x,semantic,C.,C.\n")
    notes = evaluate("analogies", words(), table, resamples=0).notes
    assert notes[:2] == (
        "pairs that are there twice are left out: 1",
        "pairs that have one sentence twice are left out: 1",
    )
    with pytest.raises(InputError, match="unknown kind of distractor, got 'noise'"):
        Analogies.of([Category("x", "semantic", (Pair("A.", "B.", {"noise": "C."}),))])
    with pytest.raises(InputError, match="needs vectors of texts, and 'levenshtein' offers"):
        evaluate("analogies", "levenshtein", file)
