"""Word vectors: the Protocol, and the embedded ones, in which no word is out of vocabulary."""

from __future__ import annotations

import io
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from hybridsem._text import problem
from hybridsem._weights import weight_file
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.errors import InputError

__all__ = ["EmbeddedWords", "WordVectors", "filler_vectors"]

Floats = npt.NDArray[np.float32]


@runtime_checkable
class WordVectors(Protocol):
    """Words to vectors; a word that has none gets a row of zeros.

    Vectors that also know what to do with a phrase say so with an attribute ``phrases = True``; a filler of several
    words is then looked up as one.
    """

    def embed(self, words: Sequence[str]) -> Floats:
        """The vectors of the words, (n, d) float32."""
        ...


class EmbeddedWords:
    """Each word, or phrase, encoded alone by the embedded encoder, relative to the centre of all words, at unit length.

    Up to ``cache_size`` of them are kept, so that a batch encodes each once.
    """

    phrases = True

    def __init__(self, encoder: EmbeddedEncoder | None = None, cache_size: int = 200_000) -> None:
        self.encoder = encoder or EmbeddedEncoder()
        self.cache_size = cache_size
        self._cache: dict[str, Floats] = {}
        self._lock = threading.Lock()

    @cached_property
    def _centre(self) -> Floats:
        content = weight_file("word_centre.npy", self.encoder.folder)
        centre: Floats = np.load(io.BytesIO(content), allow_pickle=False)
        return centre

    def embed(self, words: Sequence[str]) -> Floats:
        """The vectors of the words, (n, 384) float32; case does not matter. A blank word has a row of zeros."""
        with self._lock:
            missing = list(dict.fromkeys(word for word in words if word not in self._cache))
            if missing:
                if len(self._cache) + len(missing) > self.cache_size:
                    self._cache.clear()
                    missing = list(dict.fromkeys(words))
                visible = [word for word in missing if problem(word) is None]
                rows = normalised(self.encoder.encode(visible) - self._centre)
                self._cache.update(dict.fromkeys(missing, np.zeros(self.encoder.dimension, np.float32)))
                self._cache.update(zip(visible, rows, strict=True))
            found = [self._cache[word] for word in words]
        return np.stack(found) if found else np.empty((0, self.encoder.dimension), np.float32)


def filler_vectors(vectors: WordVectors, fillers: Sequence[Sequence[str]]) -> Floats:
    """One unit vector a filler, (n, d), each filler given as its content words; zeros where no word has a vector.

    The mean of the words' vectors, or the vector of the phrase where the vectors have ``phrases``.
    """
    if getattr(vectors, "phrases", False):
        return normalised(_rows(vectors, [" ".join(words) for words in fillers]))
    distinct = list(dict.fromkeys(word for words in fillers for word in words))
    table = _rows(vectors, distinct)
    row = {word: index for index, word in enumerate(distinct)}
    sums = np.zeros((len(fillers), table.shape[1]), np.float32)
    of_filler = np.repeat(np.arange(len(fillers)), [len(words) for words in fillers])
    np.add.at(sums, of_filler, table[[row[word] for words in fillers for word in words]])
    return normalised(sums)


def _rows(vectors: WordVectors, words: list[str]) -> Floats:
    """What ``vectors`` give for ``words``, if it is a finite row for each."""
    if not words:
        return np.empty((0, 0), np.float32)
    rows = np.asarray(vectors.embed(words), np.float32)
    if rows.ndim != 2 or len(rows) != len(words):
        raise InputError(f"the word vectors for {len(words)} words have shape {rows.shape}; it must be (words, d)")
    if not np.isfinite(rows).all():
        word = words[int(np.isfinite(rows).all(1).argmin())]
        raise InputError(f"the word vector of {word!r} is not finite; a word without vector has a row of zeros")
    return rows
