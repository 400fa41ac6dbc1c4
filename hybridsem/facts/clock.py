"""Times of the day: the seconds that a text may mean, with their zone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hybridsem.facts.day_sets import combined
from hybridsem.facts.time_words import TABLES, VALUES
from hybridsem.facts.values import Fact, FactRelation, Interval, stated

__all__ = ["DAY", "DAY_PARTS", "Time"]

DAY = 86_400
HALF_DAY = DAY // 2
NAMES = MappingProxyType({0.0: "midnight", 43_200.0: "noon"})
ABOUT = 900
"""Seconds on each side of "about three"."""
DAY_PARTS: Mapping[str, Interval] = MappingProxyType(
    {
        name: Interval(low * 3600.0, high * 3600.0, high_open=True)
        for name, (whole, low, high) in TABLES["extent"].items()
        if whole == "day"
    }
)


@dataclass(frozen=True, slots=True)
class Time(Fact):
    """A time of the day, or the time from one to another. ``seconds`` are intervals of seconds
    after midnight, several where the half of the day is open: "3:30" means 3:30 or 15:30. They go
    past 86,400 for "from 22:00 to 6:00". A ``deadline`` is "by noon".

    >>> from hybridsem.facts.times import read_times
    >>> [open_half, exact] = read_times("At half past three; at 3:30 p.m.")
    >>> open_half.relation_to(exact)
    <FactRelation.CONTAINS: 'contains'>
    """

    seconds: tuple[Interval, ...]
    zone: str = ""
    deadline: bool = False
    approximate: bool = False

    @property
    def offset(self) -> int | None:
        """The minutes from UTC; None without a zone, or for letters that several zones share."""
        letters, sign, hours = self.zone.partition("+" if "+" in self.zone else "-")
        known = VALUES["ZONE"].get(letters.lower(), "")
        hour, _, minute = hours.partition(":")
        minutes = 60 * int(hour or 0) + int(minute or 0)
        return int(known) + (-minutes if sign == "-" else minutes) if known else None

    def relation_to(self, other: Time) -> FactRelation:
        """Return the relation of the sets of times, in one zone."""
        known = self.offset is not None and other.offset is not None
        both = FactRelation.EQUAL if known else FactRelation.UNKNOWN
        zones = stated(self.zone, other.zone, both)
        first, second = self._moments(), other._moments()
        if zones is FactRelation.UNKNOWN:
            return zones
        if self.zone and other.zone and self.zone != other.zone:
            first, second = (
                [interval.scaled(1, -60.0 * (time.offset or 0)) for interval in moments]
                for time, moments in ((self, first), (other, second))
            )
        relation = _relation_of_sets(first, second)
        if relation is FactRelation.DISJOINT and zones is not FactRelation.EQUAL:
            return FactRelation.UNKNOWN
        relation = combined([relation, zones])
        if self.deadline != other.deadline and relation is FactRelation.EQUAL:
            return FactRelation.UNKNOWN
        return relation

    def _moments(self) -> list[Interval]:
        """The seconds, with some on each side of an approximate time."""
        if not self.approximate:
            return list(self.seconds)
        return [Interval(each.low - ABOUT, each.high + ABOUT) for each in self.seconds]

    def __str__(self) -> str:
        """Return the time in plain English."""
        text = _plain(self.seconds)
        if self.zone:
            text = f"{text} {self.zone}"
        if self.deadline:
            text = text.replace("until", "by", 1)
        return f"about {text}" if self.approximate else text


def _relation_of_sets(first: Iterable[Interval], second: Iterable[Interval]) -> FactRelation:
    """Return the relation of two unions of intervals of a day."""
    mine, theirs = _in_day(first), _in_day(second)
    if mine == theirs:
        return FactRelation.EQUAL
    if all((each.low, each.high) == (0, DAY) for each in mine + theirs):
        return FactRelation.DISJOINT  # "before midnight", "after midnight"
    has = (FactRelation.EQUAL, FactRelation.CONTAINS)
    contains = all(any(a.relation_to(b) in has for a in mine) for b in theirs)
    within = all(any(b.relation_to(a) in has for b in theirs) for a in mine)
    if contains or within:
        return FactRelation.CONTAINS if contains else FactRelation.WITHIN
    if all(a.relation_to(b) is FactRelation.DISJOINT for a in mine for b in theirs):
        return FactRelation.DISJOINT
    return FactRelation.OVERLAPS


def _in_day(intervals: Iterable[Interval]) -> list[Interval]:
    """Return intervals between midnights, in order."""
    inside = []
    for each in intervals:
        days = each.low // DAY
        moved = each.scaled(1, -days * DAY)
        if moved.high >= DAY and not moved.is_point:
            inside.append(Interval(moved.low, DAY, moved.low_open, True))
            moved = Interval(0, moved.high - DAY, False, moved.high_open)
            if not moved.high and moved.high_open:
                continue
        inside.append(moved)
    return sorted(inside, key=lambda each: (each.low, each.high))


def _clock(seconds: float) -> str:
    """Return a time that reads as itself alone."""
    if seconds % DAY in NAMES:
        return NAMES[seconds % DAY]
    hour, rest = divmod(int(seconds) % DAY, 3600)
    minute, second = divmod(rest, 60)
    tail = f"{minute:02}:{second:02}" if second else f"{minute:02}"
    if 10 <= hour <= 12:
        return f"{hour}:{tail} {'p.m.' if hour == 12 else 'a.m.'}"
    return f"{hour:02}:{tail}"


def _plain(seconds: tuple[Interval, ...]) -> str:
    first = seconds[0]
    if first.is_point:
        if len(seconds) == 1:
            return _clock(first.low)
        hour, rest = divmod(int(first.low) % HALF_DAY, 3600)
        if not rest:
            return f"{hour or 12} o'clock"
        tail = f"{rest // 60:02}:{rest % 60:02}" if rest % 60 else f"{rest // 60:02}"
        return f"{hour or 12}:{tail}"
    for name, interval in DAY_PARTS.items():
        if interval == first:
            return name
    low, high = (
        _plain(tuple(map(Interval.of, ends)))
        for ends in ([each.low for each in seconds], [each.high for each in seconds])
    )
    if first.low == 0 and not first.low_open:
        return f"{'before' if first.high_open else 'until'} {high}"
    if first.high == DAY and first.high_open:
        return f"{'after' if first.low_open else 'since'} {low}"
    return f"from {low} to {high}"
