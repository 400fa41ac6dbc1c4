"""What perturbations do to a text; :mod:`hybridsem.perturbations` has them by name.

Each takes the text and ``draw``, which gives numbers that depend on the text and the seed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.english.negation import toggled
from hybridsem.perturbations.padding import Filler
from hybridsem.tokenisers.named import tokeniser

__all__ = [
    "Draw",
    "characters_of",
    "deletion",
    "digits",
    "inserted",
    "negation",
    "removed",
    "shuffled",
    "uppercase",
    "words",
]

Draw = Callable[[int], Float64Array]
"""So many numbers drawn evenly from [0, 1)."""

Span = tuple[int, int]


def uppercase(text: str, draw: Draw) -> str:
    """A quarter of all characters; a letter whose capital is two letters (ß), and what has none,
    stays.
    """
    count = rounded(0.25 * len(text))
    chosen = np.argpartition(draw(len(text)), count)[:count] if count else np.empty(0, int)
    found = list(text)
    for at in chosen.tolist():
        capital = found[at].upper()
        if len(capital) == 1 and unicodedata.category(found[at]) == "Ll":
            found[at] = capital
    return "".join(found)


def deletion(text: str, _: Draw) -> str:
    """Every tenth character, but for blanks and for characters that are a word by themselves."""
    characters = characters_of(text)
    blank = [character.isspace() for character in characters]
    last = len(characters) - 1
    for at in range(9, len(characters), 10):
        alone = blank[at - 1] and (at == last or blank[at + 1])
        if not (blank[at] or alone):
            characters[at] = ""
    return "".join(characters)


_DIGITS = str.maketrans("eiao", "3140")
_BASES = re.compile("[eiao](?![\u0300-\u036f])")


def digits(text: str, _: Draw) -> str:
    """Letters with accents stay, whether written as one character or as two."""
    return (
        text.translate(_DIGITS)
        if text.isascii()
        else _BASES.sub(lambda found: found[0].translate(_DIGITS), text)
    )


def negation(text: str, _: Draw) -> str:
    return toggled(text)


def shuffled(spans_of: Callable[[str], list[Span]], text: str, draw: Draw) -> str:
    spans = spans_of(text)
    if len(spans) < 2:
        return text
    order = np.argsort(draw(len(spans)), kind="stable")
    if (order[:-1] < order[1:]).all():  # as it was: that is no shuffle
        order = np.roll(order, 1)
    pieces: list[str] = []
    last = 0
    for (start, end), source in zip(spans, order.tolist(), strict=True):
        piece = text[slice(*spans[source])]
        gap = text[last:start] or (
            " " if pieces and _JOIN.fullmatch(pieces[-1][-1] + piece[0]) else ""
        )
        pieces += [gap, piece]
        last = end
    return "".join([*pieces, text[last:]])


def inserted(share: float, position: float, filler: Filler, text: str, _: Draw) -> str:
    """Filler of so many tokens, whole words, before the word that stands at the position."""
    spans = words(text)
    if not spans:
        return text
    ids, _starts = tokeniser("wordpiece")([text])
    given = filler.of(share * len(ids))
    before = rounded(position * len(spans))
    if before == len(spans):
        end = spans[-1][1]
        return f"{text[:end]} {given}{text[end:]}"
    start = spans[before][0]
    glue = "" if before == 0 or text[start - 1].isspace() else " "
    return f"{text[:start]}{glue}{given} {text[start:]}"


def removed(share: float, position: float, text: str, _: Draw) -> str:
    spans = words(text)
    if len(spans) < 2:
        return text
    count = min(max(rounded(share * len(spans)), 1), len(spans) - 1)
    first = rounded(position * (len(spans) - count))
    if first + count == len(spans):
        return text[: spans[first - 1][1]] + text[spans[-1][1] :]
    left, right = text[: spans[first][0]], text[spans[first + count][0] :]
    return left + (" " if _JOIN.fullmatch(left[-1:] + right[0]) else "") + right


_CJK = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOIN = re.compile(rf"[^\W{_CJK}]{{2}}")  # what would be one word where nothing stands between
_WORD = re.compile(rf"[{_CJK}][{_MARKS}]*|[^\s{_CJK}]+")


def words(text: str) -> list[Span]:
    return [match.span() for match in _WORD.finditer(text)]


def characters_of(text: str) -> list[str]:
    """What a reader sees as characters: the extended grapheme clusters of Unicode's annex 29, by
    their main rules.
    """
    if text.isascii():
        return list(text)
    starts = [0]
    for at in range(1, len(text)):
        if not _belongs(text, starts[-1], at):
            starts.append(at)
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


JOINER = "\u200d"
_EXTENDS = re.compile("[\u200c\u200d\u0e33\u0eb3\U000e0020-\U000e007f]")
"""Beside marks: joiners and what keeps letters apart, Thai and Lao AM, the letters of a region's
flag.
"""
_SYLLABLE = re.compile("[\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb][\u1160-\u11ff\ud7b0-\ud7fb]")
"""Parts of a Korean syllable that is written letter by letter."""


def _belongs(text: str, start: int, at: int) -> bool:
    """Whether a character is a part of the one from ``start``: an accent, a joined or a coloured
    emoji, half a flag.
    """
    character = text[at]
    if character.isascii():
        return False
    if (
        unicodedata.category(character)[0] == "M"
        or _EXTENDS.match(character)
        or text[at - 1] == JOINER
    ):
        return not text[start].isspace()
    if _SYLLABLE.match(text, at - 1):
        return True
    if "\U0001f3fb" <= character <= "\U0001f3ff":
        return True
    return at - start == 1 and _is_flag(character) and _is_flag(text[start])


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def rounded(number: float) -> int:
    return int(number + 0.5)
