"""What judgements and calibrations are worth on pairs that the judge has not learned from.

    python -m benchmarks.judge --data ../shared/data [--cache runs/benchmark-judge] [--only sick …]

    sick     SICK test: accuracy of three ways, calibration error; the cosine alone, with the class
             that is most frequent at it in SICK train
    inference   entailment or not on MED, MoNLI and ConjNLI, by the judge and by the join of the
             edits alone, which nothing was learned for; what is wrong of what is held at .9 or
             more. The halves in ``../shared/data`` were learned from: out of fold they are in
             ``models/judge/judge.log``; for held-out halves give a folder that has them as --data
    snli     SNLI dev from row 5,002 on: 200 pairs as someone's own (20 draws), the rest to measure
             contradiction: AUC and calibration error
    paws     the half of PAWS-Wiki dev that the judge has not seen: 200 own pairs (20 draws), false
             "same" at 70 % recall and recall at 1 % false
    cache    a semantic cache: 2,000 pairs of questions, half of them doubles whose answer is
             another; what is wrong of what is served, where 70 % of the true ones are served
    guard    what hybridsem.interop.cache_guard serves of such questions, by its threshold
    scores   what people said of pairs of some score, in quantiles (the table of docs/comparison.md)

What a pair is known by is kept in the cache's folder. The split of the sets is that of
``models/judge/data.py``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from hybridsem import Pipeline
from hybridsem._typing import BoolArray, Float64Array
from hybridsem.calibration.fitting import platt
from hybridsem.calibration.model import (
    JUDGEMENT,
    SCORE,
    Calibration,
    inputs_of_pairs,
)
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.judge.derivation import derivations
from hybridsem.judge.labels import LABELS
from hybridsem.tables import read_pairs
from models.judge.data import Part, part

ROOT = Path(__file__).parents[1]
OWN, DRAWS = 200, 20
ASKED = "Is it true that {}?"
CONTRADICTION = 2


class Known:
    """What pairs are known by: the score, the labels' probabilities, and whether they exclude each
    other; read once.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.nlp = Pipeline()
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> Float64Array:
        """(n, inputs of a judgement)."""
        about = [pairs, self.nlp.settings, _weights()]
        digest = hashlib.sha256(json.dumps(about).encode()).hexdigest()
        file = self.folder / f"{digest[:24]}.npy"
        if not file.is_file():
            np.save(file, inputs_of_pairs(self.nlp.reader, pairs, JUDGEMENT))
        found: Float64Array = np.load(file)
        return found


def _weights() -> str:
    return (ROOT / "hybridsem/data/manifest.json").read_text("utf-8")


def fitted(of: str, X: Float64Array, y: BoolArray) -> Calibration:
    return Calibration(pipeline={}, of=of, model=platt(X, y), threshold=0.5)


def drawn(rows: int, seed: int) -> tuple[BoolArray, BoolArray]:
    """Someone's own pairs, and the others."""
    own = np.zeros(rows, bool)
    own[np.random.default_rng(seed).permutation(rows)[:OWN]] = True
    return own, ~own


def auc(values: Float64Array, positive: BoolArray) -> float:
    from scipy.stats import rankdata

    ranks = rankdata(values)
    above, below = int(positive.sum()), int((~positive).sum())
    return float((ranks[positive].sum() - above * (above + 1) / 2) / (above * below))


def binary_error(found: Float64Array, y: BoolArray, bins: int = 15) -> float:
    """The expected calibration error of the probability of being positive."""
    place = np.minimum((found * bins).astype(int), bins - 1)
    gap = np.abs(np.bincount(place, found) - np.bincount(place, y))
    return float(gap.sum() / len(y))


def spread(values: Sequence[float]) -> str:
    """The mean over draws, and the middle 95 % of them."""
    low, high = np.quantile(values, [0.025, 0.975])
    return f"{np.mean(values):.3f} [{low:.3f}, {high:.3f}]"


def usable(data: Part, X: Float64Array) -> tuple[Float64Array, np.ndarray]:
    rows = ~np.isnan(X).any(axis=1)
    return X[rows], data.gold[rows]


def sick(known: Known, data: Path) -> None:
    from models.judge.learn import calibration_error, interval, three_ways

    X, gold = usable(test := part("SICK test", data), known(test.pairs))
    found = np.exp(X[:, 1 : 1 + len(LABELS)])
    three = three_ways(found / found.sum(axis=1, keepdims=True))
    right = three.argmax(axis=1) == gold
    print(f"SICK test, {len(gold)} pairs")
    print(f"  three ways: accuracy {interval(right)}")
    errors = []
    random = np.random.default_rng(0)
    for _ in range(200):
        rows = random.integers(len(gold), size=len(gold))
        errors.append(calibration_error(three[rows], gold[rows]))
    low, high = np.quantile(errors, [0.025, 0.975])
    print(f"  calibration error {calibration_error(three, gold):.3f} [{low:.3f}, {high:.3f}]")
    cosines, gold = _cosines(known.nlp, test.pairs), test.gold
    train = part("SICK train", data)
    seen = _cosines(known.nlp, train.pairs)
    # The class that is most frequent among the train pairs of nearly that cosine.
    edges = np.quantile(seen, np.linspace(0, 1, 41)[1:-1])
    table = np.zeros((40, 3))
    np.add.at(table, (np.searchsorted(edges, seen), train.gold), 1)
    alone = table.argmax(axis=1)[np.searchsorted(edges, cosines)] == gold
    print(f"  the cosine alone: accuracy {interval(alone)}")


