"""Sentence vectors by arithmetic on word vectors: the classical compositions.

    sentence --words_of--> words --WordVectors--> (k, d) --a formula--> one vector

Words without a vector are left out; a sentence without any known word is a row of zeros. With
``content_only`` stop words are left out too, unless the sentence has no other words.
:class:`TensorProduct` gives similarities, not vectors.

Mean, product and circular convolution are the arithmetic models of Fodor, De Deyne & Suzuki 2024
(there over ConceptNet Numberbatch, content words only).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Self

import numpy as np

from hybridsem._typing import AnyArray, Float32Array, Float64Array
from hybridsem._utils.exact import power, product
from hybridsem._utils.validation import check_sentences
from hybridsem._utils.weights import weight_file
from hybridsem.embeddings.words import Coverage, WordVectors, coverage, rows_of
from hybridsem.english.words import STOP_WORDS
from hybridsem.errors import InputError

_CLITIC = re.compile(r"(?i)(n['’]t|['’](?:s|m|re|ve|ll|d))(?!\w)")
_PICTURE = "[\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]?"
_WORD = re.compile(
    r"(?i)n['’]t(?!\w)|(?<=\s)['’](?:s|m|re|ve|ll|d)(?!\w)|[^\W_]+(?:['’.\-&][^\W_]+)*"
    rf"|{_PICTURE}(?:\u200d{_PICTURE})*"
)


def words_of(sentence: str, content_only: bool = False) -> list[str]:
    """Split a sentence into lower-case words and emoji; a contraction is two words. With
    ``content_only`` stop words are left out, unless there are no other words.

    >>> words_of("Ann's well-known dog didn't bark.")
    ['ann', "'s", 'well-known', 'dog', 'did', "n't", 'bark']
    >>> words_of("Ann's well-known dog didn't bark.", content_only=True)
    ['ann', 'well-known', 'dog', 'bark']
    """
    words = [
        word.replace("’", "'").lower() for word in _WORD.findall(_CLITIC.sub(r" \1", sentence))
    ]
    content = [word for word in words if word not in STOP_WORDS] if content_only else []
    return content or words


class _Words:
    def __init__(self, vectors: WordVectors, content_only: bool = False) -> None:
        self.vectors = vectors
        self.content_only = content_only

    def coverage(self, sentences: Sequence[str]) -> list[Coverage]:
        return coverage(self.vectors, self._words(sentences))

    def _words(self, sentences: Sequence[str]) -> list[list[str]]:
        return [words_of(text, self.content_only) for text in check_sentences(sentences)]

    def _look_up(self, sentences: Sequence[str]) -> tuple[list[list[str]], list[Float64Array], int]:
        """Return the known words of each sentence, their vectors, (k, d), and d."""
        texts = self._words(sentences)
        distinct = list(dict.fromkeys(word for words in texts for word in words)) or ["a"]
        table = rows_of(self.vectors, distinct)
        row = {word: i for i, word in enumerate(distinct) if table[i].any()}
        known = [[word for word in words if word in row] for words in texts]
        rows = [table[[row[word] for word in words]].astype(np.float64) for words in known]
        return known, rows, table.shape[1]


class _Composition(_Words):
    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Return the vectors of the sentences, (n, D) float32, not normalised."""
        known, rows, d = self._look_up(sentences)
        size = len(self._compose(["a"], np.zeros((1, d))))
        out = np.zeros((len(known), size), np.float32)
        for i, words in enumerate(known):
            if words:
                out[i] = self._compose(words, rows[i])
        return out

    def _compose(self, words: list[str], rows: Float64Array) -> Float64Array:
        """Return the vector of a sentence of at least one word, (D,)."""
        raise NotImplementedError


class Mean(_Composition):
    """The mean of the word vectors."""

    def _compose(self, words: list[str], rows: Float64Array) -> Float64Array:
        return np.asarray(rows.mean(axis=0))


def _running_product(factors: AnyArray) -> AnyArray:
    """Return the product of the rows, rescaled so that it neither vanishes nor overflows."""
    product: AnyArray = factors[0].copy()
    for factor in factors[1:]:
        product *= factor
        product /= np.abs(product).max() or 1.0
    return product


class Product(_Composition):
    """The element-wise product of the word vectors, rescaled (Mitchell & Lapata 2010)."""

    def _compose(self, words: list[str], rows: Float64Array) -> Float64Array:
        return np.asarray(_running_product(rows), np.float64)


class CircularConvolution(_Composition):
    """The circular convolution of the word vectors, rescaled, by FFT (Plate 1995)."""

    def _compose(self, words: list[str], rows: Float64Array) -> Float64Array:
        product = _running_product(np.fft.rfft(rows, axis=1))
        return np.asarray(np.fft.irfft(product, rows.shape[1]), np.float64)


