"""Word vectors: the Protocols, those of the embedded encoder, and coverage."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from hybridsem._typing import AnyArray, Float32Array
from hybridsem._utils.validation import problem
from hybridsem._utils.weights import FOLDER, weight_file
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.errors import InputError

HELD = 200_000  # words whose vectors are kept in memory


@runtime_checkable
class WordVectors(Protocol):
    """Words to vectors, zeros for unknown ones. Of vectors with a true attribute ``phrases``, a
    filler of several words is looked up as a phrase; see also `KnowsWords`.
    """

    def embed(self, words: Sequence[str]) -> Float32Array:
        """Return the vectors of the words, (n, d) float32."""
        ...


@runtime_checkable
class KnowsWords(Protocol):
    """Word vectors that know which words they have."""

    def covers(self, words: Sequence[str]) -> Sequence[bool]:
        """Return whether each word, or all of a phrase, has a vector."""
        ...


@dataclass(frozen=True, slots=True)
class Coverage:
    """The number of words that were looked up, and those without a vector."""

    words: int = 0
    unknown: tuple[str, ...] = ()

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(self.words + other.words, self.unknown + other.unknown)

    @property
    def share(self) -> float:
        """The share of words that have a vector, in [0, 1]; 1 without any words."""
        return 1 - len(self.unknown) / self.words if self.words else 1.0

    @property
    def notes(self) -> tuple[str, ...]:
        """A note on the words without a vector, if any."""
        if not self.unknown:
            return ()
        missing = ", ".join(map(repr, dict.fromkeys(self.unknown)))
        known = self.words - len(self.unknown)
        return (f"no vector for {missing:.200}: {known} of {self.words} words have one",)


def word_centre(folder: Path = FOLDER) -> Float32Array:
    """Return the mean of single words in the embedded encoder's space, (384,). Raises
    :class:`AssetError` for a missing or damaged file.
    """
    content = weight_file("word_centre.npy", folder)
    centre: Float32Array = np.load(io.BytesIO(content), allow_pickle=False)
    return centre


class EmbeddedWords:
    """Unit vectors of words and phrases: the embedded encoder's, minus the mean of all words.
    Frequent words come from an 8-bit table, others are encoded. ``encoder`` is the embedded encoder
    (default: a new one).

    >>> dog, cat, tax = EmbeddedWords().embed(["dog", "cat", "tax"])
    >>> bool(dog @ cat > dog @ tax)
    True
    """

    phrases = True

    def __init__(self, encoder: EmbeddedEncoder | None = None) -> None:
        self.encoder = encoder or EmbeddedEncoder()
        self._cache: dict[str, Float32Array] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[object, ...]:
        return EmbeddedWords, (self.encoder,)  # without its caches

    @cached_property
    def _centre(self) -> Float32Array:
        return word_centre(self.encoder.folder)

    @cached_property
    def _table(self) -> tuple[dict[str, int], AnyArray, AnyArray]:
        """The rows of frequent words, their levels and their scales (``models/encoder``)."""
        content = io.BytesIO(weight_file("words.npz", self.encoder.folder))
        with np.load(content, allow_pickle=False) as file:
            words, levels, scale = file["words"], file["levels"], file["scale"]
        numbered = enumerate(words.tobytes().decode().split("\n"))
        return {word: row for row, word in numbered}, levels, scale

    def embed(self, words: Sequence[str]) -> Float32Array:
        """Return the vectors of words, (n, 384) float32; a blank word is a row of zeros."""
        with self._lock:
            missing = list(dict.fromkeys(word for word in words if word not in self._cache))
            if missing:
                if len(self._cache) + len(missing) > HELD:
                    self._cache.clear()
                    missing = list(dict.fromkeys(words))
                visible = [word for word in missing if problem(word) is None]
                self._cache.update(
                    dict.fromkeys(missing, np.zeros(self.encoder.dimension, np.float32))
                )
                self._cache.update(self._vectors_of(visible))
            found = [self._cache[word] for word in words]
        return np.stack(found) if found else np.empty((0, self.encoder.dimension), np.float32)

    def _vectors_of(self, words: list[str]) -> dict[str, Float32Array]:
        """Return the vectors of words that are not in memory: tabulated or encoded."""
        row_of, levels, scale = self._table
        places = {word: row_of[word.lower()] for word in words if word.lower() in row_of}
        rows = list(places.values())
        found: dict[str, Float32Array] = dict(
            zip(places, levels[rows] * scale[rows, None], strict=True)
        )
        if words := [word for word in words if word not in found]:
            encoded = normalised(self.encoder.encode(words) - self._centre)
            found.update(zip(words, encoded, strict=True))
        return found

    def covers(self, words: Sequence[str]) -> list[bool]:
        """Return whether each word has a vector: all visible words do."""
        return [problem(word) is None for word in words]


def coverage(
    vectors: WordVectors, texts: Sequence[Sequence[str]], *, averaged: bool = False
) -> list[Coverage]:
    """Return the coverage of each text, a sequence of words. A phrase that has a vector as a whole,
    if the vectors have ``phrases``, has no unknown word; with ``averaged`` only its words are
    looked up.
    """
    phrases = _embeds_phrases(vectors) and not averaged
    units = dict.fromkeys(word for words in texts for word in words)
    if phrases:
        units |= dict.fromkeys(" ".join(words) for words in texts)
    asked = [unit for unit in units if unit]
    found: Iterable[bool] = (
        vectors.covers(asked)
        if isinstance(vectors, KnowsWords)
        else map(np.any, rows_of(vectors, asked))
    )
    covered = {unit for unit, has in zip(asked, found, strict=True) if has}
    return [
        Coverage(len(words))
        if phrases and " ".join(words) in covered
        else Coverage(len(words), tuple(word for word in words if word not in covered))
        for words in texts
    ]


def filler_vectors(
    vectors: WordVectors, fillers: Sequence[Sequence[str]], *, averaged: bool = False
) -> Float32Array:
    """Return a unit vector for each filler, a sequence of content words, (n, d) float32. It is the
    vector of the phrase if the vectors have ``phrases``, otherwise, or with ``averaged``, the mean
    of the known words; zeros without known words.
    """
    if _embeds_phrases(vectors) and not averaged:
        return normalised(rows_of(vectors, [" ".join(words) for words in fillers]))
    distinct = list(dict.fromkeys(word for words in fillers for word in words))
    table = rows_of(vectors, distinct)
    row = {word: index for index, word in enumerate(distinct)}
    sums = np.zeros((len(fillers), table.shape[1]), np.float32)
    of_filler = np.repeat(np.arange(len(fillers)), [len(words) for words in fillers])
    np.add.at(sums, of_filler, table[[row[word] for words in fillers for word in words]])
    return normalised(sums)


def _embeds_phrases(vectors: WordVectors) -> bool:
    return getattr(vectors, "phrases", False)


def rows_of(vectors: WordVectors, words: list[str]) -> Float32Array:
    """Return the vectors of words, (n, d) float32; :class:`InputError` unless all are finite."""
    if not words:
        return np.empty((0, 0), np.float32)
    rows = np.asarray(vectors.embed(words), np.float32)
    if rows.ndim != 2 or len(rows) != len(words):
        raise InputError(
            f"the word vectors for {len(words)} words have shape {rows.shape}, expected (words, d)"
        )
    if not np.isfinite(rows).all():
        word = words[int(np.isfinite(rows).all(1).argmin())]
        raise InputError(
            f"the word vector of {word!r} is not finite; an unknown word needs a row of zeros"
        )
    return rows
