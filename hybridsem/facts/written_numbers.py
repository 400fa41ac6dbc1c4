"""Numbers in a text, in figures and in words: "1,250", "2.5 million", "forty-five"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english import numbers
from hybridsem.english.numbers import CARDINALS, MULTIPLIERS, ORDINALS, number_value
from hybridsem.facts.units import is_unit

__all__ = ["TABLES", "WORDS", "Number", "Phrases", "Text", "has_noun", "read_number", "rounded"]

TABLES = read_table(__file__)
WORDS: Mapping[str, frozenset[str]] = MappingProxyType(word_sets(TABLES["words"]))

_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|(?<![\w.,])\.\d+|\S")
_PLAIN = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
_POINTED = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_POINT_FIRST = re.compile(r"\.(?<![\w.,]\.)\d")
_POINTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3}){2,}")
_FRACTION = re.compile(r"(?:\d{1,4}[ -])?\d{1,3}[/⁄]\d{1,3}(?![\w/.])|\d{0,4} ?[¼-¾⅐-⅞]")
_CLOCK = re.compile(r"\s?(?:[ap]\.?\s?m\b|o['’]clock\b|:\d)", re.IGNORECASE)
_CLOCK_WORDS = frozenset({"a", "p", "am", "pm", "o", ":"})
_MARKS = frozenset("/⁄½¼¾") | frozenset(map(chr, range(0x2150, 0x215F)))
_FRACTIONS = re.compile(r"[¼-¾⅐-⅞]")
_LONGEST_NUMBER = 16
_LONGEST_FIGURES = 30
_LONGEST_WHOLE = 4
NUMBER_WORDS = frozenset({*CARDINALS, *MULTIPLIERS})
_INSIDE = NUMBER_WORDS | {"and", "a", "half", "-", *numbers.DENOMINATORS, *ORDINALS}
_CLEAR_SUFFIXES = numbers.SUFFIXES.keys() - {"m", "b", "mil"}
_MULTIPLES = MULTIPLIERS.keys() | numbers.SUFFIXES.keys()
_ROUND = 15
"""The digits of a number that count."""


class Text(NamedTuple):
    """The words, figures and signs of a text, in lower case, with their places."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Text:
        """Split a text; an empty word ends it."""
        spans = [match.span() for match in _TOKEN.finditer(text)]
        lower = text.lower()
        if len(lower) != len(text):  # some capitals have longer lower-case forms
            lower = text
        words = [lower[start:end] for start, end in spans]
        if _POINT_FIRST.search(text):  # $.05
            words = [f"0{word}" if word[0] == "." < word else word for word in words]
        last = len(text) + 1
        starts, ends = zip(*spans, (last, last), (last, last), strict=True)
        return cls(text, (*words, "", ""), starts, ends)

    def between(self, first: int, last: int) -> str:
        """Return the text from one word to before another."""
        return self.text[self.starts[first] : self.ends[last - 1]]

    def forms(self, at: int, most: int = 3) -> Iterator[tuple[str, int]]:
        """Yield the text of some words from ``at`` on, the longest first, and their ends."""
        for end in range(min(at + most, len(self.starts) - 1), at, -1):
            yield " ".join(self.between(at, end).split()), end

    def glued(self, at: int) -> bool:
        """Test if no blank is before a word."""
        return at > 0 and self.starts[at] == self.ends[at - 1]

    def before(self, at: int) -> str:
        """Return the word before another, or ""."""
        return self.words[at - 1] if at > 0 else ""

    def word_from(self, place: int, at: int) -> int:
        """Return the first word from ``at`` on that starts at a place in the text or later."""
        while self.starts[at] < place and at < len(self.starts) - 1:
            at += 1
        return at


class Phrases:
    """Phrases with what they mean, found by their first word."""

    def __init__(self, meanings: Iterable[tuple[str, str]]) -> None:
        self.by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for phrase, meaning in meanings:
            words = Text.of(phrase.replace("_", " ")).words[:-2]
            self.by_first.setdefault(words[0], []).append((words, meaning))
        for phrases in self.by_first.values():
            phrases.sort(key=lambda each: -len(each[0]))

    def at(self, text: Text, at: int) -> tuple[str, int] | None:
        """Return the meaning of the longest phrase at a word, and its end."""
        for words, meaning in self.by_first.get(text.words[at], ()):
            if text.words[at : at + len(words)] == words:
                return meaning, at + len(words)
        return None


class Number(NamedTuple):
    """A number with the places of its words."""

    value: float
    start: int
    end: int
    times: float = 1.0
    """The multiple that a word adds: a million."""
    fraction: bool = False
    ordinal: bool = False
    low: float | None = None
    """The other value of an ambiguous number."""


def rounded(value: float) -> float:
    """Return a number without the errors of floating point."""
    return float(f"{value:.{_ROUND}g}")


def read_number(text: Text, at: int, inside: bool) -> Number | None:
    """Return the number at a word."""
    word = text.words[at]
    if word[:1].isdigit() or _FRACTIONS.match(word):
        return _figures(text, at, inside)
    if word in ("-", "−", "minus") and not (text.glued(at) and text.before(at)[-1:].isalnum()):
        number = _figures(text, at + 1, True) if text.words[at + 1][:1].isdigit() else None
        if word == "minus" and number is None and text.words[at + 1] in NUMBER_WORDS:
            number = _words(text, at + 1)
        spaced = word != "minus" and not text.glued(at + 1)
        return (number and not spaced and number._replace(value=-number.value, start=at)) or None
    return _words(text, at)


