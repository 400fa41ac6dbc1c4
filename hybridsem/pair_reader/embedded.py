"""The embedded pair reader: upper layers over the words of both sentences.

The lower layers of the embedded encoder read each sentence by itself, once; three further layers
read both together (``models/pair_reader``; DeFormer, Cao et al. 2020). One pass serves both
directions. A reading does not depend on the other pairs, on threads or on the processor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, SentencePairs
from hybridsem._utils.exact import exp, row_products
from hybridsem._utils.onnx import DropCached, Session, session
from hybridsem._utils.weights import FOLDER, weight_path
from hybridsem.embeddings.embedded import (
    EmbeddedEncoder,
    equal_length_batches,
    in_parallel,
    normalised,
)
from hybridsem.pair_reader.base import Readings

__all__ = ["EmbeddedPairReader"]

FILES = "pair_reader.onnx", "pair_reader.weights"
TOKENS_PER_RUN = 256
READ = 8
"""Chances of a pair: of three relations in each direction, of similarity and of paraphrase."""
OUTPUTS = ["relation", "graded", "means", "cosine"]
TURNED = [3, 4, 5, 0, 1, 2, 6, 7]
"""The same with the sentences exchanged."""
HELD = 512
"""Pairs whose states are in memory at once."""


class EmbeddedPairReader(DropCached):
    """The embedded pair reader on onnxruntime.

    ``encoder`` reads the single sentences (default: a new one); ``folder`` has the weights. Raises
    :class:`AssetError` on first use for a missing or damaged weight file.

    >>> reader = EmbeddedPairReader()
    >>> found = reader.read([("The meeting was cancelled.", "They called the meeting off.")])
    >>> found.similarity.shape, bool(0 < found.similarity[0] < 1)
    ((1,), True)
    """

    name = "embedded"

    def __init__(self, encoder: EmbeddedEncoder | None = None, folder: Path = FOLDER) -> None:
        self.encoder = encoder or EmbeddedEncoder()
        self.folder = folder

    @cached_property
    def _session(self) -> Session:
        graph, _ = (weight_path(name, self.folder) for name in FILES)
        return session(graph)

    def read(
        self, pairs: SentencePairs, states: Mapping[str, Float32Array] = MappingProxyType({})
    ) -> Readings:
        """Return the chances of pairs; :class:`InputError` for blank or invalid text. ``states``
        are the encoder's shared states of sentences, as far as they are known.
        """
        ordered = [pair if pair[0] <= pair[1] else (pair[1], pair[0]) for pair in pairs]
        number = {pair: i for i, pair in enumerate(dict.fromkeys(ordered))}
        distinct = list(number)
        chances = np.zeros((len(distinct), READ))
        for start in range(0, len(distinct), HELD):
            chances[start : start + HELD] = self._read(distinct[start : start + HELD], states)
        rows = chances[[number[pair] for pair in ordered]]
        turned = [pair != given for pair, given in zip(ordered, pairs, strict=True)]
        rows[turned] = rows[turned][:, TURNED]
        forward, backward = rows[:, 0], rows[:, 3]
        contradicts: Float64Array = (rows[:, 2] + rows[:, 5]) / 2
        return Readings(forward, backward, contradicts, rows[:, 6], rows[:, 7])

    def _read(
        self, pairs: Sequence[tuple[str, str]], known: Mapping[str, Float32Array]
    ) -> Float64Array:
        """Return the chances of some distinct pairs, (n, 8)."""
        sentences = dict.fromkeys(text for pair in pairs for text in pair)
        new = [text for text in sentences if text not in known]
        states = {**known, **dict(zip(new, self.encoder.shared_states(new), strict=True))}
        lengths = [len(states[first]) + len(states[second]) for first, second in pairs]
        found = np.zeros((len(pairs), READ))

        def run(batch: list[int]) -> None:
            found[batch] = self._run([(states[pairs[i][0]], states[pairs[i][1]]) for i in batch])

        workers = self.encoder.workers
        in_parallel(run, equal_length_batches(lengths, TOKENS_PER_RUN, workers), workers)
        return found

    def _run(self, pairs: Sequence[tuple[Float32Array, Float32Array]]) -> Float64Array:
        """Return the chances of pairs of equal length, by the states of their words, (n, 8)."""
        states = np.stack([np.concatenate(pair) for pair in pairs])
        second = np.zeros(states.shape[:2], np.float32)
        shares = np.zeros((len(pairs), 2, states.shape[1]), np.float32)
        for row, (one, two) in enumerate(pairs):
            second[row, len(one) :] = 1
            shares[row, 0, : len(one)] = np.float32(1) / np.float32(len(one))
            shares[row, 1, len(one) :] = np.float32(1) / np.float32(len(two))
        inputs = {"states": states, "second": second, "shares": shares}
        relation, graded, means, weights = self._session.run(OUTPUTS, inputs)
        first, other = normalised(means).swapaxes(0, 1)
        odds = graded + weights * row_products(first, other)[:, None]
        return np.hstack([relation, 1 / (1 + exp(-odds))])
