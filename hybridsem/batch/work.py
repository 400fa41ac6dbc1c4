"""Score a chunk of pairs, and executors that do so: texts in, results out.

Executors (:class:`~hybridsem.reader.Executor`) apply functions such as :func:`scorer` to chunks:
InProcess here, others through :func:`map_ahead` in workers.py and ray_engine.py. The parent reads,
checks, caches and writes, so each executor gives the same output.
"""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from hybridsem._utils.garbage import relaxed_gc
from hybridsem._utils.store import Store
from hybridsem.combiners.base import Batch, HasScores
from hybridsem.errors import HybridSemError
from hybridsem.explanations import Explanation, Term
from hybridsem.reader import SENTENCES_HELD, Reader

Texts = tuple[str, str]
ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
Begin = Callable[[Any], Callable[[ItemT], ResultT]]
"""Takes a pipeline and returns the function to apply to chunks."""

TRUNCATED = "truncated: longer than the encoder reads"
NON_ENGLISH = "not English: the model reads only English"
NO_SCORE = "the pair has no score"

DECISION = ("probability", "decision")
"""The columns that a calibration adds."""


class Scorer(Protocol):
    """The methods of a pipeline that batch scoring uses; it may have ``settings``, ``contents`` and
    ``unnamed`` parts, as :class:`~hybridsem.reader.Reader` has.
    """

    def explain(self, pairs: Iterable[Texts]) -> list[Explanation]:
        """Return an explanation for each pair, in order; without a score NaN, and the reason as a
        note.
        """
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """The score of a pair, or None, with its note.

    ``values`` are the explanation's details; ``roles`` the similarity of each compared role, by the
    first sentence's names. Both are empty without details, except for a calibration's values.

    >>> Result(0.5).to_list(), Result.from_list([0.5]) == Result(0.5)
    ([0.5], True)
    """

    score: float | None
    note: str = ""
    truncated: bool = False
    values: Mapping[str, float] = field(default_factory=dict)
    roles: Mapping[str, float] = field(default_factory=dict)
    foreign: bool = False

    def to_list(self) -> list[Any]:
        """Return data for JSON; floats are exact."""
        more = self.note, self.truncated, dict(self.values), dict(self.roles), self.foreign
        return [self.score, *(more if any(more) else ())]

    @classmethod
    def from_list(cls, row: Sequence[Any]) -> Result:
        """Return the result from the output of :meth:`to_list`."""
        return cls(*row)


class InProcess:
    """An executor in this process.

    >>> from hybridsem import Pipeline
    >>> work = partial(scorer, details=False)
    >>> ((result,),) = InProcess(Pipeline("embedded")).map(work, [[("It rains.", "It rains.")]])
    >>> round(result.score, 2), result.note
    (1.0, '')
    """

    def __init__(self, pipeline: Scorer) -> None:
        self.pipeline = pipeline

    def map(
        self, begin: Begin[ItemT, ResultT], chunks: Iterable[ItemT], *_: str
    ) -> Iterator[ResultT]:
        """Apply the function to one chunk after the other."""
        return map(begin(self.pipeline), chunks)

    def close(self) -> None:
        """Do nothing."""


class Pending(NamedTuple):
    """A chunk in progress; ``future`` is None if all of its pairs were cached."""

    number: int
    chunk: Any
    item: str
    future: Any

    def died(self, often: str) -> HybridSemError:
        """Return the error for a chunk over which a process died ``often``, such as "twice"."""
        return HybridSemError(
            f"a worker process died {often} over chunk {self.number} ({len(self.chunk)} "
            f"{self.item}s); its first {self.item} is {self.chunk[0]!r:.160}; perhaps memory ran "
            "out: use fewer workers"
        )


