"""Compositions of word vectors against the definitions, worked out the long way."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.generated import sentences

from hybridsem import registry
from hybridsem._typing import Float32Array
from hybridsem.embeddings import arithmetic
from hybridsem.embeddings.arithmetic import (
    DCT,
    SIF,
    CircularConvolution,
    Mean,
    PowerMeans,
    Product,
    TensorProduct,
    word_frequencies,
    words_of,
)
from hybridsem.errors import InputError, UnknownNameError

D = 6


class Words:
    """A vector for every word but those that begin with z."""

    def embed(self, words: Sequence[str]) -> Float32Array:
        rows = [
            np.zeros(D)
            if word.startswith("z")
            else np.random.default_rng(list(word.encode())).normal(size=D)
            for word in words
        ]
        return np.array(rows, np.float32).reshape(len(words), D)


TEXT = "Red owls hunt zebras at night"
# Zebras have no vector.
ROWS = Words().embed(["red", "owls", "hunt", "at", "night"]).astype(np.float64)


def unit(row: Any) -> Any:
    return row / np.linalg.norm(row)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The owl, unseen, didn't move.", "the owl unseen did n't move"),
        ("Ann’s owl’ll sleep; I'm awake", "ann 's owl 'll sleep i 'm awake"),
        (
            "U.S. e-mail cost $3.50 at AT&T (rock'n'roll)",
            "u.s e-mail cost 3.50 at at&t rock'n'roll",
        ),
        ("Ça va, Zoë? 犬 \x00 ...", "ça va zoë 犬"),
        ("I ate 🍕🍔 👩🏽\u200d🚀, x → y ♥", "i ate 🍕 🍔 👩🏽\u200d🚀 x y"),
        ("?!", ""),
    ],
)
def test_words_of_a_sentence(text: str, words: str) -> None:
    assert words_of(text) == words.split()


def test_content_words() -> None:
    cases = {"It was not the owl's wing that we saw": "owl wing saw", "Who are you?": "who are you"}
    for text, words in {**cases, "...": ""}.items():
        assert words_of(text, content_only=True) == words.split()


def by_definition_convolution(rows: Any) -> Any:
    result = rows[0]
    for row in rows[1:]:
        result = [sum(result[j] * row[(i - j) % D] for j in range(D)) for i in range(D)]
    return np.array(result)


def by_definition_dct(rows: Any, k: int) -> Any:
    n = len(rows)
    scale = math.sqrt((2 if k else 1) / n)
    return scale * sum(row * math.cos(math.pi / n * (i + 0.5) * k) for i, row in enumerate(rows))


def test_mean_product_and_convolution() -> None:
    words = Words()
    np.testing.assert_allclose(Mean(words).encode([TEXT])[0], ROWS.mean(axis=0), rtol=1e-5)
    np.testing.assert_allclose(
        unit(Product(words).encode([TEXT])[0]), unit(ROWS.prod(axis=0)), atol=1e-5
    )
    found = CircularConvolution(words).encode([TEXT])[0]
    np.testing.assert_allclose(unit(found), unit(by_definition_convolution(ROWS)), atol=1e-5)


def test_power_means() -> None:
    found = (
        PowerMeans(Words(), powers=(-math.inf, 1, 2, 3, math.inf)).encode([TEXT])[0].reshape(5, D)
    )
    cubes = (ROWS**3).mean(axis=0)
    expected = [
        ROWS.min(axis=0),
        ROWS.mean(axis=0),
        np.sqrt((ROWS**2).mean(axis=0)),
        np.cbrt(cubes),
        ROWS.max(axis=0),
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    assert np.isfinite(PowerMeans(Words(), powers=(1001,)).encode([TEXT])).all()


@pytest.mark.parametrize("k", range(7))
def test_cosine_transform(k: int) -> None:
    padded = np.concatenate([ROWS, np.zeros((max(0, k + 1 - len(ROWS)), D))])
    found = DCT(Words(), k=k).encode([TEXT])[0].reshape(k + 1, D)
    np.testing.assert_allclose(
        found, [by_definition_dct(padded, i) for i in range(k + 1)], atol=1e-5
    )
    if k == 0:
        np.testing.assert_allclose(unit(found[0]), unit(ROWS.mean(axis=0)), atol=1e-5)


def test_smooth_inverse_frequency(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"at": 60, "night": 30, "owls": 10}
    monkeypatch.setattr(arithmetic, "word_frequencies", lambda: (counts, sum(counts.values())))
    encoder = SIF(Words(), a=0.1)
    weights = np.array([1, 0.1 / 0.2, 1, 0.1 / 0.7, 0.1 / 0.4])  # red, owls, hunt, at, night
    plain = weights @ ROWS / 5
    np.testing.assert_allclose(encoder.encode([TEXT])[0], plain, rtol=1e-5)
    assert not encoder.fitted
    corpus = [TEXT, "moles dig", "at night moles dig red holes"]
    rows = encoder.encode(corpus).astype(np.float64)
    assert encoder.fit(corpus) is encoder
    common = np.linalg.svd(rows)[2][0]
    np.testing.assert_allclose(
        encoder.encode([TEXT])[0], plain - (plain @ common) * common, atol=1e-5
    )
    assert abs(encoder.encode(corpus) @ common).max() < 1e-5
    again = encoder.component_
    np.testing.assert_array_equal(encoder.fit(corpus).component_, again)
    assert encoder.fitted
    with pytest.raises(InputError, match="needs sentences with known words"):
        encoder.fit(["zzz"])


def test_the_frequencies_that_ship() -> None:
    counts, total = word_frequencies()
    assert counts["the"] == 9067
    assert total == sum(counts.values()) == 180_286


# The tensor product.


def test_the_tensor_product_as_if_it_were_made() -> None:
    tensor = TensorProduct(Words())
    first, second = (
        Words().embed(text.split()).astype(float) for text in ("red owls hunt", "old moles dig")
    )
    a, b = (np.einsum("i,j,k->ijk", *rows).ravel() for rows in (first, second))
    found = tensor.similarities(
        [("Red owls hunt", "old moles dig"), ("red owls hunt", "red owls"), ("zzz", "red")]
    )
    assert found.tolist() == [pytest.approx(unit(a) @ unit(b)), 0, 0]
    assert tensor.similarities([("zzz", "zzz")]).tolist() == [1]
    assert len(tensor.similarities([])) == 0


# What holds for all.

ENCODERS = {
    "mean": Mean,
    "mult": Product,
    "conv": CircularConvolution,
    "power": PowerMeans,
    "dct": DCT,
    "sif": SIF,
}


@pytest.mark.parametrize("name", ENCODERS)
def test_no_words_and_no_sentences(name: str) -> None:
    encoder = ENCODERS[name](Words())
    rows = encoder.encode(["zzz", "...", "owl"])
    assert rows.dtype == np.float32
    assert rows.any(axis=1).tolist() == [False, False, True]
    assert encoder.encode([]).shape == (0, rows.shape[1])
    with pytest.raises(InputError, match="sentence 1: the text is empty"):
        encoder.encode(["owl", " "])


@pytest.mark.parametrize("name", ENCODERS)
@settings(max_examples=20)
@given(st.lists(sentences(), min_size=1, max_size=5))
def test_a_vector_does_not_depend_on_its_batch(name: str, texts: list[str]) -> None:
    encoder = ENCODERS[name](Words())
    rows = encoder.encode(texts)
    np.testing.assert_array_equal(rows, np.concatenate([encoder.encode([text]) for text in texts]))
    assert np.isfinite(rows).all()


@pytest.mark.parametrize("name", ["mult", "conv"])
def test_a_long_sentence_neither_vanishes_nor_overflows(name: str) -> None:
    rows = ENCODERS[name](Words()).encode([" ".join(f"owl{n}" for n in range(2000)), "owl " * 2000])
    assert np.isfinite(rows).all()
    assert rows.any(axis=1).all()


# By name.


def test_options_in_a_name(tmp_path: Path) -> None:
    words = Words()
    assert registry.encoder("dct:k=2,words=content", None, words).encode([TEXT]).shape == (1, 3 * D)
    assert registry.encoder("power:powers=-inf/1/3/inf", None, words).encode([TEXT]).shape == (
        1,
        4 * D,
    )
    assert registry.encoder("sif:a=0.01", None, words).a == 0.01
    (tmp_path / "corpus.txt").write_text("red owls hunt\n\nmoles dig\n", encoding="utf-8")
    fitted = registry.encoder(f"sif:fit={tmp_path / 'corpus.txt'}", None, words)
    np.testing.assert_array_equal(
        fitted.component_, SIF(words).fit(["red owls hunt", "moles dig"]).component_
    )


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("dct:k=-1", InputError, "k is the highest coefficient, .* got -1"),
        ("dct:k=two", InputError, "the option k must be a number, got 'two'"),
        ("dct:m=2", UnknownNameError, "unknown option, got 'm'. Known: k, words"),
        ("mean:stop", InputError, "mean takes options only, got 'stop'"),
        ("mean:words=few", InputError, "words= is 'all' or 'content', got 'few'"),
        ("power:powers=0", InputError, "integers from 1 on"),
        ("power:powers=nan", InputError, "integers from 1 on"),
        ("sif:a=0", InputError, "a must be a positive number"),
        ("sif:fit=absent.txt", InputError, "cannot read the file, got 'absent.txt': No such file"),
    ],
)
def test_names_that_are_wrong(name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        registry.encoder(name, None, Words())
