"""Word vectors: the Protocol, the embedded ones, which know any word, and their coverage."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.validation import problem
from hybridsem._utils.weights import FOLDER, weight_file
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from hybridsem._utils.store import Store

__all__ = [
    "Coverage",
    "EmbeddedWords",
    "EmbedsPhrases",
    "KnowsWords",
    "WordVectors",
    "coverage",
    "filler_vectors",
    "rows_of",
    "word_centre",
]


@runtime_checkable
class WordVectors(Protocol):
    """Words to vectors; a word that has none gets a row of zeros.

    What else they may be able to do: :class:`EmbedsPhrases`, :class:`KnowsWords`.
    """

    def embed(self, words: Sequence[str]) -> Float32Array:
        """The vectors of the words. Returns (n, d) float32."""
        ...


@runtime_checkable
class EmbedsPhrases(Protocol):
    """Word vectors that also know what to do with a phrase."""

    @property
    def phrases(self) -> bool:
        """Whether a filler of several words is looked up as one."""
        ...


@runtime_checkable
class KnowsWords(Protocol):
    """Word vectors that know which words they have sooner than by looking them up."""

    def covers(self, words: Sequence[str]) -> Sequence[bool]:
        """Whether each word has a vector; of a phrase, whether all of it is covered."""
        ...


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many words were looked up, and those of them that have no vector.

    >>> found = Coverage(4, ("qwx",))
    >>> found.share, found.notes
    (0.75, ("no vector for 'qwx': 3 of 4 words have one",))
    """

    words: int = 0
    unknown: tuple[str, ...] = ()

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(self.words + other.words, self.unknown + other.unknown)

    @property
    def share(self) -> float:
        """The share of words that have a vector, in [0, 1]; 1 where there was none to look up."""
        return 1 - len(self.unknown) / self.words if self.words else 1.0

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of it: the words without vector."""
        if not self.unknown:
            return ()
        missing = ", ".join(map(repr, dict.fromkeys(self.unknown)))
        return (
            (
                f"no vector for {missing:.200}: {self.words - len(self.unknown)} of {self.words} "
                "words have one"
            ),
        )


class _WordTable:
    """The vectors of frequent words that ship (``models/encoder/word_table.py``)."""

    def __init__(self, content: bytes) -> None:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            words, self._levels, self._scale = file["words"], file["levels"], file["scale"]
        self._rows = {word: row for row, word in enumerate(words.tobytes().decode().split("\n"))}

    def vectors(self, words: Iterable[str]) -> dict[str, Float32Array]:
        """The unit vectors of those words that it has, whatever their case."""
        places = {word: row for word in words if (row := self._rows.get(word.lower())) is not None}
        rows = list(places.values())
        table = self._levels[rows] * self._scale[rows, None]
        return dict(zip(places, table, strict=True))


def word_centre(folder: Path = FOLDER) -> Float32Array:
    """The point round which single words lie in the embedded encoder's space, (384,). Raises
    :class:`AssetError` (the file is missing or damaged).

    >>> word_centre().shape
    (384,)
    """
    content = weight_file("word_centre.npy", folder)
    centre: Float32Array = np.load(io.BytesIO(content), allow_pickle=False)
    return centre


class EmbeddedWords:
    """Each word, or phrase, as the embedded encoder has it alone, relative to the centre of all
    words, at unit length.

    Frequent words come from a table in 8 bit, others are encoded. ``encoder``: the embedded
    encoder; None: a new one; ``cache_size``: how many words are kept in memory, so that a batch
    encodes each once.

    >>> import numpy as np
    >>> dog, cat, tax = EmbeddedWords().embed(["dog", "cat", "tax"])
    >>> bool(dog @ cat > dog @ tax)
    True
    """

    phrases = True
    table = "words"

    def __init__(self, encoder: EmbeddedEncoder | None = None, cache_size: int = 200_000) -> None:
        self.encoder = encoder or EmbeddedEncoder()
        self.cache_size = cache_size
        self._stores: WeakKeyDictionary[object, Store] = WeakKeyDictionary()
        self._cache: dict[str, Float32Array] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return EmbeddedWords, (self.encoder, self.cache_size)  # what it keeps stays here

    @cached_property
    def _centre(self) -> Float32Array:
        return word_centre(self.encoder.folder)

    @cached_property
    def _table(self) -> _WordTable:
        return _WordTable(weight_file("words.npz", self.encoder.folder))

    def embed(self, words: Sequence[str]) -> Float32Array:
        """The vectors of words, whatever their case. Returns (n, 384) float32; a row of zeros for a
        blank word.
        """
        with self._lock:
            missing = list(dict.fromkeys(word for word in words if word not in self._cache))
            if missing:
                if len(self._cache) + len(missing) > self.cache_size:
                    self._cache.clear()
                    missing = list(dict.fromkeys(words))
                visible = [word for word in missing if problem(word) is None]
                self._cache.update(
                    dict.fromkeys(missing, np.zeros(self.encoder.dimension, np.float32))
                )
                self._cache.update(self._vectors_of(visible))
            found = [self._cache[word] for word in words]
        return np.stack(found) if found else np.empty((0, self.encoder.dimension), np.float32)

    def keep_in(self, store: Store | None, owner: object) -> None:
        """Keep what is encoded from now on in a store too, the latest of all owners' stores.
        ``store``: where to; None: the owner's is used no more; ``owner``: who wants it, for as long
        as it lives.
        """
        with self._lock:
            self._stores.pop(owner, None)
            if store is not None:
                self._stores[owner] = store

    def _vectors_of(self, words: list[str]) -> dict[str, Float32Array]:
        """The vectors of words that are not in memory: from the table, from the store, or encoded
        and put there.
        """
        found = self._table.vectors(words)
        words = [word for word in words if word not in found]
        store = [None, *self._stores.values()][-1]
        if store is not None:
            from hybridsem._utils.store import key_of

            keys = {key_of(word): word for word in words}
            stored = store.get(self.table, keys)
            found.update(
                (keys[key], np.frombuffer(content, "<f4").astype(np.float32))
                for key, content in stored.items()
            )
            words = [word for word in words if word not in found]
        if not words:
            return found
        rows = normalised(self.encoder.encode(words) - self._centre)
        if store is not None:
            contents = (row.astype("<f4").tobytes() for row in rows)
            store.put(
                self.table,
                {key_of(word): content for word, content in zip(words, contents, strict=True)},
            )
        found.update(zip(words, rows, strict=True))
        return found

    def covers(self, words: Sequence[str]) -> list[bool]:
        """Whether each word has a vector: every visible one."""
        return [problem(word) is None for word in words]


def coverage(
    vectors: WordVectors, texts: Sequence[Sequence[str]], *, averaged: bool = False
) -> list[Coverage]:
    """The coverage of each text.

    A phrase that has a vector as a whole, where the vectors have ``phrases``, has no unknown word.
    ``texts``: each as the words that are looked up; ``averaged``: look up the words of a phrase,
    whatever the vectors have.

    >>> coverage(EmbeddedWords(), [["small", "dog"]])
    [Coverage(words=2, unknown=())]
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
    """One unit vector a filler.

    It is the vector of the phrase where the vectors have ``phrases``, else the mean of the vectors
    of the words that have one. ``fillers``: n of them, each as its content words; ``averaged``:
    take the mean, whatever the vectors have. Returns (n, d) float32; zeros where no word has a
    vector.

    >>> filler_vectors(EmbeddedWords(), [["small", "dog"], ["cat"]]).shape
    (2, 384)
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
    return isinstance(vectors, EmbedsPhrases) and vectors.phrases


def rows_of(vectors: WordVectors, words: list[str]) -> Float32Array:
    """What ``vectors`` give for ``words``, (n, d) float32. Raises :class:`InputError` (it is not a
    finite row for each).

    >>> rows_of(EmbeddedWords(), ["dog", "cat"]).shape
    (2, 384)
    """
    if not words:
        return np.empty((0, 0), np.float32)
    rows = np.asarray(vectors.embed(words), np.float32)
    if rows.ndim != 2 or len(rows) != len(words):
        raise InputError(
            f"the word vectors for {len(words)} words have shape {rows.shape}; it must be "
            "(words, d)"
        )
    if not np.isfinite(rows).all():
        word = words[int(np.isfinite(rows).all(1).argmin())]
        raise InputError(
            f"the word vector of {word!r} is not finite; a word without vector has a row of zeros"
        )
    return rows
