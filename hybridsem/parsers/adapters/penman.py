r"""AMR graphs from PENMAN files, the AMR JSON of the STS3k release, or a mapping.

    # ::id 17                     {"1": ["A dog barked.", "It rained.",
    # ::snt A dog barked.                "# ::snt A dog barked.\n(b / bark-01 …)", "# ::snt …"], …}
    (b / bark-01
       :ARG0 (d / dog))

Graphs in a file are separated by blank lines, comments, or an opening bracket at the start of a
line. An unreadable graph becomes a :class:`ParseFailure` that names file, line and id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hybridsem._utils.lines import LineReader, read_json
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem.amr import AmrGraph, Triple
from hybridsem.errors import FormatError, InputError
from hybridsem.structures import ParseFailure

_ID = re.compile(r"^#.*::id\s+(\S+)", re.MULTILINE)
_DIFFERENT = "there are two different graphs for this sentence"
_SENTENCE = re.compile(r"^#\s*+::snt(?:-\d+)?[ \t]++(.*\S)", re.MULTILINE)


class PenmanGraphs:
    """A graph parser that looks sentences up, whatever their white space. ``graphs`` maps sentences
    to graphs or their notation. A sentence with two different graphs is a failure. Raises
    :class:`InputError` (a value that is neither).

    >>> parser = PenmanGraphs({"A dog barked.": "(b / bark-01 :ARG0 (d / dog))"})
    >>> (graph,) = parser.graphs(["A dog  barked."])
    >>> graph.top
    'b'
    """

    def __init__(self, graphs: Mapping[str, AmrGraph | ParseFailure | str]) -> None:
        self._graphs: dict[str, AmrGraph | ParseFailure] = {}
        for text, given in graphs.items():
            graph: object = given
            if isinstance(given, str):
                graph = _read(given, text, f"the graph of {text!r:.80}")
            if not isinstance(graph, (AmrGraph, ParseFailure)):
                wanted = f"an AmrGraph or its notation for {text!r:.80}"
                raise InputError(f"expected {wanted}, got {graph!r:.80}")
            self._add(text, graph)

    @classmethod
    def from_file(cls, path: str | Path) -> PenmanGraphs:
        """Read the graphs of a file (see :func:`read_graphs`), by their ``::snt``."""
        found = cls({})
        for graph in read_graphs(path):
            found._add(graph.text, graph)
        return found

    def _add(self, text: str, graph: AmrGraph | ParseFailure) -> None:
        key = " ".join(text.split())
        known = self._graphs.setdefault(key, graph)
        if isinstance(graph, ParseFailure):
            return
        if isinstance(known, ParseFailure):
            if known.reason != _DIFFERENT:  # it may have failed before
                self._graphs[key] = graph
        elif _content(known) != _content(graph):
            self._graphs[key] = ParseFailure(text, _DIFFERENT)

    def graphs(self, sentences: Sequence[str]) -> list[AmrGraph | ParseFailure]:
        """Return a graph, or a failure for a missing sentence, for each sentence."""
        return [
            self._graphs.get(" ".join(sentence.split()))
            or ParseFailure(sentence, "not among the given graphs")
            for sentence in sentences
        ]


@wrap_read_errors
def read_graphs(path: str | Path) -> list[AmrGraph | ParseFailure]:
    """Read all graphs of a text file or a JSON file (``.json``), in order. Raises
    :class:`FormatError` (no graph, or a file that is not text or not JSON).
    """
    name = "standard input" if str(path) == "-" else str(path)
    blocks = _json_blocks if str(path).lower().endswith((".json", ".json.gz")) else _penman_blocks
    graphs = [_read(*block) for block in blocks(path, name)]
    if not graphs:
        raise FormatError(
            "holds no graph; expected (variable / concept …) with comments such as # ::snt", name
        )
    return graphs


_Block = tuple[str, str, str, int | None]
"""A notation with its comments, a default sentence, its place and first line."""


def _penman_blocks(path: str | Path, name: str) -> Iterator[_Block]:
    """Yield the notations of a PENMAN file, and comments with a sentence but no graph."""
    block: list[str] = []
    start, apart, graph, sentence = 0, False, False, False
    for number, line in LineReader(path):
        if not line.strip():
            apart = True
            continue
        comment = line.startswith("#")
        if (graph and (apart or line.startswith(("#", "(")))) or (sentence and apart and comment):
            yield "\n".join(block), "", name, start
            block, graph, sentence = [], False, False
        # A comment such as a file's header is not part of the first graph.
        if not block or (apart and comment):
            block, start = [], number
        # Line numbers include blank lines before the graph.
        block += [""] * (number - start - len(block))
        block.append(line)
        apart, graph = False, graph or not comment
        sentence = sentence or bool(_SENTENCE.match(line))
    if graph or sentence:
        yield "\n".join(block), "", name, start


def _json_blocks(path: str | Path, name: str) -> Iterator[_Block]:
    """Yield the notations in a JSON object's values, with the sentences of their list."""
    data = read_json(path)
    if not isinstance(data, dict):
        wanted = "an object whose values hold graphs"
        raise FormatError(f"expected {wanted}, got {type(data).__name__}", name)
    for key, value in data.items():
        strings, nested = list[str](), [value]
        while nested:
            found = nested.pop()
            strings += [found] if isinstance(found, str) else []
            nested += reversed(found) if isinstance(found, list) else []
        graphs = [string for string in strings if string.lstrip().startswith(("#", "("))]
        texts = [string for string in strings if not string.lstrip().startswith(("#", "("))]
        if len(texts) != len(graphs):
            texts = [""] * len(graphs)
        for number, (graph, text) in enumerate(zip(graphs, texts, strict=True), start=1):
            yield graph, text, f"{name}, entry {key!r}, graph {number}", None


def _read(notation: str, text: str, place: str, line: int | None = None) -> AmrGraph | ParseFailure:
    """Return the graph of a notation, or a failure with its place and reason."""
    try:
        return AmrGraph.from_penman(notation, text)
    except FormatError as error:
        named, sentence = _ID.search(notation), _SENTENCE.search(notation)
        number = line + (error.line or 1) - 1 if line else error.line
        place += f", line {number}" if number else ""
        place += f" (id {named[1]})" if named else ""
        reason = f"{place}: {str(error).removeprefix(f'line {error.line}: ')}"
        return ParseFailure(sentence[1] if sentence else text, reason)


def _content(graph: AmrGraph) -> tuple[str, frozenset[Triple]]:
    """Return a graph's root and triples, without their order."""
    return graph.top, frozenset((*graph.instances, *graph.edges, *graph.attributes))
