"""Mining and clusters: what scoring all pairs would find."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from support.generated import some_sentences
from support.parsers import FailsOnRain

from hybridsem import Pipeline
from hybridsem.errors import InputError, ParseError
from hybridsem.search import close_pairs, mining
from hybridsem.search.mining import Match, communities

TEXTS = [
    "The dog chased the cat.",
    "The cat chased the dog.",
    "The cat was chased by the dog.",
    "It rains.",
    "The dog chased the cat.",
    *some_sentences(20),
]


def scored(nlp: Pipeline, pairs: list[tuple[int, int]], threshold: float) -> list[Match]:
    texts = [(TEXTS[one], TEXTS[two]) for one, two in pairs]
    scores = nlp.without_pair_reader().score(texts).tolist()
    return [
        Match(score, *pair) for pair, score in zip(pairs, scores, strict=True) if score >= threshold
    ]


@pytest.mark.parametrize("model", ["hybrid", "hybrid-0.1", "embedded", "verbnet-cn"])
def test_all_pairs_above_the_threshold_are_found(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(close_pairs, "ROWS", 7)
    monkeypatch.setattr(close_pairs, "COLUMNS", 4)
    monkeypatch.setattr(mining, "PAIRS", 5)
    nlp = Pipeline(model)
    nlp.remember(100)
    pairs = list(combinations(range(len(TEXTS)), 2))
    for threshold in (0.9, 0.6, 0.3):
        expected = scored(nlp, pairs, threshold)
        assert list(nlp.mine(TEXTS, threshold=threshold)) == expected
        assert any(match[1:] == (0, 4) for match in expected)
    half = len(TEXTS) // 2
    expected = scored(nlp, list(product(range(half), range(half, len(TEXTS)))), 0.6)
    found = nlp.mine(TEXTS[:half], TEXTS[half:], threshold=0.6)
    assert [Match(score, one, two + half) for score, one, two in found] == expected


@pytest.mark.parametrize("few", [0, 1])
def test_short_rows_lose_no_pair(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(close_pairs, "COLUMNS", 50)
    monkeypatch.setattr(close_pairs, "HELD", 20)
    monkeypatch.setattr(close_pairs, "FEW", few)
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(30, 3 * close_pairs.SHORT))
    vectors = (centres[rng.integers(30, size=400)] + rng.normal(size=(400, 192))).astype("f4")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T
    for least in (0.2, 0.5, 0.6):
        expected = np.argwhere(np.triu(cosines >= least, 1))
        blocks = list(close_pairs.close(vectors, None, least))
        assert np.concatenate([block.pairs for block in blocks]).tolist() == expected.tolist()
        assert sum(map(len, blocks)) == len(vectors)
        assert all(len(block.pairs) <= 20 or len(block.rows) == 1 for block in blocks)
        across = close_pairs.close(vectors[:150], vectors[150:], least)
        found = np.concatenate([block.pairs for block in across])
        assert found.tolist() == np.argwhere(cosines[:150, 150:] >= least).tolist()


def test_the_best_of_each(nlp: Pipeline) -> None:
    every = list(nlp.mine(TEXTS, threshold=0.5))
    for top_k in (1, 2, 50):
        best = set()
        for number in range(len(TEXTS)):
            own = [match for match in every if number in match[1:]]
            best.update(sorted(own, key=lambda match: -match.score)[:top_k])
        found = list(nlp.mine(TEXTS, threshold=0.5, top_k=top_k))
        assert found == [match for match in every if match in best]
    across = list(nlp.mine(TEXTS[:4], TEXTS[4:], threshold=0.3))
    found = list(nlp.mine(TEXTS[:4], TEXTS[4:], threshold=0.3, top_k=1))
    assert [match.first for match in found] == sorted({match.first for match in across})
    assert all(
        match.score == max(other.score for other in across if other.first == match.first)
        for match in found
    )


def test_what_is_no_sentence(nlp: Pipeline) -> None:
    for none in (nlp.mine([]), nlp.mine(["It rains."]), nlp.mine([], TEXTS), nlp.cluster([])):
        assert list(none) == []
    with pytest.raises(InputError, match="sentence 1: the text is empty"):
        nlp.mine(["It rains.", " "])  # at once, not when the first pair is asked for
    with pytest.raises(InputError, match="other 0: the text is empty"):
        nlp.mine(["It rains."], [""])
    found = list(nlp.mine([" ", "It rains.", "", "It rains."], on_error="skip"))
    assert found == [Match(1.0, 1, 3)]
    assert nlp.cluster([" ", "It rains.", "", "It rains."], on_error="skip") == [[1, 3]]
    failing = Pipeline(parser=FailsOnRain())
    with pytest.raises(ParseError, match="sentences 0 and 1: .*it rains"):
        list(failing.mine(["It rains.", "It rains.", "It snows."]))
    assert list(failing.mine(["It rains.", "It rains."], on_error="skip")) == []


@pytest.mark.parametrize(
    "wrong", [{"threshold": 1.5}, {"threshold": "1"}, {"top_k": 0}, {"on_error": "ignore"}]
)
def test_wrong_arguments(nlp: Pipeline, wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        nlp.mine(TEXTS, **wrong)
    with pytest.raises(InputError):
        nlp.mine("It rains.")


def test_communities_are_those_of_sentence_transformers() -> None:
    util = pytest.importorskip("sentence_transformers").util
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(9, 16))
    vectors = (centres[rng.integers(9, size=120)] + rng.normal(size=(120, 16)) * 0.3).astype("f4")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T
    pairs = np.argwhere(np.triu(cosines >= 0.75, 1))
    theirs = util.community_detection(vectors, threshold=0.75, min_community_size=3)
    ours = communities(120, pairs, cosines[pairs[:, 0], pairs[:, 1]].astype(float), 3)
    assert len(ours) > 5
    assert ours == theirs
