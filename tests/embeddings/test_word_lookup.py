"""Looking words up: spelling, lemmas, phrases, parts; what is not found is said with the score."""

from collections.abc import Sequence

import numpy as np
import pytest
import spacy
from gensim.models import FastText, KeyedVectors

from hybridsem import Pipeline, registry
from hybridsem._typing import Float32Array
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.word_lookup import TableWords
from hybridsem.embeddings.words import Coverage, WordVectors, coverage
from hybridsem.errors import InputError

TEXT = (
    "new_york new york hot_dog hot dog pick_up mouse go well known state-of-the-art #### # US us "
    "fast the e-mail mail Bonn Rio_Grande"
)
WORDS = tuple(TEXT.split())


class Table:
    """A table whose row i is the i-th unit vector."""

    dimension = len(WORDS)

    def find(self, word: str) -> int | None:
        return WORDS.index(word) if word in WORDS else None

    def rows(self, indices: Sequence[int]) -> Float32Array:
        return np.eye(len(WORDS), dtype=np.float32)[list(indices)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dog", "dog"),
        ("US", "US"),  # as it is written before lower case
        ("Us", "us"),
        ("the rio grande", "Rio_Grande"),
        (" new  york ", "new_york"),
        ("to pick up", "pick_up"),
        ("the", "the"),
        ("7", "#"),
        ("went", "go"),
        ("faster", "fast"),
        ("picked up", "pick_up"),
        ("e-mails", "e-mail"),
        ("new dog", "new dog"),  # the mean of both
        ("well-zzyzx", "well"),
        ("zzyzx", ""),
        ("-", ""),
        ("dog\x00", ""),
        ("\ud800", ""),
    ],
)
def test_where_a_word_is_found(text: str, expected: str) -> None:
    [row] = TableWords(Table()).embed([text])
    parts = expected.split(" ") if expected else []
    assert {WORDS[i]: row[i] for i in np.flatnonzero(row)} == pytest.approx(
        dict.fromkeys(parts, 1 / (len(parts) or 1))
    )


def test_what_is_covered() -> None:
    words = TableWords(Table())
    assert isinstance(words, WordVectors)
    asked = ["dog", "zzyzx", "new zzyzx", "New York", "well-known", "well-zzyzx", ""]
    assert words.covers(asked) == [True, False, False, True, True, False, False]
    found = coverage(words, [("new", "york"), ("new", "zzyzx"), (), ("zzyzx", "zzyzx")])
    assert found == [
        Coverage(2),
        Coverage(2, ("zzyzx",)),
        Coverage(),
        Coverage(2, ("zzyzx", "zzyzx")),
    ]
    assert [one.share for one in found] == [1, 0.5, 1, 0]
    assert sum(found[1:], found[0]).notes == ("no vector for 'zzyzx': 3 of 6 words have one",)
    assert found[0].notes == ()


def test_gensims_vectors_as_an_object() -> None:
    own = KeyedVectors(2)
    own.add_vectors(["dog", "hot_dog"], np.array([(1, 2), (3, 4)], np.float32))
    np.testing.assert_array_equal(
        registry.vectors(own, None).embed(["Hot dogs", "cat"]), [[3, 4], [0, 0]]
    )


def test_gensims_fasttext_vectors_know_parts_of_words() -> None:
    own = FastText([["moles", "dig"]], vector_size=3, min_count=1, workers=1, min_n=3, seed=1).wv
    words = registry.vectors(own, None)
    np.testing.assert_array_equal(
        words.embed(["moles", "molehill"]), [own["moles"], own["molehill"]]
    )
    assert coverage(words, [("molehill", "\ud800")])[0].unknown == ("\ud800",)


def test_the_vectors_of_a_spacy_pipeline(tmp_path: object) -> None:
    nlp = spacy.blank("en")
    with pytest.raises(InputError, match="the spaCy pipeline en_pipeline has no word vectors"):
        registry.vectors(nlp, None)
    for word, row in (("dog", (1, 2)), ("Bonn", (3, 4))):
        nlp.vocab.set_vector(word, np.array(row, np.float32))
    asked, expected = ["Dogs", "Bonn", "cat", "\ud800"], [[1, 2], [3, 4], [0, 0], [0, 0]]
    np.testing.assert_array_equal(registry.vectors(nlp, None).embed(asked), expected)
    nlp.to_disk(str(tmp_path))
    np.testing.assert_array_equal(
        registry.vectors(f"spacy:{tmp_path}", None).embed(asked), expected
    )


# With a score.


@pytest.mark.parametrize("model", ["verbnet-cn", "dependency-cn", "hybrid", "mean-cn", "tensor-cn"])
def test_the_coverage_of_a_score_is_in_its_explanation(
    model: str, encoder: EmbeddedEncoder
) -> None:
    class Dogless:
        def embed(self, words: Sequence[str]) -> Float32Array:
            return np.array(
                [[0, 0] if word == "dog" else [1, len(word)] for word in words], np.float32
            )

    nlp = Pipeline(model, vectors=Dogless(), encoder=None if "mean" in model else encoder)
    found = nlp.explain("The dog chased cats.", "Mice chased cats.")
    assert found.details["coverage"] == pytest.approx(5 / 6)
    assert found.notes == ("no vector for 'dog': 5 of 6 words have one",)
    assert sum(match.contribution for match in found.matches) == pytest.approx(found.score)
    assert nlp.explain("Mice chased cats.", "Mice ate cats.").details["coverage"] == 1
    assert nlp.similarity("The dog.", "The dog.") == 1  # words without vector are like themselves


def test_the_order_and_the_company_of_words_do_not_matter() -> None:
    words = ["hot dogs", "zzyzx", "well-known dog", "Us", "hot dogs"]
    rows = TableWords(Table()).embed(words)
    alone = [TableWords(Table()).embed([word]) for word in words]
    np.testing.assert_array_equal(rows, np.concatenate(alone))
    assert TableWords(Table()).embed([]).shape == (0, len(WORDS))
