"""A graph as numbered nodes and triples, which the metrics count.

    (c / chase-01 :polarity - :ARG0 (d / dog) :ARG1 (c2 / cat))

    concepts    chase-01  dog  cat              one a node, the top is node 0
    paths       root  :ARG0  :ARG1              the roles that lead to a node
    edges       (0, arg0, 1)  (0, arg1, 2)      no role inverted
    attributes  (0, polarity, -)

Names are compared as in the ``smatch`` tool: in lower case, without quotes and trailing
underscores. A repeated triple counts once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hybridsem.amr import INSTANCE, AmrGraph

Edges = tuple[tuple[int, str, int], ...]


@dataclass(frozen=True)
class Labelled:
    """A graph whose constants are also nodes, after the concepts, for kernels and n-grams.
    ``labels`` and ``paths`` have one entry a node, ``edges`` are (source, role, target).
    """

    labels: tuple[str, ...]
    paths: tuple[str, ...]
    edges: Edges


@dataclass(frozen=True)
class Triples:
    """A graph's normalised triples; equal for equal graphs, whatever their variables."""

    concepts: tuple[str, ...]
    edges: Edges
    attributes: tuple[tuple[int, str, str], ...]
    paths: tuple[str, ...] = field(compare=False)

    @classmethod
    def of(cls, graph: AmrGraph) -> Triples:
        """Return the triples of an AMR graph."""
        number = {variable: i for i, variable in enumerate(graph.concepts)}
        paths = {
            triple.source: "".join(path)
            for path, triple in graph.paths()
            if triple.role == INSTANCE
        }
        edges = ((number[a], role[1:].lower(), number[b]) for a, role, b in graph.edges)
        constants = ((number[a], role[1:].lower(), _normal(b)) for a, role, b in graph.attributes)
        return cls(
            tuple(map(_normal, graph.concepts.values())),
            tuple(dict.fromkeys(edges)),
            tuple(dict.fromkeys(constants)),
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
    """Return a concept or constant in the form that is compared."""
    return name.strip('"').lower().rstrip("_") or name
