"""Learn the judge: a small network over the features of a pair, read in both directions.

    python -m models.judge.features --data ../shared/data --to runs/judge
    python -m models.judge.learn --data ../shared/data --features runs/judge --write
    python -m models.manifest

A pair counts by the probability of the labels that it may have (``data.py``). Every figure on what
is learned from is out of fold, and folds are of whole groups of pairs that share a sentence
(``benchmarks/judge.py`` measures what is held out). ``--write`` writes
``hybridsem/data/judge.json`` and, beside this file, what was printed, ``judge.log``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch

from benchmarks.command import DATA, run
from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem._utils import predictors
from hybridsem._utils.predictors import Ensemble, Linear, Predictor, Standardised
from hybridsem.calibration.fitting import isotonic
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.judge.features import Observed
from hybridsem.judge.labels import LABELS
from hybridsem.judge.model import OUTPUTS, SWAPPED, Judge, inputs
from hybridsem.judge.verdict import KINDS, PRECISIONS, tempered
from models.fit import minimise
from models.judge.data import HELD_OUT, LEARNED_FROM, Learned, joined, part, unseen
from models.judge.features import Table, load
from models.recipe import SHIPPED

FILE = SHIPPED / "judge.json"
LOG = Path(__file__).parent / "judge.log"
FOLDS = 5
FARTHEST = 6.0
"""The limit to which deviations of features are clipped."""
DIGITS = 5
CONTRADICTION = 2
"""What a contradiction is as the gold label of an inference set."""
NEVER = 1.01
"""A probability that no label has."""
ABSENT = 1e-9
"""The probability of a label that a pair may not have, so that its logarithm is finite."""


@dataclass(frozen=True)
class Settings:
    """How the network is learned."""

    hidden: int = 40
    members: int = 3
    epochs: int = 20
    batch: int = 256
    rate: float = 0.01
    l2: float = 1e-3
    seed: int = 0


class Network(torch.nn.Module):
    """A linear layer and one hidden layer beside it; see ``hybridsem.judge.model``."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.direct = torch.nn.Linear(width, len(OUTPUTS))
        self.inner = torch.nn.Linear(width, hidden)
        self.outer = torch.nn.Linear(hidden, len(OUTPUTS), bias=False)
        torch.nn.init.zeros_(self.direct.weight)
        torch.nn.init.zeros_(self.outer.weight)
        torch.nn.init.normal_(self.inner.weight, 0, width**-0.5)

    def forward(self, there: torch.Tensor, back: torch.Tensor) -> torch.Tensor:
        """The outputs, (n, outputs)."""
        return (self._one(there) + self._one(back)[:, SWAPPED]) / 2

    def _one(self, rows: torch.Tensor) -> torch.Tensor:
        return self.direct(rows) + self.outer(torch.relu(self.inner(rows)))

    def members(self) -> tuple[Predictor, Predictor]:
        """The two summands, to be stored."""
        direct, inner = (_linear(layer.weight, layer.bias) for layer in (self.direct, self.inner))
        outer = _linear(self.outer.weight, torch.zeros(len(OUTPUTS)))
        return direct, predictors.Network((inner, outer))


def _linear(weight: torch.Tensor, bias: torch.Tensor) -> Linear:
    arrays = (each.detach().double().numpy().round(DIGITS) for each in (weight.T, bias))
    return Linear(*arrays)


def fit(features: Observed, data: Learned, settings: Settings) -> Judge:
    """The judge that is learned from pairs.

    Args:
        features: Of n pairs.
        data: Those pairs.
        settings: Size, steps and shrinkage.
    """
    return Judge(network_of(inputs(features), data, settings))


