"""Protocols of parsers, and the base of parsers that read structures from dependency trees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from hybridsem.structures import DependencyTree, Parsed, ParseFailure, RoleStructure


@runtime_checkable
class TreeParser(Protocol):
    """A parser from sentences to dependency trees."""

    def trees(self, sentences: Sequence[str]) -> Sequence[DependencyTree | ParseFailure]:
        """Return a tree or a failure for each sentence, in order."""
        ...


@runtime_checkable
class HasTreeParser(Protocol):
    """A parser of roles or graphs over a tree parser."""

    @property
    def tree_parser(self) -> TreeParser | None:
        """The tree parser, or None."""
        ...


@runtime_checkable
class ReadsTrees(HasTreeParser, Protocol):
    """A parser whose structures hold their trees, and can be read from them again."""

    def read(self, trees: Sequence[DependencyTree | ParseFailure]) -> list[Parsed]:
        """Return the structures of trees."""
        ...


class OverTrees(ABC):
    """A parser to structures over ``trees``, a tree parser."""

    def __init__(self, trees: TreeParser) -> None:
        self.tree_parser = trees

    @abstractmethod
    def structure(self, tree: DependencyTree) -> RoleStructure:
        """Return the structure of one tree."""

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """Return a structure, or the tree parser's failure, for each sentence, in order."""
        return self.read(self.tree_parser.trees(sentences))

    def read(self, trees: Sequence[DependencyTree | ParseFailure]) -> list[Parsed]:
        """Return the structures of trees."""
        return [tree if isinstance(tree, ParseFailure) else self.structure(tree) for tree in trees]
