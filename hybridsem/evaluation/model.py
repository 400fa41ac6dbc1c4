"""Evaluated models: a pipeline, an encoder, a function of pairs, or answers computed beforehand.

model name, Pipeline              scores, and vectors where the model has them
object with encode(sentences)     vectors, and their cosines as scores
object with similarity(pairs)     scores
file of similarities              rows
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from itertools import chain, compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, Plain, SentencePairs
from hybridsem._utils.disk import sha256_of
from hybridsem._utils.lines import LineReader
from hybridsem._utils.progress import in_chunks
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.store import key_of
from hybridsem._utils.validation import problem
from hybridsem._utils.weights import FOLDER as WEIGHTS
from hybridsem.combiners.base import ComparesWords
from hybridsem.datasets.settings import Settings
from hybridsem.embeddings.abilities import ReadsEnglishAlone, ReportsTruncation
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.role_encoder import RoleEncoder
from hybridsem.errors import FormatError, InputError, ParseError, counted
from hybridsem.learned.combiner import LearnedCombiner
from hybridsem.registry.parts import FittedEncoder, without_secrets

if TYPE_CHECKING:
    from hybridsem.pipeline import Pipeline


# The kinds of answers that tasks need and models offer.
KINDS: Mapping[str, str] = {
    "scores": "scores of pairs",
    "vectors": "vectors of texts",
    "rows": "a score for each row of the data",
}
CHUNK = 4096  # texts, pairs, or rows of a file of vectors that are processed at once
UNKNOWN_COUNTS: Mapping[str, int | None] = {"truncated": None, "foreign": None}


def total(counts: Iterable[int | None]) -> int | None:
    """Return the sum of counts; None, and no more are read, where one is unknown."""
    whole = 0
    for count in counts:
        if count is None:
            return None
        whole += count
    return whole


class EvaluatedModel:
    """A model as a task sees it. A missing answer is NaN, as that for a text without words."""

    name: str
    offers: frozenset[str] = frozenset()
    pipeline: Pipeline | None = None  #: if the model is one
    encoder: Any = None  #: if the model reads sentence vectors
    compares_vectors = False  #: its scores are the cosines of its vectors
    trained_on = ""  #: the hashes of the pairs that its weights were trained on
    vectors_from: str | None = None  #: the encoder of its vectors, if they alone give no score

    def describe(self) -> Plain:
        """Return the model and its settings for the card."""
        return {"name": self.name}

    @property
    def mask(self) -> str:
        """The sign of a hidden word in texts: the encoder's own, or ``UNK``."""
        return getattr(self.encoder, "mask_token", None) or "UNK"

    def to_fit(self) -> FittedEncoder | None:
        """Return the encoder if it has yet to be fitted to the texts of the data set."""
        encoder = self.encoder
        return encoder if isinstance(encoder, FittedEncoder) and not encoder.fitted else None

    def scores(self, pairs: SentencePairs) -> Float64Array:
        """Return the scores of n pairs, (n,) float64; NaN is missing."""
        usable = [at for at, pair in enumerate(pairs) if not any(map(problem, pair))]
        scores = np.full(len(pairs), np.nan)
        if asked := [pairs[at] for at in usable]:
            scores[usable] = _column(self._scores(asked), len(asked), self.name)
        return scores

    def scores_in_chunks(
        self, pairs: SentencePairs, progress: bool, size: int = 1024
    ) -> Float64Array:
        """Return the scores of n pairs, (n,), while a bar shows how many are done."""
        chunks = in_chunks(pairs, size, "scoring", progress)
        return np.concatenate([np.empty(0), *map(self.scores, chunks)])

    def vectors(self, texts: Sequence[str]) -> AnyArray:
        """Return the vectors of n texts, (n, d), not normalised."""
        raise NotImplementedError

    def keys(self, texts: Sequence[str]) -> list[bytes]:
        """Return a key for each text; texts with the same key have the same vector."""
        return [key_of(text) for text in texts]

    def row_scores(self, rows: int) -> Float64Array:
        """Return scores of all rows, (n,); :class:`InputError` for another number."""
        raise NotImplementedError

    def truncated(self, texts: Sequence[str]) -> list[bool] | None:
        """Return for each text whether the model truncates it; None if unknown."""
        return None

    def foreign(self, texts: Sequence[str]) -> list[bool] | None:
        """Return for each text whether it is not English; None if the model does not report it."""
        return None

    def count_unread(self, items: Sequence[Collection[str]]) -> dict[str, int | None]:
        """Count groups of texts with one that is ``truncated`` or ``foreign``; None: unknown."""
        flags = {"truncated": self.truncated, "foreign": self.foreign}
        return {name: count_flagged(items, flags_of) for name, flags_of in flags.items()}

    def _scores(self, pairs: SentencePairs) -> Any:
        raise NotImplementedError


