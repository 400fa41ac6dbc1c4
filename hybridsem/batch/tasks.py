"""The tasks of a run, scoring and judging, with the columns of their outputs.

The input's columns come first, then those of the task, and ``note`` at the end. If the input has a
column of that name, the new one is ``hybridsem_score``, ``hybridsem_score_2``, …
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from hybridsem.batch.work import (
    DECISION,
    PROBABILITY,
    Result,
    Scorer,
    Texts,
    judge_texts,
    score_texts,
)
from hybridsem.explanations import merged_details
from hybridsem.pipeline import Pipeline
from hybridsem.structures import Role
from hybridsem.tables import Layout, Pair
from hybridsem.tables.writers import Output, WrittenRow

Cells = Callable[[Result], list[object]]


@dataclass(frozen=True, slots=True)
class Names:
    """The names of values and of roles in results, in their order of occurrence."""

    values: dict[str, None] = field(default_factory=dict)
    roles: dict[str, None] = field(default_factory=dict)

    def add(self, results: Iterable[Result]) -> None:
        """Add the names in more results."""
        for result in results:
            self.values.update(dict.fromkeys(result.values))
            self.roles.update(dict.fromkeys(result.roles))


class Columns:
    """The columns of an output: those kept, and ``names`` with their ``kinds`` if not float."""

    def __init__(
        self, layout: Layout | None, names: Sequence[str], cells: Cells, kinds: Mapping[str, type]
    ) -> None:
        self.kept = layout.columns if layout is not None else ("text1", "text2")
        self.cells, self.kinds = cells, dict[str, type]()
        added: list[str] = []
        for name in names:
            added.append(self._free(name, added))
            self.kinds |= {added[-1]: kinds[name]} if name in kinds else {}
        self.added = tuple(added)

    def _free(self, name: str, taken: Sequence[str]) -> str:
        more = (f"hybridsem_{name}_{i}" for i in itertools.count(2))
        names = itertools.chain([name, f"hybridsem_{name}"], more)
        return next(free for free in names if free not in self.kept and free not in taken)

    def output(self, safe: bool = False) -> Output:
        """Return the columns for a writer."""
        return Output(self.kept, self.added, self.kinds, safe)

    def rows(self, pairs: Sequence[Pair], results: Sequence[Result]) -> Iterator[WrittenRow]:
        """Yield the rows to write."""
        for pair, result in zip(pairs, results, strict=True):
            fields = pair.fields or {"text1": pair.text1, "text2": pair.text2}
            yield fields, self.cells(result), pair.line


@dataclass(frozen=True, slots=True)
class Task:
    """The work on the pairs of a file.

    ``about`` are the settings of ``work``; ``table`` and ``key`` the place of its results in a
    cache. ``columns`` are those of the output, which may follow from the names in all results
    (``names_follow``); the last argument is True for JSON.
    """

    about: Mapping[str, object]
    table: str
    work: Callable[..., list[Result]]
    columns: Callable[[Scorer, Layout | None, Names, bool], Columns]
    key: tuple[str, ...] = ()
    names_follow: bool = False

    def begin(self, pipeline: Scorer) -> Callable[[Sequence[Texts]], list[Result]]:
        """Return the function to apply to chunks."""
        return partial(self.work, pipeline, **self.about)


def scoring(details: bool = False) -> Task:
    """Return the task of scoring each pair; ``details`` adds values and roles."""
    table, columns = ("detailed", _detailed) if details else ("pairs", _scored)
    return Task({"details": details}, table, score_texts, columns, names_follow=details)


def _scored(pipeline: Scorer, layout: Layout | None, *_: object) -> Columns:
    decides = isinstance(pipeline, Pipeline) and pipeline.calibration is not None
    values = DECISION if decides else ()

    def cells(result: Result) -> list[object]:
        return [result.score, *map(result.values.get, values), result.note]

    return Columns(layout, ["score", *values, "note"], cells, {"note": str})


def _detailed(_: Scorer, layout: Layout | None, names: Names, is_json: bool) -> Columns:
    """Return the columns with details; roles of an open inventory share one column."""
    merge: Callable[[Mapping[str, float]], Mapping[str, float]]
    merge = dict if is_json else merged_details
    values = tuple(merge(dict.fromkeys(names.values, 0.0)))
    is_closed = set(names.roles) <= set(Role)
    roles = tuple(map(str, Role)) if is_closed and (names.roles or is_json) else ()

    def cells(result: Result) -> list[object]:
        each = map(result.roles.get, roles) if is_closed else [dict(result.roles)]
        return [result.score, *map(merge(result.values).get, values), *each, result.note]

    shown = ["score", *values, *(roles if is_closed else ["roles"]), "note"]
    return Columns(layout, shown, cells, {"note": str, **({} if is_closed else {"roles": dict})})


def judging(precision: float, assume: str) -> Task:
    """Return the task of judging each pair; labels that are right too rarely are ``unsure``."""
    about = {"precision": precision, "assume": assume}
    return Task(about, "judged", judge_texts, _judged, (repr(precision), assume))


def _judged(_: Scorer, layout: Layout | None, __: Names, is_json: bool) -> Columns:
    """Return the columns of judgements; tables have a column for each label."""
    from hybridsem.judge import LABELS

    labels = tuple(map(str, LABELS))

    def cells(result: Result) -> list[object]:
        of_labels = {name: result.values[name] for name in labels if name in result.values}
        each = [of_labels] if is_json else map(of_labels.get, labels)
        reasons = list(result.reasons) if is_json else " ".join(result.reasons)
        known = result.label or None, result.by or None, result.values.get(PROBABILITY)
        return [*known, result.score, *each, reasons, result.note]

    each = ["probabilities"] if is_json else labels
    names = ["label", "by", PROBABILITY, "score", *each, "reasons", "note"]
    return Columns(layout, names, cells, dict.fromkeys(("label", "by", "reasons", "note"), str))