def network_of(both: Float64Array, data: Learned, settings: Settings) -> Standardised:
    """The network that is learned from the inputs of n pairs in both orders, (n, 2, width)."""
    mean, scale = both.mean((0, 1)).round(DIGITS), both.std((0, 1)).round(DIGITS)
    scale = np.where(scale > 0, scale, 1.0)
    whole = Standardised(mean, scale, Ensemble(()), FARTHEST)
    there, back = (torch.from_numpy(whole.scaled(both[:, side])).float() for side in (0, 1))
    absent = torch.log(torch.from_numpy(data.allowed).float() + ABSENT)
    counts = torch.from_numpy(data.weights / data.weights.mean()).float()
    known = torch.tensor([source.startswith("SNLI") for source in data.sources]).float()
    excludes = torch.from_numpy(data.gold == CONTRADICTION).float()
    exclusive = torch.nn.BCEWithLogitsLoss(reduction="none")

    def member(number: int) -> tuple[Predictor, Predictor]:
        torch.manual_seed(settings.seed + number)
        network = Network(there.shape[1], settings.hidden)
        shrunk = [one for name, one in network.named_parameters() if name.endswith("weight")]

        def loss(rows: torch.Tensor) -> torch.Tensor:
            found = network(there[rows], back[rows])
            labels = torch.log_softmax(found[:, :-1], 1)
            likely = torch.logsumexp(labels + absent[rows], 1)
            value = -(counts[rows] * likely).mean()
            value = value + (exclusive(found[:, -1], excludes[rows]) * known[rows]).mean()
            return value + settings.l2 * sum(one.square().sum() for one in shrunk)

        steps = len(there) // settings.batch
        orders = (torch.randperm(len(there)) for _ in range(settings.epochs))
        batches = (order[: steps * settings.batch].reshape(steps, -1) for order in orders)
        losses = (partial(loss, rows) for order in batches for rows in order)
        minimise(network.parameters(), losses, settings.epochs * steps, settings.rate)
        return network.members()

    members = [one for number in range(settings.members) for one in member(number)]
    return replace(whole, model=Ensemble(tuple(members), divisor=settings.members))


# --- calibration

TEMPERATURES = np.exp(np.linspace(-0.7, 1.2, 39))
FEWEST = 20
KNOWN = 0.3
"""The weight from which a pair's labels are known well enough to say how often one is right."""


def calibrated(judge: Judge, found: Float64Array, rules: Float64Array, data: Learned) -> Judge:
    """The judge with temperatures and thresholds by kind of evidence.

    Args:
        judge: Without them.
        found: The network's probabilities of pairs not learned from, (n, labels).
        rules: Of those pairs, (n, r).
        data: Those pairs.
    """
    kinds = rules[:, -1].astype(int)
    temperatures = np.ones(len(KINDS))
    thresholds = np.tile(PRECISIONS, (len(KINDS), 1))
    for kind in range(len(KINDS)):
        rows = np.flatnonzero(kinds == kind)
        if len(rows) < FEWEST:
            continue
        thresholds[kind] = NEVER
        allowed, weights = data.allowed[rows], data.weights[rows]
        likely = {}
        for temperature in TEMPERATURES.tolist():
            softened = np.array([tempered(row, temperature) for row in found[rows]])
            logarithms = np.log(np.maximum((softened * allowed).sum(1), ABSENT))
            likely[temperature] = (weights * logarithms).sum()
        temperatures[kind] = max(likely, key=likely.__getitem__)
        softened = replace(judge, temperatures=temperatures).ruled(found[rows], rules[rows])
        most, right = softened.max(1), allowed[np.arange(len(rows)), softened.argmax(1)]
        known = weights >= KNOWN
        curve = isotonic(most[known, None], right[known])
        for column, wanted in enumerate(PRECISIONS):
            enough = curve.knots[curve.values >= wanted]
            if len(enough) and curve.values[-1] > curve.values[0]:
                thresholds[kind, column] = min(enough)
    temperatures, thresholds = temperatures.round(DIGITS), thresholds.round(DIGITS)
    return replace(judge, temperatures=temperatures, thresholds=thresholds)


# --- figures


def three_ways(probabilities: Float64Array) -> Float64Array:
    """Entailment, neutral, contradiction of the second sentence given the first, (n, 3)."""
    same, entails, entailed, differs, contradicts, unrelated = probabilities.T
    return np.stack([same + entails, entailed + differs + unrelated, contradicts], 1)


BINS = 15


def calibration_error(probabilities: Float64Array, gold: IntArray) -> float:
    """The expected calibration error: how far the probability of the most probable class is from
    how often it is right, in bins of equal width (Guo et al. 2017).
    """
    sure, right = probabilities.max(1), probabilities.argmax(1) == gold
    place = np.minimum((sure * BINS).astype(int), BINS - 1)
    error = 0.0
    for bin in np.unique(place):
        within = place == bin
        error += float(within.mean() * abs(sure[within].mean() - right[within].mean()))
    return error


