"""The models that compare AMR graphs."""

from __future__ import annotations

from hybridsem.combiners.alignment import Normalise
from hybridsem.combiners.base import Combiner
from hybridsem.embeddings.words import WordVectors
from hybridsem.registry.spec import Build, declared


def _paths(name: str, decay: float = 1.0, collapse: bool = False) -> Build:
    def build(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
        from hybridsem.combiners.paths import PathCombiner

        return PathCombiner(name, vectors, normalise or "dice", decay, collapse)

    return build


def _averaged(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
    from hybridsem.combiners.paths import PathCombiner

    return PathCombiner("amr-cn-2024", vectors, normalise or "union", averaged=True)


MODELS = (
    declared("amr-cn", _paths("amr-cn")),
    declared("amr-cn-depth", _paths("amr-cn-depth", decay=2 / 3)),
    declared("amr-cn-collapsed", _paths("amr-cn-collapsed", collapse=True)),
    declared("amr-cn-2024", _averaged),
)