def _cosines(nlp: Pipeline, pairs: Sequence[tuple[str, str]]) -> Float64Array:
    sentences = list(dict.fromkeys(text for pair in pairs for text in pair))
    row = {text: number for number, text in enumerate(sentences)}
    vectors = nlp.encode(sentences).astype(float)
    first, second = (vectors[[row[pair[side]] for pair in pairs]] for side in (0, 1))
    return np.asarray((first * second).sum(axis=1))


INFERENCE = ("MED, half", "MoNLI, half", "ConjNLI, half", "SICK test")


def inference(known: Known, data: Path) -> None:
    from models.judge.learn import held, interval, three_ways

    for name in INFERENCE:
        test = part(name, data)
        X = known(test.pairs)
        rows = ~np.isnan(X).any(axis=1)
        found = np.exp(X[rows, 1 : 1 + len(LABELS)])
        follows = three_ways(found / found.sum(axis=1, keepdims=True))[:, 0]
        gold = test.gold[rows] == 0
        print(f"{name}, {len(gold)} pairs: entailment or not")
        print(
            f"  judge {interval((follows > 0.5) == gold)}, {held(follows, (follows > 0.5) == gold)}"
        )
        joined = _joined(known.nlp, test.pairs)
        print(f"  the join alone {interval(joined == (test.gold == 0))}")


def _joined(nlp: Pipeline, pairs: Sequence[tuple[str, str]]) -> BoolArray:
    """Whether the second sentence follows from the first by the join of the edits."""
    found: list[bool] = []
    for start in range(0, len(pairs), 500):
        batch = nlp.read(pairs[start : start + 500])
        assert isinstance(nlp.combiner, HybridCombiner)
        compared = nlp.combiner.compared(batch)
        rows = zip(batch.pairs, compared, derivations(compared), strict=True)
        for pair, one, made in rows:
            if made is not None and one is not None and one.first != pair[0]:
                made = made.inverted
            found.append(made is not None and made.relation in "=<")
    return np.array(found)


def drawn_own(known: Known, test: Part, positive: int, name: str) -> None:
    """Print what calibrations on a few own pairs are worth on the rest, over draws."""
    X, gold = usable(test, known(test.pairs))
    y = gold == positive
    print(f"{test.name}, {len(y)} pairs: {name}, {OWN} own pairs, {DRAWS} draws")
    for of in (JUDGEMENT, SCORE):
        figures: dict[str, list[float]] = defaultdict(list)
        for seed in range(DRAWS):
            own, rest = drawn(len(y), seed)
            Z, positives = X if of == JUDGEMENT else X[:, :1], y[rest]
            found = fitted(of, Z[own], y[own]).probabilities(Z[rest])
            limits = np.quantile(found[positives], 0.3), np.quantile(found[~positives], 0.99)
            figures["AUC"].append(auc(found, positives))
            figures["calibration error"].append(binary_error(found, positives))
            figures["false at 70 % recall"].append(float((found[~positives] >= limits[0]).mean()))
            figures["recall at 1 % false"].append(float((found[positives] > limits[1]).mean()))
        cells = (f"{figure} {spread(values)}" for figure, values in figures.items())
        print(f"  of the {of}: {', '.join(cells)}")


def snli(known: Known, data: Path) -> None:
    drawn_own(known, part("SNLI dev, 2nd part", data), CONTRADICTION, "contradiction")


def paws(known: Known, data: Path) -> None:
    drawn_own(known, part("PAWS-Wiki dev, 2nd part", data), 1, "same")


def cache(known: Known, data: Path) -> None:
    """Questions from the held-out minimal pairs, filled up to 2,000 from the half of PAWS-Wiki dev
    that is held out; 200 own ones from the halves that are not.
    """
    from models.judge.learn import interval

    asked, own_y = _asked("own", OWN, data, halved=True)
    own = known(asked)
    asked, y = _asked("asked", 2000, data)
    X = known(asked)
    rows = ~np.isnan(X).any(axis=1)
    X, y = X[rows], y[rows]
    print(f"a semantic cache: {len(y)} pairs of questions, {int(y.sum())} to be served")
    for of in (JUDGEMENT, SCORE):
        Z, own_Z = (X, own) if of == JUDGEMENT else (X[:, :1], own[:, :1])
        found = fitted(of, own_Z, own_y).probabilities(Z)
        limit = np.quantile(found[y], 0.3)
        served = found >= limit
        print(
            f"  of the {of}: AUC {auc(found, y):.3f}; at 70 % served, "
            f"{interval(~y[served])} of what is served is wrong, "
            f"{interval(served[~y])} of the doubles are served"
        )
        for share in (0.02, 0.05, 0.1):
            order = np.argsort(-found, kind="stable")
            wrong = np.cumsum(~y[order]) / np.arange(1, len(y) + 1)
            good = np.flatnonzero(wrong <= share)
            part_served = float(y[order][: good[-1] + 1].sum() / y.sum()) if len(good) else 0.0
            print(f"    with {share:.0%} wrong {part_served:.1%} can be served")


