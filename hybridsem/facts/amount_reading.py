"""Reads amounts: a number, what bounds it before or behind, and the words of its unit.

A number with three digits behind a point ("1.000") is left unread, as it may be a thousand; so are
bare figures that may be years, and "one" without a unit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from hybridsem.english.numbers import (
    CARDINALS,
    DENOMINATORS,
    MULTIPLIERS,
    ORDINALS,
    SUFFIXES,
    number_value,
)
from hybridsem.facts.amounts import Age, Money, Ordinal, Quantity, Rate, Share
from hybridsem.facts.units import CURRENCIES, PERIODS, TABLES, UNITS, Unit
from hybridsem.facts.values import Fact, Interval

__all__ = ["read_amounts"]

WORD = re.compile(
    r"(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,15})(?:\.\d{1,15})?[½¼¾]?|[½¼¾])"
    r"|(?P<code>[A-Z]{1,2}\$)|(?P<word>°?[^\W\d_]+[²³]?(?:[’'](?:s|t)\b)?)|(?P<sign>\S)"
)
TRIGGER = re.compile(r"\d|[½¼¾]|[^\W\d_]{3,}")
NUMBER_WORDS = frozenset({*CARDINALS, *MULTIPLIERS})
TRIGGERS = frozenset({*NUMBER_WORDS, *ORDINALS, *DENOMINATORS, "pair", "couple"})
LONGEST = 10
"""The most words of a number."""
YEARS = (1500, 2100)
"""Bare figures between these may be years."""
DASHES = frozenset("-–—")
GLUED = frozenset("-–—/:.#")
"""Signs that make a figure a part of a code, a date or a version."""
WHOLES = frozenset(
    ["of", "the", "its", "their", "our", "my", "his", "her", "your", "all", "an", "a"]
)
"""Words behind "half" that show what it is half of."""


class Word(NamedTuple):
    """A word, number or sign, in lower case and as ``written``."""

    text: str
    start: int
    end: int
    kind: str
    written: str


class Value(NamedTuple):
    """An interval, whether it is approximate, and the words up to its ``end``."""

    interval: Interval
    approximate: bool
    end: int


def _phrases(section: str) -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Return the phrases of a table by their first word, the longest first, with their meaning."""
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for meaning, phrases in TABLES[section].items():
        for phrase in phrases.split():
            words = tuple(phrase.split("_"))
            by_first.setdefault(words[0], []).append((words, meaning))
    return MappingProxyType(
        {
            first: tuple(sorted(each, key=lambda one: -len(one[0])))
            for first, each in by_first.items()
        }
    )


BEFORE, AFTER, SHARES = (_phrases(section) for section in ("before", "after", "shares"))
FIRST_WORDS = frozenset(
    match[0].lower() for name in (*UNITS, *CURRENCIES) if (match := WORD.match(name))
)
LONGEST_UNIT = max(len(name.split()) for name in (*UNITS, *CURRENCIES))


BEGINNINGS = frozenset(
    {*TRIGGERS, *BEFORE, *(name for name in CURRENCIES if len(name) < 4), "aged", "age"}
    | {name.lower() for name in CURRENCIES if len(name) < 4}
) - {"p", "won"}
BEHIND_ARTICLE = frozenset({*MULTIPLIERS, *DENOMINATORS, "couple", "pair", "maximum", "minimum"})


def read_amounts(text: str) -> list[Fact]:
    """Return the amounts of a text, in order.

    >>> facts = read_amounts("At least 5 km, up to $3 million, 60 km/h, 3rd, aged 5, 5-10 %")
    >>> [str(fact) for fact in facts][:4]
    ['at least 5 kilometres', 'at most 3,000,000 dollars', '60 kilometres per hour', '3rd']
    >>> [str(fact) for fact in facts][4:]
    ['5 years old', 'between 5 and 10 percent']
    """
    if not any(
        match[0][0].isdecimal() or match[0] in "½¼¾" or match[0] in TRIGGERS
        for match in TRIGGER.finditer(text.lower())
    ):
        return []
    lower = text.lower() if len(text.lower()) == len(text) else text
    words = [
        Word(lower[m.start() : m.end()], m.start(), m.end(), str(m.lastgroup), m[0])
        for m in WORD.finditer(text)
    ]
    facts: list[Fact] = []
    at = 0
    while at < len(words):
        fact, end = _Reader(words).fact(at)
        if fact is not None:
            facts.append(fact)
        at = end
    return facts


