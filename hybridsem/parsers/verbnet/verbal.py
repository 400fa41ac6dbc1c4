"""The roles of the dependents of a verb, or of another predicate.

Handlers are listed by relation, with subtype (``compound:prt``) or without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from hybridsem.english.words import (
    COPULAR_VERBS,
    FOCUS_ADVERBS,
    NEAR_NEGATORS,
    NEGATORS,
    UNACCUSATIVE_VERBS,
)
from hybridsem.parsers.trees.clauses import OBLIQUES, SUBJECTS
from hybridsem.parsers.verbnet import tables
from hybridsem.parsers.verbnet.draft import (
    ELSEWHERE,
    Candidate,
    Draft,
    Rank,
    holds_theme,
    phrase_roles,
)
from hybridsem.parsers.verbnet.tables import Preferences
from hybridsem.structures import Role

D = TypeVar("D", bound=Draft)
Handlers = Mapping[str, Callable[[D, int], None]]
"""The function that reads a dependent, by relation."""


def _read(draft: D, handlers: Handlers[D], default: Callable[[D, int], None]) -> None:
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
        draft.add(i, tables.ADVERBS.get(word) or tables.ADVERBS.get(lemma) or tables.MANNER)


def _adverbial_clause(draft: Draft, i: int) -> None:
    """Give an adverbial clause the roles of its subordinator."""
    clauses = draft.clauses
    marks = (clauses.lower[c] for c in clauses.below(i, "mark", "advmod", "case", "cc"))
    known = (tables.MARKERS[mark] for mark in marks if mark in tables.MARKERS)
    draft.add(i, next(known, tables.MANNER))


def _adds(roles: Preferences) -> Callable[[Draft, int], None]:
    return lambda draft, i: draft.add(i, roles)


def _function_word(draft: Draft, i: int) -> None:
    """Read the dependents of a function word: "two days" in "two days after he left"."""
    below = draft.clauses.subtree(i)
    content = draft.clauses.content(below) if len(below) > 1 else ()
    if content:
        draft.candidates.append(Candidate(Rank.ADVMOD, i, tables.MANNER, content))


def _aside(draft: Draft, i: int) -> None:
    if draft.has_content(i):
        draft.asides.add(i)


def _unclassified(draft: Draft, i: int) -> None:
    """Read a dependent with any other relation: a separate predicate, or a Manner."""
    if draft.clauses.is_predicate(i):
        _aside(draft, i)
    elif draft.has_content(i):
        draft.add(i, tables.MANNER)


FUNCTION_RELATIONS = frozenset({"aux", "case", "cc", "cop", "det", "expl", "mark", "punct"})

ANY_PREDICATE: Handlers[Draft] = {
    "advmod": _adverb,
    "advcl": _adverbial_clause,
    "vocative": _adds(tables.AGENT),
    **dict.fromkeys(FUNCTION_RELATIONS, _function_word),
    # The dependents of auxiliaries are among those of the predicate.
    **dict.fromkeys(("aux", "cop"), lambda draft, i: None),
    **dict.fromkeys(("appos", "conj", "dep", "discourse", "dislocated", "list"), _aside),
    **dict.fromkeys(("orphan", "parataxis", "reparandum"), _aside),
}


@dataclass
class VerbDraft(Draft):
    """The frame of a verb; with a ``light_noun``, verb and noun are one predicate."""

    light_noun: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        clauses, chain, base, bases = self.clauses, self.chain, self.clauses.base, self.bases
        self.lemma = clauses.lemma[self.head]
        existential = clauses.is_existential(chain[0])
        self.passive = clauses.is_passive(self.head, self.head != chain[0] and existential)
        self.voice = "passive" if self.passive else "active"
        self.existential = existential and (self.head == chain[0] or self.lemma == "be")
        self.objects = [c for c in self.dependents if base[c] == "obj"]
        self.subjects = [c for c in self.dependents if base[c] == "nsubj"]
        # Parsers may call both of "gave the boy a book" objects.
        self.ditransitive = "iobj" in bases or len(self.objects) > 1
        obliques = (c for c in self.dependents if base[c] == "obl")
        affected = bases & {"iobj", "xcomp", "ccomp"} or self.lemma in tables.PATIENT_OBJECT
        moved = affected or any(holds_theme(clauses, c, self.lemma) for c in obliques)
        self.object_roles = tables.PATIENT if moved else tables.THEME
        """The roles of the object, or of the subject of a passive."""
        alone = not bases & {"obj", "iobj", "ccomp", "xcomp"} and self.lemma in UNACCUSATIVE_VERBS
        # "the vase that he broke" has an object.
        alone = alone and clauses.relation[self.head] != "acl:relcl"
        if self.passive:
            self.subject_roles = tables.PATIENT if "obj" in bases else self.object_roles
        elif self.existential:
            self.subject_roles = tables.THEME
        else:
            self.subject_roles = tables.PATIENT if is_copular(self) or alone else tables.AGENT


def is_copular(draft: Draft) -> bool:
    """Test if the predicate is copular: "it is", "it seems fine"."""
    lemma = draft.clauses.lemma[draft.head]
    return (
        lemma in COPULAR_VERBS
        and not draft.bases & {"obj", "iobj"}
        and ("xcomp" in draft.bases or lemma == "be")
    )


def read_verb(draft: VerbDraft) -> str:
    """Read the dependents of a verb into candidates; return the predicate's name."""
    clauses, head, clause, bases = draft.clauses, draft.head, draft.chain[0], draft.bases
    above = clauses.tokens[clause].head
    stray = clauses.stray_agent(head, draft.dependents) if draft.passive else None
    _read(draft, VERB, _unclassified)
    if not bases & SUBJECTS:
        draft.add_shared_subject(draft.subject_roles)
    if clauses.is_tough(head):  # the subject is the object: "the book is easy to read"
        subject = clauses.relation_of(clauses.tokens[head].head, "nsubj")
        if subject is not None:
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
        commas = (inside[0] - 1, inside[-1] + 1)
        reported = clauses.without(clauses.subtree(above), clause)
        tokens = [t for t in reported if t not in commas or clauses.tokens[t].pos != "PUNCT"]
        draft.candidates.append(Candidate(Rank.CCOMP, above, tables.THEME, tokens))
    transitive = draft.lemma not in UNACCUSATIVE_VERBS and clauses.base[clause] == "conj"
    if transitive and "obj" not in bases and (shared := clauses.shared_object(head)):
        candidate = Candidate(Rank.OBJ, ELSEWHERE, draft.object_roles, shared)
        draft.candidates.append(candidate)
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


