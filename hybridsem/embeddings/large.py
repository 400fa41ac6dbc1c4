"""The encoder of ``hybrid-large``: all-mpnet-base-v2 in 8 bit (``models/encoder/large.py``).

It is fetched by ``hybridsem models download large``, reads the embedded encoder's word pieces and
runs as that does, so a vector depends neither on its batch nor on the processor.
"""

from __future__ import annotations

from pathlib import Path

from hybridsem import assets
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.role_encoder import RoleEncoder

__all__ = ["LargeEncoder"]

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
