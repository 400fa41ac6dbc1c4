"""This project's models: the hybrids, comparisons of role structures, the embedded cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hybridsem.combiners.alignment import PAIRINGS, VERBNET_WEIGHTS, Normalise
from hybridsem.combiners.base import Combiner
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.embeddings.words import WordVectors
from hybridsem.registry.spec import PARSER_LICENCE, Build, ModelSpec, cosine, without_roles

if TYPE_CHECKING:
    from hybridsem.combiners.hybrid import HybridCombiner

__all__ = ["MODELS"]


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


_FODOR = "Fodor, De Deyne & Suzuki 2024"
MODELS = (
    ModelSpec(
        "hybrid",
        "sentence cosine, corrected by what differs in words and structure (the default)",
        "embedded",
        PARSER_LICENCE,
        "hybridsem.combiners.hybrid",
        _hybrid("hybrid"),
        parser="verbnet",
    ),
    ModelSpec(
        "hybrid-large",
        "hybrid over a larger sentence encoder: better and slower",
        "a download (110 MB): hybridsem models download large",
        PARSER_LICENCE,
        "hybridsem.combiners.hybrid; all-mpnet-base-v2 in 8 bit",
        _hybrid("hybrid-large"),
        parser="verbnet",
        encoder="large",
    ),
    ModelSpec(
        "hybrid-0.1",
        "the hybrid of version 0.1.0, by the embedded trees and tables of roles",
        "embedded",
        PARSER_LICENCE,
        "hybridsem.combiners.role_swaps",
        _role_swaps,
    ),
    ModelSpec(
        "verbnet-cn",
        "weighted mean of the cosines of fillers of the eight VerbNet-style roles",
        "embedded",
        PARSER_LICENCE,
        f"{_FODOR}, Eq. 2",
        _verbnet,
    ),
    ModelSpec(
        "verbnet-cn-2024",
        "verbnet-cn to the letter: words averaged, the release's stop words, divided by 11",
        "embedded",
        PARSER_LICENCE,
        f"{_FODOR}, Eq. 2",
        _published,
        rows=("Fodor: VerbNet-CN",),
    ),
    ModelSpec(
        "role-slots",
        "inner product of the vectors of VerbNet-CN's roles and of polarity",
        "embedded",
        PARSER_LICENCE,
        f"{_FODOR}, Eq. 2, with one more role",
        _slots,
    ),
    ModelSpec(
        "dependency-cn",
        "mean cosine of words over the union of both sentences' paths of relations",
        "embedded",
        PARSER_LICENCE,
        f"{_FODOR}, the form of Eq. 3",
        lambda vectors, normalise: RoleCombiner(
            "dependency-cn", vectors, {}, normalise or "union", formalism="dependency"
        ),
    ),
    ModelSpec(
        "embedded",
        "cosine of the embedded encoder's sentence vectors",
        "embedded",
        "Apache-2.0",
        "all-MiniLM-L6-v2 in 8 bit",
        cosine("embedded"),
        dimension=384,
    ),
    ModelSpec(
        "role-encoder",
        "cosine of sentence vectors that tell who did what to whom",
        "embedded",
        "Apache-2.0; upper layers CC BY-SA 4.0",
        "hybridsem.embeddings.role_encoder",
        cosine("role-encoder"),
        encoder="role-encoder",
        dimension=384,
    ),
)
