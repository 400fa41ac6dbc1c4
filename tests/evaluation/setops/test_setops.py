"""Set operations on sentences: geometry and criteria with analytic answers, the benchmark, its
cards side by side.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.evaluated import ByPair, ByText, share

from hybridsem.datasets.set_operations import Sample, write
from hybridsem.errors import InputError
from hybridsem.evaluation import Card, evaluate, load_card
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.setops.criteria import GRID, groups, measured, on_plane, reached
from hybridsem.evaluation.setops.criteria import values as values_of
from hybridsem.evaluation.statistics.summaries import Column, paired, summaries

A, B = np.array([[1.0, 0, 0]]), np.array([[0.0, 2, 0]])


@pytest.mark.parametrize(
    ("target", "to_a", "to_b", "middle"),
    [
        ([1, 1, 5], 0.5, 0.5, 1),  # what stands upright on the plane is not seen
        ([3, 0, 0], 0, 1, 1),
        ([1, -1, 0], 0.5, 1.5, 0),
        ([-1, 0, 1], 2, 1, 0),
        ([0, 0, 1], math.nan, math.nan, math.nan),
    ],
)
def test_a_target_on_the_plane(
    target: list[float], to_a: float, to_b: float, middle: float
) -> None:
    plane = on_plane(A, B, np.array([target], float))
    found = [plane[name][0] for name in ("angle to A", "angle to B", "middle")]
    assert found == pytest.approx([to_a, to_b, middle], nan_ok=True)
    assert (plane["norm A"], plane["norm B"], plane["collinear"]) == (1, 2, 0)


def test_the_measures() -> None:
    x, y = np.array([[3.0, 4, 0], [0, 0, 0]]), np.array([[0.0, 4, 3], [1, 2, 3]])
    found = measured(x, y)
    assert {name: value[0] for name, value in found.items()} == {
        "cosine": 16 / 25,
        "dot": 16,
        "l1": 6,
        "l2": math.sqrt(18),
        "ned": 0.5 * np.var([3, 0, -3]) / (2 * np.var([3, 4, 0])),
    }
    assert np.isnan(found["cosine"][1])
    assert found["ned"][1] == 0.5


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=20), st.floats(-2, 0), st.floats(0.01, 2))
def test_the_average_over_the_grid_is_that_of_counting(
    values: list[float], low: float, width: float
) -> None:
    grid = np.linspace(low, low + width, GRID)
    counted = [np.mean([value >= epsilon for epsilon in grid]) for value in values]
    assert reached(np.array(values), (low, low + width)) == pytest.approx(counted)


def test_many_samples_have_the_interval_of_their_number() -> None:
    values = np.random.default_rng(0).normal(size=20_000)
    columns = {"x": Column(np.append(values, np.nan)), "sd": Column(values, "deviation")}
    found = summaries(columns, resamples=500)
    one = found["x"]
    assert (one.n, one.missing) == (20_000, 1)
    assert (one.high or 0) - (one.low or 0) == pytest.approx(2 * 1.96 / math.sqrt(20_000), rel=0.15)
    assert "a sample of 5,000 samples" in one.note
    assert (found["sd"].value, found["sd"].low) == (pytest.approx(values.std(ddof=1)), None)
    again = paired(Column(values + 1), Column(values), resamples=100)
    assert (again.value, again.p) == (pytest.approx(1), pytest.approx(2 / 101))
    nothing = summaries({"x": Column(np.array([np.nan]))}, resamples=10)["x"]
    assert (nothing.value, nothing.note) == (None, "0 samples have a value")


WORDS = {"cat": 0, "dog": 1, "bird": 2, "fish": 3}


def bag(name: str = "bag", tilt: float = 0.0) -> ByText:
    """An encoder of the sum of a sentence's words' vectors; ``tilt`` moves them all."""

    def vector(sentence: str) -> Any:
        known = [WORDS[word] for word in sentence.split() if word in WORDS]
        return np.bincount(known, minlength=4) + tilt * len(known)

    return ByText(vector, name)


SAMPLES = [
    Sample("overlap", "cat dog", "dog bird", "dog"),
    Sample("overlap", "cat bird", "bird fish", "bird"),
    Sample("difference", "cat dog", "dog", "cat"),
    Sample("difference", "cat dog bird", "bird", "cat dog"),
    Sample("union", "cat", "dog", "cat dog"),
    Sample("union", "cat bird", "fish", "cat bird fish"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "samples.tsv"
    assert write(path, SAMPLES) == 6
    return path


def value(card: Card, group: str, measure: str = "satisfied") -> float | None:
    return card.scores[group][measure].value


def test_an_encoder_that_adds_words_fulfils_the_criteria(data: Path) -> None:
    model = bag()
    card = evaluate("setops", model, data, measures=["all"], resamples=50)
    # Each text once.
    assert len(model.seen) == len({text for one in SAMPLES for text in (one.a, one.b, one.target)})
    assert [value(card, group) for group in ("C2 overlap", "C6 union")] == [1, 1]
    # cos(cat dog, dog) - cos(cat dog, dog bird) = 1/√2 - 1/2
    assert value(card, "C1 overlap", "difference 1") == pytest.approx(math.sqrt(0.5) - 0.5)
    assert value(card, "C3 difference", "Sim(B,D)") == 0
    assert value(card, "C4 difference", "difference") == pytest.approx(1)
    assert value(card, "C5 difference", "angle to A") == pytest.approx(0.5, abs=0.5)
    four = [value(card, "C3 difference, l2", name) or 0 for name in ("satisfied", "TF", "FT", "FF")]
    assert sum(four) == pytest.approx(1)
    assert value(card, "C6 union", "norm ratio") == pytest.approx((1 + math.sqrt(2)) / 2)
    assert (card.counts["scored"], card.counts["failed"]) == (6, 0)
    assert len(card.columns["cosine AB"]) == 6


def test_what_takes_no_part_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    odd = [
        Sample("overlap", "cat dog", "cat dog", "cat"),
        Sample("union", "cat", "tree", "cat tree"),
        Sample("union", "cat", "cat cat", "cat cat cat"),
    ]
    write(path, [*SAMPLES, *odd])
    card = evaluate("setops", bag(), path, resamples=0)
    left_out = {"identical": 1, "zero vectors": 1, "collinear": 1, "failed": 0}
    assert card.counts.items() >= {"rows": 9, "scored": 7, **left_out}.items()
    union = card.scores["C6 union"]["satisfied"]
    assert (union.n, union.missing) == (2, 2)


def test_a_model_of_scores_has_c1_and_c3(data: Path) -> None:
    overlap = ByPair(share, "overlap")
    card = evaluate("setops", overlap, data, resamples=0)
    assert list(card.scores) == ["C1 overlap", "C3 difference"]
    assert value(card, "C1 overlap", "Sim(A,B)") == pytest.approx(1 / 3)
    with pytest.raises(InputError, match="'cosine' needs vectors, and 'overlap' has none"):
        evaluate("setops", overlap, data, measures=("cosine",))
    both = evaluate("setops", bag(), data, measures=("cosine", "score"), resamples=0)
    one, other = (value(both, f"C1 overlap{name}", "difference 1") for name in ("", ", score"))
    assert one == other
    assert "C4 difference, score" not in both.scores


def test_cards_are_compared_on_one_grid(data: Path, tmp_path: Path) -> None:
    cards = [
        evaluate("setops", bag(name, tilt), data, resamples=200)
        for name, tilt in (("bag", 0), ("tilted", 0.4))
    ]
    cards[1].save(tmp_path / "tilted.json")
    assert load_card(tmp_path / "tilted.json") == cards[1]
    table = compare([cards[0], load_card(tmp_path / "tilted.json")], resamples=200)
    assert [column.group for column in table.columns] == list(cards[0].scores)
    column = next(column for column in table.columns if column.group == "C1 overlap")
    share = np.ones(2)
    for at, pair in enumerate(("AT", "BT")):  # ε from the least to the greatest of both cards
        limits = [card.settings["epsilon"]["C1 overlap"][at] for card in cards]
        one, other = (np.array(cards[1].columns[f"cosine {of}"][:2]) for of in (pair, "AB"))
        share *= reached(one - other, (np.min(limits), np.max(limits)))
    assert table.cells["tilted", column].estimate.value == pytest.approx(share.mean())
    assert value(cards[1], "C1 overlap") != pytest.approx(share.mean())
    cells = [cell for (_, where), cell in table.cells.items() if where == column]
    assert [cell.difference.n for cell in cells if cell.difference] == [2]
    fixed = evaluate("setops", bag("tilted", 0.4), data, resamples=0, epsilon_range=(-1, 1))
    assert fixed.settings["epsilon"]["C1 overlap"] == [[-1, 1], [-1, 1]]
    bare = Card(**{**vars(cards[1]), "columns": {}, "groups": {}})
    with pytest.raises(InputError, match="holds no values of samples.*--epsilon-range"):
        compare([cards[0], bare])
    with pytest.raises(InputError, match="different theta"):
        compare([cards[0], evaluate("setops", bag("other"), data, theta=0.1, resamples=0)])


@pytest.mark.parametrize(
    ("measures", "name"),
    [
        (("cosine",), "hybrid (vectors of embedded)"),
        (("cosine", "score"), "hybrid"),
        (("score",), "hybrid"),
    ],
)
def test_the_name_says_whose_vectors_answer(
    measures: tuple[str, ...], name: str, data: Path
) -> None:
    assert evaluate("setops", "hybrid", data, measures=measures, resamples=0).name == name


def test_options_that_cannot_be(data: Path) -> None:
    for options, said in (
        ({"measures": ("cos",)}, "unknown measure, got 'cos'"),
        ({"theta": 0}, "theta is a positive number"),
        ({"epsilon_range": (1, 0)}, "epsilon_range is two numbers, the smaller first"),
    ):
        with pytest.raises(InputError, match=said):
            evaluate("setops", bag(), data, **options)


def test_the_two_cases_of_unions() -> None:
    group = next(one for one in groups(["cosine"], ["union"], planes=True))
    columns = {
        "norm ratio": np.array([1.0, 1.0, 1.0, 1.5, 0.5, 1.5, np.nan]),
        "angle to A": np.array([0.5, 0.2, 1.5, 0.2, 0.9, 0.8, np.nan]),
        "angle to B": np.array([0.5, 0.8, 0.5, 0.8, 0.1, 0.2, np.nan]),
        "middle": np.array([1.0, 1.0, 0.0, 1.0, 1.0, 1.0, np.nan]),
    }
    nan = math.nan
    found = values_of(group, columns, (), 0.5)
    # As long: in the middle, too near to A, outside. One longer: near it, near it, near the other.
    np.testing.assert_array_equal(found["case (a)"].values, [1, 0, 0, nan, nan, nan, nan])
    np.testing.assert_array_equal(found["case (b)"].values, [nan, nan, nan, 1, 1, 0, nan])
    wide = values_of(group, columns, (), 0.1)
    np.testing.assert_array_equal(wide["case (b)"].values, [nan, nan, nan, 0, 1, 0, nan])
