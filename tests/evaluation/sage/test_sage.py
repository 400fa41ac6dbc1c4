"""SAGE's frame and its parts on preference and clustering: files in, figures that can be checked by
hand out.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi
from support.commands import Run
from support.evaluated import ByPair, ByText, written

from hybridsem import Pipeline
from hybridsem.datasets.settings import Settings
from hybridsem.errors import AssetError, FormatError, InputError, UnknownNameError
from hybridsem.evaluation import Card, evaluate, evaluated_model, load_card
from hybridsem.evaluation.sage import clustering, overall, preference
from hybridsem.evaluation.sage.document_models import compared, prepared
from hybridsem.evaluation.sage.overall import PARTS
from hybridsem.evaluation.sage.parts import ASKED, load_documents, read_documents
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.task import Measured
from hybridsem.tokenisers import tokeniser

PLAIN = Settings(resamples=0)
LETTERS = ByText(lambda text: [text.lower().count(letter) for letter in "abcdefgh"])


def value(card: Card | Measured, group: str, measure: str = "score") -> float | None:
    return card.scores[group][measure].value


# -- files


def test_documents_with_exclusions_and_samples(tmp_path: Path) -> None:
    rows = [{"article": f"Text {i}.", "highlights": ""} for i in range(20)]
    odd = {"article": "", "highlights": "x"}, {"article": "No.", "highlights": "Longer."}
    written(tmp_path / "one.jsonl", *rows, *odd)
    written(tmp_path / "two.csv", "text", "Alone.")
    found = load_documents(tmp_path, PLAIN)
    assert [*found.sets] == ["one", "two"]
    assert (found.rows, found.excluded) == (21, {"empty": 1, "summary longer": 1})
    some = [
        read_documents(tmp_path / "one.jsonl", Settings(seed=seed, options={"sample": 5})).texts
        for seed in (0, 0, 1)
    ]
    assert some[0] == some[1] != some[2]
    assert len({*some[0]}) == 5
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no data in the folder"):
        load_documents(tmp_path / "empty", PLAIN)
    with pytest.raises(InputError, match="no such file"):
        load_documents(tmp_path / "absent.csv", PLAIN)


# -- models


@pytest.mark.parametrize(
    "model", ["jaccard", "bm25", "rouge", "levenshtein", "embedded", "hybrid", "letters"]
)
def test_pairs_and_blocks_of_every_kind_of_model(
    model: str, pipelines: dict[str, Pipeline]
) -> None:
    given = LETTERS if model == "letters" else pipelines.get(model, model)
    tested = prepared(evaluated_model(given), PLAIN)
    texts = ["A bad cabbage. A face.", " ", "A bad cabbage. A face.", "The head had a bed."]
    found = compared(tested, texts)
    block = found.block([0, 1, 2, 3], [0, 1, 2, 3])
    assert block[0, 2] == block[3, 3] == 1
    assert np.isnan([*block[1], *block[:, 1]]).all()
    assert -1 <= block[0, 3] < 1
    assert block[0, 3] == block[3, 0] == pytest.approx(found.pairs([0], [3])[0], abs=2e-6)
    assert block[0, 3] == pytest.approx(tested.scores([(texts[0], texts[3])])[0], abs=2e-6)


def test_structure_is_read_sentence_by_sentence_and_the_card_says_so(nlp: Pipeline) -> None:
    tested = prepared(evaluated_model(nlp), PLAIN)
    assert tested.offers == {"scores"}
    assert tested.describe()["documents"].startswith("by sentences")
    assert tested.scores([("It rained. Ann slept.", "Ann slept. It rained.")])[0] > 0.9
    assert tested.truncated(["It rained.", "word " * 300]) == [False, True]


def test_encoders_may_average_sentences() -> None:
    tested = prepared(evaluated_model(LETTERS), Settings(options={"documents": "sentences"}))
    text = "Abe fed a bad cab. H h."  # five words and two
    one, two = LETTERS.encode(["Abe fed a bad cab.", "H h."])
    mean = (5 * one / np.linalg.norm(one) + 2 * two / np.linalg.norm(two)) / 7
    assert tested.vectors([text])[0] == pytest.approx(mean)
    assert tested.scores([(text, "H h. Abe fed a bad cab.")]) == pytest.approx([1])
    assert tested.truncated([text]) is None
    assert "mean of the vectors" in tested.describe()["documents"]


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(
    ("model", "options", "error", "why"),
    [
        ("levenshtein", {"documents": "sentences"}, InputError, "no vectors of texts"),
        ("jaccard", {"tokeniser": "words"}, UnknownNameError, "tokeniser, got 'words'"),
        ("embedded", {"tokeniser": "cl100k"}, InputError, "metrics on strings"),
        ("standardised:embedded", {}, InputError, "has seen no data set; fit it"),
        ("jaccard", {"tokeniser": "cl100k"}, AssetError, "models download tiktoken-cl100k"),
    ],
)
def test_options_that_a_model_cannot_follow(model: str, options: Any, error: Any, why: str) -> None:
    with pytest.raises(error, match=why):
        prepared(evaluated_model(model), Settings(options=options))


# -- clustering


def first_letter(one: str, two: str) -> float:
    return 1.0 if one == two else 0.5 if one[0] == two[0] else 0.0


def test_sets_of_sets_are_clustered_each_by_itself(tmp_path: Path) -> None:
    written(
        tmp_path / "mteb.jsonl",
        {"sentences": ["apple", "ant", "bee"], "labels": [0, 0, 1]},
        {"sentences": ["apple", "ant", "bee", "bear"], "labels": ["p", "q", "p", "q"]},
        {"sentences": ["apple", "ant"], "labels": ["one", "one"]},
    )
    written(tmp_path / "other.jsonl", {"text": "apple", "label": 1}, {"text": "bee", "label": 2})
    card = evaluate("sage-clustering", ByPair(first_letter), tmp_path)
    # 1, and 0: the groups say nothing of the labels.
    assert value(card, "mteb") == pytest.approx(0.5)
    assert value(card, "all") == pytest.approx((0.5 + 1) / 2)
    assert card.counts["sets of one label"] == 1


def test_a_text_without_answers_takes_no_part(tmp_path: Path) -> None:
    def score(one: str, two: str) -> float:
        return math.nan if "?" in one + two else first_letter(one, two)

    data = written(tmp_path / "a.tsv", "label\ttext", "x\tapple", "x\tant?", "y\tbee", "y\tbear")
    card = evaluate("sage-clustering", ByPair(score), data)
    assert (value(card, "all"), card.counts["scored"], card.counts["failed"]) == (1, 3, 1)
    with pytest.raises(InputError, match="fewer than two texts"):
        evaluate("sage-clustering", ByPair(lambda *_: math.nan), data)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=2, max_size=30))
def test_v_measure_is_that_of_scikit_learn(rows: list[tuple[str, str]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    labels, groups = map(list, zip(*rows, strict=True))
    expected = metrics.homogeneity_completeness_v_measure(labels, groups)
    found = clustering.v_measure(labels, ["xyz".index(group) for group in groups])
    assert (found[1], found[2], found[0]) == pytest.approx(expected, abs=1e-12)


def test_bm25_as_printed_clusters_by_okapi_over_all_texts() -> None:
    texts = [
        f"{word} {number} of the {noun}"
        for word in ("red", "tall")
        for number, noun in (("one", "car"), ("two", "house"), ("two", "car"), ("three", "trees"))
    ]
    settings = Settings(options={"as_printed": True, "tokeniser": "wordpiece"})
    tested = clustering.TASK.prepare(evaluated_model(Pipeline("bm25")), settings)
    apart, _ = clustering.distances(compared(tested, texts), len(texts))
    read = tokeniser("wordpiece")
    words = [read([text])[0].tolist() for text in texts]
    reference = BM25Okapi(words, k1=1.5, b=0.75, epsilon=0.25)
    there = np.array([reference.get_scores(query) for query in words])
    expected = (1 - (there + there.T) / 2)[np.triu_indices(len(texts), 1)]
    np.testing.assert_allclose(apart, expected, atol=1e-12)
    assert tested.describe()["documents"].startswith("Okapi BM25 over the texts of a set")


# -- human preference

INFO = {"post": "The cat sat on the mat all day long.", "article": None}


def comparison(first: str, second: str, choice: object) -> dict[str, object]:
    return {"info": INFO, "summaries": [{"text": first}, {"text": second}], "choice": choice}


def rating(summary: str, *axes: float | None) -> dict[str, object]:
    return {
        "info": INFO,
        "summary": {"text": summary, "axes": dict(zip(preference.AXES, axes, strict=True))},
    }


def length(one: str, two: str) -> float:
    return min(len(one), len(two)) / 40


def test_comparisons_in_the_layout_of_summarize_from_feedback(tmp_path: Path) -> None:
    rows = [("xx", "x", 0), ("x", "xx", 1), ("x", "xxx", 1), ("xx", "x", 1), ("x", "xx", 0)]
    rows += [("xy", "yx", 1), ("", "x", 0), ("x" * 50, "x", 0)]
    data = written(tmp_path / "comparisons.jsonl", *(comparison(*row) for row in rows))
    card = evaluate("sage-preference", ByPair(length), data, resamples=200)
    printed = evaluate("sage-preference", ByPair(length), data, resamples=0, as_printed=True)
    assert value(printed, "comparisons", "accuracy") == 4 / 6  # the tie is a hit
    # Of 4 that prefer the second, 2 hits, 1 miss, and a tie that counts half; of 2 others 1 is an
    # alarm.
    found = {name: one.value for name, one in card.scores["comparisons"].items()}
    expected = {"accuracy": 3.5 / 6, "precision": 2.5 / 3.5, "recall": 2.5 / 4}
    expected["F1"] = 5 / (5 + 1 + 1.5)
    assert found == pytest.approx(expected | {"score": sum(expected.values()) / 4})
    accuracy = card.scores["comparisons"]["accuracy"]
    assert 0 <= (accuracy.low or 0) < 3.5 / 6 < (accuracy.high or 0) <= 1
    counts = {"rows": 6, "ties": 1, "empty": 1, "summary longer": 1}
    assert card.counts.items() >= counts.items()
    assert card.scores["all"]["score"].note == "the data have no ratings"


def test_ratings_along_four_axes_and_what_is_derived_of_them(tmp_path: Path) -> None:
    rows = rating("x", 1, 3, 5, 2), rating("xx", 2, 2, 5, 3), rating("xxx", 3, 1, 5, None)
    written(tmp_path / "axis.jsonl", *rows)
    card = evaluate("sage-preference", ByPair(length), tmp_path, resamples=0)
    found = card.scores["ratings"]
    values = [found[axis].value for axis in preference.AXES]
    assert values == [*map(pytest.approx, (1, 0)), None, pytest.approx(1)]
    assert (found["score"].value, found["coherence"].missing) == (None, 1)
    assert value(card, "comparisons", "accuracy") == 1  # three derived ones
    assert card.notes == ("axis: the comparisons are derived from the ratings",)
    written(tmp_path / "real.jsonl", comparison("xx", "x", 1))
    card = evaluate("sage-preference", ByPair(length), tmp_path, resamples=0)
    assert value(card, "comparisons", "accuracy") == 0  # where there are real ones, only these
    source = "The cat sat on the mat all day."
    of_summeval = {"coherence": 1, "consistency": 5, "fluency": 4, "relevance": 2}
    file = written(tmp_path / "a.jsonl", {"text": source, "summary": "x", **of_summeval})
    axes = {"overall": 3, "accuracy": 5, "coverage": 2, "coherence": 1}
    assert preference.load(file, PLAIN).sets["a"].ratings[0].axes == axes
    flat = written(tmp_path / "b.csv", "text,summary_0,summary_1,choice", f"{source},x,y,1")
    assert preference.load(flat, PLAIN).sets["b"].comparisons[0].summaries == ("x", "y")


# -- all parts


def test_the_overall_score_is_the_mean_of_the_five_and_names_what_is_missing() -> None:
    def part(score: float) -> Measured:
        counts = {"rows": 9, "scored": 8, "truncated": None, "empty": round(10 * score)}
        return Measured({"all": {"score": Estimate(score, None, None, 9)}}, counts)

    found = {name: part(n / 10) for n, name in enumerate(PARTS, 1)}
    all_parts = overall.overall_of(found, {})
    assert value(all_parts, "all") == pytest.approx(0.3)
    assert (all_parts.counts["rows"], all_parts.counts["truncated"]) == (45, None)
    assert [all_parts.counts[f"{name}: empty"] for name in PARTS] == [1, 2, 3, 4, 5]
    del found["robustness"], found["retrieval"]
    some = overall.overall_of(found, {})
    assert value(some, "all") is None
    assert some.scores["all"]["score"].note == "no data for robustness, retrieval"
    assert value(some, "all", "score of 3 parts") == pytest.approx((0.1 + 0.3 + 0.4) / 3)


def test_a_plan_names_data_and_options(tmp_path: Path) -> None:
    written(tmp_path / "one.tsv", "label\ttext", "x\tapple", "x\tant", "y\tbee", "y\tbear")
    written(tmp_path / "two.tsv", "label\ttext", "x\tapple", "y\tbee", "y\tbear")
    written(tmp_path / "axis.jsonl", rating("x", 1, 1, 2, 2), rating("xx", 2, 2, 5, 3))
    plan = written(
        tmp_path / "plan.toml",
        '[clustering]\ndata = ["one.tsv", "two.tsv"]\nsample = 3',
        '[preference]\ndata = "axis.jsonl"',
    )
    card = evaluate("sage", ByPair(first_letter), plan, resamples=0)
    assert card.settings["clustering"] == {"sample": 3}
    assert value(card, "clustering: two") == 1
    assert value(card, "all") is None
    assert "no data for" in card.scores["all"]["score"].note
    card.save(tmp_path / "card.json")
    assert load_card(tmp_path / "card.json").scores == card.scores
    written(tmp_path / "made.jsonl", comparison("xx", "x", 1))
    both = written(tmp_path / "both.toml", '[preference]\ndata = ["axis.jsonl", "made.jsonl"]')
    given = evaluate("sage", ByPair(length), both, resamples=0)
    # None is derived.
    assert given.scores["preference: comparisons"]["accuracy"] == Estimate(0, None, None, 1)
    for repeated in range(2):
        again = ByPair(first_letter)
        found = evaluate("sage", again, plan, resamples=0, work=tmp_path / "work")
        assert found.digest == card.digest
        asked = [pair for pair in again.asked if not {*pair} & {*ASKED}]
        assert bool(asked) is not bool(repeated)  # what is finished is taken from the work folder
    other = ByPair(length)
    evaluate("sage", other, plan, resamples=0, work=tmp_path / "work")
    assert len(other.asked) > len(ASKED) ** 2, "another model of the same name"
    written(tmp_path / "folder" / "clustering" / "one.tsv", "label\ttext", "x\tapple", "y\tbee")
    assert value(evaluate("sage", ByPair(first_letter), tmp_path / "folder"), "clustering") == 1


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("[clusters]\ndata = 'a'", UnknownNameError, "part of SAGE, got 'clusters'"),
        ("[clustering]\nsample = 3", FormatError, "needs data"),
        ("[clustering]\ndata = 'a'\nsize = 3", InputError, "clustering has no option 'size'"),
        ("", InputError, "names no part"),
        ("[clustering]\ndata = ['a.tsv', 'b/a.tsv']", InputError, "two data sets of one name"),
    ],
)
def test_plans_that_cannot_be_read(
    tmp_path: Path, text: str, error: type[Exception], why: str
) -> None:
    (tmp_path / "b").mkdir()
    for folder in (tmp_path, tmp_path / "b"):
        written(folder / "a.tsv", "label\ttext", "x\tapple", "y\tbee")
    with pytest.raises(error, match=why):
        evaluate("sage", ByPair(first_letter), written(tmp_path / "plan.toml", text))
    with pytest.raises(InputError, match="none of the sub-folders"):
        overall.read_plan(tmp_path)


def test_the_parts_are_drawn_round_a_circle(run: Run) -> None:
    pytest.importorskip("matplotlib")
    data = written(Path("one.tsv"), "label\ttext", "x\tapple", "x\tant", "y\tbee", "y\tbear")
    plan = written(Path("plan.toml"), '[clustering]\ndata = "one.tsv"')
    for name in ("one", "two"):
        evaluate("sage", ByPair(first_letter), plan, name=name).save(f"{name}.json")
    for picture in ("a.svg", "b.svg"):
        assert run(f"plot one.json two.json --kind radar -o {picture}").code == 0
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes()
    evaluate("sage-clustering", ByPair(first_letter), data).save("part.json")
    assert run("plot part.json --kind radar -o c.svg").code == 1
