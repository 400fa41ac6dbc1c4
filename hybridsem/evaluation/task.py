"""What a benchmark is: a small declaration of its data, what it asks of a model, and how the
answers are measured.

    path --Task.load--> Data --Task.measure(Data, model)--> Measured --runner--> Card

A task is data and two functions. Everything around it (which models can take part, seeds, versions,
time, the card, the command line) is the runner's. The table in ``tasks.py`` says which tasks there
are.
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
    """What a task has loaded and checked: nothing in it can fail later for want of form."""

    @property
    def source(self) -> str:
        """The name of the file or folder."""

    @property
    def split(self) -> str | None:
        """Which part of the benchmark it is, where there are several."""

    @property
    def sha256(self) -> str:
        """Of what was read (texts, ratings, groups), whatever the file's format."""

    @property
    def rows(self) -> int:
        """How many items there are."""


@dataclass(frozen=True)
class Measured:
    """What a task found.

    ``scores`` holds statistics by group and measure. ``counts`` tells what became of the rows: at
    least ``rows``, ``scored``, ``failed`` and ``truncated`` (None: the model does not tell).
    ``columns`` are values a row (None: missing), for comparisons and pictures, and ``groups`` the
    rows of each group that is not all of them. ``settings`` are those that the data and the model
    have set, beside those that were given.
    """

    scores: Mapping[str, Mapping[str, Estimate]]
    counts: Mapping[str, int | None]
    columns: Mapping[str, Sequence[float | str | None]] = field(default_factory=dict)
    groups: Mapping[str, Sequence[int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Picture:
    """A kind of picture of cards: ``draw`` takes the cards of one task with the names to be drawn,
    and which measure and which groups were asked for; ``help`` says what is seen.
    """

    help: str
    draw: Callable[[Sequence[tuple[str, Card]], str | None, Sequence[str] | None], Figure]


@dataclass(frozen=True)
class Task:
    """A benchmark.

    Attributes:
        name: What it is called on the command line and in cards.
        summary: What it is, in a line.
        layout: What files or folders its data are.
        needs: The kinds of answers that it can work with, any of them enough: ``scores`` (of any
            two texts), ``vectors`` (of any text), ``rows`` (a score for each row of the data, as in
            a file of similarities).
        load: Reads the data and checks them.
        measure: Asks the model, and measures its answers.
        headline: The statistic that the benchmark's papers report.
        groups: What ``measure`` reports on.
        range: Of the ratings.
        licence: Of the data.
        citation: Of the benchmark.
        options: What ``load`` and ``measure`` read from the settings.
        comparison: How its cards are compared; None: by correlations of the columns score and gold.
        pictures: The kinds of pictures of its cards, beside those of any card.
        count_notes: What a count of the card tells the reader where it is not 0, such as "of {rows}
            rows have no rating"; it is put after the count.
        prepare: Gives the model as the task asks it, before anything is read; None: as it is.
        resumes: Whether finished work can be kept in a folder, from which a later run goes on.
        packaged: Where the package's own data are, which are used if none are given.

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
    """The benchmark of that name in ``task.toml``, which has its texts, with the other fields."""
    row = dict(_rows()[name])
    row = _rows().get(row.pop("like", ""), {}) | row
    for field_ in ("needs", "range"):
        if field_ in row:
            row[field_] = tuple(row[field_])
    return Task(name=name, **row, **code)


@cache
def _rows() -> dict[str, dict[str, Any]]:
    return read_table(__file__)
