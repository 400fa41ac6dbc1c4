"""The benchmark ``sage-retrieval``: how much of a ranking's worth is left when the documents are perturbed.

    NDCG@10 of the documents as they are       0.65
    NDCG@10 of the documents perturbed         0.52     retention 0.52 / 0.65 = 0.80
    the score                                           harmonic mean of the eighteen retentions

The queries stay as they are. With ``mode="replace"`` perturbed documents stand in place of their originals, with
``mode="add"`` beside them, and only the originals are relevant.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hybridsem import __version__, perturbations
from hybridsem._progress import tracked
from hybridsem._text import problem
from hybridsem._tokenisers import tokeniser
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.sage._ranking import DEPTH, ndcg
from hybridsem.evaluation.sage._search import BLOCK, ByBm25, ByMetric, ByVectors, Reranked, Search
from hybridsem.evaluation.sage._work import Work
from hybridsem.evaluation.sage.beir import Collection, read_collection, sampled
from hybridsem.evaluation.setops.summaries import resampled_of
from hybridsem.evaluation.statistics import Estimate, interval
from hybridsem.evaluation.subject import Subject, subject
from hybridsem.evaluation.task import Measured, Settings, Task
from hybridsem.strings import Bm25, Levenshtein

__all__ = ["MODES", "NDCG", "ORIGINAL", "RETENTION", "TASK", "load", "measure", "retained"]

Array = npt.NDArray[np.float64]

MODES = ("replace", "add")
PROBED = 16
"""Documents that tell whether a perturbation is still the one that earlier work was done with."""

ORIGINAL = "original"
NDCG, RETENTION, SCORE = "ndcg@10", "retention", "score"
FIRST = ("embedded", "bm25")
"""Searches that may find the documents that a model orders."""

RERANK = 100
"""Documents of each query that a model without search of its own orders."""


def load(path: Path, settings: Settings) -> Collection:
    """A folder in BEIR's layout, or a sample of it."""
    whole = read_collection(path, settings.options.get("split"))
    wanted = settings.options.get("sample")
    return whole if wanted is None else sampled(whole, wanted, settings.seed)


def measure(data: Collection, tested: Subject, settings: Settings) -> Measured:
    """NDCG@10 of the corpus as it is and perturbed each way, the retentions, and their harmonic mean.

    What is finished is kept in the folder ``work`` of the options, and taken from there by a later run on the same
    data with the same model and settings.
    """
    search, method = _search(data, tested, settings)
    mode = settings.options.get("mode") or MODES[0]
    if mode not in MODES:
        raise UnknownNameError("mode", mode, MODES)
    about = {
        "hybridsem": __version__,
        "data": data.sha256,
        "sample": settings.options.get("sample"),
        "model": tested.describe(),
        "seed": settings.seed,
        "settings": {"mode": mode, **method},
    }
    work = Work(settings.options.get("work"), about)
    columns: dict[str, Array] = {}
    counts = {"taken from earlier work": 0, "documents not looked at": 0, "pairs without score": 0}
    for number, kind in enumerate((None, *perturbations.RETRIEVAL), 1):
        name = ORIGINAL if kind is None else kind.name
        described = f"{name} ({number} of {len(perturbations.RETRIEVAL) + 1})"
        documents = _Documents(data, kind, mode, settings, described)
        part = work.get(name)
        if part is None or part["probe"] != documents.probe:
            found = search(documents).documents
            part = {
                "probe": documents.probe,
                "ndcg": ndcg(_others(found, data), data.relevant).tolist(),
                "documents not looked at": search.lost,
                "pairs without score": getattr(search, "unscored", 0),
            }
            work.keep(name, part)
        else:
            counts["taken from earlier work"] += 1
        columns[name] = np.array(part["ndcg"])
        for what in ("documents not looked at", "pairs without score"):
            counts[what] += part[what]
    return Measured(
        retained(columns, settings.resamples, settings.seed, settings.level),
        {
            "rows": data.rows,
            "scored": data.rows,
            "failed": 0,
            "truncated": _truncated(tested, [list(data.queries)]),
            "documents": len(data.corpus),
            "truncated documents": _truncated(tested, data.corpus.blocks(BLOCK)),
            "queries in the corpus": len(data.itself),
            **data.excluded,
            **counts,
        },
        {"query": data.ids, **{name: column.tolist() for name, column in columns.items()}},
        settings={"mode": mode, **method},
    )


def retained(
    columns: Mapping[str, Array], resamples: int = 0, seed: int = 0, level: float = 0.95
) -> dict[str, dict[str, Estimate]]:
    """The score, and NDCG and retention of each perturbation, from NDCGs by query; ``original`` is one of the columns.

    A retention is the mean NDCG over that of the original, which may be above 1; where it is 0 the score is 0. Where
    the original finds nothing, nothing can be retained: None.
    """
    names = list(columns)
    n = len(columns[ORIGINAL])
    means = np.array([columns[name].mean() for name in names])
    drawn = np.empty((len(names), 0))
    if resamples and n > 1:
        drawn = resampled_of([columns[name] for name in names], "mean", resamples, seed)
    at = names.index(ORIGINAL)
    kept, kept_drawn = (np.delete(_share(table, table[at]), at, axis=0) for table in (means[:, None], drawn))

    def estimate(value: float, resampled: Array) -> Estimate:
        if np.isnan(value):
            return Estimate(None, None, None, n, note="nothing relevant is found in the documents as they are")
        low, high, note = interval(resampled, level)
        return Estimate(float(value), low, high, n, note=note)

    found = {"all": {SCORE: estimate(_harmonic(kept)[0], _harmonic(kept_drawn))}}
    perturbed = [name for name in names if name != ORIGINAL]
    found[ORIGINAL] = {NDCG: estimate(means[at], drawn[at])}
    for row, name in enumerate(perturbed):
        place = names.index(name)
        found[name] = {
            NDCG: estimate(means[place], drawn[place]),
            RETENTION: estimate(kept[row, 0], kept_drawn[row]),
        }
    return found


