"""Words of times, with the classes that forms name, and a matcher of forms over them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import read_table
from hybridsem.english.numbers import CARDINALS, MULTIPLIERS, ORDINALS, number_value
from hybridsem.facts.values import Fact

__all__ = ["TABLES", "Forms", "Match", "Word", "entries", "may_hold_times", "read_words"]

TABLES = read_table(__file__)
WORD = re.compile(
    r"(?P<iso>\d{4}-\d\d-\d\d(?!\d))"
    r"|(?P<slashed>\d{1,4}(?P<sign>[/.])\d{1,2}(?P=sign)(?:\d{4}|\d\d)(?!\d))"
    r"|(?P<isotime>(?<=\d)t\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?(?![\w:]))"
    r"|(?P<clock>\d{1,2}:\d\d(?::\d\d)?(?![\d:]))"
    r"|(?P<decade>(?:['’]?\d0|\d{3}0)['’]?s(?![a-z]))"
    r"|(?P<ordinal>\d{1,3}(?:st|nd|rd|th)(?![a-z]))"
    r"|(?P<quarter>[qh][1-4](?![\w.]))"
    r"|(?P<short>['’]\d\d(?!\w))"
    r"|(?P<number>\d{1,15}(?:,\d{3}(?!\d))*(?:\.\d{1,9}(?!\d))?[½¼¾]?|[½¼¾])"
    r"|(?P<abbreviation>(?:[ap]\.\s?m|b\.c(?:\.e)?|a\.d|c\.e)\.?(?![a-z]))"
    r"|(?P<clitic>['’]s?(?![a-z]))"
    r"|(?P<word>[^\W\d_]{1,40}(?:['’](?!s(?![a-z]))[a-z]{1,8})?)"
    r"|(?P<mark>\S)"
)
GAP = 3
"""Most characters between two words of a form."""
LONGEST = 8
"""Most words of a phrase or number."""
NUMBER_WORDS = frozenset(CARDINALS) | frozenset(MULTIPLIERS)
TRIGGER = re.compile(r"\d|[½¼¾]|[a-z]+")


def entries(name: str) -> dict[str, str]:
    """Return the words of a table, each with its key."""
    return {
        word.replace("_", " "): key for key, words in TABLES[name].items() for word in words.split()
    }


def _alternatives(text: str) -> dict[str, str]:
    """Return the words of a list such as "january|jan february|feb", with the place of each."""
    return {
        word: str(place) for place, words in enumerate(text.split()) for word in words.split("|")
    }


def _units() -> dict[str, str]:
    return {
        word.replace("_", " "): name
        for name, line in TABLES["units"].items()
        for word in line.split(": ")[1].split()
    }


_WEEKEND = TABLES["calendar"]["weekend"]
_WEEKDAYS = _alternatives(TABLES["calendar"]["weekdays"])
VALUES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "MONTH": _alternatives(TABLES["calendar"]["months"]),
        "WEEKDAY": _WEEKDAYS | {"weekend": _WEEKEND},
        "WEEKDAYS": entries("weekday_sets")
        | {f"{word}s": day for word, day in _WEEKDAYS.items() if word.endswith("day")},
        "DECADE": {word: str(year) for word, year in TABLES["decades"].items()},
        "ERA": entries("eras"),
        "SEASON": entries("seasons"),
        "PART": entries("parts"),
        "HOLIDAY": entries("holidays"),
        "DAYS": entries("days"),
        "NIGHT": {word.replace("_", " "): value for word, value in TABLES["night"].items()},
        "NOW": entries("now"),
        "THEN": entries("then"),
        "AGO": entries("ago"),
        "UNIT": _units(),
        "BOUND": entries("bounds"),
        "AFTER": entries("bounds_after"),
        "DATEBOUND": entries("date_bounds"),
        "DATEAFTER": entries("date_bounds_after"),
        "ABOUT": {word.replace("_", " "): "" for word in TABLES["approximate"]["about"].split()},
        "SO": {word.replace("_", " "): "" for word in TABLES["approximate"]["so"].split()},
        "EXACTLY": dict.fromkeys(TABLES["approximate"]["exactly"].split(), ""),
        "ADVERB": {word.replace("_", " "): value for word, value in TABLES["adverbs"].items()},
        "COUNT": entries("counts"),
        "NAMED": entries("named_times"),
        "HALF": entries("day_halves"),
        "ZONE": entries("zones")
        | {word.replace("_", " "): "" for word in TABLES["unknown_zones"]["letters"].split()},
        "DAYPART": {word: word for word, extent in TABLES["extent"].items() if extent[0] == "day"},
    }
)
"""The entries of each class of words, with the value of each."""


def _raw(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Return the kind, the text and the place of each word."""
    for match in WORD.finditer(text):
        yield match.lastgroup or "", match[0].replace("’", "'"), *match.span()


