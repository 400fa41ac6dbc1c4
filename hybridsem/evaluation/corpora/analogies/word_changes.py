"""Analogies of words inside found sentences: plural, comparative, opposite, verb conjugation.

    plural             A dog is chasing its tail.          Some dogs are chasing their tail.
    comparative        A big dog is running.               A bigger dog is running.
    opposite           An old man is sitting.              A young man is sitting.
    verb conjugation   The team will play on Sunday.       The team plays on Sunday.

Each rule takes a clause and gives the other sentence with what its parse must show, or None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hybridsem.english.inflection import inflected, tense
from hybridsem.english.words import NEGATORS, PERSONS
from hybridsem.evaluation.corpora.analogies import words as _words
from hybridsem.evaluation.corpora.analogies.clause import ROOT, Clause, Made, Piece, edited

AGREEMENT = {"is": "are", "was": "were", "has": "have", "does": "do"}
THEIRS = {"his": "their", "her": "their", "its": "their"}
THEMSELVES = dict.fromkeys(("himself", "herself", "itself"), "themselves")


def plural(clause: Clause) -> Made | None:
    """The subject "a …" as "some …s", with the finite verbs and pronouns that go with it."""
    tree, subject, predicate = clause.tree, clause.subject, clause.predicate
    noun = clause.lemma[subject]
    if (
        clause.lower[0] not in ("a", "an")
        or clause.of(subject, "det") != [0]
        or tree[subject].pos != "NOUN"
    ):
        return None
    nouns = inflected(noun, "NNS")
    if noun != clause.lower[subject] or noun in _words.MEASURES or nouns in (None, noun):
        return None
    if clause.of(subject, "acl", "conj", "appos", "nummod", "compound") or tree[predicate].pos in (
        "NOUN",
        "PROPN",
    ):
        return None
    if clause.of(predicate, "xcomp", "ccomp", "parataxis") or not all(
        map(clause.shares, clause.coordinated())
    ):
        return None
    changes: dict[int, Sequence[Piece]] = {0: ("some",), subject: (str(nouns),)}
    bare = clause.coordinated() if clause.first == predicate else []
    for verb in (clause.first, *bare):
        form = clause.lower[verb]
        if form in AGREEMENT:
            changes[verb] = (AGREEMENT[form],)
        elif tree[verb].pos == "AUX" and form.endswith("s"):  # a clitic
            return None
        elif tense(form, clause.lemma[verb]) == "VBZ":
            changes[verb] = (clause.lemma[verb],)
    for i, form in enumerate(clause.lower):
        if form in THEMSELVES:
            changes[i] = (THEMSELVES[form],)
        elif form in THEIRS and tree[i].relation == "nmod:poss" and i not in clause.subject_words:
            changes[i] = (THEIRS[form],)
        elif tree[i].pos == "PRON" and form in ("he", "she", "it", "him", "her", "his", "its"):
            return None
    head = str(changes.get(predicate, (tree[predicate].text,))[0])
    return Made(edited(tree, changes), ((str(nouns), clause.relation[subject], head),))


def comparative(clause: Clause) -> Made | None:
    """The first adjective that has a comparative, in that form."""
    for i in clause.adjectives():
        form = inflected(clause.lower[i], "JJR") if clause.lower[i] in _words.GRADABLE else None
        if form is not None:
            return _replaced(clause, i, form)
    return None


class Opposite:
    """The first adjective with an opposite, replaced; ``pairs``, both ways, precede our table."""

    def __init__(self, pairs: Sequence[tuple[str, str]] = ()) -> None:
        self.table: Mapping[str, str] = {
            **dict(_words.OPPOSITES),
            **{b: a for a, b in pairs},
            **dict(pairs),
        }

    def __call__(self, clause: Clause) -> Made | None:
        """The sentence with the opposite; "old" is "young" of persons and "new" of things."""
        for i in clause.adjectives():
            word = clause.lower[i]
            noun = clause.subject if i == clause.predicate else clause.tree[i].head
            person = clause.lemma[noun] in PERSONS
            if (word in _words.COLOURS and person) or (
                word == "young" and clause.lemma[noun] in _words.CHILDREN
            ):
                continue
            if word == "old":
                return _replaced(clause, i, "young" if person else "new")
            if word in self.table:
                return _replaced(clause, i, self.table[word])
        return None


def conjugated(clause: Clause) -> Made | None:
    """The verb behind an auxiliary in the third person of the present, without the auxiliary."""
    if len(clause.auxiliaries) != 1 or clause.has_any(NEGATORS):
        return None
    if clause.lower[clause.first] not in _words.BEFORE_BASE or not clause.is_third_person:
        return None
    subject = clause.tree[clause.subject]
    if subject.pos == "PROPN" and subject.text.endswith("s"):  # one or many: Texas, the Alps
        return None
    if any(clause.tree[i].pos != "ADV" for i in range(clause.first + 1, clause.predicate)):
        return None
    changes: dict[int, Sequence[Piece]] = {clause.first: ()}
    for verb in (clause.predicate, *clause.coordinated()):
        lemma = clause.lemma[verb]
        form = inflected(lemma, "VBZ")
        if clause.tree[verb].pos != "VERB" or clause.lower[verb] != lemma or form is None:
            return None
        if verb != clause.predicate and not clause.shares(verb):
            return None
        changes[verb] = (form,)
    main = str(changes[clause.predicate][0])
    arcs = (
        (main, "root", ROOT),
        (clause.lower[clause.subject], clause.relation[clause.subject], main),
    )
    return Made(edited(clause.tree, changes), arcs)


def _replaced(clause: Clause, i: int, form: str) -> Made:
    """The sentence with one word as another that stands in the same place of the tree."""
    head = clause.tree[i].head
    arc = form, clause.relation[i], ROOT if head < 0 else clause.lower[head]
    return Made(edited(clause.tree, {i: (form,)}), (arc,))
