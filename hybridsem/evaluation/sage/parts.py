"""Shared by the parts of SAGE: data sets of files, samples, documents, results, and comparisons."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from hybridsem import __version__
from hybridsem._typing import Float64Array, Plain, Record
from hybridsem._utils.contents import code_hash
from hybridsem._utils.lines import plain_suffix
from hybridsem._utils.store import Store, key_of
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.comparison import CardComparison, PairedTest
from hybridsem.evaluation.model import EvaluatedModel, total
from hybridsem.evaluation.sage.datasets import DataSet, resolve
from hybridsem.evaluation.sage.document_models import prepared
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate, difference
from hybridsem.evaluation.statistics.summaries import resampled_of
from hybridsem.evaluation.task import Measured, declared
from hybridsem.tables.records import SUFFIXES, records
from hybridsem.tokenisers import tokeniser

ALL, SCORE = "all", "score"
"""The group of all data sets, and the statistic that judges a part, in [0, 1]."""
KEPT_ITEMS = 100_000  # the most documents or queries whose values stay in the card
Set = TypeVar("Set", bound=DataSet, covariant=True)


@dataclass(frozen=True)
class Sets(Generic[Set]):
    """The data sets of a part by name; satisfies :class:`~hybridsem.evaluation.task.Data`."""

    source: str
    sets: Mapping[str, Set]
    split: str | None = None

    def __post_init__(self) -> None:
        if len(self.sets) > 1 and ALL in self.sets:
            why = "of several data sets none can be called 'all', which is the mean of them"
            raise InputError(f"{why}; rename a file")

    @property
    def rows(self) -> int:
        """The number of items of all data sets."""
        return sum(own.rows for own in self.sets.values())

    @property
    def sha256(self) -> str:
        """The sha256 of all data sets."""
        return digest_of(part for name, own in self.sets.items() for part in (name, own.sha256))

    @property
    def excluded(self) -> dict[str, int]:
        """The number of excluded items by reason, over all data sets."""
        return dict(sum((Counter(own.excluded) for own in self.sets.values()), Counter[str]()))


def load_sets(path: Path, read: Callable[[Path], Set]) -> Sets[Set]:
    """Read the data sets of a file, or of all files of a folder in the order of their names."""
    path = resolve(path)
    if not path.exists():
        raise InputError(f"there is no such file or folder, got {str(path)!r}")
    files = [path]
    if path.is_dir():
        inside = (file for file in path.iterdir() if file.is_file())
        files = sorted(file for file in inside if plain_suffix(file) in SUFFIXES)
        if not files:
            why = f"no data in the folder, got {str(path)!r}"
            raise InputError(f"{why}; it needs files named {', '.join(SUFFIXES)}")
    sets: dict[str, Set] = {}
    for file in files:
        name = file.name.split(".")[0]
        if name in sets:
            raise InputError(f"two files of one name, got {name!r} twice in {str(path)!r}")
        sets[name] = read(file)
    return Sets(path.name, sets)


def sampled(rows: int, settings: Settings) -> list[int]:
    """Return the rows that take part, in order: all, or ``--sample N`` drawn with the seed."""
    wanted = settings.options.get("sample")
    if wanted is None or wanted >= rows:
        return list(range(rows))
    drawn = np.random.default_rng(settings.seed).choice(rows, wanted, replace=False)
    return sorted(np.asarray(drawn).tolist())


def digest_of(parts: Iterable[str]) -> str:
    """Return the sha256 of texts in order."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def reading(read: Callable[[Path, Settings], Set]) -> Callable[[Path, Settings], Sets[Set]]:
    """Return the loader of a file, or of every file of a folder, from the reader of one."""
    return lambda path, settings: load_sets(path, lambda file: read(file, settings))


# Column names in lower case, the likeliest first.
TEXT_COLUMNS = ("text", "article", "document", "source", "content", "body")
SUMMARY_COLUMNS = ("summary", "highlights", "abstract")


@dataclass(frozen=True)
class Documents(DataSet):
    """Non-blank ``texts`` and their summaries (empty where there is none)."""

    texts: tuple[str, ...]
    summaries: tuple[str, ...]


