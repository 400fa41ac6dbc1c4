"""Parsers that read structures off dependency trees: what they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from hybridsem.structures import DependencyTree, Parsed, ParseFailure, RoleStructure

__all__ = ["HasTreeParser", "OverTrees", "ReadsTrees", "TreeParser"]


@runtime_checkable
class TreeParser(Protocol):
    """Anything that turns sentences into dependency trees, one result a sentence."""

    def trees(self, sentences: Sequence[str]) -> Sequence[DependencyTree | ParseFailure]:
        """The trees, in order."""
        ...


@runtime_checkable
class HasTreeParser(Protocol):
    """A parser, of roles or of graphs, that rests on a tree parser."""

    @property
    def tree_parser(self) -> TreeParser | None:
        """The tree parser; None where this one rests on none after all."""
        ...


@runtime_checkable
class ReadsTrees(HasTreeParser, Protocol):
    """A parser whose structures hold their trees, and can be read off these again."""

    def read(self, trees: Sequence[DependencyTree | ParseFailure]) -> list[Parsed]:
        """The structures of trees that are there already."""
        ...


class OverTrees(ABC):
    """Sentences to structures, by way of a tree parser. ``trees``: anything with
    ``trees(sentences)``.
    """

    def __init__(self, trees: TreeParser) -> None:
        self.tree_parser = trees

    @abstractmethod
    def structure(self, tree: DependencyTree) -> RoleStructure:
        """The structure of one tree."""

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """One structure a sentence, in order. Without a tree it is a :class:`ParseFailure`."""
        return self.read(self.tree_parser.trees(sentences))

    def read(self, trees: Sequence[DependencyTree | ParseFailure]) -> list[Parsed]:
        """The structures of trees that are there already."""
        return [tree if isinstance(tree, ParseFailure) else self.structure(tree) for tree in trees]
