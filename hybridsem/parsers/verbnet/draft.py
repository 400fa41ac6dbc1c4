"""The frame of one predicate under construction, with a handler for each relation.

The cat was chased by the dog today.

rank   head     roles, from best to last   tokens
  -1   chased   Verb                       chased
   0   cat      Theme, Patient             The cat
   0   dog      Agent, Patient, Theme      by the dog
   7   today    Time                       today

Each candidate gets the first free one of its roles. Handlers are listed by relation, with subtype
(``compound:prt``) or without; those for all predicates are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple, TypeVar

from hybridsem.english.words import FOCUS_ADVERBS, MONEY, NEAR_NEGATORS, NEGATORS, PERSONS
from hybridsem.parsers.trees.clauses import Clauses, Phrases
from hybridsem.parsers.verbnet import tables
from hybridsem.parsers.verbnet.tables import Preferences
from hybridsem.structures import Filler, Role

VERB_RANK = -1
SUBJECT_RANK = 0
RANKS = {
    "nsubj": SUBJECT_RANK,
    "csubj": 1,
    "iobj": 2,
    "obj": 3,
    "xcomp": 4,
    "ccomp": 5,
    "advmod": 7,
    "advcl": 8,
    "vocative": 9,
}
"""The order in which dependents choose their roles, by relation and then by position."""
OBLIQUE_RANK = 6
"""The rank of other relations."""
ELSEWHERE = -1
"""The head of a candidate that is shared with another clause."""

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
        return self._replace(tokens=phrases.without(self.tokens, clause))


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
                break
        tokens_of.setdefault(role, []).extend(tokens)
        heads.setdefault(role, head if head in tokens else phrases.head_of(tokens))
    return {
        role: phrases.filler(tokens_of[role], heads[role]) for role in _ROLES if role in tokens_of
    }


AGENT: Preferences = (Role.AGENT, Role.PATIENT, Role.THEME)
PATIENT: Preferences = (Role.PATIENT, Role.THEME)
THEME: Preferences = (Role.THEME, Role.PATIENT)
COMPLEMENT: Preferences = (Role.THEME, Role.PATIENT, Role.MANNER)
MANNER: Preferences = (Role.MANNER,)
LOCATION: Preferences = (Role.LOCATION,)


def phrase_roles(phrases: Phrases, i: int, verb: str) -> Preferences:
    """Return the roles of the phrase of ``i``, with a preposition or without, for a verb lemma."""
    preposition, noun = phrases.preposition(i), phrases.lemma[i]
    may_be_time = not preposition or preposition in tables.TIME_PREPOSITIONS
    if may_be_time and phrases.is_time(i, preposition):
        return (Role.TIME,)
    if not preposition:
        if phrases.relation[i] == "obl:agent":
            return PATIENT
        return tables.ADVERBS.get(phrases.lower[i], MANNER)
    roles = _roles_by_verb(preposition, verb)
    if roles is not None:
        return roles
    if noun in tables.MANNER_NOUNS.get(preposition, ()) or (preposition == "for" and noun in MONEY):
        return MANNER
    if preposition in tables.PATHS and verb in tables.MOTION:
        return (Role.TRAJECTORY,)
    if preposition in ("to", "unto"):
        person = noun in PERSONS or phrases.lower[i] in tables.PERSONAL
        return LOCATION if verb in tables.DATIVE_GOAL and not person else PATIENT
    if preposition == "through" and verb not in tables.MOTION:
        return MANNER
    return tables.PREPOSITIONS.get(preposition, LOCATION)


def _roles_by_verb(preposition: str, verb: str) -> Preferences | None:
    by_verb = tables.PREPOSITIONS_BY_VERB.get(preposition, ())
    return next((roles for verbs, roles in by_verb if verb in verbs), None)


def holds_theme(phrases: Phrases, i: int, verb: str) -> bool:
    """Test if ``i`` is the Theme of ``verb``, not the object: "filled the cup with tea"."""
    preposition = phrases.preposition(i)
    if not tables.COMPANIONS.get(preposition, False):
        return preposition in tables.COMPANIONS
    roles = _roles_by_verb(preposition, verb) or MANNER
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
        rank = RANKS.get(clauses.base[i], OBLIQUE_RANK) if rank is None else rank
        tokens: Sequence[int] = clauses.subtree(i)
        if clauses.is_relative(i):
            clause = clauses.tokens[i].head
            if clause >= 0 and (
                clauses.relation[clause] == "acl:relcl" or clauses.is_cleft(clause)
            ):
                promoted = clause == clauses.promoted
                i = clauses.tree.root if promoted else clauses.tokens[clause].head
                tokens = (
                    clauses.without(clauses.subtree(i), clause)
                    if promoted
                    else clauses.antecedent(clause)
                )
        self.candidates.append(Candidate(rank, i, roles, tokens))

    def add_shared_subject(self, roles: Preferences) -> None:
        """Make a subject that is shared with another clause a candidate."""
        shared = self.clauses.shared_subject(self.chain[0])
        if shared:
            self.candidates.append(Candidate(SUBJECT_RANK, ELSEWHERE, roles, shared))

    def leave_out(self, clause: int) -> None:
        """Remove the words of a clause or phrase from the candidates."""
        left = (each.without(clause, self.clauses) for each in self.candidates)
        self.candidates = [each for each in left if each.tokens]

    def has_content(self, i: int) -> bool:
        """Test if the phrase of ``i`` has a content word."""
        return bool(self.clauses.content(self.clauses.subtree(i)))


D = TypeVar("D", bound=Draft)
Handlers = Mapping[str, Callable[[D, int], None]]
"""The function that reads a dependent, by relation."""


def handle(draft: D, handlers: Handlers[D], default: Callable[[D, int], None]) -> None:
    """Read the dependents in order."""
    relation, base = draft.clauses.relation, draft.clauses.base
    for i in draft.dependents:
        handler = handlers.get(relation[i]) or handlers.get(base[i]) or default
        handler(draft, i)


def _adverb(draft: Draft, i: int) -> None:
    word, lemma = draft.clauses.lower[i], draft.clauses.lemma[i]
    is_focus = word in FOCUS_ADVERBS and not draft.has_content(i)
    if is_focus or word in NEGATORS or word in NEAR_NEGATORS:
        _function_word(draft, i)
    else:
        draft.add(i, tables.ADVERBS.get(word) or tables.ADVERBS.get(lemma) or MANNER)


def _adverbial_clause(draft: Draft, i: int) -> None:
    """Give an adverbial clause the roles of its subordinator."""
    clauses, introducing = draft.clauses, ("mark", "advmod", "case", "cc")
    marks = (c for c in clauses.children(i) if clauses.base[c] in introducing)
    known = filter(None, (tables.MARKERS.get(clauses.lower[c]) for c in marks))
    draft.add(i, next(known, MANNER))


def adds(roles: Preferences) -> Callable[[Draft, int], None]:
    """Return a handler that makes a dependent a candidate for fixed roles."""
    return lambda draft, i: draft.add(i, roles)


def _function_word(draft: Draft, i: int) -> None:
    """Read the dependents of a function word: "two days" in "two days after he left"."""
    below = draft.clauses.subtree(i)
    content = draft.clauses.content(below) if len(below) > 1 else ()
    if content:
        draft.candidates.append(Candidate(RANKS["advmod"], i, MANNER, content))


def _aside(draft: Draft, i: int) -> None:
    if draft.has_content(i):
        draft.asides.add(i)


def unclassified(draft: Draft, i: int) -> None:
    """Read a dependent with any other relation: a separate predicate, or a Manner."""
    if draft.clauses.is_predicate(i):
        _aside(draft, i)
    elif draft.has_content(i):
        draft.add(i, MANNER)


FUNCTION_RELATIONS = frozenset({"aux", "case", "cc", "cop", "det", "expl", "mark", "punct"})

ANY_PREDICATE: Handlers[Draft] = {
    "advmod": _adverb,
    "advcl": _adverbial_clause,
    "vocative": adds(AGENT),
    **dict.fromkeys(FUNCTION_RELATIONS, _function_word),
    # The dependents of auxiliaries are among those of the predicate.
    **dict.fromkeys(("aux", "cop"), lambda draft, i: None),
    **dict.fromkeys(("appos", "conj", "dep", "discourse", "dislocated", "list"), _aside),
    **dict.fromkeys(("orphan", "parataxis", "reparandum"), _aside),
}
