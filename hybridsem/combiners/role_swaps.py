"""The hybrid of 0.1.0 (``hybrid-0.1``): a sentence encoder's cosine, corrected where structure
shows that words have other roles.

    score = (1 - β) · c  +  max(c, 0) · (β·R - k_swap·X - k_moved·M - k_polarity·P)

c   the cosine of the sentence vectors
R   the role similarity of VerbNet-CN, normalised by the matched roles
X   the share of the sentences' words that have *swapped roles*. Words are aligned by meaning alone.
    A word whose partner has another role flows from that role to the other; X is the balanced part
    of the flow. "The dog bit the man" and "The man bit the dog" swap Agent and Patient; "The vase
    broke" and "He broke the vase" swap nothing.
M   the share of words that have another role without such a swap
P   1 if one main clause is negated and the other is not

A role that only one sentence has is first paired with a compatible one, as in VerbNet-CN. Roles are
those of each word's own clause (frames of nouns within a phrase are none), and clauses are aligned
by their predicates. A head counts 1, a modifier ½. Sentences without a verb have X = M = 0.

The formula and its constants do not change, so that published figures can be repeated. The
constants were chosen on the 2022 pilot of STS3k, STSb dev and SICK train
(``models/hybrid/choose.py``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, IntArray
from hybridsem._utils.assignment import assignment
from hybridsem._utils.exact import dots
from hybridsem.combiners.base import Batch
from hybridsem.combiners.roles import RoleCombiner, covered
from hybridsem.combiners.sentence import sentence_line
from hybridsem.comparison.role_alignment import align_roles
from hybridsem.embeddings.words import WordVectors, filler_vectors
from hybridsem.explanations import Explanation, RoleMatch, Term
from hybridsem.structures import Frame, Role, RoleStructure

HEAD_WEIGHT, MODIFIER_WEIGHT = 1.0, 0.5
MIN_COSINE = 0.5
"""The lowest cosine of partners."""
TIE_BREAK = 1e-3
"""The bonus that decides between equally similar partners."""


@dataclass(frozen=True)
class RoleSwapConstants:
    """The weights of the formula above: β, k_swap, k_moved, k_polarity."""

    roles: float = 0.1
    swap: float = 0.75
    moved: float = 0.1
    polarity: float = 0.2


class RoleSlot(NamedTuple):
    """A role of one of a sentence's clauses."""

    clause: int
    role: str


class RolePosition(NamedTuple):
    """The slot of a content word, and the word's weight there."""

    slot: RoleSlot
    weight: float


@dataclass(frozen=True)
class WordRoles:
    """The content words of a sentence with their positions in its clauses.

    ``predicates`` are the words of each clause's predicate; the main one is a verb if ``verbal``.
    """

    words: tuple[str, ...]
    positions: tuple[RolePosition, ...]
    predicates: tuple[tuple[str, ...], ...]
    verbal: bool
    negated: bool


class DisplacedWord(NamedTuple):
    """Partners with different roles; ``flow`` is their share of both sentences' words."""

    word1: str
    word2: str
    role1: str
    role2: str
    similarity: float
    flow: float