def read_documents(path: Path, settings: Settings, summarised: bool = False) -> Documents:
    """Read and sample documents; unusable ones are counted by reason."""
    documents: list[tuple[str, str]] = []
    excluded = Counter({"empty": 0, "summary longer": 0, "no summary": 0})
    for line, record in records(path):
        text = _text(record, column(record, TEXT_COLUMNS, path, line), path, line)
        name = next((name for name in SUMMARY_COLUMNS if name in record), None)
        summary = "" if name is None else _text(record, name, path, line)
        if not text:
            excluded["empty"] += 1
        elif len(summary) > len(text):
            excluded["summary longer"] += 1
        elif summarised and not summary:
            excluded["no summary"] += 1
        else:
            documents.append((text, summary))
    left_out = dict(+excluded)
    if not documents:
        needed = f"; a summary is in a column {' or '.join(SUMMARY_COLUMNS)}" if summarised else ""
        why = f"no document of {str(path)!r} can be used; left out: {left_out}{needed}"
        raise InputError(why)
    chosen = [documents[row] for row in sampled(len(documents), settings)]
    texts, summaries = zip(*chosen, strict=True)
    if (most := settings.options.get("cut")) is not None:
        read = tokeniser(settings.options.get("tokeniser") or "auto")
        places = ((text, read.places(text)) for text in texts)
        texts = tuple(t if len(at) <= most else t[: at[most]].rstrip() for t, at in places)
    digest = digest_of((*texts, "", *summaries))
    return Documents(len(texts), digest, left_out, texts, summaries)


load_documents = reading(read_documents)


def column(record: Record, names: tuple[str, ...], path: Path, line: int) -> str:
    """Return the first of the names (lower case) that is a column of a record."""
    for name in names:
        if name in record:
            return name
    why = f"no column {' or '.join(map(repr, names))}; it has {', '.join(map(repr, record)):.200}"
    raise FormatError(why, path, line)


def _text(record: Record, name: str, path: Path, line: int) -> str:
    """Return the text in a column; empty if it is blank."""
    text = "" if record[name] is None else record[name]
    if not isinstance(text, str):
        raise FormatError(f"column {name!r}: expected a text, got {text!r:.80}", path, line)
    if (why := problem(text)) is not None and "surrogate" in why:
        raise FormatError(f"column {name!r}: {why}", path, line)
    return "" if why else text


def mean_of(estimates: Mapping[str, Estimate]) -> Estimate:
    """Return the mean of statistics; it is undefined where one of them is, which is named."""
    values = [one.value for one in estimates.values() if one.value is not None]
    if len(values) < len(estimates) or not values:
        undefined = [name for name, one in estimates.items() if one.value is None]
        note = f"undefined for {', '.join(undefined)}"
        return Estimate(None, None, None, len(values), len(undefined), note)
    return Estimate(float(np.mean(values)), None, None, len(values))


def means_of(by_set: Mapping[str, Mapping[str, Estimate]]) -> dict[str, Estimate]:
    """Return the statistics of a single data set, or the means of those that all sets have."""
    first, *others = by_set.values()
    if not others:
        return dict(first)
    names = [name for name in first if all(name in own for own in others)]
    return {name: mean_of({key: own[name] for key, own in by_set.items()}) for name in names}


class SetResult(NamedTuple):
    """The statistics of a data set, its answered and truncated items (None: unknown), values."""

    estimates: Mapping[str, Estimate]
    scored: int
    truncated: int | None
    columns: Mapping[str, Float64Array] = {}


def measured(
    data: Sets[DataSet], by_set: Mapping[str, SetResult], settings: Record | None = None
) -> Measured:
    """Return the results of a part for the card; statistics of all data sets are averaged."""
    results = [*by_set.values()]
    own = {name: dict(one.estimates) for name, one in by_set.items()}
    scores = {ALL: means_of(own), **(own if len(own) > 1 else {})}
    scored = sum(one.scored for one in results)
    counts = {"rows": data.rows, "scored": scored, "failed": data.rows - scored}
    left_out = {"truncated": total(one.truncated for one in results), **data.excluded}
    columns: dict[str, list[float]] = {}
    rows: dict[str, list[int]] = {}
    sizes = [len(next(iter(one.columns.values()), ())) for one in results]
    if 0 < sum(sizes) <= KEPT_ITEMS:
        for name in results[0].columns:
            columns[name] = np.concatenate([one.columns[name] for one in results]).tolist()
        ends = zip(by_set, sizes, np.cumsum(sizes).tolist(), strict=True)
        rows = {name: list(range(end - size, end)) for name, size, end in ends}
    rows = rows if len(results) > 1 else {}
    return Measured(scores, {**counts, **left_out}, columns, rows, settings=settings or {})


class Statistic(NamedTuple):
    """A statistic (r,) of r resamples, from the means (c, r) of columns with a value per item."""

    columns: tuple[str, ...]
    of_means: Callable[[Float64Array], Float64Array] = lambda means: means[0]


