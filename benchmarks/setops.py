"""Set operations: the reference figures, the models beside each other, and the speed at the paper's
size.

    python -m benchmarks.setops reference [--data DIR]          all-MiniLM-L6-v2, WikiSplit
    python -m benchmarks.setops models [--models embedded …]    one table on one grid; runs/setops/
    python -m benchmarks.setops speed [--samples 192000]        given vectors, seconds, memory

The samples are those of WikiSplit's validation triples whose two parts have a cosine below .25 for
all-MiniLM-L6-v2.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora.set_operations import from_triples, read_triples
from hybridsem import Pipeline
from hybridsem.datasets.set_operations import OPERATORS, Sample, Samples, write
from hybridsem.evaluation import Card, EvaluatedModel, evaluate, evaluated_model, load_card
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.report.tables import LAYOUTS
from hybridsem.evaluation.task import task as named_task

ROOT = Path(__file__).parents[1]
RUNS = ROOT / "runs" / "setops"
WIKISPLIT = "setops/wikisplit-validation.tsv"
REFERENCE = "sbert-mini"

GLOVE = "glove:{}/words/glove.6B.50d.first9k.txt"
MODELS: dict[str, dict[str, str]] = {
    "sbert-mini": {"model": "sbert-mini"},
    "embedded": {"model": "embedded"},
    "mean": {"model": "mean"},
    "dct-1": {"model": "dct-1"},
    "sif": {"model": "sif"},
    "mean, GloVe-9k": {"model": "mean", "vectors": GLOVE},
    "dct-1, GloVe-9k": {"model": "dct-1", "vectors": GLOVE},
    "sif, GloVe-9k": {"model": "sif", "vectors": GLOVE},
    "verbnet-cn, role slots": {"model": "verbnet-cn"},
}
SCORES = {"hybrid, scores": {"model": "hybrid"}}
# Group, statistic, what it is multiplied with, and the figure that it should be.
FIGURES = (
    ("C3 difference", "Sim(B,D)", 1, ".1755"),
    ("C3 difference", "difference 1", 1, ".5095"),
    ("C3 difference, ned", "distance(B,D)", 1, ".4141"),
    ("C3 difference", "satisfied", 100, "26.98"),
    ("C3 difference", "TF", 100, "27.28"),
    ("C3 difference", "FT", 100, "27.28"),
    ("C3 difference", "FF", 100, "18.45"),
    ("C4 difference", "satisfied", 100, "71.76"),
    ("C5 difference", "angle to B", 1, "1.704"),
    ("C6 union", "satisfied", 100, "99.91"),
    ("C6 union", "angle to B", 1, ".626"),
    ("C6 union", "norm ratio", 1, "1.010"),
)


def samples_file(data: Path) -> Path:
    """The file of samples, made once."""
    path = RUNS / "wikisplit.jsonl"
    if not path.is_file():
        RUNS.mkdir(parents=True, exist_ok=True)
        built = from_triples(read_triples(data / WIKISPLIT), [evaluated_model(REFERENCE)])
        print(f"{write(path, built.samples)} samples; left out: {built.left_out}", flush=True)
    return path


def reference(data: Path, resamples: int) -> None:
    card = evaluate(
        "setops", REFERENCE, samples_file(data), measures=("cosine", "ned"), resamples=resamples
    )
    card.save(RUNS / "reference.json")
    for group, name, times, wanted in FIGURES:
        value = times * (card.scores[group][name].value or np.nan)
        digits = len(wanted.partition(".")[2])
        shown = f"{value:.{digits}f}".removeprefix("0")
        print(
            f"{'  ' if shown == wanted else '! '}{group:<20} {name:<14} {shown:>8}  wanted "
            f"{wanted:>6}  {value:.6f}"
        )


def models(data: Path, chosen: Sequence[str], resamples: int) -> None:
    file = samples_file(data)
    for name, parts in {**MODELS, **SCORES}.items():
        if name in chosen:
            began = time.perf_counter()
            tested = evaluated_model(
                Pipeline(**{part: value.format(data) for part, value in parts.items()})
            )
            measures = ("score",) if name in SCORES else ("cosine", "ned")
            card = evaluate(
                "setops", tested, file, name=name, measures=measures, resamples=resamples
            )
            card.save(RUNS / f"{name.replace(', ', '.').replace(' ', '-')}.json")
            print(
                f"{name:<24} {time.perf_counter() - began:.1f} s  {dict(card.counts)}", flush=True
            )
    found: list[Card] = []
    for name in (*MODELS, *SCORES):
        card_file = RUNS / f"{name.replace(', ', '.').replace(' ', '-')}.json"
        if card_file.is_file():
            found.append(load_card(card_file))
    groups = ("C3 difference", "C4 difference", "C5 difference", "C6 union")
    for measure in ("satisfied", "Sim(B,D)", "angle to B"):
        print(
            LAYOUTS["markdown"](
                compare(found, measure=measure, groups=groups, resamples=resamples), False
            )
        )


class Given(EvaluatedModel):
    """Vectors that are there already."""

    name, offers = "given", frozenset({"vectors"})

    def __init__(self, table: np.ndarray[Any, Any]) -> None:
        self.table = table

    def vectors(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        return self.table[[int(text) for text in texts]]


def speed(samples: int, dimensions: int, resamples: int, folder: Path) -> None:
    """Three operators, every text another one, as many vectors as three a sample."""
    table = np.random.default_rng(0).normal(size=(3 * samples, dimensions)).astype(np.float32)
    rows = (
        Sample(OPERATORS[row % 3], *(str(3 * row + place) for place in range(3)))
        for row in range(samples)
    )
    began = time.perf_counter()
    data = Samples.of(rows)
    read = time.perf_counter() - began

    def load(*_: object) -> Samples:
        return data

    task = replace(named_task("setops"), load=load)
    began, busy = time.perf_counter(), time.process_time()
    card = evaluate(task, Given(table), ".", measures="all", resamples=resamples)
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    began = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    card.save(folder / "speed.json")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{samples} samples of {dimensions} dimensions, {len(card.scores)} groups, {resamples} "
        "resamples: "
        f"{seconds:.1f} s, {busy:.1f} s of processor time (samples made in {read:.1f} s, "
        f"card written in {time.perf_counter() - began:.1f} s), {peak:.2f} GB at most"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Set-theoretic compositionality.")
    parser.add_argument("what", choices=["reference", "models", "speed"])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument(
        "--models", nargs="*", default=[*MODELS, *SCORES], help="rows; none: the tables alone"
    )
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--samples", type=int, default=192_000)
    parser.add_argument("--dimensions", type=int, default=384)
    options = parser.parse_args()
    if options.what == "reference":
        reference(options.data, options.resamples)
    elif options.what == "models":
        models(options.data, options.models, options.resamples)
    else:
        speed(options.samples, options.dimensions, options.resamples, RUNS)


if __name__ == "__main__":
    main()
