"""String metrics against the usual packages and by hand."""

import base64
import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi, BM25Plus
from rapidfuzz import fuzz
from rouge_score.rouge_scorer import RougeScorer
from support.evaluated import part

from hybridsem import Pipeline, assets
from hybridsem._utils.validation import problem
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import AssetError, InputError, MissingExtraError, UnknownNameError
from hybridsem.strings import METRICS, Bm25Index, OkapiOfTexts, Tokens, counts
from hybridsem.tokenisers import Tokeniser, tokeniser

pytestmark = pytest.mark.usefixtures("cache")

WORDPIECE = tokeniser("wordpiece")
ENCODER = EmbeddedEncoder()
TEXTS = [
    "The dog chased the cat.",
    "The cat chased the dog.",
    "dog",
    "Dog!",
    "It rains, it rains; it RAINS.",
    "Ein größerer Hund lief über die Straße. 犬が走った",
    "\ufffd",
    "\u2764\ufe0f",
    "the the the the the",
]


def words_of(text: str) -> list[str]:
    return [str(token) for token in WORDPIECE([text])[0]]


def of_each(reader: Tokeniser, texts: list[str]) -> list[list[int]]:
    """Return the tokens of each text."""
    ids, starts = reader(texts)
    return [one.tolist() for one in np.split(ids, starts)[1:-1]]


ROUGE = RougeScorer(["rouge1", "rouge2"], tokenizer=part(tokenize=words_of))


def by_the_packages(name: str, one: str, two: str) -> float:
    first, second = words_of(one), words_of(two)
    if name == "levenshtein":
        return fuzz.ratio(one, two) / 100
    if not first and not second:
        return 1.0
    if name == "jaccard":
        return len(set(first) & set(second)) / len(set(first) | set(second))
    if name == "rouge":
        found = ROUGE.score(one, two)
        if len(first) < 2 and len(second) < 2:
            return float(found["rouge1"].fmeasure)
        return float((found["rouge1"].fmeasure + found["rouge2"].fmeasure) / 2)

    def score(query: list[str], document: list[str]) -> float:
        return float(BM25Plus([document]).get_scores(query)[0]) if document else 0.0

    return (score(first, second) + score(second, first)) / (
        score(first, first) + score(second, second)
    )


texts = st.text(alphabet="ab c,é", min_size=1, max_size=25).filter(
    lambda text: problem(text) is None
)


@given(one=texts, two=texts)
@pytest.mark.parametrize("name", METRICS)
def test_as_the_packages_have_it(name: str, one: str, two: str) -> None:
    metric = METRICS[name]([one, two], "wordpiece")
    found = metric.pairs([0, 1, 0, 1], [1, 0, 0, 1])
    assert found[0] == pytest.approx(by_the_packages(name, one, two), abs=1e-12)
    assert found[0] == found[1]
    assert found[2] == found[3] == 1
    assert 0 <= found[0] <= 1


@pytest.mark.parametrize("name", METRICS)
def test_pairs_and_blocks_agree(name: str) -> None:
    metric = METRICS[name](TEXTS, "wordpiece")
    places = np.arange(len(TEXTS))
    block = metric.block(places, places)
    expected = [[by_the_packages(name, one, two) for two in TEXTS] for one in TEXTS]
    np.testing.assert_allclose(block, expected, atol=1e-12)
    np.testing.assert_array_equal(block, block.T)
    first, second = (axis.ravel() for axis in np.indices(block.shape))
    np.testing.assert_allclose(metric.pairs(first, second), block.ravel(), atol=1e-12)
    np.testing.assert_array_equal(metric.block([1, 0], [2]), block[[1, 0]][:, [2]])
    assert metric.pairs([], []).shape == (0,)
    alone = METRICS[name]([TEXTS[4], TEXTS[0]], "wordpiece")
    assert alone.pairs([1], [0])[0] == metric.pairs([0], [4])[0], "whatever else is compared"


@pytest.mark.parametrize("name", METRICS)
def test_as_models(name: str) -> None:
    nlp = Pipeline(name)
    pairs = [(one, two) for one in TEXTS for two in TEXTS]
    np.testing.assert_array_equal(nlp.score(pairs), [nlp.similarity(*pair) for pair in pairs])
    for explanation in nlp.explain(pairs):
        assert explanation.score == pytest.approx(
            sum(match.contribution for match in explanation.matches)
        )
        for match in explanation.matches:
            assert match.contribution == match.weight * match.similarity
    explanation = nlp.explain(TEXTS[0], TEXTS[1])
    assert str(explanation).splitlines()[1].startswith(f"{explanation.score:.4f} ({name})")
    assert nlp.explain([]) == []
    with pytest.raises(InputError, match=f"normalise= is for models .* roles, and '{name}' does"):
        Pipeline(name, normalise="total")
    with pytest.raises(InputError, match="sentence 1: the text is empty"):
        nlp.similarity("", "a")
    with pytest.raises(InputError, match=f"{name} gives no sentence vectors"):
        nlp.encode(["a"])


