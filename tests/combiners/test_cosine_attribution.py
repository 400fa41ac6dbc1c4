"""The pairs of words that a cosine is the sum of."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.explanations import CosineParts, Explanation, Term

ONE, OTHER = "The dog chased the cat.", "Two cats ran away from it!"
LONG = "The goat " + "slowly and quietly " * 3333 + "ate a hat."
PAIRS = {
    "two sentences": (ONE, OTHER),
    "identical": (ONE, ONE),
    "one word": ("kettle", "Kettles"),
    "one mark": (".", ONE),
    "no English": ("שלום עולם", "한국 사람"),
    "odd characters": ("\x00a\u200b cannot\u00ad 🐶🏽", "Zoë’s <b>naïve</b> \ufeff&amp; re-do…"),
    "long words": ("x" * 300, "antidisestablishmentarianism"),
    "cut": (LONG, ONE),
    "unlike": ("The stock market fell sharply on Monday.", "A chef is cooking pasta."),
}


def line_of(explanation: Explanation) -> float:
    """What the line of the whole sentence shows."""
    (found,) = [m.similarity for m in explanation.matches if m.term == Term.SENTENCE]
    return found


def parts_of(explanation: Explanation) -> CosineParts:
    assert explanation.cosine_parts is not None
    return explanation.cosine_parts


@pytest.mark.parametrize("model", ["hybrid", "embedded"])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_parts_add_up_to_the_line(
    model: str, pair: tuple[str, str], encoder: EmbeddedEncoder
) -> None:
    nlp = Pipeline(model, encoder=encoder)
    explanation, back = nlp.explain(*pair), nlp.explain(*pair[::-1])
    parts = parts_of(explanation)
    assert parts.table.shape == (len(parts.words1) + 1, len(parts.words2) + 1)
    data = explanation.to_dict()["cosine_parts"]
    assert (tuple(data["words1"]), np.shape(data["table"])) == (parts.words1, parts.table.shape)
    assert parts.cosine == pytest.approx(line_of(explanation), abs=1e-6)
    assert explanation.score == nlp.similarity(*pair)
    assert parts_of(back).words1 == parts.words2
    np.testing.assert_array_equal(parts_of(back).table, parts.table.T)


def test_words_are_those_of_the_tree(nlp: Pipeline) -> None:
    text = "Zoë can't unpack antidisestablishmentarianism."
    parts = parts_of(nlp.explain(text, "kettle"))
    assert parts.words1 == ("Zoë", "ca", "n't", "unpack", "antidisestablishmentarianism", ".")
    assert parts.words2 == ("kettle",)
    assert parts_of(Pipeline("embedded").explain(text, "kettle")).words1 == parts.words1


def test_a_text_that_is_cut_has_the_words_that_were_read(nlp: Pipeline) -> None:
    parts = parts_of(nlp.explain(LONG, ONE))
    assert parts.words1[:3] == ("The", "goat", "slowly")
    assert 200 < len(parts.words1) <= 254
    assert "hat" not in parts.words1


def test_the_same_word_carries_most(nlp: Pipeline) -> None:
    parts = parts_of(nlp.explain("A man is playing a guitar.", "Someone has an old guitar."))
    first, second = parts.largest(2)
    assert first[:2] == ("guitar", "guitar")
    assert first.part == parts.table[5, 4] > second.part
    assert parts.largest(99)[-1].part == parts.table[:-1, :-1].min()


def test_the_largest_parts_have_the_sign_of_the_cosine() -> None:
    parts = CosineParts(("a", "b"), ("c",), np.array([[0.1, 0.0], [-0.3, -0.9], [0.0, 0.2]]))
    assert parts.cosine == pytest.approx(-0.9)
    assert parts.largest() == [("b", "c", -0.3), ("a", "c", 0.1)]


def test_many_pairs_as_one_by_one(nlp: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{ONE[:-1]} {number} times." for number in range(7)]
    pairs = [(one, other) for one in texts[:4] for other in texts[3:]]
    whole = nlp.explain(pairs)
    monkeypatch.setattr("hybridsem.reader.reader.SENTENCES_OPENED", 3)
    for pair, one, few in zip(pairs, whole, nlp.explain(pairs), strict=True):
        assert (one.sentence1, one.sentence2) == (few.sentence1, few.sentence2) == pair
        assert one.score == pytest.approx(few.score, abs=1e-6)
        np.testing.assert_allclose(parts_of(one).table, parts_of(few).table, atol=1e-6)


def test_remembered_sentences_have_parts(encoder: EmbeddedEncoder) -> None:
    nlp = Pipeline(encoder=encoder)
    fresh = nlp.explain(ONE, OTHER)
    nlp.remember(9)
    for _ in range(2):
        again = nlp.explain(ONE, OTHER)
        assert again == fresh
        np.testing.assert_allclose(parts_of(again).table, parts_of(fresh).table, atol=1e-6)


def counts(text: str) -> Float32Array:
    """A row for each character, with a column for each letter."""
    return (np.array([[ord(letter) - 97] for letter in text]) == np.arange(26)).astype("f4")


class Letters:
    """An encoder that counts letters."""

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        return np.array([counts(text).sum(0) for text in sentences], np.float32)


class Declines(Letters):
    """An encoder that splits no vectors, as that of another model."""

    def split(self, sentences: Sequence[str]) -> list[SplitVector] | None:
        return None


class Splits(Letters):
    """An encoder that splits its vectors."""

    def split(self, sentences: Sequence[str]) -> list[SplitVector]:
        return [
            SplitVector(
                vector,
                counts(text),
                np.zeros(26, np.float32),
                [(at, at + 1) for at in range(len(text))],
            )
            for text, vector in zip(sentences, self.encode(sentences), strict=True)
        ]


def test_any_encoder_that_splits_its_vectors() -> None:
    parts = parts_of(Pipeline("embedded", encoder=Splits()).explain("aa b", "a cc"))
    assert (parts.words1, parts.words2) == (("aa", "b"), ("a", "cc"))
    np.testing.assert_allclose(parts.table, [[0.4, 0, 0], [0, 0, 0], [0, 0, 0]], atol=1e-6)


@pytest.mark.parametrize("encoder", [Declines(), Letters()], ids=["declines", "lacks it"])
def test_an_encoder_that_cannot_split_has_no_parts(encoder: Any) -> None:
    explanation = Pipeline("embedded", encoder=encoder).explain("aa b", "a cc")
    assert explanation.cosine_parts is None
    assert line_of(explanation) == pytest.approx(0.4)
    assert explanation.to_dict()["cosine_parts"] is None
