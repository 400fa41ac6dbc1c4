"""Bansal et al. 2025, set-theoretic compositionality: the row SBERT-mini, on other samples."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

from benchmarks.corpora.joining import TreeFuser
from benchmarks.corpora.set_operations import (
    APART,
    TEMPERATURE,
    Built,
    from_documents,
    from_triples,
    read_triples,
)
from benchmarks.reproduction.published import printed
from benchmarks.reproduction.tables import Figure, Reproduction
from hybridsem.datasets.set_operations import write
from hybridsem.english.sentences import sentences
from hybridsem.evaluation import Card, evaluate, evaluated_model
from hybridsem.evaluation.setops.criteria import GRID

__all__ = ["TABLES"]

ROWS = {"SBERT-mini": "sbert-mini-unit", "SBERT-L": "sbert-mpnet"}
"""The paper's rows, and our models."""
DOCUMENTS, TRIPLES = 40, 1500
CAUSES = {
    "samples": "Other samples: differences of the first 1,500 of WikiSplit's validation triples "
    "that are apart by the row's encoder alone, and overlaps of neighbouring sentences of 40 CNN "
    "articles, joined by trees. The paper's are of neighbouring sentences, fused by gpt-3.5-turbo.",
    "grid": "The grid of ε runs over the differences of the row's encoder; the paper's over those "
    "of its encoders.",
}


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
    return from_documents(documents, TreeFuser())


def shares(table: str, group: str, operator: str, data: Path) -> list[Figure]:
    """TT, TF, FT and FF in per cent."""
    names = ("satisfied", "TF", "FT", "FF")
    return [
        Figure(row, column, _percent(found[name].value), None, "samples grid")
        for row, model in ROWS.items()
        for found in [card(data, operator, model).scores[group]]
        for column, name in zip(printed(table).columns, names, strict=True)
    ]


def differences(table: str, group: str, operator: str, data: Path) -> list[Figure]:
    """Means, and for overlaps deviations, of the two differences."""
    sign = -1 if any(name in group for name in ("l1", "l2", "ned")) else 1
    columns = printed(table).columns
    if operator == "overlap":
        names: tuple[str, ...] = ("difference 1", "deviation 1", "difference 2", "deviation 2")
    else:
        like = "distance(B,D)" if sign < 0 else "Sim(B,D)"
        names = (like, "difference 1", "difference 2")
    return [
        Figure(
            row,
            column,
            None
            if found[name].value is None
            else (sign if name.startswith("difference") else 1) * float(found[name].value or 0),
            None,
            "samples",
        )
        for row, model in ROWS.items()
        for found in [card(data, operator, model).scores[group]]
        for column, name in zip(columns, names, strict=True)
    ]


def table3(data: Path) -> list[Figure]:
    """C4 in per cent, over the range of the row's encoder."""
    groups = {"Cosine": "C4 difference", "NED": "C4 difference, ned"}
    return [
        Figure(row, column, _percent(scores[group]["satisfied"].value), None, "samples grid")
        for row, model in ROWS.items()
        for scores in [card(data, "difference", model).scores]
        for column, group in groups.items()
    ]


def text(data: Path) -> list[Figure]:
    """What the definitions say."""
    return [
        Figure("epsilon", "values of each", GRID),
        Figure("epsilon", "combinations", GRID * GRID),
        Figure("difference filter", "cosine below", APART),
        Figure("fusion", "temperature of gpt-3.5-turbo", TEMPERATURE),
    ]


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


OTHER_ROWS = "the other rows: their weights or services are not at hand (see docs/encoders.md)."
ABOUT: Mapping[str, str] = {
    "overlap": "`evaluate setops` of `sbert-mini-unit` and `sbert-mpnet` on overlaps of sentences "
    "of CNN articles.",
    "difference": "`evaluate setops` of `sbert-mini-unit` and `sbert-mpnet` on differences of "
    "WikiSplit.",
}


def _table(name: str, group: str, operator: str, tolerance: float) -> Reproduction:
    measure = shares if tolerance > 0.1 else differences
    return Reproduction(
        name,
        ABOUT[operator],
        partial(measure, name, group, operator),
        OTHER_ROWS,
        CAUSES,
        tolerance,
    )


PERCENT, PLAIN = 0.2, 0.002
TABLES: tuple[Reproduction, ...] = (
    _table("bansal-table1-C1-cosine", "C1 overlap", "overlap", PERCENT),
    _table("bansal-table2-C3-cosine", "C3 difference", "difference", PERCENT),
    Reproduction("bansal-table3-C4", ABOUT["difference"], table3, OTHER_ROWS, CAUSES, PERCENT),
    _table("bansal-table12a-C1-cosine", "C1 overlap", "overlap", PLAIN),
    _table("bansal-table12b-C1-dot", "C1 overlap, dot", "overlap", PLAIN),
    _table("bansal-table12c-C1-ned", "C1 overlap, ned", "overlap", PLAIN),
    _table("bansal-table12d-C1-l1", "C1 overlap, l1", "overlap", PLAIN),
    _table("bansal-table12e-C1-l2", "C1 overlap, l2", "overlap", PLAIN),
    _table("bansal-table13a-C1-ned", "C1 overlap, ned", "overlap", PERCENT),
    _table("bansal-table14a-C3-cosine", "C3 difference", "difference", PLAIN),
    _table("bansal-table14b-C3-dot", "C3 difference, dot", "difference", PLAIN),
    _table("bansal-table14c-C3-ned", "C3 difference, ned", "difference", PLAIN),
    _table("bansal-table14d-C3-l1", "C3 difference, l1", "difference", PLAIN),
    _table("bansal-table14e-C3-l2", "C3 difference, l2", "difference", PLAIN),
    _table("bansal-table15a-C3-ned", "C3 difference, ned", "difference", PERCENT),
    Reproduction(
        "bansal-text",
        "What the definitions fix.",
        text,
        "the sizes of the paper's data, which are not at hand (79,824 differences are six for each "
        "of 13,304 windows that pass the filter: `python -m benchmarks.corpora.set_operations "
        "--documents` filters so); people's ratings; GPT3's C2.",
    ),
)