def _figures(text: Text, at: int, inside: bool) -> Number | None:
    """Return the number in figures at a word."""
    start, word = text.starts[at], text.words[at]
    previous = text.text[start - 1] if start else " "
    if not inside and (previous.isalnum() or previous in "-–/:@#_.,'’\\=^*−"):
        return None
    written = len(word) <= _LONGEST_WHOLE and _MARKS.intersection(text.words[at : at + 4])
    fraction = _FRACTION.match(text.text, start) if written else None
    if fraction:
        value = number_value(fraction.group())
        end = text.word_from(fraction.end(), at)
        alone = fraction.group().replace("⁄", "/").split("/")
        improper = "/" in fraction.group() and alone[0].isdecimal() and (value or 1) >= 1
        return None if value is None or improper else Number(value, at, end, 1.0, value < 1)
    after = text.text[text.ends[at] : text.ends[at] + 2]
    if after[:1] in ("/", ":", "_", "@", "\\") and after[1:].isdigit():
        return None
    clock = text.words[at + 1] in _CLOCK_WORDS and _CLOCK.match(text.text, text.ends[at])
    if clock or len(word) > _LONGEST_FIGURES:
        return None
    low = float(word) if _POINTED.fullmatch(word) else None
    code = word[0] == "0" and word.isdecimal() and len(word) > 1
    if code or not (_PLAIN.fullmatch(word) or _POINTS.fullmatch(word)):
        return None
    plain = word.replace(",", "")
    pointed = low is not None or _POINTS.fullmatch(word)
    number = Number(float(plain.replace(".", "") if pointed else plain), at, at + 1, low=low)
    return _multiplied(text, number)


def _multiplied(text: Text, number: Number) -> Number:
    """Return a number with "million", "k" and the like after it."""
    end, times = number.end, 1.0
    if text.words[end] not in _MULTIPLES:
        return number
    while (more := MULTIPLIERS.get(text.words[end])) and times < 1e18:
        times, end = times * more, end + 1
    suffix, following = text.words[end], text.words[min(end + 1, len(text.words) - 1)]
    plural = following.endswith("s") or following == "people"
    counts = plural and following not in WORDS["measured"] and has_noun(text, end + 1)
    clear = suffix in _CLEAR_SUFFIXES or (suffix == "m" and counts)  # no metres
    if times == 1 and clear and text.glued(end):
        times, end = numbers.SUFFIXES[suffix], end + 1
    if times == 1:
        return number
    low = None if number.low is None else number.low * times
    return number._replace(value=rounded(number.value * times), end=end, times=times, low=low)


def _words(text: Text, at: int) -> Number | None:
    """Return the number in words at a word: the longest run that has a value."""
    word, following = text.words[at], text.words[at + 1]
    if word in ("a", "an"):
        if following == "couple" and text.words[at + 2] == "of":
            times = MULTIPLIERS.get(text.words[at + 3], 1)
            return Number(2.0 * times, at, at + 3 + (times > 1), float(times))
        if text.words[at + 2 : at + 5] == ("and", "a", "half") and is_unit(following):
            return Number(1.0, at, at + 1)
        if following in WORDS["coins"] and not has_noun(text, at + 2):
            return Number(1.0, at, at + 1)
        if following not in MULTIPLIERS and following not in numbers.DENOMINATORS:
            return None
    elif word not in NUMBER_WORDS and word != "half" and word not in ORDINALS:
        return None
    last = at + 1
    ordinal = text.words[at] in ORDINALS
    while not ordinal and last - at < _LONGEST_NUMBER and text.words[last] in _INSIDE:
        gap = text.text[text.ends[last - 1] : text.starts[last]]
        if gap not in ("", " ") or (text.words[last] == "-" and not text.glued(last)):
            break
        inside = text.words[last - 1] in MULTIPLIERS or text.words[last + 1] in ("a", "half")
        if text.words[last] == "and" and not inside:  # unlike "hundred and five"
            break
        last += 1
    for end in range(last, at, -1):
        hyphen = text.words[end] == "-" and text.words[end + 1] in _INSIDE
        if hyphen or text.words[end - 1] in ("and", "a", "-"):
            continue
        written = " ".join(text.words[at:end]).replace(" - ", "-")
        if (value := number_value(written)) is not None:
            return _word_number(text, value, at, end)
    return None


def _word_number(text: Text, value: float, at: int, end: int) -> Number | None:
    """Return a number in words, with its kind."""
    final = text.words[end - 1]
    whole = final in ORDINALS or final in numbers.DENOMINATORS
    fraction = whole and value != int(value) and value < 1
    ordinal = final in ORDINALS and not fraction
    if final == "second" and end - at > 1 and text.words[end - 2] != "-":
        return None
    difference = text.before(at) == "by" and not has_noun(text, end)  # "fell by a third"
    if fraction and text.words[at] in ("a", "an") and text.words[end] != "of" and not difference:
        return None
    times = 1.0
    for word in reversed(text.words[at:end]):
        if word not in MULTIPLIERS or word == "dozen":
            break
        times *= MULTIPLIERS[word]
    return Number(value, at, end, times, fraction, ordinal)


def has_noun(text: Text, at: int) -> bool:
    """Test if the word may be the noun that a number counts."""
    word = text.words[at]
    if not word.isalpha() or word in WORDS["no_noun"] or word in NUMBER_WORDS:
        return False
    return not text.glued(at) and text.starts[at] == text.ends[at - 1] + 1
