"""Words looked up in a table of vectors, by the spellings of ConceptNet Numberbatch.

A word or phrase is tried as written, with ``_`` for blanks; in lower case; for several words
without articles and a leading "to"; with ``#`` for each digit (first if two are adjacent, otherwise
last); capitalised; by its lemmas. If it is missing, the mean of its words is used, or of the parts
of a hyphenated word.

    "New York" -> new_york    "the hot dogs" -> hot_dog    "1984" -> ####
    "left-handed" -> left, handed
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.exact import product
from hybridsem._utils.onnx import DropCached
from hybridsem._utils.validation import problem
from hybridsem.embeddings.words import HELD
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.words import ARTICLES
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from spacy.language import Language

_DIGIT, _TWO_DIGITS = re.compile(r"[0-9]"), re.compile(r"[0-9][0-9]")
INFLECTED = (("NOUN", -1), ("VERB", 0), ("ADJ", -1))
"""The part of speech and place of the word in a phrase whose lemma is tried."""


class WordTable(Protocol):
    """Words with a row each, found by exact spelling."""

    @property
    def dimension(self) -> int:
        """The length of a row."""
        ...

    def find(self, word: str) -> int | None:
        """Return the row of a word, or None."""
        ...

    def rows(self, indices: Sequence[int]) -> Float32Array:
        """Return rows, (n, d)."""
        ...


class GensimTable:
    """gensim's KeyedVectors."""

    def __init__(self, vectors: KeyedVectors) -> None:
        self.vectors = vectors
        self.dimension = int(vectors.vector_size)

    def find(self, word: str) -> int | None:
        """Return the row of a word, or None."""
        found: int | None = self.vectors.key_to_index.get(word)
        return found

    def rows(self, indices: Sequence[int]) -> Float32Array:
        """Return rows, (n, d)."""
        return np.asarray(self.vectors.vectors[list(indices)], np.float32)


class GensimSubwords:
    """gensim's fastText vectors: a missing word is composed of its subwords."""

    def __init__(self, vectors: KeyedVectors) -> None:
        self.vectors = vectors

    def embed(self, words: Sequence[str]) -> Float32Array:
        """Return the vectors of words, (n, d) float32; zeros without known subwords."""
        out = np.zeros((len(words), self.vectors.vector_size), np.float32)
        for i, word in enumerate(words):
            if problem(word) is None:
                with contextlib.suppress(KeyError):
                    out[i] = self.vectors.get_vector(word)
        return out


class SpacyTable:
    """The word vectors of a spaCy pipeline."""

    def __init__(self, pipeline: Language) -> None:
        self.vocab = pipeline.vocab
        vectors, name = self.vocab.vectors, f"{pipeline.lang}_{pipeline.meta.get('name')}"
        if vectors.mode != "default" or not vectors.n_keys:
            raise InputError(
                f"the spaCy pipeline {name} has no word vectors; pipelines named ..._md and "
                "..._lg have them"
            )
        self.dimension = int(vectors.shape[1])

    def find(self, word: str) -> int | None:
        """Return the row of a word, or None."""
        row = int(self.vocab.vectors.find(key=self.vocab.strings[word]))
        return row if row >= 0 else None

    def rows(self, indices: Sequence[int]) -> Float32Array:
        """Return rows, (n, d)."""
        return np.asarray(self.vocab.vectors.data[list(indices)], np.float32)


def _spellings(words: Sequence[str]) -> Iterator[str]:
    """Yield the spellings of a word or phrase in a table, the best first."""
    yield "_".join(words)
    lower = [word.lower() for word in words]
    yield "_".join(lower)
    if len(lower) > 1:
        kept = [word for word in lower if word not in ARTICLES]
        while kept and kept[0] == "to":
            del kept[0]
        lower = kept or lower
        yield "_".join(lower)
    joined = "_".join(lower)
    if _TWO_DIGITS.search(joined):
        yield _DIGIT.sub("#", joined)
    yield "_".join(word.capitalize() for word in lower)
    for pos, at in INFLECTED:
        changed = list(lower)
        changed[at] = lemmatiser()(lower[at], pos)
        yield "_".join(changed)
    if _DIGIT.search(joined):
        yield _DIGIT.sub("#", joined)


class TableWords(DropCached):
    """Word vectors from a table; a missing word is a row of zeros."""

    phrases = True

    def __init__(self, table: WordTable) -> None:
        self.table = table

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self.table.dimension

    def embed(self, words: Sequence[str]) -> Float32Array:
        """Return the vectors of words and phrases, (n, d) float32."""
        found = [self._find(word)[0] for word in words]
        rows = list(dict.fromkeys(row for parts in found for row in parts))
        place = {row: i for i, row in enumerate(rows)}
        table = self.table.rows(rows).astype(np.float64) if rows else np.empty((0, self.dimension))
        out = np.zeros((len(words), self.dimension), np.float32)
        for i, parts in enumerate(found):
            if parts:
                shares = np.fromiter(parts.values(), np.float64)
                out[i] = product(shares, table[[place[row] for row in parts]])
        return out

    def covers(self, words: Sequence[str]) -> list[bool]:
        """Return whether each word or phrase is in the table, whole or in all parts."""
        return [self._find(word)[1] for word in words]

    @cached_property
    def _find(self) -> Callable[[str], tuple[dict[int, float], bool]]:
        return lru_cache(HELD)(self._search)

    def _search(self, text: str) -> tuple[dict[int, float], bool]:
        """Return the rows of a word or phrase with their shares, and whether all is known."""
        if problem(text) is not None:
            return {}, False
        words = text.split()
        for spelling in dict.fromkeys(_spellings(words)):
            if (row := self.table.find(spelling)) is not None:
                return {row: 1.0}, True
        parts = words if len(words) > 1 else [part for part in re.split("[-‐‑–]", text) if part]
        if parts in ([], [text]):
            return {}, False
        found = [self._search(part) for part in parts]
        known = [rows for rows, _ in found if rows]
        shares: dict[int, float] = {}
        for rows in known:
            for row, share in rows.items():
                shares[row] = shares.get(row, 0.0) + share / len(known)
        return shares, all(complete for _, complete in found)
