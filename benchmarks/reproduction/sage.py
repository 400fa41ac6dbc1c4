"""Goel, Lee & Ramchandran 2025, SAGE: the classical metrics, ``as_printed``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.reproduction.published import number, printed
from benchmarks.reproduction.tables import Figure, Reproduction
from hybridsem.evaluation import evaluate

__all__ = ["TABLES"]

MODELS = {
    "BM25 Score": "bm25",
    "Jaccard Similarity": "jaccard",
    "Levenshtein Ratio": "levenshtein",
    "ROUGE Score": "rouge",
}
BILLS, ARTICLES, ESSAYS = "BillSum", "CNN/DailyMail", "Paul Graham"
FILES = {
    BILLS: "billsum-100.jsonl",
    ARTICLES: "cnn_dailymail-300.jsonl",
    ESSAYS: "paul_graham_essays.csv",
}
ROBUSTNESS, INSERTION, REMOVAL = (
    "sage-table4-robustness",
    "sage-table5-sensitivity-insertion",
    "sage-table6-sensitivity-removal",
)
COLUMNS = {ROBUSTNESS: (BILLS, ARTICLES), INSERTION: tuple(FILES), REMOVAL: tuple(FILES)}
CUTS = (None, 1024, 512)
"""After how many tokens documents end, for BM25; the authors' earlier programs cut after 2,048."""
NEAR = 0.02
"""What counts as the printed figure of a classical metric: texts and draws are not the paper's."""


@cache
def values(task: str, model: str, file: Path, cut: int | None = None) -> Mapping[str, float | None]:
    """A card's figures over one data set, perhaps of documents that are cut."""
    card = evaluate(task, model, file, resamples=0, as_printed=True, cut=cut)
    return {name: one.value for name, one in card.scores["all"].items()}


def measured(table: str, task: str, name: str) -> Callable[[Path], Sequence[Figure]]:
    """The figure ``name`` of a task, a row a metric and a column a data set.

    BM25, whose figures go by the lengths of documents, is shown for documents that are cut, too.
    """

    def measure(data: Path) -> list[Figure]:
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

    return measure


def overall(data: Path) -> list[Figure]:
    """The means of Tables 4 to 6 over the data sets at hand, printed ones as *at hand*."""
    found = []
    parts = {
        "Robustness": ((ROBUSTNESS, "sage-robustness", "score"),),
        "Sensitivity": (
            (INSERTION, "sage-sensitivity", "insertion"),
            (REMOVAL, "sage-sensitivity", "removal"),
        ),
    }
    for row, model in MODELS.items():
        for part, tables in parts.items():
            ours, theirs, causes = [], [], list[str]()
            for table, task, name in tables:
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

WHAT = {
    "rows": (
        "the 100 bills and 300 articles that are at hand are not the paper's documents, of which "
        "neither number nor names are told."
    ),
    "tokens": (
        "tokens are word pieces, which know no capitals, for cl100k's file cannot be downloaded "
        "here. With byte pairs that know them, trained on the texts at hand, Jaccard has .228 and "
        ".244 and ROUGE .233 and .206 over 60 bills and 60 articles."
    ),
    "filler": (
        "our filler is Latin words of a list of our own, in word pieces; the paper's text is not "
        "at hand. Newspaper prose in its place gives Jaccard .974, Levenshtein .883 and ROUGE .880 "
        "on 60 essays: how many characters and how many new words so many tokens have decides."
    ),
    "batch": (
        "from 0 to 1 in a batch, BM25+ of pairs tells how long a document is beside the longest, "
        "and little else: the documents' numbers of tokens, brought to [0, 1], give .486 and .478 "
        "(essays), .613 and .607 (articles), .611 and .607 (bills) by themselves. The paper's "
        "documents are others but for the essays, and where it cuts them is not told: its authors' "
        "earlier programs (neurips-embedding-positional-bias), whose formula this is, do. See the "
        "rows with `--cut`, and docs/sage.md for all that was tried."
    ),
    "cut": (
        "no one number of tokens gives the figures of all sets, as numbers of documents and their "
        "lengths are not the paper's."
    ),
    "sets": (
        "other data: subjects of newsgroup messages for the paper's clustering sets, SciFact alone "
        "for its BEIR sets."
    ),
}
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
    **{
        (INSERTION, row, column, None): "filler"
        for row, columns in (
            ("Jaccard Similarity", FILES),
            ("Levenshtein Ratio", (BILLS, ARTICLES)),
        )
        for column in columns
    },
    **{
        (table, "BM25 Score", column, cut): "batch" if cut is None else "cut"
        for table in (INSERTION, REMOVAL)
        for column in FILES
        for cut in CUTS
        if (table, column, cut) not in AGREEING
    },
}
"""Of the figures that are further than ``NEAR`` from the printed ones."""

ABOUT = (
    "`--as-printed`: BM25+ of pairs, from 0 to 1 over the documents of a set; filler of so many "
    "tokens at a character, spans of so many tokens taken out. A difference of up to .02 is none."
)
NOT_METRICS = (
    "the five embedding models, whose services cannot be reached from here; Amazon Polarity, "
    "ArguAna and Scientific Papers, which are not at hand (`hub:amazon-polarity`, "
    "`hub:arguana-arguments`, `hub:scientific-papers` read them)."
)
FEEDBACK = (
    "the comparisons and ratings of summarize_from_feedback are not at hand "
    "(`hub:summaries-compared`, `hub:summaries-rated` read them); docs/sage.md has figures of "
    "SummEval, with `--as-printed` a tie is a choice of summary 2."
)

TABLES: tuple[Reproduction, ...] = (
    Reproduction(
        "sage-table1-overall",
        "Means of the three tables below over the data sets at hand, beside the means of their "
        "printed cells (*at hand*); clustering of 7,532 subjects of newsgroup messages; retrieval "
        "of SciFact from a corpus of all nineteen versions at once.",
        overall,
        "human preference (see Tables 2 and 3), retrieval by the other metrics (300 queries over "
        "98,477 texts), and the embedding models.",
        WHAT,
        NEAR,
    ),
    Reproduction("sage-table2-preference-comparisons", left=FEEDBACK),
    Reproduction("sage-table3-preference-ratings", left=FEEDBACK),
    *(
        Reproduction(table, ABOUT, measured(table, task, name), NOT_METRICS, WHAT, NEAR)
        for table, task, name in (
            (ROBUSTNESS, "sage-robustness", "score"),
            (INSERTION, "sage-sensitivity", "insertion"),
            (REMOVAL, "sage-sensitivity", "removal"),
        )
    ),
)
