"""Score or judge a chunk of pairs, and an executor that does so in this process."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hybridsem._utils.garbage import relaxed_gc
from hybridsem.combiners.base import HasScores
from hybridsem.combiners.passages import explained, scores_of
from hybridsem.explanations import Explanation, Term
from hybridsem.pipeline import Pipeline

if TYPE_CHECKING:
    from hybridsem.combiners.base import Batch
    from hybridsem.judge import Judgement

Texts = tuple[str, str]
ItemT = TypeVar("ItemT")
ModelT = TypeVar("ModelT")
ResultT = TypeVar("ResultT")
Begin = Callable[[ModelT], Callable[[ItemT], ResultT]]
"""Takes a pipeline and returns the function to apply to chunks."""
TABLES = ("pairs", "detailed", "judged", "sentences")  #: the tables of a file that caches results
TRUNCATED = "truncated: longer than the encoder reads"
NON_ENGLISH = "not English: the model reads only English"
NO_SCORE = "the pair has no score"
DECISION = ("probability", "decision")  #: the columns that a calibration adds
PROBABILITY = DECISION[0]


class Scorer(Protocol):
    """The methods of a pipeline that batch scoring uses; it may have ``settings``, ``contents`` and
    ``unnamed`` parts, as :class:`~hybridsem.Pipeline` has.
    """

    def explain(self, pairs: Iterable[Texts]) -> list[Explanation]:
        """Return an explanation for each pair, in order; its score is NaN if it has none."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """The score of a pair, or None, with its note.

    ``values`` are the explanation's details; ``roles`` the similarity of each compared role, by the
    first sentence's names. Both are empty without details, except for a calibration's values. A
    judged pair has a ``label``, what decided it (``by``), ``reasons``, and the probability of each
    label in ``values``.
    """

    score: float | None
    note: str = ""
    truncated: bool = False
    values: Mapping[str, float] = field(default_factory=dict)
    roles: Mapping[str, float] = field(default_factory=dict)
    foreign: bool = False
    label: str = ""
    reasons: Sequence[str] = ()
    by: str = ""

    def to_list(self) -> list[object]:
        """Return data for JSON; floats are exact."""
        flags = self.note, self.truncated, dict(self.values), dict(self.roles), self.foreign
        more = *flags, self.label, list(self.reasons), self.by
        return [self.score, *(more if any(more) else ())]

    @classmethod
    def from_list(cls, row: Sequence[Any]) -> Result:
        """Return the result from the output of :meth:`to_list`."""
        return cls(*row)


class InProcess:
    """An executor in this process."""

    def __init__(self, pipeline: Scorer) -> None:
        self.pipeline = pipeline

    def map(
        self, begin: Begin[Scorer, ItemT, ResultT], chunks: Iterable[ItemT], *_: str
    ) -> Iterator[ResultT]:
        """Apply the function to one chunk after the other."""
        return map(begin(self.pipeline), chunks)

    def close(self) -> None:
        """Do nothing."""


@relaxed_gc()
def score_texts(pipeline: Scorer, texts: Sequence[Texts], details: bool = False) -> list[Result]:
    """Return the results of pairs of usable sentences, in order."""
    if not texts:
        return []
    if not isinstance(pipeline, Pipeline):
        return [_result(explanation, details) for explanation in pipeline.explain(texts)]
    combiner, batch = pipeline.combiner, pipeline.read(texts)
    scores = decided = None
    if pipeline.calibration is not None:
        decided = pipeline.calibration.decisions(pipeline.reader, batch)
        scores = [score for score, *_ in decided]
    elif isinstance(combiner, HasScores) and not details:
        scores = scores_of(combiner, batch).tolist()
    if scores is None or details:
        results = [_result(explanation, details) for explanation in explained(combiner, batch)]
    else:
        results = [
            _made(score, batch.failed(pair), batch.cut(pair), batch.is_non_english(pair))
            for pair, score in zip(batch.pairs, scores, strict=True)
        ]
    for at, (_, probability, decision) in enumerate(decided or ()):
        if results[at].score is not None:
            values = dict(zip(DECISION, (probability, int(decision)), strict=True))
            results[at] = replace(results[at], values={**values, **results[at].values})
    return results


def _made(score: float, why: str | None, cut: bool, non_english: bool) -> Result:
    """Return a result with its note; without a score, ``why`` is the reason."""
    if math.isnan(score):
        return Result(None, f"error: {why or NO_SCORE}", cut, foreign=non_english)
    notes = {TRUNCATED: cut, NON_ENGLISH: non_english}
    note = "; ".join(text for text, holds in notes.items() if holds)
    return Result(score, note, cut, foreign=non_english)


def _result(explanation: Explanation, details: bool) -> Result:
    why = explanation.notes[-1] if explanation.notes else None
    result = _made(explanation.score, why, explanation.truncated, explanation.foreign)
    if not details or result.score is None:
        return result
    details_of = explanation.details.items()
    values = {name: float(value) for name, value in details_of if math.isfinite(value)}
    roles = {
        str(match.role1): match.similarity
        for match in explanation.matches
        if match.term == Term.ROLE and match.role1 is not None and match.role2 is not None
    }
    return replace(result, values=values, roles=roles)


@relaxed_gc()
def judge_texts(
    pipeline: Scorer, texts: Sequence[Texts], precision: float, assume: str
) -> list[Result]:
    """Return the judgements of pairs of usable sentences as results, in order."""
    from hybridsem.judge import Assume
    from hybridsem.judge.judgement import comparison_of, judged

    assert isinstance(pipeline, Pipeline)
    comparison = comparison_of(pipeline.reader)
    return [
        _judged(judgement, batch, pair)
        for batch in pipeline.reader.batches(texts)
        for pair, judgement in zip(
            batch.pairs, judged(comparison, batch, precision, Assume(assume)), strict=True
        )
    ]


def _judged(judgement: Judgement, batch: Batch, pair: tuple[int, int]) -> Result:
    values = {str(label): value for label, value in judgement.probabilities.items()}
    why = judgement.notes[-1] if judgement.notes else None
    result = _made(judgement.score, why, batch.cut(pair), batch.is_non_english(pair))
    if judgement.label is None or result.score is None:
        return result
    values[PROBABILITY] = judgement.probability
    label, by = str(judgement.label), "" if judgement.by is None else str(judgement.by)
    return replace(result, values=values, label=label, reasons=judgement.reasons, by=by)
