"""Zhu & de Melo 2020, sentence analogies: sizes, and the rows of word vectors over our own data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from benchmarks import analogies
from benchmarks.reproduction.tables import Figure, tables
from benchmarks.suite import TABLE
from hybridsem import Pipeline
from hybridsem._utils.tables import read_table
from hybridsem.datasets.analogies import MICRO, Analogies, read
from hybridsem.evaluation import evaluate

__all__ = ["TABLES"]

FIGURE_2 = {
    "Entailment": "entailment",
    "Negation": "negation",
    "Passivization": "passivisation",
    "Objective Clause": "objective clause",
    "Adj Conversion": "predicative adjective",
}
METHODS = {
    "3CosAdd-U": "3CosAdd with ABC",
    "3CosAdd": "3CosAdd",
    "3CosMul-U": "3CosMul with ABC",
    "3CosMul": "3CosMul",
}
MODELS = {"GloVe": "mean", "DCT (k=0)": "dct:k=0", "DCT (k=1)": "dct:k=1"}


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
    pipeline = Pipeline(MODELS[model], vectors=TABLE["glove"].format(data=data))
    card = evaluate("analogies", pipeline, analogies.FILE, resamples=0)
    return {
        group: {name: one.value for name, one in found.items()}
        for group, found in card.scores.items()
    }


def sizes(data: Path) -> list[Figure]:
    """The pairs and questions of each category."""
    pairs = {one.name: len(one.pairs) for one in made(data).categories}
    found = []
    for row, name in read_table(__file__)["categories"].items():
        count = pairs.get(name, 0)
        found.append(Figure(row, "Sentence Pairs", count))
        found.append(Figure(row, "Analogies", count * (count - 1) // 2))
    return found


def by_method(models: Sequence[str], group: str) -> Callable[[Path], list[Figure]]:
    """The four methods over all questions of a group, a row a model."""

    def measure(data: Path) -> list[Figure]:
        return [
            Figure(
                model,
                column,
                accuracies(model, data)[group + MICRO][method],
                cause=f"{OWN} first" if model == "DCT (k=0)" else OWN,
            )
            for model in models
            for column, method in METHODS.items()
        ]

    return measure


def by_category(models: Sequence[str], method: str) -> Callable[[Path], list[Figure]]:
    """The categories of relations by one method, a row a model."""

    def measure(data: Path) -> list[Figure]:
        return [
            Figure(model, column, with_ties(accuracies(model, data)[name], method), cause=OWN)
            for model in models
            for column, name in FIGURE_2.items()
        ]

    return measure


def with_ties(found: Mapping[str, float | None], method: str) -> float | None:
    """The accuracy where a tie is an answer: equal vectors tie by every method."""
    right, tied = found[method], found["tied"]
    return None if right is None or tied is None else right + tied


OWN = "sentences vectors"
TABLES = tables(
    __file__,
    {
        "zhu-table3-sizes": sizes,
        "zhu-table4-lexical": by_method(("GloVe", "DCT (k=0)"), "lexical"),
        "zhu-table5-semantic": by_method(("GloVe", "DCT (k=1)"), "semantic"),
        "zhu-table5-syntactic": by_method(("GloVe", "DCT (k=0)"), "syntactic"),
        "zhu-figure2-3cosadd": by_category(("GloVe", "DCT (k=1)"), "3CosAdd"),
        "zhu-figure2-3cosmul": by_category(("GloVe", "DCT (k=1)"), "3CosMul"),
    },
)
