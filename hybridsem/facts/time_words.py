"""Words of times, with the classes that forms name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import by_word, read_table, spaced, word_set
from hybridsem.english.numbers import CARDINALS, MULTIPLIERS, ORDINALS, number_value
from hybridsem.facts.clues import clue_words
from hybridsem.facts.values import Fact

__all__ = ["CLUES", "GAP", "TABLES", "VALUES", "Word", "may_hold_times", "read_runs"]

TABLES = read_table(__file__)
WORD = re.compile(
    r"(?=\S)(?:[a-z]{2,40}(?![^\W\d_]|')"  # most words, first
    r"|(?P<iso>\d{4}-\d\d-\d\d(?!\d))"
    r"|(?P<slashed>\d{1,4}(?P<sign>[/.-])\d{1,2}(?P=sign)(?:\d{4}|\d\d)(?!\d))"
    r"|(?P<monthyear>(?<![\d/.])(?:0?[1-9]|1[0-2])/(?:1[5-9]|20)\d\d(?![\d/]))"
    r"|(?P<isotime>(?<=\d)t\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?(?![\w:]))"
    r"|(?P<clock>\d{1,2}:\d\d(?::\d\d)?(?![\d:]))"
    r"|(?P<decade>(?:'?\d0|[1-9]\d\d0)'?s(?![a-z]))"
    r"|(?P<ordinal>\d{1,3}(?:st|nd|rd|th)(?![a-z]))"
    r"|(?P<quarter>[qh][1-4](?![\w.]))"
    r"|(?P<short>'\d\d(?!\w))"
    r"|(?P<number>\d{1,15}(?:,\d{3}(?!\d))*(?:\.\d{1,9}(?!\d))?[½¼¾]?|[½¼¾])"
    r"|(?P<abbreviation>(?:[ap]\.\s?m|b\.c(?:\.e)?|a\.d|c\.e)\.?(?![a-z]))"
    r"|(?P<clitic>'s?(?![a-z]))"
    r"|(?P<word>[^\W\d_]{1,40}(?:'(?!s(?![a-z]))[a-z]{1,8})?)"
    r"|(?P<mark>\S))"
)
GAP = 3
"""Most characters between two words of a form."""
LONGEST = 8
"""Most words of a phrase or number."""
NUMBER_WORDS = frozenset(CARDINALS) | frozenset(MULTIPLIERS)
LETTERS = re.compile("[A-Za-z]+")
FIGURES = re.compile(
    r"[\d.'’](?:(?<=\d)(?:\d\d\d|[:/h]\d|0['’]?s|\.\d\d?\.\d| ?[aApP]\.? ?[mM]|-\d\d?-"
    r"|(?<=[qQhH]\d)\b|(?<=\b[aA]t \d)\d?\.[0-5]\d(?!\d))|(?<=['’])\d\d|(?<=\.)\s?[mMCDE]\b)"
)
"""Figures and letters of times without a word that is a trigger."""
SPOKEN_MINUTES = frozenset(["five", "ten", "twenty"])
NONE: frozenset[str] = frozenset()
_Matches = Sequence[re.Match[str]]


def _alternatives(text: str) -> dict[str, str]:
    """Return the words of a list such as "january|jan february|feb", with the place of each."""
    return {
        word: str(place) for place, words in enumerate(text.split()) for word in words.split("|")
    }


def _each(table: str) -> dict[str, str]:
    return {word.replace("_", " "): value for word, value in TABLES[table].items()}


MONTHS: tuple[str, ...]
WEEKDAYS: tuple[str, ...]
MONTHS, WEEKDAYS = (
    tuple(words.split("|")[0].capitalize() for words in TABLES["calendar"][name].split())
    for name in ("months", "weekdays")
)
_WEEKDAYS = _alternatives(TABLES["calendar"]["weekdays"])
VALUES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        **{name.upper(): by_word(TABLES[table]) for name, table in TABLES["classes"].items()},
        "MONTH": _alternatives(TABLES["calendar"]["months"]),
        "WEEKDAY": _WEEKDAYS | {"weekend": TABLES["calendar"]["weekend"]},
        "WEEKDAYS": by_word(TABLES["weekday_sets"])
        | {f"{word}s": day for word, day in _WEEKDAYS.items() if word.endswith("day")},
        "DECADE": {word: str(year) for word, year in TABLES["decades"].items()},
        "NIGHT": _each("night"),
        "ADVERB": _each("adverbs"),
        "UNIT": by_word({n: line.split(": ")[1] for n, line in TABLES["units"].items()}),
        **{name.upper(): dict.fromkeys(spaced(text), "") for name, text in TABLES["plain"].items()},
        "ZONE": by_word(TABLES["zones"] | {"": TABLES["unknown_zones"]["letters"]}),
        "DAYPART": {word: word for word, extent in TABLES["extent"].items() if extent[0] == "day"},
    }
)
"""The entries of each class of words, with the value of each."""


def _matches(text: str) -> list[re.Match[str]]:
    """Return the words, figures and marks; their last group is the kind, None for most words."""
    return list(WORD.finditer(text.replace("’", "'")))


_LEXICON = {
    tuple(match[0] for match in _matches(entry)): (
        frozenset(name for name, values in VALUES.items() if entry in values),
        entry,
    )
    for entry in dict.fromkeys(entry for values in VALUES.values() for entry in values)
}
"""The classes of each entry, and the entry, by its words."""
_NEXT: dict[str, dict[str, int]] = {words[0]: {} for words in _LEXICON}
"""The words that may follow the first of an entry, each with the most words of an entry."""
for _words in _LEXICON:
    if len(_words) > 1:
        _follow = _NEXT[_words[0]]
        _follow[_words[1]] = max(len(_words), _follow.get(_words[1], 0))


def _triggers() -> frozenset[str]:
    """Return the last word of each entry that holds a time by itself, as written."""
    words = {
        re.findall("[a-z]+", entry)[-1]
        for name in TABLES["triggers"]["classes"].split()
        for entry in VALUES[name]
        if "." not in entry
    } | word_set(TABLES["triggers"]["words"])
    capital = word_set(TABLES["calendar"]["capital"]) | VALUES["ERA"].keys()
    written = [word for word in words if word not in capital]
    return frozenset(written).union(*({word.capitalize(), word.upper()} for word in words))


TRIGGERS = _triggers()
CLUES = frozenset(map(str.lower, TRIGGERS))


def may_hold_times(text: str) -> bool:
    """Test if a text has a word, or figures, that times are written with."""
    lower = clue_words(text)
    triggered = not CLUES.isdisjoint(lower) and not TRIGGERS.isdisjoint(LETTERS.findall(text))
    if triggered or FIGURES.search(text):
        return True
    am = "am" in lower and not NUMBER_WORDS.isdisjoint(lower)  # three am
    return am or ("to" in lower and not SPOKEN_MINUTES.isdisjoint(lower))  # ten to three


class Word(NamedTuple):
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


@lru_cache(4096)
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


def read_runs(text: str, original: str) -> Iterator[list[Word]]:
    """Yield the runs of words of a lower-case text that may stand in a form, if one of them may
    tell of a time. Each has the two words before and the one after. Phrases of the tables and
    numbers are one word.
    """
    matches = _matches(text)
    for first, end, run in _runs(matches, original):
        around = matches[max(0, first - 2) : first], matches[end : end + 1]
        before, after = ([Word(one[0], *one.span(), NONE) for one in side] for side in around)
        yield [*before, *run, *after]


def _runs(matches: _Matches, original: str) -> Iterator[tuple[int, int, list[Word]]]:
    """Yield the runs, each with its first place and its end."""
    texts = [match[0] for match in matches]
    first, end, tells = 0, 0, False
    run: list[Word] = []
    for at, text in enumerate(texts):
        if at < end or not (text in _IN_FORMS or matches[at].lastgroup not in _PLAIN):
            continue
        if at > end:
            if tells:
                yield first, end, run
            first, run, tells = at, [], False
        word, end = _word_at(matches, texts, at, original)
        run.append(word)
        tells = tells or not word.classes <= _VAGUE or word.text in CLUES
    if tells:
        yield first, end, run


def _word_at(matches: _Matches, texts: Sequence[str], at: int, original: str) -> tuple[Word, int]:
    """Return the word, phrase or number at a place, and its end."""
    start, end = matches[at].span()
    length, classes, plain = 1, NONE, texts[at]
    if plain in KNOWN or matches[at].lastgroup not in _PLAIN:
        kind = matches[at].lastgroup
        length, classes, plain = _phrase(matches, texts, at)
        following = texts[at + 1] if at + 1 < len(texts) else ""
        if plain in NUMBER_WORDS or (kind == "number" and following in _AFTER_NUMBER):
            number = _number(matches, texts, at)
            if number[0] >= length:
                length, classes, plain = number
        end = matches[at + length - 1].end()
        if "ZONE" in classes and length == 1 and not original[start:end].isupper():
            classes -= {"ZONE"}
    return Word(plain, start, end, classes), at + length


_PLAIN = frozenset({None, "word", "mark", "clitic"})
"""The kinds of what has classes only by the tables."""
_AFTER_NUMBER = NUMBER_WORDS | {"-", "and"}


def _phrase(matches: _Matches, texts: Sequence[str], at: int) -> tuple[int, frozenset[str], str]:
    """Return the number of words, the classes and the text of the longest entry of the tables."""
    text, kind = texts[at], matches[at].lastgroup
    follow = _NEXT.get(text)
    if follow is not None:
        longest = follow.get(texts[at + 1], 1) if follow and len(texts) > at + 1 else 1
        for length in range(min(longest, len(texts) - at), 0, -1):
            entry = _LEXICON.get(tuple(texts[at : at + length]))
            if entry and _close(matches, at, length):
                return length, entry[0] | _of_word(text) if length == 1 else entry[0], entry[1]
    return 1, _of_word(text) if kind in _PLAIN else _of_figures(str(kind), text), text


KNOWN = NUMBER_WORDS | ORDINALS.keys() | _NEXT.keys()
_IN_FORMS = KNOWN | {
    option
    for table in ("atoms", "phrases", "modified", "ranges")
    for forms in TABLES[table].values()
    for option in re.split("[ |]|(?<=.)[?]", " ".join(forms))
}
_VAGUE = frozenset(map(str.upper, spaced(TABLES["triggers"]["vague"])))
"""Classes of words that tell of no time by themselves."""


def _of_word(text: str) -> frozenset[str]:
    if text not in ORDINALS:
        return NONE
    return frozenset(["ORDINAL", "DAY"] if 1 <= ORDINALS[text] <= 31 else ["ORDINAL"])


def _close(matches: _Matches, at: int, length: int) -> bool:
    """Test if no two of the words are far apart."""
    places = range(at, at + length - 1)
    return all(matches[i + 1].start() - matches[i].end() <= GAP for i in places)


def _number(matches: _Matches, texts: Sequence[str], at: int) -> tuple[int, frozenset[str], str]:
    """Return the number of words, the classes and the text of the longest number."""
    end, last = at, at
    figures = matches[at].lastgroup == "number"
    while end < min(len(texts), at + 2 * LONGEST):
        text = texts[end]
        if text in NUMBER_WORDS or (figures and end == at):
            last = end + 1
        elif text in ORDINALS and end > at and not figures:
            last = end + 1
            break
        elif text not in ("-", "and") or end == at:
            break
        end += 1
    for stop in range(last, at, -1):
        text = " ".join(word for word in texts[at:stop] if word != "-")
        last_word = texts[stop - 1]
        alone = last_word in ("-", "and") or (figures and stop == at + 1)
        value = None if alone or not _close(matches, at, stop - at) else number_value(text)
        if value is None:
            continue
        if last_word in ORDINALS:
            names = ["ORDINAL", "DAY"] if value <= 31 else ["ORDINAL"]
        else:
            names = ["NUMBER"]
            if 1500 <= value < 2100 and stop > at + 1 and value % 1 == 0:
                names.append("YEAR")
        return stop - at, frozenset(names), text
    return 0, NONE, ""
