"""Documents by their best-matching sentences; pruning changes nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybridsem import Pipeline
from hybridsem._utils.store import Store
from hybridsem.batch.cache import TABLES
from hybridsem.combiners.base import Batch
from hybridsem.documents import DocumentScorer, role_scores, sentences_of
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.structures import ParseFailure

WORDS = ("alpha", "beta", "gamma", "delta", "omega")


class Overlap:
    """Scores two sentences by the Jaccard index of their words; "??" cannot be parsed."""

    def __init__(self, bounded: bool = False) -> None:
        self.combiner = self
        self.scored: list[tuple[str, str]] = []
        self.formalism, self.reads_vectors = "verbnet", False
        if bounded:
            self.bounds = self._bounds

    def read(self, pairs: list[tuple[str, str]]) -> Batch:
        sentences = list(dict.fromkeys(text for pair in pairs for text in pair))
        structures = [
            ParseFailure(text, "no words") if "??" in text else None for text in sentences
        ]
        return Batch(sentences, [], structures)

    def truncated(self, sentences: list[str]) -> list[bool]:
        return [len(sentence.split()) > 5 for sentence in sentences]

    def _bounds(self, batch: Batch, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        first, second = ([batch.sentences[at] for at in side] for side in (rows, columns))
        return np.array([[min(1.0, jaccard(one, two) + 0.1) for two in second] for one in first])

    def explain(self, batch: Batch) -> list[Explanation]:
        found = []
        for i, j in batch.pairs:
            one, two = batch.sentences[i], batch.sentences[j]
            self.scored.append((one, two))
            line = RoleMatch(None, None, None, None, jaccard(one, two), 1.0, jaccard(one, two))
            found.append(batch.explanation((i, j), "overlap", [line]))
        return found


def jaccard(one: str, two: str) -> float:
    first, second = (set(text.lower().strip(".?").split()) for text in (one, two))
    return len(first & second) / len(first | second)


def test_best_matches_are_weighted_by_words() -> None:
    # "Alpha beta." matches itself, "Gamma." at best ½ of "Gamma delta."; the other way "Gamma
    # delta." gets ½.
    score = DocumentScorer(Overlap()).score([("Alpha beta. Gamma.", "Gamma delta. Alpha beta.")])
    assert score == pytest.approx([(2 * 1 + 1 * 0.5) / 3 / 2 + (2 * 1 + 2 * 0.5) / 4 / 2])


def test_the_order_of_sentences_does_not_matter_and_equal_sentences_are_not_scored() -> None:
    pipeline, pair = Overlap(), ("Alpha. Beta. Gamma.", "Gamma. Alpha. Beta.")
    assert DocumentScorer(pipeline).score([pair]).tolist() == [1.0]
    assert not pipeline.scored


def test_sentences_that_cannot_be_parsed_take_no_part() -> None:
    found = DocumentScorer(Overlap()).score(
        [("Alpha. Zeta ?? Beta.", "Alpha. Beta."), ("Eta ??", "Alpha."), ("Eta ??", "Eta ??")]
    )
    assert found[0] == 1.0
    assert np.isnan(found[1:]).all()


texts = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), min_size=1, max_size=5
).map(lambda sentences: " ".join(" ".join(words).capitalize() + "." for words in sentences))


@settings(max_examples=60)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_symmetric_one_for_itself_and_the_same_however_grouped_and_pruned(
    pairs: list[tuple[str, str]],
) -> None:
    scorer, bounded = DocumentScorer(Overlap()), DocumentScorer(Overlap(bounded=True))
    together = scorer.score(pairs)
    assert together.tolist() == [float(scorer.score([pair])[0]) for pair in pairs]
    assert together.tolist() == scorer.score([(two, one) for one, two in pairs]).tolist()
    assert together.tolist() == bounded.score(pairs).tolist()
    assert scorer.score([(one, one) for one, _ in pairs]).tolist() == [1.0] * len(pairs)
    assert set(bounded.pipeline.scored) <= set(scorer.pipeline.scored)


@given(texts, texts)
def test_an_explanation_adds_up(one: str, two: str) -> None:
    scorer = DocumentScorer(Overlap())
    found = scorer.explain(one, two)
    assert found.score == scorer.score([(one, two)])[0]
    assert sum(line.contribution for line in found.matches) == pytest.approx(found.score)
    assert [line.filler1 for line in found.matches][: len(sentences_of(one))] == sentences_of(one)
    assert [line.filler2 for line in found.matches][len(sentences_of(one)) :] == sentences_of(two)
    assert all(
        line.similarity == jaccard(str(line.filler1), str(line.filler2)) for line in found.matches
    )


def test_an_explanation_without_score_says_why() -> None:
    found = DocumentScorer(Overlap()).explain("Eta ??", "Alpha.")
    assert np.isnan(found.score)
    assert found.notes == ("no sentence of one of the documents can be parsed",)


def test_large_documents_are_scored_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [("Alpha beta. Gamma.", f"Beta {word}. Gamma delta.") for word in WORDS]
    whole = DocumentScorer(Overlap()).score(pairs)
    limits = {"MAX_CELLS": 5, "MAX_SENTENCES": 3, "MAX_PAIRS": 2, "PAIRS_AT_ONCE": 1}
    for name, limit in limits.items():
        with monkeypatch.context() as patch:
            patch.setattr(f"hybridsem.documents.{name}", limit)
            assert DocumentScorer(Overlap()).score(pairs).tolist() == whole.tolist()


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "empty or blank"), (" \n\x00", "empty or blank"), (7, "expected a string")],
)
def test_a_document_that_is_none_is_named(text: object, why: str) -> None:
    with pytest.raises(InputError, match=f"pair 1: document 2: .*{why}"):
        DocumentScorer(Overlap()).score([("Alpha.", "Beta."), ("Alpha.", text)])  # type: ignore[list-item]


def test_no_pairs_and_truncation() -> None:
    scorer = DocumentScorer(Overlap())
    assert scorer.score([]).shape == (0,)
    assert scorer.truncated(["Alpha. Beta gamma delta omega alpha beta.", "Alpha."]) == [
        True,
        False,
    ]
    assert sentences_of("Dr. Ng left. Why?") == ["Dr. Ng left.", "Why?"]
    assert sentences_of("\x00") == sentences_of("") == []


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
        np.testing.assert_allclose(
            role_scores(pipeline.combiner, given_), expected, rtol=0, atol=1e-12
        )


def test_a_model_that_inherits_the_roles_keeps_its_own_scores() -> None:
    """That of role slots also compares polarity."""
    pipeline = Pipeline("role-slots")
    one, two = "The dog barked.", "The dog did not bark."
    assert DocumentScorer(pipeline).score([(one, two)])[0] == pytest.approx(
        pipeline.similarity(one, two), abs=1e-12
    )
    assert (
        role_scores(pipeline.combiner, pipeline.read([(one, two)]))[0]
        > pipeline.similarity(one, two) + 0.01
    )


def test_models_may_share_a_store_whatever_each_reads(tmp_path: Path) -> None:
    """A model reads what another has not stored."""
    pairs = [(" ".join(SENTENCES[:3]), " ".join(SENTENCES[3:]))]
    for models in ("embedded hybrid", "verbnet-cn hybrid", "hybrid verbnet-cn embedded"):
        store = Store(tmp_path / f"{models}.sqlite", TABLES)
        for model in models.split():
            scorer = DocumentScorer(Pipeline(model))
            expected = scorer.score(pairs)
            scorer.pipeline.remember(100, store)
            assert scorer.score(pairs) == pytest.approx(expected, abs=1e-6)
        store.close()
