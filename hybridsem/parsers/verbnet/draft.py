"""The frame of one predicate while its dependents are read, each by a handler for its relation.

A table has a handler for a relation with its subtype (``compound:prt``) or without; here are those
for what predicates of every kind may have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hybridsem.english.words import FOCUS_ADVERBS, NEGATORS
from hybridsem.parsers.trees.clauses import Clauses
from hybridsem.parsers.verbnet.adjuncts import adverb_roles, clause_roles
from hybridsem.parsers.verbnet.candidates import (
    ELSEWHERE,
    OBLIQUE_RANK,
    RANKS,
    SUBJECT_RANK,
    Candidate,
)
from hybridsem.parsers.verbnet.tables import Preferences
from hybridsem.structures import Role

AGENT: Preferences = (Role.AGENT, Role.PATIENT, Role.THEME)
PATIENT: Preferences = (Role.PATIENT, Role.THEME)
THEME: Preferences = (Role.THEME, Role.PATIENT)
COMPLEMENT: Preferences = (Role.THEME, Role.PATIENT, Role.MANNER)
MANNER: Preferences = (Role.MANNER,)
COPULA_SUBJECT: Preferences = (Role.PATIENT, Role.THEME)


@dataclass
class Draft:
    """What has been read of a predicate.

    ``chain`` leads from the head of the clause to the predicate (``has`` to ``go``), ``dependents``
    are those of all its words. ``tokens`` are the words of the predicate so far, ``asides`` the
    dependents that are to have frames of their own.
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
        """The relations of the dependents, without subtypes."""
        self.voice = "active"

    def add(self, i: int, roles: Preferences, rank: int | None = None) -> None:
        """Make a candidate of ``i`` and all below; a relative pronoun stands for its antecedent."""
        clauses = self.clauses
        rank = RANKS.get(clauses.base[i], OBLIQUE_RANK) if rank is None else rank
        tokens: Sequence[int] = clauses.subtree(i)
        if clauses.is_relative(i):
            clause = clauses.tokens[i].head
            if clause >= 0 and clauses.relation[clause] == "acl:relcl":
                promoted = clause == clauses.promoted
                i = clauses.tree.root if promoted else clauses.tokens[clause].head
                tokens = clauses.without(clauses.subtree(i), clause)
        self.candidates.append(Candidate(rank, i, roles, tokens))

    def add_shared_subject(self, roles: Preferences) -> None:
        """Make a candidate of the subject of another clause, where it is this one's too."""
        shared = self.clauses.shared_subject(self.chain[0])
        if shared:
            self.candidates.append(Candidate(SUBJECT_RANK, ELSEWHERE, roles, shared))

    def leave_out(self, clause: int) -> None:
        """Take the words of a clause or phrase out of the candidates that hold it."""
        self.candidates = [each.without(clause, self.clauses) for each in self.candidates]

    def has_content(self, i: int) -> bool:
        """Whether there is a content word in the phrase of ``i``."""
        return bool(self.clauses.content(self.clauses.subtree(i)))


D = TypeVar("D", bound=Draft)
Handlers = Mapping[str, Callable[[D, int], None]]
"""By relation, what is done with a dependent."""


def handle(draft: D, handlers: Handlers[D], default: Callable[[D, int], None]) -> None:
    """Read the dependents in their order."""
    relation, base = draft.clauses.relation, draft.clauses.base
    for i in draft.dependents:
        handler = handlers.get(relation[i]) or handlers.get(base[i]) or default
        handler(draft, i)


def _adverb(draft: Draft, i: int) -> None:
    word = draft.clauses.lower[i]
    if word in NEGATORS or (word in FOCUS_ADVERBS and not draft.has_content(i)):
        _function_word(draft, i)
    else:
        draft.add(i, adverb_roles(draft.clauses, i))


def _adverbial_clause(draft: Draft, i: int) -> None:
    draft.add(i, clause_roles(draft.clauses, i))


def _function_word(draft: Draft, i: int) -> None:
    """What hangs from a word that is in no filler: "two days" in "two days after he left"."""
    below = draft.clauses.subtree(i)
    content = draft.clauses.content(below) if len(below) > 1 else ()
    if content:
        draft.candidates.append(Candidate(RANKS["advmod"], i, MANNER, content))


def _auxiliary(draft: Draft, i: int) -> None:
    """Nothing: what hangs from it is among the predicate's own dependents."""


def _vocative(draft: Draft, i: int) -> None:
    draft.add(i, AGENT)


def _aside(draft: Draft, i: int) -> None:
    if draft.has_content(i):
        draft.asides.add(i)


def unclassified(draft: Draft, i: int) -> None:
    """A dependent with any other relation: a predicate stands beside, the rest is a Manner."""
    if draft.clauses.is_predicate(i):
        _aside(draft, i)
    elif draft.has_content(i):
        draft.add(i, MANNER)


FUNCTION_RELATIONS = frozenset({"aux", "case", "cc", "cop", "det", "expl", "mark", "punct"})

ANY_PREDICATE: Handlers[Draft] = {
    "advmod": _adverb,
    "advcl": _adverbial_clause,
    "vocative": _vocative,
    **dict.fromkeys(FUNCTION_RELATIONS, _function_word),
    **dict.fromkeys(("aux", "cop"), _auxiliary),
    **dict.fromkeys(("appos", "conj", "dep", "discourse", "dislocated", "list"), _aside),
    **dict.fromkeys(("orphan", "parataxis", "reparandum"), _aside),
}
