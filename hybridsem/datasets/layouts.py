"""Data sets of rated pairs by declaration: which file is which split, which columns are what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hybridsem.datasets.rated_pairs import RatedPairs, pair_file, read_rated
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError
from hybridsem.tables import Pair

Reads = Callable[[], Iterable[Pair]]
"""Goes through the pairs of a file, as often as it is called."""


@dataclass(frozen=True)
class Layout:
    """A data set of rated pairs: called with a path and settings it is read.

    Attributes:
        files: The names that the file of each split may have; empty where there are no splits.
        name: Of its file in a folder, where there are no splits.
        columns: Those of the two texts and the rating, by name or position.
        delimiter: What parts them.
        rows: Of a file in a layout of its own, what goes through its pairs; None: by columns.
    """

    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    name: str | None = None
    columns: tuple[str, str, str] | None = None
    delimiter: str | None = None
    rows: Callable[[Path], Reads] | None = None

    def __call__(self, path: Path, settings: Settings) -> RatedPairs:
        """Read the data set."""
        split = None
        if self.files:
            path, split = split_file(path, self.files, settings.options.get("split"))
        elif self.name is not None and path.is_dir():
            path = path / self.name
        return read_rated((self.rows or self.by_columns)(path), path.name, split)

    def by_columns(self, path: Path) -> Reads:
        """What goes through the pairs of a file by its columns."""
        return partial(iter, pair_file(path, columns=self.columns, delimiter=self.delimiter))


def split_file(
    path: Path, files: Mapping[str, tuple[str, ...]], split: str | None, *, strict: bool = True
) -> tuple[Path, str | None]:
    """The file of the split that is asked for (None: that of the file, or test of a folder), and
    the split's name where it is known.

    Args: the names that the file of each split may have; ``strict`` refuses a file whose name is
    that of another split. Raises :class:`InputError` for that, an unknown split, a folder without
    its file.
    """
    if not path.is_dir():
        of_name = next((name for name, known in files.items() if path.name in known), split)
        if strict and path.is_file() and split not in (None, of_name):
            raise InputError(
                f"{path.name} is the split {of_name!r}, got split {split!r}; give the folder, or "
                "no split"
            )
        if path.is_file() or not strict:
            return path, of_name
    wanted = split or "test"
    if wanted not in files:
        raise InputError(f"unknown split, got {split!r}; it is one of {', '.join(files)}")
    for name in files[wanted]:
        if (path / name).is_file():
            return path / name, wanted
    raise InputError(
        f"expected a folder with {' or '.join(files[wanted])}, or a file; got {str(path)!r}"
    )
