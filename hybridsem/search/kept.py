"""What an index keeps of sentences, by what the model compares.

words      the hybrid: the vector, and what is compared word by word
vectors    an encoder alone: the vector
texts      any other model: nothing but the vector, if it has one; each candidate is read again
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem.combiners.comparison.reading import read_words
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import HybridCombiner, word_rows
from hybridsem.combiners.sentence import SentenceCombiner
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.search.packing import Vocabulary, pack
from hybridsem.structures import RoleStructure

__all__ = [
    "TEXTS",
    "VECTORS",
    "WORDS",
    "Reading",
    "Unpacked",
    "check_probe",
    "kept_by",
    "packed",
    "probe_of",
    "reader",
]

WORDS, VECTORS, TEXTS = "words", "vectors", "texts"

PROBES = (
    "The dog that she fed chased the small cat in the garden.",
    "In 1999 the bank did not sell its three houses to them.",
    "Could the painting be admired by nobody but a child?",
)
"""Sentences that show whether a model reads as the one that made an index."""
PROBE_WORDS = ("dog", "feed", "house", "sell")
"""Words that show whether it knows words as that one does."""
SAME = 0.999
"""The cosine from which two machines' vectors of a sentence are the same."""


class Reading(NamedTuple):
    """What is kept of sentences: unit vectors, (n, d), and what is compared, b"" for a sentence
    without structure. How many were ``cut`` and are ``foreign``, not English.
    """

    vectors: Float32Array
    words: list[bytes]
    cut: int = 0
    foreign: int = 0


class Unpacked(NamedTuple):
    """A :class:`Reading` before what is compared is packed: ``words`` of each distinct sentence, at
    the ``places`` of all; None where no words are kept.
    """

    vectors: Float32Array
    words: list[SentenceWords | None] | None
    places: list[int]
    cut: int = 0
    foreign: int = 0


def kept_by(model: Reader) -> str:
    """What is kept of the sentences that a model reads."""
    combiner = model.combiner
    if isinstance(combiner, HybridCombiner):
        return WORDS
    return VECTORS if isinstance(combiner, SentenceCombiner) else TEXTS


def reader(model: Reader) -> Callable[[Sequence[str]], Unpacked]:
    """What reads texts; each distinct one is read once."""
    return lambda texts: _read(model, texts)


def _read(model: Reader, texts: Sequence[str]) -> Unpacked:
    kept = kept_by(model)
    if kept == TEXTS:
        width = (0, 0) if not model.combiner.reads_vectors else None
        vectors = (
            np.zeros((len(texts), 0), np.float32) if width is not None else model.encode(texts)
        )
        return Unpacked(vectors, None, [])
    batch = model.read([(text, text) for text in texts])
    places = [one for one, _ in batch.pairs]
    assert batch.vectors is not None
    cut, foreign = sum(map(batch.cut, batch.pairs)), sum(map(batch.is_foreign, batch.pairs))
    words = None
    if kept == WORDS:
        words = [
            read_words(structure) if isinstance(structure, RoleStructure) else None
            for structure in batch.structures or ()
        ]
    return Unpacked(batch.vectors[places], words, places, cut, foreign)


def packed(found: Unpacked, vocabulary: Vocabulary) -> Reading:
    """What is kept of texts that were read, in order; the vocabulary grows."""
    if found.words is None:
        return Reading(found.vectors, [], found.cut, found.foreign)
    words = [b"" if one is None else pack(one, vocabulary) for one in found.words]
    return Reading(
        found.vectors, [words[place] for place in found.places], found.cut, found.foreign
    )


def probe_of(model: Reader) -> dict[str, Any]:
    """What a model makes of a few sentences: a hash of what is compared, and a vector."""
    found = _read(model, PROBES)
    digest = hashlib.sha256()
    probe: dict[str, Any] = {}
    if isinstance(model.combiner, HybridCombiner):
        table = word_rows(model.combiner.vectors, [(word, word) for word in PROBE_WORDS])
        probe["word vector"] = _rounded(table.sum(axis=0))
    if kept_by(model) == WORDS:
        batch = model.read([(text, text) for text in PROBES])
        for structure in batch.structures or ():
            shown = read_words(structure) if isinstance(structure, RoleStructure) else structure
            digest.update(repr(_plain(shown)).encode())
    vector = found.vectors.sum(axis=0)
    return {"words": digest.hexdigest(), "vector": _rounded(vector), **probe}


def _rounded(vector: Float32Array) -> list[float]:
    return [round(float(x), 4) for x in vector]


def _plain(shown: object) -> object:
    """Without what has no order, and numbers as they are shown in short."""
    if not hasattr(shown, "places"):
        return shown
    names = ("words", "places", "lemmas", "tags", "prepositions", "modals", "negations", "numbers")
    return [getattr(shown, name) for name in names]


def check_probe(model: Reader, expected: dict[str, Any], path: str) -> None:
    """:class:`InputError` where a model reads otherwise than the one that made an index."""
    found = probe_of(model)
    # Indexes of older versions have no "word vector".
    names = [name for name in ("vector", "word vector") if name in expected]
    alike = all(_alike(expected[name], found.get(name, [])) for name in names)
    if not alike or found["words"] != expected["words"]:
        raise InputError(
            f"the index in {path!r} was made by a model, or a version of hybridsem, that reads "
            "otherwise than this one; build it anew with this one, or use the one that made it"
        )


def _alike(first: Sequence[float], second: Sequence[float]) -> bool:
    one, two = np.array(first), np.array(second)
    lengths = float(np.linalg.norm(one) * np.linalg.norm(two))
    return one.shape == two.shape and (lengths == 0 or float(one @ two) >= SAME * lengths)
