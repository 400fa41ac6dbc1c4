"""The roles of the dependents of a verb, or of another predicate."""

from __future__ import annotations

from dataclasses import dataclass

from hybridsem.english.words import COPULAR_VERBS, NEGATORS, UNACCUSATIVE_VERBS
from hybridsem.parsers.trees.clauses import OBLIQUES, SUBJECTS
from hybridsem.parsers.verbnet.draft import (
    AGENT,
    ANY_PREDICATE,
    COMPLEMENT,
    ELSEWHERE,
    FUNCTION_RELATIONS,
    MANNER,
    OBLIQUE_RANK,
    PATIENT,
    RANKS,
    SUBJECT_RANK,
    THEME,
    VERB_RANK,
    Candidate,
    Draft,
    Handlers,
    adds,
    handle,
    holds_theme,
    phrase_roles,
    unclassified,
)
from hybridsem.parsers.verbnet.tables import ADVERBS, PATIENT_OBJECT, REPORTING, Preferences
from hybridsem.structures import Role


@dataclass
class VerbDraft(Draft):
    """The frame of a verb; with a ``light_noun``, verb and noun are one predicate."""

    light_noun: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        clauses, chain, bases = self.clauses, self.chain, self.bases
        self.lemma = clauses.lemma[self.head]
        existential = clauses.is_existential(chain[0])
        self.passive = clauses.is_passive(self.head, self.head != chain[0] and existential)
        self.voice = "passive" if self.passive else "active"
        self.existential = existential and (self.head == chain[0] or self.lemma == "be")
        self.objects = [c for c in self.dependents if clauses.base[c] == "obj"]
        self.subjects = [c for c in self.dependents if clauses.base[c] == "nsubj"]
        # Parsers may call both of "gave the boy a book" objects.
        self.ditransitive = "iobj" in bases or len(self.objects) > 1
        self.object_roles = self._object_roles()
        self.subject_roles = self._subject_roles()
        self.particles: list[int] = []

    def _object_roles(self) -> Preferences:
        """Return the roles of the object, or of the subject of a passive."""
        if self.bases & {"iobj", "xcomp", "ccomp"} or self.lemma in PATIENT_OBJECT:
            return PATIENT
        obliques = (c for c in self.dependents if self.clauses.base[c] == "obl")
        moved = any(holds_theme(self.clauses, c, self.lemma) for c in obliques)
        return PATIENT if moved else THEME

    def _subject_roles(self) -> Preferences:
        clauses, bases = self.clauses, self.bases
        if self.passive:
            return PATIENT if "obj" in bases else self.object_roles
        if self.existential:
            return THEME
        if is_copular(self):
            return PATIENT
        intransitive = not bases & {"obj", "iobj", "ccomp", "xcomp"}
        unaccusative = intransitive and self.lemma in UNACCUSATIVE_VERBS
        of_object = clauses.relation[self.head] == "acl:relcl"  # "the vase that he broke"
        return PATIENT if unaccusative and not of_object else AGENT


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
    clauses = draft.clauses
    stray = clauses.stray_agent(draft.head, draft.dependents) if draft.passive else None
    handle(draft, VERB, unclassified)
    if not draft.bases & SUBJECTS:
        draft.add_shared_subject(draft.subject_roles)
    if clauses.is_tough(draft.head):
        _add_tough_object(draft)
    if (
        clauses.base[draft.chain[0]] == "parataxis"
        and draft.lemma in REPORTING
        and clauses.is_predicate(clauses.tokens[draft.chain[0]].head)
        and draft.bases & SUBJECTS
        and draft.bases.isdisjoint({"obj", "ccomp", "xcomp"})
    ):
        _add_reported(draft)
    if (
        "obj" not in draft.bases
        and clauses.base[draft.chain[0]] == "conj"
        and draft.lemma not in UNACCUSATIVE_VERBS
    ):
        shared = clauses.shared_object(draft.head)
        if shared:
            candidate = Candidate(RANKS["obj"], ELSEWHERE, draft.object_roles, shared)
            draft.candidates.append(candidate)
    if stray is not None:
        draft.leave_out(stray)
        draft.candidates.append(Candidate(SUBJECT_RANK, stray, AGENT, clauses.subtree(stray)))
    draft.candidates.append(Candidate(VERB_RANK, draft.head, (Role.VERB,), sorted(draft.tokens)))
    name = [draft.lemma, *(clauses.lower[i] for i in draft.particles)]
    if draft.light_noun in draft.tokens:
        name.append(clauses.lemma[draft.light_noun])
    return " ".join(name)


def _add_tough_object(draft: VerbDraft) -> None:
    """Make the subject of an adjective the object: "the book is easy to read"."""
    clauses = draft.clauses
    subject = clauses.relation_of(clauses.tokens[draft.head].head, "nsubj")
    if subject is not None:
        tokens = clauses.subtree(subject)
        draft.candidates.append(Candidate(RANKS["obj"], subject, draft.object_roles, tokens))