class PowerMeans(_Composition):
    """Concatenated power means of the word vectors, (p · d,) (Rücklé et al. 2018). ``powers`` are
    positive integers, ``math.inf`` (maximum) or ``-math.inf`` (minimum). The mean of an odd power
    keeps its sign under the root. Raises :class:`InputError` for other powers.
    """

    def __init__(
        self,
        vectors: WordVectors,
        content_only: bool = False,
        powers: Sequence[float] = (1, math.inf, -math.inf),
    ) -> None:
        super().__init__(vectors, content_only)
        if not powers or any(not (math.isinf(p) or (p >= 1 and p == int(p))) for p in powers):
            raise InputError(f"powers are integers from 1 on, inf and -inf, got {powers!r}")
        self.powers = tuple(powers)

    def _compose(self, words: list[str], rows: Float64Array) -> Float64Array:
        return np.concatenate([_power_mean(rows, p) for p in self.powers])


def _power_mean(rows: Float64Array, p: float) -> Float64Array:
    if math.isinf(p):
        return np.asarray(rows.max(axis=0) if p > 0 else rows.min(axis=0))
    largest = np.abs(rows).max(axis=0)
    shares = rows / np.where(largest > 0, largest, 1)  # a high power would overflow
    means = power(shares, p).mean(axis=0)
    return np.asarray(largest * np.sign(means) * power(np.abs(means), 1 / p))


class DCT(_Composition):
    """The first k + 1 coefficients of the discrete cosine transform over the words, concatenated.
    Almarwani, Aldarmaki & Diab 2019: orthonormal DCT-II of each dimension, in word order. Short
    sentences are padded with zero vectors. ``k`` is the highest coefficient, as Zhu & de Melo 2020
    count: 0 is the rescaled mean. Raises :class:`InputError` unless k is an integer from 0 on.
    """

    def __init__(self, vectors: WordVectors, content_only: bool = False, k: int = 1) -> None:
        super().__init__(vectors, content_only)
        if not isinstance(k, int) or k < 0:
            raise InputError(f"k is the highest coefficient, an integer from 0 on, got {k!r}")
        self.k = k

    def _compose(self, words: list[str], rows: Float64Array) -> Float64Array:
        from scipy.fft import dct

        coefficients = dct(rows, n=max(len(rows), self.k + 1), axis=0, norm="ortho")
        return np.asarray(coefficients[: self.k + 1].ravel(), np.float64)


class SIF(_Composition):
    """Smooth inverse frequency: weights a / (a + p(word)), then the common component is removed.
    Arora, Liang & Ma 2017. The common component is the first right singular vector of the sentences
    given to :meth:`fit`. Without ``fit`` nothing is removed, so a vector never depends on the other
    sentences. Raises :class:`InputError` unless ``a`` is positive.

    Args:
        vectors: Word vectors.
        content_only: Leave stop words out.
        a: The constant of the weight; p is the frequency in UD English EWT train
            (``models/words``), 0 for a missing word.
    """

    component_: Float64Array | None = None

    def __init__(self, vectors: WordVectors, content_only: bool = False, a: float = 1e-3) -> None:
        super().__init__(vectors, content_only)
        if not 0 < a < math.inf:
            raise InputError(f"a must be a positive number, got {a!r}")
        self.a = a

    @cached_property
    def _probabilities(self) -> dict[str, float]:
        counts, total = word_frequencies()
        return {word: count / total for word, count in counts.items()}

    def _compose(self, words: list[str], rows: Float64Array) -> Float64Array:
        weights = [self.a / (self.a + self._probabilities.get(word, 0.0)) for word in words]
        vector = product(np.asarray(weights), rows) / len(words)
        if self.component_ is not None:
            vector = vector - (vector * self.component_).sum() * self.component_
        return np.asarray(vector, np.float64)

    @property
    def fitted(self) -> bool:
        """True if the common component is known."""
        return self.component_ is not None

    def fit(self, sentences: Sequence[str]) -> Self:
        """Find the common component, (d,); :class:`InputError` without any known word."""
        self.component_ = None
        rows = self.encode(sentences).astype(np.float64)
        if not rows.any():
            raise InputError("the common component needs sentences with known words")
        self.component_ = np.linalg.eigh(rows.T @ rows)[1][:, -1]
        return self


class TensorProduct(_Words):
    """The tensor product of the word vectors, in word order, as a similarity. The product of n
    words is a tensor of order n. The cosine of two tensors of the same order is the product of the
    cosines of their words; of different orders it is 0. So the d^n numbers are never computed.
    """

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> Float64Array:
        """Return the cosine of each pair, (p,): 1 for equal sentences, 0 without known words."""
        distinct = list(dict.fromkeys(text for pair in pairs for text in pair))
        units = {
            text: rows / np.linalg.norm(rows, axis=1, keepdims=True)
            for text, rows in zip(distinct, self._look_up(distinct)[1], strict=True)
        }

        def cosine(one: Float64Array, two: Float64Array) -> float:
            if len(one) != len(two) or not len(one):
                return 0.0
            return float(np.clip(np.einsum("kd,kd->k", one, two), -1, 1).prod())

        return np.array(
            [cosine(units[one], units[two]) if one != two else 1.0 for one, two in pairs]
        )


@cache
def word_frequencies() -> tuple[Mapping[str, int], int]:
    """Return the number of occurrences of each word in UD English EWT train, and of all."""
    lines = weight_file("word_counts.tsv").decode().splitlines()
    counts = {word: int(count) for word, count in (line.split("\t") for line in lines)}
    return counts, sum(counts.values())
