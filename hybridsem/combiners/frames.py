"""Role similarity over several predicates: the frames of two sentences are assigned to each other,
then compared.

    "She came, and he left early."         "He left."
      come   Agent She                        leave  Agent He
      leave  Agent he, Time early    ──────   (the best assignment: "come" stays alone)

    score = Σ (w_i + w_j) · s_ij / (Σ w_i + Σ w_j)

over the assigned frames i of one sentence and j of the other, where s_ij is the similarity of their
roles as :class:`~hybridsem.combiners.RoleCombiner` has it, and w the weight of a frame: 1 for the
main one, :data:`OTHERS` for the rest. The assignment is the one with the highest score, found
exactly. A frame that stays alone adds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem.combiners.alignment import align_roles
from hybridsem.combiners.base import Batch, Combiner, row_cosines
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
"""What a frame counts that is not the main one."""

Fillers = Mapping[str, Filler]


def over_frames(combiner: Combiner, frames: Frames, model: str) -> Combiner:
    """``combiner`` comparing the ``main`` frames only, as it does, or ``all`` frames of two
    sentences.

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
        """The lines of every pair, the main frames' first; a pair with a failed parse has none."""
        frames: dict[int, list[Fillers]] = {
            index: [frame.fillers for frame in structure.frames]
            for index, structure in enumerate(batch.structures or ())
            if isinstance(structure, RoleStructure)
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
        for one, two in batch.pairs:
            if one not in frames or two not in frames:
                found.append([])
                continue
            # In an order that does not depend on how the pair was given, so that ties cannot break
            # the symmetry.
            first, second = sorted((one, two), key=lambda i: batch.sentences[i])
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
            compared = {
                key: [(*roles_, next(cosines)) for roles_ in roles]
                for key, roles in aligned.items()
            }
            lines = {
                (n, m): self._lines(frames[first][n], frames[second][m], c)
                for (n, m), c in compared.items()
            }
            assigned = _assigned(lines, frames[first], frames[second])
            found.append(
                assigned
                if (first, second) == (one, two)
                else [_turned(match) for match in assigned]
            )
        return found

    def vectors_of(self, structures: Sequence[RoleStructure]) -> Float32Array:
        """Not to be had: no inner product finds an assignment."""
        raise InputError(f"{self.model} over all frames gives no vectors; use frames='main'")


def _assigned(
    lines: Mapping[tuple[int, int], list[RoleMatch]], frames1: list[Fillers], frames2: list[Fillers]
) -> list[RoleMatch]:
    """The best assignment's lines, each with its share of the score, then those of lone frames."""
    from scipy.optimize import linear_sum_assignment

    weights1, weights2 = ([1.0] + [OTHERS] * (len(frames) - 1) for frames in (frames1, frames2))
    shares = np.add.outer(weights1, weights2) / (sum(weights1) + sum(weights2))
    scores = np.array(
        [
            [sum(match.contribution for match in lines[n, m]) for m in range(len(frames2))]
            for n in range(len(frames1))
        ]
    )
    pairs = list(
        zip(*(side.tolist() for side in linear_sum_assignment(-shares * scores)), strict=True)
    )
    found = [
        replace(match, weight=match.weight * share, contribution=match.contribution * share)
        for n, m in pairs
        for share in [float(shares[n, m])]
        for match in lines[n, m]
    ]
    for n in sorted(set(range(len(frames1))) - {n for n, _ in pairs}):
        found += [
            RoleMatch(role, None, filler.text, None, 0.0, 0.0, 0.0)
            for role, filler in frames1[n].items()
        ]
    for m in sorted(set(range(len(frames2))) - {m for _, m in pairs}):
        found += [
            RoleMatch(None, role, None, filler.text, 0.0, 0.0, 0.0)
            for role, filler in frames2[m].items()
        ]
    return found


def _turned(match: RoleMatch) -> RoleMatch:
    return replace(
        match, role1=match.role2, role2=match.role1, filler1=match.filler2, filler2=match.filler1
    )
