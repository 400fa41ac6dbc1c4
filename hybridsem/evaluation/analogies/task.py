"""The benchmark ``analogies``: how many questions of each category a model's vectors answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import compress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, IntArray, Plain
from hybridsem._utils.progress import in_chunks, status
from hybridsem.datasets import analogies
from hybridsem.datasets.analogies import Analogies, Category
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.analogies import geometry
from hybridsem.evaluation.analogies.geometry import HEADLINE, METHODS, RIGHT, Answers
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.comparison import CardComparison, PairedTest
from hybridsem.evaluation.model import EvaluatedModel, by_vectors, vectors_of
from hybridsem.evaluation.report.plots import KINDS, heat
from hybridsem.evaluation.statistics import rating_correlations as stats
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate
from hybridsem.evaluation.statistics.resampling import resampled_forms
from hybridsem.evaluation.structure.scoring import rows_by
from hybridsem.evaluation.task import Measured, Picture, declared

LEXICAL_GROUPS = ("semantic", "syntactic")


class Group(NamedTuple):
    """A figure's categories by place: the mean of theirs, or with ``micro`` over all questions."""

    categories: tuple[int, ...]
    micro: bool = False


class Counted(NamedTuple):
    """Sums over a category's questions in the data and in each resample, (1 + resamples,)."""

    sums: Mapping[str, Float64Array]
    asked: Float64Array
    pairs: int
    missing: int


def groups_of(categories: Sequence[tuple[str, str]]) -> dict[str, Group]:
    """Return every category, group of categories and all by name in a card, sums first."""
    found = {name: Group((place,)) for place, (name, _) in enumerate(categories)}
    lexical = [at for at, (_, own) in enumerate(categories) if own in LEXICAL_GROUPS]
    together = {analogies.LEXICAL: lexical} if lexical else {}
    for _, group in categories:
        together[group] = [at for at, (_, own) in enumerate(categories) if own == group]
    for group, places in (together | {analogies.ALL: list(range(len(categories)))}).items():
        found[group + analogies.MICRO] = Group(tuple(places), micro=True)
        found[group] = Group(tuple(places))
    return found


def accuracies(
    categories: Sequence[Category],
    given: Sequence[tuple[AnyArray, Mapping[str, AnyArray]]],
    settings: Settings,
) -> dict[str, dict[str, Estimate]]:
    """Return shares by group and measure from questions asked (n, n) and values by measure."""
    found = [
        _counted(asked, matrices, settings.resamples, (settings.seed, place))
        for place, (asked, matrices) in enumerate(given)
    ]
    measures = list(dict.fromkeys(measure for one in found for measure in one.sums))
    groups = groups_of([(category.name, category.group) for category in categories])
    return {
        name: {
            measure: _accuracy(group, found, measure, settings.level)
            for measure in measures
            if all(measure in found[place].sums for place in group.categories)
        }
        for name, group in groups.items()
    }


def _counted(
    asked: AnyArray, matrices: Mapping[str, AnyArray], resamples: int, seed: Sequence[int]
) -> Counted:
    """Return sums over the questions of a category (n, n); its pairs are drawn."""
    tables = [asked, *matrices.values()]
    drawn = resampled_forms(tables, resamples, seed) if resamples else np.empty((len(tables), 0))
    whole = np.array([[float(table.sum(dtype=float))] for table in tables])
    first, *others = np.hstack([whole, drawn])
    pairs = int((asked.any(axis=0) | asked.any(axis=1)).sum())
    return Counted(dict(zip(matrices, others, strict=True)), first, pairs, len(asked) - pairs)


def _accuracy(group: Group, found: Sequence[Counted], measure: str, level: float) -> Estimate:
    chosen = [found[place] for place in group.categories]
    shares, pairs, missing = _shares(chosen, measure, group.micro)
    if not len(shares):
        note = "no questions: a category needs two pairs that have vectors"
        return Estimate(None, None, None, pairs, missing, note)
    return stats.estimated(float(shares[0]), shares[1:], level, pairs, missing)


