"""Reads dates, times of the day, durations and recurrences."""

from __future__ import annotations

import re
from dataclasses import replace

from hybridsem._utils.tables import word_set
from hybridsem.facts import date_forms, time_forms
from hybridsem.facts.clock import Time
from hybridsem.facts.dates import Date, Period, Span
from hybridsem.facts.durations import Duration, Frequency, Recurrence
from hybridsem.facts.forms import Forms, Match
from hybridsem.facts.time_words import TABLES, may_hold_times, read_runs
from hybridsem.facts.values import Fact

__all__ = ["Date", "Duration", "Frequency", "Period", "Recurrence", "Span", "Time", "read_times"]

_MOVES = word_set(TABLES["calendar"]["moves"])
_CLAUSE = re.compile(r"[.,;:]")


def _approximately(match: Match) -> Fact | None:
    """Return "about 1990", "about two hours", "3 p.m. or so"."""
    fact = next(word.fact for word in match.words if word.fact)
    if isinstance(fact, Recurrence):
        return time_forms.times_about(match, fact)
    if not isinstance(fact, (Date, Time, Duration)):
        return None
    if isinstance(fact, Date):
        exact = all(span.single for span in fact.readings)
    else:
        exact = isinstance(fact, Duration) or all(each.is_point for each in fact.seconds)
    return replace(fact, start=match.start, end=match.end, approximate=True) if exact else None


def _exactly(match: Match) -> Fact | None:
    """Return "exactly two hours", "9 a.m. sharp"."""
    fact = next(word.fact for word in match.words if word.fact)
    return replace(fact, start=match.start, end=match.end)


def _is_move(match: Match) -> bool:
    """Test for "moved from Monday to Friday", where one time takes the place of another."""
    if match.before != "from" and not match.has("from"):
        return False
    clause = _CLAUSE.split(match.original[: match.start].lower())[-1]
    return not _MOVES.isdisjoint(clause.split())


def _between(match: Match) -> Fact | None:
    if _is_move(match):
        return None
    if {"DATE", "DATE2"} <= match.named.keys():
        return date_forms.span_between(match)
    if {"TIME", "TIME2"} <= match.named.keys():
        return time_forms.time_between(match)
    if "DURATION" in match.named and match.has("between") == match.has("and"):
        return time_forms.length_between(match)
    return None


def _bound(match: Match) -> Fact | None:
    if not match.named.keys().isdisjoint(("DURATION", "RECURRENCE")):
        return time_forms.bounded(match, match.value("BOUND") or match.value("AFTER"))
    side = match.value("DATEBOUND") or match.value("DATEAFTER") or "low"
    if "DATE" in match.named:
        return date_forms.span_from(match, side)
    return time_forms.time_from(match, side)


_STEPS = (
    Forms("atoms", *date_forms.ATOMS, *time_forms.ATOMS),
    Forms("phrases", date_forms.part, date_forms.ago, *time_forms.PHRASES),
    Forms("modified", _approximately, _exactly),
    Forms("ranges", _between, _bound),
)


def read_times(text: str, day_first: bool | None = None) -> list[Fact]:
    """Return the dates, times, durations and recurrences of a text, in order. ``day_first`` says
    whether 3/5/2021 is in May; None leaves it open.

    >>> [str(fact) for fact in read_times("The 3rd of May, 2021, at half past three, for 90 min")]
    ['3 May 2021', '3:30', '90 minutes']
    >>> [type(fact).__name__ for fact in read_times("Twice a week until Friday")]
    ['Recurrence', 'Date']
    """
    if not may_hold_times(text):
        return []
    lower = text.lower()
    if len(lower) != len(text):  # some capitals have longer lower-case forms
        lower = "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
    facts: list[Fact] = []
    for words in read_runs(lower, text):
        present = {word.text for word in words}.union(*[word.classes for word in words])
        for forms in _STEPS:
            words = forms.apply(words, present, text, day_first)
            if not (found := [word.fact for word in words if word.fact]):
                break
        facts += found
    return facts
