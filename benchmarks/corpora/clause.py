"""A sentence that is one plain clause, its changeable parts, and writing it again.

A boy in a red hat is riding his bike down the street .
[     subject    ] first     [object] [ rest         ]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from benchmarks.corpora.inflection import article, inflected, is_plural, tense
from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english import words as english
from hybridsem.english.words import ARTICLES
from hybridsem.parsers.trees.clauses import Phrases
from hybridsem.structures import DependencyTree

_TABLES = read_table(__file__)
WORDS: dict[str, frozenset[str]] = dict(word_sets(_TABLES["words"]))
"""The lists by name, with those that are made from others."""


def _pairs(name: str) -> list[tuple[str, str]]:
    parted = (pair.partition(":") for pair in _TABLES["pairs"][name].split())
    return [(one, two) for one, _, two in parted]


OPPOSITES = _pairs("opposites")
NAMES = frozenset(_pairs("names"))

_FORMS = english.PRONOUNS.values()
_POSITIVE = WORDS["gradable"] | WORDS["colours"] | WORDS["predicative"]
WORDS |= {
    "kin": english.KIN | WORDS["kin"],
    "predicative": _POSITIVE - WORDS["not_predicative"],
    "pronouns": frozenset(english.PRONOUNS),
    "object_pronouns": frozenset(forms.object for forms in _FORMS),
    # Words that refer to the subject before them.
    "bound": frozenset(form for forms in _FORMS for form in (forms.determiner, forms.reflexive))
    | {"other", "another", "own"},
    "with_have": frozenset({"I", "you", "we", "they"}),
}


SUBJECTS = ("nsubj", "nsubj:pass")
AUXILIARIES = ("aux", "aux:pass", "cop")
MIN_WORDS, MAX_WORDS = 3, 20  # words
PLAIN = re.compile(r"(?!.*(?: -|--|\.\.))[A-Z][A-Za-z0-9 ,.'’%$-]*[A-Za-z0-9]\.")
NOT_BEHIND_ARTICLE = ("DET", "CCONJ", "AUX", "PUNCT")
ROOTS = ("VERB", "ADJ", "NOUN", "PROPN", "AUX", "ADP", "ADV")
NOMINAL = ("nsubj", "nsubj:pass", "obj", "obl", "nmod", "obl:agent", "root")


class Clause(Phrases):
    """A sentence whose root is a predicate with a subject before it and a finite word, by their
    indices.
    """

    def __init__(self, tree: DependencyTree, subject: int) -> None:
        super().__init__(tree)
        self.subject, self.predicate = subject, tree.root
        self.auxiliaries = tuple(
            c for c in self.children(tree.root) if self.relation[c] in AUXILIARIES
        )

    @cached_property
    def first(self) -> int:
        """The finite word: the first auxiliary, or the verb itself."""
        return self.auxiliaries[0] if self.auxiliaries else self.predicate

    @cached_property
    def tense(self) -> str | None:
        """VBZ, VBP or VBD; None for other forms."""
        form, lemma = self.lower[self.first], self.lemma[self.first]
        found = tense(form, lemma)
        is_verb = self.tokens[self.first].pos == "VERB"
        if is_verb and found == "VBP" and form == inflected(lemma, "VBD"):
            return "VBD" if self.is_third_person else None  # "they hit it" may be either
        return found

    @property
    def is_third_person(self) -> bool:
        """The subject is one thing or person that is spoken of."""
        is_pronoun = self.lower[self.subject] in WORDS["singular_pronouns"]
        is_name = self.tokens[self.subject].pos == "PROPN"
        is_one = is_pronoun or is_name or self.is_singular(self.subject)
        return is_one and not self.of(self.subject, "conj")

    @cached_property
    def subject_words(self) -> tuple[int, ...]:
        """The words of the subject; they are the first of the sentence."""
        return self.subtree(self.subject)

    def of(self, head: int, *relations: str) -> list[int]:
        """Return the dependents of ``head`` with one of the relations (without subtypes)."""
        return [c for c in self.children(head) if self.base[c] in relations]

    def coordinated(self) -> list[int]:
        """Return the predicates coordinated with the main one."""
        return self.of(self.predicate, "conj")

    def shares(self, verb: int) -> bool:
        """Test if a coordinated predicate shares subject, auxiliary and form."""
        main = self.tokens[verb].head
        alike = self.tokens[verb].pos == self.tokens[main].pos
        alike = alike and self.lower[verb].endswith("ing") == self.lower[main].endswith("ing")
        return alike and not self.of(verb, "nsubj", "csubj", "aux", "cop", "mark", "expl")

    def has_any(self, words: frozenset[str]) -> bool:
        """Test if one of the words occurs."""
        return not words.isdisjoint(self.lower)

    def adjectives(self) -> list[int]:
        """Return the adjectives without dependents, before a noun or after "be"."""
        return [i for i, token in enumerate(self.tree) if token.pos == "ADJ" and self._is_plain(i)]

    def _is_plain(self, i: int) -> bool:
        is_attribute = self.base[i] == "amod"
        if not (is_attribute or (i == self.predicate and self.auxiliaries)):
            return False
        if is_attribute and i and self.tokens[i - 1].pos == "NOUN":  # knee high boots
            return False
        if any(self.base[c] not in ("cop", "aux", "nsubj", "punct") for c in self.children(i)):
            return False
        following = self.lower[i + 1 : i + 2]
        is_shade = self.lower[i] in WORDS["shades"] and not WORDS["colours"].isdisjoint(following)
        is_joined = "-" in self.lower[max(i - 1, 0) : i + 2]
        is_name = tuple(self.lower[i : i + 2]) in NAMES
        return self.tokens[i].text.islower() and not (is_shade or is_joined or is_name)

    def is_singular(self, noun: int) -> bool:
        """Test if a noun has a plural and is in the singular."""
        lemma = self.lemma[noun]
        return self.lower[noun] == lemma and inflected(lemma, "NNS") not in (None, lemma)


def clause_of(tree: DependencyTree, longest: int = MAX_WORDS) -> Clause | None:
    """Return the clause of a plain declarative sentence that begins with its subject, else None."""
    if tree.truncated or not is_plain(tree.text, longest) or tree[tree.root].pos not in ROOTS:
        return None
    relations = (*SUBJECTS, "csubj", "expl")
    subjects = [c for c in tree.children(tree.root) if tree[c].relation in relations]
    if len(subjects) != 1 or tree[subjects[0]].relation not in SUBJECTS:
        return None
    clause = Clause(tree, subjects[0])
    words = clause.subject_words
    if words != tuple(range(len(words))) or clause.first < len(words) or clause.tense is None:
        return None
    if clause.predicate == clause.first and tree[clause.predicate].pos not in ("VERB", "AUX"):
        return None
    return None if _disagrees(clause) or _is_careless(clause) else clause


def is_plain(text: str, longest: int = MAX_WORDS) -> bool:
    """Test if a text is one sentence of words, commas and a full stop, of usual length."""
    words = text.split()
    return (
        MIN_WORDS <= len(words) <= longest
        and PLAIN.fullmatch(text) is not None
        and ". " not in text
        and not any(word.isupper() and len(word) > 3 for word in words)
    )


def _disagrees(clause: Clause) -> bool:
    """Test if a noun and its verb differ in number, as in "the woman are"."""
    subject, finite = clause.subject, clause.lower[clause.first]
    is_measure = clause.lemma[subject] in WORDS["measures"]
    if clause.tree[subject].pos != "NOUN" or clause.of(subject, "conj") or is_measure:
        return False
    if clause.is_singular(subject):
        is_plural_verb = clause.tense == "VBP" and clause.tree[clause.first].pos == "VERB"
        return is_plural_verb or finite in ("are", "were", "have", "do")
    many = is_plural(clause.lower[subject], clause.lemma[subject])
    return many and (clause.tense == "VBZ" or finite == "was")


def _is_careless(clause: Clause) -> bool:
    """Test if words are repeated or missing: "is is", "a both", "man is singing"."""
    tree, lower = clause.tree, clause.lower
    for i, following in pairwise(range(len(tree))):
        if lower[i] == lower[following]:
            return True
        if lower[i] in ARTICLES and tree[following].pos in NOT_BEHIND_ARTICLE:
            return True
        is_article = lower[i] in ("a", "an")
        if is_article and (article(lower[following]) != lower[i] or not _is_one(clause, i)):
            return True
    return any(_is_bare(clause, i) for i in range(len(tree) - 1))


def _is_one(clause: Clause, determiner: int) -> bool:
    """Test if "a" goes with a noun after it that is not plural."""
    head = clause.tokens[determiner].head
    text, lemma = clause.tokens[head].text, clause.tokens[head].lemma
    return lemma in WORDS["measures"] or (head > determiner and not is_plural(text, lemma))


def _is_bare(clause: Clause, i: int) -> bool:
    """Test if a noun for one person or animal has no determiner."""
    is_noun = clause.tokens[i].pos == "NOUN" and clause.relation[i] in NOMINAL
    is_single = is_noun and clause.lower[i] in WORDS["single"]
    return is_single and not clause.of(i, "det", "nmod", "nummod")


Piece = int | str
"""A word of the sentence by its index, or a new one."""

ROOT = ""
NO_SPACE_BEFORE = re.compile(r"[.,;:!?%)\]}]|['’].*|n['’]t", re.IGNORECASE)


@dataclass(frozen=True)
class EditedSentence:
    """An edited sentence; its parse must have ``arcs`` (word, relation, head or ROOT)."""

    text: str
    arcs: tuple[tuple[str, str, str], ...]

    def missing(self, tree: DependencyTree) -> str | None:
        """Return the first required relation that the parse lacks."""
        heads = [tree[token.head].text.lower() if token.head >= 0 else ROOT for token in tree]
        words = zip(tree, heads, strict=True)
        found = {(token.text.lower(), token.relation, head) for token, head in words}
        for word, relation, head in self.arcs:
            if (word.lower(), relation, head.lower()) not in found:
                return relation
        return None


def edited(tree: DependencyTree, changes: Mapping[int, Sequence[Piece]]) -> str:
    """Return the sentence with some words replaced, each by none, one or several."""
    return written(tree, [piece for i in range(len(tree)) for piece in changes.get(i, (i,))])


def written(tree: DependencyTree, pieces: Iterable[Piece], *, articles: bool = True) -> str:
    """Write words of a sentence and new ones as a sentence. The sentence's own first word is
    lowered elsewhere, unless it is a name. With ``articles``, "a" and "an" agree with the next
    word.
    """
    order = list(pieces)
    words: list[str] = []
    for place, piece in enumerate(order):
        text = lowered(tree) if piece == 0 else "" if isinstance(piece, str) else tree[piece].text
        word = piece if isinstance(piece, str) else text
        following = order[place + 1] if place + 1 < len(order) else ""
        is_kept = isinstance(piece, int) and following == piece + 1
        if articles and word in ("a", "an") and not is_kept:
            word = article(following if isinstance(following, str) else tree[following].text)
        words.append(word)
    text = words[0][:1].upper() + words[0][1:]
    for (before, here), word in zip(pairwise(order), words[1:], strict=True):
        text += word if _together(tree, before, here) else f" {word}"
    return text


def lowered(tree: DependencyTree) -> str:
    """Return the first word as inside a sentence: with a small letter, except names and "I"."""
    first = tree[0]
    keeps = first.pos == "PROPN" or first.text == "I" or first.text[1:2].isupper()
    return first.text if keeps else first.text[0].lower() + first.text[1:]


def _together(tree: DependencyTree, before: Piece, here: Piece) -> bool:
    """Test if no blank separates two words."""
    if isinstance(before, int) and isinstance(here, int) and here == before + 1:
        return tree[before].end == tree[here].start
    return NO_SPACE_BEFORE.fullmatch(here if isinstance(here, str) else tree[here].text) is not None
