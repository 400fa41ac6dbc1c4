"""AMR-CN: the mean cosine of the words on the same paths of two graphs (Fodor, De Deyne & Suzuki
2024, Eq. 3).

Nodes that share a path are each compared with at most one node of the other graph, so that the sum
of the cosines is the largest. With ``averaged``, as Eq. 3 has it, the vectors of all words on a
path are averaged, and there is one cosine for each path.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.assignment import assignment
from hybridsem.combiners.base import Batch, lone_lines, row_cosines
from hybridsem.combiners.roles import covered
from hybridsem.comparison.role_alignment import Normalise
from hybridsem.embeddings.words import WordVectors, filler_vectors
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.structures import Filler

_MODIFIER = re.compile(r":ARG\d-of(?=:|$)")

Node = tuple[str, Filler, int]
"""A role, a filler, the row of its vector."""

Graph = Mapping[str, list[Node]]
"""Nodes by their path."""

Join = tuple[int, int, float]
"""The indices of two compared nodes of a path, and their similarity."""


@dataclass(frozen=True)
class PathCombiner:
    """The weighted mean of the cosines between nodes on the same path.

    The weight of a node is ``decay`` to the power of its depth; the published form has 1.
    ``collapse`` reads ``:ARG0-of``, ``:ARG1-of``, … as ``:mod``, because one modifier may be
    either, depending on whether its concept has a frame. ``normalise`` is the divisor of the sum of
    weight · cosine: ``dice``, half the weights of all nodes, as the figures of the release are
    computed; ``union``, each compared pair counted once; ``matched``, the pairs alone. ``averaged``
    makes one filler of all nodes on a path; ``union`` then divides by the number of different
    paths, as Eq. 3 does.
    """

    model: str
    vectors: WordVectors
    normalise: Normalise = "dice"
    decay: float = 1.0
    collapse: bool = False
    averaged: bool = False
    formalism = "amr"
    reads_vectors = False

    def __post_init__(self) -> None:
        if self.normalise not in ("dice", "union", "matched"):
            raise InputError(
                f"{self.model} has an open set of roles, so its normalise= is 'dice', 'union' "
                f"or 'matched'; got {self.normalise!r}"
            )
        if not 0 < self.decay <= 1:
            raise InputError(f"decay is above 0 and at most 1, got {self.decay!r}")

    def explain(self, batch: Batch) -> list[Explanation]:
        """Explain each pair with a line for each node that either graph has."""
        batch = covered(batch, self.vectors, averaged=self.averaged)
        graphs: dict[int, Graph] = {}
        words: list[tuple[str, ...]] = []
        for index, structure in batch.parsed().items():
            fillers = self._merged(structure.roles) if self.averaged else structure.roles
            graphs[index] = self._by_path(fillers, len(words))
            words += [filler.words for filler in fillers.values()]
        table = filler_vectors(self.vectors, words, averaged=self.averaged)
        pairs = [(graphs.get(one, {}), graphs.get(two, {})) for one, two in batch.pairs]
        joined = _assigned(pairs, table)
        return [
            batch.explanation(
                pair, self.model, [] if batch.failed(pair) else self._lines(*graphs_of, found)
            )
            for pair, graphs_of, found in zip(batch.pairs, pairs, joined, strict=True)
        ]

    def _by_path(self, fillers: Mapping[str, Filler], row: int) -> Graph:
        """Return the nodes of a graph by their path; the vector of the first is in ``row``."""
        found: dict[str, list[Node]] = {}
        for at, (role, filler) in enumerate(fillers.items(), start=row):
            found.setdefault(self._path(role), []).append((role, filler, at))
        return found

    def _path(self, role: str) -> str:
        path = role.partition("#")[0]
        return _MODIFIER.sub(":mod", path) if self.collapse else path

    def _merged(self, fillers: Mapping[str, Filler]) -> dict[str, Filler]:
        """Return a filler for each path, with the words of all its nodes in alphabetical order."""
        by_path: dict[str, list[Filler]] = {}
        for role, filler in fillers.items():
            by_path.setdefault(self._path(role), []).append(filler)
        return {
            path: Filler(
                ", ".join(filler.text for filler in nodes),
                tuple(sorted(word for filler in nodes for word in filler.words)),
            )
            for path, nodes in by_path.items()
        }

    def _lines(self, one: Graph, two: Graph, joined: Mapping[str, list[Join]]) -> list[RoleMatch]:
        """Return the lines of one pair: compared nodes, in the first graph's order, then others."""
        compared, lone1, lone2 = [], [], []
        matched, lone = [], []
        for path in (*one, *(path for path in two if path not in one)):
            nodes1, nodes2, found = one.get(path, []), two.get(path, []), joined.get(path, [])
            weight = self.decay ** path.count(":")  # its depth: a label for each edge from the root
            compared += [(nodes1[i], nodes2[j], cosine, weight) for i, j, cosine in found]
            taken1, taken2 = {i for i, *_ in found}, {j for _, j, _ in found}
            lone1 += [node for i, node in enumerate(nodes1) if i not in taken1]
            lone2 += [node for j, node in enumerate(nodes2) if j not in taken2]
            matched.append(weight * len(found))
            lone.append(weight * (len(nodes1) + len(nodes2) - 2 * len(found)))
        part = {"dice": 0.5, "union": 1.0, "matched": 0.0}[self.normalise]
        divisor = math.fsum(matched) + math.fsum(lone) * part
        lines = []
        for (role1, filler1, _), (role2, filler2, _), cosine, weight in compared:
            share = weight / divisor
            lines.append(
                RoleMatch(role1, role2, filler1.text, filler2.text, cosine, share, share * cosine)
            )
        return lines + lone_lines((node[:2] for node in lone1), (node[:2] for node in lone2))


def _assigned(
    pairs: Sequence[tuple[Graph, Graph]], table: Float32Array
) -> list[dict[str, list[Join]]]:
    """Return the compared nodes of each pair of graphs, by path; the similarity of the same words
    is 1, whatever their vectors.
    """
    both = [
        (number, path, nodes1, two[path])
        for number, (one, two) in enumerate(pairs)
        for path, nodes1 in one.items()
        if path in two
    ]
    # Nearly every path has one node in each graph; these are multiplied together.
    single = [(one[0], two[0]) for *_, one, two in both if len(one) == len(two) == 1]
    cosines = iter(row_cosines(table, [(one[-1], two[-1]) for one, two in single]))
    found: list[dict[str, list[Join]]] = [{} for _ in pairs]
    for number, path, one, two in both:
        if len(one) == len(two) == 1:
            cosine = next(cosines)
            found[number][path] = [(0, 0, 1.0 if one[0][1].words == two[0][1].words else cosine)]
        else:
            found[number][path] = _best(one, two, table)
    return found


def _best(one: Sequence[Node], two: Sequence[Node], table: Float32Array) -> list[Join]:
    """Return the assignment of a path's nodes with the largest sum of cosines."""
    vectors = [table[[row for *_, row in nodes]].astype(np.float64) for nodes in (one, two)]
    number = {filler.words: at for at, (_, filler, _) in enumerate((*one, *two))}
    words = [np.array([number[filler.words] for _, filler, _ in nodes]) for nodes in (one, two)]
    # The last bits of a matrix product depend on the order of the two.
    cosines = np.clip(np.einsum("id,jd->ij", *vectors), -1, 1)
    cosines[words[0][:, None] == words[1]] = 1.0
    return [(i, j, cosines.item(i, j)) for i, j in assignment(cosines)]
