"""Encoders that share the code of the embedded one: roles in one vector, and a larger model.

The role encoder has the lower layers of the embedded encoder; its upper layers were trained on the
comparison of pairs (``models/role_encoder``). It is as fast and reads as many word pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hybridsem import assets
from hybridsem._typing import Float32Array
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.splitting import SplitVector


class RoleEncoder:
    """Vectors that encode who did what to whom: the output ``role`` of the embedded encoder.
    ``embedded`` is the encoder whose file and pass are shared (default: a new one). Errors and
    threads are those of this encoder.
    """

    name = "role-encoder"
    dimension = EmbeddedEncoder.dimension
    mask_token = EmbeddedEncoder.mask_token
    outputs = "role", "role_last"
    """The graph's outputs for a sentence and its last layer."""

    def __init__(self, embedded: EmbeddedEncoder | None = None) -> None:
        self.embedded = own = embedded or EmbeddedEncoder()
        self.pieces, self.foreign, self.too_long = own.pieces, own.foreign, own.too_long

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Return unit vectors, (n, d) float32; :class:`InputError` for blank or invalid text."""
        return self.embedded.encode(sentences, self.outputs[0])

    def split(self, sentences: Sequence[str]) -> list[SplitVector]:
        """Return unit vectors as sums over word pieces; errors as for :meth:`encode`."""
        return self.embedded.split(sentences, self.outputs)


ASSET = "large"


class _Graph(EmbeddedEncoder):
    """The pass of the larger model."""

    dimension = 768
    max_pieces = 384


class LargeEncoder(RoleEncoder):
    """Unit vectors (n, 768) of all-mpnet-base-v2 in 8 bit; errors as for the embedded encoder.
    ``folder`` has the unpacked weights (default: the downloaded ones). Raises :class:`AssetError`
    if they are missing; the message says how to get them.
    """

    name = ASSET
    dimension = _Graph.dimension
    outputs = "sentence", "last"

    def __init__(self, folder: Path | None = None, threads: int | None = None) -> None:
        super().__init__(_Graph(folder or assets.path(ASSET), threads))
