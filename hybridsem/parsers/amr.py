"""AMR structures: a word's role is its path of labels from the root (Fodor, De Deyne & Suzuki 2024, AMR-CN).

    (c / chase-01                       root        chase
       :ARG0 (d / dog                   :ARG0       dog
          :mod (s / small))             :ARG0:mod   small
       :ARG1 (c2 / cat))                :ARG1       cat

The graphs come from any :class:`GraphParser`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from hybridsem.amr import INSTANCE, AmrGraph
from hybridsem.structures import Filler, Frame, Parsed, ParseFailure, RoleStructure

__all__ = ["AmrParser", "GraphParser", "structure"]

_SENSE = re.compile(r"-\d+$")


@runtime_checkable
class GraphParser(Protocol):
    """Anything that turns sentences into AMR graphs, one result a sentence."""

    def graphs(self, sentences: Sequence[str]) -> list[AmrGraph | ParseFailure]:
        """The graphs, in order."""
        ...


class AmrParser:
    """Sentences to AMR structures, by way of a graph parser."""

    def __init__(self, graphs: GraphParser) -> None:
        self.graph_parser = graphs
        self.tree_parser = getattr(graphs, "tree_parser", None)

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """One structure a sentence, in order; a sentence without a graph keeps its :class:`ParseFailure`."""
        graphs = self.graph_parser.graphs(sentences)
        return [
            graph if isinstance(graph, ParseFailure) else structure(graph, sentence)
            for graph, sentence in zip(graphs, sentences, strict=True)
        ]


def structure(graph: AmrGraph, text: str | None = None) -> RoleStructure:
    """The structure of ``graph``: one frame, whose roles are paths such as ``:ARG0:mod``; ``root`` is always there."""
    fillers: dict[str, Filler] = {}
    for path, (_, role, target) in graph.paths():
        words = tuple(_SENSE.sub("", target.strip('"')).lower().split("-")) if role == INSTANCE else (target,)
        fillers.setdefault("".join(path) or "root", Filler(" ".join(words), words))
    frame = Frame(graph.concepts[graph.top], fillers)
    return RoleStructure(graph.text if text is None else text, (frame,), formalism="amr", graph=graph)
