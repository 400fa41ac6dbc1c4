"""Choose the constants of texts of several sentences (``hybridsem/combiners/passages.py``).

    python -m models.hybrid.passages --data ../shared/data [--write]

Rows are the passages of plain English (chosen on "choose", also printed for "check"), medical
questions, and sentences among the same others: STSb dev by rating, PAWS dev by label. The figure of
a choice is the mean of their AUCs and of the rank correlation with the ratings, minus what a set
is below its cosine.
``--write`` writes ``hybridsem/data/passages.json``; run ``python -m models.manifest`` afterwards.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Annotated

import numpy as np

from benchmarks.command import DATA, run
from hybridsem import Pipeline
from hybridsem._typing import Float64Array
from hybridsem.combiners.passages import CONSTANTS, ComparedPassages, divided
from hybridsem.combiners.weighting import PassageWeighting
from hybridsem.datasets.plain_english import plain_pairs
from hybridsem.english.sentences import sentences_of
from hybridsem.evaluation.statistics.classification import classification
from models.corpora import read
from models.recipe import SHIPPED, table

TO = SHIPPED / CONSTANTS
SEED, ROWS = 0, 500


class Rows:
    """A set: rows of two texts with their gold figure."""

    def __init__(self, name: str, rows: Sequence[tuple[str, str, float]]) -> None:
        self.name, self.pairs = name, [row[:2] for row in rows]
        self.gold = np.array([row[2] for row in rows], float)

    def figure(self, scores: Float64Array) -> float:
        """Return the AUC, or the rank correlation with ratings."""
        if set(self.gold.tolist()) == {0.0, 1.0}:
            return classification(scores, self.gold == 1, ("auc",), 0)["auc"].value or 0.0
        ranks = [one.argsort(kind="stable").argsort() for one in (scores, self.gold)]
        return float(np.corrcoef(*ranks)[0, 1])


def read_rows(data: Path) -> Iterator[Rows]:
    """Yield the sets."""
    passages = [
        (row.part, row.sentence1, row.sentence2, row.label) for row in plain_pairs("passages")
    ]
    for part in ("choose", "check"):
        rows = [(one, two, label == "same") for of, one, two, label in passages if of == part]
        yield Rows(f"passages, {part}", rows)
    others = [sentences_of(one) for part, one, *_ in passages if part != "test"]
    draw = random.Random(SEED)
    questions = read("columns", data / "everyday/medical-questions.tsv")
    yield Rows("medical questions", [(*item.pair, float(item.label)) for item in questions])
    rated = read("rated", data / "sts/stsb-en-dev.csv")
    same = read("columns", data / "paws/paws-wiki-dev.tsv")
    sets = {
        "STSb dev": [(*item.pair, item.rating or 0.0) for item in rated],
        "PAWS dev": [(*item.pair, float(item.label)) for item in same],
    }
    for name, rows in sets.items():
        yield Rows(f"{name} among others", _among(draw.sample(rows, ROWS), others, draw))


def _among(
    rows: Sequence[tuple[str, str, float]], others: Sequence[list[str]], draw: random.Random
) -> list[tuple[str, str, float]]:
    """Return the rows with one to three sentences of a passage around both sentences."""
    made = []
    for one, two, gold in rows:
        around = draw.choice(others)[: draw.choice((1, 2, 3))]
        half = len(around) // 2
        first, second = (" ".join([*around[half:], text, *around[:half]]) for text in (one, two))
        made.append((first, second, gold))
    return made


class Measured:
    """The pairs of a set, compared once, and their scores by any constants."""

    def __init__(self, nlp: Pipeline, rows: Rows) -> None:
        batch = nlp.reader.batch(rows.pairs)
        alone, parts = divided(batch)
        self.scores = np.zeros(len(rows.pairs))
        self.scores[alone] = nlp.combiner.scores(batch.of_rows(alone))  # type: ignore[attr-defined]
        self.cosines = batch.cosines()
        self.parts = []
        for part in parts:
            compared = ComparedPassages(nlp.combiner, batch, part)  # type: ignore[arg-type]
            self.parts.append((part, compared, compared.measured()))

    def scored(self, constants: PassageWeighting) -> Float64Array:
        """Return the scores, (rows,)."""
        scores = self.scores.copy()
        for rows, compared, measured in self.parts:
            compared.constants = constants
            scores[rows] = [one.score for one in compared.parts(measured)]
        return scores


def main(
    data: Path = DATA,
    pair_reader: Annotated[str | None, "to report: the choice is made without"] = None,
    write: bool = False,
) -> None:
    nlp = Pipeline(pair_reader=pair_reader)
    sets = [*read_rows(data)]
    measured = [(rows, Measured(nlp, rows)) for rows in sets]
    cosines = [rows.figure(one.cosines) for rows, one in measured]
    chosen = [at for at, rows in enumerate(sets) if rows.name != "passages, check"]
    found = []
    row = table(__file__)["passages"]
    for values in product(*row["grid"].values()):
        constants = PassageWeighting(row["share"], *values, row["nearness"])
        figures = [rows.figure(one.scored(constants)) for rows, one in measured]
        lost = sum(max(0.0, cosines[at] - figures[at]) for at in chosen)
        found.append((float(np.mean([figures[at] for at in chosen])) - lost, constants, figures))
    found.sort(key=lambda one: -one[0])
    print(", ".join(rows.name for rows in sets))
    print("cosine", *(f"{figure:.3f}" for figure in cosines))
    for mean, constants, figures in found[:10]:
        print(f"{mean:.4f}", *(f"{figure:.3f}" for figure in figures), *vars(constants).values())
    best = found[0][1]
    for rows, one in measured:
        if set(rows.gold.tolist()) == {0.0, 1.0}:
            scores = one.scored(best)
            medians = (np.median(scores[rows.gold == gold]) for gold in (1, 0))
            print(f"{rows.name}: median", *(f"{median:.3f}" for median in medians))
    if write:
        written = {**best.to_dict(), "learned": "python -m models.hybrid.passages"}
        TO.write_text(json.dumps(written, indent=1) + "\n")


if __name__ == "__main__":
    run(main)
