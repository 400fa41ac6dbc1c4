"""Noun phrases of trees with UD's relations, in the shape that spaCy asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

__all__ = ["noun_chunks"]

HEADS = ("NOUN", "PROPN", "PRON")
BEFORE = ("det", "det:predet", "amod", "nummod", "nmod:poss", "compound", "flat", "goeswith")
"""How a word before the head of a noun phrase, with all that hangs on it, belongs to it."""

AFTER = ("flat", "fixed", "goeswith")
"""How a word after it does: "New York", "each other"."""

INSIDE = {*BEFORE, *AFTER, "case", "mark", "expl"}
"""What a noun is that is no head of a phrase of its own."""


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Noun phrases that are not nested, without what modifies them from behind: where each begins
    and ends, and its label.
    """
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
    """The first of the words that are joined with a word, or the word itself."""
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