def count_flagged(
    items: Iterable[Collection[str]], flags_of: Callable[[list[str]], Sequence[bool] | None]
) -> int | None:
    """Count the items with a text that ``flags_of`` marks; None if that is unknown."""
    items = list(items)
    texts = [text for text in dict.fromkeys(chain.from_iterable(items)) if problem(text) is None]
    if (flags := flags_of(texts)) is None:
        return None
    flagged = set(compress(texts, flags))
    return sum(not flagged.isdisjoint(item) for item in items)


def evaluated_model(model: Any) -> EvaluatedModel:
    """Return a name, pipeline, encoder, or object with ``similarity`` as a model of tasks."""
    from hybridsem.pipeline import Pipeline

    if isinstance(model, EvaluatedModel):
        return model
    if isinstance(model, str):
        model = Pipeline(model)
    if isinstance(model, Pipeline):
        return _OfPipeline(model)
    if not isinstance(model, type):
        if callable(getattr(model, "encode", None)):
            return _OfEncoder(model)
        if callable(getattr(model, "similarity", None)):
            return _OfFunction(model)
    why = "a model is a name, a Pipeline, or an object with encode(sentences) or similarity(pairs);"
    raise InputError(f"{why} got {model!r:.80} ({type(model).__name__})")


def by_vectors(tested: EvaluatedModel, _: Settings) -> EvaluatedModel:
    """Return the model, named after the encoder whose vectors alone a task uses."""
    if tested.vectors_from is not None:
        tested = copy(tested)
        tested.name += f" (vectors of {tested.vectors_from})"
    return tested


def vectors_of(tested: EvaluatedModel, texts: Sequence[str], progress: bool = False) -> AnyArray:
    """Return the vectors of texts, (n, d); NaN for a text that cannot be parsed."""
    if (encoder := tested.to_fit()) is not None:
        encoder.fit(list(texts))
    chunks = in_chunks(texts, CHUNK, "encoding", progress)
    parts = [part for chunk in chunks for part in _parsed(tested, chunk)]
    widths = {part.shape[1] for part in parts} - {0}
    if len(widths) > 1:
        raise InputError(f"{tested.name} gave vectors of several lengths")
    none = np.full((1, max(widths, default=0)), np.nan)
    return np.concatenate([part if part.shape[1] else none for part in parts])


def _parsed(tested: EvaluatedModel, texts: Sequence[str]) -> Iterator[AnyArray]:
    """Yield the vectors of texts; failing texts, (1, 0), are found by halving."""
    try:
        yield np.asarray(tested.vectors(texts))
    except ParseError:
        if len(texts) == 1:
            yield np.empty((1, 0))
            return
        middle = len(texts) // 2
        yield from chain(_parsed(tested, texts[:middle]), _parsed(tested, texts[middle:]))


@wrap_read_errors
def similarities_file(path: str | Path) -> EvaluatedModel:
    """Read similarities, a number a line in the data's order; nan is missing."""
    return _OfRows(Path(path).stem, numbers_in(path), Path(path).name)


