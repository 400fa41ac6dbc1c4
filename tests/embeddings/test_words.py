"""Word vectors: the embedded ones, and what a role's phrase becomes."""

import numpy as np
import pytest
from support.evaluated import part

from hybridsem._typing import Float32Array
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.embeddings.words import EmbeddedWords, filler_vectors, word_centre
from hybridsem.errors import InputError

TABLE = {"north": (0.0, 2.0), "east": (6.0, 0.0), "west": (-6.0, 0.0)}


def test_a_filler_is_the_mean_of_its_words_at_unit_length() -> None:
    table = part(embed=lambda words: np.array([TABLE.get(w, (0, 0)) for w in words], np.float32))
    rows = filler_vectors(
        table,
        [("north",), ("north", "east"), ("east", "nowhere"), ("nowhere",), ("east", "west"), ()],
    )
    assert rows.dtype == np.float32
    expected = [(0, 1), (6 / 40**0.5, 2 / 40**0.5), (1, 0), (0, 0), (0, 0), (0, 0)]
    np.testing.assert_allclose(rows, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.ones(2), r"have shape \(2,\)"),
        (np.array([[1.0], [np.nan]]), "the word vector of 'east' is not finite"),
    ],
)
def test_what_is_given_must_be_a_finite_row_a_word(rows: Float32Array, message: str) -> None:
    with pytest.raises(InputError, match=message):
        filler_vectors(part(embed=lambda words: rows), [("north", "east")])


def test_embedded_words(encoder: EmbeddedEncoder) -> None:
    rows = EmbeddedWords(encoder).embed(["dog", "Dog", "puppy", "theorem", "zzyzx", " "])
    assert (rows.shape, rows.dtype) == ((6, encoder.dimension), np.float32)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 1, 1, 1, 1, 0], atol=1e-6)
    cosines = rows @ rows[0]
    assert cosines[1] == pytest.approx(1, abs=1e-6)
    assert cosines[2] > 0.5 > cosines[3]


def test_the_table_holds_what_the_encoder_gives(encoder: EmbeddedEncoder) -> None:
    words = ["dog", "buy", "green", "london", "1999", "zero"]
    centred = encoder.encode(words) - word_centre()
    found = EmbeddedWords(encoder).embed([word.upper() for word in words])
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    assert ((found * normalised(centred)).sum(axis=1) > 0.9999).all()
    assert np.array_equal(found[:1], EmbeddedWords(encoder).embed(["dog", "dogged"])[:1])
