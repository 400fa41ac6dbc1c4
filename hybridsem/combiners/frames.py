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
from itertools import product
from typing import Literal, get_args

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.assignment import assignment
from hybridsem.combiners.base import Batch, Combiner, lone_lines
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.combiners.role_swaps import RoleSwapCombiner
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.errors import InputError
from hybridsem.explanations import RoleMatch
from hybridsem.structures import Filler, RoleStructure

Frames = Literal["main", "all"]

OTHERS = 0.5
"""The weight of a frame that is not the main one."""


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
        frames: list[RoleStructure] = []
        rows: dict[int, range] = {}
        for index, structure in batch.parsed().items():
            rows[index] = range(len(frames), len(frames) + len(structure.frames))
            frames += [replace(structure, frames=(frame,)) for frame in structure.frames]
        ordered = {pair: batch.canonical(pair) for pair in batch.pairs if rows.keys() >= {*pair}}
        pairs = [of for one, two in ordered.values() for of in product(rows[one], rows[two])]
        compared = super().matches(replace(batch, structures=frames, pairs=pairs))
        lines = dict(zip(pairs, compared, strict=True))
        roles = [frame.roles for frame in frames]
        found: list[list[RoleMatch]] = []
        for pair in batch.pairs:
            first, second = ordered.get(pair, pair)
            assigned = _assigned(lines, roles, rows[first], rows[second]) if pair in ordered else []
            found.append(assigned if first == pair[0] else [_reversed(one) for one in assigned])
        return found

    def vectors_of(self, structures: Sequence[RoleStructure]) -> Float32Array:
        """Raise :class:`InputError`: no inner product finds an assignment."""
        raise InputError(f"{self.model} over all frames gives no vectors; use frames='main'")


def _assigned(
    lines: Mapping[tuple[int, int], list[RoleMatch]],
    roles: Sequence[Mapping[str, Filler]],
    frames1: range,
    frames2: range,
) -> list[RoleMatch]:
    """Return the best assignment's lines, each with its share of the score, then lone frames."""
    weights1, weights2 = ([1.0] + [OTHERS] * (len(frames) - 1) for frames in (frames1, frames2))
    shares = np.add.outer(weights1, weights2) / (sum(weights1) + sum(weights2))
    scores = [[sum(one.contribution for one in lines[n, m]) for m in frames2] for n in frames1]
    rows, columns = zip(*assignment(shares * scores), strict=True)
    found = [
        replace(match, weight=match.weight * share, contribution=match.contribution * share)
        for row, column in zip(rows, columns, strict=True)
        for share in [float(shares[row, column])]
        for match in lines[frames1[row], frames2[column]]
    ]
    return found + lone_lines(
        (item for row, n in enumerate(frames1) if row not in rows for item in roles[n].items()),
        (item for row, m in enumerate(frames2) if row not in columns for item in roles[m].items()),
    )


def _reversed(match: RoleMatch) -> RoleMatch:
    """Return a line with the sentences in the other order."""
    return replace(
        match, role1=match.role2, role2=match.role1, filler1=match.filler2, filler2=match.filler1
    )
