"""A light test for texts that are not English, on their words and without a model.

    "Ein Hund schläft neben dem Haus."      schläft, dem +1, neben +½: not English
    "Mr. Müller saw a van Gogh in the bar"   van +0.6, Müller, saw, a, in, bar ±¼, the -1: English

A text is not English if most of its letters are not Latin, or if the evidence of its words for
another language outweighs that for English. Names, headlines, code, numbers and misspellings are
weak evidence. A text of fewer than four words always passes. Weights and thresholds were chosen so
that fewer than one in a thousand English sentences of the development data fails
(``benchmarks/foreign.py``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english.words import STOP_WORDS

_WORDS = word_sets(read_table(__file__))
OTHER_LANGUAGES, PARTICLES = _WORDS["foreign"], _WORDS["particles"]
_ENGLISH = STOP_WORDS - _WORDS["shared"]

MIN_WORDS = 4
"""Texts with fewer different words always pass."""
MIN_SCORE, MIN_SHARE = 1.0, 0.1
"""The least sum of the words' evidence, and the least sum for each word."""
UNKNOWN, UNKNOWN_SCORE = 0.5, 2.0
"""The evidence of a word in no list, and the least sum where no other word counts more."""
MIN_LETTERS = 5
"""The least number of letters in another script that is more than a few signs."""
READ = 2000
"""Characters of a text that are read: about as many as the encoder reads."""

_NOT_LATIN = re.compile("[^\\0-\u024f\u1e00-\u1eff]")
_CODE = re.compile(r"[/@\\_=<>{}]")
_CLAUSE = re.compile(r"(?<![.,;:!?—])[.,;:!?—]++(?=\s)")
_WORD = re.compile(r"(?<![\w.])[^\W\d_]+(?![\d_]|\.\w)")
"""A word that is not part of a number or an address."""


def is_non_english(text: str, piece: Callable[[str], int | None]) -> bool:
    """Test if a text is not English; ``piece`` numbers words that are one piece of the encoder."""
    text = text[:READ]
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        others = sum(map(str.isalpha, _NOT_LATIN.findall(text)))
        if others >= MIN_LETTERS and 2 * others > sum(map(str.isalpha, text)):
            return True
    if _CODE.search(text):
        text = " ".join(token for token in text.split() if not _CODE.search(token))
    clauses = _CLAUSE.split(text)
    return _is_foreign(text, piece) or (
        len(clauses) > 1 and any(_is_foreign(clause, piece) for clause in clauses)
    )


def _is_foreign(text: str, piece: Callable[[str], int | None]) -> bool:
    """Weigh the words of a text, or of a clause of it."""
    words = _WORD.findall(text)
    if words and words[0].istitle() and words[0].lower() in OTHER_LANGUAGES:
        words[0] = words[0].lower()
    if len(words := list(dict.fromkeys(words))) < MIN_WORDS:
        return False
    evidence = [_evidence(word, piece) for word in words]
    least = MIN_SCORE if max(evidence) > UNKNOWN else UNKNOWN_SCORE
    return sum(evidence) >= max(least, MIN_SHARE * len(words))


def _evidence(word: str, piece: Callable[[str], int | None]) -> float:
    """Return the evidence of a word for another language than English; negative for English."""
    lower = word.lower()
    if lower in _ENGLISH:
        return -1
    if word != lower:  # perhaps a name
        return 0 if word.isascii() else 0.25
    if word in PARTICLES:
        return 0.6
    if word in OTHER_LANGUAGES or (len(word) > 1 and not word.isascii()):
        return 1
    if piece(word) is not None:
        return -0.25
    return UNKNOWN if len(word) > 2 else 0
