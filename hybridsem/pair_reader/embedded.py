"""The embedded pair reader: six layers over the words of both sentences (``models/pair_reader``).

Word vectors are those of the embedded encoder. One pass serves both directions. A reading does not
depend on the other pairs, on threads or on the processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array, IntArray, SentencePairs
from hybridsem._utils.exact import exp, row_products
from hybridsem._utils.onnx import DropCached, Session, session
from hybridsem._utils.weights import FOLDER, weight_path
from hybridsem.embeddings.embedded import (
    EmbeddedEncoder,
    equal_length_batches,
    in_parallel,
    normalised,
)
from hybridsem.errors import AssetError
from hybridsem.pair_reader.base import Readings

__all__ = ["EmbeddedPairReader"]

FILES = "pair_reader.onnx", "pair_reader.weights", "encoder.weights"
TOKENS_PER_RUN = 256
READ = 8
"""Chances of a pair: of three relations in each direction, of similarity and of paraphrase."""
OUTPUTS = ["relation", "graded", "means", "cosine"]
TURNED = [3, 4, 5, 0, 1, 2, 6, 7]
"""The same with the sentences exchanged."""
HELD = 4096
"""Pairs whose word pieces are in memory at once."""


class EmbeddedPairReader(DropCached):
    """The embedded pair reader on onnxruntime.

    ``encoder`` divides sentences into word pieces (default: a new one); ``folder`` has the weights.
    Raises :class:`AssetError` on first use for a missing or damaged weight file.

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
        graph, *weights = (weight_path(name, self.folder) for name in FILES)
        if any(file.parent != graph.parent for file in weights):
            raise AssetError(f"{graph} and {FILES[1:]} must be in one folder; reinstall hybridsem")
        return session(graph)

    def read(self, pairs: SentencePairs) -> Readings:
        """Return the chances of pairs; :class:`InputError` for blank or invalid text."""
        ordered = [pair if pair[0] <= pair[1] else (pair[1], pair[0]) for pair in pairs]
        number = {pair: i for i, pair in enumerate(dict.fromkeys(ordered))}
        distinct = list(number)
        chances = np.zeros((len(distinct), READ))
        for start in range(0, len(distinct), HELD):
            chances[start : start + HELD] = self._read(distinct[start : start + HELD])
        rows = chances[[number[pair] for pair in ordered]]
        turned = [pair != given for pair, given in zip(ordered, pairs, strict=True)]
        rows[turned] = rows[turned][:, TURNED]
        forward, backward = rows[:, 0], rows[:, 3]
        contradicts: Float64Array = (rows[:, 2] + rows[:, 5]) / 2
        return Readings(forward, backward, contradicts, rows[:, 6], rows[:, 7])

    def _read(self, pairs: Sequence[tuple[str, str]]) -> Float64Array:
        """Return the chances of some distinct pairs, (n, 8)."""
        sentences = list(dict.fromkeys(text for pair in pairs for text in pair))
        divided = [np.frombuffer(ids, np.int32) for ids in self.encoder.pieces(sentences)]
        pieces = dict(zip(sentences, divided, strict=True))
        both = [(pieces[first], pieces[second]) for first, second in pairs]
        found = np.zeros((len(pairs), READ))

        def run(batch: list[int]) -> None:
            found[batch] = self._run([both[i] for i in batch])

        lengths = [len(first) + len(second) for first, second in both]
        workers = self.encoder.workers
        in_parallel(run, equal_length_batches(lengths, TOKENS_PER_RUN, workers), workers)
        return found

    def _run(self, pairs: Sequence[tuple[IntArray, IntArray]]) -> Float64Array:
        """Return the chances of pairs of as many word pieces, by their ids, (n, 8)."""
        size = len(pairs), len(pairs[0][0]) + len(pairs[0][1])
        ids, places = np.zeros((2, *size), np.int64)
        second = np.zeros(size, np.float32)
        shares = np.zeros((size[0], 2, size[1]), np.float32)
        for row, (one, two) in enumerate(pairs):
            at = len(one)
            ids[row, :at], ids[row, at:] = one, two
            places[row, :at], places[row, at:] = np.arange(at), np.arange(len(two))
            second[row, at:] = 1
            shares[row, 0, :at] = np.float32(1) / np.float32(at)
            shares[row, 1, at:] = np.float32(1) / np.float32(len(two))
        inputs = {"input_ids": ids, "places": places, "second": second, "shares": shares}
        relation, graded, means, weights = self._session.run(OUTPUTS, inputs)
        first, other = normalised(means).swapaxes(0, 1)
        odds = graded + weights * row_products(first, other)[:, None]
        return np.hstack([relation, 1 / (1 + exp(-odds))])
