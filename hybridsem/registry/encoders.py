"""Sentence encoders by name."""

from __future__ import annotations

from typing import Any

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import WordVectors
from hybridsem.registry._parts import given
from hybridsem.registry.protocols import SentenceEncoder

__all__ = ["encoder"]


def encoder(
    part: str | SentenceEncoder | None, embedded: EmbeddedEncoder | None = None, vectors: WordVectors | None = None
) -> Any:
    """A sentence encoder by name, or the object given.

    ``embedded`` is the embedded encoder that is shared; ``vectors`` are the word vectors that encoders by arithmetic
    compose.
    """
    if part is None or part == "embedded":
        return embedded or EmbeddedEncoder()
    return given("encoder", part, SentenceEncoder, {"embedded"})
