"""Records that differ in one thing: minimal pairs, pairs that differ in nothing, numbered lines.

The records of a minimal pair are distinct: one date, code, amount, name, bound or negation of a
line is another. Those of a harmless pair are duplicates: they differ in case, blanks, punctuation,
spelling, notation or wording. All lines, values and kinds are in records.toml. A pair depends on
the seed, its kind and its place, so that a longer list begins with the shorter one.

Numbered lines are product lines, log lines and addresses, of numbered.toml. Each becomes a family
of records that differ in its identifier alone, most of them in one digit or letter from another.
All records are distinct.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hybridsem._utils.tables import read_table, word_sets

CHOICE = re.compile(r"\{(\w+): ((?:[^{}]|\{[^{}]*\})*)\}")
SLOT = re.compile(r"\{((\w+?)(?:\.\d)?)\}")
NOTHING = "_"
CLASSES = {"#": "0123456789", "@": "ABCDEFGHKLMNPRSTVX"}
CLASSES |= {"%": "0123456789abcdef", "&": "0123456789ABCDEF"}
NEAR = 0.5
"""The share of changed numbers that become a neighbour."""


class RecordPair(NamedTuple):
    """Two records, and the kind of their difference."""

    kind: str
    first: str
    second: str


@dataclass(frozen=True)
class Phrases:
    """Phrases in groups; any can take the place of another of its group."""

    groups: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, text: str) -> Phrases:
        """Read a group a line."""
        rows = (map(str.strip, line.split(" | ")) for line in text.strip().splitlines())
        return cls(tuple(tuple("" if one == NOTHING else one for one in row) for row in rows))

    def draw(self, rng: random.Random) -> str:
        """Return a phrase."""
        return rng.choice([phrase for group in self.groups for phrase in group])

    def other(self, value: str, rng: random.Random) -> str:
        """Return another phrase of a group that has this one."""
        group = rng.choice([group for group in self.groups if value in group])
        return rng.choice([phrase for phrase in group if phrase != value])


@dataclass(frozen=True)
class Numbers:
    """The numbers between two, with the same number of decimals, leading zeros and commas."""

    low: str
    high: str

    @property
    def decimals(self) -> int:
        """The number of digits behind the point."""
        return len(self.low.partition(".")[2])

    @property
    def bounds(self) -> tuple[int, int]:
        """The first and the last number without their points."""
        low, high = (int(re.sub(r"\D", "", end)) for end in (self.low, self.high))
        return low, high

    def written(self, number: int) -> str:
        """Return a number as the bounds are written."""
        if self.decimals:
            return f"{number / 10**self.decimals:.{self.decimals}f}"
        if "," in self.high:
            return f"{number:,}"
        return f"{number:0{len(self.low)}}" if self.low.startswith("0") else str(number)

    def draw(self, rng: random.Random) -> str:
        """Return a number."""
        return self.written(rng.randint(*self.bounds))

    def other(self, value: str, rng: random.Random) -> str:
        """Return a neighbour or any other number."""
        low, high = self.bounds
        number = int(re.sub(r"\D", "", value))
        near = [number + step for step in (-1, 1) if low <= number + step <= high]
        if rng.random() < NEAR:
            return self.written(rng.choice(near))
        drawn = rng.randint(low, high - 1)
        return self.written(drawn + (drawn >= number))


@dataclass(frozen=True)
class Code:
    """A pattern of digits and letters, of which one changes, or two neighbours change places."""

    pattern: str

    def draw(self, rng: random.Random) -> str:
        """Return a code."""
        return "".join(rng.choice(CLASSES.get(sign, sign)) for sign in self.pattern)

    def other(self, value: str, rng: random.Random) -> str:
        """Return a code that is almost the same."""
        signs, pattern = list(value), self.pattern
        places = [at for at, sign in enumerate(pattern) if sign in CLASSES]
        twins = (at for at in places if pattern[at] == pattern[at + 1 : at + 2])
        swaps = [at for at in twins if signs[at] != signs[at + 1]]
        if swaps and rng.random() < 1 / 3:
            at = rng.choice(swaps)
            signs[at], signs[at + 1] = signs[at + 1], signs[at]
        else:
            at = rng.choice(places)
            signs[at] = rng.choice([x for x in CLASSES[pattern[at]] if x != signs[at]])
        return "".join(signs)


Source = Phrases | Numbers | Code
"""Where values come from: ``draw`` returns one, ``other`` another that can take its place."""


class Part(NamedTuple):
    """Part of a value: its text, where it comes from, and the slots that it is in."""

    text: str
    source: Source | None
    names: frozenset[str]


Values = Mapping[str, tuple[Part, ...]]


@dataclass(frozen=True)
class Line:
    """A line with its choices of phrases and the values of its slots."""

    carrier: Carrier
    phrases: tuple[str, ...]
    values: Values

    @property
    def text(self) -> str:
        """The line as it is written."""
        phrases = iter(self.phrases)
        text = CHOICE.sub(lambda _: next(phrases), self.carrier.text)
        text = SLOT.sub(lambda slot: self._value(slot[1]), text)
        return re.sub(r" +(?=[.,] |[.,]$)", "", " ".join(text.split()))

    def _value(self, key: str) -> str:
        return "".join(part.text for part in self.values[key])

    @property
    def is_plausible(self) -> bool:
        """Two slots of one name have two values."""
        values = [(key.partition(".")[0], self._value(key)) for key in self.values]
        return len(set(values)) == len(values)

    def changed(self, slots: frozenset[str], rng: random.Random) -> Line | None:
        """Return the line with one other phrase or part of a value, if it has one of the slots."""
        chosen = [at for at, (name, _) in enumerate(self.carrier.choices) if name in slots]
        every = [(key, at) for key, value in self.values.items() for at in range(len(value))]
        changeable = [(key, at) for key, at in every if self.values[key][at].source is not None]
        parts = [(key, at) for key, at in changeable if self.values[key][at].names & slots]
        if not chosen and not parts:
            return None
        place = rng.randrange(len(chosen) + len(parts))
        if place < len(chosen):
            phrases = list(self.phrases)
            at = chosen[place]
            phrases[at] = self.carrier.choices[at][1].other(phrases[at], rng)
            return Line(self.carrier, tuple(phrases), self.values)
        key, at = parts[place - len(chosen)]
        value = list(self.values[key])
        source = value[at].source
        assert source is not None
        value[at] = value[at]._replace(text=source.other(value[at].text, rng))
        return Line(self.carrier, self.phrases, {**self.values, key: tuple(value)})


@dataclass(frozen=True)
class Carrier:
    """A line with slots."""

    text: str
    choices: tuple[tuple[str, Phrases], ...]
    keys: tuple[str, ...]
    names: frozenset[str]

    @classmethod
    def of(cls, text: str, words: Words) -> Carrier:
        """Read a line of the table."""
        choices = tuple((name, Phrases.of(phrases)) for name, phrases in CHOICE.findall(text))
        slots = dict(SLOT.findall(text))
        names = {name for name, _ in choices}.union(*map(words.names_in, slots.values()))
        return cls(text, choices, tuple(slots), frozenset(names))

    def line(self, words: Words, rng: random.Random) -> Line:
        """Return a line with drawn phrases and values."""
        phrases = tuple(phrases.draw(rng) for _, phrases in self.choices)
        while True:
            values = {key: tuple(words.value(key.partition(".")[0], rng)) for key in self.keys}
            line = Line(self, phrases, values)
            if line.is_plausible:
                return line


@dataclass(frozen=True)
class Words:
    """The sources and forms of values by name."""

    sources: Mapping[str, Source]
    forms: Mapping[str, list[str]]

    def names_in(self, name: str) -> frozenset[str]:
        """Return the names of a slot and of all that its values are made of."""
        inner = {slot[2] for form in self.forms.get(name, ()) for slot in SLOT.finditer(form)}
        return frozenset({name}.union(*map(self.names_in, inner)))

    def value(
        self, name: str, rng: random.Random, within: frozenset[str] = frozenset()
    ) -> Iterator[Part]:
        """Yield the parts of a drawn value."""
        within |= {name}
        if name in self.sources:
            yield Part(self.sources[name].draw(rng), self.sources[name], within)
            return
        form = rng.choice(self.forms[name])
        end = 0
        for slot in SLOT.finditer(form):
            yield Part(form[end : slot.start()], None, within)
            yield from self.value(slot[2], rng, within)
            end = slot.end()
        yield Part(form[end:], None, within)


def sources_of(table: Mapping[str, Mapping[str, str]]) -> dict[str, Source]:
    """Return the sources of a table's sections ``words``, ``numbers`` and ``codes``."""
    found: dict[str, Source] = {
        name: Phrases.of(text) for name, text in table.get("words", {}).items()
    }
    found |= {name: Numbers(*ends.split("..")) for name, ends in table["numbers"].items()}
    return found | {name: Code(pattern) for name, pattern in table["codes"].items()}


