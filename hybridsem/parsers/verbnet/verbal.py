"""The frame of one predicate under construction, and the roles of its dependents.

The cat was chased by the dog today.

rank   head     roles, from best to last   tokens
  -1   chased   Verb                       chased
   0   cat      Theme, Patient             The cat
   0   dog      Agent, Patient, Theme      by the dog
   7   today    Time                       today

Each candidate gets the first free one of its roles. Handlers of dependents are listed by relation,
with subtype (``compound:prt``) or without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from hybridsem.english import words
from hybridsem.english.words import NEAR_NEGATORS, NEGATORS, UNACCUSATIVE_VERBS
from hybridsem.parsers.trees.clauses import FUNCTION_RELATIONS, OBLIQUES, SUBJECTS, Clauses, Phrases
from hybridsem.parsers.verbnet import tables
from hybridsem.parsers.verbnet.tables import Preferences
from hybridsem.structures import Role


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


class Candidate(NamedTuple):
    """A phrase that may fill a role; the candidate with the lowest ``rank`` chooses first."""

    rank: int
    head: int
    roles: Preferences
    tokens: Sequence[int]

    def without(self, clause: int, phrases: Phrases) -> Candidate:
        """Return the candidate without the subtree of a clause inside it."""
        return Candidate(self.rank, self.head, self.roles, phrases.without(self.tokens, clause))


@dataclass
class Draft:
    """A predicate's frame under construction. ``chain`` leads from the head of the clause to the
    predicate (``has`` to ``go``), ``dependents`` are those of all its words. ``tokens`` are the
    words of the predicate so far: a noun, adjective or phrase with its ``copula`` if any, or a verb
    with its ``light_noun`` if any. The dependents in ``asides`` get separate frames.
    """

    clauses: Clauses
    chain: list[int]
    dependents: list[int]
    tokens: list[int]
    copula: int | None = None
    light_noun: int | None = None
    candidates: list[Candidate] = field(default_factory=list)
    asides: set[int] = field(default_factory=set)
    passive: bool = False
    existential: bool = False
    subject_roles: Preferences = tables.PATIENT
    object_roles: Preferences = tables.PATIENT  # of the object, or of the subject of a passive

    def __post_init__(self) -> None:
        base = self.clauses.base
        self.head = self.chain[-1]
        self.lemma = self.clauses.lemma[self.head]
        self.bases = {base[c] for c in self.dependents}
        self.objects = [c for c in self.dependents if base[c] == "obj"]
        # Parsers may call both of "gave the boy a book" objects.
        self.ditransitive = "iobj" in self.bases or len(self.objects) > 1

    def add(self, i: int, roles: Preferences, rank: int | None = None) -> None:
        """Make the subtree of ``i`` a candidate; a relative pronoun becomes its antecedent."""
        clauses = self.clauses
        rank = _RANKS.get(clauses.base[i], Rank.OBL) if rank is None else rank
        clause = clauses.heads[i]
        tokens: Sequence[int] = clauses.subtree(i)
        opens_clause = clause >= 0 and clauses.is_relative(i)
        if opens_clause and (clauses.relation[clause] == "acl:relcl" or clauses.is_cleft(clause)):
            if clause == clauses.promoted:
                i = clauses.tree.root
                tokens = clauses.without(clauses.subtree(i), clause)
            else:
                i = clauses.heads[clause]
                tokens = clauses.antecedent(clause)
        self.candidates.append(Candidate(rank, i, roles, tokens))

    def leave_out(self, clause: int) -> None:
        """Remove the words of a clause or phrase from the candidates."""
        left = (each.without(clause, self.clauses) for each in self.candidates)
        self.candidates = [each for each in left if each.tokens]

    def content(self, i: int) -> list[int]:
        """Return the content words of the phrase of ``i``."""
        return self.clauses.content(self.clauses.subtree(i))


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
    if (roles := _roles_by_verb(preposition, verb)) is not None:
        return roles
    if noun in tables.MEANS_NOUNS.get(preposition, ()):
        return tables.MANNER
    if preposition in tables.PATHS and verb in tables.MOTION:
        return (Role.TRAJECTORY,)
    if preposition in ("to", "unto"):
        person = noun in words.PERSONS or phrases.lower[i] in tables.PERSONAL
        return tables.LOCATION if verb in tables.DATIVE_GOAL and not person else tables.PATIENT
    return tables.PREPOSITIONS.get(preposition, tables.LOCATION)


def _roles_by_verb(preposition: str, verb: str) -> Preferences | None:
    by_verb = tables.PREPOSITIONS_BY_VERB.get(preposition, ())
    return next((roles for verbs, roles in by_verb if verb in verbs), None)


def _holds_theme(phrases: Phrases, i: int, verb: str) -> bool:
    """Test if ``i`` is the Theme of ``verb``, not the object: "filled the cup with tea"."""
    preposition = phrases.preposition(i)
    if not tables.COMPANIONS.get(preposition, False):
        return preposition in tables.COMPANIONS
    roles = _roles_by_verb(preposition, verb) or tables.MANNER
    return roles[0] == Role.THEME and not phrases.is_time(i, preposition)


Handler = Callable[[Draft, int], None]
Handlers = Mapping[str, Handler]
"""The function that reads a dependent, by relation."""


def read_dependents(draft: Draft, handlers: Handlers, default: Handler) -> None:
    """Read the dependents, and the subject that the clause shares with another."""
    relation, base = draft.clauses.relation, draft.clauses.base
    for i in draft.dependents:
        handler = handlers.get(relation[i]) or handlers.get(base[i]) or default
        handler(draft, i)
    if not draft.bases & SUBJECTS and (shared := draft.clauses.shared_subject(draft.chain[0])):
        draft.candidates.append(Candidate(Rank.NSUBJ, ELSEWHERE, draft.subject_roles, shared))


def _adverb(draft: Draft, i: int) -> None:
    word, lemma = draft.clauses.lower[i], draft.clauses.lemma[i]
    if lemma in _NEGATING or (word in words.FOCUS_ADVERBS and not draft.content(i)):
        _function_word(draft, i)
    else:
        draft.add(i, tables.ADVERBS.get(word) or tables.ADVERBS.get(lemma) or tables.MANNER)


def adverbial_clause(draft: Draft, i: int) -> None:
    """Give an adverbial clause the roles of its subordinator."""
    clauses = draft.clauses
    marks = (clauses.lower[c] for c in clauses.below(i, "mark", "advmod", "case", "cc"))
    known = (tables.MARKERS[mark] for mark in marks if mark in tables.MARKERS)
    draft.add(i, next(known, tables.MANNER))


def _adds(roles: Preferences) -> Handler:
    return lambda draft, i: draft.add(i, roles)


def _function_word(draft: Draft, i: int) -> None:
    """Read the dependents of a function word: "two days" in "two days after he left"."""
    if draft.clauses.children(i) and (content := draft.content(i)):
        draft.candidates.append(Candidate(Rank.ADVMOD, i, tables.MANNER, content))


def aside(draft: Draft, i: int) -> None:
    """Give a dependent with content a separate frame."""
    if draft.content(i):
        draft.asides.add(i)


def _unclassified(draft: Draft, i: int) -> None:
    """Read a dependent with any other relation: a separate predicate, or a Manner."""
    if draft.clauses.is_predicate(i):
        aside(draft, i)
    elif draft.content(i):
        draft.add(i, tables.MANNER)


_NEGATING = NEGATORS | NEAR_NEGATORS

ANY_PREDICATE: Handlers = {
    "advmod": _adverb,
    "advcl": adverbial_clause,
    "vocative": _adds(tables.AGENT),
    **dict.fromkeys(FUNCTION_RELATIONS, _function_word),
    # The dependents of auxiliaries are among those of the predicate.
    **dict.fromkeys(("aux", "cop"), lambda draft, i: None),
    **dict.fromkeys(("appos", "conj", "dep", "discourse", "dislocated", "list"), aside),
    **dict.fromkeys(("orphan", "parataxis", "reparandum"), aside),
}


def _find_voice(draft: Draft) -> None:
    """Find the voice of a verb, and with it the roles of its subject and object."""
    clauses, head, clause, bases = draft.clauses, draft.head, draft.chain[0], draft.bases
    existential = clauses.is_existential(clause)
    draft.passive = clauses.is_passive(head, head != clause and existential)
    draft.existential = existential and (head == clause or draft.lemma == "be")
    obliques = (c for c in draft.dependents if clauses.base[c] == "obl")
    affected = bases & {"iobj", "xcomp", "ccomp"} or draft.lemma in tables.PATIENT_OBJECT
    moved = affected or any(_holds_theme(clauses, c, draft.lemma) for c in obliques)
    draft.object_roles = tables.PATIENT if moved else tables.THEME
    if draft.passive:
        draft.subject_roles = tables.PATIENT if "obj" in bases else draft.object_roles
    elif draft.existential:
        draft.subject_roles = tables.THEME
    else:
        alone = not bases & {"obj", "iobj", "ccomp", "xcomp"} and draft.lemma in UNACCUSATIVE_VERBS
        # "the vase that he broke" has an object.
        alone = alone and clauses.relation[head] != "acl:relcl"
        draft.subject_roles = tables.PATIENT if alone or is_copular(draft) else tables.AGENT


def is_copular(draft: Draft) -> bool:
    """Test if the predicate is copular: "it is", "it seems fine"."""
    complemented = "xcomp" in draft.bases or draft.lemma == "be"
    return complemented and draft.lemma in words.COPULAR_VERBS and not draft.bases & {"obj", "iobj"}


def read_verb(draft: Draft) -> str:
    """Read the dependents of a verb into candidates; return the predicate's name."""
    clauses, head, clause, bases = draft.clauses, draft.head, draft.chain[0], draft.bases
    above = clauses.heads[clause]
    _find_voice(draft)
    read_dependents(draft, VERB, _unclassified)
    if clauses.is_tough(head):  # the subject is the object: "the book is easy to read"
        for subject in clauses.below(clauses.heads[head], "nsubj")[:1]:
            phrase = clauses.subtree(subject)
            draft.candidates.append(Candidate(Rank.OBJ, subject, draft.object_roles, phrase))
    if (
        clauses.base[clause] == "parataxis"
        and draft.lemma in tables.REPORTING
        and clauses.is_predicate(above)
        and bases & SUBJECTS
        and bases.isdisjoint({"obj", "ccomp", "xcomp"})
    ):  # the clause around it is the Theme: "the plan, he said, works"
        inside = clauses.subtree(clause)
        commas = inside[0] - 1, inside[-1] + 1
        reported = clauses.without(clauses.subtree(above), clause)
        tokens = [t for t in reported if t not in commas or clauses.pos[t] != "PUNCT"]
        draft.candidates.append(Candidate(Rank.CCOMP, above, tables.THEME, tokens))
    transitive = draft.lemma not in UNACCUSATIVE_VERBS and clauses.base[clause] == "conj"
    if transitive and "obj" not in bases and (shared := clauses.shared_object(head)):
        draft.candidates.append(Candidate(Rank.OBJ, ELSEWHERE, draft.object_roles, shared))
    stray = clauses.stray_agent(head, draft.dependents) if draft.passive else None
    if stray is not None:
        draft.leave_out(stray)
        draft.candidates.append(Candidate(Rank.NSUBJ, stray, tables.AGENT, clauses.subtree(stray)))
    draft.candidates.append(Candidate(Rank.VERB, head, (Role.VERB,), sorted(draft.tokens)))
    name = [draft.lemma]
    if "compound" in bases:
        particles = (i for i in draft.dependents if clauses.relation[i] == "compound:prt")
        name += (clauses.lower[i] for i in particles)
    if draft.light_noun in draft.tokens:
        name.append(clauses.lemma[draft.light_noun])
    return " ".join(name)


