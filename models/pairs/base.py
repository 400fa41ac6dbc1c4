"""A sentence to make pairs from, and what is certain about it.

    Whole    any declarative sentence that can stand in another as it is
    Base     one plain clause that begins with its subject; its words can be changed

An edit asks here before it changes anything; where a question is open, the answer is no.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import TypeVar

from benchmarks.corpora.clause import (
    AUXILIARIES,
    Clause,
    Piece,
    clause_of,
    edited,
    is_plain,
    lowered,
    written,
)
from benchmarks.corpora.clause import WORDS as CLAUSE_WORDS
from benchmarks.corpora.distractors import generator
from benchmarks.corpora.inflection import inflected, tense
from benchmarks.corpora.relations import form_of_be, is_many
from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english import words as english
from hybridsem.english.lexicon import lexicon
from hybridsem.english.numbers import CARDINALS
from hybridsem.structures import DependencyTree

FEWEST, MOST = 4, 40
"""Words of a sentence."""

_TABLES = read_table(__file__)
_WORDS = word_sets(_TABLES["words"])
NAMES: Mapping[str, str] = _TABLES["names"]
_NAMES = frozenset(name for group in NAMES.values() for name in group.split())
NOT_ASSERTED = (
    english.NEGATORS
    | english.NEAR_NEGATORS
    | CLAUSE_WORDS["scope"]
    | CLAUSE_WORDS["hedges"]
    | _WORDS["not_asserted"]
)
"""Words with which a sentence does not simply say that something is so."""
UNCLEAR = ("conj", "ccomp", "parataxis", "advcl", "csubj", "discourse", "vocative")
"""Dependents of a predicate that a negation may or may not reach."""
UNJOINED = frozenset(UNCLEAR) - {"ccomp"}
BROKEN = frozenset({"dep", "reparandum", "goeswith", "list", "orphan", "dislocated", "discourse"})
_PHRASES = ("nsubj", "obj", "iobj", "obl", "nmod", "nummod", "compound", "flat")
END = re.compile(r"\b\d{1,2}\.$")
"""A full stop that may be a point: "fell from 10."."""
ASKING = english.QUESTION_WORDS | english.FREE_RELATIVES

T = TypeVar("T")


class Whole:
    """A declarative sentence.

    ``draw`` chooses by the seed and the text, whatever other sentences there are. ``other`` is
    another sentence, without capital and full stop, to be joined with this one.
    """

    def __init__(self, tree: DependencyTree, finite: int, seed: int, other: str = "") -> None:
        self.random = generator(seed, tree.text)
        self.text, self.other = tree.text, other
        self.body = lowered(tree) + tree.text[tree[0].end : -1]
        verb = tree[finite]
        self.is_past = tense(verb.text, verb.lemma) == "VBD"
        self.begins_plainly = tree[0].pos in ("DET", "NOUN", "PROPN", "PRON", "ADJ", "NUM")

    def draw(self, options: Sequence[T], count: int = 1) -> list[T]:
        """Some of the options."""
        order = self.random.permutation(len(options))[:count]
        return [options[i] for i in order]


class Base(Whole, Clause):
    """A plain clause that begins with its subject, and its parts."""

    def __init__(self, tree: DependencyTree, subject: int, seed: int) -> None:
        Clause.__init__(self, tree, subject)
        Whole.__init__(self, tree, self.first, seed)

    def edited(self, changes: Mapping[int, Sequence[Piece]]) -> str:
        """The sentence with some words replaced."""
        return edited(self.tree, changes)

    def written(self, *pieces: Piece) -> str:
        """Words of the sentence and new ones as a sentence, with its full stop."""
        return written(self.tree, [*pieces, len(self.tree) - 1])

    @cached_property
    def rest(self) -> tuple[int, ...]:
        """The words behind the subject, without the full stop."""
        return tuple(range(len(self.subject_words), len(self.tree) - 1))

    @cached_property
    def is_affirmed(self) -> bool:
        """Nothing is denied, doubted, quantified or only possible."""
        finite = {self.lemma[self.first], self.lower[self.first]}
        return finite.isdisjoint(english.MODALS) and not self.has_any(NOT_ASSERTED)

    @cached_property
    def is_upward(self) -> bool:
        """Affirmed, and a more general word makes the whole more general."""
        return self.is_affirmed and not self.has_any(_WORDS["not_upward"])

    @cached_property
    def is_tight(self) -> bool:
        """One predicate, without clauses beside or below that a "not" might or might not deny."""
        return not self.of(self.predicate, *UNCLEAR)

    @cached_property
    def is_sure(self) -> bool:
        """Affirmed and one predicate, about something that two texts would both mean."""
        return self.is_affirmed and self.is_tight and self.is_definite(self.subject)

    @cached_property
    def is_told(self) -> bool:
        """Affirmed of something definite; there may be other clauses below the predicate."""
        alone = not self.of(self.predicate, "conj", "parataxis", "csubj", "ccomp")
        return alone and self.is_affirmed and self.is_definite(self.subject)

    def is_in_main(self, i: int) -> bool:
        """Test if a word is in a phrase of the main predicate, and not in a clause of its own."""
        while i != self.predicate and self.base[i] in _PHRASES:
            i = self.tree[i].head
        return i == self.predicate

    @cached_property
    def is_verb(self) -> bool:
        """The predicate is a verb."""
        return self.tree[self.predicate].pos == "VERB"

    @cached_property
    def is_plain_verb(self) -> bool:
        """A verb in a simple tense, right behind its subject."""
        verb = self.predicate
        is_next = not self.auxiliaries and verb == len(self.subject_words)
        is_whole = self.lemma[verb].isalpha() and not self.of(verb, "xcomp")
        return self.is_verb and is_next and is_whole

    @cached_property
    def is_open(self) -> bool:
        """The subject is a name that may be one or many: Texas, the Alps."""
        token = self.tree[self.subject]
        return token.pos == "PROPN" and token.text.endswith("s")

    @cached_property
    def is_short(self) -> bool:
        """The finite word is a clitic: "'s"."""
        return self.lower[self.first].startswith(("'", "’"))

    def is_definite(self, noun: int) -> bool:
        """Test if a phrase means one thing whenever it is said: a name, "the", "my", "he"."""
        token = self.tree[noun]
        if self.of(noun, "conj", "appos"):
            return False
        if token.pos == "PRON":
            return self.lower[noun] in _WORDS["definite_pronouns"]
        if token.pos == "PROPN":
            return True
        determiners = [self.lower[c] for c in self.of(noun, "det")]
        owned = any(self.relation[c] == "nmod:poss" for c in self.children(noun))
        return token.pos == "NOUN" and (owned or not _WORDS["definite"].isdisjoint(determiners))

    def is_person(self, noun: int) -> bool:
        """Test if a phrase certainly means one or several persons."""
        if self.tree[noun].pos == "PROPN":
            return self.tree[noun].text in _NAMES
        persons = _WORDS["person_pronouns"] if self.tree[noun].pos == "PRON" else _WORDS["persons"]
        return self.lemma[noun] in persons or self.lower[noun] in persons

    @cached_property
    def acts(self) -> bool:
        """A person does something on purpose, in the simple past."""
        on_purpose = self.lemma[self.predicate] not in _WORDS["not_on_purpose"]
        return self.is_past and self.is_plain_verb and self.is_person(self.subject) and on_purpose

    @cached_property
    def has_time(self) -> bool:
        """The sentence says when."""
        times = english.TIME_NOUNS | _WORDS["times"]
        years = (form for form in self.lower if len(form) == 4 and form.isdigit())
        return self.has_any(times) or not times.isdisjoint(self.lemma) or any(years)

    @cached_property
    def has_bound(self) -> bool:
        """A pronoun in the predicate may mean the subject."""
        return any(self.lower[i] in CLAUSE_WORDS["bound"] for i in self.rest)

    def form(self, tag: str) -> str:
        """The predicate in another form."""
        return inflected(self.lemma[self.predicate], tag) or self.lemma[self.predicate]

    @cached_property
    def many(self) -> bool:
        """The subject takes a plural verb."""
        return is_many(self, self.subject)

    def be(self, tag: str) -> str:
        """The form of "be" that goes with the subject; VBD is past, VBZ present."""
        subject = self.lower[self.subject]
        return form_of_be(tag, "I" if subject == "i" else subject, self.many)

    def have(self) -> str:
        """The form of "have" that goes with the subject."""
        plural = self.many or self.lower[self.subject] in ("i", "you", "we", "they")
        return "have" if plural else "has"


def whole_of(tree: DependencyTree, seed: int, other: str = "") -> Whole | None:
    """The sentence, if it is one declarative clause of usual length that stands alone."""
    if tree.truncated or not is_plain(tree.text, MOST) or _is_odd(tree):
        return None
    below = {tree[c].relation.partition(":")[0]: c for c in reversed(tree.children(tree.root))}
    auxiliaries = (c for c in tree.children(tree.root) if tree[c].relation in AUXILIARIES)
    subject, finite = below.get("nsubj", below.get("expl")), min([tree.root, *auxiliaries])
    if subject is None or subject > finite or not UNJOINED.isdisjoint(below):
        return None
    if below.get("ccomp", subject) < subject or "," in tree.text[: tree[subject].start]:
        return None
    if any(tree[i].text.lower() in ASKING for i in range(finite)):
        return None
    verb = tree[finite]
    clitic = verb.text.startswith(("'", "’")) or verb.text.lower() in english.MODALS
    known = clitic or tense(verb.text, verb.lemma) is not None
    return Whole(tree, finite, seed, other) if known and verb.pos in ("VERB", "AUX") else None


def base_of(tree: DependencyTree, seed: int) -> Base | None:
    """The sentence, if it is one plain clause of usual length whose parse can be believed."""
    clause = clause_of(tree, MOST)
    if clause is None or _is_odd(tree) or clause.lower[clause.subject] in _WORDS["no_subjects"]:
        return None
    wrong = clause.tense == "VBP" and clause.tree[clause.first].pos == "VERB"
    return None if wrong and clause.is_third_person else Base(tree, clause.subject, seed)


def _is_odd(tree: DependencyTree) -> bool:
    """Test for few words, many commas, careless words, and a first word that may be a name."""
    first, low, words = tree[0], tree[0].text.lower(), tree.text.split()
    if len(words) < FEWEST or tree.text.count(",") > 2 or END.search(tree.text):
        return True
    if sum(word[0].isupper() for word in words) > len(words) / 2:  # a headline
        return True
    if any(token.relation in BROKEN or token.text.lower() in _WORDS["careless"] for token in tree):
        return True
    if first.pos in ("CCONJ", "INTJ", "PUNCT", "SYM", "X") or low in _WORDS["no_beginnings"]:
        return True
    capital = first.text in _capitals() or tree[1].text[:1].isupper()  # "Circuit Court"
    if capital and first.pos in ("ADJ", "NOUN", "VERB"):
        return True
    common = low in english.STOP_WORDS or low in CARDINALS or first.text[0].isdigit()
    return not (common or first.pos == "PROPN" or (first.lemma.lower(), first.pos) in lexicon())


@cache
def _capitals() -> frozenset[str]:
    """The words of the lexicon with a capital: "Italian"."""
    return frozenset(lemma for lemma in lexicon().lemmas() if lemma[:1].isupper())
