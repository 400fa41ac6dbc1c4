"""The vector that holds structure beside the plain one: every figure by the cosine alone.

    python benchmarks/role_encoder.py --data ../shared/data [--analogies runs/analogies/…jsonl]
    python benchmarks/role_encoder.py --curve models/role_encoder/blend.jsonl

Prints a table with intervals of 95 % (bootstrap over items) and the difference of the two (paired):
development data that were not learned from (the halves that ``models.role_encoder.sentences``
keeps), and test sets, which are reported alone. The analogies are those that
``benchmarks/analogies.py build`` makes. Then sentences/s of both, side by side in one run.

``--curve`` draws the trade, from logs of ``models.role_encoder.blend``: how well STSb dev is kept,
and how far what is exchanged is told apart, as ``docs/role-encoder-trade.svg``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import rankdata, spearmanr

from hybridsem import Pipeline
from hybridsem._typing import Float64Array, IntArray
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.sts_files import sts3k
from hybridsem.datasets.triples import HELD_OUT, minimal_pairs, packaged_minimal_pairs
from hybridsem.evaluation import evaluate, evaluated_model
from hybridsem.evaluation.report.plots import save
from hybridsem.tables import read_pairs
from models.hybrid.data import development
from models.role_encoder.sentences import parts

ROOT = Path(__file__).parents[1]
MODELS = ("embedded", "role-encoder")
APART = {
    "PAWS-Wiki dev auc": "PAWS-Wiki dev (held-out half), AUC",
    "held order": "recast above exchanged (held-out groups)",
}
CURVE = ROOT / "docs" / "role-encoder-trade.svg"
KEPT = {"STSb dev spearman": "o-", "STS12 mean": "s--"}
Measure = Callable[[Float64Array, Float64Array], float]


@dataclass(frozen=True)
class Row:
    """A figure: pairs by item, (items,) or (items, k) rows of ``pairs``, and what is measured."""

    name: str
    pairs: Sequence[tuple[str, str]]
    items: IntArray
    target: Float64Array
    measure: Measure


def spearman(scores: Float64Array, target: Float64Array) -> float:
    return float(spearmanr(scores, target)[0])


def auc(scores: Float64Array, target: Float64Array) -> float:
    ranks, positive = rankdata(scores), target == 1
    n = int(positive.sum())
    above = float(ranks[positive].sum()) - n * (n + 1) / 2
    return above / (n * (len(target) - n))


def right(scores: Float64Array, target: Float64Array) -> float:
    return float((scores[:, 0] > scores[:, 1:].max(1)).mean())


def rows(data: Path) -> Iterator[Row]:
    """The figures, those of development data first."""
    found = development(data)
    measures = {"rated": spearman, "labelled": auc, "triples": right}
    for task_name, (_, held) in parts(found).items():
        if len(held.rows):
            name = f"{task_name}, {measures[held.kind].__name__}"
            yield Row(name, found.pairs, held.rows, held.target, measures[held.kind])
    unseen = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": HELD_OUT}))
    triples = [
        [(one.sentence, one.paraphrase), (one.sentence, one.alteration)] for one in unseen.items
    ]
    flat = [pair for two in triples for pair in two]
    items = np.arange(len(flat)).reshape(-1, 2)
    yield Row("test: minimal pairs held out, right", flat, items, np.empty(len(items)), right)
    for name, file in (("STSb", "sts/stsb-en-test.csv"), ("SICK", "sts/SICK_test_annotated.txt")):
        yield _rated(f"test: {name} test, spearman", data / file)
    yield from _sts3k(data / "sts3k-dev")


def _rated(name: str, file: Path) -> Row:
    rated = [pair for pair in read_pairs(file) if pair.gold is not None]
    gold = np.array([pair.gold for pair in rated], float)
    pairs = [(pair.text1, pair.text2) for pair in rated]
    return Row(name, pairs, np.arange(len(rated)), gold, spearman)


def _sts3k(folder: Path) -> Iterator[Row]:
    data = sts3k(folder, Settings())
    pairs = [(pair.text1, pair.text2) for pair in data.pairs]
    for group, chosen in {"all": np.arange(data.rows), **data.groups}.items():
        items = chosen[~np.isnan(data.gold[chosen])]
        yield Row(f"test: STS3k-dev {group}, spearman", pairs, items, data.gold[items], spearman)


def cosines(model: str, pairs: Sequence[tuple[str, str]]) -> Float64Array:
    return Pipeline(model).score(pairs)


def table(data: Path, resamples: int, seed: int = 0) -> Iterator[str]:
    """Lines of a Markdown table."""
    yield f"| | n | {' | '.join(MODELS)} | difference |"
    yield "| --- " * (len(MODELS) + 3) + "|"
    known: dict[tuple[str, tuple[str, str]], float] = {}
    means: dict[str, list[float]] = {}
    for row in rows(data):
        used = [row.pairs[i] for i in np.unique(row.items)]
        for model in MODELS:
            new = [pair for pair in dict.fromkeys(used) if (model, pair) not in known]
            found = cosines(model, new) if new else np.empty(0)
            known |= {(model, pair): s for pair, s in zip(new, found.tolist(), strict=True)}
        scores = {
            model: np.array([known[model, row.pairs[i]] for i in row.items.ravel()]).reshape(
                row.items.shape
            )
            for model in MODELS
        }
        yield _line(row, scores, resamples, seed)
        if row.name.startswith("STS12"):
            for model, values in scores.items():
                means.setdefault(model, []).append(row.measure(values, row.target))
            if len(means[MODELS[0]]) == 4:  # genres
                cells = (f"{np.mean(means[model]):.3f}" for model in MODELS)
                yield f"| STS12, mean | | {' | '.join(cells)} | |"


def _line(row: Row, scores: Mapping[str, Float64Array], resamples: int, seed: int) -> str:
    random = np.random.default_rng(seed)
    drawn = [random.integers(len(row.items), size=len(row.items)) for _ in range(resamples)]
    cells, samples = [], {}
    for model in MODELS:
        samples[model] = [
            row.measure(scores[model][some], row.target[some] if len(row.target) else row.target)
            for some in drawn
        ]
        value = row.measure(scores[model], row.target)
        cells.append(f"{value:.3f} {_interval(samples[model])}")
    one, two = (row.measure(scores[model], row.target) for model in MODELS)
    difference = np.subtract(samples[MODELS[1]], samples[MODELS[0]]).tolist()
    cells.append(f"{two - one:+.3f} {_interval(difference)}")
    return f"| {row.name} | {len(row.items)} | {' | '.join(cells)} |"


def _interval(values: Sequence[float]) -> str:
    low, high = np.nanquantile(values, [0.025, 0.975])
    return f"[{low:.3f}, {high:.3f}]"


def analogies(file: Path) -> Iterator[str]:
    """Accuracy of 3CosAdd by relational category."""
    cards = {model: evaluate("analogies", evaluated_model(model), file) for model in MODELS}
    yield f"| analogies, 3CosAdd | {' | '.join(MODELS)} |"
    yield "| --- " * (len(MODELS) + 1) + "|"
    for group, found in cards[MODELS[0]].scores.items():
        measure = str(cards[MODELS[0]].task["headline"])
        if measure in found:
            cells = (f"{cards[model].scores[group][measure].value:.3f}" for model in MODELS)
            yield f"| {group} | {' | '.join(cells)} |"


def speed(data: Path, rounds: int) -> Iterator[str]:
    """Sentences/s, the rounds of both by turns; what counts is the ratio."""
    file = data / "sts/stsb-en-test.csv"
    texts = list(dict.fromkeys(t for p in read_pairs(file) for t in (p.text1, p.text2)))
    encoders = {model: Pipeline(model).encoder for model in MODELS}
    taken: dict[str, list[float]] = {model: [] for model in MODELS}
    for round_ in range(rounds + 1):
        for model, encoder in encoders.items():
            began = time.process_time()
            encoder.encode(texts)
            if round_:  # the first warms everything up
                taken[model].append(time.process_time() - began)
    medians = {model: statistics.median(times) for model, times in taken.items()}
    for model, median in medians.items():
        yield f"{model}: {len(texts) / median:.0f} sentences/s of processor time"
    yield f"ratio {medians[MODELS[0]] / medians[MODELS[1]]:.3f}"


def curve(logs: Sequence[Path]) -> None:
    """Draw what is kept against what is told apart, two lines a log of blends."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for log in logs:
        lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
        lines.sort(key=lambda line: line["share"])
        for axes, (apart, label) in zip(panels, APART.items(), strict=True):
            for name, style in KEPT.items():
                points = [(line[apart], line[name] - lines[0][name]) for line in lines]
                kept = name.removesuffix(" spearman")
                run = log.stem.removeprefix("blend-")
                axes.plot(*zip(*points, strict=True), style, label=f"{kept}, {run} run")
                for line, point in zip(lines, points, strict=True):
                    text = f"{line['share']:g}"
                    axes.annotate(text, point, textcoords="offset points", xytext=(3, 4))
            axes.set_xlabel(label)
    panels[0].set_ylabel("Spearman, more than the plain vector has")
    panels[0].legend(fontsize=8)
    save(figure, CURVE)
    print(f"{CURVE}: {len(logs)} logs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--analogies", type=Path, help="of benchmarks/analogies.py build")
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--curve", nargs="*", type=Path, help="logs of models.role_encoder.blend")
    options = parser.parse_args()
    if options.curve is not None:
        curve(options.curve)
        return
    for line in table(options.data, options.resamples):
        print(line, flush=True)
    if options.analogies:
        print()
        for line in analogies(options.analogies):
            print(line, flush=True)
    print()
    for line in speed(options.data, options.rounds):
        print(line)


if __name__ == "__main__":
    main()
