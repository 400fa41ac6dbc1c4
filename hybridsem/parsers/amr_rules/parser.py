"""AMR graphs from dependency trees (UD labels as in English EWT), by rules and tables of counts.

    "The dog that was bought barks."     (b / bark-01
                                            :ARG0 (d / dog
                                                  :ARG1-of (b2 / buy-01)))

Nothing is trained end to end and nothing is downloaded. Structure is code: ``sentence.py`` builds
a draft with the functions that ``grammar.py`` lists by part of speech and relation. Knowledge is
tables: ``tables.py``, and ``hybridsem/data/amr.json`` with the frames of words. Every graph is
connected and well formed, whatever the tree.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridsem.amr import AmrGraph
from hybridsem.parsers.amr_rules.frames import Frames, shipped
from hybridsem.parsers.amr_rules.sentence import sentence_graph
from hybridsem.parsers.base import TreeParser
from hybridsem.structures import DependencyTree, ParseFailure

__all__ = ["EmbeddedAmr", "graph_of"]


class EmbeddedAmr:
    """Sentences to AMR graphs, by way of a tree parser.

    Args:
        trees: A parser whose trees have UD's relations.

    >>> from hybridsem.registry import parser
    >>> (found,) = parser("embedded", "amr").parse(["A dog barked."])
    >>> found.graph.to_penman(metadata=False, indent=None)
    '(b / bark-01 :ARG0 (d / dog))'
    """

    def __init__(self, trees: TreeParser) -> None:
        self.tree_parser = trees

    def graphs(self, sentences: Sequence[str]) -> list[AmrGraph | ParseFailure]:
        """One graph a sentence, in order; without a tree it keeps its :class:`ParseFailure`."""
        return self.read(self.tree_parser.trees(sentences))

    def read(self, trees: Sequence[DependencyTree | ParseFailure]) -> list[AmrGraph | ParseFailure]:
        """The graphs of trees that are there already."""
        return [tree if isinstance(tree, ParseFailure) else graph_of(tree) for tree in trees]


def graph_of(tree: DependencyTree, frames: Frames | None = None) -> AmrGraph:
    """The AMR graph of a tree.

    Args:
        tree: A dependency tree with UD's relations.
        frames: What is known of words' frames; None: what ships.

    >>> from hybridsem.parsers.trees.embedded import EmbeddedTrees
    >>> (tree,) = EmbeddedTrees().trees(["A dog barked."])
    >>> graph_of(tree).to_penman(metadata=False, indent=None)
    '(b / bark-01 :ARG0 (d / dog))'
    """
    return sentence_graph(tree, shipped() if frames is None else frames)
