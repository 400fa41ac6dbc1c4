"""Shared by the parts of SAGE: data sets of files, samples, documents, and the results of a card.

path --load_sets(read)--> Sets        a file is one data set; in a folder each file is
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.lines import plain_suffix
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.options import Option
from hybridsem.evaluation.sage.datasets import resolve
from hybridsem.evaluation.sage.document_models import prepared
from hybridsem.evaluation.statistics import Estimate
from hybridsem.evaluation.task import Measured, declared
from hybridsem.tables.records import SUFFIXES, records
from hybridsem.tokenisers.named import Tokeniser, tokeniser

OPTIONS = (
    Option("sample", "the number of items of each data set, drawn by --seed.", int, minimum=1),
    Option("tokeniser", "of jaccard, rouge and bm25: auto, cl100k or wordpiece.", metavar="T"),
    Option(
        "documents", "how encoders read documents: whole, or sentences, averaged.", metavar="HOW"
    ),
    Option("as_printed", "as in the paper, where the default differs.", bool),
)
"""The options of every part."""

CUT = Option("cut", "documents are truncated after this number of tokens.", int, minimum=1)
"""The option of parts that read documents."""

ALL, SCORE = "all", "score"
"""The group of all data sets, and the statistic that judges a part, in [0, 1]."""

KEPT_ITEMS = 100_000
"""The most documents or queries whose values stay in the card."""


class DataSet(Protocol):
    """One data set as a part reads it; ``excluded`` counts unusable items by reason."""

    @property
    def rows(self) -> int:
        """The number of items after sampling."""

    @property
    def sha256(self) -> str:
        """The sha256 of what was read."""

    @property
    def excluded(self) -> Mapping[str, int]:
        """The number of excluded items by reason."""


Set = TypeVar("Set", bound=DataSet)


@dataclass(frozen=True)
class Sets(Generic[Set]):
    """The data sets of a part by name; satisfies :class:`~hybridsem.evaluation.task.Data`."""

    source: str
    sets: Mapping[str, Set]
    split: str | None = None

    def __post_init__(self) -> None:
        if len(self.sets) > 1 and ALL in self.sets:
            raise InputError(
                "of several data sets none can be called 'all', which is the mean of them; "
                "rename a file"
            )

    @property
    def rows(self) -> int:
        """The number of items of all data sets."""
        return sum(one.rows for one in self.sets.values())

    @property
    def sha256(self) -> str:
        """The sha256 of all data sets."""
        return digest_of(part for name, one in self.sets.items() for part in (name, one.sha256))

    @property
    def excluded(self) -> dict[str, int]:
        """The number of excluded items by reason, over all data sets."""
        found: dict[str, int] = {}
        for one in self.sets.values():
            for why, count in one.excluded.items():
                found[why] = found.get(why, 0) + count
        return found


def load_sets(
    path: Path, read: Callable[[Path], Set], suffixes: Sequence[str] = SUFFIXES
) -> Sets[Set]:
    """Read the data sets of a file, or of all files of a folder in the order of their names."""
    path = resolve(path)
    if not path.exists():
        raise InputError(f"there is no such file or folder, got {str(path)!r}")
    files = [path]
    if path.is_dir():
        inside = (file for file in path.iterdir() if file.is_file())
        files = sorted(file for file in inside if plain_suffix(file) in suffixes)
        if not files:
            named = ", ".join(suffixes)
            raise InputError(
                f"no data in the folder, got {str(path)!r}; it needs files named {named}"
            )
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
    return sorted(int(row) for row in drawn)


def digest_of(parts: Iterable[str]) -> str:
    """Return the sha256 of texts in order."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


TEXT_COLUMNS = ("text", "article", "document", "source", "content", "body")
SUMMARY_COLUMNS = ("summary", "highlights", "abstract")
"""Column names in lower case, the likeliest first."""


@dataclass(frozen=True)
class Documents:
    """Non-blank ``texts`` and their summaries (empty where there is none)."""

    texts: tuple[str, ...]
    summaries: tuple[str, ...] = ()
    excluded: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """The number of documents."""
        return len(self.texts)

    @cached_property
    def sha256(self) -> str:
        """The sha256 of texts and summaries."""
        return digest_of((*self.texts, "", *self.summaries))


def load_documents(path: Path, settings: Settings, summarised: bool = False) -> Sets[Documents]:
    """Read the documents of a file, or of every file of a folder, sampled as the settings say."""
    return load_sets(path, lambda file: read_documents(file, settings, summarised=summarised))


