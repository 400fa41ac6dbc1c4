"""What judgements and calibrations are worth on pairs that the judge has not learned from.

    python -m benchmarks.judge --data ../shared/data [--only snli …]

    snli     SNLI dev from row 5,002 on: 200 pairs as someone's own (20 draws), the rest to measure
             contradiction: AUC and calibration error
    paws     the half of PAWS-Wiki dev that the judge has not seen: 200 own pairs (20 draws), false
             "same" at 70 % recall and recall at 1 % false
    guard    what hybridsem.interop.cache_guard serves of questions, half of them doubles whose
             answer is another, by its threshold
    scores   what people said of pairs of some score, in quantiles (the table of docs/comparison.md)

Accuracies on SICK, SNLI, MED, MoNLI and ConjNLI are those of ``hybridsem evaluate entailment``. The
split of the sets is that of ``models/judge/data.py``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np

from benchmarks.command import DATA, print_head, print_row, run
from hybridsem import Pipeline
from hybridsem._typing import BoolArray, Float64Array
from hybridsem.calibration.fitting import platt
from hybridsem.calibration.model import JUDGEMENT, SCORE, Calibration, inputs_of_pairs
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.judge.labels import LABELS
from hybridsem.tables import read_pairs

OWN, DRAWS = 200, 20
ASKED = "Is it true that {}?"
CONTRADICTION = 2
Pairs = Sequence[tuple[str, str]]


def known(pairs: Pairs) -> Float64Array:
    """The score of pairs, the labels' probabilities, whether they exclude each other: (n, inputs of
    a judgement), NaN for pairs that cannot be read.
    """
    found: Float64Array = inputs_of_pairs(Pipeline().reader, pairs, JUDGEMENT)
    return found


def fitted(of: str, X: Float64Array, y: BoolArray) -> Calibration:
    return Calibration(pipeline={}, of=of, model=platt(X, y), threshold=0.5)


def auc(values: Float64Array, positive: BoolArray) -> float:
    return float(classification(values, positive, ("auc",), resamples=0)["auc"].value or np.nan)


def binary_error(found: Float64Array, y: BoolArray) -> float:
    """The expected calibration error of the probability of being positive."""
    place = np.minimum((found * 15).astype(int), 14)
    gap = np.abs(np.bincount(place, found) - np.bincount(place, y))
    return float(gap.sum() / len(y))


def spread(values: Sequence[float]) -> str:
    """The mean over draws, and the middle 95 % of them."""
    low, high = np.quantile(values, [0.025, 0.975])
    return f"{np.mean(values):.3f} [{low:.3f}, {high:.3f}]"


def drawn_own(name: str, positive: int, what: str, data: Path) -> None:
    """Print what calibrations on a few own pairs are worth on the rest, over draws."""
    from models.judge.data import part

    test = part(name, data)
    X = known(test.pairs)
    rows = ~np.isnan(X).any(axis=1)
    X, y = X[rows], test.gold[rows] == positive
    print(f"{name}, {len(y)} pairs: {what}, {OWN} own pairs, {DRAWS} draws")
    for of in (JUDGEMENT, SCORE):
        figures: dict[str, list[float]] = defaultdict(list)
        for seed in range(DRAWS):
            own = np.zeros(len(y), bool)
            own[np.random.default_rng(seed).permutation(len(y))[:OWN]] = True
            Z, positives = X if of == JUDGEMENT else X[:, :1], y[~own]
            found = fitted(of, Z[own], y[own]).probabilities(Z[~own])
            limits = np.quantile(found[positives], 0.3), np.quantile(found[~positives], 0.99)
            figures["AUC"].append(auc(found, positives))
            figures["calibration error"].append(binary_error(found, positives))
            figures["false at 70 % recall"].append(float((found[~positives] >= limits[0]).mean()))
            figures["recall at 1 % false"].append(float((found[positives] > limits[1]).mean()))
        cells = (f"{figure} {spread(values)}" for figure, values in figures.items())
        print(f"  of the {of}: {', '.join(cells)}")


QUESTIONS = {
    "own": ("minimal pairs, development", "PAWS-Wiki dev, 1st part"),
    "asked": ("minimal pairs, held-out", "PAWS-Wiki dev, 2nd part"),
}


def _asked(name: str, size: int, data: Path) -> tuple[list[tuple[str, str]], BoolArray]:
    """Pairs of questions, and which are the same: half of them are; minimal pairs first."""
    from models.judge.data import part

    random = np.random.default_rng(0)
    chosen: list[tuple[tuple[str, str], int]] = []
    for label in (1, 0):
        rows = []
        for one in QUESTIONS[name]:
            found = part(one, data)
            of_label = np.flatnonzero(found.gold == label)
            rows += [found.pairs[row] for row in random.permutation(of_label).tolist()]
        chosen += [(pair, label) for pair in rows[: size // 2]]
    asked = [(_question(one), _question(two)) for (one, two), _ in chosen]
    return asked, np.array([label for _, label in chosen]) == 1


def guard(data: Path) -> None:
    """What the guard of semantic caches serves without a calibration, and what a cosine would."""
    for name, what in (("own", "development"), ("asked", "held out")):
        asked, y = _asked(name, 700, data)
        X = known(asked)
        same = np.exp(X[:, 1]) / np.exp(X[:, 1 : 1 + len(LABELS)]).sum(axis=1)
        cosines = np.array(Pipeline("embedded").score(asked))
        print(f"guard, {what}: {len(y)} pairs of questions, {int(y.sum())} of them the same")
        for values, limits, of in (
            (same, (0.7, 0.8, 0.85, 0.9, 0.95), "probability of the same"),
            (cosines, (0.9, 0.95, 0.98), "cosine"),
        ):
            for limit in limits:
                equals, doubles = ((values >= limit)[which].mean() for which in (y, ~y))
                shares = f"{equals:.1%} of the same are served, {doubles:.1%} of the doubles"
                print(f"  {of} from {limit}: {shares}")


def _question(sentence: str) -> str:
    body = sentence.strip().rstrip(".!?")
    first, _, rest = body.partition(" ")
    known = {"the", "a", "an", "this", "that", "these", "those", "he", "she", "it", "they", "we"}
    return ASKED.format(f"{first.lower() if first.lower() in known else first} {rest}".strip())


def scores(data: Path) -> None:
    """What people said of pairs by their score: quartiles of ratings, shares of labels."""
    from models.judge.data import part

    rated: list[tuple[Float64Array, Float64Array]] = []
    sets = {("stsb-en-train.csv", "stsb-en-dev.csv"): 0, ("SICK_train.txt",): 1}
    for files, low in sets.items():
        pairs = [pair for file in files for pair in read_pairs(data / "sts" / file)]
        pairs = [pair for pair in pairs if pair.gold is not None]
        found = known([(pair.text1, pair.text2) for pair in pairs])[:, 0]
        rated.append((found, (np.array([pair.gold for pair in pairs]) - low) * 5 / (5 - low)))
    test = part("PAWS-Wiki dev, 2nd part", data)
    X = known(test.pairs)[:, 0]
    edges = (-1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
    print_head("score", "STSb: median rating (quartiles), 0–5", "SICK", "PAWS-Wiki: the same")
    for low, high in pairwise(edges):
        cells = [_quartiles(gold[(found >= low) & (found < high)]) for found, gold in rated]
        same = test.gold[(low <= X) & (high > X)] == 1
        cells.append(f"{same.mean():.0%} of {len(same)}" if len(same) >= 20 else "–")
        print_row(f"below {high:g}" if low < 0 else f"{low:g} to {min(high, 1):g}", *cells)


def _quartiles(values: Float64Array) -> str:
    if len(values) < 20:
        return "–"
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    return f"{middle:.1f} ({low:.1f}–{high:.1f})"


PARTS = {
    "snli": partial(drawn_own, "SNLI dev, 2nd part", CONTRADICTION, "contradiction"),
    "paws": partial(drawn_own, "PAWS-Wiki dev, 2nd part", 1, "same"),
    "guard": guard,
    "scores": scores,
}


def main(data: Path = DATA, only: Annotated[Sequence[str], PARTS] = tuple(PARTS)) -> None:
    for name in only:
        PARTS[name](data)


if __name__ == "__main__":
    run(main)
