"""InferSent: a bidirectional LSTM over word vectors with max pooling (Conneau et al. 2017).

The published state dictionaries, ``infersent1.pkl`` (over GloVe 840B) and ``infersent2.pkl`` (over
fastText crawl), are read as tensors only.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.disk import reason
from hybridsem._utils.validation import check_sentences
from hybridsem.embeddings.words import WordVectors, rows_of
from hybridsem.errors import AssetError, InputError, MissingExtraError

MARKS = {1: ("<s>", "</s>"), 2: ("<p>", "</p>")}
"""The marks before and after a sentence; a mark without a vector is left out."""

BATCH = 64  # sentences that are encoded together
PARTS = tuple(
    f"{part}_l0{side}"
    for side in ("", "_reverse")
    for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
)


class InferSent:
    """InferSent 1 or 2, with weights from a file.

    Words without a vector are left out; a sentence without known words is a row of zeros. The
    maximum is over the words of the sentence (the first version's own code includes padding).

    Raises :class:`MissingExtraError` without torch and nltk, :class:`AssetError` for a missing or
    unsuitable file, :class:`InputError` for word vectors of another dimension.

    Args:
        path: The file with the weights.
        vectors: Word vectors of the dimension in training (300).
        version: 1 or 2.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        vectors: WordVectors,
        version: int = 2,
    ) -> None:
        if version not in MARKS:
            raise InputError(f"InferSent has versions 1 and 2, got {version!r}")
        self.path, self.vectors, self.version = path, vectors, version
        try:
            import torch
            from nltk.tokenize import NLTKWordTokenizer
        except ImportError as error:
            raise MissingExtraError(error.name or "torch", "transformers") from error
        self._torch, self._tokenizer = torch, NLTKWordTokenizer()

    @cached_property
    def _lstm(self) -> Any:
        try:
            with warnings.catch_warnings():
                # torch warns about other pickles, which are refused below
                warnings.simplefilter("ignore")
                weights = self._torch.load(self.path, map_location="cpu", weights_only=True)
        except OSError as error:
            raise AssetError(f"cannot read {self.path}: {reason(error)}") from error
        except Exception as error:  # the unpickler can raise anything
            raise AssetError(
                f"{self.path} is not a state dictionary of tensors; use infersent1.pkl or "
                f"infersent2.pkl as published ({' '.join(str(error).split())[:100]})"
            ) from error
        weights = weights if isinstance(weights, dict) else {}
        named: dict[str, Any] = {name: weights.get(f"enc_lstm.{name}") for name in PARTS}
        if not all(isinstance(values, self._torch.Tensor) for values in named.values()):
            raise AssetError(
                f"{self.path} has no LSTM of InferSent: expected enc_lstm.weight_ih_l0 and so on"
            )
        width, hidden = (named[name].shape[-1] for name in PARTS[:2])
        lstm = self._torch.nn.LSTM(width, hidden, bidirectional=True, batch_first=True)
        try:
            lstm.load_state_dict(named)
        except RuntimeError as error:
            raise AssetError(
                f"{self.path}: its weights do not fit together ({str(error)[:200]})"
            ) from error
        return lstm.eval()

    @property
    def dimension(self) -> int:
        """The length of the vectors, 4,096 for the published weights."""
        return 2 * int(self._lstm.hidden_size)

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Return sentence vectors, (n, dimension) float32."""
        words = [self._words(text) for text in check_sentences(sentences)]
        table, known, place = self._looked_up(words)
        found = [[place[word] for word in row if known[place[word]]] for row in words]
        rows = np.zeros((len(found), self.dimension), np.float32)
        order = sorted((i for i, row in enumerate(found) if row), key=lambda i: -len(found[i]))
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            rows[batch] = self._maxima([table[found[i]] for i in batch])
        return rows

    def _words(self, text: str) -> list[str]:
        before, after = MARKS[self.version]
        words = list(self._tokenizer.tokenize(text))
        if self.version == 2:  # as the Moses tokeniser splits negations: do n't -> don 't
            words = " ".join(words).replace(" n't", "n 't").split()
        return [before, *words, after]

    def _looked_up(self, words: list[list[str]]) -> tuple[Float32Array, Any, dict[str, int]]:
        """Return the vectors of the distinct words, which are known, and the row of each word."""
        distinct = dict.fromkeys(word for row in words for word in row)
        place = {word: row for row, word in enumerate(distinct)}
        table = rows_of(self.vectors, list(place))
        if place and table.shape[1] != self._lstm.input_size:
            raise InputError(
                f"InferSent reads word vectors of {self._lstm.input_size} dimensions, got "
                f"{table.shape[1]}; use those of its training: "
                "vectors='glove:glove.840B.300d.txt' (1), vectors='fasttext:crawl-300d-2M.vec' (2)"
            )
        return table, table.any(axis=1), place

    def _maxima(self, batch: list[Float32Array]) -> Float32Array:
        torch = self._torch
        with torch.inference_mode():
            packed = torch.nn.utils.rnn.pack_sequence([torch.from_numpy(rows) for rows in batch])
            states, _ = torch.nn.utils.rnn.pad_packed_sequence(
                self._lstm(packed)[0], batch_first=True, padding_value=float("-inf")
            )
            maxima: Float32Array = states.amax(1).numpy()
        return maxima
