"""This project's models: the hybrids, comparisons of role structures, the embedded cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hybridsem.combiners.alignment import PAIRINGS, VERBNET_WEIGHTS, Normalise
from hybridsem.combiners.base import Combiner
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.embeddings.words import WordVectors
from hybridsem.registry.spec import Build, cosine, declared, without_roles

if TYPE_CHECKING:
    from hybridsem.combiners.hybrid import HybridCombiner


def _hybrid(name: str) -> Build:
    def make(vectors: WordVectors) -> HybridCombiner:
        from hybridsem.combiners.hybrid import HybridCombiner

        return HybridCombiner(name, vectors)

    return without_roles(name, make)


def _role_swaps(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
    from hybridsem.combiners.role_swaps import RoleSwapCombiner

    return RoleSwapCombiner("hybrid-0.1", _verbnet(vectors, normalise))


def _verbnet(vectors: WordVectors, normalise: Normalise | None) -> RoleCombiner:
    return RoleCombiner(
        "verbnet-cn", vectors, VERBNET_WEIGHTS, normalise or "matched", pairings=PAIRINGS
    )


def _published(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
    from hybridsem.combiners.published import PublishedRoleCombiner

    return PublishedRoleCombiner(
        "verbnet-cn-2024", vectors, VERBNET_WEIGHTS, normalise or "total", pairings=PAIRINGS
    )


def _slots(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
    from hybridsem.combiners.slots import WEIGHTS, SlotCombiner

    return SlotCombiner("role-slots", vectors, WEIGHTS, normalise or "total")


MODELS = (
    declared("hybrid", _hybrid("hybrid")),
    declared("hybrid-large", _hybrid("hybrid-large")),
    declared("hybrid-0.1", _role_swaps),
    declared("verbnet-cn", _verbnet),
    declared("verbnet-cn-2024", _published),
    declared("role-slots", _slots),
    declared(
        "dependency-cn",
        lambda vectors, normalise: RoleCombiner(
            "dependency-cn", vectors, {}, normalise or "union", formalism="dependency"
        ),
    ),
    declared("embedded", cosine("embedded")),
    declared("role-encoder", cosine("role-encoder")),
)
