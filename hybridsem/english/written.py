"""The words, figures and signs of a text, without punctuation and spacing.

    "The update (v2.7.2) isn't  ready."   the update v2.7.2 is not ready
    "Return a - b."                       return a - b
    "It rose by forty-five per cent"      it rose by 45 %

A word has letters alone. A figure has a digit, or letters with signs between them: an amount, a
date, a version, an address, a code. It is one unit whatever its punctuation, because another
character is another figure. A sign has neither: an operator, an emoji. Nothing is parsed, and no
text is too long.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from hybridsem._utils.tables import read_table
from hybridsem.english.numbers import CARDINALS, MULTIPLIERS, ORDINALS, number_value
from hybridsem.english.words import ABBREVIATIONS

_TABLES = read_table(__file__)
_CHARACTERS = str.maketrans(
    {
        character: written
        for written, characters in _TABLES["characters"].items()
        for character in characters
    }
)
_BEFORE, _AFTER, _ALONE = (_TABLES["punctuation"][place] for place in ("before", "after", "alone"))
_ENDINGS: dict[str, str] = _TABLES["contractions"]["endings"]
_STEMS: dict[str, str] = _TABLES["contractions"]["stems"]
_WHOLE: dict[str, str] = _TABLES["contractions"]["whole"]

_EMOTICON = re.compile(_TABLES["emoticons"]["pattern"])
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]\.?|(?:[^\W\d_]\.){2,}")
_GLUED = re.compile(
    r"(?<=[^\W\d_]{2})[,;:!?]+(?=[^\W\d_]{2})"  # "yes,no"
    r"""|(?<=[^\W\d]|["'])–+(?=[^\W\d]|["'])|\.{2,}|…"""
)
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*'?")
_WITH_UNIT = re.compile(r"([$€£¥]?[+–-]?(?:\d[\d.,:/]*)?\d)([mglshkMB]|[^\W\d_]{2,4}|%|°[^\W\d_]?)")
_MINUS = re.compile(r"–[$€£¥]?[\d.]")
_ACCOUNT = re.compile(r"\([\d.,]+\)")
_FEET = re.compile(r"\d+['\"]+(?!\w)(?=[.,;:!?]*$)")
_THOUSANDS = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?![\d,])")
_OF_AGE = re.compile(r"\d+(?:-[^\W\d_]{3,})+")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_CONTRACTED = re.compile(r"(.+?)(n't|'(?:re|m|ll|ve|em|s|d))", re.IGNORECASE)
_HEXADECIMAL = re.compile(r"0x[0-9a-f]+|(?:[0-9a-f]+[-:]){3,}[0-9a-f]+", re.IGNORECASE)

NUMBER_WORDS = frozenset({*CARDINALS, *MULTIPLIERS, *ORDINALS})
READ = 4096
"""Texts whose units are kept."""


class UnitKind(StrEnum):
    """The kind of a unit."""

    WORD = "word"
    FIGURE = "figure"
    SIGN = "sign"


class Unit(NamedTuple):
    """A word, figure or sign: its normalised ``key``, its ``text`` and its ``kind``. Keys are in
    lower case, "1000" for "1,000", "45" for "forty-five".
    """

    key: str
    text: str
    kind: UnitKind

    @property
    def is_exact(self) -> bool:
        """True for figures and operators, which no other can replace; not for an emoji."""
        return self.kind is not UnitKind.WORD and self.text.isascii()


BOUNDARY = Unit(".", ".", UnitKind.WORD)
PERCENT = Unit("%", "%", UnitKind.FIGURE)


@lru_cache(READ)
def units(text: str) -> tuple[Unit, ...]:
    """Return the words, figures and signs of a text, in order.

    >>> [unit.key for unit in units("It's 1,000 km (about), isn't it?")]
    ['it', "'s", '1000', 'km', 'about', 'is', 'not', 'it']
    >>> [unit.key for unit in units("Keep rows where age >= 30 at 10.0.0.1, twenty-five of them!")]
    ['keep', 'rows', 'where', 'age', '>=', '30', 'at', '10.0.0.1', '25', 'of', 'them']
    """
    plain = unicodedata.normalize("NFC", text).translate(_CHARACTERS)
    plain = "".join(
        " " if unicodedata.category(character) in ("Zs", "Cc") else character
        for character in plain
        if unicodedata.category(character) != "Cf" or character == "\u200d"
    )
    found: list[Unit] = []
    chunks = plain.split()
    for place, chunk in enumerate(chunks, 1):
        found += _of_chunk(chunk)
        ends = chunk.rstrip("\"')]")
        word = ends.rstrip(".!?").lower().lstrip("([\"'")
        ended = place < len(chunks) and ends[-1:] in (".", "!", "?") and len(word) > 1
        number = word == "no" and place < len(chunks) and chunks[place][:1].isdigit()
        abbreviated = number or (word in ABBREVIATIONS and word != "no") or "." in word
        if ended and found and not abbreviated:
            found.append(BOUNDARY)  # "No. Smoking is allowed."
    return tuple(_numbers(_without_dashes(found)))


