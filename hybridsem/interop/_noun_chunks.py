"""Noun phrases of trees with UD's relations, for spaCy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

__all__ = ["noun_chunks"]

HEADS = ("NOUN", "PROPN", "PRON")
BEFORE = ("det", "det:predet", "amod", "nummod", "nmod:poss", "compound", "flat", "goeswith")
"""Relations of words before the head that belong to its phrase, with their dependents."""

AFTER = ("flat", "fixed", "goeswith")
"""Relations of words after the head: "New York", "each other"."""

INSIDE = {*BEFORE, *AFTER, "case", "mark", "expl"}
"""Relations of nouns that head no phrase of their own."""


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and label of noun phrases, not nested and without later modifiers."""
    label = doclike.doc.vocab.strings.add("NP")
    end = 0
    for word in doclike:
        if word.pos_ not in HEADS or _first(word).dep_ in INSIDE:
            continue
        start = _start(word)
        if start < end:
            continue
        end = _end(word)
        yield start, end, label


def _first(word: Token) -> Token:
    """Return the first conjunct of a word, or the word itself."""
    while word.dep_ == "conj" and word.head.i < word.i:
        word = word.head
    return word


def _start(word: Token) -> int:
    start = word.i
    for child in reversed(list(word.lefts)):
        if child.dep_ in BEFORE:
            start = child.left_edge.i
        elif child.dep_ != "punct":  # "a big, red dog"
            break
    return start


def _end(word: Token) -> int:
    end = word.i + 1
    for child in word.rights:
        if child.dep_ not in AFTER or child.left_edge.i != end:
            break
        end = child.right_edge.i + 1
    return end