def part_of_phrase(draft: Draft, i: int) -> None:
    """Add the words of a dependent to the predicate."""
    draft.tokens += draft.clauses.subtree(i)


def _subject(draft: Draft, i: int) -> None:
    # Parsers may call both of "a dog that barks" subjects.
    clauses = draft.clauses
    subjects = (c for c in draft.dependents if clauses.base[c] == "nsubj")
    if not clauses.is_relative(i) or [*subjects] == [i]:
        draft.add(i, draft.subject_roles)


def _object(draft: Draft, i: int) -> None:
    clauses = draft.clauses
    if draft.ditransitive and "iobj" not in draft.bases and i == draft.objects[0]:
        draft.add(i, tables.PATIENT)
    elif i == draft.light_noun:  # its dependents are the verb's: "took a *long* walk *in the park*"
        draft.tokens.append(i)
        for c in clauses.children(i):
            if clauses.base[c] in OBLIQUES:
                draft.add(c, phrase_roles(clauses, c, draft.lemma))
            elif clauses.base[c] not in FUNCTION_RELATIONS and draft.content(c):
                draft.add(c, tables.MANNER)
    else:
        draft.add(i, tables.THEME if draft.ditransitive else draft.object_roles)


def _oblique(draft: Draft, i: int) -> None:
    clauses = draft.clauses
    if draft.passive and (clauses.relation[i] == "obl:agent" or clauses.is_by_agent(i)):
        draft.add(i, tables.AGENT, Rank.NSUBJ)
    else:
        draft.add(i, phrase_roles(clauses, i, draft.lemma), Rank.OBL)


VERB: Handlers = {
    **ANY_PREDICATE,
    "compound:prt": lambda draft, i: draft.tokens.append(i),
    **dict.fromkeys(("compound", "fixed", "flat", "goeswith"), part_of_phrase),
    "nsubj": _subject,
    "csubj": lambda draft, i: draft.add(i, draft.subject_roles),
    "iobj": _adds(tables.PATIENT),
    "obj": _object,
    **dict.fromkeys(("ccomp", "xcomp"), _adds(tables.COMPLEMENT)),
    **dict.fromkeys(OBLIQUES, _oblique),
    "vocative": lambda draft, i: draft.add(
        i, tables.PATIENT if draft.bases & SUBJECTS else tables.AGENT
    ),
}