def _part_of_phrase(draft: Draft, i: int) -> None:
    draft.tokens += draft.clauses.subtree(i)


def _subject(draft: VerbDraft, i: int) -> None:
    # Parsers may call both of "a dog that barks" subjects.
    if len(draft.subjects) == 1 or not draft.clauses.is_relative(i):
        draft.add(i, draft.subject_roles)


def _object(draft: VerbDraft, i: int) -> None:
    clauses = draft.clauses
    if draft.ditransitive and "iobj" not in draft.bases and i == draft.objects[0]:
        draft.add(i, tables.PATIENT)
    elif i == draft.light_noun:  # its dependents are the verb's: "took a *long* walk *in the park*"
        draft.tokens.append(i)
        for c in clauses.children(i):
            if clauses.base[c] in OBLIQUES:
                draft.add(c, phrase_roles(clauses, c, draft.lemma))
            elif clauses.base[c] not in FUNCTION_RELATIONS and draft.has_content(c):
                draft.add(c, tables.MANNER)
    else:
        draft.add(i, tables.THEME if draft.ditransitive else draft.object_roles)


def _oblique(draft: VerbDraft, i: int) -> None:
    clauses = draft.clauses
    if draft.passive and (clauses.relation[i] == "obl:agent" or clauses.is_by_agent(i)):
        draft.add(i, tables.AGENT, Rank.NSUBJ)
    else:
        draft.add(i, phrase_roles(clauses, i, draft.lemma), Rank.OBL)


