"""A judgement: the label of two sentences, its probability, and the reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils import displays
from hybridsem.combiners.base import Batch
from hybridsem.combiners.hybrid import Compared, HybridCombiner
from hybridsem.combiners.passages import NO_SENTENCE, ComparedPassages, Passage, divided
from hybridsem.errors import InputError
from hybridsem.judge.bounds import PROVEN, bounded, only_in_wording
from hybridsem.judge.derivation import derivations
from hybridsem.judge.features import Observed, observe_batch
from hybridsem.judge.labels import LABELS, SAME, Assume, Basis, Label
from hybridsem.judge.model import in_one_scene, shipped_judge
from hybridsem.judge.passages import Pairs, of_texts, replaces
from hybridsem.judge.reasons import reasons
from hybridsem.judge.reference import assuming
from hybridsem.judge.together import CONTESTED, PROOF, SURE_PROOF, shipped_together
from hybridsem.judge.verdict import Rule
from hybridsem.learned.combiner import LearnedCombiner
from hybridsem.pair_reader import Readings
from hybridsem.reader import Reader

PRECISION = 0.8
"""The default precision of labels."""
UNLIKE = 0.2
"""The score below which sentences may be ``unrelated``, which no edit proves."""
UNPROVEN_SHARES = np.array([label is not Label.SAME for label in LABELS], float)
"""The share of each label that counts if nothing proves ``same``."""
UNREAD = frozenset({Label.SAME, Label.ENTAILS, Label.ENTAILED})
"""Labels that need both texts to their end."""


@dataclass(frozen=True)
class Judgement:
    """The relation of two sentences.

    ``probabilities`` are those of :data:`~hybridsem.judge.labels.LABELS`, which sum to 1, and
    ``label`` is the label that the edits prove, or ``unsure`` if there is none or it is not
    probable enough; ``score`` is the similarity. Without a structure of both sentences the label is
    None, the score NaN and the reason a note. ``reasons`` are the edits between the sentences,
    those that support the most probable label first. ``by`` is what decided the label; None for
    ``unsure`` and without a label.

    >>> from hybridsem import Pipeline
    >>> found = Pipeline().judge("The shop is open.", "The shop is not open.")
    >>> str(found.label), str(found.by), found.probability > 0.5, found.reasons[0]
    ('contradicts', 'proof', True, 'Sentence 2 denies "open".')
    """

    sentence1: str
    sentence2: str
    label: Label | None
    probabilities: Mapping[Label, float]
    reasons: tuple[str, ...]
    score: float
    notes: tuple[str, ...] = ()
    by: Basis | None = None

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
            "by": None if self.by is None else str(self.by),
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
        caption = f"{shown}: {self.sentence1} | {self.sentence2}"
        notes = (*self.reasons, *self.notes)
        heads = ["label", "probability"]
        return displays.as_html(displays.Figures(caption, heads, rows, notes))


def comparison_of(reader: Reader) -> HybridCombiner:
    """Return the comparison that a judgement reads; raise :class:`InputError` for one that the
    judge was not trained on.
    """
    parts = reader.parts
    combiner = parts.combiner
    if isinstance(combiner, LearnedCombiner):
        combiner = combiner.base
    if not isinstance(combiner, HybridCombiner):
        raise InputError(f"only 'hybrid' can judge pairs, got the model {parts.spec.name!r}")
    given = sorted({"encoder", "vectors"} & parts.arguments.given().keys())
    if given and (given != ["encoder"] or parts.scale is None):
        raise InputError(
            f"the judge was trained with the parts of {parts.spec.name!r}, got other "
            f"{' and '.join(given)}; leave them out, give an encoder's scale "
            "(`hybridsem fit-encoder`), or train it again (models/judge)"
        )
    return combiner


def judged(
    combiner: HybridCombiner,
    batch: Batch,
    precision: float = PRECISION,
    assume: Assume = Assume.SITUATION,
) -> list[Judgement]:
    """Return a judgement of each pair, in order; texts of several sentences by their sentences.

    ``precision`` is the least share of correct labels on unseen pairs with the same label, or,
    without a pair reader, with the same kind of evidence; a pair with a less probable label is
    ``unsure``, and so is one whose edits prove another. With 0 every pair has a label.
    """
    alone, parts = divided(batch)
    singles = batch.of_rows(alone)
    compared = combiner.compared(singles)
    read = combiner.readings(singles, compared)
    found = dict(
        zip(alone, _judged(combiner, singles, compared, read, precision, assume), strict=True)
    )
    for rows in parts:
        found.update(
            zip(rows, _judged_passages(combiner, batch, rows, precision, assume), strict=True)
        )
    return [found[row] for row in range(len(batch.pairs))]


def _judged_passages(
    combiner: HybridCombiner, texts: Batch, rows: Sequence[int], precision: float, assume: Assume
) -> list[Judgement]:
    """Return the judgements of some pairs of texts, by their rows."""
    passages = ComparedPassages(combiner, texts, rows)
    batch = passages.batch.narrowed(passages.cells(ordered=True))
    compared = combiner.compared(batch)
    read = combiner.readings(batch, compared)
    of_pairs = np.empty((len(compared), 2), object)
    of_pairs[:, 0] = _judged(combiner, batch, compared, read, precision, assume)
    of_pairs[:, 1] = compared
    measured = combiner.measured(batch, compared, read)
    parts = passages.parts(measured[passages.mutual])
    return [
        _joined(texts, row, passage, part.score, pairs.T.tolist(), precision, assume)
        for row, passage, part, pairs in zip(
            rows, passages.passages, parts, passages.by_pairs(of_pairs), strict=True
        )
    ]


def _joined(
    texts: Batch,
    row: int,
    passage: Passage,
    score: float,
    pairs: Sequence[Sequence[Any]],
    precision: float,
    assume: Assume,
) -> Judgement:
    """Return the judgement of two texts by those of their sentences."""
    pair, aligned = texts.pairs[row], passage.aligned
    sentences, notes = (texts.sentences[pair[0]], texts.sentences[pair[1]]), texts.notes(pair)
    if aligned is None:
        return Judgement(*sentences, None, {}, (), math.nan, (*notes, NO_SENTENCE))
    judgements, compared = pairs
    aligned = aligned if pair == passage.pair else aligned.inverted
    joined = Pairs(
        [one.label for one in judgements],
        np.array([[*one.probabilities.values()] for one in judgements]),
        aligned.best1,
        aligned.best2,
        aligned.rest(aligned.similarities),
        np.array([assume is not Assume.INDEPENDENT and replaces(one) for one in compared], bool),
    )
    probabilities = joined.joined()
    label = joined.label(probabilities, precision)
    why = list[str]()
    for place, judgement in enumerate(judgements):
        ends = int(aligned.first[place]) + 1, int(aligned.second[place]) + 1
        if aligned.is_lone(place):
            side = 1 if aligned.best1[place] else 2
            why.append(f"Sentence {ends[side - 1]} of text {side} has no counterpart.")
        elif aligned.mutual[place] and judgement.sentence1 != judgement.sentence2:
            own = [of_texts(reason, *ends) for reason in judgement.reasons]
            why = [*own, *why] if judgement.label is label else [*why, *own]
    by_label = dict(zip(LABELS, probabilities.tolist(), strict=True))
    bases = {one.by for one in judgements if label in (one.label, Label.SAME)}
    by = bases.pop() if len(bases) == 1 else None
    basis = None if label is Label.UNSURE else by or Basis.COMPARISON
    return Judgement(*sentences, label, by_label, tuple(why), score, notes, basis)


def _judged(
    combiner: HybridCombiner,
    batch: Batch,
    compared: Sequence[Compared | None],
    read: Readings | None,
    precision: float,
    assume: Assume,
) -> list[Judgement]:
    """Return the judgements of pairs of sentences that were compared and read."""
    scores = combiner.scores_of(batch, compared, read).tolist()
    derived = derivations(compared)
    features = observe_batch(batch, compared, derived, assume)
    derived = [assuming(one, assume) for one in derived]
    found = probabilities_of(batch, features, read, assume)
    assert features.rules is not None
    rules = map(Rule.of_row, features.rules.tolist())
    likeness = np.full(len(batch.pairs), np.nan) if read is None else read.similarity
    judgements = []
    rows = zip(
        *(batch.pairs, compared, derived, found, rules, scores, likeness.tolist()),
        strict=True,
    )
    for pair, one, made, row, rule, score, alike in rows:
        read_both = not math.isnan(alike)
        sentences, notes = (batch.sentences[pair[0]], batch.sentences[pair[1]]), batch.notes(pair)
        if one is None:
            failure = batch.failed(pair) or "the pair has no structure"
            judgements.append(Judgement(*sentences, None, {}, (), math.nan, (*notes, failure)))
            continue
        proven = row[SAME] >= PROVEN
        unproven_same = not read_both and not proven and rule.label != SAME
        ranked = row * UNPROVEN_SHARES if unproven_same else row
        place = int(ranked.argmax())
        best = LABELS[place]
        proven |= best is Label.UNRELATED and score < UNLIKE
        # No reader turns a proof into another label.
        decides = rule.label == place or not precision or (read_both and rule.label < 0)
        unread = batch.cut(pair) and best in UNREAD and not proven
        least = _threshold(rule, place, read_both, precision)
        known = proven or (ranked[place] >= least and decides)
        label = best if known and not unread else Label.UNSURE
        sure = label is best
        why = (
            unread_words(batch, pair)
            if unread
            else reasons(best, batch, pair, one, made, sure, alike)
        )
        by_label = dict(zip(LABELS, row.tolist(), strict=True))
        proof = rule.label == place or (row[SAME] >= PROVEN and only_in_wording(*sentences))
        basis = Basis.PROOF if proof else Basis.READER if read_both else Basis.COMPARISON
        by = None if label is Label.UNSURE else basis
        judgements.append(Judgement(*sentences, label, by_label, why, score, notes, by))
    return judgements


def unread_words(batch: Batch, pair: tuple[int, int]) -> tuple[str, ...]:
    """State up to which word the sentences of a pair were read."""
    parsed = batch.parsed()
    trees = [parsed[index].tree if batch.is_cut(index) else None for index in pair]
    return tuple(
        f"Sentence {number} was read up to word {len(tree)}."
        for number, tree in enumerate(trees, 1)
        if tree is not None
    )


def _threshold(rule: Rule, label: int, read: bool, precision: float) -> float:
    """Return the least probability of a pair's label, by its place, for a precision. Of a pair that
    a reader has ``read``, a sure proof that is not contested suffices up to the share of those that
    were right.
    """
    if not read:
        return shipped_judge().threshold(rule.kind, precision)
    if rule.least >= SURE_PROOF and 0 < precision <= PROOF:
        return CONTESTED
    return shipped_together().threshold(label, precision)


def probabilities_of(
    batch: Batch,
    features: Observed,
    read: Readings | None = None,
    assume: Assume = Assume.SITUATION,
) -> Float64Array:
    """Return the probability of each label, (pairs, labels), by the comparison and what a pair
    reader read, within the bounds of the wording. A sentence and itself are certainly the same. NaN
    without a structure.
    """
    found = shipped_judge().probabilities(features)
    if read is not None:
        found = shipped_together().probabilities(features, found, read)
    if assume is Assume.SCENE:
        found = in_one_scene(found, shipped_judge().values(features))
    for row, (one, two) in enumerate(batch.pairs):
        if np.isnan(found[row]).any():
            continue
        if one == two:
            found[row] = np.eye(len(LABELS))[SAME]
        else:
            texts = batch.sentences[one], batch.sentences[two]
            found[row] = bounded(found[row], *texts, batch.cut((one, two)))
    return found
