"""The benchmark ``sage-retrieval``: how much of NDCG@10 is retained when documents are perturbed.

With ``mode="replace"`` perturbed documents replace their originals. ``mode="together"``, the
paper's, adds all eighteen kinds at once, and only the originals are relevant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array, IntArray, Plain, Record
from hybridsem._utils.progress import tracked
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError
from hybridsem.evaluation import perturbations
from hybridsem.evaluation.model import EvaluatedModel, count_flagged, evaluated_model, total
from hybridsem.evaluation.sage import datasets, parts
from hybridsem.evaluation.sage import search as searching
from hybridsem.evaluation.sage.datasets import Collection
from hybridsem.evaluation.sage.parts import Checkpoint, ItemBootstrap, Statistic
from hybridsem.evaluation.sage.search import ByBm25, ByMetric, ByVectors, Reranked, Search
from hybridsem.evaluation.statistics.rating_correlations import Estimate, estimated
from hybridsem.evaluation.statistics.summaries import resampled_of
from hybridsem.evaluation.task import Measured
from hybridsem.strings import Bm25, StringCombiner
from hybridsem.tokenisers import tokeniser

REPLACE, TOGETHER = "replace", "together"
ORIGINAL = "original"
NDCG, RETENTION = "ndcg@10", "retention"
PER_SEARCH = ("documents not looked at", "pairs without score")
RERANK = 100  # documents per query that a model without its own search reranks
Version = perturbations.Perturbation | None  # a perturbation of all documents; None: as they are


def load(path: Path, settings: Settings) -> parts.Sets[Collection]:
    """Read a folder in BEIR's layout, or a folder of such; ``sample`` queries of each."""
    path = datasets.resolve(path)
    is_one = datasets.is_collection(path) or not path.is_dir()
    folders = [] if is_one else sorted(filter(datasets.is_collection, path.iterdir()))
    sets = {}
    for folder in folders or [path]:
        found = datasets.read_collection(folder, settings.options.get("split"))
        if len(rows := parts.sampled(found.rows, settings)) < found.rows:
            found = datasets.with_queries(found, rows, settings.seed)
        sets[folder.name] = found
    splits = {one.split for one in sets.values()}
    return parts.Sets(path.name, sets, splits.pop() if len(splits) == 1 else None)


