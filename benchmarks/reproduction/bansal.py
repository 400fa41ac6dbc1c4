"""Bansal et al. 2025, set-theoretic compositionality: the row SBERT-mini, on other samples."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

from benchmarks.corpora.joining import fused
from benchmarks.corpora.set_operations import (
    APART,
    TEMPERATURE,
    Built,
    from_documents,
    from_triples,
    read_triples,
)
from benchmarks.reproduction.published import printed
from benchmarks.reproduction.tables import Figure, Measure, grid, tables
from hybridsem._utils.tables import read_table
from hybridsem.datasets.set_operations import write
from hybridsem.english.sentences import sentences
from hybridsem.evaluation import Card, evaluate, evaluated_model
from hybridsem.evaluation.setops.criteria import GRID
from hybridsem.evaluation.statistics.rating_correlations import Estimate

ROWS = {"SBERT-mini": "sbert-mini-unit", "SBERT-L": "sbert-mpnet"}
"""The paper's rows, and our models."""
DOCUMENTS, TRIPLES = 40, 1500


@cache
def card(data: Path, operator: str, model: str) -> Card:
    """The card of an encoder on samples with differences, or with overlaps, by all measures."""
    built = _overlaps(data) if operator == "overlap" else _differences(data, model)
    chosen = tuple(sample for sample in built.samples if sample.operator == operator)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "samples.jsonl"
        write(file, chosen)
        return evaluate("setops", model, file, measures=["all"], resamples=0)


def _differences(data: Path, model: str) -> Built:
    triples = read_triples(data / "setops" / "wikisplit-validation.tsv")
    return from_triples(triples[:TRIPLES], [evaluated_model(model)])


def _overlaps(data: Path) -> Built:
    lines = (data / "sage" / "cnn_dailymail-300.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines[:DOCUMENTS]]
    documents = [[text[start:end] for start, end in sentences(text)] for text in texts]
    return from_documents(documents, fused)


def scores_of(data: Path, group: str, model: str) -> Mapping[str, Estimate]:
    operator = "overlap" if "overlap" in group else "difference"
    return card(data, operator, model).scores[group]


def shares(table: str, group: str, data: Path) -> list[Figure]:
    """TT, TF, FT and FF in per cent."""
    names = dict(zip(printed(table).columns, ("satisfied", "TF", "FT", "FF"), strict=True))
    return _percents({column: (group, name) for column, name in names.items()}, data)


def differences(table: str, group: str, data: Path) -> list[Figure]:
    """Means, and for overlaps deviations, of the two differences."""
    sign = -1 if any(name in group for name in ("l1", "l2", "ned")) else 1
    like = "distance(B,D)" if sign < 0 else "Sim(B,D)"
    names = [like, "difference 1", "difference 2"]
    if "overlap" in group:
        names = ["difference 1", "deviation 1", "difference 2", "deviation 2"]
    name_of = dict(zip(printed(table).columns, names, strict=True))

    def value(row: str, column: str) -> float | None:
        name = name_of[column]
        found = scores_of(data, group, ROWS[row])[name].value
        return found if found is None or not name.startswith("difference") else sign * found

    return grid(ROWS, name_of, value, "samples")


def table3(data: Path) -> list[Figure]:
    """C4 in per cent, over the range of the row's encoder."""
    groups = {"Cosine": "C4 difference", "NED": "C4 difference, ned"}
    return _percents({column: (group, "satisfied") for column, group in groups.items()}, data)


def text(_: Path) -> list[Figure]:
    """What the definitions say."""
    return [
        Figure("epsilon", "values of each", GRID),
        Figure("epsilon", "combinations", GRID * GRID),
        Figure("difference filter", "cosine below", APART),
        Figure("fusion", "temperature of gpt-3.5-turbo", TEMPERATURE),
    ]


def _percents(columns: Mapping[str, tuple[str, str]], data: Path) -> list[Figure]:
    """The shares that have these groups and names in the cards, in per cent."""

    def value(row: str, column: str) -> float | None:
        group, name = columns[column]
        share = scores_of(data, group, ROWS[row])[name].value
        return None if share is None else 100 * share

    return grid(ROWS, columns, value, "samples grid")


MEASURES: dict[str, Measure] = {
    name: partial(shares if "tolerance" in row else differences, name, row["group"])
    for name, row in read_table(__file__)["tables"].items()
    if "group" in row
}
TABLES = tables(__file__, MEASURES | {"bansal-table3-C4": table3, "bansal-text": text})
