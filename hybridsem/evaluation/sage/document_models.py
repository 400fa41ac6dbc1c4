"""Models over documents: how each scores them, and many pairs of texts at once."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import AnyArray, BoolArray, Float64Array, IntArray, Plain
from hybridsem._utils.validation import problem
from hybridsem.batch.cache import store_in
from hybridsem.batch.identity import settings_of
from hybridsem.datasets.settings import Settings
from hybridsem.english.sentences import sentences_of
from hybridsem.errors import InputError
from hybridsem.evaluation.model import EvaluatedModel, cosines, evaluated_model, vectors_of
from hybridsem.pipeline import Pipeline
from hybridsem.reader import SENTENCES_HELD
from hybridsem.strings import METRICS, Bm25, Bm25OfPairs, StringCombiner, StringMetric

Places = Sequence[int] | IntArray
DECIMALS = 6  # decimals of 32-bit products, so that they do not depend on the size of a block


class Compared:
    """Texts that a model has read, compared by their places."""

    def pairs(self, first: Places, second: Places) -> Float64Array:
        """Return the similarities of pairs, (p,)."""
        raise NotImplementedError

    def block(self, rows: Places, columns: Places) -> Float64Array:
        """Return the similarities of all ``rows`` with all ``columns``, (r, c)."""
        first, second = (side.ravel() for side in np.meshgrid(rows, columns, indexing="ij"))
        return self.pairs(first, second).reshape(len(rows), len(columns))


def prepared(
    tested: EvaluatedModel, settings: Settings, printed: type[StringMetric] = Bm25OfPairs
) -> EvaluatedModel:
    """Return the model as SAGE asks it; :class:`InputError` for options it does not support."""
    if tested.to_fit() is not None:
        raise InputError(f"{tested.name!r} has seen no data set; fit it first: encoder.fit(texts)")
    pipeline = tested.pipeline
    combiner = None if pipeline is None else pipeline.combiner
    if (tokeniser := settings.options.get("tokeniser")) is not None:
        if pipeline is None or not isinstance(combiner, StringCombiner):
            why = f"tokeniser is for metrics on strings, and {tested.name!r} is not one; got"
            raise InputError(f"{why} {tokeniser!r}")
        combiner = replace(combiner, tokeniser=tokeniser)
        combiner.card  # noqa: B018  raises for a missing tokeniser before the data are read
        pipeline = copy(pipeline)
        pipeline.reader.parts.combiner = combiner
        name, tested = tested.name, evaluated_model(pipeline)
        tested.name = name
    is_bm25 = isinstance(combiner, StringCombiner) and combiner.metric == Bm25.name
    if settings.options.get("as_printed") and is_bm25:
        return _PrintedBm25(tested, printed)
    if pipeline is not None and combiner is not None and combiner.formalism is not None:
        return _BySentences(tested, pipeline, settings.work)
    if settings.options.get("documents") == "sentences":
        if not tested.compares_vectors:
            why = "documents='sentences' is for encoders"
            raise InputError(f"{why}; {tested.name!r} gives no vectors of texts")
        return _AveragedSentences(tested)
    return tested


def compared(tested: EvaluatedModel, texts: Sequence[str], progress: bool = False) -> Compared:
    """Read texts with a model from :func:`prepared`, each distinct one once."""
    usable = np.array([problem(text) is None for text in texts], bool)
    combiner = None if tested.pipeline is None else tested.pipeline.combiner
    if isinstance(combiner, StringCombiner):
        printed = tested.metric if isinstance(tested, _PrintedBm25) else None
        metric: Any = printed or METRICS[combiner.metric]
        known = [text for text in texts if problem(text) is None]
        return _ByMetric(metric(known, combiner.tokeniser), usable)
    if tested.compares_vectors:
        return _ByVectors(tested, texts, usable, progress)
    return _ByScores(tested, texts)


def in_batch(tested: EvaluatedModel, found: Float64Array) -> Float64Array:
    """Scale the scores of BM25 ``as_printed`` by column, from 0 to 1; others are unchanged."""
    if not (isinstance(tested, _PrintedBm25) and found.size):
        return found
    known = np.where(np.isfinite(found), found, np.nan)
    with np.errstate(invalid="ignore"):
        least, most = np.fmin.reduce(known, axis=0), np.fmax.reduce(known, axis=0)
    apart = most - least
    scaled = np.divide(known - least, apart, out=np.ones_like(known), where=apart > 0)
    return np.where(np.isnan(known), np.nan, scaled)


class _Wrapped(EvaluatedModel):
    how = ""

    def __init__(self, tested: EvaluatedModel) -> None:
        self.tested, self.name = tested, tested.name

    def describe(self) -> Plain:
        return {**self.tested.describe(), "name": self.name, "documents": self.how}

    def truncated(self, texts: Sequence[str]) -> list[bool] | None:
        return self.tested.truncated(texts)


class _PrintedBm25(_Wrapped):
    """The paper's BM25, a metric of :mod:`hybridsem.strings`, normalised in the batch."""

    offers = frozenset({"scores"})

    def __init__(self, tested: EvaluatedModel, metric: type[StringMetric]) -> None:
        super().__init__(tested)
        self.pipeline, self.metric = tested.pipeline, metric
        self.how = f"{metric.name}, from 0 to 1 in each batch"


