"""AMR graphs out of dependency trees: each word that is no function word a node, each relation an edge."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hybridsem.amr import INSTANCE, AmrGraph
from hybridsem.parsers.over_trees import TreeParser
from hybridsem.structures import DependencyTree, ParseFailure

__all__ = ["EmbeddedAmr"]

_LABELS = {"nsubj": ":ARG0", "obj": ":ARG1", "iobj": ":ARG2", "obl": ":location", "nummod": ":quant"}
_FUNCTION = frozenset({"aux", "case", "cc", "cop", "det", "expl", "mark", "punct"})


class EmbeddedAmr:
    """A graph parser over any tree parser."""

    def __init__(self, trees: TreeParser) -> None:
        self.tree_parser = trees

    def graphs(self, sentences: Sequence[str]) -> list[AmrGraph | ParseFailure]:
        """One graph a sentence, in order; a sentence without a tree keeps its :class:`ParseFailure`."""
        return [t if isinstance(t, ParseFailure) else graph(t) for t in self.tree_parser.trees(sentences)]


def graph(tree: DependencyTree) -> AmrGraph:
    """The graph of ``tree``."""
    triples: list[tuple[str, str, str]] = []
    stack = [(tree.root, "", "")]
    while stack:
        i, above, label = stack.pop()
        if above:
            triples.append((above, label, f"x{i}"))
        concept = re.sub(r'[\s()/:~"]+', "", tree[i].lemma.lower()) or "thing"
        triples.append((f"x{i}", INSTANCE, f"{concept}-01" if tree[i].pos == "VERB" else concept))
        for c in reversed(tree.children(i)):
            base = tree[c].relation.partition(":")[0]
            if base not in _FUNCTION:
                stack.append((c, f"x{i}", _LABELS.get(base, ":mod")))
    return AmrGraph.from_triples(triples, f"x{tree.root}", tree.text)
