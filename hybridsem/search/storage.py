"""The stored form of sentences in an index, by what the model compares.

words      the hybrid: the vector, and what is compared word by word
vectors    an encoder alone: the vector
texts      any other model: the vector, if it has one; each candidate is read again
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.weights import FOLDER, weight_sums
from hybridsem.combiners.comparison.reading import read_words
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import HybridCombiner, word_rows
from hybridsem.combiners.sentence import SentenceCombiner
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.structures import RoleStructure

WORDS, VECTORS, TEXTS = "words", "vectors", "texts"
WEIGHTS = "hybridsem/data"
"""The name of the shipped weights among the contents of a model."""
ENCODER = ("encoder.onnx", "encoder.weights", "tokenizer.json")
READING = (
    *ENCODER,
    *("parser.json", "parser.onnx", "labels.onnx", "lemmas.json", "roles.json", "roles.onnx"),
    *("arguments.onnx", "senses.npz", "words.npz", "word_centre.npy"),
)
"""The shipped files that affect reading; those that only affect scores are not listed."""
PROBES = (
    "The dog that she fed chased the small cat in the garden.",
    "In 1999 the bank did not sell its three houses to them.",
    "Could the painting be admired by nobody but a child?",
)
"""Sentences that show whether a model reads like the one that made an index."""
PROBE_WORDS = ("dog", "feed", "house", "sell")
"""Words that show whether it has the same word vectors."""
COMPARED = ("words", "places", "lemmas", "tags", "prepositions", "modals", "negations", "numbers")
SAME = 0.999  # the least cosine of equal vectors from two machines


class EncodedTexts(NamedTuple):
    """Unit vectors of texts, (n, d), and the compared form of each (None without structure; the
    whole field is None if no words are stored); the numbers of texts that were ``cut`` and that are
    ``foreign``, not English.
    """

    vectors: Float32Array
    words: list[SentenceWords | None] | None
    cut: int = 0
    foreign: int = 0


def storage_mode(model: Reader) -> str:
    """Return how a model's sentences are stored: ``words``, ``vectors`` or ``texts``."""
    if isinstance(model.combiner, HybridCombiner):
        return WORDS
    return VECTORS if isinstance(model.combiner, SentenceCombiner) else TEXTS


def read_texts(model: Reader, texts: Sequence[str]) -> EncodedTexts:
    """Read texts, each distinct text once."""
    mode = storage_mode(model)
    if mode == TEXTS:
        reads = model.combiner.reads_vectors
        return EncodedTexts(
            model.encode(texts) if reads else np.zeros((len(texts), 0), np.float32), None
        )
    batch = model.read([(text, text) for text in texts])
    places = [one for one, _ in batch.pairs]
    assert batch.vectors is not None
    words = None
    if mode == WORDS:
        structures = [batch.structures[place] for place in places] if batch.structures else []
        words = [read_words(one) if isinstance(one, RoleStructure) else None for one in structures]
    cut, non_english = sum(map(batch.cut, batch.pairs)), sum(map(batch.is_non_english, batch.pairs))
    return EncodedTexts(batch.vectors[places], words, cut, non_english)


def contents_of(model: Reader) -> dict[str, str]:
    """Return the checksums of the files that affect a model's reading, by name; the shipped weights
    have one.
    """
    mode = storage_mode(model)
    names: Sequence[str] = ()
    if mode == WORDS:
        names = READING
    elif mode == VECTORS and isinstance(model.encoder, EmbeddedEncoder):
        names = ENCODER
    sums = weight_sums(FOLDER if model._trees is None else model._trees.encoder.folder)
    own = json.dumps([sums.get(name) for name in names]).encode()
    shipped = {WEIGHTS: hashlib.sha256(own).hexdigest()} if names else {}
    return {**model.contents, **shipped}


def probe_of(model: Reader) -> dict[str, Any]:
    """Return a fingerprint of a model's reading of a few sentences: a hash of their compared forms,
    and a vector.
    """
    vector = read_texts(model, PROBES).vectors.sum(axis=0)
    digest = hashlib.sha256()
    probe: dict[str, Any] = {}
    if isinstance(model.combiner, HybridCombiner):
        table = word_rows(model.combiner.vectors, [(word, word) for word in PROBE_WORDS])
        probe["word vector"] = _rounded(table.sum(axis=0))
        for one in model.read([(text, text) for text in PROBES]).structures or ():
            shown: object = one
            if isinstance(one, RoleStructure):
                shown = [getattr(read_words(one), name) for name in COMPARED]
            digest.update(repr(shown).encode())
    return {"words": digest.hexdigest(), "vector": _rounded(vector), **probe}


def _rounded(vector: Float32Array) -> list[float]:
    return [round(float(x), 4) for x in vector]


def check_reading(
    model: Reader, contents: Mapping[str, str], probe: Mapping[str, Any], path: str
) -> None:
    """Raise :class:`InputError` if a model reads differently from the one that made an index: other
    files or weights, or another version.
    """
    here, found = contents_of(model), probe_of(model)
    changed = sorted(name for name, sha in contents.items() if here.get(name) != sha)
    names = [name for name in ("vector", "word vector") if name in probe]
    alike = all(_alike(probe[name], found.get(name, [])) for name in names)
    if changed or not alike or found["words"] != probe["words"]:
        what = f"other contents of {', '.join(changed)}" if changed else "other results"
        raise InputError(
            f"the index in {path!r} was made by a model, or a version of hybridsem, that reads "
            f"differently from this one ({what}); build it again with this one, or use "
            "the one that made it"
        )


def _alike(first: Sequence[float], second: Sequence[float]) -> bool:
    one, two = np.array(first), np.array(second)
    lengths = float(np.linalg.norm(one) * np.linalg.norm(two))
    return one.shape == two.shape and (lengths == 0 or float(one @ two) >= SAME * lengths)