def test_lines_say_what_was_counted() -> None:
    lines = [
        (match.term, match.filler1) for match in Pipeline("rouge").explain(TEXTS[0], "dog").matches
    ]
    assert lines == [("ROUGE-1", "6 wordpiece tokens"), ("ROUGE-2", "5 pairs of them")]
    [line] = Pipeline("levenshtein").explain("dog", "dogs").matches
    assert (line.term, line.filler1, line.filler2) == ("characters", "3 characters", "4 characters")


@given(st.lists(texts, min_size=1, max_size=6), st.lists(texts, min_size=1, max_size=3))
def test_the_index_as_rank_bm25_has_it(documents: list[str], queries: list[str]) -> None:
    table = counts(Tokens.of([*documents, *queries], "wordpiece"))
    found = Bm25Index(table[: len(documents)]).scores(table[len(documents) :])
    reference = BM25Plus([words_of(document) for document in documents])
    expected = [reference.get_scores(words_of(query)) for query in queries]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@given(st.lists(texts, min_size=2, max_size=8))
def test_okapi_as_rank_bm25_has_it(documents: list[str]) -> None:
    reference = BM25Okapi([words_of(document) for document in documents])
    there = np.array([reference.get_scores(words_of(query)) for query in documents])
    metric = OkapiOfTexts(documents, "wordpiece")
    rows = np.arange(len(documents))
    np.testing.assert_allclose(metric.block(rows, rows), (there + there.T) / 2, atol=1e-12)
    np.testing.assert_array_equal(
        metric.block(rows[:1], rows[1:]), metric.block(rows, rows)[:1, 1:]
    )


def test_ngrams_stay_within_their_texts() -> None:
    tokens = Tokens(np.array([1, 0, 1, 0, 1, 1, 0]), np.array([0, 4, 4, 5, 7]), "none")
    assert counts(tokens, 1).toarray().tolist() == [[2, 2], [0, 0], [0, 1], [1, 1]]
    assert counts(tokens, 2).toarray().tolist() == [[0, 1, 2, 0], [0] * 4, [0] * 4, [0, 0, 1, 0]]
    assert counts(tokens, 3).sum(axis=1).tolist() == [2, 0, 0, 0]
    for n in (0, 63):
        with pytest.raises(InputError, match=f"fewer than 2\\*\\*63 of 2 tokens; got n = {n}"):
            counts(tokens, n)


@given(
    st.lists(
        st.text(max_size=40).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)),
        max_size=3,
    )
)
def test_word_pieces_are_those_of_the_encoder(given_texts: list[str]) -> None:
    """Batches with cached words equal single texts by the library."""
    given_texts = [
        *given_texts,
        "I'm at 3.5 o'clock_now\tre-reading\r\nit~",
        "a\fb\x1cc d\x85e\u2028f",
        "x" * 200,
        "naïve café\x07 \x7f",
        "",
        "sixteen letters: abcdefghijklmnop, seventeen: abcdefghijklmnopq",
    ]
    expected = [encoding.ids[1:-1] for encoding in ENCODER._encodings(given_texts)]
    assert of_each(WORDPIECE, given_texts) == expected


@pytest.fixture
def cl100k(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small file of byte pairs in place of the download, with " d", " do", " dog"."""
    pairs = [bytes([byte]) for byte in range(256)] + [b" d", b" do", b" dog"]
    content = b"".join(
        base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(pairs)
    )
    known = assets.asset("tiktoken-cl100k")
    small = replace(known, sha256=hashlib.sha256(content).hexdigest(), size=len(content))
    monkeypatch.setattr(assets, "assets", lambda: {known.name: small})
    (tmp_path / "x").write_bytes(content)
    return tmp_path / "x"


def test_tokens_of_openai_where_they_are_at_hand(
    cl100k: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tokeniser().name == "wordpiece"
    with pytest.raises(AssetError, match="run: hybridsem models download tiktoken-cl100k"):
        tokeniser("cl100k")
    assets.download("tiktoken-cl100k", source=cl100k)
    assert tokeniser().name == "cl100k"
    assert tokeniser("wordpiece").name == "wordpiece"
    assert of_each(tokeniser(), ["a dog", "<|endoftext|>", "é"]) == [
        [ord("a"), 258],
        list(b"<|endoftext|>"),
        list("é".encode()),
    ]
    [line] = Pipeline("jaccard").explain("a dog", "b dog").matches
    assert (line.filler1, line.similarity) == ("2 distinct cl100k tokens", 1 / 3)
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    assert tokeniser().name == "wordpiece"


def test_what_is_missing_or_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownNameError, match="got 'wordpieces'. Did you mean 'wordpiece'"):
        tokeniser("wordpieces")
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(MissingExtraError, match=r"run: pip install 'hybridsem\[metrics\]'"):
        Pipeline("levenshtein").similarity("a", "b")
