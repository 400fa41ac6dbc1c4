"""The encoder whose single vector tells who did what to whom.

Its lower layers are those of the embedded encoder, its upper layers were trained on what the
comparison makes of pairs (``models/role_encoder``). It is as quick and reads as much.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hybridsem import assets
from hybridsem._typing import Float32Array
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.splitting import SplitVector


class RoleEncoder:
    """The vectors ``role`` of the embedded encoder's file, which tell who did what to whom.

    Errors and ``threads`` are that encoder's. ``embedded``: the encoder whose file and pass are
    shared; None: a new one.

    >>> RoleEncoder().encode(["A dog barked."]).shape
    (1, 384)
    """

    name = "role-encoder"
    dimension = EmbeddedEncoder.dimension
    mask_token = EmbeddedEncoder.mask_token
    outputs = "role", "role_last"
    """Of the graph: a sentence's vector, and its last layer."""

    def __init__(self, embedded: EmbeddedEncoder | None = None) -> None:
        self.embedded = embedded or EmbeddedEncoder()

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Unit vectors, (n, d) float32; :class:`InputError` for blank or invalid text."""
        return self.embedded.encode_as(self.outputs[0], sentences)

    def split(self, sentences: Sequence[str]) -> list[SplitVector]:
        """Unit vectors, each as a sum over its word pieces; errors as for :meth:`encode`."""
        return self.embedded.split_as(*self.outputs, sentences)

    def pieces(self, sentences: Sequence[str]) -> list[bytes]:
        """The numbers of the word pieces that are read of each sentence; they decide its vector."""
        return self.embedded.pieces(sentences)

    def foreign(self, sentences: Sequence[str]) -> list[bool]:
        """For each sentence, whether it is not English, as far as its words tell."""
        return self.embedded.foreign(sentences)

    def too_long(self, sentences: Sequence[str]) -> list[bool]:
        """For each sentence, whether it has more word pieces than are read."""
        return self.embedded.too_long(sentences)


ASSET = "large"


class _Graph(EmbeddedEncoder):
    """Runs a graph with the outputs ``sentence`` and ``last`` alone."""

    dimension = 768
    max_pieces = 384


class LargeEncoder(RoleEncoder):
    """Unit vectors (n, 768); errors and ``threads`` are the embedded encoder's. ``folder``: the
    unpacked weights; None: those that were downloaded. Raises :class:`AssetError` (there are none;
    the message says how to get them).
    """

    name = ASSET
    dimension = _Graph.dimension
    outputs = "sentence", "last"

    def __init__(self, folder: Path | None = None, threads: int | None = None) -> None:
        super().__init__(_Graph(folder or assets.path(ASSET), threads))
