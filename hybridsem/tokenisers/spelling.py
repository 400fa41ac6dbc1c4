"""Spelling of characters that the encoder's word pieces lack.

    🐶      dog face     a sign is its Unicode name
    Ｈｉ    Hi           a letter with a plainer form is that form (NFKC)
    恨      6068         an ideograph is its number
    कि      kai          any other letter is the end of its name

The word pieces turn a word with an unknown character into ``[UNK]`` and drop some other characters,
so different texts could be read alike. Known words stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any

MAX_LETTERS = 100
"""The longest word of the word pieces, in decomposed characters (NFD)."""
PART_LETTERS = 32
"""The parts of longer words; a syllable of Hangul is up to three characters."""

# The blanks of the tokeniser, fewer than those of ``str.split``.
_BLANKS = "\t\n\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_CHUNKS = re.compile(f"[{_BLANKS}]+|[^{_BLANKS}]+")
CHUNK = re.compile(f"[^{_BLANKS}]+")
"""Text between the blanks of the tokeniser."""

# "DEVANAGARI LETTER KA" is ka, "REGIONAL INDICATOR SYMBOL LETTER U" is u, "CJK UNIFIED
# IDEOGRAPH-6068" is 6068.
_KIND = re.compile(r".+ (?:CHARACTER|DIGIT|IDEOGRAPH|LETTER|SIGN|SYLLABLE)[ -](?=.)")
_INVISIBLE = re.compile(r"VARIATION SELECTOR|GRAPHEME JOINER|REPLACEMENT CHARACTER")
# The classes of optional marks on letters (accents, the points of Hebrew and Arabic). Others change
# the letter: vowels and viramas of Indic scripts, the stroke through "≠".
_ACCENTS = (range(10, 37), range(200, 256))


class Speller:
    """Rewrites text that a BERT tokeniser cannot represent."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.unknown: int = tokenizer.token_to_id("[UNK]")
        self._drops = lru_cache(1 << 16)(self._is_dropped)
        self._known = lru_cache(1 << 14)(self._unit)

    def reads(self, text: str, ids: list[int]) -> bool:
        """Test if the word pieces ``ids`` represent all of ``text``."""
        if text.isascii():
            return len(text) <= MAX_LETTERS or self.unknown not in ids
        return self.unknown not in ids and not any(map(self._drops, set(text)))

    def pieces(self, text: str) -> list[int]:
        """Return the word pieces of a text as is; special tokens are text."""
        words = self._tokenizer.pre_tokenizer.pre_tokenize_str(
            self._tokenizer.normalizer.normalize_str(text)
        )
        return [piece.id for word, _ in words for piece in self._tokenizer.model.tokenize(word)]

    def forms(self, text: str) -> list[str]:
        """Return the form of each character; together they are text without unknown words."""
        forms: list[str] = []
        for chunk in _CHUNKS.findall(text):
            if self.reads(chunk, self.pieces(chunk)):
                forms += chunk
            else:
                for unit in _units(chunk):
                    forms += self._known(unit) if len(unit) <= MAX_LETTERS else self._unit(unit)
        return forms

    def _unit(self, unit: str) -> list[str]:
        """Return the forms of one word's characters: as is, plainer, or their names."""
        for forms in (list(unit), [unicodedata.normalize("NFKC", character) for character in unit]):
            forms = _cut(forms)
            text = "".join(forms)
            if self.reads(text, self.pieces(text)):
                return forms
        return _cut([_spelt(character) for character in unit])

    def _is_dropped(self, character: str) -> bool:
        """Test if the word pieces lose a visible character, in whole or in part."""
        name, category = unicodedata.name(character, ""), unicodedata.category(character)
        if _INVISIBLE.search(name):
            return False
        if category in ("Co", "Cn") or _is_tag(character):
            return True
        parts = unicodedata.normalize("NFD", character)
        marks = [
            unicodedata.combining(part) for part in parts if unicodedata.category(part) == "Mn"
        ]
        if marks:
            return not all(any(mark in accents for accents in _ACCENTS) for mark in marks)
        plain = self._tokenizer.normalizer.normalize_str(character)
        return category[0] not in "CZ" and not plain.strip()


def _is_tag(character: str) -> bool:
    """Test if a character is a tag of a flag, which has no shape but a meaning."""
    return "\U000e0020" <= character <= "\U000e007e"


def _units(chunk: str) -> Iterator[str]:
    """Yield the words of a chunk, with marks and joiners, and every other character alone."""

    def kind(place: int) -> object:
        category = unicodedata.category(chunk[place])
        is_word = category[0] in "LMN" or (category == "Cf" and not _is_tag(chunk[place]))
        return (is_word and "IDEOGRAPH" not in unicodedata.name(chunk[place], "")) or place + 1

    for _, places in groupby(range(len(chunk)), kind):
        yield "".join(chunk[place] for place in places)


def _spelt(character: str) -> str:
    """Return the name of a character: separate words for a sign, part of the word for a letter."""
    if character.isascii():
        return character
    name = unicodedata.name(character, f"{ord(character):x}")
    category = unicodedata.category(character)
    if _INVISIBLE.search(name) or (category == "Cf" and not _is_tag(character)):
        return ""
    name = _KIND.sub("", name).lower()
    return re.sub("[ -]", "", name) if category[0] in "LMN" else f" {name} "


def _cut(forms: list[str]) -> list[str]:
    """Return the forms of one word, split by blanks if it is too long for the word pieces."""
    if len(unicodedata.normalize("NFD", "".join(forms))) <= MAX_LETTERS:
        return forms
    cut, length = [], 0
    for form in forms:
        length += len(form)
        if length > PART_LETTERS:
            form, length = f" {form}", len(form)
        cut.append(form)
    return cut