def read_documents(path: Path, settings: Settings, *, summarised: bool = False) -> Documents:
    """Read the documents of a file: a column ``text``, and perhaps ``summary``. Excluded and
    counted: empty documents, those with a longer summary, and with ``summarised`` those without
    one. A sample is of the others. With ``cut`` a text ends after that number of tokens.
    """
    texts, summaries = [], []
    excluded = {"empty": 0, "summary longer": 0, "no summary": 0}
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
            texts.append(text)
            summaries.append(summary)
    kept = {why: count for why, count in excluded.items() if count}
    if not texts:
        needed = f"; a summary is in a column {' or '.join(SUMMARY_COLUMNS)}" if summarised else ""
        raise InputError(f"no document of {str(path)!r} can be used; left out: {kept}{needed}")
    chosen = sampled(len(texts), settings)
    found = [texts[i] for i in chosen]
    if (most := settings.options.get(CUT.name)) is not None:
        reader = tokeniser(settings.options.get("tokeniser") or "auto")
        found = [_cut(text, most, reader) for text in found]
    return Documents(tuple(found), tuple(summaries[i] for i in chosen), kept)


def column(record: Mapping[str, Any], names: tuple[str, ...], path: Path, line: int) -> str:
    """Return the first of the names (lower case) that is a column of a record."""
    if (found := next((name for name in names if name in record), None)) is None:
        has = ", ".join(map(repr, record))
        why = f"no column {' or '.join(map(repr, names))}; it has {has:.200}"
        raise FormatError(why, path, line)
    return found


def _cut(text: str, most: int, reader: Tokeniser) -> str:
    places = reader.places(text)
    return text if len(places) <= most else text[: places[most]].rstrip()


def _text(record: Mapping[str, Any], name: str, path: Path, line: int) -> str:
    """Return the text in a column; empty if it is blank."""
    text = record[name]
    if text is None:
        return ""
    if not isinstance(text, str):
        raise FormatError(f"column {name!r}: expected a text, got {text!r:.80}", path, line)
    if (why := problem(text)) is not None:
        if "surrogate" in why:
            raise FormatError(f"column {name!r}: {why}", path, line)
        return ""
    return text


def mean_of(estimates: Mapping[str, Estimate]) -> Estimate:
    """Return the mean of statistics; it is undefined where one of them is, which is named."""
    undefined = [name for name, one in estimates.items() if one.value is None]
    n = len(estimates)
    if undefined or not n:
        note = f"undefined for {', '.join(undefined)}"
        return Estimate(None, None, None, n - len(undefined), len(undefined), note)
    value = float(np.mean([one.value for one in estimates.values() if one.value is not None]))
    return Estimate(value, None, None, n)


def means_of(by_set: Mapping[str, Mapping[str, Estimate]]) -> dict[str, Estimate]:
    """Return the means over data sets of the statistics that all of them have."""
    first = next(iter(by_set.values()))
    common = [name for name in first if all(name in found for found in by_set.values())]
    return {name: mean_of({one: found[name] for one, found in by_set.items()}) for name in common}


def total(counts: Iterable[int | None]) -> int | None:
    """Return the sum of counts; None, and no more are read, where one is unknown."""
    found = 0
    for count in counts:
        if count is None:
            return None
        found += count
    return found


class SetResult(NamedTuple):
    """The statistics of a data set, its answered and truncated items (None: unknown), values."""

    estimates: Mapping[str, Estimate]
    scored: int
    truncated: int | None
    columns: Mapping[str, Float64Array] = {}


def measured(
    data: Sets[Any], by_set: Mapping[str, SetResult], settings: Mapping[str, Any] | None = None
) -> Measured:
    """Return the results of a part for the card; statistics of all data sets are averaged. Values
    of at most ``KEPT_ITEMS`` items stay in the card.
    """
    found = [*by_set.values()]
    scores = {ALL: dict(found[0].estimates)}
    if len(found) > 1:
        own = {name: dict(one.estimates) for name, one in by_set.items()}
        scores = {ALL: means_of(own), **own}
    scored = sum(one.scored for one in found)
    counts = {"rows": data.rows, "scored": scored, "failed": data.rows - scored}
    left_out = {"truncated": total(one.truncated for one in found), **data.excluded}
    sizes = [len(next(iter(one.columns.values()), ())) for one in found]
    columns: dict[str, list[float]] = {}
    rows: dict[str, list[int]] = {}
    if sum(sizes) <= KEPT_ITEMS:
        for name in found[0].columns:
            columns[name] = np.concatenate([one.columns[name] for one in found]).tolist()
        ends = np.cumsum(sizes).tolist() if columns and len(found) > 1 else []
        for name, size, end in zip(by_set, sizes, ends, strict=False):
            rows[name] = list(range(end - size, end))
    return Measured(scores, {**counts, **left_out}, columns, rows, settings=settings or {})


sage_task = partial(declared, headline=SCORE, options=OPTIONS, prepare=prepared)
"""Make a task of SAGE from ``name``, ``load=``, ``measure=`` and its own fields."""
