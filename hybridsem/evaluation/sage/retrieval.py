"""The benchmark ``sage-retrieval``: how much of NDCG@10 is retained when documents are perturbed.

With ``mode="replace"`` perturbed documents replace their originals. ``mode="together"``, the
paper's, adds all eighteen kinds at once, and only the originals are relevant.

search(blocks) -> Best       blocks() -> lists of texts, in the order of the documents' numbers
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from hybridsem import strings
from hybridsem._typing import AnyArray, Float64Array, IntArray, Plain, Record
from hybridsem._utils.progress import tracked
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError
from hybridsem.evaluation import model as models
from hybridsem.evaluation import perturbations
from hybridsem.evaluation.model import CHUNK, EvaluatedModel, count_flagged, vectors_of
from hybridsem.evaluation.sage import datasets, parts
from hybridsem.evaluation.sage.datasets import Collection
from hybridsem.evaluation.sage.parts import Checkpoint, ItemBootstrap, Statistic
from hybridsem.evaluation.statistics.rating_correlations import Estimate, estimated
from hybridsem.evaluation.statistics.summaries import resampled_of
from hybridsem.evaluation.task import Measured
from hybridsem.strings import Bm25, StringCombiner, Tokens, counts
from hybridsem.tokenisers import tokeniser

REPLACE, TOGETHER = "replace", "together"
ORIGINAL = "original"
NDCG, RETENTION = "ndcg@10", "retention"
PER_SEARCH = ("documents not looked at", "pairs without score")
RERANK = 100  # documents per query that a model without its own search reranks
Version = perturbations.Perturbation | None  # a perturbation of all documents; None: as they are
DEPTH = 10  # the places of a ranking that NDCG@10 reads
BLOCK = 1024  # documents in a block
REMEMBERED = 1 << 16  # vectors of documents: texts with the same input are encoded once
Blocks = Callable[[], Iterable[list[str]]]


class Best:
    """The ``depth`` best documents of each query; of equal scores the lower number is better."""

    def __init__(self, queries: int, depth: int = DEPTH) -> None:
        self.scores: Float64Array = np.full((queries, depth), -np.inf)
        self.documents: IntArray = np.full((queries, depth), -1, np.int64)

    def add(self, scores: Float64Array, documents: IntArray) -> None:
        """Add scores (q, n) of ascending documents (n,) or (q, n); NaN and -inf are not found."""
        joined = np.hstack([self.scores, np.where(np.isnan(scores), -np.inf, scores)])
        numbers = np.hstack([self.documents, np.broadcast_to(documents, scores.shape)])
        kept = np.argsort(-joined, axis=1, kind="stable")[:, : self.scores.shape[1]]
        self.scores = np.take_along_axis(joined, kept, axis=1)
        numbers = np.take_along_axis(numbers, kept, axis=1)
        self.documents = np.where(np.isneginf(self.scores), -1, numbers)


def ndcg(documents: AnyArray, gains: Sequence[Mapping[int, float]]) -> Float64Array:
    """Return NDCG of rankings, (q,) in [0, 1], with the gains 2^rel - 1. Every query has a gain."""
    depth = documents.shape[1]
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    values = np.zeros(len(documents))
    for query, (row, gain) in enumerate(zip(documents.tolist(), gains, strict=True)):
        best = np.sort(np.fromiter(gain.values(), float))[::-1][:depth]
        got = np.array([gain.get(document, 0.0) for document in row])
        values[query] = (got * discounts).sum() / (best * discounts[: len(best)]).sum()
    return values


class Search:
    """Finds the best documents of each query; counts those it could not read or score."""

    unscored = 0

    def __init__(self, queries: Sequence[str], depth: int = DEPTH) -> None:
        self.queries, self.depth = list(queries), depth
        self.lost = 0

    def __call__(self, blocks: Blocks) -> Best:
        """Return the best documents of the blocks, which are read once or twice."""
        best = Best(len(self.queries), self.depth)
        for texts, numbers in self.usable(blocks):
            best.add(self.scores(texts), numbers)
        return best

    def scores(self, texts: Sequence[str]) -> Float64Array:
        """Return the scores of all queries with texts, (q, n)."""
        raise NotImplementedError

    def usable(self, blocks: Blocks) -> Iterator[tuple[list[str], IntArray]]:
        """Yield the texts of each block that are sentences, and their numbers."""
        self.lost = at = 0
        for block in blocks():
            places = [place for place, text in enumerate(block) if problem(text) is None]
            self.lost += len(block) - len(places)
            if places:
                yield [block[place] for place in places], at + np.array(places, np.int64)
            at += len(block)


class ByVectors(Search):
    """Search by the cosines of vectors."""

    def __init__(self, tested: EvaluatedModel, queries: Sequence[str], depth: int = DEPTH) -> None:
        super().__init__(queries, depth)
        self.tested = tested
        self._known: dict[bytes, AnyArray] = {}
        self._directions = _directions(vectors_of(tested, self.queries))

    def scores(self, texts: Sequence[str]) -> Float64Array:
        """Return cosines, to 12 decimals."""
        keys = self.tested.keys(texts)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        encoded = vectors_of(self.tested, list(new.values())) if new else ()
        vectors = self._known | dict(zip(new, encoded, strict=True))
        documents = _directions(np.stack([vectors[key] for key in keys]))
        kept = list(new)[: max(0, REMEMBERED - len(self._known))]
        self._known.update((key, vectors[key]) for key in kept)
        self.lost += int(np.isnan(documents[:, 0]).sum())
        return np.round(self._directions @ documents.T, 12)


class ByMetric(Search):
    """Search by a string metric."""

    def __init__(self, using: StringCombiner, queries: Sequence[str], depth: int = DEPTH) -> None:
        super().__init__(queries, depth)
        self.metric, self.tokeniser = strings.METRICS[using.metric], using.tokeniser

    def scores(self, texts: Sequence[str]) -> Float64Array:
        """Return the metric's scores."""
        metric, rows = self.metric([*self.queries, *texts], self.tokeniser), len(self.queries)
        return metric.block(np.arange(rows), rows + np.arange(len(texts)))