def interval(values: Sequence[float] | Float64Array, draws: int = 1000) -> str:
    """A mean with its interval of 95 % by bootstrap."""
    rows = np.asarray(values, float)
    random = np.random.default_rng(0)
    means = [rows[random.integers(len(rows), size=len(rows))].mean() for _ in range(draws)]
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{rows.mean():.3f} [{low:.3f}, {high:.3f}]"


def told(name: str, found: Float64Array, gold: IntArray, scores: Float64Array) -> Iterator[str]:
    """Lines of what the probabilities of a data set are worth.

    Args:
        name: The data set.
        found: (n, labels).
        gold: (n,), as in ``Part``.
        scores: Of the hybrid, (n,), to compare with.
    """
    three, known = three_ways(found), gold >= 0
    if name.startswith(("SICK", "SNLI")):
        right = three.argmax(1) == gold
        error = f"{calibration_error(three, gold):.3f}"
        yield f"{name}, {len(gold)}: accuracy of three {interval(right)}, calibration error {error}"
        yield f"{name}: of three {held(three.max(1), right)}"
    elif name.startswith(("MED", "MoNLI", "ConjNLI")):
        right = (three[:, 0] > 0.5) == (gold == 0)
        of_two = f"entailment or not {interval(right)}, {held(three[:, 0], right)}"
        yield f"{name}, {len(gold)}: {of_two}"
    elif known.any():
        cells = []
        for values in (found[:, 0], scores):
            area = classification(values[known], gold[known] == 1, ("auc",), 1000)["auc"]
            cells.append(f"{area.value:.3f} [{area.low:.3f}, {area.high:.3f}]")
        areas = ", ".join(cells)
        yield f"{name}, {known.sum()}: AUC of same by its probability, score {areas}"


def held(probability: Float64Array, right: BoolArray) -> str:
    """How many are held at .9 or more, either way, and how many of these are wrong."""
    sure = np.maximum(probability, 1 - probability) >= 0.9
    return f"held at .9 {sure.mean():.2f}, wrong of these {1 - right[sure].mean():.3f}"


def gathered(data: Path, folder: Path) -> tuple[Learned, Table]:
    """All that is learned from, and its features."""
    held = [part(name, data) for name in HELD_OUT]
    parts, tables = [], []
    for name in LEARNED_FROM:
        whole = part(name, data)
        table = load(folder, whole)
        usable = ~np.isnan(table.scores)
        rows = np.array([row for row in unseen(whole, held, data) if usable[row]])
        parts.append(whole.take(rows))
        tables.append(Table(*(column[rows] for column in table)))
    return joined(parts), Table(*map(np.concatenate, zip(*tables, strict=True)))


def main(
    settings: Settings,
    data: Path = DATA,
    features: Path = Path("runs/judge"),
    write: bool = False,
) -> None:
    learned, table = gathered(data, features)
    observed, folds = Observed(*table[:2]), learned.folds(FOLDS)
    raw = np.zeros((len(learned.pairs), len(LABELS)))
    for fold in range(FOLDS):
        chosen = folds != fold
        judge = fit(observed.taken(chosen), learned.take(np.flatnonzero(chosen)), settings)
        raw[~chosen] = judge.probabilities(observed.taken(~chosen))
    found, sources, rules = np.zeros_like(raw), np.array(learned.sources), table.rules
    for fold in range(FOLDS):  # calibrated on the others
        chosen = folds != fold
        made = calibrated(judge, raw[chosen], rules[chosen], learned.take(np.flatnonzero(chosen)))
        found[~chosen] = made.ruled(raw[~chosen], rules[~chosen])
    lines = [f"{len(learned.pairs)} pairs, {settings}, weights {LEARNED_FROM}", "", "Out of fold"]
    for name in LEARNED_FROM:
        rows = sources == name
        lines += told(name, found[rows], learned.gold[rows], table.scores[rows])
    judge = calibrated(fit(observed, learned, settings), raw, rules, learned)
    for number, kind in enumerate(KINDS):
        least = " ".join(f"{value:.2f}" for value in judge.thresholds[number])
        lines.append(f"{kind:<13} temperature {judge.temperatures[number]:.2f}, thresholds {least}")
    print("\n".join(lines))
    if write:
        about = {"learned": "python -m models.judge.learn", "settings": asdict(settings)}
        FILE.write_text(json.dumps(judge.to_dict() | about) + "\n", "utf-8")
        LOG.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    run(main)