class ItemBootstrap(CardComparison[list[Float64Array]]):
    """The difference of two models' statistics over the items that both have, drawn by data set."""

    lacks = "holds no values of single items"

    def __init__(self, statistics: Mapping[str, Statistic], alike: Sequence[str] = ()) -> None:
        self.statistics, self.alike = statistics, tuple(alike)
        self.tested = tuple(statistics)

    def values(self, card: Card, test: PairedTest) -> list[Float64Array] | None:
        """Return the columns (c, n) of each data set of the group."""
        columns = self.statistics[test.measure].columns
        if not set(columns) <= card.columns.keys() or test.group not in (ALL, *card.groups):
            return None
        whole = np.array([card.numbers(name) for name in columns])
        if test.group in card.groups:
            return [whole[:, card.groups[test.group]]]
        return [whole[:, rows] for rows in card.groups.values()] or [whole]

    def difference(
        self, one: list[Float64Array], two: list[Float64Array], test: PairedTest
    ) -> Difference:
        """Return the first card's statistic minus the second's, resampled over items."""
        of_means = self.statistics[test.measure].of_means
        if [table.shape for table in one] != [table.shape for table in two]:
            why = "not tested: the two cards hold values of different items"
            return Difference(None, None, None, 0, note=why)
        values, n, missing = [], 0, 0
        for place, both in enumerate(zip(one, two, strict=True)):
            known = ~np.any(np.isnan(both), axis=(0, 1))
            n, missing = n + int(known.sum()), missing + int((~known).sum())
            rows = [row[known] for table in both for row in table]
            values.append(np.full(1 + test.resamples, np.nan))
            if known.any():
                drawn = resampled_of(rows, "mean", test.resamples, (test.seed, place))
                means = np.hstack([np.mean(rows, axis=1)[:, None], drawn])
                values[-1] = np.subtract(*map(of_means, np.split(means, 2)))
        mean = np.mean(values, axis=0)
        if np.isnan(mean[0]):
            why = "not tested: not defined over the items that both have values for"
            return Difference(None, None, None, n, missing, why)
        return difference(float(mean[0]), mean[1:], n, missing, test.level)


sage_task = partial(declared, prepare=prepared)
TABLE = "parts"
# Sentences whose scores identify a model that has only a type.
ASKED = (
    "The dog chased the cat through the garden.",
    "A man who sings is heard by nobody.",
    "Prices fell by 3 % in 1999.",
)


def model_fingerprint(tested: EvaluatedModel) -> str | None:
    """Return a hash of a model's answers to three digits; None if names and files identify it."""
    pipeline = getattr(tested, "tested", tested).pipeline  # of the wrapped model, if there is one
    if (pipeline is not None and not pipeline.unnamed) or tested.to_fit() is not None:
        return None
    try:
        if tested.compares_vectors:
            answers = tested.vectors(ASKED)
        elif "scores" in tested.offers:
            answers = tested.scores([(first, second) for first in ASKED for second in ASKED])
        else:  # numbers of a file, which has a hash
            return None
    except Exception:  # a user's model may raise anything
        return None
    rounded = np.round(np.asarray(answers, np.float64), 3) + 0.0  # no -0
    return hashlib.sha256(rounded.tobytes()).hexdigest()


class Checkpoint:
    """The finished parts of one run on data of that sha256; without a folder nothing is kept."""

    def __init__(
        self, data: str, tested: EvaluatedModel, settings: Settings, /, **about: object
    ) -> None:
        self.file = None if settings.work is None else settings.work / "finished.sqlite"
        model = None if self.file is None else model_fingerprint(tested)
        about |= {"hybridsem": __version__, "code": code_hash(), "data": data}
        about |= {"seed": settings.seed, "model": tested.describe(), "answers": model}
        self.about = json.dumps(about, sort_keys=True, default=str)

    def get(self, name: str) -> Plain:
        """Return a part; empty if it is absent or damaged."""
        key = key_of(self.about, name)
        if self.file is None:
            return {}
        with closing(Store(self.file, [TABLE])) as store:
            kept = store.get(TABLE, [key])
        return dict(json.loads(kept[key])) if key in kept else {}

    def keep(self, name: str, part: Record) -> None:
        """Keep a part; it is on disk when this returns."""
        if self.file is not None:
            with closing(Store(self.file, [TABLE], synced=True)) as store:
                content = json.dumps(part, allow_nan=False).encode()
                store.put(TABLE, {key_of(self.about, name): content})