_PARTS = ("model", "parser", "vectors", "encoder")
_RENAMED = {"weights": "learned weights"}  # "weights" are those that ship


class _OfPipeline(EvaluatedModel):
    pipeline: Pipeline

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.name = pipeline.spec.name
        combiner = pipeline.combiner
        self.encoder = pipeline.encoder if combiner.reads_vectors else None
        has_vectors = combiner.reads_vectors or hasattr(combiner, "vectors_of")
        self.offers = frozenset({"scores", "vectors"} if has_vectors else {"scores"})
        self.compares_vectors = combiner.reads_vectors and combiner.formalism is None
        self._fitted = _fitted(pipeline.encoder)
        are_scores = self.compares_vectors or hasattr(combiner, "vectors_of")
        if combiner.reads_vectors and not are_scores:
            own = without_secrets(pipeline.spec.encoder)
            self.vectors_from = pipeline.settings.get("encoder", own)
        if isinstance(combiner, LearnedCombiner):
            self.trained_on = combiner.weights.trained_on

    def describe(self) -> Plain:
        spec, combiner, given = self.pipeline.spec, self.pipeline.combiner, self.pipeline.settings
        parts = ["parser", "vectors"] if combiner.formalism is not None else []
        if combiner.reads_vectors:
            of_words = isinstance(self.pipeline.encoder, ComparesWords) and not parts
            parts += ["vectors", "encoder"] if of_words else ["encoder"]
        return {
            "name": self.name,
            "kind": "pipeline",
            **{part: given.get(part, without_secrets(getattr(spec, part))) for part in parts},
            **{_RENAMED.get(name, name): own for name, own in given.items() if name not in _PARTS},
            **self._fitted,
            **({"contents": dict(contents)} if (contents := self.pipeline.contents) else {}),
            **getattr(combiner, "card", {}),
            "needs": spec.needs,
            "licence": spec.licence,
            "reference": spec.reference,
            "weights": sha256_of(WEIGHTS / "manifest.json"),
        }

    def vectors(self, texts: Sequence[str]) -> AnyArray:
        return self.pipeline.encode(texts, unit=False)

    def keys(self, texts: Sequence[str]) -> list[bytes]:
        if self.compares_vectors and isinstance(self.encoder, EmbeddedEncoder | RoleEncoder):
            return [hashlib.sha256(pieces).digest() for pieces in self.encoder.pieces(texts)]
        return super().keys(texts)

    def truncated(self, texts: Sequence[str]) -> list[bool]:
        return self.pipeline.truncated(texts)

    def foreign(self, texts: Sequence[str]) -> list[bool]:
        return self.pipeline.foreign(texts)

    def _scores(self, pairs: SentencePairs) -> Any:
        return self.pipeline.score(pairs, on_error="skip")


class _OfEncoder(EvaluatedModel):
    offers = frozenset({"scores", "vectors"})
    compares_vectors = True

    def __init__(self, encoder: Any) -> None:
        self.encoder = encoder
        self._fitted = _fitted(encoder)
        self.name = str(getattr(encoder, "name", None) or type(encoder).__name__)

    def describe(self) -> Plain:
        return {"name": self.name, "kind": "encoder", "similarity": "cosine", **self._fitted}

    def vectors(self, texts: Sequence[str]) -> AnyArray:
        found = np.asarray(self.encoder.encode(list(texts)))
        if found.ndim != 2 or len(found) != len(texts):
            why = f"{self.name} gave an array of shape {found.shape} for {len(texts)} texts"
            raise InputError(f"{why}; (n, d) is needed")
        return found

    def truncated(self, texts: Sequence[str]) -> list[bool] | None:
        reports = isinstance(self.encoder, ReportsTruncation)
        return list(map(bool, self.encoder.too_long(list(texts)))) if reports else None

    def foreign(self, texts: Sequence[str]) -> list[bool] | None:
        reports = isinstance(self.encoder, ReadsEnglishAlone)
        return list(self.encoder.foreign(list(texts))) if reports else None

    def _scores(self, pairs: SentencePairs) -> Any:
        texts, places = distinct_texts(pairs)
        return cosines(*self.vectors(texts)[places])


