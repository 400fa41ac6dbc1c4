"""Benchmarks as declarations: their data, what they ask of a model, and how answers are measured.

    path --Task.load--> Data --Task.measure(Data, model)--> Measured --runner--> Card

A task is data and two functions. The runner does the rest: models, seeds, versions, time, the card,
the command line. ``tasks.py`` lists the tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hybridsem._utils.tables import read_table
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.comparison import CardComparison
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.options import Option
from hybridsem.evaluation.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hybridsem.evaluation.card import Card


class Data(Protocol):
    """Loaded and checked data of a task."""

    @property
    def source(self) -> str:
        """The name of the file or folder."""

    @property
    def split(self) -> str | None:
        """The part of the benchmark, if it has several."""

    @property
    def sha256(self) -> str:
        """The sha256 of texts, ratings and groups, for any file format."""

    @property
    def rows(self) -> int:
        """The number of items."""


@dataclass(frozen=True)
class Measured:
    """The results of a task. ``scores`` has statistics by group and measure. ``counts`` of rows are
    at least ``rows``, ``scored``, ``failed`` and ``truncated`` (None: unknown). ``columns`` are
    values for each row (None: missing), for comparisons and pictures, and ``groups`` the rows of
    each group but "all". ``settings`` are those that the data and the model have set.
    """

    scores: Mapping[str, Mapping[str, Estimate]]
    counts: Mapping[str, int | None]
    columns: Mapping[str, Sequence[float | str | None]] = field(default_factory=dict)
    groups: Mapping[str, Sequence[int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Picture:
    """A kind of picture; ``draw`` takes named cards of one task, the measure and the groups."""

    help: str
    draw: Callable[[Sequence[tuple[str, Card]], str | None, Sequence[str] | None], Figure]


@dataclass(frozen=True)
class Task:
    """A benchmark.

    Attributes:
        name: Its name on the command line and in cards.
        summary: Its description in one line.
        layout: The files or folders of its data.
        needs: The kinds of answers that it can use, any one of them: ``scores`` (of any two
            texts), ``vectors`` (of any text), ``rows`` (a score for each row of the data, as in a
            file of similarities).
        load: Reads and checks the data.
        measure: Asks the model and measures its answers.
        headline: The statistic that the benchmark's papers report.
        groups: The groups that ``measure`` reports.
        range: The range of the ratings.
        licence: The licence of the data.
        citation: The paper.
        options: The settings that ``load`` and ``measure`` read.
        comparison: How its cards are compared; None: by correlations of the columns score and gold.
        pictures: Its own kinds of pictures of cards.
        count_notes: Notes on counts that are not 0, such as "of {rows} rows have no rating", to
            follow the count.
        prepare: Prepares the model before the data are read; None: the model is used unchanged.
        resumes: Finished work can be kept in a folder, from which a later run resumes.
        packaged: Returns the path of the package's own data, the default.

    >>> from pathlib import Path
    >>> from types import SimpleNamespace
    >>> from hybridsem.evaluation import evaluate
    >>> from hybridsem.evaluation.statistics import Estimate
    >>> def load(path, settings):
    ...     return SimpleNamespace(source="mine", split=None, sha256="", rows=1)
    >>> def measure(data, tested, settings):
    ...     (score,) = tested.scores([("It rains.", "It rains.")])
    ...     scores = {"all": {"score": Estimate(float(score), None, None, 1)}}
    ...     counts = {"rows": 1, "scored": 1, "failed": 0, "truncated": 0, "foreign": 0}
    ...     return Measured(scores, counts)
    >>> mine = Task("mine", "one pair", "none", ("scores",), load, measure, "score")
    >>> evaluate(mine, "embedded", Path(".")).headline["all"].value
    1.0
    """

    name: str
    summary: str
    layout: str
    needs: tuple[str, ...]
    load: Callable[[Path, Settings], Any]
    measure: Callable[[Any, EvaluatedModel, Settings], Measured]
    headline: str
    groups: tuple[str, ...] = ("all",)
    range: tuple[float, float] | None = None
    licence: str = ""
    citation: str = ""
    options: tuple[Option, ...] = ()
    comparison: CardComparison | None = None
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    count_notes: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[EvaluatedModel, Settings], EvaluatedModel] | None = None
    resumes: bool = False
    packaged: Callable[[], Path] | None = None


def declared(name: str, **code: Any) -> Task:
    """Return the benchmark of that name in ``task.toml``, with its code."""
    row = dict(_rows()[name])
    row = _rows().get(row.pop("like", ""), {}) | row
    for field_ in ("needs", "range"):
        if field_ in row:
            row[field_] = tuple(row[field_])
    return Task(name=name, **row, **code)


@cache
def _rows() -> dict[str, dict[str, Any]]:
    return read_table(__file__)
