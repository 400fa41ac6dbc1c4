"""Whether a text is in another language than English: a light test on its words, without a model.

    "Ein Hund schläft neben dem Haus."      schläft, dem +1, neben +½: foreign
    "Mr. Müller saw a van Gogh in the bar"   van +0.6, Müller, saw, a, in, bar ±¼, the -1: English

A text is foreign if most of its letters are not Latin, or if what its words say for another
language outweighs what they say for English. Names, headlines, code, numbers and slips say little
either way, and a text of fewer than four words is never called foreign. Weights and bounds were
chosen so that fewer than one in a thousand sentences of STSb train and dev, SICK train, SNLI dev,
PAWS-Wiki dev, STS12, and UD EWT train and dev is called foreign (``benchmarks/foreign.py``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english.words import STOP_WORDS

_WORDS = word_sets(read_table(__file__))
FOREIGN_WORDS, PARTICLES = _WORDS["foreign"], _WORDS["particles"]
_ENGLISH = STOP_WORDS - _WORDS["shared"]

MIN_WORDS = 4
"""Fewer different words are never called foreign."""
MIN_SCORE, MIN_SHARE = 1.0, 0.1
"""What the words must add up to, in all and for each."""
UNKNOWN, UNKNOWN_SCORE = 0.5, 2.0
"""What a word says that is in no list, and what is asked where there are no others: a slip looks
like a foreign word.
"""
MIN_LETTERS = 5
"""So many letters of another script are more than a sign or two."""

READ = 2000
"""Characters of a text that are looked at: about what the encoder reads."""

_NOT_LATIN = re.compile("[^\\0-\u024f\u1e00-\u1eff]")
_CODE = re.compile(r"[/@\\_=<>{}]")
_WORD = re.compile(r"(?<![\w.])[^\W\d_]+(?![\d_]|\.\w)")
"""A word, but no part of a number or an address."""


def is_foreign(text: str, is_piece: Callable[[str], bool]) -> bool:
    """Whether a text is not English.

    ``is_piece`` tells whether the encoder's vocabulary, which is English, has a word as one piece.
    """
    text = text[:READ]
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        others = sum(map(str.isalpha, _NOT_LATIN.findall(text)))
        if others >= MIN_LETTERS and 2 * others > sum(map(str.isalpha, text)):
            return True
    if _CODE.search(text):
        text = " ".join(token for token in text.split() if not _CODE.search(token))
    words = set(_WORD.findall(text))
    if len(words) < MIN_WORDS:
        return False
    says = [_says(word, is_piece) for word in words]
    least = MIN_SCORE if max(says) > UNKNOWN else UNKNOWN_SCORE
    return sum(says) >= max(least, MIN_SHARE * len(words))


def _says(word: str, is_piece: Callable[[str], bool]) -> float:
    """What a word says for another language than English, or against it."""
    lower = word.lower()
    if lower in _ENGLISH:
        return -1
    if word != lower:  # perhaps a name
        return 0 if word.isascii() else 0.25
    if word in PARTICLES:
        return 0.6
    if word in FOREIGN_WORDS or (len(word) > 1 and not word.isascii()):
        return 1
    if is_piece(word):
        return -0.25
    return UNKNOWN if len(word) > 2 else 0
