"""The embedded pair reader: a cross-encoder over the words of both sentences.

Six layers read the two sentences as one text (``models/pair_reader``). Which of them comes first is
decided by their letters, so that one pass serves both directions. Its word vectors are the
encoder's, and lie once on the disk. A reading does not depend on the other pairs, on threads or on
the processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from itertools import chain
from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array, IntArray, SentencePairs
from hybridsem._utils.exact import exp, row_products
from hybridsem._utils.onnx import DropCached, Session, session
from hybridsem._utils.weights import FOLDER, graph_path
from hybridsem.embeddings.embedded import (
    EmbeddedEncoder,
    equal_length_batches,
    in_parallel,
    normalised,
)
from hybridsem.pair_reader.base import Readings

__all__ = ["EmbeddedPairReader"]

FILES = "pair_reader.onnx", "pair_reader.weights", "encoder.weights"
TOKENS_PER_RUN = 256
READ = 8
"""Chances of a pair: of three relations in each direction, of similarity and of paraphrase."""
OUTPUTS = ["relation", "graded", "means", "cosine"]
TURNED = [3, 4, 5, 0, 1, 2, 6, 7]
"""The same with the sentences exchanged."""


class EmbeddedPairReader(DropCached):
    """The embedded pair reader on onnxruntime.

    ``encoder`` divides texts into word pieces (default: a new one); ``folder`` has the weights.
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
        return session(graph_path(FILES, self.folder))

    def read(self, pairs: SentencePairs) -> Readings:
        """Return the chances of pairs; :class:`InputError` for blank or invalid text."""
        ordered = [pair if pair[0] <= pair[1] else (pair[1], pair[0]) for pair in pairs]
        number = {pair: i for i, pair in enumerate(dict.fromkeys(ordered))}
        places = [number[pair] for pair in ordered]
        turned = [pair != given for pair, given in zip(ordered, pairs, strict=True)]
        rows = self._read(list(number))[places]
        rows[turned] = rows[turned][:, TURNED]
        forward, backward = rows[:, 0], rows[:, 3]
        contradicts: Float64Array = (rows[:, 2] + rows[:, 5]) / 2
        return Readings(forward, backward, contradicts, rows[:, 6], rows[:, 7])

    def _read(self, pairs: Sequence[tuple[str, str]]) -> Float64Array:
        """Return the chances of distinct pairs, (n, 8)."""
        texts = [*dict.fromkeys(chain.from_iterable(pairs))]
        number = {text: i for i, text in enumerate(texts)}
        sides = np.array([(number[one], number[two]) for one, two in pairs], int).reshape(-1, 2)
        ids = [*map(partial(np.frombuffer, dtype=np.int32), self.encoder.pieces(texts))]
        lengths: list[int] = np.fromiter(map(len, ids), int)[sides].sum(1).tolist()
        found = np.zeros((len(pairs), READ))

        def run(batch: list[int]) -> None:
            found[batch] = self._run([(ids[one], ids[two]) for one, two in sides[batch]])

        workers = self.encoder.workers
        in_parallel(run, equal_length_batches(lengths, TOKENS_PER_RUN, workers), workers)
        return found

    def _run(self, pairs: Sequence[tuple[IntArray, IntArray]]) -> Float64Array:
        """Return the chances of pairs of equal length, by their word pieces, (n, 8)."""
        length = len(pairs[0][0]) + len(pairs[0][1]) - 1  # the second has no start of its own
        ids = np.zeros((len(pairs), length), np.int64)
        second = np.zeros(ids.shape, np.float32)
        for row, (one, two) in enumerate(pairs):
            ids[row] = np.concatenate([one, two[1:]])
            second[row, len(one) :] = 1
        sides = np.stack([1 - second, second], 1)
        shares = sides / sides.sum(2, keepdims=True)
        inputs = {"input_ids": ids, "second": second, "shares": shares}
        relation, graded, means, weights = self._session.run(OUTPUTS, inputs)
        first, other = normalised(means).swapaxes(0, 1)
        odds = graded + weights * row_products(first, other)[:, None]
        return np.hstack([relation, 1 / (1 + exp(-odds))])
