"""Pronouns as AMR: the node of what they stand for, where that is safe."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.draft import Draft
from hybridsem.parsers.amr_rules.phrases import node_of
from hybridsem.parsers.amr_rules.words import Words

__all__ = ["pronoun"]

THIRD = frozenset({"he", "she", "it", "they"})


class Antecedent(NamedTuple):
    """The word that a pronoun stands for, and where it is.

    ``where`` is ``subject`` of a clause that holds the pronoun, ``before`` in an adverbial clause
    ahead of it, or ``modified`` by the participle whose clause it is in.
    """

    word: int
    where: str


def pronoun(draft: Draft, i: int) -> int:
    """The node of a pronoun: that of its antecedent, else one node for all of its kind."""
    concept = tables.PRONOUNS[draft.words.lower[i]]
    if concept in ("this", "that"):
        return draft.graph.node(concept)
    if concept in THIRD:
        antecedent = _antecedent(draft, i, concept)
        node = None if antecedent is None else _node_of_antecedent(draft, antecedent)
        if node is not None:
            return node
    return draft.person(concept)


def _node_of_antecedent(draft: Draft, antecedent: Antecedent) -> int | None:
    word, where = antecedent
    if where == "before":
        return node_of(draft, word)
    return draft.core[word] if where == "modified" else draft.known(word)


def _antecedent(draft: Draft, i: int, concept: str) -> Antecedent | None:
    """The subject that a pronoun agrees with, above it; in its own clause for a possessive."""
    words = draft.words
    own = words.relation[i] == "nmod:poss" or words.lower[i].endswith(("self", "selves"))
    nearest = True
    for below, at in pairwise([i, *_above(words, i)]):
        subject = words.relation_of(at, "nsubj")
        if subject is None or (subject == below and subject != i):
            if nearest and subject is None and words.base[at] == "acl":
                noun = words.tokens[at].head  # "a man brushing his teeth"
                if own and noun in draft.core and _agrees(words, noun, concept):
                    return Antecedent(noun, "modified")
            continue
        if subject == i and nearest:
            before = _subject_before(words, at, i, concept)
            if before is not None:
                return Antecedent(before, "before")
        if (own or not nearest) and subject < i and _agrees(words, subject, concept):
            return Antecedent(subject, "subject")
        nearest = False
    return None


def _above(words: Words, i: int) -> Iterator[int]:
    """The words above a word, one after the other."""
    seen = {i}
    while (i := words.tokens[i].head) >= 0 and i not in seen:
        seen.add(i)
        yield i


def _subject_before(words: Words, clause: int, i: int, concept: str) -> int | None:
    """The subject of an adverbial clause before the pronoun: "when the man came, he …"."""
    for adverbial in words.below(clause, "advcl"):
        subjects = (c for c in words.children(adverbial) if words.base[c] == "nsubj" and c < i)
        subject = next(subjects, None)
        if subject is not None and _agrees(words, subject, concept):
            return subject
    return None


def _agrees(words: Words, noun: int, concept: str) -> bool:
    """Whether a noun may be meant by a pronoun of the third person."""
    if words.pos(noun) not in ("NOUN", "PROPN"):
        return False
    word, lemma = words.lower[noun], words.lemma[noun]
    plural = word != lemma or words.has(noun, "conj")
    if concept == "they":
        return plural or lemma in tables.COLLECTIONS or word == "people"
    if concept == "it":
        return not plural and lemma not in tables.PEOPLE
    return not plural and lemma not in (tables.FEMALE if concept == "he" else tables.MALE)
