"""Word vectors by name."""

from __future__ import annotations

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords, WordVectors
from hybridsem.registry._parts import given

__all__ = ["vectors"]


def vectors(part: str | WordVectors | None, shared: EmbeddedEncoder | None) -> WordVectors:
    """Word vectors by name, or the object given; the embedded ones use the ``shared`` encoder."""
    if part is None or part == "embedded":
        return EmbeddedWords(shared)
    found: WordVectors = given("vectors", part, WordVectors, {"embedded"})
    return found
