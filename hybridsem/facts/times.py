"""Reads dates, times of the day, durations and recurrences."""

from __future__ import annotations

from hybridsem.facts import date_forms, time_forms
from hybridsem.facts.clock import Time
from hybridsem.facts.dates import Date, Period, Span
from hybridsem.facts.durations import Duration, Frequency, Recurrence
from hybridsem.facts.forms import Forms
from hybridsem.facts.time_words import may_hold_times, read_runs
from hybridsem.facts.values import Fact

__all__ = ["Date", "Duration", "Frequency", "Period", "Recurrence", "Span", "Time", "read_times"]


_FUNCTIONS = vars(date_forms) | vars(time_forms)
_STEPS = [Forms(table, _FUNCTIONS) for table in ("atoms", "phrases", "modified", "ranges")]


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
        for forms in _STEPS:
            words = forms.apply(words, text, day_first)
            if not (found := [word.fact for word in words if word.fact]):
                break
        facts += found
    return facts