def _shares(found: Sequence[Counted], measure: str, micro: bool) -> tuple[Float64Array, int, int]:
    """Return shares in the data and each resample, and the numbers of pairs asked and not asked."""
    pairs, missing = sum(one.pairs for one in found), sum(one.missing for one in found)
    known = [(one.sums[measure], one.asked) for one in found if one.asked[0]]
    if not known:
        return np.empty(0), pairs, missing
    sums, asked = (np.array(column) for column in zip(*known, strict=True))
    if micro:
        sums, asked = sums.sum(axis=0, keepdims=True), asked.sum(axis=0, keepdims=True)
    shares = np.divide(sums, asked, out=np.full(sums.shape, np.nan), where=asked > 0)
    return shares.mean(axis=0), pairs, missing


_DIGITS = np.frombuffer(b"0123456789abcdef-", np.uint8)
_VALUE_OF = np.full(256, -1)
_VALUE_OF[_DIGITS[:-1]] = np.arange(16)


def packed(answers: Answers) -> list[str]:
    """Return a text for each pair: a hexadecimal digit of methods a question, "-" if not asked."""
    outcomes = [answers.outcome[method] for method in METHODS]
    values = sum((outcome == RIGHT).astype(np.uint8) << bit for bit, outcome in enumerate(outcomes))
    digits = _DIGITS[np.where(outcomes[0] >= 0, values, len(_DIGITS) - 1)]
    return [bytes(row[i + 1 :]).decode() for i, row in enumerate(digits)]


def unpacked(texts: Sequence[str], method: str) -> Float64Array:
    """Return 1 for answered questions, 0 for others, NaN if not asked, (n, n)."""
    n = len(texts)
    found = np.full((n, n), np.nan)
    for i, text in enumerate(texts):
        values = _VALUE_OF[np.frombuffer(text.encode(), np.uint8)]
        found[i, i + 1 :] = np.where(values < 0, np.nan, values >> METHODS.index(method) & 1)
    return found


Answered = tuple[Group, list[Float64Array]]


class QuestionBootstrap(CardComparison[Answered]):
    """The difference of two models' accuracies over the questions that both were asked."""

    tested = METHODS
    lacks = "does not hold which questions were answered"

    def values(self, card: Card, test: PairedTest) -> Answered | None:
        """Return the group's categories, and the answers of each."""
        texts = card.columns.get("answers")
        if texts is None:
            return None
        categories = dict(zip(card.columns["category"], card.columns["kind"], strict=True))
        names = list(map(str, categories))
        chosen = groups_of(list(zip(names, map(str, categories.values()), strict=True)))[test.group]
        rows = [card.groups[names[place]] for place in chosen.categories]
        return chosen, [unpacked([str(texts[row]) for row in one], test.measure) for one in rows]

    def difference(self, one: Answered, two: Answered, test: PairedTest) -> Difference:
        """Return the first card's accuracy minus the second's, resampled over pairs."""
        (chosen, answers), (_, others) = one, two
        found = []
        for place, own, other in zip(chosen.categories, answers, others, strict=True):
            both = ~(np.isnan(own) | np.isnan(other))
            apart = {"apart": np.where(both, own - other, 0)}
            found.append(_counted(both, apart, test.resamples, (test.seed, place)))
        shares, pairs, missing = _shares(found, "apart", chosen.micro)
        if not len(shares):
            return Difference(None, None, None, pairs, missing, "no question was asked of both")
        return stats.difference(float(shares[0]), shares[1:], pairs, missing, test.level)


_HEAT = partial(heat, shows=lambda group: not group.endswith(analogies.MICRO))  # others on request
PICTURES = {"heat": Picture(KINDS["heat"].help, _HEAT)}
TIES = "tied"  # the share of questions where D ties for the best by the first method
KEPT_QUESTIONS = 10_000_000  # the most questions whose answers stay in the card


def load(path: Path, settings: Settings) -> Analogies:
    """Read the analogies of a file or folder."""
    return analogies.read(path, settings.options.get("columns"))


