"""The hybrid: a sentence encoder's cosine, corrected where structure shows that the same things
stand in other roles.

    score = (1 - β) · c  +  max(c, 0) · (β·R - k_swap·X - k_moved·M - k_polarity·P)

c   the cosine of the sentence vectors
R   the role similarity of VerbNet-CN, normalised by the matched roles
X   the share of the sentences' words that have *changed places*: words of the two sentences are assigned to each other
    by meaning alone, whatever their roles. A word whose partner stands in another role flows from
    that role to the other; X is the part of the flow that is balanced, what comes into a role
    against what leaves it. "The dog bit the man" and "The man bit the dog" exchange Agent and
    Patient, so all of it is; "The vase broke" and "He broke the vase" is not.
M   the share of words that have moved without such an exchange
P   1 if one main clause is negated and the other is not

A role that only one sentence has is first paired with a compatible one, as VerbNet-CN does, and
roles are those of each word's own clause (frames that a labeller has found of nouns within a phrase
are none), clauses being assigned to each other by their predicates. A head counts 1, a modifier ½.
Sentences without a verb have no places to exchange, so X and M are 0 there.

The constants were chosen on the 2022 pilot of STS3k, STSb dev and SICK train
(``models/hybrid/choose.py``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, IntArray
from hybridsem.combiners.alignment import align_roles
from hybridsem.combiners.base import Batch
from hybridsem.combiners.roles import RoleCombiner, covered
from hybridsem.combiners.sentence import sentence_line
from hybridsem.embeddings.words import WordVectors, filler_vectors
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch, Term
from hybridsem.structures import Frame, Role, RoleStructure

__all__ = ["FusionConstants", "HybridCombiner"]


HEAD, MODIFIER = 1.0, 0.5
ALIKE = 0.5
"""The cosine from which two words may be partners."""
PREFER_SAME = 1e-3
"""Decides between partners that are equally alike."""


@dataclass(frozen=True)
class FusionConstants:
    """The weights of the formula above: β, k_swap, k_moved, k_polarity."""

    roles: float = 0.1
    swap: float = 0.75
    moved: float = 0.1
    polarity: float = 0.2


class Place(NamedTuple):
    """Where a content word stands: the index of its clause, its role there, and what it counts."""

    clause: int
    role: str
    weight: float


@dataclass(frozen=True)
class Places:
    """The content words of a sentence with their places."""

    words: tuple[str, ...]
    places: tuple[Place, ...]
    predicates: tuple[tuple[str, ...], ...]
    verbal: bool
    negated: bool


class Moved(NamedTuple):
    """Two words that are partners and stand in different places; ``flow`` is their share of all
    words.
    """

    word1: str
    word2: str
    role1: str
    role2: str
    similarity: float
    flow: float


def places_of(structure: RoleStructure) -> Places:
    """Where each content word of a structure stands.

    A verb stands in its own clause, the head of a phrase in the first clause that has the phrase as
    a role (and not in the relative clause that says more about it), any other word in the innermost
    phrase round it.
    """
    found: dict[tuple[int, ...], tuple[tuple[int, int], str, Place]] = {}
    clauses = _clauses(structure)
    for clause, frame in enumerate(clauses):
        subject_of_be = frame.predicate == "be" and Role.AGENT not in frame.fillers
        for order, (role, filler) in enumerate(frame.fillers.items()):
            # What a sentence is about stands first, be it said with a copula or with a verb.
            slot = Role.AGENT if subject_of_be and role == Role.PATIENT else str(role)
            is_verb = role == Role.VERB and _is_verb(structure, filler.head)
            for n, word in enumerate(filler.words):
                is_head = not filler.content or filler.content[n] == filler.head
                rank = (0, 0) if is_verb else (1, clause) if is_head else (2, len(filler.tokens))
                place = Place(clause, slot, HEAD if is_head or role == Role.VERB else MODIFIER)
                token = (filler.content[n],) if filler.content else (clause, order, n)
                if token not in found or rank < found[token][0]:
                    found[token] = rank, word, place
    at = [found[token] for token in sorted(found)]
    verb = structure.roles.get(Role.VERB)
    return Places(
        words=tuple(word for _, word, _ in at),
        places=tuple(place for *_, place in at),
        predicates=tuple(
            frame.fillers[Role.VERB].words
            if Role.VERB in frame.fillers
            else tuple(frame.predicate.split())
            for frame in clauses
        ),
        verbal=verb is not None and _is_verb(structure, verb.head),
        negated=structure.main.negated,
    )


def _clauses(structure: RoleStructure) -> list[Frame]:
    """The frames of clauses: not those that a labeller has found of nouns and adjectives within a
    phrase.
    """
    seen: set[int] = set()
    clauses = []
    for frame in structure.frames:
        verb = frame.fillers.get(Role.VERB)
        inside = verb is not None and verb.head in seen and not _is_verb(structure, verb.head)
        if not (inside and frame.arguments):
            clauses.append(frame)
        seen.update(token for filler in frame.fillers.values() for token in filler.tokens)
    return clauses


def _is_verb(structure: RoleStructure, head: int | None) -> bool:
    """Whether the word at ``head`` is a verb; True where there is no tree to tell."""
    return structure.tree is None or head is None or structure.tree[head].pos in ("VERB", "AUX")


def same_places(first: Places, second: Places, clause_cosines: Float64Array) -> list[Place]:
    """The places of ``second`` in the terms of ``first``.

    Clauses are assigned by their predicates' cosines (the main ones a little before others), roles
    within two clauses by :func:`align_roles`; a clause without partner keeps a number of its own.
    """
    from scipy.optimize import linear_sum_assignment

    if len(first.predicates) == len(second.predicates) == 1:
        partners = {0: 0}
    else:
        # Between clauses whose predicates are equally alike, up to rounding, their order decides.
        clause_cosines = clause_cosines + PREFER_SAME * np.eye(*clause_cosines.shape)
        clause_cosines[0, 0] += 0.2
        rows, columns = linear_sum_assignment(-clause_cosines)
        partners = dict(zip(columns.tolist(), rows.tolist(), strict=True))
    renamed: dict[tuple[int, str], tuple[int, str]] = {}
    for clause2, clause1 in partners.items():
        roles1 = dict.fromkeys(place.role for place in first.places if place.clause == clause1)
        roles2 = dict.fromkeys(place.role for place in second.places if place.clause == clause2)
        renamed |= {
            (clause2, role2): (clause1, role1) for role1, role2, _ in align_roles(roles1, roles2)
        }
    moved = []
    for clause, role, weight in second.places:
        clause1, role1 = renamed.get((clause, role), (partners.get(clause, -1 - clause), role))
        moved.append(Place(clause1, role1, weight))
    return moved


def exchange(
    first: Places, second: Places, cosines: Float64Array, clause_cosines: Float64Array
) -> tuple[float, list[Moved]]:
    """How much changed places (X) and the words that stand in other places, whose flows add up to X
    + M.

    ``cosines`` (words of first, words of second) and ``clause_cosines`` likewise for predicates.
    """
    from scipy.optimize import linear_sum_assignment

    if not (first.verbal and second.verbal and first.places and second.places):
        return 0.0, []
    there = same_places(first, second, clause_cosines)
    same = np.array(
        [[(a[:2] == b[:2]) + 0.5 * (a.weight == b.weight) for b in there] for a in first.places]
    )
    gain = np.where(cosines >= ALIKE, cosines + PREFER_SAME * same, 0)
    size = (sum(place.weight for place in first.places) + sum(place.weight for place in there)) / 2
    left: defaultdict[tuple[int, str], float] = defaultdict(float)
    entered: defaultdict[tuple[int, str], float] = defaultdict(float)
    moved = []
    for i, j in zip(*linear_sum_assignment(-gain), strict=True):
        here, place, cosine = first.places[i], there[j], float(cosines[i, j])
        if cosine < ALIKE or here[:2] == place[:2]:
            continue
        flow = cosine * (here.weight + place.weight) / 2 / size
        left[here[:2]] += flow
        entered[place[:2]] += flow
        moved.append(
            Moved(first.words[i], second.words[j], here.role, second.places[j].role, cosine, flow)
        )
    return sum(min(flow, entered[place]) for place, flow in left.items()), moved


@dataclass(frozen=True)
class HybridCombiner:
    """The fusion of VerbNet-CN's role similarity with the cosine of sentence vectors; see the
    module's docstring.
    """

    model: str
    roles: RoleCombiner
    constants: FusionConstants = FusionConstants()
    reads_vectors = True

    @property
    def formalism(self) -> str:
        """The structures it reads."""
        return self.roles.formalism

    @property
    def vectors(self) -> WordVectors:
        """The word vectors by which words are partners."""
        return self.roles.vectors

    def bounds(self, batch: Batch, rows: IntArray, columns: IntArray) -> Float64Array:
        """What the scores of the batch's sentences ``rows`` with ``columns`` are at most, (r, c).

        With R at its most, 1, and the terms that are taken away at 0, the formula is c, or (1 -
        β)·c for c below 0.
        """
        if batch.vectors is None:
            raise InputError("this model compares sentence vectors, and the batch has none")
        cosines = _products(batch.vectors[rows], batch.vectors[columns])
        # A little more, for the cosine of a pair may be rounded otherwise.
        return np.minimum(
            np.where(cosines < 0, (1 - self.constants.roles) * cosines, cosines) + 1e-6, 1
        )

    def explain(self, batch: Batch) -> list[Explanation]:
        """One explanation a pair: the sentence's line, a line a role, a line for each pair of words
        that moved.
        """
        batch = covered(batch, self.vectors)
        structures = batch.structures or ()
        read = {i: places_of(s) for i, s in enumerate(structures) if isinstance(s, RoleStructure)}
        row: dict[tuple[str, ...], int] = {}
        for places in read.values():
            for phrase in (*((word,) for word in places.words), *places.predicates):
                row.setdefault(phrase, len(row))
        table = filler_vectors(self.vectors, list(row))
        words = {i: table[[row[word,] for word in places.words]] for i, places in read.items()}
        predicates = {
            i: table[[row[predicate] for predicate in places.predicates]]
            for i, places in read.items()
        }
        explanations = []
        for pair, cosine, lines in zip(
            batch.pairs, batch.cosines().tolist(), self.roles.matches(batch), strict=True
        ):
            if batch.failed(pair) is not None:
                explanations.append(batch.explanation(pair, self.model, ()))
                continue
            # In an order that does not depend on how the pair was given, so that ties cannot break
            # the symmetry.
            one, two = sorted(pair, key=lambda i: batch.sentences[i])
            cosines = _products(words[one], words[two])
            if not (
                words[one].any(1).all() and words[two].any(1).all()
            ):  # a word is like itself, known or not
                cosines[
                    np.equal.outer(
                        np.array(read[one].words, object), np.array(read[two].words, object)
                    )
                ] = 1
            x, moved = exchange(
                read[one], read[two], cosines, _products(predicates[one], predicates[two])
            )
            if (one, two) != tuple(pair):
                moved = [
                    Moved(m.word2, m.word1, m.role2, m.role1, m.similarity, m.flow) for m in moved
                ]
            polarity = float(read[one].negated != read[two].negated)
            matches = self._lines(cosine, lines, x, moved, polarity)
            details = {
                "cosine": cosine,
                "role_similarity": sum(line.contribution for line in lines),
                "exchanged": x,
                "moved": sum(m.flow for m in moved) - x,
                "polarity_differs": polarity,
            }
            explanations.append(batch.explanation(pair, self.model, matches, details))
        return explanations

    def _lines(
        self,
        cosine: float,
        roles: Sequence[RoleMatch],
        x: float,
        moved: Sequence[Moved],
        polarity: float,
    ) -> list[RoleMatch]:
        """The terms of the formula as lines that add up to the score, each its weight times its
        similarity.
        """
        constants, scale = self.constants, max(cosine, 0.0)
        lines = [sentence_line(cosine, 1 - constants.roles)]
        share = constants.roles * scale
        lines += [
            replace(line, weight=line.weight * share, contribution=line.contribution * share)
            for line in roles
        ]
        flows = sum(m.flow for m in moved)
        for m in moved:
            lost = (
                scale * m.flow * (constants.moved + (constants.swap - constants.moved) * x / flows)
            )
            weight = -lost / m.similarity
            lines.append(
                RoleMatch(
                    m.role1, m.role2, m.word1, m.word2, m.similarity, weight, -lost, term=Term.SWAP
                )
            )
        if polarity:
            lost = -constants.polarity * scale
            lines.append(RoleMatch(None, None, None, None, 1.0, lost, lost, term=Term.POLARITY))
        return lines


def _products(first: Float32Array, second: Float32Array) -> Float64Array:
    """The cosines of two sets of unit rows, within [-1, 1]."""
    return np.clip(np.asarray(first @ second.T, np.float64), -1, 1)
