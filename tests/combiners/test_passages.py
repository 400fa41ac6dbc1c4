"""Texts of several sentences: aligned, compared pair by pair, one score that adds up."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.evaluated import share

from hybridsem import Pipeline
from hybridsem._typing import SentencePairs
from hybridsem.combiners import aligned_sentences, passages
from hybridsem.combiners.aligned_sentences import aligned_by, aligned_by_vectors, shares_of
from hybridsem.combiners.base import Batch, Passages
from hybridsem.combiners.passages import explained, scores_of, shipped_passages
from hybridsem.combiners.roles import role_scores
from hybridsem.english.sentences import sentences_of
from hybridsem.explanations import Explanation, RoleMatch, Term
from hybridsem.structures import Filler, Frame, Parsed, ParseFailure, RoleStructure

WORDS = ("alpha", "beta", "gamma", "delta", "omega")


def jaccard(one: str, two: str) -> float:
    return share(one.lower().strip(".?"), two.lower().strip(".?"))


class Overlap:
    """Scores two sentences by the Jaccard index of their words; "??" cannot be parsed."""

    formalism, reads_vectors, model = "verbnet", False, "overlap"

    def __init__(self) -> None:
        self.scored: list[tuple[str, str]] = []

    def explain(self, batch: Batch) -> list[Explanation]:
        found = []
        for i, j in batch.pairs:
            one, two = batch.sentences[i], batch.sentences[j]
            self.scored.append((one, two))
            line = RoleMatch(None, None, None, None, jaccard(one, two), 1.0, jaccard(one, two))
            found.append(batch.explanation((i, j), self.model, [line]))
        return found


def parsed(text: str) -> Parsed:
    if "??" in text:
        return ParseFailure(text, "no words")
    return RoleStructure(text, (Frame("be", {"Theme": Filler(text, (text,))}),))


def read(pairs: SentencePairs, whole: bool = True) -> Batch:
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    at = {text: place for place, text in enumerate(texts)}
    split = {at[text]: tuple(sentences_of(text)) for text in texts}
    several = {place: some for place, some in split.items() if len(some) > 1}
    batch = Batch(texts, [(at[one], at[two]) for one, two in pairs], [*map(parsed, texts)])
    return batch if whole else replace(batch, passages=Passages(several, read))


def scores(pairs: SentencePairs) -> list[float]:
    found: list[float] = scores_of(Overlap(), read(pairs, whole=False)).tolist()
    return found


def test_best_matches_are_weighted_by_words() -> None:
    # "Alpha beta." matches itself, "Gamma." at best ½ of "Gamma delta."; the other way "Gamma
    # delta." gets ½.
    found = scores([("Alpha beta. Gamma.", "Gamma delta. Alpha beta.")])
    assert found == pytest.approx([(2 * 1 + 1 * 0.5) / 3 / 2 + (2 * 1 + 2 * 0.5) / 4 / 2])


def test_the_order_of_sentences_does_not_matter_and_equal_sentences_are_not_scored() -> None:
    combiner = Overlap()
    batch = read([("Alpha. Beta.", "Beta. Alpha.")], whole=False)
    assert scores_of(combiner, batch).tolist() == [1.0]
    assert all(one != two for one, two in combiner.scored)


def test_sentences_that_cannot_be_parsed_take_no_part() -> None:
    found = scores(
        [
            ("Alpha. Zeta ?? Beta.", "Alpha. Beta."),
            ("Eta ?? Why ??", "Alpha."),
            ("Eta ??", "Eta ??"),
        ]
    )
    assert found[0] == 1.0
    assert np.isnan(found[1:]).all()
    (why,) = explained(Overlap(), read([("Eta ?? Why ??", "Alpha.")], whole=False))
    assert why.notes == (passages.NO_SENTENCE,)


texts = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), min_size=1, max_size=5
).map(lambda made: " ".join(" ".join(words).capitalize() + "." for words in made))


@settings(max_examples=60)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_symmetric_one_for_itself_and_the_same_however_grouped(pairs: SentencePairs) -> None:
    together = scores(pairs)
    assert together == [scores([pair])[0] for pair in pairs]
    assert together == scores([(two, one) for one, two in pairs])
    assert scores([(one, one) for one, _ in pairs]) == [1.0] * len(pairs)


@given(texts, texts)
def test_an_explanation_adds_up(one: str, two: str) -> None:
    (found,) = explained(Overlap(), read([(one, two)], whole=False))
    assert found.score == scores([(one, two)])[0]
    assert sum(line.contribution for line in found.matches) == pytest.approx(found.score)


def test_large_texts_are_scored_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [("Alpha beta. Gamma.", f"Beta {word}. Gamma delta.") for word in WORDS]
    whole = scores(pairs)
    for name in ("SENTENCES", "PAIRS"):
        with monkeypatch.context() as patch:
            patch.setattr(passages, name, 1)
            assert scores(pairs) == whole


# --- alignment


def test_alignment_is_one_to_many() -> None:
    shares = np.array([0.5, 0.5]), np.array([0.2, 0.3, 0.5])
    found = aligned_by(np.array([[0.9, 0.8, 0.1], [0.2, 0.3, 0.4]]), *shares)
    assert list(zip(found.first, found.second, strict=True)) == [(0, 0), (0, 1), (1, 2)]
    assert found.mutual.tolist() == [True, False, True]
    assert found.weights().sum() == pytest.approx(1)
    # Without the first sentence of both, (1, 2) both ways and (0, 1) from the second text.
    expected = (0.5 * 0.4 + 0.3 * 0.8 + 0.5 * 0.4) / 1.3
    assert found.rest(found.similarities)[0] == pytest.approx(expected)


def test_alignment_in_parts_is_that_of_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(0).normal(size=(2, 9, 8))
    first, second = (numbers / np.linalg.norm(numbers, axis=2, keepdims=True)).astype(np.float32)
    names: Sequence[Sequence[str]] = [[f"{side}{at}" for at in range(9)] for side in "ab"]
    whole = aligned_by_vectors(*names, first, second)
    monkeypatch.setattr(aligned_sentences, "ROWS", 2)
    for one, two in zip(whole, aligned_by_vectors(*names, first, second), strict=True):
        assert np.array_equal(one, two)
    assert np.isclose(shares_of(["a b c", "d"]), [0.75, 0.25]).all()


# --- the hybrid

ONE = "Ann left on Monday. Bob brought a cake to the party. It was a good evening."
DENIED = "Ann left on Monday. Bob brought no cake to the party. It was a good evening."
SHORTER = "It was a good evening. Ann left on Monday."
REWORDED = "The evening went well. On Monday Ann went away. A cake was brought to the party by Bob."
ALL = [ONE, DENIED, SHORTER, REWORDED, "Ann left on Monday.", "Bob brought a cake. It rains."]
PAIRS = [(one, two) for one in ALL for two in ALL]


@pytest.fixture(scope="module", params=[None, "embedded"])
def nlp(request: pytest.FixtureRequest) -> Pipeline:
    return Pipeline(pair_reader=request.param)


def test_scores_are_symmetric_bounded_and_add_up(nlp: Pipeline) -> None:
    found = nlp.score(PAIRS).reshape(len(ALL), len(ALL))
    assert (found == found.T).all()
    assert (np.diag(found) == 1).all()
    batch = nlp.reader.read(PAIRS)
    rows = np.array([one for one, _ in batch.pairs[:: len(ALL)]])
    assert (found <= nlp.combiner.bounds(batch, rows, rows)).all()
    for pair, score, explanation in zip(PAIRS, found.ravel(), nlp.explain(PAIRS), strict=True):
        assert explanation.score == score == nlp.similarity(*pair)
        added = sum(line.contribution for line in explanation.matches)
        assert added == pytest.approx(score, abs=1e-9)
        assert str(explanation)
        assert explanation.to_dict()["sentences"] is not None


def test_one_changed_fact_costs_more_than_other_words(nlp: Pipeline) -> None:
    altered, reworded = nlp.explain([(ONE, DENIED), (ONE, REWORDED)])
    assert altered.details["cosine"] > reworded.details["cosine"]
    assert altered.score < reworded.score


def test_the_alignment_is_explained(nlp: Pipeline) -> None:
    found = nlp.explain(ONE, SHORTER)
    assert [pair[:2] for pair in found.sentences] == [(1, 2), (2, None), (3, 1)]
    assert "sentence 2 of text 1 has no counterpart" in str(found)
    assert Term.LONE in [line.term for line in found.matches]
    back = nlp.explain(SHORTER, ONE)
    assert [pair[:2] for pair in back.sentences] == [(1, 3), (2, 1), (None, 2)]
    aligned = nlp.explain(ONE, DENIED).sentences[1].explanation
    assert (
        aligned.to_dict()
        == nlp.explain(aligned.sentence1, aligned.sentence2, words=False).to_dict()
    )


def test_a_single_sentence_is_compared_as_ever(nlp: Pipeline) -> None:
    pair = "Bob brought a cake to the party.", "Bob brought no cake to the party."
    alone = nlp.combiner.explain(nlp.reader.batch([pair], whole=True))[0]
    assert nlp.explain(*pair, words=False) == alone
    assert not alone.sentences


def test_every_sentence_of_a_long_text_is_read(nlp: Pipeline) -> None:
    """The encoder reads the beginning, which is the same, and the note says so."""
    first = " ".join(f"Line {number} of the list says nothing new at all." for number in range(40))
    one, two = f"{first} {ONE}", f"{first} The king signed a treaty with France. Prices fell."
    assert nlp.encode([one, two]).tolist()[0] == nlp.encode([one, two]).tolist()[1]
    explanation = nlp.explain(one, two)
    assert Term.LIMIT in [line.term for line in explanation.matches]
    assert explanation.score < 0.99
    assert explanation.truncated
    assert nlp.truncated([one]) == [True]
    assert Pipeline("verbnet-cn").truncated([one]) == [False]


def test_constants_are_checked() -> None:
    constants = shipped_passages()
    assert constants.loss(1.0, 0.0) == constants.loss(constants.nearness, 1.0) == 0
    assert 0 < constants.loss(0.9, 0.1) < constants.loss(0.9, 0.2) < constants.share


# --- other models

SENTENCES = [
    "The dog bit the man in the park.",
    "The man bit the dog.",
    "Yesterday Ann quietly gave Bob a book.",
    "Bob was given a book by Ann.",
    "A book on the table.",
    "It rained.",
]


@pytest.mark.parametrize(
    ("model", "normalise"),
    [
        ("verbnet-cn", "matched"),
        ("verbnet-cn", "total"),
        ("verbnet-cn", "dice"),
        ("dependency-cn", None),
    ],
)
def test_scores_without_explanations_are_those_with_them(model: str, normalise: str | None) -> None:
    pipeline = Pipeline(model, normalise=normalise)
    batch = pipeline.read([(one, two) for one in SENTENCES for two in SENTENCES])
    failed = [
        ParseFailure(SENTENCES[-1], "none") if text == SENTENCES[-1] else parsed
        for text, parsed in zip(batch.sentences, batch.structures or (), strict=True)
    ]
    for given_ in (batch, replace(batch, structures=failed), replace(batch, pairs=[])):
        expected = np.array([one.score for one in pipeline.combiner.explain(given_)])
        found = role_scores(pipeline.combiner, given_)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("model", ["verbnet-cn", "role-slots", "hybrid-0.1", "amr-cn"])
def test_other_models_compare_sentences_too(model: str) -> None:
    pipeline = Pipeline(model)
    one, two = " ".join(SENTENCES[:4]), " ".join(SENTENCES[2:])
    there, back, same = pipeline.score([(one, two), (two, one), (one, one)])
    assert there == back < 1.0 == same
    found = pipeline.explain(one, two)
    assert found.score == there
    assert sum(line.contribution for line in found.matches) == pytest.approx(there)