class _Places:
    """A category's distinct sentences, and the place of each sentence of its pairs."""

    def __init__(self, category: Category) -> None:
        at: dict[str, int] = {}

        def column(texts: Iterator[str | None]) -> IntArray:
            rows = (-1 if text is None else at.setdefault(text, len(at)) for text in texts)
            return np.fromiter(rows, np.int64)

        pairs = category.pairs
        self.a, self.b = column(pair.a for pair in pairs), column(pair.b for pair in pairs)
        self.distractors = {
            kind: column(pair.distractors.get(kind) for pair in pairs)
            for kind in analogies.DISTRACTORS
            if any(kind in pair.distractors for pair in pairs)
        }
        self.texts = tuple(at)


def measure(data: Analogies, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure the accuracy of each method by category and group, and the chosen distractors."""
    places = [*map(_Places, data.categories)]
    texts = list(dict.fromkeys(text for one in places for text in one.texts))
    mask = tested.mask if any(analogies.MASK in text for text in texts) else None
    written = texts if mask is None else [text.replace(analogies.MASK, mask) for text in texts]
    vectors = vectors_of(tested, written, settings.progress)
    row_of = {text: row for row, text in enumerate(texts)}
    known = set(compress(texts, geometry.have_direction(vectors)))
    answers: list[Answers] = []
    for [one] in in_chunks(places, 1, "answering", settings.progress):
        own = vectors[[row_of[text] for text in one.texts]]
        if one.distractors:
            answers.append(geometry.among_own(own, one.a, one.b, one.distractors))
        else:
            answers.append(geometry.among_all(own, one.a, one.b))
    with status("resampling", settings.progress):
        scores = accuracies(data.categories, list(map(_counts, answers)), settings)
    pairs = [pair for category in data.categories for pair in category.pairs]
    scored = sum(pair.a in known and pair.b in known for pair in pairs)
    questions = sum(int((one.outcome[HEADLINE] != geometry.NOT_ASKED).sum()) for one in answers)
    lost = sum(text not in known for pair in pairs for text in pair.distractors.values())
    as_read = dict(zip(texts, written, strict=True))
    unread = tested.count_unread([(as_read[pair.a], as_read[pair.b]) for pair in pairs])
    counts = {"rows": data.rows, "scored": scored, "failed": data.rows - scored, **unread}
    counts["questions"] = questions
    notes = _notes(data, lost, questions)
    set_by: Plain = {"tie": geometry.TIE, "epsilon": geometry.EPSILON}
    set_by |= {"mask": mask} if mask else {}
    if questions > KEPT_QUESTIONS:
        return Measured(scores, counts, notes=notes, settings=set_by)
    columns = {
        "category": [category.name for category in data.categories for _ in category.pairs],
        "kind": [category.group for category in data.categories for _ in category.pairs],
        "answers": [row for one in answers for row in packed(one)],
    }
    return Measured(scores, counts, columns, rows_by(columns["category"]), notes, set_by)


def _counts(one: Answers) -> tuple[AnyArray, dict[str, AnyArray]]:
    """Return the asked questions of a category, and the values of each measure."""
    first = one.outcome[HEADLINE]
    right = {method: outcome == RIGHT for method, outcome in one.outcome.items()}
    return first != geometry.NOT_ASKED, {**right, TIES: first == geometry.TIED, **one.chosen}


def _notes(data: Analogies, lost: int, questions: int) -> tuple[str, ...]:
    whys = {"repeated": "are there twice", "identical": "have one sentence twice"}
    left_out = data.left_out.items()
    notes = [f"pairs that {whys[why]} are left out: {count}" for why, count in left_out]
    if lost:
        notes.append(f"distractors that have no vector are no candidates: {lost}")
    names = (category.name for category in data.categories if len(category.pairs) < 2)
    notes += [f"{name}: one pair makes no question" for name in names]
    if questions > KEPT_QUESTIONS:
        notes.append(f"which questions were answered is left out: more than {KEPT_QUESTIONS:,}")
    return tuple(notes)


_CODE = {"prepare": by_vectors, "comparison": QuestionBootstrap(), "pictures": PICTURES}
TASKS = (declared("analogies", load, measure, **_CODE),)
