"""Set operations by role: the fillers of A and B that the target has, and those it should have.

                wanted from A            wanted from B
    overlap     fillers that B has       fillers that A has
    difference  fillers that B lacks     nothing
    union       everything               everything

Two fillers correspond if they have the same role, or roles that VerbNet-CN pairs, and their cosine
reaches .5, the hybrid's limit for partners. Fillers of all clauses count, since a fused sentence
has several. Recall is the share of the wanted fillers that the target has, precision the share of
the target's fillers that are wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem.combiners.alignment import PAIRINGS
from hybridsem.datasets.set_operations import DIFFERENCE, OPERATORS, OVERLAP, Sample
from hybridsem.embeddings.words import filler_vectors
from hybridsem.errors import InputError
from hybridsem.pipeline import Pipeline
from hybridsem.structures import ParseFailure, Role, RoleStructure

ALIKE = 0.5
_PAIRED = frozenset(pair for one, two in PAIRINGS for pair in ((one, two), (two, one)))


@dataclass(frozen=True)
class Part:
    """A filler of A, of B, or of the target alone (``source`` is then ``target``). ``shared``: the
    other sentence has it too. ``kept`` is the corresponding text in the target, and ``similarity``
    their cosine.
    """

    source: str
    role: str
    text: str
    shared: bool
    wanted: bool
    kept: str | None
    similarity: float


@dataclass(frozen=True)
class RoleSets:
    """A sample's parts; ``precision`` and ``recall`` are None if there is nothing to count."""

    sample: Sample
    parts: tuple[Part, ...]
    precision: float | None
    recall: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)

    def __str__(self) -> str:
        lines = []
        for part in self.parts:
            if part.source == "target":
                sign, kept = "+", ""
            else:
                sign = ("=" if part.kept else "!") if part.wanted else ("!" if part.kept else "-")
                kept = f"  {part.kept} ({part.similarity:.2f})" if part.kept else ""
            lines.append(f"{sign} {part.source:<6} {part.role:<10} {part.text}{kept}")
        shares = (("precision", self.precision), ("recall", self.recall))
        told = ", ".join(
            f"{name} {'–' if share is None else f'{share:.2f}'}" for name, share in shares
        )
        return "\n".join([*lines, f"{self.sample.operator}: role {told}"])


class _Filler(NamedTuple):
    role: str
    text: str
    row: int


def role_sets(samples: Sequence[Sample], nlp: Pipeline) -> list[RoleSets | ParseFailure]:
    """Return the parts of each sample in order; a failure if one of its sentences has no roles.
    Raises :class:`InputError` for a pipeline whose parser gives no VerbNet-style roles.
    """
    if nlp.combiner.formalism != "verbnet":
        raise InputError(
            f"roles are of a model such as 'verbnet-cn' or 'hybrid', got {nlp.spec.name!r}"
        )
    texts = list(dict.fromkeys(text for one in samples for text in (one.a, one.b, one.target)))
    parsed = dict(zip(texts, nlp.parse(texts), strict=True))
    words: list[tuple[str, ...]] = []
    fillers: dict[str, list[_Filler]] = {}
    for text, structure in parsed.items():
        if isinstance(structure, RoleStructure):
            every = [item for frame in structure.frames for item in frame.fillers.items()]
            found = {(str(role), filler.text): filler.words for role, filler in every}
            fillers[text] = [_Filler(*name, row) for row, name in enumerate(found, len(words))]
            words += found.values()
    table = filler_vectors(nlp.vectors, words)
    results: list[RoleSets | ParseFailure] = []
    for sample in samples:
        given = (sample.a, sample.b, sample.target)
        if failed := [one for text in given if isinstance(one := parsed[text], ParseFailure)]:
            results.append(failed[0])
        else:
            results.append(_sets(sample, [fillers[text] for text in given], table))
    return results


def summary(found: Sequence[RoleSets | ParseFailure]) -> dict[str, dict[str, float | int | None]]:
    """Return mean precision and recall by operator (None: no sample), and recall by wanted role."""
    results: dict[str, dict[str, float | int | None]] = {}
    for operator in OPERATORS:
        known = [one for one in found if isinstance(one, RoleSets)]
        if not (sets := [one for one in known if one.sample.operator == operator]):
            continue
        wanted: dict[str, list[bool]] = {}
        for part in (part for one in sets for part in one.parts if part.wanted):
            wanted.setdefault(part.role, []).append(part.kept is not None)
        roles = [str(role) for role in Role if str(role) in wanted]
        results[operator] = {
            "samples": len(sets),
            "precision": _mean([one.precision for one in sets]),
            "recall": _mean([one.recall for one in sets]),
            **{f"recall of {role}": _mean(wanted[role]) for role in roles},
        }
    failed = sum(isinstance(one, ParseFailure) for one in found)
    return results | ({"not parsed": {"samples": failed}} if failed else {})


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _sets(sample: Sample, given: Sequence[list[_Filler]], table: Float32Array) -> RoleSets:
    a, b, target = given
    parts: list[Part] = []
    for source, own, other in (("A", a, b), ("B", b, a)):
        for filler in own:
            shared = _same(filler, other, table) is not None
            of_operator = {OVERLAP: shared, DIFFERENCE: source == "A" and not shared}
            wanted = of_operator.get(sample.operator, True)
            found = _same(filler, target, table)
            kept, similarity = (None, 0.0) if found is None else (found[0].text, found[1])
            parts.append(Part(source, filler.role, filler.text, shared, wanted, kept, similarity))
    good = 0
    for filler in target:
        beside = zip(parts, [*a, *b], strict=False)
        matched = [part for part, one in beside if _same(filler, [one], table) is not None]
        good += any(part.wanted for part in matched)
        if not matched:
            parts.append(Part("target", filler.role, filler.text, False, False, filler.text, 1.0))
    kept_parts = [part.kept is not None for part in parts if part.wanted]
    recall = sum(kept_parts) / len(kept_parts) if kept_parts else None
    return RoleSets(sample, tuple(parts), good / len(target) if target else None, recall)


def _same(
    filler: _Filler, others: Sequence[_Filler], table: Float32Array
) -> tuple[_Filler, float] | None:
    """Return the most similar of the other fillers in a compared role, with the cosine."""
    found = None
    for other in others:
        if other.role != filler.role and (other.role, filler.role) not in _PAIRED:
            continue
        is_equal = other.text.lower() == filler.text.lower()
        cosine = 1.0 if is_equal else float(table[other.row].astype(float) @ table[filler.row])
        if cosine >= ALIKE and (found is None or cosine > found[1]):
            found = (other, cosine)
    return found
