"""The folder of an index. One small file names all files in use; it is replaced last, and as a
whole.

    manifest.json            what the index is made of, with checksums of all of it and of itself;
                             without it there is none
    journal.json             what a build or an append has done so far, with its own checksum
    lock                     held by the writer; readers need none
    segments/000001/ …       see segment.py
    vocabulary-000001.jsonl  see storage.py; lines are added, the manifest says how many bytes count
    lemmas-000001.npy        word vectors of the most frequent lemmas
    deleted-000001.npy       the rows that were deleted

A killed process leaves files that the manifest does not name; the next writer removes them.
Checksums are CRC-32: of whole files in the manifest, of the blocks of a segment's files in its
``sums.bin``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from hybridsem._utils.disk import home, real, reason, replacing
from hybridsem._utils.signed_json import read_signed, signed
from hybridsem.errors import FormatError, InputError
from hybridsem.search.files import OWN, PRECISIONS, damaged, writing

FORMAT = 2  # the format of the files; others are not read. Version 0.2.0 had format 1
SCHEMAS = {"manifest.json": "hybridsem/index", "journal.json": "hybridsem/index-journal"}
MANIFEST, JOURNAL = SCHEMAS
TYPES = {kind.__name__: kind for kind in (str, int, bool, dict, tuple)} | {"None": NoneType}
ADVICE = "this is not the manifest of an index ({}); build the index again"

_Signed = TypeVar("_Signed", "Manifest", "Journal")


@dataclass(frozen=True)
class Part:
    """A segment: its name and rows; how many were ``cut``, are ``foreign`` (not English) or
    ``unread`` (without structure); during a build, the ``digest`` of all texts so far. ``files``
    are the sizes of its files, ``sums`` the checksum of their checksums, ``graph`` that of its
    graph.
    """

    name: str
    rows: int
    digest: str = ""
    cut: int = 0
    foreign: int = 0
    unread: int = 0
    files: dict[str, int] = field(default_factory=dict)
    sums: int = 0
    graph: int | None = None


@dataclass(frozen=True)
class Manifest:
    """The content of an index. ``settings``, ``contents`` and ``probe`` are those of the model that
    read it. Sentences are ``kept`` as ``words`` or ``vectors``. ``bytes`` of the
    vocabulary count; ``sums`` are the checksums of ``vocabulary``, ``lemmas`` and ``deleted``.
    """

    settings: dict[str, str]
    contents: dict[str, str]
    probe: dict[str, Any]
    kept: str
    precision: str
    dimension: int
    numbered: bool
    vocabulary: str
    bytes: int = 0
    parts: tuple[Part, ...] = ()
    lemmas: str | None = None
    deleted: str | None = None
    next_id: int = 0
    sums: dict[str, int] = field(default_factory=dict)
    format: int = FORMAT


@dataclass(frozen=True)
class Journal:
    """A build or an append in progress: its settings (``about``), its ``parts`` so far, and the
    vocabulary's ``bytes`` with their checksum, ``sum``.
    """

    about: dict[str, object]
    vocabulary: str
    bytes: int
    sum: int
    parts: tuple[Part, ...] = ()


class Folder:
    """The files of an index."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = real(home(path))

    def file(self, name: str) -> Path:
        """A file of the folder."""
        return self.path / name

    def segment(self, name: str) -> Path:
        """The folder of a segment."""
        return self.path / "segments" / name

    def exists(self) -> bool:
        """True if there is an index."""
        return self.file(MANIFEST).is_file()

    def stamp(self) -> tuple[int, int, int]:
        """A value that changes with the manifest."""
        try:
            found = os.stat(self.file(MANIFEST))
        except OSError:
            return 0, 0, 0
        return found.st_mtime_ns, found.st_ino, found.st_size

    def manifest(self) -> Manifest:
        """Read the manifest; raise :class:`InputError` if there is none, or one of another format,
        and :class:`FormatError` if it was changed.
        """
        try:
            content = self.file(MANIFEST).read_bytes()
        except (OSError, ValueError) as error:
            why = f"{reason(error)}; `hybridsem index build TEXTS -o FOLDER` makes one"
            if self.file(JOURNAL).exists():
                why = "its build was not finished; run it again, and it resumes"
            raise InputError(f"no index in {str(self.path)!r}: {why}") from None
        try:
            version = json.loads(content)["format"]
            if version != FORMAT:
                newer = "install a newer version of hybridsem"
                older = "it was read with the weights of version 0.2.0; build it again"
                raise InputError(
                    f"the index in {str(self.path)!r} is of format {version!r}, and this version "
                    f"reads format {FORMAT}: {older if version == 1 else newer}"
                )
            return self._read(MANIFEST, Manifest)
        except FormatError:
            raise
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise FormatError(ADVICE.format(error), str(self.file(MANIFEST))) from None

    def journal(self) -> Journal | None:
        """Read the journal, if there is a valid one."""
        try:
            return self._read(JOURNAL, Journal)
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None

    def _read(self, name: str, kind: type[_Signed]) -> _Signed:
        content = read_signed(self.file(name), SCHEMAS[name], ADVICE)
        content["parts"] = tuple(Part(**part) for part in content["parts"])
        made = kind(**content)
        _check(made)
        return made

    def note(self, content: Manifest | Journal) -> None:
        """Write the journal, or the manifest."""
        name = MANIFEST if isinstance(content, Manifest) else JOURNAL
        with writing(self.path), replacing(self.file(name)) as part:
            about = signed(asdict(content), SCHEMAS[name])
            part.write_text(json.dumps(about, indent=1), encoding="ascii")

    def commit(self, manifest: Manifest) -> None:
        """Make this the manifest in use, with checksums of its files, and remove files that it does
        not name.
        """
        named = filter(None, (manifest.vocabulary, manifest.lemmas, manifest.deleted))
        with writing(self.path):
            sums = {name: zlib.crc32(self.read(name, manifest)) for name in named}
        self.note(replace(manifest, sums=sums))
        self.file(JOURNAL).unlink(missing_ok=True)
        self.clean(manifest, None)

    def read(self, name: str, manifest: Manifest) -> bytes:
        """Read a file that a manifest names; raise :class:`AssetError` if it is damaged."""
        size = manifest.bytes if name == manifest.vocabulary else -1
        with self.file(name).open("rb") as stream:
            content = stream.read(size)
        checksum = zlib.crc32(content)
        if checksum != manifest.sums.get(name, checksum):
            raise damaged(self.file(name))
        return content

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the index for writing; raise :class:`InputError` if another process has."""
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.file("lock"))
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

    def clean(self, manifest: Manifest | None, journal: Journal | None) -> None:
        """Remove files that neither manifest nor journal names, and what was added to the
        vocabulary later.
        """
        there = [one for one in (manifest, journal) if one is not None]
        used = {part.name for one in there for part in one.parts}
        used |= {one.vocabulary for one in there}
        used |= (
            {name for name in (manifest.lemmas, manifest.deleted) if name} if manifest else set()
        )
        for pattern in ("segments/*", "vocabulary-*", "lemmas-*", "deleted-*"):
            for path in self.path.glob(pattern):
                if path.name not in used and pattern == "segments/*":
                    shutil.rmtree(path, ignore_errors=True)
                elif path.name not in used:
                    path.unlink(missing_ok=True)
        if journal is None:
            self.file(JOURNAL).unlink(missing_ok=True)
        if there and self.file(there[-1].vocabulary).exists():
            with suppress(OSError):
                os.truncate(self.file(there[-1].vocabulary), there[-1].bytes)

    def new_name(self, kind: str = "", suffix: str = "") -> str:
        """Return an unused name: ``KIND-000001SUFFIX``, or ``000001`` for a segment."""
        folder = self.path if kind else self.path / "segments"
        folder.mkdir(parents=True, exist_ok=True)
        taken = {path.name for path in folder.iterdir()}
        start = f"{kind}-" if kind else ""
        number = 1
        while (name := f"{start}{number:06}{suffix}") in taken:
            number += 1
        return name


def _check(made: Manifest | Journal) -> None:
    """Raise ``ValueError`` for values that no valid file has, such as a name outside the folder."""
    for one in (made, *made.parts):
        for field_ in fields(one):
            kinds = [TYPES[kind.partition("[")[0]] for kind in str(field_.type).split(" | ")]
            if not isinstance(getattr(one, field_.name), tuple(kinds)):
                raise ValueError(f"{field_.name} is of another type")
    names: list[str | None] = [made.vocabulary, *(part.name for part in made.parts)]
    if isinstance(made, Manifest):
        names += [made.lemmas, made.deleted]
        if made.precision not in PRECISIONS or not made.parts:
            raise ValueError("no precision or no part that is known")
        vector = made.probe["vector"]
        if not made.probe["words"] or not all(isinstance(number, float) for number in vector):
            raise ValueError("no probe")
    plain = (re.fullmatch(r"[a-z]*-?[0-9]{6}(\.[a-z]+)?", name) for name in names if name)
    files = (re.fullmatch(OWN, file) for part in made.parts for file in part.files)
    if not all(plain) or not all(files):
        raise ValueError("a name of no file of an index")
