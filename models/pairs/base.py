"""A sentence to make pairs from: one plain clause, and what is certain about it.

An edit asks here before it changes anything; where a question is open, the answer is no.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from benchmarks.corpora.clause import WORDS as CLAUSE_WORDS
from benchmarks.corpora.clause import Clause, Piece, clause_of, edited, lowered, written
from benchmarks.corpora.inflection import inflected
from benchmarks.corpora.relations import form_of_be, is_many
from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english import words as english
from hybridsem.structures import DependencyTree

__all__ = ["FEWEST", "MOST", "TABLES", "WORDS", "Base", "base_of"]

FEWEST, MOST = 4, 40
"""Words of a sentence."""

TABLES = read_table(__file__)
WORDS = word_sets(TABLES["words"])
NAMES = frozenset(name for group in TABLES["names"].values() for name in group.split())
NOT_ASSERTED = (
    english.NEGATORS
    | english.NEAR_NEGATORS
    | CLAUSE_WORDS["scope"]
    | CLAUSE_WORDS["hedges"]
    | WORDS["not_asserted"]
)
UNCLEAR = frozenset({"conj", "ccomp", "parataxis", "advcl", "csubj", "discourse", "vocative"})
"""Dependents of a predicate that a negation may or may not reach."""
BROKEN = frozenset({"dep", "reparandum", "goeswith", "list", "orphan", "dislocated", "discourse"})
SHORT_FORMS = ("'", "’", "n't")

T = TypeVar("T")


class Base(Clause):
    """A plain declarative clause.

    ``draw`` chooses by the seed and the text, whatever other sentences there are. ``other`` is a
    clause from another sentence, to be joined with this one.
    """

    def __init__(self, tree: DependencyTree, subject: int, seed: int, other: str = "") -> None:
        super().__init__(tree, subject)
        digest = hashlib.sha256(f"{seed}\0{tree.text}".encode()).digest()
        self.random = np.random.default_rng(int.from_bytes(digest[:16], "big"))
        self.other = other
        self.text = tree.text

    def draw(self, options: Sequence[T], count: int = 1) -> list[T]:
        """Some of the options."""
        order = self.random.permutation(len(options))[:count]
        return [options[i] for i in order]

    @cached_property
    def body(self) -> str:
        """The sentence as a part of another: without capital and full stop."""
        return lowered(self.tree) + self.text[self.tree[0].end : -1]

    def edited(self, changes: Mapping[int, Sequence[Piece]]) -> str:
        """The sentence with some words replaced."""
        return edited(self.tree, changes)

    def written(self, pieces: Sequence[Piece]) -> str:
        """Words of the sentence and new ones as a sentence, with its full stop."""
        return written(self.tree, [*pieces, len(self.tree) - 1])

    @cached_property
    def rest(self) -> tuple[int, ...]:
        """The words behind the subject, without the full stop."""
        return tuple(range(len(self.subject_words), len(self.tree) - 1))

    @cached_property
    def is_affirmed(self) -> bool:
        """Nothing is denied, doubted, quantified or only possible."""
        modal = self.lemma[self.first] in english.MODALS or self.lower[self.first] in english.MODALS
        return not modal and not self.has_any(NOT_ASSERTED)

    @cached_property
    def is_tight(self) -> bool:
        """One predicate, without clauses beside or below it that a "not" might or might not deny."""
        return not self.of(self.predicate, *UNCLEAR)

    @cached_property
    def is_plain_verb(self) -> bool:
        """A verb in a simple tense, right behind its subject."""
        return (
            self.tree[self.predicate].pos == "VERB"
            and not self.auxiliaries
            and self.predicate == len(self.subject_words)
            and self.lemma[self.predicate].isalpha()
            and not self.of(self.predicate, "xcomp")
        )

    @cached_property
    def is_sure(self) -> bool:
        """Affirmed and one predicate, about something that two texts would both mean."""
        return self.is_affirmed and self.is_tight and self.is_definite(self.subject)

    @cached_property
    def is_past(self) -> bool:
        """The finite word is in the past tense."""
        return self.tense == "VBD"

    def is_definite(self, noun: int) -> bool:
        """Test if a phrase means one thing whenever it is said: a name, "the", "my", "he"."""
        token = self.tree[noun]
        if self.of(noun, "conj", "appos"):
            return False
        if token.pos == "PRON":
            return self.lower[noun] in WORDS["definite_pronouns"]
        if token.pos == "PROPN":
            return True
        determiners = [self.lower[c] for c in self.of(noun, "det")]
        owned = any(self.relation[c] == "nmod:poss" for c in self.children(noun))
        return token.pos == "NOUN" and (owned or not WORDS["definite"].isdisjoint(determiners))

    def is_person(self, noun: int) -> bool:
        """Test if a phrase certainly means one or several persons."""
        if self.tree[noun].pos == "PROPN":
            return self.tree[noun].text in NAMES
        persons = WORDS["person_pronouns"] if self.tree[noun].pos == "PRON" else WORDS["persons"]
        return self.lemma[noun] in persons or self.lower[noun] in persons

    @cached_property
    def acts(self) -> bool:
        """A person does something on purpose, in the simple past."""
        return (
            self.is_past
            and self.is_plain_verb
            and self.is_person(self.subject)
            and self.lemma[self.predicate] not in WORDS["not_on_purpose"]
        )

    @cached_property
    def has_time(self) -> bool:
        """The sentence says when."""
        times = english.TIME_NOUNS | WORDS["times"]
        return any(
            form in times or self.lemma[i] in times or (len(form) == 4 and form.isdigit())
            for i, form in enumerate(self.lower)
        )

    @cached_property
    def has_bound(self) -> bool:
        """A pronoun in the predicate may mean the subject."""
        return any(self.lower[i] in CLAUSE_WORDS["bound"] for i in self.rest)

    def form(self, tag: str) -> str:
        """The predicate in another form."""
        return inflected(self.lemma[self.predicate], tag) or self.lemma[self.predicate]

    def be(self, tag: str) -> str:
        """The form of "be" that goes with the subject; VBD is past, VBZ present."""
        subject = "I" if self.lower[self.subject] == "i" else self.lower[self.subject]
        return form_of_be(tag, subject, self.is_many)

    @cached_property
    def is_many(self) -> bool:
        """The subject takes a plural verb."""
        return is_many(self, self.subject)

    def have(self) -> str:
        """The form of "have" that goes with the subject."""
        many = self.is_many or self.lower[self.subject] in ("i", "you", "we", "they")
        return "have" if many else "has"


def base_of(tree: DependencyTree, seed: int, other: str = "") -> Base | None:
    """The sentence, if it is one plain clause of usual length whose parse can be believed."""
    clause = clause_of(tree, MOST)
    if clause is None or len(tree.text.split()) < FEWEST:
        return None
    if any(token.relation in BROKEN for token in tree) or clause.has_any(WORDS["careless"]):
        return None
    if any(token.text.startswith(SHORT_FORMS) and token.pos == "AUX" for token in tree):
        return None
    if clause.lower[clause.subject] in WORDS["no_subjects"] or tree.text.count(",") > 2:
        return None
    return Base(tree, clause.subject, seed, other)
