"""A judgement: the label of two sentences, its probability, and the reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.combiners.base import Batch
from hybridsem.combiners.hybrid import Compared, HybridCombiner
from hybridsem.errors import InputError
from hybridsem.judge.derivation import derivations
from hybridsem.judge.features import Observed, observe_batch
from hybridsem.judge.labels import LABELS, Label
from hybridsem.judge.model import Judge, shipped_judge
from hybridsem.judge.reasons import reasons
from hybridsem.judge.relations import Derivation
from hybridsem.reader import Reader
from hybridsem.render import figures_as_html

__all__ = ["PRECISION", "Judgement", "comparison_of", "judged", "probabilities_of"]

PRECISION = 0.8
"""The default precision of labels."""


@dataclass(frozen=True)
class Judgement:
    """The relation of two sentences.

    ``probabilities`` are those of :data:`~hybridsem.judge.labels.LABELS`, which sum to 1, and
    ``label`` is the most probable label, or ``unsure`` if it is not probable enough; ``score`` is
    the similarity. Without a structure of both sentences the label is None, the score NaN and the
    reason a note. ``reasons`` are the edits between the sentences, those that support the most
    probable label first.

    >>> from hybridsem import Pipeline
    >>> found = Pipeline().judge("The shop is open.", "The shop is not open.")
    >>> str(found.label), found.probability > 0.5, found.reasons[0]
    ('contradicts', True, 'Sentence 2 denies "open".')
    """

    sentence1: str
    sentence2: str
    label: Label | None
    probabilities: Mapping[Label, float]
    reasons: tuple[str, ...]
    score: float
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> Label | None:
        """The most probable label, however probable; None without a structure."""
        return max(self.probabilities, key=lambda one: self.probabilities[one], default=None)

    @property
    def probability(self) -> float:
        """The probability of the most probable label; NaN without a structure."""
        return math.nan if self.best is None else self.probabilities[self.best]

    def of_three(self) -> tuple[float, float, float]:
        """Return the probabilities of entailment, neutral and contradiction, of sentence 2 given
        sentence 1; NaN without a structure.
        """
        if not self.probabilities:
            return math.nan, math.nan, math.nan
        follows = self.probabilities[Label.SAME] + self.probabilities[Label.ENTAILS]
        contradicts = self.probabilities[Label.CONTRADICTS]
        return follows, 1 - follows - contradicts, contradicts

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as ``hybridsem judge --json`` prints it."""
        return {
            "sentence1": self.sentence1,
            "sentence2": self.sentence2,
            "label": None if self.label is None else str(self.label),
            "probability": None if self.label is None else self.probability,
            "probabilities": {str(label): value for label, value in self.probabilities.items()},
            "reasons": list(self.reasons),
            "score": None if math.isnan(self.score) else self.score,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        if self.label is None:
            return "; ".join(self.notes)
        why = f": {' '.join(self.reasons)}" if self.reasons else ""
        unsure = f", perhaps {self.best}" if self.label is Label.UNSURE else ""
        return f"{self.label}{unsure} ({self.probability:.0%}){why}"

    def _repr_html_(self) -> str:
        shown = "no label" if self.label is None else f"{self.label}, score {self.score:.2f}"
        rows = [[label, f"{value:.1%}"] for label, value in self.probabilities.items()]
        caption = f"{self.sentence1} | {self.sentence2}: {shown}"
        notes = (*self.reasons, *self.notes)
        return figures_as_html(caption, ["what they are to each other", "probability"], rows, notes)


def comparison_of(reader: Reader) -> HybridCombiner:
    """Return the comparison that a judgement reads; raise :class:`InputError` for one that the
    judge was not trained on.
    """
    from hybridsem.learned.combiner import LearnedCombiner

    combiner = reader.combiner
    if isinstance(combiner, LearnedCombiner):
        combiner = combiner.base
    if not isinstance(combiner, HybridCombiner):
        raise InputError(f"only 'hybrid' can judge pairs, got the model {reader.spec.name!r}")
    given = sorted({"encoder", "vectors"} & reader._arguments.keys())
    if given and (given != ["encoder"] or reader.scale is None):
        raise InputError(
            f"the judge was trained with the parts of {reader.spec.name!r}, got other "
            f"{' and '.join(given)}; leave them out, give an encoder's scale "
            "(`hybridsem fit-encoder`), or train it again (models/judge)"
        )
    return combiner


def judged(
    combiner: HybridCombiner,
    batch: Batch,
    judge: Judge | None = None,
    precision: float = PRECISION,
) -> list[Judgement]:
    """Return a judgement of each pair, in order.

    Args:
        combiner: Compares the sentences.
        batch: The pairs.
        judge: The judge; None for the one that ships.
        precision: The least share of correct labels on unseen pairs with the same kind of evidence;
            a pair with a less probable label is ``unsure``.
    """
    judge = judge or shipped_judge()
    compared = combiner.compared(batch)
    scores = combiner.scores_of(batch, compared).tolist()
    derived = derivations(batch, compared)
    features = observe_batch(batch, compared, derived)
    found = probabilities_of(batch, compared, judge, features)
    assert features.rules is not None
    kinds = features.rules[:, -1].astype(int).tolist()
    return [
        _judgement(batch, pair, one, made, row, judge.threshold(kind, precision), score)
        for pair, one, made, row, kind, score in zip(
            batch.pairs, compared, derived, found, kinds, scores, strict=True
        )
    ]


def probabilities_of(
    batch: Batch,
    compared: Sequence[Compared | None],
    judge: Judge | None = None,
    features: Observed | None = None,
) -> Float64Array:
    """Return the probability of each label, (pairs, labels); a sentence and itself are certainly
    the same. NaN without a structure.

    Args:
        batch: The pairs.
        compared: The comparisons of the pairs.
        judge: The judge; None for the one that ships.
        features: The features of the pairs, if known.
    """
    known = observe_batch(batch, compared) if features is None else features
    found = (judge or shipped_judge()).probabilities(known)
    for row, (pair, one) in enumerate(zip(batch.pairs, compared, strict=True)):
        if one is not None and pair[0] == pair[1]:
            found[row] = np.eye(len(LABELS))[LABELS.index(Label.SAME)]
    return found


def _judgement(
    batch: Batch,
    pair: tuple[int, int],
    compared: Compared | None,
    derived: Derivation | None,
    probabilities: Float64Array,
    threshold: float,
    score: float,
) -> Judgement:
    sentences = batch.sentences[pair[0]], batch.sentences[pair[1]]
    notes = batch.notes(pair)
    if compared is None:
        failure = batch.failed(pair) or "the pair has no structure"
        return Judgement(*sentences, None, {}, (), math.nan, (*notes, failure))
    best = LABELS[int(probabilities.argmax())]
    sure = probabilities.max() >= threshold or pair[0] == pair[1]
    if derived is not None and compared.first != pair[0]:
        derived = derived.inverted
    compared = compared.in_order(pair)
    why = reasons(best, compared, derived, compared.spellers(batch, pair))
    by_label = dict(zip(LABELS, probabilities.tolist(), strict=True))
    return Judgement(*sentences, best if sure else Label.UNSURE, by_label, why, score, notes)