@dataclass(frozen=True)
class _Documents:
    """The blocks of the corpus, perturbed; a search goes through them once or twice."""

    data: Collection
    kind: perturbations.Perturbation | None
    mode: str
    settings: Settings
    described: str

    def __call__(self) -> Iterator[list[str]]:
        if self.kind is None or self.mode == "add":
            yield from self._blocks()
        if self.kind is not None:
            for block in self._blocks():
                yield [self.kind(text, self.settings.seed) for text in block]

    @property
    def probe(self) -> str:
        """A hash of what the first documents have become."""
        first = next(iter(self.data.corpus.blocks(PROBED)))
        texts = [self.kind(text, self.settings.seed) if self.kind else text for text in first]
        return hashlib.sha256(json.dumps(texts).encode()).hexdigest()

    def _blocks(self) -> Iterator[list[str]]:
        corpus = self.data.corpus
        return tracked(corpus.blocks(BLOCK), len(corpus), self.described, self.settings.progress)


def _search(data: Collection, tested: Subject, settings: Settings) -> tuple[Search, dict[str, Any]]:
    """How the model finds documents, and what the card says of it."""
    given = settings.options
    queries, depth = data.queries, DEPTH + (2 if data.itself else 0)
    first, many = given.get("first_stage"), given.get("rerank")
    tokens = tokeniser(given.get("tokeniser") or "auto").name
    if first is None and many is None:
        if tested.metric == Bm25.name:
            return ByBm25(tokens, queries, depth), {"search": "BM25+ index", "tokens": tokens}
        if tested.metric is not None:
            said: dict[str, Any] = {} if tested.metric == Levenshtein.name else {"tokens": tokens}
            return ByMetric(tested.metric, tokens, queries, depth), {"search": tested.metric, **said}
        if tested.compares_vectors:
            return ByVectors(tested, queries, depth), {"search": "cosine of vectors"}
    if "scores" not in tested.offers:
        raise InputError(f"to order documents anew a model needs scores of pairs, and {tested.name!r} has none")
    first, many = first or FIRST[0], RERANK if many is None else many
    if first not in FIRST:
        raise UnknownNameError("first stage", first, FIRST)
    if many < DEPTH:
        raise InputError(f"at least {DEPTH} documents are ordered anew, got {many!r}")
    found = ByBm25(tokens, queries, many) if first == "bm25" else ByVectors(subject(first), queries, many)
    said = {"search": "rerank", "first_stage": first, "rerank": many} | ({"tokens": tokens} if first == "bm25" else {})
    return Reranked(found, tested, queries, depth, settings.progress), said


def _others(found: npt.NDArray[np.int64], data: Collection) -> npt.NDArray[np.int64]:
    """The best documents that are not the query itself, nor its copy beside it."""
    kept = np.full((len(found), DEPTH), -1, np.int64)
    for query, row in enumerate(found):
        itself = data.itself.get(query)
        if itself is not None:
            row = row[(row != itself) & (row != itself + len(data.corpus))]
        kept[query, : len(row[:DEPTH])] = row[:DEPTH]
    return kept


def _truncated(tested: Subject, blocks: Iterable[list[str]]) -> int | None:
    """How many texts the model does not read to their end; None where it does not tell."""
    found = 0
    for block in blocks:
        flags = tested.truncated([text for text in block if problem(text) is None])
        if flags is None:
            return None
        found += sum(flags)
    return found


def _share(part: Array, whole: Array) -> Array:
    """The quotients; NaN where there is nothing to divide by."""
    found: Array = np.divide(part, whole, out=np.full(part.shape, np.nan), where=np.broadcast_to(whole > 0, part.shape))
    return found


def _harmonic(rows: Array) -> Array:
    """The harmonic mean of each column: 0 where one value is 0, NaN where one is."""
    with np.errstate(divide="ignore"):
        return np.asarray(len(rows) / (1 / rows).sum(axis=0), np.float64)


TASK = Task(
    "sage-retrieval",
    "retrieval robustness: what is left of NDCG@10 when the documents are perturbed in eighteen ways",
    "a folder in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/test.tsv; or a data set's name",
    ("vectors", "scores"),
    load,
    measure,
    headline=SCORE,
    groups=("all", ORIGINAL, *(kind.name for kind in perturbations.RETRIEVAL)),
    range=(0, 1),
    licence="as your data's",
    citation="Goel, Lee & Ramchandran 2025, SAGE: A Realistic Benchmark for Semantic Understanding",
    options=("split", "sample", "mode", "first_stage", "rerank", "tokeniser", "work"),
)
