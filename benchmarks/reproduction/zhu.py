"""Zhu & de Melo 2020, sentence analogies: sizes, and the rows of word vectors over our own data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

from benchmarks import analogies
from benchmarks.reproduction.tables import Figure, grid, tables
from benchmarks.suite import TABLE as SUITE
from hybridsem import Pipeline
from hybridsem._utils.tables import read_table
from hybridsem.datasets.analogies import MICRO, Analogies, read
from hybridsem.evaluation import evaluate

TABLE = read_table(__file__)
MODELS, METHODS, CATEGORIES, FIGURE_2 = (
    TABLE[name] for name in ("models", "methods", "categories", "figure 2")
)


@cache
def made(data: Path) -> Analogies:
    """Our analogies: those of ``benchmarks/analogies.py build``, which are made if need be."""
    if not analogies.FILE.is_file():
        analogies.build(data)
    return read(analogies.FILE)


@cache
def accuracies(model: str, data: Path) -> Mapping[str, Mapping[str, float | None]]:
    """A model's accuracies over them, by group and method."""
    made(data)
    pipeline = Pipeline(MODELS[model], vectors=SUITE["glove"].format(data=data))
    card = evaluate("analogies", pipeline, analogies.FILE, resamples=0)
    scores = card.scores.items()
    return {group: {name: one.value for name, one in found.items()} for group, found in scores}


def sizes(data: Path) -> list[Figure]:
    """The pairs and questions of each category."""
    pairs = {one.name: len(one.pairs) for one in made(data).categories}
    counts = {row: pairs.get(name, 0) for row, name in CATEGORIES.items()}
    questions = {row: count * (count - 1) // 2 for row, count in counts.items()}
    columns = {"Sentence Pairs": counts, "Analogies": questions}
    return grid(counts, columns, lambda row, column: columns[column][row])


def by_method(model: str, group: str, data: Path) -> list[Figure]:
    """The four methods over all questions of a group, for GloVe and a model."""

    def value(row: str, column: str) -> float | None:
        return accuracies(row, data)[group + MICRO][METHODS[column]]

    cause = f"{OWN} first" if model == "DCT (k=0)" else OWN
    return [*grid(["GloVe"], METHODS, value, OWN), *grid([model], METHODS, value, cause)]


def by_category(method: str, data: Path) -> list[Figure]:
    """The categories of relations by one method; a tie is an answer, for equal vectors tie by every
    method.
    """

    def value(row: str, column: str) -> float | None:
        found = accuracies(row, data)[FIGURE_2[column]]
        right, tied = found[method], found["tied"]
        return None if right is None or tied is None else right + tied

    return grid(("GloVe", "DCT (k=1)"), FIGURE_2, value, OWN)


OWN = "sentences vectors"
TABLES = tables(
    __file__,
    {
        "zhu-table3-sizes": sizes,
        "zhu-table4-lexical": partial(by_method, "DCT (k=0)", "lexical"),
        "zhu-table5-semantic": partial(by_method, "DCT (k=1)", "semantic"),
        "zhu-table5-syntactic": partial(by_method, "DCT (k=0)", "syntactic"),
        "zhu-figure2-3cosadd": partial(by_category, "3CosAdd"),
        "zhu-figure2-3cosmul": partial(by_category, "3CosMul"),
    },
)
