"""AMR-CN: the mean cosine of the words on the same paths of two graphs (Fodor, De Deyne & Suzuki 2024, Eq. 3).

    :class:`PathCombiner`    RoleStructure of formalism "amr" → Explanation, a line for every node of either graph

Where several nodes have one path, each is compared with at most one of the other graph, so that the sum of the cosines
is the largest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from hybridsem.combiners import Batch, Floats, Normalise, covered, relative_weights
from hybridsem.embeddings.words import WordVectors, filler_vectors
from hybridsem.errors import InputError
from hybridsem.structures import Explanation, Filler, RoleMatch, RoleStructure

__all__ = ["PathCombiner"]

_MODIFIER = re.compile(r":ARG\d-of(?=:|$)")

Node = tuple[str, Filler, int]
"""Its role, its filler, the row of its vector."""


@dataclass(frozen=True)
class PathCombiner:
    """The weighted mean of the cosines between nodes on the same path.

    A node counts ``decay`` to the power of its depth: 1, each the same, is the published form. ``collapse`` reads
    ``:ARG0-of``, ``:ARG1-of``, … as ``:mod``, because the same modifier is the one or the other, depending on whether
    its concept has a frame. ``normalise`` says what divides the sum of weight · cosine: ``dice``, half the weights of
    all nodes of both graphs, as the figures of the release are computed; ``union``, each pair that was compared
    counted once; ``matched``, the pairs alone.
    """

    model: str
    vectors: WordVectors
    normalise: Normalise = "dice"
    decay: float = 1.0
    collapse: bool = False
    formalism = "amr"
    reads_vectors = False

    def __post_init__(self) -> None:
        if self.normalise not in ("dice", "union", "matched"):
            raise InputError(
                f"{self.model} has an open set of roles, so its normalise= is 'dice', 'union' or 'matched'; "
                f"got {self.normalise!r}"
            )
        if not 0 < self.decay <= 1:
            raise InputError(f"decay is above 0 and at most 1, got {self.decay!r}")

    def explain(self, batch: Batch) -> list[Explanation]:
        """One explanation a pair, with a line for each node that either graph has."""
        batch = covered(batch, self.vectors)
        roles = {
            index: structure.roles
            for index, structure in enumerate(batch.structures or ())
            if isinstance(structure, RoleStructure)
        }
        table = filler_vectors(
            self.vectors, [filler.words for fillers in roles.values() for filler in fillers.values()]
        )
        by_path, row = {}, 0
        for index, fillers in roles.items():
            by_path[index] = self._by_path(fillers, row)
            row += len(fillers)
        return [
            batch.explanation(
                pair,
                self.model,
                self._lines(by_path[pair[0]], by_path[pair[1]], table)
                if pair[0] in by_path and pair[1] in by_path
                else [],
            )
            for pair in batch.pairs
        ]

    def _by_path(self, fillers: Mapping[str, Filler], row: int) -> dict[str, list[Node]]:
        """The nodes of a graph by their path; the first has the vector in ``row``."""
        found: dict[str, list[Node]] = {}
        for at, (role, filler) in enumerate(fillers.items(), start=row):
            path = role.partition("#")[0]
            found.setdefault(_MODIFIER.sub(":mod", path) if self.collapse else path, []).append((role, filler, at))
        return found

    def _lines(self, one: dict[str, list[Node]], two: dict[str, list[Node]], table: Floats) -> list[RoleMatch]:
        """The lines of one pair: what was compared, in the order of the first graph, then what was not."""
        compared: list[tuple[str, Node, Node, float]] = []
        lone: list[tuple[str, Node, bool]] = []
        for path, nodes in one.items():
            left, right = [True] * len(nodes), [True] * len(two.get(path, ()))
            for i, j, cosine in _assigned(nodes, two.get(path, []), table):
                compared.append((path, nodes[i], two[path][j], cosine))
                left[i] = right[j] = False
            lone += [(path, node, True) for node, free in zip(nodes, left, strict=True) if free]
            lone += [(path, node, False) for node, free in zip(two.get(path, ()), right, strict=True) if free]
        lone += [(path, node, False) for path, nodes in two.items() if path not in one for node in nodes]
        # Roles are not keys here: several lines can have the same.
        similarities = {str(at): cosine for at, (*_, cosine) in enumerate(compared)}
        similarities |= dict.fromkeys(map(str, range(len(compared), len(compared) + len(lone))), float("nan"))
        paths = [path for path, *_ in compared] + [path for path, *_ in lone]
        counts = {str(at): self.decay ** _depth(path) for at, path in enumerate(paths)}
        weights = relative_weights(similarities, counts, self.normalise)
        lines = [
            RoleMatch(role1, role2, filler1.text, filler2.text, cosine, weights[str(at)], weights[str(at)] * cosine)
            for at, (_, (role1, filler1, _), (role2, filler2, _), cosine) in enumerate(compared)
        ]
        lines += [RoleMatch(role, None, filler.text, None, 0.0, 0.0, 0.0) for _, (role, filler, _), own in lone if own]
        lines += [
            RoleMatch(None, role, None, filler.text, 0.0, 0.0, 0.0) for _, (role, filler, _), own in lone if not own
        ]
        return lines


def _depth(path: str) -> int:
    """How many edges below the root a path ends."""
    return path.count(":")


def _assigned(one: list[Node], two: list[Node], table: Floats) -> Iterator[tuple[int, int, float]]:
    """Which nodes of a path are compared, and their cosines: 1 for the same words, whatever their vectors."""
    if not one or not two:
        return
    products = table[[row for *_, row in one]].astype(np.float64) @ table[[row for *_, row in two]].T.astype(np.float64)
    cosines = np.clip(products, -1, 1)
    for i, (_, filler1, _) in enumerate(one):
        for j, (_, filler2, _) in enumerate(two):
            if filler1.words == filler2.words:
                cosines[i, j] = 1.0
    if cosines.size == 1:
        yield 0, 0, float(cosines[0, 0])
        return
    from scipy.optimize import linear_sum_assignment

    for i, j in zip(*linear_sum_assignment(-cosines), strict=True):
        yield int(i), int(j), float(cosines[i, j])