def map_ahead(
    chunks: Iterable[Any],
    item: str,
    submit: Callable[[Any], Any],
    result: Callable[[Pending], Any],
    waiting: deque[Pending],
    is_enough: Callable[[], bool],
) -> Iterator[Any]:
    """Submit chunks to other processes and yield the results in order; ``is_enough`` tells if a
    result is awaited before another chunk is read.
    """
    for number, chunk in enumerate(chunks):
        known = item == "pair" and not chunk
        waiting.append(Pending(number, chunk, item, None if known else submit(chunk)))
        while waiting and is_enough():
            first = waiting.popleft()
            yield [] if first.future is None else result(first)
    while waiting:
        first = waiting.popleft()
        yield [] if first.future is None else result(first)


def start_pipeline(make: Callable[[], Any], threads: int, store: Store | None = None) -> Any:
    """Make the pipeline of a worker process; a ``store`` caches what it reads."""
    os.environ["HYBRIDSEM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(threads)
    pipeline = make()
    if isinstance(pipeline, Reader):
        pipeline.remember(SENTENCES_HELD, store)
    return pipeline


def scorer(pipeline: Scorer, details: bool) -> Callable[[Sequence[Texts]], list[Result]]:
    """Return a function that scores chunks of pairs."""
    return partial(score_texts, pipeline, details=details)


@relaxed_gc()
def score_texts(pipeline: Scorer, texts: Sequence[Texts], details: bool = False) -> list[Result]:
    """Return the results of pairs of usable sentences, in order."""
    if not texts:
        return []
    if isinstance(pipeline, Reader):
        combiner, batch = pipeline.combiner, pipeline.read(texts)
        if decides(pipeline):
            return _decided(pipeline, batch, details)
        if not details and isinstance(combiner, HasScores):
            scores = combiner.scores(batch).tolist()
            return [_scored(batch, *row) for row in zip(batch.pairs, scores, strict=True)]
        explanations = combiner.explain(batch)
    else:
        explanations = pipeline.explain(texts)
    return [_result(explanation, details) for explanation in explanations]


def decides(pipeline: Scorer) -> bool:
    """Test if a scorer has a calibration."""
    return getattr(pipeline, "calibration", None) is not None


def _decided(pipeline: Any, batch: Batch, details: bool) -> list[Result]:
    """Return results with the values of a calibration."""
    from hybridsem.calibration.decisions import decisions

    results = []
    explanations = pipeline.combiner.explain(batch) if details else [None] * len(batch.pairs)
    decided = decisions(pipeline, pipeline.calibration, batch)
    rows = zip(batch.pairs, decided, explanations, strict=True)
    for pair, (score, *decision), explanation in rows:
        result = _scored(batch, pair, score) if explanation is None else _result(explanation, True)
        if result.score is not None:
            values = dict(zip(DECISION, (decision[0], int(decision[1])), strict=True))
            result = replace(result, values={**values, **result.values})
        results.append(result)
    return results


def _scored(batch: Batch, pair: tuple[int, int], score: float) -> Result:
    """Return the result of a pair without details."""
    return _made(score, batch.failed(pair), batch.cut(pair), batch.is_non_english(pair))


def _made(
    score: float,
    why: str | None,
    cut: bool,
    non_english: bool,
    values: Mapping[str, float] | None = None,
    roles: Mapping[str, float] | None = None,
) -> Result:
    """Return a result with its note; without a score, ``why`` is the reason."""
    if math.isnan(score):
        return Result(None, f"error: {why or NO_SCORE}", cut, foreign=non_english)
    notes = {TRUNCATED: cut, NON_ENGLISH: non_english}
    note = "; ".join(text for text, holds in notes.items() if holds)
    return Result(score, note, cut, values or {}, roles or {}, non_english)


def _result(explanation: Explanation, details: bool) -> Result:
    why = explanation.notes[-1] if explanation.notes else None
    about = explanation.score, why, explanation.truncated, explanation.foreign
    if not details:
        return _made(*about)
    values = {
        name: float(value) for name, value in explanation.details.items() if math.isfinite(value)
    }
    roles = {
        str(match.role1): match.similarity
        for match in explanation.matches
        if match.term == Term.ROLE and match.role1 is not None and match.role2 is not None
    }
    return _made(*about, values, roles)