def _lexicon() -> tuple[dict[tuple[str, ...], frozenset[str]], dict[str, int]]:
    """Return the classes of all entries by their words, and the most words after each first."""
    classes: dict[tuple[str, ...], set[str]] = {}
    for name, values in VALUES.items():
        for entry in values:
            classes.setdefault(tuple(text for _, text, *_ in _raw(entry)), set()).add(name)
    longest: dict[str, int] = {}
    for words in classes:
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return {words: frozenset(names) for words, names in classes.items()}, longest


_CLASSES, _LONGEST = _lexicon()
_ENTRY = {
    words: entry
    for table in VALUES.values()
    for entry in table
    for words in [tuple(text for _, text, *_ in _raw(entry))]
}
_CONTENT = (
    "MONTH",
    "WEEKDAY",
    "WEEKDAYS",
    "DECADE",
    "SEASON",
    "HOLIDAY",
    "DAYS",
    "UNIT",
    "ADVERB",
    "NAMED",
    "DAYPART",
    "NIGHT",
)
TRIGGERS = frozenset(
    [max(re.findall("[a-z]+", entry), key=len) for name in _CONTENT for entry in VALUES[name]]
    + ["o'clock"[2:], "past", "quarter", "half", *MULTIPLIERS, "½", "¼", "¾", "century"]
    + list("0123456789")
    + [word for word in NUMBER_WORDS if word not in ("one", "single")]
)


def may_hold_times(text: str) -> bool:
    """Test if a lower-case text has a word or figure that times are written with."""
    return not TRIGGERS.isdisjoint(TRIGGER.findall(text))


@dataclass(frozen=True, slots=True)
class Word:
    """A word, phrase, number or fact of a text, with its classes."""

    text: str
    start: int
    end: int
    classes: frozenset[str]
    fact: Fact | None = None

    @property
    def number(self) -> float:
        """The value of a number or ordinal; -1 for other words."""
        value = number_value(self.text)
        return -1.0 if value is None else value


def _of_figures(kind: str, text: str) -> frozenset[str]:
    """Return the classes of a word with figures."""
    names = {kind.upper()}
    if kind == "number" and text.isdigit():
        value = int(text)
        names |= {"DAY"} if 1 <= value <= 31 and len(text) < 3 else set()
        names |= {"YEAR"} if 1000 <= value < 3000 and len(text) == 4 else set()
        names |= {"SHORT"} if len(text) == 2 else set()
        names |= {"FOUR"} if len(text) == 4 and value % 100 < 60 and value <= 2400 else set()
    elif kind == "ordinal":
        names |= {"DAY"} if 1 <= int(text[:-2]) <= 31 else set()
    elif kind == "short":
        names = {"YEAR", "SHORT"}
    return frozenset(names)


def read_words(text: str, original: str) -> list[Word]:
    """Return the words of a lower-case text; phrases of the tables and numbers are one word."""
    raw, words, at = list(_raw(text)), [], 0
    while at < len(raw):
        length, classes, plain = _phrase(raw, at)
        number = _number(raw, at)
        if number[0] >= length:
            length, classes, plain = number
        start, end = raw[at][2], raw[at + length - 1][3]
        if "ZONE" in classes and length == 1 and not original[start:end].isupper():
            classes -= {"ZONE"}
        words.append(Word(plain, start, end, classes))
        at += length
    return words


_Raw = Sequence[tuple[str, str, int, int]]


def _phrase(raw: _Raw, at: int) -> tuple[int, frozenset[str], str]:
    kind, text, *_ = raw[at]
    for length in range(min(_LONGEST.get(text, 0), len(raw) - at), 0, -1):
        key = tuple(word for _, word, *_ in raw[at : at + length])
        if (classes := _CLASSES.get(key)) and _close(raw, at, length):
            return length, classes | _of_word(text) if length == 1 else classes, _ENTRY[key]
    return 1, _of_word(text) if kind == "word" else _of_figures(kind, text), text


def _of_word(text: str) -> frozenset[str]:
    if text not in ORDINALS:
        return frozenset()
    return frozenset(["ORDINAL", "DAY"] if 1 <= ORDINALS[text] <= 31 else ["ORDINAL"])


def _close(raw: _Raw, at: int, length: int) -> bool:
    """Test if no two of the words are far apart."""
    return all(raw[i + 1][2] - raw[i][3] <= GAP for i in range(at, at + length - 1))


def _number(raw: _Raw, at: int) -> tuple[int, frozenset[str], str]:
    """Return the number of words, the classes and the text of the longest number."""
    end, last = at, at
    figures = raw[at][0] == "number"
    while end < min(len(raw), at + 2 * LONGEST):
        text = raw[end][1]
        if text in NUMBER_WORDS or (figures and end == at):
            last = end + 1
        elif text in ORDINALS and end > at and not figures:
            last = end + 1
            break
        elif text not in ("-", "and") or end == at:
            break
        end += 1
    for stop in range(last, at, -1):
        text = " ".join(word for _, word, *_ in raw[at:stop] if word != "-")
        last_word = raw[stop - 1][1]
        if (
            last_word in ("-", "and")
            or (figures and stop == at + 1)
            or not _close(raw, at, stop - at)
        ):
            continue
        value = number_value(text)
        if value is None:
            continue
        if last_word in ORDINALS:
            names = ["ORDINAL", "DAY"] if value <= 31 else ["ORDINAL"]
        else:
            names = ["NUMBER"]
            if 1500 <= value < 2100 and stop > at + 1 and value % 1 == 0:
                names.append("YEAR")
        return stop - at, frozenset(names), text
    return 0, frozenset(), ""


