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
        obliques = (c for c in self.dependents if clauses.base[c] == "obl")
        affected = bases & {"iobj", "xcomp", "ccomp"} or self.lemma in PATIENT_OBJECT
        moved = affected or any(holds_theme(clauses, c, self.lemma) for c in obliques)
        self.object_roles = PATIENT if moved else THEME
        """The roles of the object, or of the subject of a passive."""
        alone = not bases & {"obj", "iobj", "ccomp", "xcomp"} and self.lemma in UNACCUSATIVE_VERBS
        # "the vase that he broke" has an object.
        alone = alone and clauses.relation[self.head] != "acl:relcl"
        if self.passive:
            self.subject_roles = PATIENT if "obj" in bases else self.object_roles
        elif self.existential:
            self.subject_roles = THEME
        else:
            self.subject_roles = PATIENT if is_copular(self) or alone else AGENT


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
    handle(draft, VERB, unclassified)
    if not bases & SUBJECTS:
        draft.add_shared_subject(draft.subject_roles)
    if clauses.is_tough(head):  # the subject is the object: "the book is easy to read"
        subject = clauses.relation_of(clauses.tokens[head].head, "nsubj")
        if subject is not None:
            phrase = clauses.subtree(subject)
            draft.candidates.append(Candidate(RANKS["obj"], subject, draft.object_roles, phrase))
    if (
        clauses.base[clause] == "parataxis"
        and draft.lemma in REPORTING
        and clauses.is_predicate(above)
        and bases & SUBJECTS
        and bases.isdisjoint({"obj", "ccomp", "xcomp"})
    ):  # the clause around it is the Theme: "the plan, he said, works"
        inside = clauses.subtree(clause)
        commas = (inside[0] - 1, inside[-1] + 1)
        reported = clauses.without(clauses.subtree(above), clause)
        tokens = [t for t in reported if t not in commas or clauses.tokens[t].pos != "PUNCT"]
        draft.candidates.append(Candidate(RANKS["ccomp"], above, THEME, tokens))
    transitive = draft.lemma not in UNACCUSATIVE_VERBS and clauses.base[clause] == "conj"
    if transitive and "obj" not in bases and (shared := clauses.shared_object(head)):
        candidate = Candidate(RANKS["obj"], ELSEWHERE, draft.object_roles, shared)
        draft.candidates.append(candidate)
    if stray is not None:
        draft.leave_out(stray)
        draft.candidates.append(Candidate(SUBJECT_RANK, stray, AGENT, clauses.subtree(stray)))
    draft.candidates.append(Candidate(VERB_RANK, head, (Role.VERB,), sorted(draft.tokens)))
    particles = (i for i in draft.dependents if clauses.relation[i] == "compound:prt")
    name = [draft.lemma, *(clauses.lower[i] for i in particles)]
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
        draft.add(i, PATIENT)
    elif i == draft.light_noun:  # its dependents are the verb's: "took a *long* walk *in the park*"
        draft.tokens.append(i)
        for c in clauses.children(i):
            if clauses.base[c] in OBLIQUES:
                draft.add(c, phrase_roles(clauses, c, draft.lemma))
            elif clauses.base[c] not in FUNCTION_RELATIONS and draft.has_content(c):
                draft.add(c, MANNER)
    else:
        draft.add(i, THEME if draft.ditransitive else draft.object_roles)


def _oblique(draft: VerbDraft, i: int) -> None:
    clauses = draft.clauses
    if draft.passive and (clauses.relation[i] == "obl:agent" or clauses.is_by_agent(i)):
        draft.add(i, AGENT, SUBJECT_RANK)
    else:
        draft.add(i, phrase_roles(clauses, i, draft.lemma), OBLIQUE_RANK)


VERB: Handlers[VerbDraft] = {
    **ANY_PREDICATE,
    "compound:prt": lambda draft, i: draft.tokens.append(i),
    **dict.fromkeys(("compound", "fixed", "flat", "goeswith"), _part_of_phrase),
    "nsubj": _subject,
    "csubj": lambda draft, i: draft.add(i, draft.subject_roles),
    "iobj": adds(PATIENT),
    "obj": _object,
    **dict.fromkeys(("ccomp", "xcomp"), adds(COMPLEMENT)),
    **dict.fromkeys(OBLIQUES, _oblique),
    "vocative": lambda draft, i: draft.add(i, PATIENT if draft.bases & SUBJECTS else AGENT),
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
    roles: Preferences | None = None
    if clauses.tokens[head].pos == "ADV":
        roles = ADVERBS.get(clauses.lower[head])
    elif clauses.has(head, "case"):
        roles = phrase_roles(clauses, head, "be")
    if not roles or roles[0] not in (Role.LOCATION, Role.TIME):
        roles = COMPLEMENT
    draft.candidates += [
        Candidate(VERB_RANK, copula, (Role.VERB,), group),
        Candidate(OBLIQUE_RANK, head, roles, draft.tokens),
    ]
    return clauses.lemma[copula]


def _subject_or_part(draft: NominalDraft, i: int) -> None:
    """Read a clause: in "it is true that he left" it is the subject."""
    if draft.clauses.base[i] in SUBJECTS or "expl" in draft.bases:
        draft.add(i, PATIENT, SUBJECT_RANK)
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
    **dict.fromkeys((*SUBJECTS, "ccomp"), _subject_or_part),
    **dict.fromkeys(("appos", "case", "det"), _part_of_phrase),
    **dict.fromkeys(("advcl", "conj"), _clause_or_part),
    **dict.fromkeys(("nmod", "obl", "advmod"), _adjunct),
}
