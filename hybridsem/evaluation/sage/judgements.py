"""People's judgements of summaries: which of two they prefer, and ratings along four axes; their
files.

    comparisons   {"info": {"post" or "article": …},
                   "summaries": [{"text": …}, {"text": …}], "choice": 1}
    ratings       {"info": …, "summary": {"text": …, "axes": {"overall": 7, "accuracy": 6, …}}}

The two layouts are those of OpenAI's summarize_from_feedback (Stiennon et al. 2020). Flat tables do
as well: text, summary_0, summary_1, choice; or text, summary and the axes. SummEval (Fabbri et al.
2021) has other dimensions: consistency is read as accuracy, relevance as coverage, and the mean of
its four as overall.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.sage.parts import (
    SUMMARY_COLUMNS,
    TEXT_COLUMNS,
    column,
    digest_of,
    sampled,
)
from hybridsem.tables.records import records

AXES = ("overall", "accuracy", "coverage", "coherence")

SUMMEVAL = ("coherence", "consistency", "fluency", "relevance")
OTHER_NAMES = {"accuracy": "consistency", "coverage": "relevance"}
"""SummEval's dimensions, and those that stand for an axis."""

SOURCES = ("post", "article", *TEXT_COLUMNS)
FIRST, SECOND = ("summary_0", "summary0", "summary_a"), ("summary_1", "summary1", "summary_b")


@dataclass(frozen=True)
class PreferenceJudgement:
    """Two summaries of a source; ``choice`` is 0 or 1, the one that was preferred."""

    source: str
    summaries: tuple[str, str]
    choice: int


@dataclass(frozen=True)
class Rating:
    """A summary of a source and its rating by axis; NaN is a missing one."""

    source: str
    summary: str
    axes: Mapping[str, float]


@dataclass(frozen=True)
class Judgements:
    """What a file holds; ``derived`` tells that the comparisons were made of the ratings."""

    comparisons: tuple[PreferenceJudgement, ...] = ()
    ratings: tuple[Rating, ...] = ()
    derived: bool = False
    excluded: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """How many judgements there are."""
        return len(self.comparisons) + len(self.ratings)

    @cached_property
    def sha256(self) -> str:
        """Of texts and judgements."""
        compared = ((one.source, *one.summaries, one.choice) for one in self.comparisons)
        rated = ((one.source, one.summary, *one.axes.values()) for one in self.ratings)
        return digest_of(map(str, chain(*compared, ("",), *rated)))


def read_judgements(path: Path, settings: Settings) -> Judgements:
    """The judgements of a file (jsonl, csv, tsv, Parquet), sampled as the settings say: so many of
    each kind. Where there are ratings only, comparisons are derived: any two summaries of one
    source, in the order of their texts, of which the one with the higher overall rating is
    preferred. Left out and counted: judgements with an empty text or with a summary longer than its
    source; of derived comparisons those with equal ratings or equal texts. Raises
    :class:`FormatError` with the line for a record that is neither, and a choice or a rating that
    is no number.
    """
    excluded = {"empty": 0, "summary longer": 0, "equal ratings": 0}
    comparisons: list[PreferenceJudgement] = []
    ratings: list[Rating] = []
    for line, record in records(path):
        found = _judgement(record, path, line)
        if isinstance(found, str):
            excluded[found] += 1
        elif isinstance(found, PreferenceJudgement):
            comparisons.append(found)
        else:
            ratings.append(found)
    derived = not comparisons
    if derived:
        comparisons, excluded["equal ratings"] = _derived(ratings)
    if not (comparisons or ratings):
        raise InputError(f"no judgement of {str(path)!r} can be used; left out: {excluded}")
    return Judgements(
        tuple(comparisons[row] for row in sampled(len(comparisons), settings)),
        tuple(ratings[row] for row in sampled(len(ratings), settings)),
        derived,
        {why: count for why, count in excluded.items() if count},
    )


def _judgement(
    record: Mapping[str, Any], path: Path, line: int
) -> PreferenceJudgement | Rating | str:
    """The judgement in a record, or why it is left out."""
    info = record.get("info")
    about = dict(record)
    if isinstance(info, dict):
        about |= {str(name).lower(): text for name, text in info.items() if text is not None}
    source = about[column(about, SOURCES, path, line)]
    if "choice" in record:
        given = record.get("summaries")
        if given is None:
            given = [record[column(record, names, path, line)] for names in (FIRST, SECOND)]
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
            raise FormatError(f"summaries are two, got {given!r:.80}", path, line)
        first, second = (one.get("text") if isinstance(one, dict) else one for one in given)
        if (choice := _number(record["choice"], "choice", path, line)) not in (0, 1):
            raise FormatError(
                f"choice is 0 or 1, the place of the preferred summary; got {record['choice']!r}",
                path,
                line,
            )
        return _why_out(source, first, second) or PreferenceJudgement(
            source, (str(first), str(second)), int(choice)
        )
    name = column(record, SUMMARY_COLUMNS, path, line)
    summary = record[name]
    axes = record
    if isinstance(summary, dict):
        axes, summary = summary.get("axes") or {}, summary.get("text")
    rated = _axes({str(name).lower(): value for name, value in axes.items()}, path, line)
    return _why_out(source, summary) or Rating(source, summary, rated)


def _axes(given: Mapping[str, Any], path: Path, line: int) -> dict[str, float]:
    found = {}
    for axis in AXES:
        name = axis if axis in given else OTHER_NAMES.get(axis, axis)
        if name in given:
            found[axis] = _number(given[name], name, path, line)
    if "overall" not in found and all(name in given for name in SUMMEVAL):
        four = [_number(given[name], name, path, line) for name in SUMMEVAL]
        found["overall"] = sum(four) / len(four)
    if missing := [axis for axis in AXES if axis not in found]:
        raise FormatError(
            f"no choice between two summaries and no rating {missing[0]!r}; it has "
            f"{', '.join(given):.120}",
            path,
            line,
        )
    return {axis: found[axis] for axis in AXES}


def _number(value: object, name: str, path: Path, line: int) -> float:
    """A finite number; NaN where there is none."""
    if value is None or value == "":
        return math.nan
    try:
        number = float(value) if isinstance(value, (int, float, str)) else math.inf
    except ValueError:
        number = math.inf
    if math.isinf(number):
        raise FormatError(f"{name}: expected a number, got {value!r:.80}", path, line)
    return number


def _why_out(source: object, *summaries: object) -> str:
    """Why a judgement of these texts is left out; nothing where it is not."""
    if any(problem(text) is not None for text in (source, *summaries)):
        return "empty"
    return "summary longer" if any(len(str(text)) > len(str(source)) for text in summaries) else ""


def _derived(ratings: Sequence[Rating]) -> tuple[list[PreferenceJudgement], int]:
    """The comparisons that ratings imply, and how many pairs of summaries are equal."""
    by_source: dict[str, list[Rating]] = {}
    for rating in ratings:
        if not math.isnan(rating.axes["overall"]):
            by_source.setdefault(rating.source, []).append(rating)
    found, equal = [], 0
    for source, rated in by_source.items():
        for pair in combinations(rated, 2):
            one, two = sorted(pair, key=lambda rating: rating.summary)
            if one.summary == two.summary or one.axes["overall"] == two.axes["overall"]:
                equal += 1
            else:
                choice = int(two.axes["overall"] > one.axes["overall"])
                found.append(PreferenceJudgement(source, (one.summary, two.summary), choice))
    return found, equal