def measure(data: parts.Sets[Collection], tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure NDCG@10 of the corpus and of each perturbation, the retentions, and their mean."""
    by_set: dict[str, parts.SetResult] = {}
    counts = Counter[str]()
    said: Plain = {}
    for name, collection in data.sets.items():
        search, said = _search(collection, tested, settings)
        values, lost = _columns(collection, search, said, tested, settings)
        counts.update({"documents": len(collection.corpus), **lost})
        cut = count_flagged(((query,) for query in collection.queries), tested.truncated)
        estimates = retained(values, **settings.drawing)
        by_set[name] = parts.SetResult(estimates, collection.rows, cut, values)
    found = parts.measured(data, by_set, said)
    queries = [name for one in data.sets.values() for name in one.ids]
    kept = {"query": queries, **found.columns} if found.columns else {}
    blocks = (block for one in data.sets.values() for block in one.corpus.blocks(searching.BLOCK))
    flagged = (count_flagged(((text,) for text in block), tested.truncated) for block in blocks)
    whole = {**found.counts, "truncated documents": total(flagged), **counts}
    return replace(found, counts=whole, columns=kept)


def _columns(
    data: Collection, search: Search, said: Record, tested: EvaluatedModel, settings: Settings
) -> tuple[dict[str, Float64Array], dict[str, int]]:
    """Return NDCG by query for the corpus and each perturbation, and counts of missing scores."""
    about = {"sample": settings.options.get("sample"), "settings": said}
    work = Checkpoint(data.sha256, tested, settings, tokeniser=tokeniser().name, **about)
    columns: dict[str, Float64Array] = {}
    counts = dict.fromkeys(PER_SEARCH, 0)
    searches = _searches(said["mode"], bool(settings.options.get("as_printed")))
    for number, (name, versions) in enumerate(searches.items(), 1):
        described = f"{name} ({number} of {len(searches)})"
        documents = partial(_documents, data, versions, settings, described)
        part = work.get(name)
        if not part:
            found = search(documents).documents
            part = {
                "ndcg": searching.ndcg(_others(found, data), data.relevant).tolist(),
                "documents not looked at": search.lost,
                "pairs without score": search.unscored,
            }
            work.keep(name, part)
        columns[name] = np.array(part["ndcg"])
        for what in PER_SEARCH:
            counts[what] += part[what]
    return columns, counts


def _searches(mode: str, exact: bool) -> dict[str, tuple[Version, ...]]:
    """Return the versions of the documents in each search by name."""
    kinds = {
        one.name: perturbations.EXACT.get(one, one) if exact else one
        for one in perturbations.RETRIEVAL
    }
    if mode == TOGETHER:
        return {ORIGINAL: (None,), TOGETHER: (None, *kinds.values())}
    return {ORIGINAL: (None,), **{name: (kind,) for name, kind in kinds.items()}}


def _documents(
    data: Collection, versions: Sequence[Version], settings: Settings, described: str
) -> Iterator[list[str]]:
    """Yield the blocks of the corpus in each version; a search reads them once or twice."""
    corpus = data.corpus
    for kind in versions:
        for block in tracked(
            corpus.blocks(searching.BLOCK), len(corpus), described, settings.progress
        ):
            if kind is not None:
                block = [text if problem(text) else kind(text, settings.seed) for text in block]
            yield block


def retained(
    columns: Mapping[str, Float64Array], resamples: int = 0, seed: int = 0, level: float = 0.95
) -> dict[str, Estimate]:
    """Return the score, the original's NDCG, and the share of it that each change retains."""
    table, names = list(columns.values()), list(columns)
    n = len(table[0])
    means = np.array([[column.mean()] for column in table])
    if resamples and n > 1:
        means = np.hstack([means, resampled_of(table, "mean", resamples, seed)])
    estimates = {}
    for name, statistic in _statistics(names[1:]).items():
        value, *drawn = statistic.of_means(means[[names.index(key) for key in statistic.columns]])
        note = "nothing relevant is found in the documents as they are"
        estimates[name] = Estimate(None, None, None, n, note=note)
        if not np.isnan(value):
            estimates[name] = estimated(float(value), np.array(drawn), level, n)
    return estimates


def _statistics(changes: Sequence[str]) -> dict[str, Statistic]:
    """Return the statistics of the original and of changes."""
    score = Statistic((ORIGINAL, *changes), _harmonic_of_shares)
    return {parts.SCORE: score, NDCG: Statistic((ORIGINAL,))} | {
        f"{RETENTION} {name}": Statistic((ORIGINAL, name), lambda means: _share(*means[::-1]))
        for name in changes
    }


def _search(data: Collection, tested: EvaluatedModel, settings: Settings) -> tuple[Search, Plain]:
    """Return how the model finds documents, and its description for the card."""
    given = settings.options
    first, many, mode = (given.get(name) for name in ("first_stage", "rerank", "mode"))
    mode = mode or (TOGETHER if given.get("as_printed") else REPLACE)
    forms = 1 + len(perturbations.RETRIEVAL) if mode == TOGETHER else 1
    queries, depth = data.queries, searching.DEPTH + (forms if data.itself else 0)
    said: Plain = {"mode": mode}
    combiner = None if tested.pipeline is None else tested.pipeline.combiner
    if first is None and many is None:
        if isinstance(combiner, StringCombiner):
            if combiner.metric == Bm25.name:
                return ByBm25(combiner.tokeniser, queries, depth), said | {"search": "BM25+ index"}
            return ByMetric(combiner, queries, depth), said | {"search": "scores of all documents"}
        if tested.compares_vectors:
            return ByVectors(tested, queries, depth), said | {"search": "cosine of vectors"}
    if "scores" not in tested.offers:
        raise InputError(f"reranking needs scores of pairs, and {tested.name!r} has none")
    first, many = first or "embedded", RERANK if many is None else many
    if many < depth:
        raise InputError(f"at least {depth} documents are reranked, got {many!r}")
    is_bm25 = first == "bm25"
    finds = (
        ByBm25("auto", queries, many)
        if is_bm25
        else ByVectors(evaluated_model(first), queries, many)
    )
    said["search"] = "scores of documents found by the first stage"
    said |= {"first_stage": first, "rerank": many}
    return Reranked(finds, tested, depth, settings.progress), said


def _others(found: IntArray, data: Collection) -> IntArray:
    """Return the best documents other than the query itself and its versions."""
    kept = np.full((len(found), searching.DEPTH), -1, np.int64)
    for query, row in enumerate(found):
        itself = data.itself.get(query)
        if itself is not None:
            row = row[(row < 0) | (row % len(data.corpus) != itself)]
        kept[query, : len(row[: searching.DEPTH])] = row[: searching.DEPTH]
    return kept


def _share(part: Float64Array, whole: Float64Array) -> Float64Array:
    """Return the quotients; NaN where the divisor is 0."""
    where = np.broadcast_to(whole > 0, part.shape)
    return np.asarray(np.divide(part, whole, out=np.full(part.shape, np.nan), where=where))


def _harmonic_of_shares(means: Float64Array) -> Float64Array:
    """Return the harmonic mean of the retentions: 0 where one is 0, NaN where one is NaN."""
    shares = _share(means[1:], means[0])
    with np.errstate(divide="ignore"):
        return np.asarray(len(shares) / (1 / shares).sum(axis=0), np.float64)


_BY_KIND = _statistics([kind.name for kind in perturbations.RETRIEVAL])
COMPARED = ItemBootstrap(_statistics([TOGETHER]) | _BY_KIND, alike=("mode", "as_printed"))
"""The comparison of cards; all versions at once have the measure "retention together"."""
TASK = parts.sage_task("sage-retrieval", load, measure, resumes=True, comparison=COMPARED)
