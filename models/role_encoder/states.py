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
import onnx

from hybridsem._typing import IntArray
from hybridsem._utils.onnx import session
from hybridsem._utils.weights import FOLDER
from hybridsem.embeddings.embedded import EmbeddedEncoder, equal_length_batches

__all__ = ["States", "lower_states", "state_name"]

WIDTH = 384


def state_name(model: onnx.ModelProto, layer: int) -> str:
    """The name of the hidden state behind so many layers, in the encoder's graph."""
    norms = [node.output[0] for node in model.graph.node if node.op_type == "LayerNormalization"]
    return str(norms[2 * layer])


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
    def starts(self) -> IntArray:
        """Where the tokens of each sentence begin."""
        return np.concatenate([[0], self.ends[:-1]])

    @cached_property
    def lengths(self) -> IntArray:
        """How many tokens each sentence has."""
        return self.ends - self.starts

    def padded(self, rows: IntArray) -> tuple[np.ndarray, IntArray]:
        """(n, longest, width) float16, zero where nothing is, and the lengths (n,)."""
        lengths = self.lengths[rows]
        out = np.zeros((len(rows), int(lengths.max()), self.tokens.shape[1]), np.float16)
        for place, row in enumerate(rows):
            out[place, : lengths[place]] = self.tokens[self.starts[row] : self.ends[row]]
        return out, lengths


def lower_states(
    sentences: Iterable[str], layer: int, file: Path, encoder: Path = FOLDER / "encoder.onnx"
) -> States:
    """Work out and write what is not there yet.

    Args:
        sentences: Distinct or not.
        layer: How many layers are frozen.
        file: ``….npy``.
        encoder: The graph.
    """
    texts = list(dict.fromkeys(sentences))
    known = file.with_suffix(".json")
    if known.is_file() and json.loads(known.read_text("utf-8")) == texts:
        return States.read(file)
    model = onnx.load(encoder)
    name = state_name(model, layer)
    state = onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["tokens", WIDTH])
    model.graph.output.append(state)
    run = session(model.SerializeToString())
    ids = _ids(texts)
    lengths = np.array([len(one) for one in ids])
    ends = lengths.cumsum()
    file.parent.mkdir(parents=True, exist_ok=True)
    shape = int(ends[-1]), WIDTH
    tokens: Any = np.lib.format.open_memmap(file, "w+", np.float16, shape)
    for batch in equal_length_batches(lengths.tolist(), 1024, 1):
        (states,) = run.run([name], {"input_ids": np.array([ids[i] for i in batch], np.int64)})
        # The graph's rows are ordered by place, then by sentence.
        by_sentence = states.reshape(-1, len(batch), WIDTH).swapaxes(0, 1)
        for i, rows in zip(batch, by_sentence, strict=True):
            tokens[ends[i] - lengths[i] : ends[i]] = rows
    tokens.flush()
    np.save(file.with_suffix(".ends.npy"), ends)
    file.with_suffix(".json").write_text(json.dumps(texts, ensure_ascii=False), "utf-8")
    return States.read(file)


def _ids(texts: Sequence[str]) -> list[list[int]]:
    return [np.frombuffer(one, np.int32).tolist() for one in EmbeddedEncoder().pieces(texts)]