class _BySentences(_Wrapped):
    offers = frozenset({"scores"})
    how = "by sentences, aligned"

    def __init__(self, tested: EvaluatedModel, pipeline: Pipeline, work: Path | None) -> None:
        super().__init__(tested)
        if not pipeline.remembers:
            store = None
            if work is not None and not pipeline.unnamed:
                store = store_in(work / "sentences", settings_of(pipeline))
                weakref.finalize(self, store.close)  # after what follows: the last is called first
            pipeline = copy(pipeline)
            pipeline.remember(SENTENCES_HELD, store)
            weakref.finalize(self, pipeline.remember, 0)
        self._reads = pipeline

    def truncated(self, texts: Sequence[str]) -> list[bool]:
        return self._reads.truncated(texts)

    def _scores(self, pairs: Sequence[tuple[str, str]]) -> Float64Array:
        return self._reads.score(pairs, on_error="skip")


class _AveragedSentences(_Wrapped):
    offers = frozenset({"scores", "vectors"})
    compares_vectors = True
    how = "the mean of the vectors of sentences, weighted by words"

    def vectors(self, texts: Sequence[str]) -> AnyArray:
        split = [sentences_of(text) for text in texts]
        distinct = list(dict.fromkeys(chain.from_iterable(split)))
        at = {sentence: row for row, sentence in enumerate(distinct)}
        table = np.asarray(self.tested.vectors(distinct), np.float64)
        lengths = np.linalg.norm(table, axis=1, keepdims=True)
        table = np.divide(table, lengths, out=table, where=lengths > 0)
        weights = [np.array([len(sentence.split()) for sentence in own], float) for own in split]
        rows = [[at[sentence] for sentence in own] for own in split]
        return np.array([w @ table[own] / w.sum() for w, own in zip(weights, rows, strict=True)])

    def truncated(self, texts: Sequence[str]) -> list[bool] | None:
        flags = [self.tested.truncated(sentences_of(text)) for text in texts]
        return None if None in flags else [any(found or ()) for found in flags]

    def _scores(self, pairs: Sequence[tuple[str, str]]) -> Float64Array:
        return cosines(*(self.vectors(texts) for texts in zip(*pairs, strict=True)))


class _ByMetric(Compared):
    def __init__(self, metric: StringMetric, usable: BoolArray) -> None:
        self.metric = metric
        self.place = np.where(usable, np.cumsum(usable) - 1, -1)

    def pairs(self, first: Places, second: Places) -> Float64Array:
        one, two = self.place[first], self.place[second]
        usable = (one >= 0) & (two >= 0)
        scores = np.full(len(one), np.nan)
        scores[usable] = self.metric.pairs(one[usable], two[usable])
        return scores

    def block(self, rows: Places, columns: Places) -> Float64Array:
        one, two = self.place[rows], self.place[columns]
        scores = np.full((len(one), len(two)), np.nan)
        if (one >= 0).any() and (two >= 0).any():
            scores[np.ix_(one >= 0, two >= 0)] = self.metric.block(one[one >= 0], two[two >= 0])
        return scores


class _ByVectors(Compared):
    def __init__(
        self, tested: EvaluatedModel, texts: Sequence[str], usable: BoolArray, progress: bool
    ) -> None:
        distinct = list(dict.fromkeys(text for text, ok in zip(texts, usable, strict=True) if ok))
        at = {text: i for i, text in enumerate(distinct)}
        self.place = np.array([at.get(text, len(distinct)) for text in texts], np.int64)
        table = vectors_of(tested, distinct, progress)
        with np.errstate(invalid="ignore", divide="ignore"):  # a vector of zeros has no direction
            table = table / np.linalg.norm(table.astype(np.float64), axis=1, keepdims=True)
        none = np.full((1, table.shape[1]), np.nan)
        self.table = np.concatenate([table, none]).astype(np.float32)

    def pairs(self, first: Places, second: Places) -> Float64Array:
        one, two = self.place[first], self.place[second]
        return np.where(one == two, self._known(one), cosines(self.table[one], self.table[two]))

    def block(self, rows: Places, columns: Places) -> Float64Array:
        one, two = self.place[rows], self.place[columns]
        products = np.round(self.table[one] @ self.table[two].T, DECIMALS)
        products = np.clip(products, -1, 1).astype(np.float64)
        same = np.equal.outer(one, two)
        products[same] = np.broadcast_to(self._known(one)[:, None], products.shape)[same]
        return products

    def _known(self, places: IntArray) -> Float64Array:
        """Return 1 for each text with a vector, NaN for others."""
        return np.where(np.isfinite(self.table[places, 0]), 1.0, np.nan)


class _ByScores(Compared):
    def __init__(self, tested: EvaluatedModel, texts: Sequence[str]) -> None:
        self.tested, self.texts = tested, texts

    def pairs(self, first: Places, second: Places) -> Float64Array:
        sides = np.sort(np.stack([first, second], axis=1), axis=1)  # scores are symmetric
        asked, inverse = np.unique(sides, axis=0, return_inverse=True)
        found = self.tested.scores([(self.texts[i], self.texts[j]) for i, j in asked.tolist()])
        return found[inverse.ravel()]
