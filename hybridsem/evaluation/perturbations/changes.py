"""The changes of perturbations; :mod:`hybridsem.evaluation.perturbations` has them by name.

Each takes the text and ``draw``, which returns numbers that depend on the text and the seed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.extras import extra
from hybridsem._utils.tables import read_table
from hybridsem.english.negation import toggled
from hybridsem.tokenisers import tokeniser

Draw = Callable[[int], Float64Array]
"""Draws numbers evenly from [0, 1)."""

Span = tuple[int, int]

_TABLES = read_table(__file__)
SUMMARIES: Mapping[str, str] = _TABLES["summaries"]
"""The descriptions of changes without a share and a position, by name."""


def uppercase(text: str, draw: Draw) -> str:
    """Capitalise a quarter of all characters; those without a single capital stay (ß)."""
    count = rounded(0.25 * len(text))
    chosen = np.argpartition(draw(len(text)), count)[:count] if count else np.empty(0, int)
    characters = list(text)
    for at in chosen.tolist():
        capital = characters[at].upper()
        if len(capital) == 1 and unicodedata.category(characters[at]) == "Ll":
            characters[at] = capital
    return "".join(characters)


def deletion(text: str, _: Draw) -> str:
    """Delete every tenth character, except blanks and words of one character."""
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
    """Replace letters by digits; letters with accents stay, composed or decomposed."""
    if text.isascii():
        return text.translate(_DIGITS)
    return _BASES.sub(lambda found: found[0].translate(_DIGITS), text)


def negation(text: str, _: Draw) -> str:
    """Negate each sentence, or affirm it if it is negated."""
    return toggled(text)


def shuffled(spans_of: Callable[[str], list[Span]], text: str, draw: Draw) -> str:
    """Reorder the spans; the text between them stays in place."""
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
        is_joined = pieces and _JOIN.fullmatch(pieces[-1][-1] + piece[0])
        pieces += [text[last:start] or (" " if is_joined else ""), piece]
        last = end
    return "".join([*pieces, text[last:]])


def inserted(share: float, position: float, padding: Padding, text: str, _: Draw) -> str:
    """Insert padding of a share of the tokens before the word at a position, 0 to 1 (after the
    last). Args: as of :func:`~hybridsem.evaluation.perturbations.insertion`.
    """
    spans = words(text)
    if not spans:
        return text
    ids, _starts = tokeniser("wordpiece")([text])
    given = padding.of(share * len(ids))
    before = rounded(position * len(spans))
    if before == len(spans):
        end = spans[-1][1]
        return f"{text[:end]} {given}{text[end:]}"
    start = spans[before][0]
    glue = "" if before == 0 or text[start - 1].isspace() else " "
    return f"{text[:start]}{glue}{given} {text[start:]}"


def removed(share: float, position: float, text: str, _: Draw) -> str:
    """Remove a span of a share of the words; ``position`` is the share of the other words before
    it. Args: as of :func:`~hybridsem.evaluation.perturbations.removal`.
    """
    spans = words(text)
    if len(spans) < 2:
        return text
    count = min(max(rounded(share * len(spans)), 1), len(spans) - 1)
    first = rounded(position * (len(spans) - count))
    if first + count == len(spans):
        return text[: spans[first - 1][1]] + text[spans[-1][1] :]
    left, right = text[: spans[first][0]], text[spans[first + count][0] :]
    return left + (" " if _JOIN.fullmatch(left[-1:] + right[0]) else "") + right


def inserted_exactly(share: float, position: float, padding: Padding, text: str, _: Draw) -> str:
    """Insert padding of an exact number of tokens at a character, even inside a word. Args: as of
    :func:`inserted`.
    """
    count = len(_places(text, tokeniser().name))
    if not count:
        return text
    at = int(position * len(text))
    return text[:at] + padding.exactly(max(int(share * count), 1)) + text[at:]


def removed_exactly(share: float, position: float, text: str, _: Draw) -> str:
    """Remove a span of a share of the tokens, rounded down; words may lose a part. Args: as of
    :func:`removed`.
    """
    places = [*_places(text, tokeniser().name), len(text)]
    gone = int(share * (len(places) - 1))
    first = int(position * (len(places) - 1 - gone))
    return text[: places[first]] + text[places[first + gone] :]


@lru_cache(maxsize=64)
def _places(text: str, _tokeniser: str) -> tuple[int, ...]:
    """Return where the tokens of a text begin; a text has several changes in succession."""
    return tuple(tokeniser().places(text).tolist())


_CJK = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOIN = re.compile(rf"[^\W{_CJK}]{{2}}")  # characters that would join two words into one
_WORD = re.compile(rf"[{_CJK}][{_MARKS}]*|[^\s{_CJK}]+")


def words(text: str) -> list[Span]:
    """Return the spans of words between blanks; every Chinese or Japanese character is one."""
    return [match.span() for match in _WORD.finditer(text)]


def characters_of(text: str) -> list[str]:
    """Return the extended grapheme clusters (Unicode's annex 29); a blank is always one."""
    if max(text, default="") < FIRST_COMBINING:
        return list(text)
    with extra("regex", "metrics"):
        import regex
    characters: list[str] = regex.findall(r"\s|\X", text)
    return characters


FIRST_COMBINING = "\u0300"
"""Every character before it is a cluster."""


def rounded(number: float) -> int:
    """Round to the nearest whole number; a half is rounded up."""
    return int(number + 0.5)


SEED = 20260101
DRAWN_WORDS = 12_000


class Padding:
    """Words to pad with: those of a text, repeated if too few, or Latin words at random."""

    def __init__(self, text: str | None = None) -> None:
        self._text = text

    @cached_property
    def words(self) -> list[str]:
        """The words with their punctuation."""
        return _latin() if self._text is None else self._text.split()

    @cached_property
    def ends(self) -> IntArray:
        """The number of word pieces up to the end of each word."""
        _, starts = tokeniser("wordpiece")(self.words)
        return starts[1:]

    def of(self, tokens: float) -> str:
        """Return the fewest words that have that number of tokens; at least one word."""
        times, rest = divmod(tokens, int(self.ends[-1]))
        last = int(np.searchsorted(self.ends, rest)) + 1 if rest or not times else 0
        return " ".join(self.words * int(times) + self.words[:last])

    def exactly(self, tokens: int) -> str:
        """Return exactly that number of tokens, cl100k's if available, without a final blank."""
        whole, places = self._text_and_places
        times, rest = divmod(tokens, len(places))
        return (f"{whole} " * times + whole[: int(places[rest])]).rstrip()

    @cached_property
    def _text_and_places(self) -> tuple[str, IntArray]:
        whole = " ".join(self.words)
        return whole, tokeniser().places(whole)


def _latin() -> list[str]:
    """Return Latin words in sentences of four to twelve words, with capitals and full stops."""
    words: list[str] = _TABLES["latin"].split()
    random = np.random.Generator(np.random.PCG64(SEED))
    drawn = [words[int(at)] for at in random.random(DRAWN_WORDS) * len(words)]
    ends = {0, *accumulate(4 + int(length) for length in random.random(DRAWN_WORDS // 4) * 9)}
    capitals = [word.capitalize() if at in ends else word for at, word in enumerate(drawn)]
    return [word + ("." if at + 1 in ends else "") for at, word in enumerate(capitals)]
