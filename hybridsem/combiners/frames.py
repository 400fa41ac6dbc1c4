"""Role similarity over several predicates: the frames of two sentences are assigned to each other,
then compared.

    "She came, and he left early."         "He left."
      come   Agent She                        leave  Agent He
      leave  Agent he, Time early    ──────   (the best assignment: "come" stays alone)

    score = Σ (w_i + w_j) · s_ij / (Σ w_i + Σ w_j)

over the assigned frames i of one sentence and j of the other. s_ij is the role similarity of
:class:`~hybridsem.combiners.RoleCombiner`; the weight w is 1 for the main frame and :data:`OTHERS`
for the rest. The assignment is the one with the highest score, found exactly. A frame without a
partner adds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem.combiners.alignment import align_roles
from hybridsem.combiners.base import Batch, Combiner, lone_lines, row_cosines
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.combiners.role_swaps import RoleSwapCombiner
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.embeddings.words import filler_vectors
from hybridsem.errors import InputError
from hybridsem.explanations import RoleMatch
from hybridsem.structures import Filler, RoleStructure

__all__ = ["OTHERS", "FrameCombiner", "Frames", "over_frames"]

Frames = Literal["main", "all"]

OTHERS = 0.5
"""The weight of a frame that is not the main one."""

Fillers = Mapping[str, Filler]


def over_frames(combiner: Combiner, frames: Frames, model: str) -> Combiner:
    """Return the combiner of the ``main`` frames, ``combiner``, or of ``all`` frames.

    Raises :class:`InputError` for a combiner that compares no VerbNet-style roles, and for other
    ``frames``.
    """
    if frames not in get_args(Frames):
        raise InputError(f"unknown frames, got {frames!r}; it is 'main' or 'all'")
    if isinstance(combiner, HybridCombiner):
        if frames == "main":
            raise InputError(f"{model} reads all frames, so frames= is 'all'; got {frames!r}")
        return combiner
    if isinstance(combiner, RoleSwapCombiner):
        roles = over_frames(combiner.roles, frames, model)
        return replace(combiner, roles=roles) if isinstance(roles, RoleCombiner) else combiner
    if not isinstance(combiner, RoleCombiner) or combiner.formalism != "verbnet":
        raise InputError(
            f"frames= is for models that compare VerbNet-style roles, and {model!r} does not"
        )
    if frames == "main":
        return combiner
    if type(combiner) is not RoleCombiner:
        raise InputError(
            f"{model} is of the main predicates alone, so frames= is 'main'; got {frames!r}"
        )
    return FrameCombiner(**{each.name: getattr(combiner, each.name) for each in fields(combiner)})


@dataclass(frozen=True)
class FrameCombiner(RoleCombiner):
    """:class:`RoleCombiner` over all frames; see the module's docstring."""

    def matches(self, batch: Batch) -> list[list[RoleMatch]]:
        """Return the lines of every pair, the main frames' first; a failed parse has none."""
        frames: dict[int, list[Fillers]] = {
            index: [frame.fillers for frame in structure.frames]
            for index, structure in batch.parsed().items()
        }
        keys = [
            (i, n, role)
            for i, found in frames.items()
            for n, fillers in enumerate(found)
            for role in fillers
        ]
        row = {key: at for at, key in enumerate(keys)}
        table = filler_vectors(self.vectors, [frames[i][n][role].words for i, n, role in keys])
        found: list[list[RoleMatch]] = []
        for pair in batch.pairs:
            if not frames.keys() >= {*pair}:
                found.append([])
                continue
            first, second = batch.canonical(pair)
            aligned = {
                (n, m): align_roles(fillers1, fillers2, self.pairings)
                for n, fillers1 in enumerate(frames[first])
                for m, fillers2 in enumerate(frames[second])
            }
            rows = [
                (row[first, n, role1], row[second, m, role2])
                for (n, m), roles in aligned.items()
                for role1, role2, _ in roles
            ]
            cosines = iter(row_cosines(table, rows))
            lines = {
                (n, m): self._lines(
                    frames[first][n],
                    frames[second][m],
                    [(*roles_, next(cosines)) for roles_ in roles],
                )
                for (n, m), roles in aligned.items()
            }
            assigned = _assigned(lines, frames[first], frames[second])
            if first != pair[0]:
                assigned = [_reversed(match) for match in assigned]
            found.append(assigned)
        return found

    def vectors_of(self, structures: Sequence[RoleStructure]) -> Float32Array:
        """Raise :class:`InputError`: no inner product finds an assignment."""
        raise InputError(f"{self.model} over all frames gives no vectors; use frames='main'")


def _assigned(
    lines: Mapping[tuple[int, int], list[RoleMatch]], frames1: list[Fillers], frames2: list[Fillers]
) -> list[RoleMatch]:
    """Return the best assignment's lines, each with its share of the score, then lone frames."""
    from scipy.optimize import linear_sum_assignment

    weights1, weights2 = ([1.0] + [OTHERS] * (len(frames) - 1) for frames in (frames1, frames2))
    shares = np.add.outer(weights1, weights2) / (sum(weights1) + sum(weights2))
    scores = np.array(
        [
            [sum(match.contribution for match in lines[n, m]) for m in range(len(frames2))]
            for n in range(len(frames1))
        ]
    )
    rows, columns = (places.tolist() for places in linear_sum_assignment(-shares * scores))
    found = [
        replace(match, weight=match.weight * share, contribution=match.contribution * share)
        for n, m in zip(rows, columns, strict=True)
        for share in [float(shares[n, m])]
        for match in lines[n, m]
    ]
    return found + lone_lines(
        (item for n, frame in enumerate(frames1) if n not in rows for item in frame.items()),
        (item for m, frame in enumerate(frames2) if m not in columns for item in frame.items()),
    )


def _reversed(match: RoleMatch) -> RoleMatch:
    """Return a line with the sentences in the other order."""
    return replace(
        match, role1=match.role2, role2=match.role1, filler1=match.filler2, filler2=match.filler1
    )
