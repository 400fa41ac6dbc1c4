"""Semantic roles, learned from PropBank: predicates, rolesets, arguments with labels, on the encoder's pass.

    tree + word vectors --> predicates --> rolesets --> arguments (heads in the tree) --> VerbNet and general roles

The heads (``models/roles``) are trained on PropBank over EWT; their weights are CC BY-SA 4.0.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridsem.embeddings.embedded import EmbeddedEncoder, Encoded
from hybridsem.structures import DependencyTree, Predicate

__all__ = ["SemanticRoles"]


class SemanticRoles:
    """Labels trees with predicates; shares its ``encoder``'s pass."""

    def __init__(self, encoder: EmbeddedEncoder | None = None) -> None:
        self.encoder = encoder or EmbeddedEncoder()

    def label(
        self,
        trees: Sequence[DependencyTree],
        encoded: Sequence[Encoded],
        predicates: Sequence[Sequence[int]] | None = None,
    ) -> list[tuple[Predicate, ...]]:
        """The predicates of each tree, in order; ``predicates`` gives their indices where they are known."""
        raise NotImplementedError