class Table:
    """The lines of the table, and what makes pairs of each kind."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.words, self.sets = Words(sources_of(table), table["forms"]), word_sets(table["sets"])
        lines = (*table["carriers"].values(), *table["harmless_carriers"].values())
        self.carriers = [
            Carrier.of(line, self.words) for text in lines for line in text.strip().splitlines()
        ]
        minimal = word_sets(table["minimal"])
        self.minimal = {kind: self._of_slots(slots) for kind, slots in minimal.items()}
        self.harmless = {kind: self._harmless(row) for kind, row in table["harmless"].items()}

    def _slots(self, names: str) -> frozenset[str]:
        """Return the slots of names, which may be names of sets."""
        return frozenset[str]().union(*(self.sets.get(name, {name}) for name in names.split()))

    def _harmless(self, row: Mapping[str, str]) -> Make:
        if "slots" in row:
            return self._of_slots(frozenset(row["slots"].split()))
        having, without = (self._slots(row.get(name, "")) for name in ("having", "without"))
        carriers = [carrier for carrier in self.carriers if not carrier.names & without]
        carriers = [carrier for carrier in carriers if not having or carrier.names & having]
        change, signs = CHANGES[row["change"]], row.get("with", "")

        def make(rng: random.Random) -> tuple[str, str] | None:
            text = rng.choice(carriers).line(self.words, rng).text
            return (text, change(text, rng)) if signs in text else None

        return make

    def _of_slots(self, slots: frozenset[str]) -> Make:
        carriers = [carrier for carrier in self.carriers if carrier.names & slots]

        def make(rng: random.Random) -> tuple[str, str] | None:
            line = rng.choice(carriers).line(self.words, rng)
            other = line.changed(slots, rng)
            return (line.text, other.text) if other is not None and other.is_plausible else None

        return make


Make = Callable[[random.Random], tuple[str, str] | None]


@cache
def table() -> Table:
    """Read the table of this module."""
    return Table(read_table(__file__))


def minimal(count: int, seed: int = 0) -> list[RecordPair]:
    """Return pairs of distinct records that differ in one thing, the same number of each kind."""
    return _pairs(table().minimal, count, seed)


def harmless(count: int, seed: int = 0) -> list[RecordPair]:
    """Return pairs of records with the same content, the same number of each kind."""
    return _pairs(table().harmless, count, seed)


def _pairs(kinds: Mapping[str, Make], count: int, seed: int) -> list[RecordPair]:
    pairs: list[RecordPair] = []
    seen: set[frozenset[str]] = set()
    for row in itertools.count():
        for kind, make in kinds.items():
            if len(pairs) == count:
                return pairs
            rng = random.Random(f"{seed} {kind} {row}")
            made = make(rng)
            while made is None or made[0] == made[1] or frozenset(made) in seen:
                made = make(rng)
            seen.add(frozenset(made))
            pairs.append(RecordPair(kind, *rng.sample(made, 2)))
    raise AssertionError("unreachable")


class NumberedLine(NamedTuple):
    """A record and its group."""

    group: str
    text: str


def numbered_lines(count: int, seed: int = 0) -> list[NumberedLine]:
    """Return distinct records in a random order, about as many of each family.

    >>> len(set(numbered_lines(300)))
    300
    """
    numbered = read_table(Path(__file__).with_name("numbered.py"))
    sources = sources_of(numbered)
    families = [
        (group, line)
        for group, lines in numbered["lines"].items()
        for line in lines.split("\n")[:-1]
    ]
    rng = random.Random(seed)
    records: list[NumberedLine] = []
    for at, (group, line) in enumerate(families):
        size = count // len(families) + (at < count % len(families))
        slot = SLOT.search(line)
        assert slot is not None, line
        for value in _values(sources[slot[1]], size, rng):
            records.append(NumberedLine(group, line.replace(slot[0], value)))
    rng.shuffle(records)
    return records


def _values(source: Source, count: int, rng: random.Random) -> Collection[str]:
    """Return distinct values, each but the first a change of an earlier one."""
    values = [source.draw(rng)] if count else []
    seen = set(values)
    while len(values) < count:
        value = source.other(rng.choice(values), rng)
        if value not in seen:
            seen.add(value)
            values.append(value)
    return values


def _blanks(blank: str) -> Change:
    """Return a function that writes one to three blanks of a text otherwise."""

    def change(text: str, rng: random.Random) -> str:
        words = text.split(" ")
        if len(words) < 2:
            return text
        chosen = rng.sample(range(1, len(words)), min(rng.randint(1, 3), len(words) - 1))
        return words[0] + "".join(
            (blank if at in chosen else " ") + words[at] for at in range(1, len(words))
        )

    return change


def _replaced(*pairs: tuple[str, str]) -> Change:
    """Return a function that replaces each pattern."""

    def change(text: str, _: random.Random) -> str:
        for pattern, instead in pairs:
            text = re.sub(pattern, instead, text)
        return text

    return change


Change = Callable[[str, random.Random], str]
CHANGES: Mapping[str, Change] = {
    "capitals": lambda text, _: text.upper(),
    "lower_case": lambda text, _: text.lower(),
    "sentence_case": lambda text, _: text[:1].upper() + text[1:].lower(),
    "double_blanks": _blanks("  "),
    "tabs": _blanks("\t"),
    "no_break_blanks": _blanks("\N{NO-BREAK SPACE}"),
    "blanks_before_punctuation": _replaced((r"(?<!\.\w)(?<=\w)(?=[.,;:?!](?: |$))", " ")),
    "no_final_stop": _replaced((r"\.\Z", "")),
    "no_question_mark": _replaced((r"\?\Z", "")),
    "typographic_quotes": _replaced((r'(?<!\w)"(?=\w)', "“"), ('"', "”"), (r"(?<=\w)'", "’")),
}
