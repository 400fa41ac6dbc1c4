"""The roles of what depends on a predicate that is no verb, with or without a copula."""

from __future__ import annotations

from dataclasses import dataclass

from hybridsem.english.words import NEGATORS
from hybridsem.parsers.trees.clauses import SUBJECTS
from hybridsem.parsers.verbnet.adjuncts import phrase_roles
from hybridsem.parsers.verbnet.candidates import (
    OBLIQUE_RANK,
    SUBJECT_RANK,
    VERB_RANK,
    Candidate,
)
from hybridsem.parsers.verbnet.draft import (
    ANY_PREDICATE,
    COMPLEMENT,
    COPULA_SUBJECT,
    Draft,
    Handlers,
    handle,
)
from hybridsem.parsers.verbnet.tables import ADVERBS, Preferences
from hybridsem.structures import Role


@dataclass
class NominalDraft(Draft):
    """The frame of a noun, adjective, adverb or prepositional phrase, and its copula if it has one.

    ``tokens`` are the words of the phrase.
    """

    copula: int | None = None


def read_nominal(draft: NominalDraft) -> str:
    """Read the dependents of a predicate into candidates; returns the predicate's name."""
    clauses, head, copula = draft.clauses, draft.head, draft.copula
    handle(draft, NOMINAL, _part_of_phrase)
    if not draft.bases & SUBJECTS:
        draft.add_shared_subject(COPULA_SUBJECT)
    draft.tokens.sort()
    if copula is None:
        draft.candidates.append(Candidate(VERB_RANK, head, (Role.VERB,), draft.tokens))
        return clauses.lemma[head]
    draft.leave_out(copula)
    group = sorted(copula if link == head else link for link in clauses.verb_group(draft.chain))
    draft.candidates += [
        Candidate(VERB_RANK, copula, (Role.VERB,), group),
        Candidate(OBLIQUE_RANK, head, _predicative_roles(draft), draft.tokens),
    ]
    return clauses.lemma[copula]


def _predicative_roles(draft: NominalDraft) -> Preferences:
    """The roles of what a copula says of its subject."""
    clauses, head = draft.clauses, draft.head
    roles: Preferences | None = None
    if clauses.tokens[head].pos == "ADV":
        roles = ADVERBS.get(clauses.lower[head])
    elif clauses.has(head, "case"):
        roles = phrase_roles(clauses, head, "be")
    return roles if roles and roles[0] in (Role.LOCATION, Role.TIME) else COMPLEMENT


def _part_of_phrase(draft: NominalDraft, i: int) -> None:
    draft.tokens += draft.clauses.subtree(i)


def _subject(draft: NominalDraft, i: int) -> None:
    draft.add(i, COPULA_SUBJECT, SUBJECT_RANK)


def _complement_clause(draft: NominalDraft, i: int) -> None:
    if "expl" in draft.bases:  # "it is true that he left": the clause is the subject
        _subject(draft, i)
    else:
        _part_of_phrase(draft, i)


def _conjunct(draft: NominalDraft, i: int) -> None:
    if draft.clauses.is_predicate(i):
        ANY_PREDICATE["conj"](draft, i)
    else:
        _part_of_phrase(draft, i)


def _adjunct(draft: NominalDraft, i: int) -> None:
    """A time, and a place where nothing else is said, stand beside; the rest is in the phrase."""
    clauses = draft.clauses
    if clauses.tokens[i].pos == "ADJ":
        _part_of_phrase(draft, i)
        return
    is_adverb, is_modifier = clauses.base[i] == "advmod", clauses.base[i] == "nmod"
    roles = ADVERBS.get(clauses.lower[i]) if is_adverb else phrase_roles(clauses, i, "be")
    is_clause = draft.copula is not None or bool(draft.bases & SUBJECTS)
    apart = (Role.TIME,) if is_clause else (Role.TIME, Role.LOCATION)
    possessive = clauses.relation[i] == "nmod:poss"
    bare = is_modifier and not clauses.has(i, "case")
    if roles and roles[0] in apart and not bare and not possessive:
        draft.add(i, roles, OBLIQUE_RANK)
    elif clauses.lower[i] not in NEGATORS:
        _part_of_phrase(draft, i)


# What is no clause of its own and no mere function word belongs to the phrase.
NOMINAL: Handlers[NominalDraft] = {
    **ANY_PREDICATE,
    **dict.fromkeys(SUBJECTS, _subject),
    "ccomp": _complement_clause,
    **dict.fromkeys(("appos", "case", "det"), _part_of_phrase),
    "conj": _conjunct,
    **dict.fromkeys(("nmod", "obl", "advmod"), _adjunct),
}
