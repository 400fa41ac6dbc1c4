"""What is done to a chunk of pairs, wherever it is done: texts in, results out.

Executors (:class:`~hybridsem.reader.Executor`) apply it: InProcess here, others in workers.py and
ray_engine.py. The parent reads, checks, caches and writes, so the output is the same for each.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

from hybridsem._utils.garbage import relaxed_gc
from hybridsem._utils.store import Store
from hybridsem.combiners.base import Batch, HasScores
from hybridsem.explanations import Explanation, Term
from hybridsem.reader import SENTENCES_HELD, Reader

Texts = tuple[str, str]
ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

TRUNCATED = "truncated: longer than the encoder reads"
FOREIGN = "not English: the model reads English alone"
NO_SCORE = "the pair has no score"


class Scorer(Protocol):
    """What batch scoring needs of a pipeline. What it was made from is known where it has
    ``settings``, ``contents`` and ``unnamed`` parts, as :class:`~hybridsem.reader.Reader` has.
    """

    def explain(self, pairs: Iterable[Texts]) -> list[Explanation]:
        """An explanation a pair, in order; without a score NaN, and the reason as a note."""
        ...


@runtime_checkable
class Remembers(Protocol):
    """A scorer that can keep what it reads of sentences."""

    def remember(self, sentences: int, store: Store | None = None) -> None:
        """Keep the last so many sentences, and all of them in a ``store``."""
        ...


DECISION = ("probability", "decision")
"""The columns that a calibration adds."""


@dataclass(frozen=True, slots=True)
class Result:
    """The score of a pair (None: it has none) and what is to be said about it.

    ``values`` are the explanation's details; ``roles`` the similarity of each compared role, named
    as in the first sentence. Both are empty unless details were asked for, but for what a
    calibration says.

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
        """Data for JSON, without what is empty at the end; floats come back to the last bit."""
        if not (self.note or self.truncated or self.values or self.roles or self.foreign):
            return [self.score]  # nearly always
        row: list[Any] = [
            self.score,
            self.note,
            int(self.truncated),
            dict(self.values),
            dict(self.roles),
            int(self.foreign),
        ]
        while not row[-1]:
            row.pop()
        return row

    @classmethod
    def from_list(cls, row: Sequence[Any]) -> Result:
        """The result from the output of :meth:`to_list`."""
        if len(row) == 1:
            return cls(row[0])
        full = [*row, *[None, "", 0, {}, {}, 0][len(row) :]]
        return cls(full[0], full[1], bool(full[2]), full[3], full[4], bool(full[5]))


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
        self, begin: Callable[[Any], Callable[[ItemT], ResultT]], chunks: Iterable[ItemT], *_: str
    ) -> Iterator[ResultT]:
        """One chunk after the other."""
        return map(begin(self.pipeline), chunks)

    def close(self) -> None:
        """Nothing to free."""


def scorer(pipeline: Scorer, details: bool) -> Callable[[Sequence[Texts]], list[Result]]:
    """A function that scores chunks of pairs."""
    return partial(score_texts, pipeline, details=details)


def started(make: Callable[[], Any], threads: int, store: Store | None = None) -> Any:
    """The pipeline of a worker process of so many threads; a ``store`` keeps what it reads."""
    os.environ["HYBRIDSEM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(threads)
    pipeline = make()
    if isinstance(pipeline, Remembers):
        pipeline.remember(SENTENCES_HELD, store)
    return pipeline


@relaxed_gc()
def score_texts(pipeline: Scorer, texts: Sequence[Texts], details: bool = False) -> list[Result]:
    """The results of pairs of usable sentences, in order."""
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
    """Return whether a scorer has a calibration."""
    return getattr(pipeline, "calibration", None) is not None


def _decided(pipeline: Any, batch: Batch, details: bool) -> list[Result]:
    """Results with what a calibration says of them."""
    from hybridsem.judge.calibration import decisions

    found = []
    explanations = pipeline.combiner.explain(batch) if details else [None] * len(batch.pairs)
    rows = zip(
        batch.pairs, decisions(pipeline, pipeline.calibration, batch), explanations, strict=True
    )
    for pair, (score, probability, decision), explanation in rows:
        one = _scored(batch, pair, score) if explanation is None else _result(explanation, True)
        if one.score is not None:
            said = dict(zip(DECISION, (probability, int(decision)), strict=True))
            one = replace(one, values={**said, **one.values})
        found.append(one)
    return found


def died(often: str, number: int, chunk: Sequence[object], item: str = "pair") -> str:
    """The message about a chunk whose process died as often as it was tried.

    Args:
        often: In words.
        number: Of the chunk.
        chunk: Its items.
        item: What they are called.
    """
    return (
        f"a worker process died {often} over chunk {number} ({len(chunk)} {item}s); its first "
        f"{item} is {chunk[0]!r:.160}; "
        "perhaps memory ran out: use fewer workers"
    )


def _scored(batch: Batch, pair: tuple[int, int], score: float) -> Result:
    """The result of a pair without what its score is made of."""
    cut, foreign = batch.cut(pair), batch.is_foreign(pair)
    if math.isnan(score):
        return Result(None, f"error: {batch.failed(pair) or NO_SCORE}", cut, foreign=foreign)
    return Result(score, _note(cut, foreign), cut, foreign=foreign)


def _note(truncated: bool, foreign: bool) -> str:
    """The note of a pair that has a score."""
    said = {TRUNCATED: truncated, FOREIGN: foreign}
    return "; ".join(text for text, holds in said.items() if holds)


def _result(explanation: Explanation, details: bool) -> Result:
    if math.isnan(explanation.score):
        why = explanation.notes[-1] if explanation.notes else NO_SCORE
        return Result(None, f"error: {why}", explanation.truncated, foreign=explanation.foreign)
    values, roles = (_finite(explanation.details), _roles(explanation)) if details else ({}, {})
    note = _note(explanation.truncated, explanation.foreign)
    return Result(
        explanation.score, note, explanation.truncated, values, roles, explanation.foreign
    )


def _finite(details: Mapping[str, float]) -> dict[str, float]:
    return {name: float(value) for name, value in details.items() if math.isfinite(value)}


def _roles(explanation: Explanation) -> dict[str, float]:
    """The similarities of the roles that were compared."""
    return {
        str(match.role1): match.similarity
        for match in explanation.matches
        if match.term == Term.ROLE and match.role1 is not None and match.role2 is not None
    }
