"""The data of a part of SAGE: one data set, or several whose scores are averaged.

    path --load_sets(read)--> Sets

A file is one data set; in a folder, every file is one; hub:NAME is fetched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import numpy as np

from hybridsem._utils.lines import plain_suffix
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError
from hybridsem.evaluation.options import Option
from hybridsem.evaluation.sage.datasets import resolve
from hybridsem.tables.records import SUFFIXES

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