def _of_chunk(chunk: str) -> Iterator[Unit]:
    """Yield the units of characters without a blank."""
    if _EMOTICON.fullmatch(chunk):
        yield Unit(chunk, chunk, UnitKind.SIGN)
        return
    if not any(map(str.isalnum, chunk)):
        if chunk == "&":
            yield Unit("and", chunk, UnitKind.WORD)
        elif chunk.strip(".,;") == PERCENT.key:
            yield PERCENT
        elif not chunk.strip("-–"):
            yield Unit("-", chunk, UnitKind.SIGN)
        elif any(character not in _ALONE for character in chunk):  # "!=" is not "="
            yield Unit(chunk.strip(".,;"), chunk, UnitKind.SIGN)
        return
    start = 0
    for cut in _GLUED.finditer(chunk):  # "yes,no" and "wait...what"
        yield from _of_part(chunk[start : cut.start()])
        start = cut.end()
    yield from _of_part(chunk[start:])


def _of_part(part: str) -> Iterator[Unit]:
    if _ACCOUNT.fullmatch(part.rstrip(".,;:")):  # "(120)"
        yield _figure(part.rstrip(".,;:"))
        return
    part = part.lstrip(_BEFORE)
    part = part if _MINUS.match(part) else part.lstrip("–")
    initials = _INITIALS.fullmatch(part.rstrip(_AFTER.replace(".", "")))
    feet = _FEET.match(part)
    part = feet[0] if feet else part.rstrip(_AFTER + "–")
    if not part:
        return
    letters = "".join(character for character in part if character != "\u200d")
    end = len(letters)
    while end and not (letters[end - 1].isalnum() or letters[end - 1].isascii()):
        end -= 1  # "parcel😀"
    if 0 < end < len(letters) and not letters[end:].startswith(("°", "€", "£", "¥", "™")):
        yield from _of_part(letters[:end])
        yield Unit(letters[end:], letters[end:], UnitKind.SIGN)
    elif initials:
        plain = part.replace(".", "")
        yield Unit(plain.lower(), part, UnitKind.WORD)
    elif _WORD.fullmatch(part):
        yield from _of_word(part)
    elif _OF_AGE.fullmatch(part):  # "5-year-old"
        for piece in part.split("-"):
            yield _figure(piece)
    elif (measured := _WITH_UNIT.fullmatch(part)) and not _ORDINAL.fullmatch(part):
        yield _figure(measured[1])
        yield _figure(measured[2])
    else:
        yield _figure(part)


def _figure(text: str) -> Unit:
    """Return a figure; ``harmless.py`` compares its capitals."""
    key = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text.replace("–", "-")).lower()
    return Unit(key, text, UnitKind.WORD if key.isalpha() else UnitKind.FIGURE)


def is_hexadecimal(text: str) -> bool:
    """Test if a code is a hexadecimal number, whose capitals mean nothing: "0x8F", a UUID."""
    return _HEXADECIMAL.fullmatch(text) is not None


def _of_word(word: str) -> Iterator[Unit]:
    """Yield the parts of a word with hyphens or a contraction."""
    lower = word.lower()
    if lower in _WHOLE:
        for part in _WHOLE[lower].split():
            yield Unit(part, word, UnitKind.WORD)
    elif (split := _CONTRACTED.fullmatch(word)) and "-" not in word:
        stem, ending = split[1].lower(), split[2].lower()
        if ending == "n't":
            stem = _STEMS.get(stem, stem)
        yield Unit(stem, split[1], UnitKind.WORD)
        yield Unit(_ENDINGS.get(ending, ending), split[2], UnitKind.WORD)
    else:
        for part in word.rstrip("'").split("-"):
            yield Unit(part.lower(), part, UnitKind.WORD)


def _without_dashes(found: Sequence[Unit]) -> Iterator[Unit]:
    """Yield units without dashes, except minus signs: between operands, or before a figure."""
    for at, unit in enumerate(found):
        if unit.key == "-":
            before, after = found[max(at - 1, 0) : at], found[at + 1 : at + 2]
            sides = (*before, *after)
            letters = len(before) == len(after) == 1 and all(len(side.key) == 1 for side in sides)
            if not letters and not any(side.kind is UnitKind.FIGURE for side in sides):
                continue
        yield unit


def _numbers(given: Iterator[Unit]) -> Iterator[Unit]:
    """Yield units with written numbers as figures, "per cent" as a sign of it."""
    found = list(given)
    at = 0
    while at < len(found):
        unit = found[at]
        after = found[at + 1].key if at + 1 < len(found) else ""
        if unit.key == "percent" or (unit.key == "per" and after == "cent"):
            yield PERCENT
            at += 1 + (unit.key == "per")
            continue
        if unit.key in NUMBER_WORDS and unit.kind is UnitKind.WORD:
            end = _end_of_number(found, at)
            if end == at + 1 and unit.key in ("one", "second"):  # "no one", "a second"
                yield unit
                at += 1
                continue
            words = [each.key for each in found[at:end]]
            value = number_value(" ".join(words))
            if value is not None:
                key = str(int(value)) if value.is_integer() else repr(value)
                written = " ".join(each.text for each in found[at:end])
                yield Unit(f"{key}{'th' * (words[-1] in ORDINALS)}", written, UnitKind.FIGURE)
                at = end
                continue
        ordinal = _ORDINAL.fullmatch(unit.key)
        yield unit._replace(key=unit.key[:-2] + "th") if ordinal else unit
        at += 1


def _end_of_number(found: Sequence[Unit], start: int) -> int:
    """Return the end of the longest number in words that starts at a unit."""
    end = start + 1
    for at, (before, unit) in enumerate(pairwise(found[start:]), start + 1):
        if unit.key in NUMBER_WORDS and before.key in {*NUMBER_WORDS, "and"}:
            end = at + 1
        elif unit.key != "and":
            break
    while end > start + 1 and number_value(" ".join(u.key for u in found[start:end])) is None:
        end -= 1
    return end
