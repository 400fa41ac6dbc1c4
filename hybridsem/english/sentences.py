"""Sentence boundaries of a document, by punctuation, abbreviations and blank lines.

>>> text = "Dr. Ng left at 3 p.m. on Monday. Why? Nobody knows."
>>> [text[start:end] for start, end in sentences(text)]
['Dr. Ng left at 3 p.m. on Monday.', 'Why?', 'Nobody knows.']
"""

from __future__ import annotations

import re
import unicodedata

from hybridsem._utils.tables import word_set
from hybridsem._utils.validation import problem
from hybridsem.english.words import ABBREVIATIONS, ARTICLES, PRONOUNS, WEEKDAY_ABBREVIATIONS

Span = tuple[int, int]

_PARAGRAPH = re.compile(r"(?:\r\n?|\n|\u2029)(?:[ \t\f\v]*(?:\r\n?|\n|\u2029))+|\u2029")
# Marks that may end a sentence, with closing quotes and brackets.
_END = re.compile(r"""(?:[.!?…‽؟۔]+|[。！？｡।॥]+)['"’”»)\]*_]*""")
_OPENING = "'\"‘“«([{*_-–—¿¡`"
_WORD = re.compile(r"[^\W\d_][\w.]*$")

# After these a full stop may end a sentence, if the next word is likely to begin one.
_MAY_END = (WEEKDAY_ABBREVIATIONS & ABBREVIATIONS) | word_set(
    "inc ltd co corp jr sr etc est no a.m p.m u.s u.k ph.d"
)
# The tokeniser separates the others from their stop, as English EWT does.
_ABBREVIATIONS = ABBREVIATIONS | word_set("etc cf pp sec ch art viz ca lb oz")
# Words that begin sentences far more often than names.
_STARTERS = (
    ARTICLES
    | frozenset(PRONOUNS)
    | frozenset(forms.determiner for forms in PRONOUNS.values())
    | word_set(
        """
        this that these those there here and so but in on at if when while as for from after before
        however what who why how where
        """
    )
)


def sentences(text: str) -> list[Span]:
    """Return the (start, end) spans of the sentences of a text, in order. Every visible character
    is in exactly one. A sentence ends at a blank line, and at ``.``, ``!``, ``?``, ``…`` and their
    equivalents in other scripts. Abbreviations, initials, numbers and a continuation in lower case
    are no end.
    """
    spans: list[Span] = []
    at = 0
    for gap in _PARAGRAPH.finditer(text):
        spans += _in_paragraph(text, at, gap.start())
        at = gap.end()
    return spans + _in_paragraph(text, at, len(text))


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, without invisible ones."""
    found = (text[start:end] for start, end in sentences(text))
    return [sentence for sentence in found if problem(sentence) is None]


def _in_paragraph(text: str, start: int, end: int) -> list[Span]:
    spans, at = [], start
    for mark in _END.finditer(text, start, end):
        if mark.end() < end and _ends(text, mark, end):
            spans += _stripped(text, at, mark.end())
            at = mark.end()
    return spans + _stripped(text, at, end)


def _ends(text: str, mark: re.Match[str], end: int) -> bool:
    """Test if a sentence ends with the mark, by the word before and the text after."""
    if mark.group()[0] in "。！？｡।॥":
        return True
    if not text[mark.end()].isspace():
        return False
    follows = text[mark.end() : min(end, mark.end() + 40)].lstrip()
    begins = follows.lstrip(_OPENING + " ")
    if not begins:
        return True
    first = begins[0]
    new = first.isupper() or first.isdigit() or unicodedata.category(first) in ("Lo", "Lt")
    if mark.group()[0] != ".":
        return new or (mark.group()[0] in "?!" and follows[0] in _OPENING)
    if mark.group().startswith(".."):
        return new
    word = _WORD.search(text, max(0, mark.start() - 20), mark.start())
    before = word.group().lower() if word else ""
    if before in _MAY_END or (
        len(before) == 3 and before[1] == "." and before not in ("i.e", "e.g")
    ):
        return new and re.split(r"\W", begins, maxsplit=1)[0].lower() in _STARTERS
    if before in _ABBREVIATIONS:
        return False
    if word and len(before) == 1 and word.group().isupper() and before != "i":  # an initial
        return False
    return new or first in "[<#•*"


def _stripped(text: str, start: int, end: int) -> list[Span]:
    while start < end and _blank(text[start]):
        start += 1
    while end > start and _blank(text[end - 1]):
        end -= 1
    return [(start, end)] if start < end else []


def _blank(character: str) -> bool:
    return character.isspace() or unicodedata.category(character)[0] == "C"