QUESTIONS = {
    "own": ("minimal pairs, development", "PAWS-Wiki dev, 1st part"),
    "asked": ("minimal pairs, held-out", "PAWS-Wiki dev, 2nd part"),
}


def _asked(
    name: str, size: int, data: Path, halved: bool = False
) -> tuple[list[tuple[str, str]], BoolArray]:
    """Pairs of questions, and which are the same: half of them are; minimal pairs first, or
    ``halved`` as many of each source.
    """
    random = np.random.default_rng(0)
    chosen: list[tuple[tuple[str, str], int]] = []
    for label in (1, 0):
        rows = []
        for one in QUESTIONS[name]:
            found = part(one, data)
            of_label = np.flatnonzero(found.gold == label)
            rows += [found.pairs[row] for row in random.permutation(of_label).tolist()]
        if halved:
            half = size // 4
            rows = rows[:half] + rows[-half:]
        chosen += [(pair, label) for pair in rows[: size // 2]]
    asked = [(_question(one), _question(two)) for (one, two), _ in chosen]
    return asked, np.array([label for _, label in chosen]) == 1


def guard(known: Known, data: Path) -> None:
    """What the guard of semantic caches serves without a calibration, and what a cosine would."""
    for name, what in (("own", "development"), ("asked", "held out")):
        asked, y = _asked(name, 700, data)
        X = known(asked)
        same = np.exp(X[:, 1]) / np.exp(X[:, 1 : 1 + len(LABELS)]).sum(axis=1)
        cosines = _cosines(known.nlp, asked)
        print(f"guard, {what}: {len(y)} pairs of questions, {int(y.sum())} of them the same")
        for values, limits, of in (
            (same, (0.7, 0.8, 0.85, 0.9, 0.95), "probability of the same"),
            (cosines, (0.9, 0.95, 0.98), "cosine"),
        ):
            for limit in limits:
                served = values >= limit
                print(
                    f"  {of} from {limit}: {served[y].mean():.1%} of the same are served, "
                    f"{served[~y].mean():.1%} of the doubles"
                )


def _question(sentence: str) -> str:
    body = sentence.strip().rstrip(".!?")
    first, _, rest = body.partition(" ")
    known = {"the", "a", "an", "this", "that", "these", "those", "he", "she", "it", "they", "we"}
    return ASKED.format(f"{first.lower() if first.lower() in known else first} {rest}".strip())


def scores(known: Known, data: Path) -> None:
    """What people said of pairs by their score: quartiles of ratings, shares of labels."""
    rated = []
    for file, top in (
        ("sts/stsb-en-train.csv", 5),
        ("sts/stsb-en-dev.csv", 5),
        ("sts/SICK_train.txt", 5),
    ):
        pairs = [pair for pair in read_pairs(data / file) if pair.gold is not None]
        found = known([(pair.text1, pair.text2) for pair in pairs])[:, 0]
        gold = np.array([pair.gold for pair in pairs]) / top
        if "SICK" in file:
            gold = (gold * 5 - 1) / 4  # its ratings go from 1
        rated.append((found, gold * 5))
    X = known((test := part("PAWS-Wiki dev, 2nd part", data)).pairs)[:, 0]
    same = test.gold == 1
    edges = (-1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
    print("| score | STSb: median rating (quartiles), 0–5 | SICK | PAWS-Wiki: the same |")
    print("| --- | --- | --- | --- |")
    stsb = tuple(np.concatenate(side) for side in zip(*rated[:2], strict=True))
    for low, high in pairwise(edges):
        cells = []
        for found, gold in (stsb, rated[2]):
            within = gold[(found >= low) & (found < high)]
            cells.append(_quartiles(within))
        inside = (low <= X) & (high > X)
        cells.append(f"{same[inside].mean():.0%} of {inside.sum()}" if inside.sum() >= 20 else "–")
        name = f"below {high:g}" if low < 0 else f"{low:g} to {min(high, 1):g}"
        print(f"| {name} | {' | '.join(cells)} |")


def _quartiles(values: Float64Array) -> str:
    if len(values) < 20:
        return "–"
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    return f"{middle:.1f} ({low:.1f}–{high:.1f})"


PARTS = {f.__name__: f for f in (sick, inference, snli, paws, cache, guard, scores)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--cache", type=Path, default=ROOT / "runs/benchmark-judge")
    parser.add_argument("--only", nargs="*", default=list(PARTS), choices=PARTS)
    options = parser.parse_args(arguments)
    known = Known(options.cache)
    for name in options.only:
        PARTS[name](known, options.data)


if __name__ == "__main__":
    main()