class ByBm25(Search):
    """Search by BM25+ with the collection's rarities and lengths; blocks are read twice."""

    def __init__(self, tokeniser: str, queries: Sequence[str], depth: int = DEPTH) -> None:
        super().__init__(queries, depth)
        self.tokeniser = tokeniser

    def __call__(self, blocks: Blocks) -> Best:
        """Return the best documents of the blocks."""
        counted = (counts(Tokens.of(texts, self.tokeniser)) for texts, _ in self.usable(blocks))
        self.statistics = strings.Bm25Statistics.of(counted)
        self.asked = counts(Tokens.of(self.queries, self.tokeniser))
        return super().__call__(blocks)

    def scores(self, texts: Sequence[str]) -> Float64Array:
        """Return the scores of BM25+."""
        counted = counts(Tokens.of(texts, self.tokeniser))
        return strings.Bm25Index(counted, statistics=self.statistics).scores(self.asked)


class Reranked(Search):
    """The documents of another search, reranked by a model's scores; ties keep their order."""

    def __init__(
        self, first: Search, tested: EvaluatedModel, depth: int = DEPTH, progress: bool = False
    ) -> None:
        super().__init__(first.queries, depth)
        self.first, self.tested, self.progress = first, tested, progress

    def __call__(self, blocks: Blocks) -> Best:
        """Return the best documents of the blocks."""
        ranked = self.first(blocks).documents
        wanted = set(ranked[ranked >= 0].tolist())
        texts: dict[int, str] = {}
        for block, numbers in self.usable(blocks):
            numbered = zip(numbers.tolist(), block, strict=True)
            texts |= {number: text for number, text in numbered if number in wanted}
        places = np.nonzero(ranked >= 0)
        asked = zip(places[0].tolist(), ranked[places].tolist(), strict=True)
        pairs = [(self.queries[query], texts[document]) for query, document in asked]
        scored = self.tested.scores_in_chunks(pairs, self.progress, CHUNK)
        scores = np.full(ranked.shape, np.nan)
        scores[places] = scored
        self.unscored = int(np.isnan(scored).sum())
        best = Best(len(self.queries), self.depth)
        best.add(scores, ranked)
        return best


