"""Score or judge chunks of pairs, with an executor in this process, and the columns of the outputs.

The input's columns come first, then those of the task, and ``note`` at the end. If the input has a
column of that name, the new one is ``hybridsem_score``, ``hybridsem_score_2``, …
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hybridsem._utils.garbage import relaxed_gc
from hybridsem.combiners.base import HasScores
from hybridsem.combiners.passages import explained, scores_of
from hybridsem.explanations import Explanation, Term, merged_details
from hybridsem.pipeline import Pipeline
from hybridsem.structures import Role
from hybridsem.tables import Layout, Pair
from hybridsem.tables.writers import Output, WrittenRow

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
        _judgement(judgement, batch, pair)
        for batch in pipeline.reader.batches(texts)
        for pair, judgement in zip(
            batch.pairs, judged(comparison, batch, precision, Assume(assume)), strict=True
        )
    ]


def _judgement(judgement: Judgement, batch: Batch, pair: tuple[int, int]) -> Result:
    values = {str(label): value for label, value in judgement.probabilities.items()}
    why = judgement.notes[-1] if judgement.notes else None
    result = _made(judgement.score, why, batch.cut(pair), batch.is_non_english(pair))
    if judgement.label is None or result.score is None:
        return result
    values[PROBABILITY] = judgement.probability
    label, by = str(judgement.label), "" if judgement.by is None else str(judgement.by)
    return replace(result, values=values, label=label, reasons=judgement.reasons, by=by)


# -- tasks, and the columns of their outputs

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