def word_roles(structure: RoleStructure) -> WordRoles:
    """Return the position of each content word of a structure.

    A verb belongs to its own clause, the head of a phrase to the first clause with the phrase as a
    role (not to its relative clause), any other word to the innermost phrase around it.
    """
    best: dict[tuple[int, ...], tuple[tuple[int, int], str, RolePosition]] = {}
    clauses = _clauses(structure)
    for clause, frame in enumerate(clauses):
        subject_of_be = frame.predicate == "be" and Role.AGENT not in frame.fillers
        for order, (role, filler) in enumerate(frame.fillers.items()):
            # The subject has one role, with a copula or with a verb.
            slot_role = Role.AGENT if subject_of_be and role == Role.PATIENT else str(role)
            is_verb = role == Role.VERB and _is_verb(structure, filler.head)
            for n, word in enumerate(filler.words):
                is_head = not filler.content or filler.content[n] == filler.head
                rank = (0, 0) if is_verb else (1, clause) if is_head else (2, len(filler.tokens))
                weight = HEAD_WEIGHT if is_head or role == Role.VERB else MODIFIER_WEIGHT
                token = (filler.content[n],) if filler.content else (clause, order, n)
                if token not in best or rank < best[token][0]:
                    best[token] = rank, word, RolePosition(RoleSlot(clause, slot_role), weight)
    in_order = [best[token] for token in sorted(best)]
    verb = structure.roles.get(Role.VERB)
    return WordRoles(
        words=tuple(word for _, word, _ in in_order),
        positions=tuple(position for *_, position in in_order),
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
    """Return the frames of clauses: not those of nouns and adjectives within a phrase."""
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
    """Test if the word at ``head`` is a verb; True without a tree."""
    return structure.tree is None or head is None or structure.tree[head].pos in ("VERB", "AUX")


def aligned_positions(
    first: WordRoles, second: WordRoles, clause_cosines: Float64Array
) -> list[RolePosition]:
    """Return the positions of ``second``, with the clauses and roles of ``first``.

    Clauses are aligned by their predicates' cosines, with a bonus for the main ones, and roles
    within two clauses by :func:`align_roles`. A clause without a partner gets a negative number.
    """
    if len(first.predicates) == len(second.predicates) == 1:
        partners = {0: 0}
    else:
        # The order decides between clauses whose predicates are equally similar, up to rounding.
        clause_cosines = clause_cosines + TIE_BREAK * np.eye(*clause_cosines.shape)
        clause_cosines[0, 0] += 0.2
        partners = {column: row for row, column in assignment(clause_cosines)}
    renamed: dict[RoleSlot, RoleSlot] = {}
    for clause2, clause1 in partners.items():
        aligned = align_roles(_roles_of(first, clause1), _roles_of(second, clause2))
        renamed |= {
            RoleSlot(clause2, role2): RoleSlot(clause1, role1) for role1, role2, _ in aligned
        }
    return [
        RolePosition(
            renamed.get(slot, RoleSlot(partners.get(slot.clause, -1 - slot.clause), slot.role)),
            weight,
        )
        for slot, weight in second.positions
    ]


def _roles_of(sentence: WordRoles, clause: int) -> list[str]:
    """Return the roles of a clause's content words, each once, in their order."""
    return list(dict.fromkeys(slot.role for slot, _ in sentence.positions if slot.clause == clause))


def swapped_roles(
    first: WordRoles, second: WordRoles, cosines: Float64Array, clause_cosines: Float64Array
) -> tuple[float, list[DisplacedWord]]:
    """Return X, in [0, 1], and the words with other roles, whose flows add up to X + M.

    Cosines of words and of predicates have a row for each of the first sentence and a column for
    each of the second.
    """
    if not (first.verbal and second.verbal and first.positions and second.positions):
        return 0.0, []
    there = aligned_positions(first, second, clause_cosines)
    same = np.array(
        [
            [(a.slot == b.slot) + 0.5 * (a.weight == b.weight) for b in there]
            for a in first.positions
        ]
    )
    gain = np.where(cosines >= MIN_COSINE, cosines + TIE_BREAK * same, 0)
    size = (sum(a.weight for a in first.positions) + sum(b.weight for b in there)) / 2
    left: defaultdict[RoleSlot, float] = defaultdict(float)
    entered: defaultdict[RoleSlot, float] = defaultdict(float)
    displaced = []
    for i, j in assignment(gain):
        source, target, cosine = first.positions[i], there[j], float(cosines[i, j])
        if cosine < MIN_COSINE or source.slot == target.slot:
            continue
        flow = cosine * (source.weight + target.weight) / 2 / size
        left[source.slot] += flow
        entered[target.slot] += flow
        roles = source.slot.role, second.positions[j].slot.role
        displaced.append(DisplacedWord(first.words[i], second.words[j], *roles, cosine, flow))
    return sum(min(flow, entered[slot]) for slot, flow in left.items()), displaced


@dataclass(frozen=True)
class RoleSwapCombiner:
    """The fusion of VerbNet-CN's role similarity with the cosine of sentence vectors."""

    model: str
    roles: RoleCombiner
    constants: RoleSwapConstants = RoleSwapConstants()
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
        """Return upper bounds of the scores of sentences ``rows`` with ``columns``, (r, c).

        With R = 1 and X = M = P = 0 the formula is c, or (1 - β)·c for c below 0.
        """
        cosines = _products(batch.unit_vectors[rows], batch.unit_vectors[columns])
        # A little more, as the cosine of a pair may be rounded differently.
        return np.minimum(
            np.where(cosines < 0, (1 - self.constants.roles) * cosines, cosines) + 1e-6, 1
        )

    def explain(self, batch: Batch) -> list[Explanation]:
        """Explain each pair with lines for the cosine, the roles and the displaced words."""
        batch = covered(batch, self.vectors)
        read = {index: word_roles(structure) for index, structure in batch.parsed().items()}
        row: dict[tuple[str, ...], int] = {}
        for sentence in read.values():
            for phrase in (*((word,) for word in sentence.words), *sentence.predicates):
                row.setdefault(phrase, len(row))
        table = filler_vectors(self.vectors, list(row))
        words = {i: table[[row[word,] for word in one.words]] for i, one in read.items()}
        predicates = {
            i: table[[row[phrase] for phrase in one.predicates]] for i, one in read.items()
        }
        explanations = []
        for pair, cosine, lines in zip(
            batch.pairs, batch.cosines().tolist(), self.roles.matches(batch), strict=True
        ):
            if batch.failed(pair) is not None:
                explanations.append(batch.explanation(pair, self.model, ()))
                continue
            first, second = batch.canonical(pair)
            cosines = _products(words[first], words[second])
            if not (words[first].any(1).all() and words[second].any(1).all()):
                # A word is the same as itself, known or not.
                cosines[
                    np.equal.outer(
                        np.array(read[first].words, object), np.array(read[second].words, object)
                    )
                ] = 1
            swapped, displaced = swapped_roles(
                read[first],
                read[second],
                cosines,
                _products(predicates[first], predicates[second]),
            )
            if (first, second) != tuple(pair):
                displaced = [
                    DisplacedWord(two, one, role2, role1, *figures)
                    for one, two, role1, role2, *figures in displaced
                ]
            polarity = float(read[first].negated != read[second].negated)
            matches = self._lines(cosine, lines, swapped, displaced, polarity)
            details = {
                "cosine": cosine,
                "role_similarity": sum(line.contribution for line in lines),
                "exchanged": swapped,
                "moved": sum(word.flow for word in displaced) - swapped,
                "polarity_differs": polarity,
            }
            explanations.append(batch.explanation(pair, self.model, matches, details))
        return explanations

    def _lines(
        self,
        cosine: float,
        roles: Sequence[RoleMatch],
        swapped: float,
        displaced: Sequence[DisplacedWord],
        polarity: float,
    ) -> list[RoleMatch]:
        """Return the formula's terms as lines that add up to the score."""
        constants, scale = self.constants, max(cosine, 0.0)
        lines = [sentence_line(cosine, 1 - constants.roles)]
        share = constants.roles * scale
        lines += [
            replace(line, weight=line.weight * share, contribution=line.contribution * share)
            for line in roles
        ]
        flows = sum(word.flow for word in displaced)
        for word1, word2, role1, role2, similarity, flow in displaced:
            rate = constants.moved + (constants.swap - constants.moved) * swapped / flows
            lost = scale * flow * rate
            figures = similarity, -lost / similarity, -lost
            lines.append(RoleMatch(role1, role2, word1, word2, *figures, term=Term.SWAP))
        if polarity:
            lost = -constants.polarity * scale
            lines.append(RoleMatch(None, None, None, None, 1.0, lost, lost, term=Term.POLARITY))
        return lines


def _products(first: Float32Array, second: Float32Array) -> Float64Array:
    """Return the cosines of two sets of unit rows, within [-1, 1]."""
    return np.clip(dots(first, second), -1, 1)
