"""The models that compare AMR graphs."""

from __future__ import annotations

from hybridsem.combiners.alignment import Normalise
from hybridsem.combiners.base import Combiner
from hybridsem.embeddings.words import WordVectors
from hybridsem.registry.spec import PARSER_LICENCE, Build, ModelSpec

__all__ = ["MODELS"]


def _paths(name: str, decay: float = 1.0, collapse: bool = False) -> Build:
    def build(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
        from hybridsem.combiners.paths import PathCombiner

        return PathCombiner(name, vectors, normalise or "dice", decay, collapse)

    return build


def _averaged(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
    from hybridsem.combiners.paths import PathCombiner

    return PathCombiner("amr-cn-2024", vectors, normalise or "union", averaged=True)


_FODOR = "Fodor, De Deyne & Suzuki 2024, Eq. 3"
MODELS = (
    ModelSpec(
        "amr-cn",
        "mean cosine of words over both AMR graphs' paths from the root",
        "embedded",
        PARSER_LICENCE,
        _FODOR,
        _paths("amr-cn"),
    ),
    ModelSpec(
        "amr-cn-depth",
        "amr-cn in which a node counts two thirds of the one above it",
        "embedded",
        PARSER_LICENCE,
        f"{_FODOR}, with weights",
        _paths("amr-cn-depth", decay=2 / 3),
    ),
    ModelSpec(
        "amr-cn-collapsed",
        "amr-cn in which :ARG0-of, :ARG1-of, … are read as :mod",
        "embedded",
        PARSER_LICENCE,
        f"{_FODOR}, with fewer labels",
        _paths("amr-cn-collapsed", collapse=True),
    ),
    ModelSpec(
        "amr-cn-2024",
        "amr-cn to the letter: the words on a path averaged, one cosine for each path of either",
        "embedded",
        PARSER_LICENCE,
        _FODOR,
        _averaged,
        rows=("Fodor: AMR-CN",),
    ),
)
