"""A graph as numbered nodes and triples: what the metrics count.

    (c / chase-01 :polarity - :ARG0 (d / dog) :ARG1 (c2 / cat))

    concepts    chase-01  dog  cat              one a node, the top is node 0
    paths       root  :ARG0  :ARG1              how the notation leads to a node
    edges       (0, arg0, 1)  (0, arg1, 2)      inverted roles turned round
    attributes  (0, polarity, -)

Names are compared as the ``smatch`` tool compares them: in lower case, without quotes and trailing
underscores. A triple that is written twice is one triple.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hybridsem.amr import INSTANCE, AmrGraph

Edges = tuple[tuple[int, str, int], ...]


@dataclass(frozen=True)
class Labelled:
    """A graph whose constants are nodes too, after those of the concepts: what the kernels and
    n-grams read.

    ``labels`` and ``paths`` are one a node, ``edges`` are (source, role, target).
    """

    labels: tuple[str, ...]
    paths: tuple[str, ...]
    edges: Edges


@dataclass(frozen=True)
class Triples:
    """A graph's triples, normalised; equal for equal graphs, whatever their variables.

    >>> graph = AmrGraph.from_penman("(b / bark-01 :ARG0 (d / dog))", "A dog barks.")
    >>> Triples.of(graph).concepts
    ('bark-01', 'dog')
    """

    concepts: tuple[str, ...]
    edges: Edges
    attributes: tuple[tuple[int, str, str], ...]
    paths: tuple[str, ...] = field(compare=False)

    @classmethod
    def of(cls, graph: AmrGraph) -> Triples:
        """The triples of an AMR graph."""
        number = {variable: i for i, variable in enumerate(graph.concepts)}
        paths = {
            triple.source: "".join(path)
            for path, triple in graph.paths()
            if triple.role == INSTANCE
        }
        return cls(
            tuple(map(_normal, graph.concepts.values())),
            tuple(
                dict.fromkeys(
                    (number[source], role[1:].lower(), number[to])
                    for source, role, to in graph.edges
                )
            ),
            tuple(
                dict.fromkeys(
                    (number[node], role[1:].lower(), _normal(to))
                    for node, role, to in graph.attributes
                )
            ),
            tuple(paths[variable] or "root" for variable in graph.concepts),
        )

    def __len__(self) -> int:
        """The number of triples, with the one that marks the top."""
        return len(self.concepts) + len(self.edges) + len(self.attributes) + 1

    @property
    def labelled(self) -> Labelled:
        """The graph with a node for every constant."""
        first = len(self.concepts)
        above = [path if i else "" for i, path in enumerate(self.paths)]
        return Labelled(
            (*self.concepts, *(value for *_, value in self.attributes)),
            (*self.paths, *(f"{above[node]}:{role}" for node, role, _ in self.attributes)),
            (
                *self.edges,
                *((node, role, first + i) for i, (node, role, _) in enumerate(self.attributes)),
            ),
        )


def _normal(name: str) -> str:
    """A concept or constant as it is compared."""
    return name.strip('"').lower().rstrip("_") or name
