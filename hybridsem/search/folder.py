"""The folder of an index.

    manifest.json            the version in use; it is replaced last, and as a whole
    lock                     held by the writer; readers need none
    versions/000001/
      rows.sqlite            texts, ids, compared forms and all else; see database.py
      vectors.bin            see vectors.py
      neighbours.usearch     a graph of approximate neighbours, if wanted

Texts are appended to the version in use; ``build`` and ``compact`` make another one. What a killed
process leaves is no part of the index, until the same command goes on with it; the next writer
removes it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from itertools import accumulate
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from hybridsem._utils.disk import home, real, reason, replacing, sync
from hybridsem._utils.signed_json import read_signed, signed
from hybridsem.errors import FormatError, HybridSemError, InputError
from hybridsem.search.database import Database, writing
from hybridsem.search.vectors import PRECISIONS

FORMAT = 3  # the format of the files; others are not read
SCHEMA = "hybridsem/index"
MANIFEST, VERSIONS, ROWS = "manifest.json", "versions", "rows.sqlite"
ABOUT, JOURNAL = "manifest", "journal"  # in the database
FORMER = ("segments", "vocabulary-*", "lemmas-*", "deleted-*", "journal.json")
"""The files of earlier formats."""
TYPES = {kind.__name__: kind for kind in (str, int, bool, dict, tuple)} | {"None": NoneType}
_Kept = TypeVar("_Kept", "Manifest", "Part")
ADVICE = "this is not the manifest of an index ({}); build the index again"


@dataclass(frozen=True)
class Part:
    """Rows that were written together: their number; how many were ``cut``, are ``foreign`` (not
    English) or ``unread`` (without structure); during a build, the ``digest`` of all texts so far.
    """

    rows: int
    digest: str = ""
    cut: int = 0
    foreign: int = 0
    unread: int = 0


@dataclass(frozen=True)
class Manifest:
    """The content of an index. ``settings``, ``contents`` and ``probe`` are those of the model that
    read it. Sentences are ``kept`` as ``words`` or ``vectors``. ``deleted`` is the number of
    deleted rows, ``graph`` the checksum of the graph of the first part's rows. Each change has
    another random ``mark``.
    """

    settings: dict[str, str]
    contents: dict[str, str]
    probe: dict[str, Any]
    kept: str
    precision: str
    dimension: int
    numbered: bool
    parts: tuple[Part, ...] = ()
    deleted: int = 0
    graph: int | None = None
    next_id: int = 0
    mark: str = ""

    @property
    def starts(self) -> list[int]:
        """The first row of each part, then the number of all rows."""
        return [*accumulate((part.rows for part in self.parts), initial=0)]


def manifest_of(database: Database, content: bytes) -> Manifest:
    """Return a manifest; raise :class:`FormatError` for one that nobody has written."""
    try:
        plain = json.loads(content)
        made = _checked(Manifest(**{**plain, "parts": _parts(plain)}))
        if made.precision not in PRECISIONS or not made.parts:
            raise ValueError("no precision or no part that is known")
        vector = made.probe["vector"]
        if not made.probe["words"] or not all(isinstance(number, float) for number in vector):
            raise ValueError("no probe")
        return made
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FormatError(ADVICE.format(error), str(database.path)) from None


def parts_begun(database: Database, about: dict[str, object]) -> tuple[Part, ...] | None:
    """Return the parts of a build or an append in progress that has these settings (``about``);
    None if there is no valid journal of one.
    """
    try:
        journal = json.loads(database.value(JOURNAL))
        parts = _parts(journal)
        return parts if journal["about"] == about else None
    except (HybridSemError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _parts(plain: dict[str, Any]) -> tuple[Part, ...]:
    parts = tuple([_checked(Part(**part)) for part in plain["parts"]])
    if min((part.rows for part in parts), default=0) < 0:
        raise ValueError("a part has rows")
    return parts


def _checked(made: _Kept) -> _Kept:
    """Return what JSON had; raise :class:`ValueError` if a field is of another type."""
    for each in fields(made):
        kinds = [TYPES[name.partition("[")[0]] for name in str(each.type).split(" | ")]
        if not isinstance(getattr(made, each.name), tuple(kinds)):
            raise ValueError(f"{each.name} is of another type")
    return made


class Folder:
    """The files of an index."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = real(home(path))

    def exists(self) -> bool:
        """True if there is an index."""
        return (self.path / MANIFEST).is_file()

    def _versions(self) -> list[Path]:
        there = sorted((self.path / VERSIONS).glob("*"))
        return [path for path in there if re.fullmatch("[0-9]{6,}", path.name)]

    def current(self) -> Path:
        """Return the folder of the version in use. Raise :class:`InputError` if there is none, or
        one of another format, and :class:`FormatError` if the manifest was changed.
        """
        path = self.path / MANIFEST
        try:
            content = path.read_bytes()
        except (OSError, ValueError) as error:
            why = f"{reason(error)}; `hybridsem index build TEXTS -o FOLDER` makes one"
            if self._versions():
                why = "its build was not finished; run it again, and it resumes"
            raise InputError(f"no index in {str(self.path)!r}: {why}") from None
        try:
            if (version := json.loads(content)["format"]) != FORMAT:
                older = isinstance(version, int) and version < FORMAT
                again = f"build it again (`hybridsem index build TEXTS -o {self.path} --force`)"
                raise InputError(
                    f"the index in {str(self.path)!r} is of format {version!r:.40}, and this "
                    f"version reads format {FORMAT}: "
                    + (f"{again}" if older else "install a newer version of hybridsem")
                )
            name = read_signed(path, SCHEMA, ADVICE)["version"]
            if not re.fullmatch("[0-9]{6,20}", name):
                raise ValueError("no version")
        except FormatError:
            raise
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise FormatError(ADVICE.format(error), str(path)) from None
        return self.path / VERSIONS / str(name)

    def begun(self, about: dict[str, object] | None) -> Database:
        """Return the version that a killed build with these settings has begun, or a new one."""
        used = self._in_use()
        for path in self._versions():
            if path == used:
                continue
            database = Database(path / ROWS)
            if about and parts_begun(database, about) is not None:
                return database
        number = max((int(path.name) for path in self._versions()), default=0) + 1
        self.clean(used)
        path = self.path / VERSIONS / f"{number:06}"
        with writing(self.path):
            path.mkdir(parents=True)
            return Database(path / ROWS, new=True)

    def _in_use(self) -> Path | None:
        with suppress(InputError, FormatError):  # an unreadable one is in nobody's use
            return self.current()
        return None

    def use(self, version: Path) -> None:
        """Make a version the one in use, and remove all others."""
        replaces_former = self.exists() and self._in_use() is None
        with writing(self.path):
            for path in (version, version.parent):
                sync(path)
            with replacing(self.path / MANIFEST) as part:
                about = signed({"format": FORMAT, "version": version.name}, SCHEMA)
                part.write_text(json.dumps(about, indent=1), encoding="ascii")
            sync(self.path)
        self.clean(version)
        for pattern in FORMER if replaces_former else ():
            for path in self.path.glob(pattern):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def clean(self, used: Path | None) -> None:
        """Remove all versions but one."""
        for path in self._versions():
            if path != used:
                shutil.rmtree(path, ignore_errors=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the index for writing; raise :class:`InputError` if another process has."""
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.path / "lock")
            try:
                lock.acquire(timeout=0)
            except Timeout:
                raise InputError(
                    f"another process writes the index in {str(self.path)!r}; wait until it is done"
                ) from None
        try:
            yield
        finally:
            lock.release()