class Match(NamedTuple):
    """A form with its words: those of classes by the class, and all."""

    words: tuple[Word, ...]
    named: Mapping[str, Word]
    previous: Sequence[Word]
    after: str
    original: str
    day_first: bool | None

    @property
    def start(self) -> int:
        """The first character."""
        return self.words[0].start

    @property
    def end(self) -> int:
        """The end of the last word."""
        return self.words[-1].end

    @property
    def before(self) -> str:
        """The word before the form."""
        return self.previous[-1].text if self.previous else ""

    @property
    def is_alone(self) -> bool:
        """True for a form that is the whole text."""
        return len(self.original.strip()) == self.end - self.start

    def has(self, *texts: str) -> bool:
        """Test if a word is among the texts."""
        return any(word.text in texts for word in self.words)

    def value(self, name: str) -> str:
        """Return the value that the table of a class gives its word; "" without one."""
        word = self.named.get(name)
        return VALUES[name.rstrip("23")][word.text] if word else ""


Builder = Callable[[Match], Fact | None]


class _Element(NamedTuple):
    """A place of a form: the words and the classes that may stand there."""

    options: tuple[tuple[str, str], ...]
    optional: bool

    @classmethod
    def read(cls, text: str) -> _Element:
        names = text.removesuffix("?").split("|")
        options = tuple((name, name.rstrip("23") if name[0].isupper() else "") for name in names)
        return cls(options, text.endswith("?"))


class _Form(NamedTuple):
    """A form, its place in the table, and what reads its matches."""

    place: int
    elements: tuple[_Element, ...]
    build: Builder


class Forms:
    """The forms of a table of time_words.toml, with what reads their matches."""

    def __init__(self, table: str, builders: Mapping[str, Builder]) -> None:
        rows = [(row, builders[name]) for name, rows in TABLES[table].items() for row in rows]
        by_first: dict[str, set[_Form]] = {}
        for place, (row, build) in enumerate(rows):
            form = _Form(place, tuple(map(_Element.read, row.split())), build)
            for element in form.elements:
                for text, kind in element.options:
                    by_first.setdefault(kind or text, set()).add(form)
                if not element.optional:
                    break
        self._by_first = by_first
        self._by_word: dict[tuple[str, frozenset[str]], list[_Form]] = {}

    def apply(self, words: Sequence[Word], original: str, day_first: bool | None) -> list[Word]:
        """Return the words, with the longest match of a form in place of its words."""
        out: list[Word] = []
        at = 0
        while at < len(words):
            end, fact = at + 1, None
            for form in self._that_begin(words[at]):
                for stop, named in _ends(form.elements, words, at):
                    if fact and stop <= end:
                        continue
                    after = words[stop].text if stop < len(words) else ""
                    form_words = tuple(words[at:stop])
                    match = Match(form_words, named, out[-2:], after, original, day_first)
                    if value := form.build(match):
                        end, fact = stop, value
            if fact:
                names = frozenset([type(fact).__name__.upper()])
                text = original[fact.start : fact.end].lower()
                out.append(Word(text, words[at].start, fact.end, names, fact))
            else:
                out.append(words[at])
            at = end
        return out

    def _that_begin(self, word: Word) -> list[_Form]:
        """Return the forms that may begin with a word, in the order of the table."""
        if word.text not in self._by_first and self._by_first.keys().isdisjoint(word.classes):
            return []
        key = word.text if word.text in self._by_first else "", word.classes
        if key not in self._by_word:
            forms = set().union(*(self._by_first.get(name, ()) for name in (key[0], *key[1])))
            self._by_word[key] = sorted(forms, key=lambda form: form.place)
        return self._by_word[key]


def _ends(
    form: tuple[_Element, ...], words: Sequence[Word], at: int
) -> Iterator[tuple[int, dict[str, Word]]]:
    """Return the ends of the ways to match a form at a place, with the words of its classes."""
    ways: list[tuple[int, dict[str, Word]]] = [(at, {})]
    for element in form:
        longer: list[tuple[int, dict[str, Word]]] = []
        for end, named in ways:
            if element.optional:
                longer.append((end, named))
            if end == len(words) or (end > at and words[end].start - words[end - 1].end > GAP):
                continue
            for text, kind in element.options:
                if kind and kind in words[end].classes:
                    longer.append((end + 1, named | {text: words[end]}))
                elif not kind and words[end].text == text:
                    longer.append((end + 1, named))
        ways = longer
        if not ways:
            return
    yield from (way for way in ways if way[0] > at)