VERB: Handlers[VerbDraft] = {
    **ANY_PREDICATE,
    "compound:prt": lambda draft, i: draft.tokens.append(i),
    **dict.fromkeys(("compound", "fixed", "flat", "goeswith"), _part_of_phrase),
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


@dataclass
class NominalDraft(Draft):
    """The frame of a noun, adjective, adverb or prepositional phrase, with its copula if any."""

    copula: int | None = None


def read_nominal(draft: NominalDraft) -> str:
    """Read the dependents of a predicate into candidates; return the predicate's name."""
    clauses, head, copula = draft.clauses, draft.head, draft.copula
    _read(draft, NOMINAL, _part_of_phrase)
    if not draft.bases & SUBJECTS:
        draft.add_shared_subject(tables.PATIENT)
    draft.tokens.sort()
    if copula is None:
        draft.candidates.append(Candidate(Rank.VERB, head, (Role.VERB,), draft.tokens))
        return clauses.lemma[head]
    draft.leave_out(copula)
    group = sorted(copula if link == head else link for link in clauses.verb_group(draft.chain))
    roles: Preferences | None = None
    if clauses.tokens[head].pos == "ADV":
        roles = tables.ADVERBS.get(clauses.lower[head])
    elif clauses.has(head, "case"):
        roles = phrase_roles(clauses, head, "be")
    if not roles or roles[0] not in (Role.LOCATION, Role.TIME):
        roles = tables.COMPLEMENT
    draft.candidates += [
        Candidate(Rank.VERB, copula, (Role.VERB,), group),
        Candidate(Rank.OBL, head, roles, draft.tokens),
    ]
    return clauses.lemma[copula]


def _subject_or_part(draft: NominalDraft, i: int) -> None:
    """Read a clause: in "it is true that he left" it is the subject."""
    if draft.clauses.base[i] in SUBJECTS or "expl" in draft.bases:
        draft.add(i, tables.PATIENT, Rank.NSUBJ)
    else:
        _part_of_phrase(draft, i)


def _clause_or_part(draft: NominalDraft, i: int) -> None:
    """Read an adverbial clause or a conjunct, unless it completes the phrase."""
    clauses, base = draft.clauses, draft.clauses.base[i]
    if base == "advcl":
        part = clauses.adjective_of(i) == draft.head or clauses.is_cleft(i)
    else:
        part = not clauses.is_predicate(i)
    (_part_of_phrase if part else ANY_PREDICATE[base])(draft, i)


def _adjunct(draft: NominalDraft, i: int) -> None:
    """Read a time, or a place without copula or subject, as separate from the phrase."""
    clauses = draft.clauses
    if clauses.tokens[i].pos == "ADJ":
        _part_of_phrase(draft, i)
        return
    is_adverb, is_modifier = clauses.base[i] == "advmod", clauses.base[i] == "nmod"
    roles = tables.ADVERBS.get(clauses.lower[i]) if is_adverb else phrase_roles(clauses, i, "be")
    is_clause = draft.copula is not None or bool(draft.bases & SUBJECTS)
    apart = (Role.TIME,) if is_clause else (Role.TIME, Role.LOCATION)
    possessive = clauses.relation[i] == "nmod:poss"
    bare = is_modifier and not clauses.has(i, "case")
    if roles and roles[0] in apart and not bare and not possessive:
        draft.add(i, roles, Rank.OBL)
    elif clauses.lower[i] not in NEGATORS:
        _part_of_phrase(draft, i)


# All other dependents belong to the phrase.
NOMINAL: Handlers[NominalDraft] = {
    **ANY_PREDICATE,
    **dict.fromkeys((*SUBJECTS, "ccomp"), _subject_or_part),
    **dict.fromkeys(("appos", "case", "det"), _part_of_phrase),
    **dict.fromkeys(("advcl", "conj"), _clause_or_part),
    **dict.fromkeys(("nmod", "obl", "advmod"), _adjunct),
}
