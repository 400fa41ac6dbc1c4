"""The frame of one predicate under construction.

The cat was chased by the dog today.

rank   head     roles, from best to last   tokens
  -1   chased   Verb                       chased
   0   cat      Theme, Patient             The cat
   0   dog      Agent, Patient, Theme      by the dog
   7   today    Time                       today

Each candidate gets the first free one of its roles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from operator import itemgetter
from typing import NamedTuple

from hybridsem.english.words import MONEY, PERSONS
from hybridsem.parsers.trees.clauses import Clauses, Phrases
from hybridsem.parsers.verbnet import tables
from hybridsem.parsers.verbnet.tables import Preferences
from hybridsem.structures import Filler, Role


class Rank(IntEnum):
    """The order in which candidates choose their roles, by relation and then by position."""

    VERB = -1
    NSUBJ = 0
    CSUBJ = 1
    IOBJ = 2
    OBJ = 3
    XCOMP = 4
    CCOMP = 5
    OBL = 6  # and all other relations
    ADVMOD = 7
    ADVCL = 8
    VOCATIVE = 9


ELSEWHERE = -1
"""The head of a candidate that is shared with another clause."""

_RANKS = {rank.name.lower(): rank for rank in Rank}
_ROLES = tuple(Role)
_RANK_AND_HEAD = itemgetter(0, 1)


class Candidate(NamedTuple):
    """A phrase that may fill a role; the candidate with the lowest ``rank`` chooses first."""

    rank: int
    head: int
    roles: Preferences
    tokens: Sequence[int]

    def without(self, clause: int, phrases: Phrases) -> Candidate:
        """Return the candidate without the subtree of a clause inside it."""
        return Candidate(self.rank, self.head, self.roles, phrases.without(self.tokens, clause))


def fill(candidates: Iterable[Candidate], phrases: Phrases) -> dict[str, Filler]:
    """Return the fillers by role; a word is in one filler only.

    Each candidate gets the first free one of its roles, or shares the last.
    """
    tokens_of: dict[str, list[int]] = {}
    heads: dict[str, int] = {}
    used: set[int] = set()
    for _, head, roles, tokens in sorted(candidates, key=_RANK_AND_HEAD):
        if not used.isdisjoint(tokens):
            tokens = [t for t in tokens if t not in used]
        if not tokens:
            continue
        used.update(tokens)
        for role in roles:
            if role not in tokens_of:
                tokens_of[role], heads[role] = [*tokens], phrases.head_of(tokens, head)
                break
        else:
            tokens_of[role] += tokens
    return {
        role: phrases.filler(tokens_of[role], heads[role]) for role in _ROLES if role in tokens_of
    }


def phrase_roles(phrases: Phrases, i: int, verb: str) -> Preferences:
    """Return the roles of the phrase of ``i``, with a preposition or without, for a verb lemma."""
    preposition, noun = phrases.preposition(i), phrases.lemma[i]
    may_be_time = not preposition or preposition in tables.TIME_PREPOSITIONS
    if may_be_time and phrases.is_time(i, preposition):
        return (Role.TIME,)
    if not preposition:
        if phrases.relation[i] == "obl:agent":
            return tables.PATIENT
        return tables.ADVERBS.get(phrases.lower[i], tables.MANNER)
    roles = _roles_by_verb(preposition, verb)
    if roles is not None:
        return roles
    if noun in tables.MANNER_NOUNS.get(preposition, ()) or (preposition == "for" and noun in MONEY):
        return tables.MANNER
    if preposition in tables.PATHS and verb in tables.MOTION:
        return (Role.TRAJECTORY,)
    if preposition in ("to", "unto"):
        person = noun in PERSONS or phrases.lower[i] in tables.PERSONAL
        return tables.LOCATION if verb in tables.DATIVE_GOAL and not person else tables.PATIENT
    if preposition == "through" and verb not in tables.MOTION:
        return tables.MANNER
    return tables.PREPOSITIONS.get(preposition, tables.LOCATION)


def _roles_by_verb(preposition: str, verb: str) -> Preferences | None:
    by_verb = tables.PREPOSITIONS_BY_VERB.get(preposition, ())
    return next((roles for verbs, roles in by_verb if verb in verbs), None)


def holds_theme(phrases: Phrases, i: int, verb: str) -> bool:
    """Test if ``i`` is the Theme of ``verb``, not the object: "filled the cup with tea"."""
    preposition = phrases.preposition(i)
    if not tables.COMPANIONS.get(preposition, False):
        return preposition in tables.COMPANIONS
    roles = _roles_by_verb(preposition, verb) or tables.MANNER
    return roles[0] == Role.THEME and not phrases.is_time(i, preposition)


@dataclass
class Draft:
    """A predicate's frame under construction.

    ``chain`` leads from the head of the clause to the predicate (``has`` to ``go``), ``dependents``
    are those of all its words. ``tokens`` are the words of the predicate so far. The dependents in
    ``asides`` get separate frames.
    """

    clauses: Clauses
    chain: list[int]
    dependents: list[int]
    tokens: list[int]
    candidates: list[Candidate] = field(default_factory=list)
    asides: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.head = self.chain[-1]
        self.bases = {self.clauses.base[c] for c in self.dependents}
        self.voice = "active"

    def add(self, i: int, roles: Preferences, rank: int | None = None) -> None:
        """Make the subtree of ``i`` a candidate; a relative pronoun becomes its antecedent."""
        clauses = self.clauses
        rank = _RANKS.get(clauses.base[i], Rank.OBL) if rank is None else rank
        clause = clauses.tokens[i].head
        tokens: Sequence[int] = clauses.subtree(i)
        opens_clause = clause >= 0 and clauses.is_relative(i)
        if opens_clause and (clauses.relation[clause] == "acl:relcl" or clauses.is_cleft(clause)):
            if clause == clauses.promoted:
                i = clauses.tree.root
                tokens = clauses.without(clauses.subtree(i), clause)
            else:
                i = clauses.tokens[clause].head
                tokens = clauses.antecedent(clause)
        self.candidates.append(Candidate(rank, i, roles, tokens))

    def add_shared_subject(self, roles: Preferences) -> None:
        """Make a subject that is shared with another clause a candidate."""
        shared = self.clauses.shared_subject(self.chain[0])
        if shared:
            self.candidates.append(Candidate(Rank.NSUBJ, ELSEWHERE, roles, shared))

    def leave_out(self, clause: int) -> None:
        """Remove the words of a clause or phrase from the candidates."""
        left = (each.without(clause, self.clauses) for each in self.candidates)
        self.candidates = [each for each in left if each.tokens]

    def has_content(self, i: int) -> bool:
        """Test if the phrase of ``i`` has a content word."""
        return bool(self.clauses.content(self.clauses.subtree(i)))
