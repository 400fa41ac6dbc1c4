"""Learn the judge: a small network over the features of a pair, read in both directions.

    python -m models.judge.features --data ../shared/data --to runs/judge
    python -m models.judge.learn --data ../shared/data --features runs/judge --write
    python -m models.manifest

A pair counts by the probability of the labels that it may have (``data.py``). Every figure on what
is learned from is out of fold, and folds are of whole groups of pairs that share a sentence; those
on sets that are held out come from the network that is written. ``--write`` writes
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
from models.judge.data import HELD_OUT, LEARNED_FROM, Learned, Part, learned, part, unseen
from models.judge.features import Table, load
from models.recipe import SHIPPED, command

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
        values: torch.Tensor = self.direct(rows) + self.outer(torch.relu(self.inner(rows)))
        return values

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
        temperatures[kind] = max(likely, key=lambda one: likely[one])
        softened = replace(judge, temperatures=temperatures).ruled(found[rows], rules[rows])
        most, right = softened.max(1), allowed[np.arange(len(rows)), softened.argmax(1)]
        known = weights >= KNOWN
        curve = isotonic(most[known, None], right[known])
        for column, wanted in enumerate(PRECISIONS):
            enough = curve.knots[curve.values >= wanted]
            if len(enough) and curve.values[-1] > curve.values[0]:
                thresholds[kind, column] = min(enough)
    return replace(
        judge, temperatures=temperatures.round(DIGITS), thresholds=thresholds.round(DIGITS)
    )


# --- figures


def three_ways(probabilities: Float64Array) -> Float64Array:
    """Entailment, neutral, contradiction of the second sentence given the first, (n, 3)."""
    same, entails, entailed, differs, contradicts, unrelated = probabilities.T
    return np.stack([same + entails, entailed + differs + unrelated, contradicts], 1)


def calibration_error(probabilities: Float64Array, gold: IntArray, bins: int = 15) -> float:
    """The expected calibration error: how far the probability of the most probable class is from
    how often it is right, in bins of equal width (Guo et al. 2017).
    """
    sure, right = probabilities.max(1), probabilities.argmax(1) == gold
    place = np.minimum((sure * bins).astype(int), bins - 1)
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


def told(
    name: str, found: Float64Array, gold: IntArray, scores: Float64Array, excludes: Float64Array
) -> Iterator[str]:
    """Lines of what the probabilities of a data set are worth.

    Args:
        name: The data set.
        found: (n, labels).
        gold: (n,), as in ``Part``.
        scores: Of the hybrid, (n,), to compare with.
        excludes: The output that says so, (n,).
    """
    if "SICK" in name or "SNLI" in name:
        three = three_ways(found)
        right = three.argmax(1) == gold
        yield (
            f"{name}, {len(gold)}: accuracy of three {interval(right)}, calibration error "
            f"{calibration_error(three, gold):.3f}"
        )
        yield f"{name}: of three {held(three.max(1), right)}"
        against = {
            "contradicts": found[:, 4],
            "contradicts or unrelated": found[:, 4] + found[:, 5],
            "exclude": excludes,
            "score": -scores,
        }
        cells = [f"{by} {_auc(values, gold == 2)}" for by, values in against.items()]
        yield f"{name}: AUC of contradiction by {', '.join(cells)}"
    elif name.split(",")[0] in ("MED", "MoNLI", "ConjNLI"):
        follows = three_ways(found)[:, 0]
        right = (follows > 0.5) == (gold == 0)
        yield f"{name}, {len(gold)}: entailment or not {interval(right)}, {held(follows, right)}"
    elif (gold >= 0).any():
        known = gold >= 0
        same = gold[known] == 1
        yield (
            f"{name}, {len(same)}: AUC of same by its probability {_auc(found[known, 0], same)}, "
            f"score {_auc(scores[known], same)}"
        )


def held(probability: Float64Array, right: BoolArray) -> str:
    """How many are held at .9 or more, either way, and how many of these are wrong."""
    sure = np.maximum(probability, 1 - probability) >= 0.9
    return f"held at .9 {sure.mean():.2f}, wrong of these {1 - right[sure].mean():.3f}"


def _auc(values: Float64Array, positive: BoolArray) -> str:
    one = classification(values, positive, ("auc",), 1000)["auc"]
    return f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"


def confusion(found: Float64Array, gold: IntArray) -> Iterator[str]:
    """How often each class of three is taken for which."""
    named = three_ways(found).argmax(1)
    yield "                 entailment  neutral  contradiction"
    for number, name in enumerate(("entailment", "neutral", "contradiction")):
        counts = np.bincount(named[gold == number], minlength=3)
        yield f"{name:<16} {counts[0]:>10} {counts[1]:>8} {counts[2]:>14}"


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("--features", type=Path, default=Path("runs/judge"))
    for name, value in asdict(Settings()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    settings = Settings(**{name: getattr(options, name) for name in asdict(Settings())})
    log: list[str] = []

    def say(*lines: str) -> None:
        log.extend(lines)
        print("\n".join(lines), flush=True)

    held = [part(name, options.data) for name in HELD_OUT]
    parts, tables = [], []
    for name in LEARNED_FROM:
        whole = part(name, options.data)
        table = load(options.features, whole)
        usable = ~np.isnan(table.scores)
        rows = np.array([row for row in unseen(whole, held, options.data) if usable[row]])
        parts.append(whole.take(rows))
        tables.append(Table(*(column[rows] for column in table)))
    data = learned(parts)
    symmetric, directed, rules, scores = map(np.concatenate, zip(*tables, strict=True))
    say(f"{len(data.pairs)} pairs, {settings}, weights {LEARNED_FROM}", "", "Out of fold")
    folds = data.folds(FOLDS)
    found = np.zeros((len(data.pairs), len(LABELS)))
    excludes = np.zeros(len(data.pairs))
    for fold in range(FOLDS):
        chosen = folds != fold
        features = Observed(symmetric[chosen], directed[chosen])
        judge = fit(features, data.take(np.flatnonzero(chosen)), settings)
        rest = Observed(symmetric[~chosen], directed[~chosen])
        found[~chosen], excludes[~chosen] = judge.probabilities(rest), judge.values(rest)[:, -1]
    raw, sources = found, np.array(data.sources)
    found = np.zeros_like(raw)
    for fold in range(FOLDS):  # calibrated on the others
        chosen = folds != fold
        others = data.take(np.flatnonzero(chosen))
        made = calibrated(judge, raw[chosen], rules[chosen], others)
        found[~chosen] = made.ruled(raw[~chosen], rules[~chosen])
    for name in LEARNED_FROM:
        rows = sources == name
        say(*told(name, found[rows], data.gold[rows], scores[rows], excludes[rows]))
    say(*confusion(found[sources == "SICK train"], data.gold[sources == "SICK train"]))
    judge = calibrated(fit(Observed(symmetric, directed), data, settings), raw, rules, data)
    for number, kind in enumerate(KINDS):
        least = " ".join(f"{value:.2f}" for value in judge.thresholds[number])
        say(f"{kind:<13} temperature {judge.temperatures[number]:.2f}, thresholds {least}")
    say("", "Held out")
    for one in held:
        table = load(options.features, one)
        say(*_told_of(one, table, judge))
    if options.write:
        about = {"learned": "python -m models.judge.learn", "settings": asdict(settings)}
        FILE.write_text(json.dumps(judge.to_dict() | about) + "\n", "utf-8")
        LOG.write_text("\n".join(log) + "\n", "utf-8")


def _told_of(pairs: Part, table: Table, judge: Judge) -> Iterator[str]:
    usable = ~np.isnan(table.scores)
    features = Observed(*(column[usable] for column in table[:3]))
    found, excludes = judge.probabilities(features), judge.values(features)[:, -1]
    yield from told(pairs.name, found, pairs.gold[usable], table.scores[usable], excludes)


if __name__ == "__main__":
    main()