def _add_reported(draft: VerbDraft) -> None:
    """Make the clause around a verb of speech its Theme: "the plan, he said, works"."""
    clauses = draft.clauses
    clause = draft.chain[0]
    reported, inside = clauses.tokens[clause].head, clauses.subtree(clause)
    beside = (inside[0] - 1, inside[-1] + 1)  # commas
    tokens = [
        t
        for t in clauses.without(clauses.subtree(reported), clause)
        if t not in beside or clauses.tokens[t].pos != "PUNCT"
    ]
    draft.candidates.append(Candidate(RANKS["ccomp"], reported, THEME, tokens))


def _particle(draft: VerbDraft, i: int) -> None:
    draft.particles.append(i)
    draft.tokens.append(i)


def _part_of_phrase(draft: Draft, i: int) -> None:
    draft.tokens += draft.clauses.subtree(i)


def _subject(draft: VerbDraft, i: int) -> None:
    # Parsers may call both of "a dog that barks" subjects.
    if len(draft.subjects) == 1 or not draft.clauses.is_relative(i):
        draft.add(i, draft.subject_roles)


def _object(draft: VerbDraft, i: int) -> None:
    if draft.ditransitive and "iobj" not in draft.bases and i == draft.objects[0]:
        draft.add(i, PATIENT)
    elif i == draft.light_noun:
        draft.tokens.append(i)
        for c in draft.clauses.children(i):
            _dependent_of_light_noun(draft, c)
    else:
        draft.add(i, THEME if draft.ditransitive else draft.object_roles)


def _dependent_of_light_noun(draft: VerbDraft, i: int) -> None:
    """Read a dependent of the noun as one of the verb: "took a *long* walk *in the park*"."""
    base = draft.clauses.base[i]
    if base in OBLIQUES:
        draft.add(i, phrase_roles(draft.clauses, i, draft.lemma))
    elif base not in FUNCTION_RELATIONS and draft.has_content(i):
        draft.add(i, MANNER)


def _oblique(draft: VerbDraft, i: int) -> None:
    clauses = draft.clauses
    if draft.passive and (clauses.relation[i] == "obl:agent" or clauses.is_by_agent(i)):
        draft.add(i, AGENT, SUBJECT_RANK)
    else:
        draft.add(i, phrase_roles(clauses, i, draft.lemma), OBLIQUE_RANK)


def _vocative(draft: VerbDraft, i: int) -> None:
    draft.add(i, PATIENT if draft.bases & SUBJECTS else AGENT)


VERB: Handlers[VerbDraft] = {
    **ANY_PREDICATE,
    "compound:prt": _particle,
    **dict.fromkeys(("compound", "fixed", "flat", "goeswith"), _part_of_phrase),
    "nsubj": _subject,
    "csubj": lambda draft, i: draft.add(i, draft.subject_roles),
    "iobj": adds(PATIENT),
    "obj": _object,
    **dict.fromkeys(("ccomp", "xcomp"), adds(COMPLEMENT)),
    **dict.fromkeys(OBLIQUES, _oblique),
    "vocative": _vocative,
}


@dataclass
class NominalDraft(Draft):
    """The frame of a noun, adjective, adverb or prepositional phrase, with its copula if any."""

    copula: int | None = None


def read_nominal(draft: NominalDraft) -> str:
    """Read the dependents of a predicate into candidates; return the predicate's name."""
    clauses, head, copula = draft.clauses, draft.head, draft.copula
    handle(draft, NOMINAL, _part_of_phrase)
    if not draft.bases & SUBJECTS:
        draft.add_shared_subject(PATIENT)
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
    """Return the roles of the complement of a copula."""
    clauses, head = draft.clauses, draft.head
    roles: Preferences | None = None
    if clauses.tokens[head].pos == "ADV":
        roles = ADVERBS.get(clauses.lower[head])
    elif clauses.has(head, "case"):
        roles = phrase_roles(clauses, head, "be")
    return roles if roles and roles[0] in (Role.LOCATION, Role.TIME) else COMPLEMENT


def _copula_subject(draft: NominalDraft, i: int) -> None:
    draft.add(i, PATIENT, SUBJECT_RANK)


def _complement_clause(draft: NominalDraft, i: int) -> None:
    if "expl" in draft.bases:  # "it is true that he left": the clause is the subject
        _copula_subject(draft, i)
    else:
        _part_of_phrase(draft, i)


def _adverbial_clause(draft: NominalDraft, i: int) -> None:
    clauses = draft.clauses
    if clauses.adjective_of(i) == draft.head or clauses.is_cleft(i):
        _part_of_phrase(draft, i)
    else:
        ANY_PREDICATE["advcl"](draft, i)


def _conjunct(draft: NominalDraft, i: int) -> None:
    if draft.clauses.is_predicate(i):
        ANY_PREDICATE["conj"](draft, i)
    else:
        _part_of_phrase(draft, i)


def _adjunct(draft: NominalDraft, i: int) -> None:
    """Read a time, or a place without copula or subject, as separate from the phrase."""
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


# All other dependents belong to the phrase.
NOMINAL: Handlers[NominalDraft] = {
    **ANY_PREDICATE,
    **dict.fromkeys(SUBJECTS, _copula_subject),
    "ccomp": _complement_clause,
    **dict.fromkeys(("appos", "case", "det"), _part_of_phrase),
    "advcl": _adverbial_clause,
    "conj": _conjunct,
    **dict.fromkeys(("nmod", "obl", "advmod"), _adjunct),
}
