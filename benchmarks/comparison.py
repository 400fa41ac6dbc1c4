"""The comparison before and after: models on every benchmark at hand, what differs, and the worst
errors that remain.

    python benchmarks/comparison.py run [--models hybrid hybrid-0.1 embedded] [--sets "STSb test" …]
    python benchmarks/comparison.py table [--models hybrid hybrid-0.1 embedded]
    python benchmarks/comparison.py errors [--models hybrid] [--count 10]

``run`` writes whole cards, with the scores of single pairs, to ``runs/comparison/``. ``table``
prints them as one Markdown table, with intervals of 95 % and, of the first model, what it has more
than each other one (paired bootstrap). ``errors`` prints the rows of each benchmark that the first
model has most wrong. STSb test, SICK test, STS3k and the held-out minimal pairs are test sets: they
are reported, and nothing is chosen on them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sts import ROOT, card_file

from hybridsem import Pipeline
from hybridsem.datasets.rated_pairs import RatedPairs
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation import Card, evaluate, load_card
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.report.tables import Cell
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.task import task

RUNS = ROOT / "runs" / "comparison"
MODELS = ("hybrid", "hybrid-0.1", "embedded")


class Set(NamedTuple):
    """A benchmark, its data, and the measures that are shown."""

    name: str
    task: str
    data: str | None
    measures: tuple[str, ...] = ("spearman",)
    options: Mapping[str, str] = {}


SETS = (
    Set("STSb dev", "stsb", "sts/stsb-en-dev.csv"),
    Set("STSb test", "stsb", "sts/stsb-en-test.csv"),
    Set("SICK train", "sick", "sts/SICK_train.txt"),
    Set("SICK test", "sick", "sts/SICK_test_annotated.txt"),
    Set("STS12", "relatedness", "sts12"),
    Set("pilot", "relatedness", "sts/Fodor_pilot_2022.txt"),
    Set("STS3k", "sts3k", "sts3k-dev"),
    Set("PAWS-Wiki dev", "paws", "paws/paws-wiki-dev.tsv", ("auc", "average precision")),
    Set("SugarCrepe++", "sugarcrepe-pp", "sugarcrepe-pp", ("both",)),
    Set(
        "minimal pairs, development", "minimal-pairs", None, ("accuracy",), {"part": "development"}
    ),
    Set("minimal pairs, held out", "minimal-pairs", None, ("accuracy",), {"part": "held-out"}),
    Set("SNLI dev", "entailment", "analogies/snli-dev.tsv", ("contradiction auc",)),
)


def file_of(model: str, benchmark: Set) -> Path:
    return card_file(RUNS, benchmark.name.lower().replace(", ", ".").replace(" ", "-"), model)


def run(model: str, benchmark: Set, data: Path, resamples: int) -> None:
    began = time.perf_counter()
    file = None if benchmark.data is None else data / benchmark.data
    card = evaluate(
        benchmark.task, Pipeline(model), file, name=model, resamples=resamples, **benchmark.options
    )
    target = file_of(model, benchmark)
    target.parent.mkdir(parents=True, exist_ok=True)
    card.save(target)
    figures = (
        f"{group} {found[measure].value:.3f}"
        for group, found in card.scores.items()
        for measure in benchmark.measures[:1]
        if measure in found and found[measure].value is not None
    )
    said = "  ".join(list(figures)[:6])
    print(
        f"{model:<12} {benchmark.name:<28} {said}  {time.perf_counter() - began:.0f} s", flush=True
    )


def cards(models: list[str], benchmark: Set) -> dict[str, Card]:
    """The whole cards that there are, by model."""
    files = {model: file_of(model, benchmark) for model in models}
    return {model: load_card(file) for model, file in files.items() if file.is_file()}


def table(models: list[str], sets: list[Set], resamples: int) -> Iterator[str]:
    first, *others = models
    heads = ["", *models, *(f"{first} - {other}" for other in others)]
    yield f"| {' | '.join(heads)} |"
    yield "| --- |" + " --- |" * (len(heads) - 1)
    for benchmark in sets:
        found = cards(models, benchmark)
        if first not in found:
            continue
        for measure in benchmark.measures:
            against = {
                other: differences(found, first, other, measure, resamples)
                for other in others
                if other in found
            }
            for group, figures in found[first].scores.items():
                if measure not in figures:
                    continue
                row = [row_name(benchmark, group, measure)]
                for model in models:
                    shown = found[model].scores[group][measure] if model in found else None
                    row.append(interval(shown))
                row += [difference(against.get(other, {}).get(group)) for other in others]
                yield f"| {' | '.join(row)} |"


def differences(
    found: Mapping[str, Card], first: str, other: str, measure: str, resamples: int
) -> dict[str, Cell]:
    """The cells of the first model, tested against another, by group."""
    pair = [found[first], found[other]]
    groups = [group for group, own in found[first].scores.items() if measure in own]
    tested = compare(
        pair,
        names=[first, other],
        measure=measure,
        groups=groups,
        against=other,
        correction="none",
        resamples=resamples,
    )
    return {column.group: tested.cells[first, column] for column in tested.columns}


def row_name(benchmark: Set, group: str, measure: str) -> str:
    plain = benchmark.name if group == "all" else f"{benchmark.name}: {group}"
    return f"{plain}, {measure}"


def figure(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)


def interval(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return figure(estimate.value)
    return f"{figure(estimate.value)} [{figure(estimate.low)}, {figure(estimate.high)}]"


def difference(cell: Cell | None) -> str:
    if cell is None or cell.difference is None or cell.difference.value is None:
        return "–"
    found = cell.difference
    signed = f"{'+' if found.value >= 0 else ''}{figure(found.value)}"
    if found.low is None or found.high is None:
        return signed
    text = f"{signed} [{figure(found.low)}, {figure(found.high)}]"
    return f"**{text}**" if found.low > 0 or found.high < 0 else text


class Wrong(NamedTuple):
    """A row that a model has wrong: how much, what it is, and what was said of it."""

    amount: float
    sentences: tuple[str, ...]
    said: str


def wrong(card: Card, benchmark: Set, data: Path) -> list[Wrong]:
    """The rows of a benchmark, the worst first."""
    settings = Settings(options={"as_written": False, **benchmark.options})
    chosen = task(benchmark.task)
    source = chosen.packaged() if benchmark.data is None else data / benchmark.data  # type: ignore[misc]
    loaded: Any = chosen.load(source, settings)
    if isinstance(loaded, RatedPairs):
        found = wrong_ratings(card, loaded)
    elif "label" in card.columns:
        found = wrong_labels(card, loaded.pairs, benchmark)
    else:
        found = wrong_triples(card, loaded.items)
    return sorted(found, key=lambda one: -one.amount)


def wrong_ratings(card: Card, data: RatedPairs) -> Iterator[Wrong]:
    """By how far apart the ranks of score and rating are."""
    from scipy.stats import rankdata

    scores, gold = (np.array(card.columns[name], float) for name in ("score", "gold"))
    places = [rankdata(column, nan_policy="omit") / len(column) for column in (scores, gold)]
    for pair, score, rating, place, wanted in zip(data.pairs, scores, gold, *places, strict=True):
        if not np.isnan([score, rating]).any():
            said = f"score {score:.2f} (above {place:.0%}), rating {rating:g} (above {wanted:.0%})"
            yield Wrong(abs(place - wanted), (pair.text1, pair.text2), said)


def wrong_labels(card: Card, pairs: Any, benchmark: Set) -> Iterator[Wrong]:
    """By the share of the other class's rows that the row is on the wrong side of."""
    scores, labels = np.array(card.columns["score"], float), np.array(card.columns["label"])
    low = labels == ("contradiction" if benchmark.task == "entailment" else "different")
    ordered = {is_low: np.sort(scores[low == is_low]) for is_low in (True, False)}
    for pair, score, label, is_low in zip(pairs, scores, labels, low, strict=True):
        other = ordered[not is_low]
        below = np.searchsorted(other, score) / len(other)
        yield Wrong(below if is_low else 1 - below, tuple(pair), f"score {score:.2f}, {label}")


