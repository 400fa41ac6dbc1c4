"""What the parts of SAGE share: data sets of files and samples of them, documents, models, cards.

path --load_sets(read)--> Sets        a file is one data set, in a folder every file is
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

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
    Option("sample", "so many items of each data set, drawn by --seed.", int, minimum=1),
    Option("tokeniser", "of jaccard, rouge and bm25: auto, cl100k or wordpiece.", metavar="T"),
    Option(
        "documents", "how encoders read documents: whole, or sentences, averaged.", metavar="HOW"
    ),
    Option("engine", "where models of structure score: a Ray cluster.", choices=("ray",)),
    Option("as_printed", "as the paper has it, where the default is another way.", bool),
)
"""The options that every part has."""


class DataSet(Protocol):
    """What a part reads of one data set; what could not be used is left out and counted."""

    @property
    def rows(self) -> int:
        """How many items there are, after sampling."""

    @property
    def sha256(self) -> str:
        """Of all that was read."""

    @property
    def excluded(self) -> Mapping[str, int]:
        """How many items were left out, by reason."""


Set = TypeVar("Set", bound=DataSet)


@dataclass(frozen=True)
class Sets(Generic[Set]):
    """The data sets of a part, by name; satisfies :class:`~hybridsem.evaluation.task.Data`."""

    source: str
    sets: Mapping[str, Set]
    split: str | None = None

    def __post_init__(self) -> None:
        if len(self.sets) > 1 and "all" in self.sets:
            raise InputError(
                "of several data sets none can be called 'all', which is the mean of them; "
                "rename a file"
            )

    @property
    def rows(self) -> int:
        """Of all data sets."""
        return sum(one.rows for one in self.sets.values())

    @property
    def sha256(self) -> str:
        """Of all data sets."""
        return digest_of(part for name, one in self.sets.items() for part in (name, one.sha256))

    @property
    def excluded(self) -> dict[str, int]:
        """How many items were left out, by reason, over all data sets."""
        found: dict[str, int] = {}
        for one in self.sets.values():
            for why, count in one.excluded.items():
                found[why] = found.get(why, 0) + count
        return found


def load_sets(
    path: Path, read: Callable[[Path], Set], suffixes: Sequence[str] = SUFFIXES
) -> Sets[Set]:
    """The data sets of a file, or of all files of a folder in the order of their names.

    Raises :class:`InputError` for a path where there is nothing, and a folder without such a file.
    """
    path = resolve(path)
    if path.is_dir():
        files = sorted(
            file for file in path.iterdir() if file.is_file() and plain_suffix(file) in suffixes
        )
        if not files:
            raise InputError(
                f"no data in the folder, got {str(path)!r}; it needs files named "
                f"{', '.join(suffixes)}"
            )
    elif path.exists():
        files = [path]
    else:
        raise InputError(f"there is no such file or folder, got {str(path)!r}")
    sets: dict[str, Set] = {}
    for file in files:
        name = file.name.split(".")[0]
        if name in sets:
            raise InputError(f"two files of one name, got {name!r} twice in {str(path)!r}")
        sets[name] = read(file)
    return Sets(path.name, sets)


def sampled(rows: int, settings: Settings) -> list[int]:
    """Which of so many items take part, in order: all, or ``--sample N`` drawn with the seed.

    Raises :class:`InputError` where the number is not at least 1.
    """
    wanted = settings.options.get("sample")
    if wanted is None:
        return list(range(rows))
    if not isinstance(wanted, int) or isinstance(wanted, bool) or wanted < 1:
        raise InputError(f"sample is a number of items, at least 1; got {wanted!r}")
    if wanted >= rows:
        return list(range(rows))
    drawn = np.random.default_rng(settings.seed).choice(rows, wanted, replace=False)
    return sorted(int(row) for row in drawn)


def digest_of(parts: Iterable[str]) -> str:
    """sha256 of texts, one after the other."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


TEXT_COLUMNS = ("text", "article", "document", "source", "content", "body")
SUMMARY_COLUMNS = ("summary", "highlights", "abstract")
"""Names of columns, in lower case, the likeliest first."""

