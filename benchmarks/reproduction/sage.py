"""Goel, Lee & Ramchandran 2025, SAGE: the classical metrics, ``as_printed``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

import numpy as np

from benchmarks.reproduction.published import number, printed
from benchmarks.reproduction.tables import Figure, Measure, tables
from hybridsem._utils.tables import read_table
from hybridsem.evaluation import evaluate

MODELS, FILES = (read_table(__file__)[name] for name in ("models", "files"))
BILLS, ARTICLES, ESSAYS = FILES
ROBUSTNESS = "sage-table4-robustness"
INSERTION, REMOVAL = "sage-table5-sensitivity-insertion", "sage-table6-sensitivity-removal"
COLUMNS = {ROBUSTNESS: (BILLS, ARTICLES), INSERTION: tuple(FILES), REMOVAL: tuple(FILES)}
PARTS = {
    "Robustness": ((ROBUSTNESS, "sage-robustness", "score"),),
    "Sensitivity": (
        (INSERTION, "sage-sensitivity", "insertion"),
        (REMOVAL, "sage-sensitivity", "removal"),
    ),
}
"""Tables with the task and the figure of each."""
CUTS = (None, 1024, 512)
"""After how many tokens documents end, for BM25; the authors' earlier programs cut after 2,048."""


@cache
def values(task: str, model: str, file: Path, cut: int | None = None) -> Mapping[str, float | None]:
    """A card's figures over one data set, perhaps of documents that are cut."""
    card = evaluate(task, model, file, resamples=0, as_printed=True, cut=cut)
    return {name: one.value for name, one in card.scores["all"].items()}


def measured(table: str, task: str, name: str, data: Path) -> list[Figure]:
    """The figure ``name`` of a task, a row a metric and a column a data set.

    BM25, whose figures go by the lengths of documents, is shown for documents that are cut, too.
    """
    return [
        Figure(
            row,
            column,
            values(task, model, data / "sage" / FILES[column], cut)[name],
            cause=CAUSES.get((table, row, column, cut), ""),
            model="" if cut is None else f"`--cut {cut}`",
        )
        for row, model in MODELS.items()
        for cut in (CUTS if model == "bm25" else CUTS[:1])
        for column in COLUMNS[table]
    ]


def overall(data: Path) -> list[Figure]:
    """The means of Tables 4 to 6 over the data sets at hand, printed ones as *at hand*."""
    found = []
    for row, model in MODELS.items():
        for part, printed_in in PARTS.items():
            ours, theirs, causes = [], [], list[str]()
            for table, task, name in printed_in:
                for column in COLUMNS[table]:
                    ours.append(values(task, model, data / "sage" / FILES[column])[name])
                    theirs.append((number(printed(table).cells[row, column]) or (np.nan, 0))[0])
                    causes += CAUSES.get((table, row, column, None), "").split()
            mean = None if None in ours else float(np.mean([one or 0 for one in ours]))
            together = " ".join(dict.fromkeys(causes))
            found.append(Figure(row, part, mean, float(np.mean(theirs)), together))
        clusters = values("sage-clustering", model, data / "sage" / "20news-subjects.tsv")
        found.append(Figure(row, "Clustering", clusters["score"], cause="sets"))
    for row, model in MODELS.items():
        if model in SEARCHED:
            search = values("sage-retrieval", model, data / "sage" / "scifact")
            found.append(Figure(row, "Retrieval", search["score"], cause="sets"))
    return found


SEARCHED = ("bm25",)
"""The others would compare each of 300 queries with 98,477 texts."""

AGREEING = {(INSERTION, ESSAYS, 1024), (INSERTION, ESSAYS, 512), (REMOVAL, ESSAYS, 512)}
"""Where BM25 of documents that are cut has the printed figures."""
CAUSES: dict[tuple[str, str, str, int | None], str] = {
    **{
        (ROBUSTNESS, row, column, None): "rows tokens"
        for row in ("Jaccard Similarity", "ROUGE Score")
        for column in (BILLS, ARTICLES)
    },
    (ROBUSTNESS, "BM25 Score", BILLS, None): "rows batch",
    (ROBUSTNESS, "BM25 Score", ARTICLES, 512): "cut",
    **{(INSERTION, "Jaccard Similarity", column, None): "filler" for column in FILES},
    **{(INSERTION, "Levenshtein Ratio", one, None): "filler" for one in (BILLS, ARTICLES)},
    **{
        (table, "BM25 Score", column, cut): "batch" if cut is None else "cut"
        for table in (INSERTION, REMOVAL)
        for column in FILES
        for cut in CUTS
        if (table, column, cut) not in AGREEING
    },
}
"""Of the figures that are further than .02 from the printed ones, which are no closer: texts and
draws are not the paper's.
"""

MEASURES: dict[str, Measure] = {"sage-table1-overall": overall}
for table, task, name in (row for parts in PARTS.values() for row in parts):
    MEASURES[table] = partial(measured, table, task, name)
TABLES = tables(__file__, MEASURES)
