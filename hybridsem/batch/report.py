"""The counts of the rows of a file, and the progress on standard error."""

from __future__ import annotations

import re
import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from hybridsem._typing import Plain
from hybridsem._utils.progress import screen
from hybridsem.batch.work import Result
from hybridsem.tables import Pair, PairReader

if TYPE_CHECKING:
    from rich.progress import Progress

MAX_FOR_SPEARMAN = 10_000_000
MAX_DISTINCT = 1_000_000
LISTED = 5


@dataclass(frozen=True)
class BatchReport:
    """The report of a scored or judged file: every row counts as scored or failed.

    ``truncated`` counts rows with a text longer than the model reads, ``foreign`` those with text
    that is not English if the model reads English only. ``failures`` counts rows without a score by
    reason; ``first_failures`` lists a few. ``distinct_sentences`` is None beyond a million.
    ``cache_hits`` counts pairs that were not scored again, ``resumed_rows`` those of an earlier
    run. ``spearman`` needs two to ten million rows with gold scores. ``labels`` counts the labels
    of a judged file. ``notes`` name columns whose types were changed.

    >>> BatchReport(rows=10, scored=9, failed=1, truncated=0, seconds=2.0).pairs_per_second
    5.0
    """

    rows: int
    scored: int
    failed: int
    truncated: int
    foreign: int = 0
    with_gold: int = 0
    spearman: float | None = None
    failures: Mapping[str, int] = field(default_factory=dict)
    first_failures: tuple[str, ...] = ()
    distinct_sentences: int | None = None
    cache_hits: int = 0
    resumed_rows: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    labels: Mapping[str, int] = field(default_factory=dict)

    @property
    def pairs_per_second(self) -> float:
        """The rows scored per second of this run."""
        return (self.rows - self.resumed_rows) / self.seconds if self.seconds else 0.0

    def to_dict(self) -> dict[str, object]:
        """Return plain data, as ``hybridsem score --json`` prints them."""
        plain = asdict(self)
        del plain["first_failures"]
        may_lack = ("notes", "labels")
        return {name: value for name, value in plain.items() if value or name not in may_lack}


class Counts:
    """The counts of the rows so far."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {"rows": 0, "failed": 0, "truncated": 0, "foreign": 0}
        self.gold, self.scores = array("d"), array("d")
        self.failures, self.labels = Counter[str](), Counter[str]()
        self.first_failures: list[str] = []
        self.distinct: set[int] | None = set()  # the hashes of the sentences; None: too many

    def add(self, unit: str, pairs: Sequence[Pair], results: Sequence[Result]) -> None:
        """Count rows; ``unit`` is the unit of their line numbers."""
        counts = self.counts
        counts["rows"] += len(pairs)
        if self.distinct is not None:
            texts = (text for pair in pairs for text in (pair.text1, pair.text2) if text)
            self.distinct.update(map(hash, texts))
            if len(self.distinct) > MAX_DISTINCT:
                self.distinct = None
        for pair, result in zip(pairs, results, strict=True):
            counts["truncated"] += result.truncated
            counts["foreign"] += result.foreign
            if result.score is None:
                counts["failed"] += 1
                self.failures[_kind(result.note)] += 1
                if len(self.first_failures) < LISTED:
                    self.first_failures.append(f"{unit} {pair.line}: {result.note}")
                continue
            if result.label:
                self.labels[result.label] += 1
            if pair.gold is not None and len(self.gold) < MAX_FOR_SPEARMAN:
                self.gold.append(pair.gold)
                self.scores.append(result.score)

    def report(self) -> BatchReport:
        """Return the report of the rows so far."""
        return BatchReport(
            **Plain(self.counts),
            scored=self.counts["rows"] - self.counts["failed"],
            with_gold=len(self.gold),
            spearman=_spearman(self.gold, self.scores),
            failures=dict(self.failures.most_common()),
            first_failures=tuple(self.first_failures),
            labels=dict(self.labels.most_common()),
            distinct_sentences=None if self.distinct is None else len(self.distinct),
        )


def _kind(note: str) -> str:
    """Return a note without the parts that differ from row to row."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "…", note.removeprefix("error: "))
    return plain if len(plain) <= 80 else plain[:79] + "…"


def _spearman(gold: array[float], scores: array[float]) -> float | None:
    """Return Spearman's rho, None if undefined (fewer than two values, or one side constant)."""
    if not 2 <= len(gold) < MAX_FOR_SPEARMAN:
        return None
    if min(gold) == max(gold) or min(scores) == max(scores):
        return None
    from scipy.stats import spearmanr

    return float(spearmanr(gold, scores).statistic)


# -- progress: a bar on a terminal, else a line a minute

EVERY = 60.0  #: seconds between two lines without a terminal
#: Counts rows as done, given the reader's progress; those known earlier are not in the rate.
Advance = Callable[[int, tuple[int, int | None], bool], None]


@contextmanager
def progress_of(reader: PairReader, wanted: bool) -> Iterator[Advance]:
    """Show the rows done and the rate, and on a terminal the share of the input."""
    rows = skipped = 0
    began = said = time.monotonic()
    with ExitStack() as stack:
        bar: Progress | None = None
        if (console := screen(wanted)) is not None:
            from rich import progress as rich

            text = rich.TextColumn("{task.description}")
            columns = rich.BarColumn(), text, rich.TimeRemainingColumn()
            bar = stack.enter_context(rich.Progress(*columns, console=console, transient=True))
            task = bar.add_task("reading the model", total=reader.rows.progress[1])

        def advance(number: int, reached: tuple[int, int | None], known: bool) -> None:
            nonlocal rows, skipped, began, said
            rows, now = rows + number, time.monotonic()
            if known:
                skipped, began = rows, now
            rate = (rows - skipped) / max(now - began, 1e-9)
            text = f"{rows:,} pairs, {rate:,.0f} pairs/s"
            if bar is not None:
                bar.update(task, total=reached[1], completed=reached[0], description=text)
            elif wanted and now - said >= EVERY:
                said = now
                print(f"hybridsem: {text}", file=sys.stderr, flush=True)  # noqa: T201

        yield advance