def wrong_triples(card: Card, items: Any) -> Iterator[Wrong]:
    """By the lead of an alteration over the paraphrase."""
    names = [name for name in card.columns if name.startswith(("alteration", "negative of"))]
    columns = [np.array(card.columns[name], float) for name in ("paraphrase", *names)]
    for item, paraphrase, *altered in zip(items, *columns, strict=True):
        said = f"{item.kind}: paraphrase {paraphrase:.2f}, alteration {max(altered):.2f}"
        yield Wrong(max(altered) - paraphrase, tuple(item[1:]), said)


def errors(model: str, sets: list[Set], data: Path, count: int) -> Iterator[str]:
    for benchmark in sets:
        card = cards([model], benchmark).get(model)
        if card is None:
            continue
        yield f"## {benchmark.name}\n"
        for found in wrong(card, benchmark, data)[:count]:
            yield f"- {' / '.join(found.sentences)}  \n  {found.said}"
        yield ""


def main() -> None:
    names = [benchmark.name for benchmark in SETS]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("part", choices=("run", "table", "errors"))
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--models", nargs="+", default=[*MODELS])
    parser.add_argument("--sets", nargs="+", default=names, choices=names, metavar="SET")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--count", type=int, default=10, help="errors of each benchmark")
    options = parser.parse_args()
    sets = [benchmark for benchmark in SETS if benchmark.name in options.sets]
    if options.part == "run":
        for model in options.models:
            for benchmark in sets:
                run(model, benchmark, options.data, options.resamples)
    elif options.part == "table":
        print("\n".join(table(options.models, sets, options.resamples)))
    else:
        print("\n".join(errors(options.models[0], sets, options.data, options.count)))


if __name__ == "__main__":
    main()
