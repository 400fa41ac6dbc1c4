"""How long the evaluator takes at the papers' sizes, without a model: seconds and memory.

    python -m benchmarks.evaluation_speed [--only statistics files setops analogies] [--size 1]

    statistics   10,000 resamples of 2,800 pairs, as many as STS3k has
    files        a csv file of a thousand and of a million rows, each in a process of its own
    setops       192,000 samples of 384 dimensions
    analogies    the ten lexical categories of Zhu & de Melo 2020, 1,032,106 questions
    perturb      eighteen perturbations of 1,000 texts of 700 words

All data are random.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np

from benchmarks.command import run
from benchmarks.timing import in_a_process, machine, show
from hybridsem._typing import Float32Array
from hybridsem.evaluation import EvaluatedModel, evaluate

EVALUATE = """
from hybridsem.evaluation import evaluate, similarities_file
card = evaluate("sts", similarities_file(given[1]), given[0])
result = {"spearman": card.headline["all"].value}
"""
CATEGORIES = (138, 928, 150, 402, 126, 205, 512, 466, 513, 451)
"""Pairs of the ten lexical categories, in the paper's Table 3."""
DIMENSIONS = 384


def statistics(size: float) -> None:
    from hybridsem.evaluation.statistics.model_tests import paired_bootstrap, williams
    from hybridsem.evaluation.statistics.rating_correlations import (
        MEASURES,
        correlations,
        split_half,
    )

    rows, resamples = max(20, round(2_800 * size)), max(10, round(10_000 * size))
    random = np.random.default_rng(0)
    gold = random.random(rows).round(3)  # ties, as ratings have
    first, second = gold + 0.3 * random.normal(size=(2, rows))
    ratings = gold + random.normal(size=(60, rows))
    for name in MEASURES:
        show(f"correlations, {name}", partial(correlations, first, gold, [name], resamples))
    show("correlations, all", partial(correlations, first, gold, resamples=resamples))
    bootstrap = partial(paired_bootstrap, first, second, gold, resamples=resamples)
    show("paired bootstrap, spearman", bootstrap)
    show("williams", partial(williams, first, second, gold))
    show("split half, 60 raters", partial(split_half, ratings))


def files(size: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        for rows in (1_000, max(1_000, round(1_000_000 * size))):
            random = np.random.default_rng(0)
            gold = random.integers(0, 1001, rows) / 1000
            data, similarities = Path(name, "pairs.csv"), Path(name, "similarities.txt")
            lines = (
                f"p{row},A sentence about thing {row} and its parts.,Another one about {row}.,"
                f"{rating:.3f}\n"
                for row, rating in enumerate(gold)
            )
            with data.open("w", encoding="utf-8") as stream:
                stream.writelines(["id,sentence1,sentence2,score\n", *lines])
            np.savetxt(similarities, gold + random.normal(0, 0.3, rows), "%.6f")
            used = in_a_process(EVALUATE, data, similarities)
            print(
                f"{f'{rows:,} rows of csv':44}{used['seconds']:8.2f} s  {used['processor']:8.2f} s "
                f"of the processor  {used['peak']:6.0f} MB at most"
            )


class Given(EvaluatedModel):
    """Vectors that are there already; a text is the number of its row."""

    name, offers = "given", frozenset({"vectors"})

    def __init__(self, table: Float32Array) -> None:
        self.table = table

    def vectors(self, texts: Sequence[str]) -> Float32Array:
        rows: Float32Array = self.table[[int(text) for text in texts]]
        return rows


def setops(size: float) -> None:
    from hybridsem.datasets.set_operations import OPERATORS, Sample, Samples
    from hybridsem.evaluation.task import task

    samples = max(30, round(192_000 * size))
    random = np.random.default_rng(0)
    table = random.normal(size=(3 * samples, DIMENSIONS)).astype(np.float32)
    data = Samples.of(
        Sample(OPERATORS[row % 3], *(str(3 * row + place) for place in range(3)))
        for row in range(samples)
    )
    given = replace(task("setops"), load=lambda *_: data)
    run = partial(evaluate, given, Given(table), ".", measures="all")
    show(f"{samples:,} samples of set operations", run)


def analogies(size: float) -> None:
    from hybridsem.evaluation.analogies.geometry import among_all

    random = np.random.default_rng(0)
    for pairs in (max(3, round(pairs * size)) for pairs in sorted(CATEGORIES, reverse=True)):
        vectors = random.normal(size=(2 * pairs, DIMENSIONS)).astype(np.float32)
        run = partial(among_all, vectors, np.arange(pairs), np.arange(pairs, 2 * pairs))
        show(f"{pairs * (pairs - 1) // 2:,} analogies", run)


def perturb(size: float) -> None:
    from hybridsem.evaluation.perturbations import RETRIEVAL

    words = ("the", "company", "said", "its", "profits", "had", "not", "risen", "in", "May", ".")
    random = np.random.default_rng(0)
    count = max(2, round(1000 * size))
    texts = [" ".join(random.choice(words, 700)) for _ in range(count)]
    for change in RETRIEVAL:
        show(f"{count:,} texts, {change.name}", lambda change=change: list(map(change, texts)))


PARTS = {part.__name__: part for part in (statistics, files, setops, analogies, perturb)}


def main(
    only: Annotated[Sequence[str], PARTS] = tuple(PARTS),
    size: Annotated[float, "multiplies the number of rows"] = 1.0,
) -> None:
    print(machine("numpy", "scipy"))
    for name in only:
        PARTS[name](size)


if __name__ == "__main__":
    run(main)
