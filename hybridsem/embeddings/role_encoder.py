"""The role encoder: who did what to whom in one vector.

It has the lower layers of the embedded encoder; its upper layers were trained on the
comparison of pairs (``models/role_encoder``). It is as fast and reads as many word pieces.
"""

from __future__ import annotations

from collections.abc import Sequence

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