def distinct_texts(pairs: SentencePairs) -> tuple[list[str], AnyArray]:
    """Return the distinct texts of n pairs, and the index of each text, (2, n)."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    at = {text: place for place, text in enumerate(texts)}
    return texts, np.array([[at[one], at[two]] for one, two in pairs], int).reshape(-1, 2).T


class _OfFunction(EvaluatedModel):
    offers = frozenset({"scores"})

    def __init__(self, model: Any) -> None:
        self.model = model
        self.name = str(getattr(model, "name", None) or type(model).__name__)

    def describe(self) -> Plain:
        return {"name": self.name, "kind": "similarity"}

    def _scores(self, pairs: SentencePairs) -> Any:
        return self.model.similarity(list(pairs))


class _OfRows(EvaluatedModel):
    offers = frozenset({"rows"})

    def __init__(self, name: str, values: Float64Array, file: str) -> None:
        self.name, self.values, self.file = name, values, file

    def describe(self) -> Plain:
        sha256 = hashlib.sha256(np.ascontiguousarray(self.values, "<f8").tobytes()).hexdigest()
        return {"name": self.name, "kind": "precomputed", "file": self.file, "sha256": sha256}

    def row_scores(self, rows: int) -> Float64Array:
        if len(self.values) != rows:
            own = "1 similarity" if len(self.values) == 1 else f"{len(self.values)} similarities"
            why = f"{self.name} has {own} and the data {counted(rows, 'pair')}; one for each pair"
            raise InputError(f"{why} is needed, in their order")
        return self.values


def _fitted(encoder: object) -> dict[str, str]:
    """Return when an encoder was fitted: beforehand, or to the data."""
    if not isinstance(encoder, FittedEncoder):
        return {}
    return {"fitted": "beforehand" if encoder.fitted else "to the texts of this data set"}


def cosines(first: AnyArray, second: AnyArray) -> Float64Array:
    """Return the cosines of rows, (n,), to 12 decimals; NaN where a vector has no direction."""
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    with np.errstate(over="ignore", invalid="ignore"):  # infinite vectors have no direction
        lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
        products = np.einsum("ij,ij->i", first, second)
        none, known = np.full(len(first), np.nan), (lengths > 0) & np.isfinite(lengths)
        quotients = np.divide(products, lengths, out=none, where=known)
    return np.asarray(np.clip(np.round(quotients, 12), -1, 1), np.float64)


def _column(values: object, rows: int, name: str) -> Float64Array:
    """Check that there is one number for each row; NaN is missing."""
    try:
        scores = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        why = f"{name} gave no numbers, got {values!r:.80}; one score per pair is needed"
        raise InputError(why) from None
    if scores.shape != (rows,):
        why = f"{name} gave scores of shape {scores.shape} for {rows} pairs"
        raise InputError(f"{why}; one per pair is needed")
    if len(infinite := np.flatnonzero(np.isinf(scores))):
        raise InputError(f"{name} gave an infinite score for pair {infinite[0]} of {rows}")
    return scores


def numbers_in(path: str | Path) -> Float64Array:
    """Return the numbers of a file, one a line; ``nan`` is missing. Raises :class:`FormatError`."""
    lines, values, blank = LineReader(path), array("d"), 0
    for number, line in lines:
        if not line.strip():
            blank = blank or number
            continue
        if blank:
            why = "an empty line between numbers; write nan for a missing one"
            raise FormatError(why, lines.name, blank)
        with suppress(ValueError):
            values.append(float(line))
        if len(values) < number or np.isinf(values[-1]):
            why = f"expected a finite number or nan, got {line[:60]!r}"
            raise FormatError(why, lines.name, number)
    return np.frombuffer(values, np.float64) if values else np.empty(0)
