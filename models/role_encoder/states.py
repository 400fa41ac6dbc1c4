"""What the frozen lower layers make of sentences, kept on disk: nothing of it changes in training.

STATES.npy       (tokens, 384) float16, sentence after sentence
STATES.json      the sentences, in order
STATES.ends.npy  (sentences,) where the tokens of each end
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hybridsem._typing import IntArray
from hybridsem.embeddings.embedded import EmbeddedEncoder

CHUNK, ID_BYTES = 4096, 4


@dataclass(frozen=True)
class States:
    """The states of sentences: ``tokens`` (tokens, 384), sentence after sentence, each up to its
    place in ``ends``.
    """

    sentences: tuple[str, ...]
    tokens: npt.NDArray[np.float16]
    ends: IntArray

    @classmethod
    def read(cls, file: Path) -> States:
        """Those of a file."""
        return cls(
            tuple(json.loads(file.with_suffix(".json").read_text("utf-8"))),
            np.load(file, mmap_mode="r"),
            np.load(file.with_suffix(".ends.npy")),
        )

    @classmethod
    def joined(cls, some: Sequence[States]) -> States:
        """Several as one; a sentence that stands in two is found in the last."""
        before = np.cumsum([0, *(len(one.tokens) for one in some)])
        return cls(
            tuple(text for one in some for text in one.sentences),
            np.concatenate([one.tokens for one in some]),
            np.concatenate([one.ends + start for one, start in zip(some, before, strict=False)]),
        )

    @cached_property
    def row(self) -> dict[str, int]:
        """The row of each sentence."""
        return {text: i for i, text in enumerate(self.sentences)}

    @cached_property
    def lengths(self) -> IntArray:
        """How many tokens each sentence has."""
        return np.diff(self.ends, prepend=0)

    def padded(self, rows: IntArray) -> tuple[np.ndarray, IntArray]:
        """(n, longest, width) float16, zero where nothing is, and the lengths (n,)."""
        lengths = self.lengths[rows]
        out = np.zeros((len(rows), int(lengths.max()), self.tokens.shape[1]), np.float16)
        for own, length, end in zip(out, lengths, self.ends[rows], strict=True):
            own[:length] = self.tokens[end - length : end]
        return out, lengths


def lower_states(sentences: Iterable[str], file: Path) -> States:
    """Work out and write what is not there yet, of distinct sentences, to ``….npy``."""
    texts = list(dict.fromkeys(sentences))
    known = file.with_suffix(".json")
    if known.is_file() and json.loads(known.read_text("utf-8")) == texts:
        return States.read(file)
    encoder = EmbeddedEncoder(threads=1)
    ends = np.cumsum([len(one) // ID_BYTES for one in encoder.pieces(texts)])
    file.parent.mkdir(parents=True, exist_ok=True)
    shape = int(ends[-1]), encoder.dimension
    tokens: Any = np.lib.format.open_memmap(file, "w+", np.float16, shape)
    for start in range(0, len(texts), CHUNK):
        states = encoder.shared_states(texts[start : start + CHUNK])
        for end, rows in zip(ends[start:], states, strict=False):
            tokens[end - len(rows) : end] = rows
    tokens.flush()
    np.save(file.with_suffix(".ends.npy"), ends)
    known.write_text(json.dumps(texts, ensure_ascii=False), "utf-8")
    return States.read(file)