def _directions(rows: AnyArray) -> Float64Array:
    """Return the rows at length 1; NaN where a row has no direction."""
    rows = np.asarray(rows, np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    known = (lengths > 0) & (lengths < np.inf)
    return np.asarray(np.divide(rows, lengths, out=np.full(rows.shape, np.nan), where=known))


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
    sums = Counter[str]()
    said: Plain = {}
    for name, collection in data.sets.items():
        search, said = _search(collection, tested, settings)
        values, lost = _columns(collection, search, said, tested, settings)
        sums.update({"documents": len(collection.corpus), **lost})
        cut = count_flagged(((query,) for query in collection.queries), tested.truncated)
        estimates = retained(values, **settings.drawing)
        by_set[name] = parts.SetResult(estimates, collection.rows, cut, values)
    found = parts.measured(data, by_set, said)
    queries = [name for one in data.sets.values() for name in one.ids]
    kept = {"query": queries, **found.columns} if found.columns else {}
    blocks = (block for one in data.sets.values() for block in one.corpus.blocks(BLOCK))
    flagged = (count_flagged(((text,) for text in block), tested.truncated) for block in blocks)
    whole = {**found.counts, "truncated documents": models.total(flagged), **sums}
    return replace(found, counts=whole, columns=kept)


def _columns(
    data: Collection, search: Search, said: Record, tested: EvaluatedModel, settings: Settings
) -> tuple[dict[str, Float64Array], dict[str, int]]:
    """Return NDCG by query for the corpus and each perturbation, and counts of missing scores."""
    about = {"sample": settings.options.get("sample"), "settings": said}
    work = Checkpoint(data.sha256, tested, settings, tokeniser=tokeniser().name, **about)
    columns: dict[str, Float64Array] = {}
    lost = dict.fromkeys(PER_SEARCH, 0)
    searches = _searches(said["mode"], bool(settings.options.get("as_printed")))
    for number, (name, versions) in enumerate(searches.items(), 1):
        described = f"{name} ({number} of {len(searches)})"
        documents = partial(_documents, data, versions, settings, described)
        part = work.get(name)
        if not part:
            found = search(documents).documents
            part = {
                "ndcg": ndcg(_others(found, data), data.relevant).tolist(),
                "documents not looked at": search.lost,
                "pairs without score": search.unscored,
            }
            work.keep(name, part)
        columns[name] = np.array(part["ndcg"])
        lost = {what: count + part[what] for what, count in lost.items()}
    return columns, lost


def _searches(mode: str, exact: bool) -> dict[str, tuple[Version, ...]]:
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
    corpus, progress = data.corpus, settings.progress
    for kind in versions:
        for block in tracked(corpus.blocks(BLOCK), len(corpus), described, progress):
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
    queries, depth = data.queries, DEPTH + (forms if data.itself else 0)
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
    finds: Search = ByBm25("auto", queries, many)
    if first != "bm25":
        finds = ByVectors(models.evaluated_model(first), queries, many)
    said["search"] = "scores of documents found by the first stage"
    said |= {"first_stage": first, "rerank": many}
    return Reranked(finds, tested, depth, settings.progress), said


def _others(found: IntArray, data: Collection) -> IntArray:
    """Return the best documents other than the query itself and its versions."""
    kept = np.full((len(found), DEPTH), -1, np.int64)
    for query, row in enumerate(found):
        itself = data.itself.get(query)
        if itself is not None:
            row = row[(row < 0) | (row % len(data.corpus) != itself)]
        kept[query, : len(row[:DEPTH])] = row[:DEPTH]
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
TASK = parts.sage_task("sage-retrieval", load, measure, resumes=True, comparison=COMPARED)
