"""The roles of the dependents of a noun, adjective, adverb or phrase, with its copula if any."""

from __future__ import annotations

from hybridsem.english.words import NEGATORS
from hybridsem.parsers.trees.clauses import SUBJECTS
from hybridsem.parsers.verbnet import tables, verbal
from hybridsem.parsers.verbnet.tables import Preferences
from hybridsem.parsers.verbnet.verbal import Candidate, Draft, Rank, part_of_phrase
from hybridsem.structures import Role


def read_nominal(draft: Draft) -> str:
    """Read the dependents of a predicate into candidates; return the predicate's name."""
    clauses, head, copula = draft.clauses, draft.head, draft.copula
    verbal.read_dependents(draft, NOMINAL, part_of_phrase)
    draft.tokens.sort()
    if copula is None:
        draft.candidates.append(Candidate(Rank.VERB, head, (Role.VERB,), draft.tokens))
        return clauses.lemma[head]
    draft.leave_out(copula)
    group = sorted(copula if link == head else link for link in clauses.verb_group(draft.chain))
    roles: Preferences | None = None
    if clauses.pos[head] == "ADV":
        roles = tables.ADVERBS.get(clauses.lower[head])
    elif clauses.has(head, "case"):
        roles = verbal.phrase_roles(clauses, head, "be")
    if not roles or roles[0] not in (Role.LOCATION, Role.TIME):
        roles = tables.COMPLEMENT
    draft.candidates += [
        Candidate(Rank.VERB, copula, (Role.VERB,), group),
        Candidate(Rank.OBL, head, roles, draft.tokens),
    ]
    return clauses.lemma[copula]


def _subject_or_part(draft: Draft, i: int) -> None:
    """Read a clause: in "it is true that he left" it is the subject."""
    if draft.clauses.base[i] in SUBJECTS or "expl" in draft.bases:
        draft.add(i, tables.PATIENT, Rank.NSUBJ)
    else:
        part_of_phrase(draft, i)


def _clause(draft: Draft, i: int) -> None:
    """Read a conjunct, or an adverbial clause unless it completes the phrase."""
    clauses = draft.clauses
    if clauses.base[i] == "conj":
        read = verbal.aside if clauses.is_predicate(i) else part_of_phrase
    else:
        part = clauses.adjective_of(i) == draft.head or clauses.is_cleft(i)
        read = part_of_phrase if part else verbal.adverbial_clause
    read(draft, i)


def _adjunct(draft: Draft, i: int) -> None:
    """Read a time, or a place without copula or subject, as separate from the phrase."""
    clauses = draft.clauses
    if clauses.pos[i] == "ADJ":
        part_of_phrase(draft, i)
        return
    base, is_clause = clauses.base[i], draft.copula is not None or draft.bases & SUBJECTS
    adverb = base == "advmod"
    roles = (
        tables.ADVERBS.get(clauses.lower[i]) if adverb else verbal.phrase_roles(clauses, i, "be")
    )
    apart = (Role.TIME,) if is_clause else (Role.TIME, Role.LOCATION)
    possessive = clauses.relation[i] == "nmod:poss"
    bare = possessive or (base == "nmod" and not clauses.has(i, "case"))
    if roles and roles[0] in apart and not bare:
        draft.add(i, roles, Rank.OBL)
    elif clauses.lemma[i] not in NEGATORS:
        part_of_phrase(draft, i)


# All other dependents belong to the phrase.
NOMINAL: verbal.Handlers = {
    **verbal.ANY_PREDICATE,
    **dict.fromkeys((*SUBJECTS, "ccomp"), _subject_or_part),
    **dict.fromkeys(("appos", "case", "det"), part_of_phrase),
    "advcl": _clause,
    "conj": _clause,
    **dict.fromkeys(("nmod", "obl", "advmod"), _adjunct),
}
