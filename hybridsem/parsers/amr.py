"""AMR structures: a word's role is its path of labels from the root (Fodor, De Deyne & Suzuki 2024,
AMR-CN).

    "The small dog chased two cats."    (c / chase-01                 root          chased
                                           :ARG0 (d / dog             :ARG0         dog
                                              :mod (s / small))       :ARG0:mod     small
                                           :ARG1 (c2 / cat            :ARG1         cats
                                              :quant 2))              :ARG1:quant   2

Every node and every constant fills a separate role: a second one on the same path has ``#2``
after it. A repeated mention of a node fills nothing. Conjuncts share the path ``:op`` (sentences
``:snt``), as their order has no meaning. A name is one filler, ``:wiki`` has none. The graphs come
from any :class:`GraphParser`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Protocol, runtime_checkable

from hybridsem.amr import INSTANCE, AmrGraph
from hybridsem.parsers.base import HasTreeParser
from hybridsem.structures import Filler, Frame, Parsed, ParseFailure, RoleStructure

_SENSE = re.compile(r"-\d\d$")
_NUMBERED = re.compile(r":(op|snt)\d+")
_CONSTANTS = {"-": "not", "+": "yes"}


@runtime_checkable
class GraphParser(Protocol):
    """A parser from sentences to AMR graphs."""

    def graphs(self, sentences: Sequence[str]) -> list[AmrGraph | ParseFailure]:
        """Return a graph or a failure for each sentence, in order."""
        ...


class AmrParser:
    """A parser to AMR structures over ``graphs``, a graph parser.

    >>> from hybridsem.parsers.adapters.penman import PenmanGraphs
    >>> graphs = PenmanGraphs({"A dog barked.": "(b / bark-01 :ARG0 (d / dog))"})
    >>> (found,) = AmrParser(graphs).parse(["A dog barked."])
    >>> {role: filler.text for role, filler in found.frames[0].fillers.items()}
    {'root': 'barked', ':ARG0': 'dog'}
    """

    def __init__(self, graphs: GraphParser) -> None:
        self.graph_parser = graphs
        # The pipeline asks it whether a sentence was truncated.
        self.tree_parser = graphs.tree_parser if isinstance(graphs, HasTreeParser) else None

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """Return a structure, or the graph parser's failure, for each sentence, in order."""
        return [
            graph if isinstance(graph, ParseFailure) else structure(graph, sentence)
            for graph, sentence in zip(self.graph_parser.graphs(sentences), sentences, strict=True)
        ]


def structure(graph: AmrGraph, text: str | None = None) -> RoleStructure:
    """Return the structure of a graph: one frame of roles ``root`` and paths (``:ARG0:mod``). A
    filler's words are those of the concept without its sense (``look-forward-03``: look, forward);
    its text is their form in the sentence, if found. ``text`` replaces the graph's text.
    """
    text = graph.text if text is None else text
    written: dict[str, str] = {}
    for word in re.findall(r"\w+", text):
        written.setdefault(word.lower(), word)
    names: dict[str, list[str]] = {}
    for source, role, target in graph.attributes:
        if graph.concepts[source] == "name" and role.startswith(":op"):
            names.setdefault(source, []).append(target.strip('"').lower())
    fillers: dict[str, Filler] = {}
    used: Counter[str] = Counter()
    for path, (source, role, target) in graph.paths():
        if role == INSTANCE:
            words = tuple(names.get(source, ())) or _words(target)
        elif role == ":wiki" or source in names:
            continue
        else:
            words = (_CONSTANTS.get(target, target.strip('"').lower()),)
        label = _label(path)
        used[label] += 1
        role = label if used[label] == 1 else f"{label}#{used[label]}"
        fillers[role] = Filler(" ".join(_form(word, written) for word in words), words)
    negated = (graph.top, ":polarity") in {(source, role) for source, role, _ in graph.attributes}
    frame = Frame(graph.concepts[graph.top], fillers, negated=negated)
    return RoleStructure(text, (frame,), formalism="amr", truncated=graph.truncated, graph=graph)


def _form(word: str, written: Mapping[str, str]) -> str:
    """Return the sentence's word with the stem of ``word``, else ``word``."""
    if word in written or len(word) < 3:
        return written.get(word, word)
    stem = word[: max(3, len(word) - (3 if len(word) > 7 else word.endswith(("e", "y"))))]
    return next((form for low, form in written.items() if low.startswith(stem)), word)


@lru_cache(4096)
def _label(path: tuple[str, ...]) -> str:
    """Return a path as a role."""
    return "".join(_NUMBERED.sub(r":\1", one) for one in path) or "root"


@lru_cache(4096)
def _words(concept: str) -> tuple[str, ...]:
    """Return the words of a concept, without its sense."""
    return tuple(_SENSE.sub("", concept.strip('"')).lower().split("-"))