class _Reader:
    """Reads amounts at places of a text."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words

    def fact(self, at: int) -> tuple[Fact | None, int]:
        """Return the amount that begins at a word, if any, and the place to go on from."""
        if not self.may_begin(at):
            return None, at + 1
        for reader in (self._aged, self._part, self._ordinal, self._amount):
            fact, end = reader(at)
            if fact is not None:
                return fact, end
        # A figure that was not read is passed over whole: "1.000", "10.0.0.1".
        end = at + 1
        while end < len(self.words) and self._is_glued(end):
            end += 1
        return None, end

    def may_begin(self, at: int) -> bool:
        """Test if an amount may begin at a word."""
        word = self.words[at]
        if word.text in ("a", "one", "half"):
            half = self._text(at + 2) == "and"  # "a pound and a half"
            return half or self._text(at + 1) in BEHIND_ARTICLE or word.text != "a"
        return word.kind in ("number", "code") or word.text in BEGINNINGS

    def _is_glued(self, at: int) -> bool:
        """Test if a word is written together with the one before, and either is a figure."""
        before, here = self.words[at - 1], self.words[at]
        return here.start == before.end and "number" in (before.kind, here.kind)

    def _text(self, at: int) -> str:
        return self.words[at].text if 0 <= at < len(self.words) else ""

    def _phrase(
        self, at: int, phrases: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
    ) -> tuple[str, int]:
        """Return the meaning of the longest phrase at a word, "" for none, and its end."""
        for words, meaning in phrases.get(self._text(at), ()):
            end = at + len(words)
            if tuple(word.text for word in self.words[at:end]) == words:
                if self._text(end) == "." and meaning == "about" and len(words[0]) < 7:
                    end += words[0] in ("approx", "c")
                return meaning, end
        return "", at

    def _single(self, at: int) -> tuple[float | None, int]:
        """Return the number that begins at a word, and its end."""
        words, first = self.words, self.words[at] if at < len(self.words) else None
        if first is None:
            return None, at
        if first.kind == "number":
            fraction = first.text.rpartition(".")[2]
            if "." in first.text and len(fraction) == 3 and "," not in first.text:
                return None, at  # 1.000
            if self._text(at + 1) == "/" and at + 2 < len(words) and words[at + 2].kind == "number":
                return None, at  # 3/5
            value, end = number_value(first.text), at + 1
            after = words[end] if end < len(words) else None
            if value is None or after is None:
                return value, end
            if after.start == first.end and after.text in SUFFIXES and not self._measures(end):
                return value * SUFFIXES[after.text], end + 1
            if after.text in ("m", "mn", "bn", "tn") and self._text(at - 1) in CURRENCIES:
                return value * SUFFIXES[after.text], end + 1
            while end < len(words) and words[end].text in MULTIPLIERS:
                value, end = value * MULTIPLIERS[words[end].text], end + 1
            return value, end
        return self._in_words(at)

    def _measures(self, at: int) -> bool:
        """Test if a suffix such as "m" is a unit: "5m" without a sign of a currency before."""
        return self.words[at].written == "m" and self._text(at - 2) not in CURRENCIES

    def _in_words(self, at: int) -> tuple[float | None, int]:
        words, end = self.words, at
        if (
            self._text(at) == "half"
            and self._text(at + 1) in ("a", "an")
            and self._unit_after(at + 2)
        ):
            return 0.5, at + 2
        if self._text(at) == "a" and self._text(at + 2) == "and" and self._unit_after(at + 1):
            return 1.0, at + 1
        if self._text(at) in ("a", "half") and self._text(at + 1) in (
            *MULTIPLIERS,
            "a",
            "couple",
            "pair",
        ):
            end = at + 1
        while end < len(words) and end - at < LONGEST:
            text = words[end].text
            joins = text == "-" or (text == "and" and end > at)
            if not (
                text in NUMBER_WORDS
                or joins
                or (end > at and text in ("a", "half", "couple", "pair", "quarter"))
            ):
                break
            end += 1
        while end > at:
            written = " ".join(word.text for word in words[at:end] if word.text != "-")
            last = words[end - 1].text
            value = number_value(written) if last not in ("-", "and", "a") else None
            if value is not None:
                return (
                    (None, at)
                    if written in ("half", "one", "couple", "pair") and not self._unit_after(end)
                    else (value, end)
                )
            end -= 1
        return None, at

    def _unit_after(self, at: int) -> bool:
        return self._named(at, UNITS)[0] is not None or self._named(at, CURRENCIES)[0] is not None

    def _named(self, at: int, names: Mapping[str, object]) -> tuple[str | None, int]:
        """Return the longest name at a word, and its end; short names keep their capitals."""
        if at >= len(self.words) or self.words[at].text not in FIRST_WORDS:
            return None, at
        for size in range(min(LONGEST_UNIT, len(self.words) - at), 0, -1):
            inside = self.words[at : at + size]
            written = inside[0].written
            for before, word in pairwise(inside):
                written += (" " if word.start > before.end else "") + word.written
            for name in (written, written.lower() if len(written) > 3 else written):
                if name in names:
                    return name, at + size
        return None, at

    def _value(self, at: int, before: str) -> Value | None:
        """Return the number or range that begins at a word, with its bound ``before``."""
        low, end = self._single(at)
        if low is None:
            return None
        high = low
        joined = self._text(end)
        if joined in DASHES or joined == "to" or (joined == "and" and before == "between"):
            skipped = end + 1 + (self._text(end + 1) in CURRENCIES)
            other, other_end = self._single(skipped)
            if (
                other is not None
                and other > low
                and (joined not in DASHES or self.words[end].end == self.words[end + 1].start)
            ):
                high, end = other, other_end
        elif before == "between":
            return None
        if before == "between" and high == low:
            return None
        return Value(Interval(low, high), before == "about", end)

    def _bounded(self, value: Value, bound: str) -> Value:
        interval, (low, high) = value.interval, (value.interval.low, value.interval.high)
        if bound in ("low", "above"):
            interval = Interval(low, math.inf, low_open=bound == "above")
        elif bound in ("high", "below"):
            interval = Interval(-math.inf, high, high_open=bound == "below")
        return value._replace(interval=interval, approximate=value.approximate or bound == "about")

    def _amount(self, at: int) -> tuple[Fact | None, int]:
        """Return a number with its bound and unit."""
        start = at
        before, at = self._phrase(at, BEFORE)
        if before == "low" and self._text(at - 1) == "from":
            before, at = "", start
        sign, number_at = self._currency_before(at)
        value = self._value(number_at, before)
        if value is None and before == "between":
            before = ""
            return None, start
        if value is None:
            return None, start
        if before != "between":
            value = self._bounded(value, before)
        fact, end = self._with_unit(start, number_at, value, sign)
        if fact is None:
            return None, start
        rate, end = self._rate(fact, end)
        return rate, end

    def _currency_before(self, at: int) -> tuple[str | None, int]:
        word = self.words[at] if at < len(self.words) else None
        if word is not None and word.kind in ("code", "sign", "word"):
            name = word.written if word.kind != "sign" else word.text
            known = CURRENCIES.get(name)
            if known and known[1] == 1 and (word.kind != "word" or name.isupper()):
                return known[0], at + 1
        return None, at

    def _with_unit(
        self, start: int, number_at: int, value: Value, sign: str | None
    ) -> tuple[Fact | None, int]:
        """Return the amount of a value by the words behind it."""
        begin = self.words[start].start
        if sign is not None:
            own, after = self._after(value, value.end)
            end = self.words[after - 1].end
            return Money(begin, end, own.interval, own.approximate, sign), after
        share, after = self._of_whole(begin, value)
        if share is not None:
            return share, after
        hyphen = self._text(value.end) in DASHES and value.end + 1 < len(self.words)
        for place in (value.end, *((value.end + 1,) if hyphen else ())):
            amount, after = self._measured(begin, value, place)
            if amount is not None:
                return amount, after
        own, after = self._after(value, value.end)
        return self._plain(start, number_at, own, after)

    def _of_whole(self, begin: int, value: Value) -> tuple[Share | None, int]:
        """Return a percentage, or a number of points of one."""
        kind, after = self._phrase(value.end, SHARES)
        if not kind:
            return None, value.end
        interval = value.interval.scaled(1e-4 if kind == "basis" else 0.01)
        end = self.words[after - 1].end
        return Share(begin, end, interval, value.approximate, kind != "percent"), after

    def _measured(
        self, begin: int, value: Value, place: int
    ) -> tuple[Money | Quantity | None, int]:
        """Return an amount by the currency or unit at a place."""
        words = self.words
        name, after = self._named(place, CURRENCIES)
        if name is not None:
            code, size = CURRENCIES[name]
            interval, after = self._cents(value.interval.scaled(size), code, size, after)
            return Money(begin, words[after - 1].end, interval, value.approximate, code), after
        name, after = self._named(place, UNITS)
        if name is None:
            return None, place
        value, after = self._sum(value, UNITS[name], after)
        own, after = self._after(value, after)
        end, unit = words[after - 1].end, UNITS[name].name
        return Quantity(begin, end, own.interval, own.approximate, unit), after

    def _sum(self, value: Value, unit: Unit, at: int) -> tuple[Value, int]:
        """Return the value with what is added to it: "5 ft 6 in", "a pound and a half"."""
        end, more = at + (self._text(at) == "and"), None
        if end > at and self._text(end) == "a" and self._text(end + 1) == "half":
            more, end = 0.5, end + 2
        else:
            number, end = self._single(end)
            name, end = self._named(end, UNITS) if number is not None else (None, end)
            if name is not None and number is not None:
                smaller = UNITS[name]
                share = number * smaller.size / unit.size
                if smaller.dimension == unit.dimension and share < 1:
                    more = share
        if more is None or not value.interval.is_point:
            return value, at
        return value._replace(interval=value.interval.scaled(1, more)), end

    def _after(self, value: Value, at: int) -> tuple[Value, int]:
        """Return the value with the bound behind it: "or more", "+"."""
        bound, end = self._phrase(at, AFTER)
        return (self._bounded(value, bound), end) if bound else (value, at)

    def _cents(self, interval: Interval, code: str, size: float, at: int) -> tuple[Interval, int]:
        """Return the sum of money with its hundredths: "and fifty cents"."""
        if size == 1 and self._text(at) == "and":
            cents, end = self._single(at + 1)
            name, end = self._named(end, CURRENCIES)
            if cents is not None and name is not None and CURRENCIES[name][1] < 1:
                return interval.scaled(1, cents / 100), end
        return interval, at

    def _plain(self, start: int, number_at: int, value: Value, end: int) -> tuple[Fact | None, int]:
        """Return a number without a unit, unless it may be a year or a part of a code."""
        words, first, last = self.words, self.words[number_at], self.words[end - 1]
        around = [
            words[at].text
            for at, touching in (
                (number_at - 1, number_at and words[number_at - 1].end == first.start),
                (end, end < len(words) and words[end].start == last.end),
            )
            if touching
        ]
        after = words[end + 1] if end + 1 < len(words) else None
        glued = any(
            (
                text in GLUED
                and not (
                    text in (".", "-", ":") and (after is None or after.start > words[end].end)
                )
            )
            or text[:1].isalnum()
            for text in around
        )
        single = value.interval.is_point and end - number_at == 1 and first.kind == "number"
        year = single and "," not in first.text and YEARS[0] <= value.interval.low <= YEARS[1]
        if glued or (year and number_at == start):
            return None, start
        return Quantity(words[start].start, last.end, value.interval, value.approximate), end

    def _rate(self, amount: Fact, end: int) -> tuple[Fact, int]:
        """Return an amount for each unit, if words for that follow: "per month", "/h"."""
        if not isinstance(amount, (Quantity, Money, Share)):
            return amount, end
        words = self.words
        speed = TABLES["speeds"].get(self._text(end))
        if isinstance(amount, Quantity) and not amount.unit and speed:
            unit, per = speed.split()
            own = Quantity(amount.start, amount.end, amount.interval, amount.approximate, unit)
            return Rate(amount.start, words[end].end, own, per), end + 1
        slash = self._text(end) == "/" or self._text(end) == "per"
        article = self._text(end) in ("a", "an", "each", "every") and self._text(end + 1) in PERIODS
        counted = isinstance(amount, (Money, Share)) or amount.unit
        if (
            counted
            and (slash or article)
            and end + 1 < len(words)
            and words[end + 1].kind == "word"
        ):
            per = PERIODS.get(words[end + 1].text, (words[end + 1].text, 0.0))[0]
            return Rate(amount.start, words[end + 1].end, amount, per), end + 2
        return amount, end

    def _part(self, at: int) -> tuple[Fact | None, int]:
        """Return a share in words: "three quarters", "one in five", "half of"."""
        start = at
        before, at = self._phrase(at, BEFORE)
        count, end = 1.0, at
        if self._text(at) in ("a", "one"):
            end = at + 1
        elif self._text(at) != "half":
            number, end = self._single(at)
            if number is None:
                return None, start
            count = number
        hyphen = end + (self._text(end) in DASHES)
        denominator = DENOMINATORS.get(self._text(hyphen))
        whole: float | None = None
        behind = self._text(end + 2)
        if self._text(at) == "half" and self._text(end + 1) in WHOLES and behind not in MULTIPLIERS:
            whole, end = 2.0, end + 1
        elif denominator and (self._text(hyphen).endswith("s") or self._text(hyphen + 1) == "of"):
            whole, end = float(denominator), hyphen + 1
        elif self._text(end) in ("in", "out") and (skip := 1 + (self._text(end + 1) == "of")):
            whole, after = self._single(end + skip)
            end = after
        if not whole or count > whole or before == "between":
            return None, start
        value = self._bounded(Value(Interval.of(count / whole), False, end), before)
        fact = Share(
            self.words[start].start, self.words[end - 1].end, value.interval, value.approximate
        )
        return fact, end

    def _ordinal(self, at: int) -> tuple[Fact | None, int]:
        """Return a rank in figures or words."""
        word = self.words[at]
        after = self.words[at + 1] if at + 1 < len(self.words) else None
        if word.kind == "number" and after and after.start == word.end:
            if after.text in ("st", "nd", "rd", "th") and word.text.isdecimal():
                return Ordinal(word.start, after.end, int(word.text)), at + 2
            return None, at
        end = at + 1
        if word.text in CARDINALS and self._text(end) in (*DASHES, *ORDINALS):
            end += 1 + (self._text(end) in DASHES)
        last = self._text(end - 1)
        if last not in ORDINALS or (last == "second" and end == at + 1):
            return None, at
        value = number_value(" ".join(each.text for each in self.words[at:end] if each.text != "-"))
        if value is None:
            return None, at
        return Ordinal(word.start, self.words[end - 1].end, int(value)), end

    def _aged(self, at: int) -> tuple[Fact | None, int]:
        """Return an age: "aged 5", "five years old", "5-year-old", "at the age of five"."""
        start = at
        if self._text(at) in ("aged", "age"):
            at += 1 + (self._text(at + 1) == "of")
            before, at = self._phrase(at, BEFORE)
            value = self._value(at, before)
            if value is None or (self._text(start) == "age" and at == start + 1):
                return None, start
            value = value if before == "between" else self._bounded(value, before)
            end = self.words[value.end - 1].end
            return Age(self.words[start].start, end, value.interval, value.approximate), value.end
        before, at = self._phrase(at, BEFORE)
        value = self._value(at, before)
        if value is None:
            return None, start
        end = value.end + (self._text(value.end) in DASHES)
        unit = PERIODS.get(self._text(end), ("", 0.0))[0]
        tail = [self._text(place) for place in range(end + 1, end + 4)]
        size = (
            1 if tail[0] == "old" else 2 if tail[0] in DASHES and tail[1] in ("old", "olds") else 0
        )
        size = 2 if tail[:2] == ["of", "age"] else size
        if not unit or not size:
            return None, start
        value = value if before == "between" else self._bounded(value, before)
        last = self.words[end + size].end
        return Age(
            self.words[start].start, last, value.interval, value.approximate, unit
        ), end + size + 1
