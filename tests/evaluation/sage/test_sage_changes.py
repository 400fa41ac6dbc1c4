"""SAGE's robustness and sensitivity: the conditions and errors on similarities that are known, and
on real texts.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rank_bm25 import BM25Plus
from support.evaluated import ByPair, written

from hybridsem import Pipeline
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError
from hybridsem.evaluation import Card, evaluate, evaluated_model
from hybridsem.evaluation.perturbations import EXACT, INSERTIONS, REMOVALS
from hybridsem.evaluation.sage.changes import CHANGES, Similarities, closeness, conditions
from hybridsem.evaluation.sage.changes import load_summarised as load
from hybridsem.evaluation.sage.document_models import compared, in_batch, prepared
from hybridsem.tokenisers import tokeniser

NAN = float("nan")
DOCUMENT = (
    "The committee met on Monday. It was a long day, and nobody was happy. Three members left "
    "before the vote. "
    "They said that the budget could not be kept. The others stayed until night."
)
SUMMARY = "A committee argued over its budget until night."


def known(values: Any) -> Similarities:
    return Similarities(np.array(values, float), np.zeros(np.shape(values), bool))


def values(card: Card, group: str = "all") -> dict[str, float | None]:
    return {name: one.value for name, one in card.scores[group].items()}


# -- robustness


@pytest.mark.parametrize(
    ("similarities", "score", "all_three"),
    [
        ([0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.5], 1, 1),
        ([0.9, 0.9, 0.4, 0.1, 0.1, 0.1, 0.5], 2 / 3, 0),  # one costs more than the summary
        ([0.9, 0.9, 0.9, 0.1, 0.1, 0.8, 0.5], 2 / 3, 0),
        ([0.8, 0.9, 0.7, 0.98, 0.5, 0.4, 0.1], 1 / 3, 0),  # negation costs next to nothing
        ([1, 1, 1, 1, 1, 1, 1], 0, 0),  # nothing is greater
        ([0.9, 0.9, 0.9, 0.1, 0.1, 0.1, NAN], NAN, NAN),
        ([0.9, NAN, 0.9, 0.1, 0.1, 0.1, 0.5], NAN, NAN),
    ],
)
def test_the_three_conditions(similarities: list[float], score: float, all_three: float) -> None:
    found = conditions(known([similarities]))
    np.testing.assert_allclose(found["score"], [score])
    np.testing.assert_allclose(found["all three"], [all_three])
    np.testing.assert_array_equal(found["s(summary)"], similarities[-1:])


def test_a_change_that_changed_nothing_takes_no_part() -> None:
    values = [[0.1, 0.9, 0.9, 1, 1, 0.1, 0.5], [0.9, 0.9, 0.9, 1, 1, 1, 0.5]]
    unchanged = np.array([[1, 0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1, 0]], bool)
    found = conditions(Similarities(np.array(values), unchanged))
    np.testing.assert_array_equal(found["score"], [1, NAN])  # the second has no semantic change
    np.testing.assert_array_equal(found["superficial > summary"], [1, 1])
    np.testing.assert_array_equal(found["s(negation)"], [NAN, NAN])


def test_robustness_of_a_model_that_knows(tmp_path: Path) -> None:
    rows = [{"text": f"{DOCUMENT} {word}", "summary": SUMMARY} for word in ("One.", "Two.", "Ten.")]
    rows += [{"text": "One word, no more.", "summary": ""}, {"text": " ", "summary": "x"}]

    def knowing(text: str, other: str) -> float:
        if other == SUMMARY:
            return 0.5
        semantic = any(change(text, 4) == other for change in CHANGES[3:])
        return NAN if "Ten." in text else 0.2 if semantic else 0.9

    data = written(tmp_path / "d.jsonl", *rows)
    card = evaluate("sage-robustness", ByPair(knowing), data, seed=4, resamples=50)
    expected = {"score": 1, "all three": 1, "s(negation)": 0.2, "s(digits)": 0.9}
    assert values(card).items() >= expected.items()
    counts = {"rows": 3, "scored": 2, "failed": 1, "no summary": 1, "empty": 1}
    assert card.counts.items() >= counts.items()
    # A sample is of those that have a summary.
    some = load(data, Settings(options={"sample": 2}))
    assert (some.rows, some.excluded) == (2, {"no summary": 1, "empty": 1})


# -- sensitivity


def test_closeness_is_one_less_the_mean_absolute_error() -> None:
    changes = [*INSERTIONS, *REMOVALS]
    right = np.array([[1 / (1 + (change.share or 0)) for change in changes]])
    found = closeness(known([*right, *right + 0.1, *right * NAN]), changes)
    np.testing.assert_allclose(found["score"], [1, 0.9, NAN])
    np.testing.assert_allclose(found["insertion"], [1, 0.9, NAN])
    np.testing.assert_allclose(found["s(removal 90%)"], [1 / 1.9, 1 / 1.9 + 0.1, NAN])
    half = np.where([change.kind == "removal" for change in changes], right, right - 0.4)
    np.testing.assert_allclose(
        [closeness(known(half), changes)[name][0] for name in ("score", "removal")], [0.8, 1]
    )


def test_sensitivity_over_data_sets_and_with_a_filler_of_ones_own(tmp_path: Path) -> None:
    folder, filler = tmp_path / "sets", tmp_path / "filler.txt"
    written(folder / "long.jsonl", {"text": DOCUMENT}, {"text": "alone"})
    (folder / "short.csv").write_text('text\n"A few words, and a few more of them."\n', "utf-8")
    filler.write_text("zzz", encoding="utf-8")
    seen: list[str] = []

    def half(_: str, other: str) -> float:
        seen.append(other)
        return 0.5

    card = evaluate("sage-sensitivity", ByPair(half), folder, filler=filler, resamples=0)
    assert sum("zzz" in text for text in seen) >= 18
    assert card.settings["filler"]["file"] == "filler.txt"
    errors = [
        np.mean([abs(0.5 - 1 / (1 + p)) for p in shares])
        for shares in ((0.15, 0.5, 1), (0.15, 0.5, 0.9))
    ]
    for group in ("all", "long", "short"):
        assert values(card, group)["insertion"] == pytest.approx(1 - errors[0])
        assert values(card, group)["score"] == pytest.approx(1 - np.mean(errors))
    # One word has no span.
    assert card.counts.items() >= {"rows": 3, "scored": 2, "failed": 1}.items()
    with pytest.raises(InputError, match="at least one word"):
        evaluate("sage-sensitivity", "embedded", folder, filler=written(tmp_path / "blank.txt"))


def test_bm25_as_printed_is_of_pairs_and_normalised_in_the_batch() -> None:
    """By rank_bm25: a document as the collection, what became of it as the query, then from the
    least to the greatest of all documents.
    """
    texts = [DOCUMENT, "A few words, and a few more of them.", "Nothing was said of any budget."]
    change = next(one for one in EXACT.values() if one.name == "insertion-15-middle-exact")
    read = tokeniser("auto")

    def raw(text: str) -> float:
        document, query = (read([one])[0].tolist() for one in (text, change(text)))
        return float(BM25Plus([document]).get_scores(query)[0])

    scores = np.array([raw(text) for text in texts])
    tested = prepared(evaluated_model(Pipeline("bm25")), Settings(options={"as_printed": True}))
    found = compared(tested, [*texts, *map(change, texts)]).pairs([0, 1, 2], [3, 4, 5])
    np.testing.assert_allclose(found, scores)
    scaled = (scores - scores.min()) / (scores.max() - scores.min())
    np.testing.assert_allclose(in_batch(tested, found), scaled)
    assert tested.describe()["documents"] == "BM25+ of pairs, from 0 to 1 in each batch"
    plain = prepared(evaluated_model(Pipeline("bm25")), Settings())
    np.testing.assert_array_equal(in_batch(plain, found), found)


def test_documents_are_cut_after_so_many_tokens(tmp_path: Path) -> None:
    texts = "One two three.  Four five six.", "Short enough."
    data = written(tmp_path / "d.jsonl", *({"text": text, "summary": "Six."} for text in texts))
    cut, whole = (load(data, Settings(options=one)) for one in ({"cut": 4}, {}))
    assert cut.sets["d"].texts == ("One two three.", "Short enough.")
    assert cut.sha256 != whole.sha256


@pytest.mark.slow
def test_the_figures_of_the_paper(shared_data: Path) -> None:
    """Levenshtein on CNN/DailyMail has Table 4's .333; ROUGE on the essays .881 and .868, within
    .02; over samples.
    """
    articles, essays = (
        shared_data / "sage" / name
        for name in ("cnn_dailymail-300.jsonl", "paul_graham_essays.csv")
    )
    found = values(evaluate("sage-robustness", "levenshtein", articles, resamples=0, sample=30))
    assert found["score"] == pytest.approx(0.333, abs=0.01)
    found = values(
        evaluate("sage-sensitivity", "rouge", essays, resamples=0, sample=20, tokeniser="wordpiece")
    )
    assert found["insertion"] == pytest.approx(0.881, abs=0.02)
    assert found["removal"] == pytest.approx(0.868, abs=0.02)