CUT = Option("cut", "documents end after so many tokens.", int, minimum=1)
"""The option of parts that read documents."""


@dataclass(frozen=True)
class Documents:
    """``texts``, all with something visible, and a summary each (empty where there is none)."""

    texts: tuple[str, ...]
    summaries: tuple[str, ...] = ()
    excluded: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """How many documents there are."""
        return len(self.texts)

    @cached_property
    def sha256(self) -> str:
        """Of texts and summaries."""
        return digest_of((*self.texts, "", *self.summaries))


def load_documents(path: Path, settings: Settings) -> Sets[Documents]:
    """The documents of a file, or of every file of a folder, sampled as the settings say."""
    return load_sets(path, lambda file: read_documents(file, settings))


def read_documents(path: Path, settings: Settings, *, summarised: bool = False) -> Documents:
    """The documents of a file (csv, tsv, jsonl, Parquet) with a column ``text`` and perhaps
    ``summary``. Empty documents, those whose summary is longer than they are, and where they have
    to be ``summarised`` those that have none, are left out and counted; a sample is of the others.
    With the option ``cut`` a text ends after so many tokens of the option ``tokeniser``. Raises
    :class:`FormatError` for a file without such a column, :class:`InputError` where nothing can be
    used.
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
    """The first of the names (lower case) that a record has as a column; :class:`FormatError` for
    none.

    Args: path and line are for the message.
    """
    if (found := next((name for name in names if name in record), None)) is None:
        has = ", ".join(map(repr, record))
        raise FormatError(
            f"no column {' or '.join(map(repr, names))}; it has {has:.200}", path, line
        )
    return found


def _cut(text: str, most: int, reader: Tokeniser) -> str:
    """A text up to the end of so many tokens."""
    places = reader.places(text)
    return text if len(places) <= most else text[: places[most]].rstrip()


def _text(record: Mapping[str, Any], name: str, path: Path, line: int) -> str:
    """The text in a column; empty where nothing visible is in it."""
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


ALL, SCORE = "all", "score"
"""The group of all data sets, and the statistic that a part is judged by, in [0, 1]."""


def mean_of(estimates: Mapping[str, Estimate]) -> Estimate:
    """The mean of statistics; undefined where one of them is, which is named."""
    undefined = [name for name, one in estimates.items() if one.value is None]
    n = len(estimates)
    if undefined or not n:
        note = f"undefined for {', '.join(undefined)}"
        return Estimate(None, None, None, n - len(undefined), len(undefined), note)
    value = float(np.mean([one.value for one in estimates.values() if one.value is not None]))
    return Estimate(value, None, None, n)


def total(counts: Iterable[int | None]) -> int | None:
    """The sum of counts; None where one of them is not known."""
    known = list(counts)
    return None if None in known else sum(count for count in known if count is not None)


def measured(
    data: Sets[Any],
    by_set: Mapping[str, Mapping[str, Estimate]],
    scored: int,
    truncated: int | None,
    settings: Mapping[str, Any] | None = None,
) -> Measured:
    """The card's contents of a part: what all data sets have is averaged over them.

    Args: the statistics of each data set, how many items have an answer, how many the model could
    not read all of (None: it does not tell), settings that the data and the model have set.
    """
    first, *others = by_set.values()
    if others:
        common = [name for name in first if all(name in found for found in others)]
        of_all = {
            name: mean_of({one: found[name] for one, found in by_set.items()}) for name in common
        }
        scores = {ALL: of_all, **{name: dict(found) for name, found in by_set.items()}}
    else:
        scores = {ALL: dict(first)}
    counts = {"rows": data.rows, "scored": scored, "failed": data.rows - scored}
    left_out = {"truncated": truncated, **data.excluded}
    return Measured(scores, {**counts, **left_out}, settings=settings or {})


sage_task = partial(declared, headline=SCORE, options=OPTIONS, prepare=prepared)
"""A task of SAGE: ``name``, ``load=``, ``measure=``, and its own."""
