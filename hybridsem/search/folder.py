"""The folder of an index: what is in use says one small file, replaced whole and last.

    manifest.json            what the index is made of, with checksums of all of it and of itself;
                             without it there is none
    journal.json             what a build or an append has done so far, with its own checksum
    lock                     held by who writes; readers need none
    segments/000001/ …       see segment.py
    vocabulary-000001.jsonl  see packing.py; lines are added, the manifest says how many bytes count
    lemmas-000001.bin        word vectors of the most frequent lemmas
    deleted-000001.bin       the rows that were deleted

A process that is killed leaves files that nothing names; the next one that writes removes them.
Checksums are CRC-32: of whole files in the manifest, and of the blocks of a segment's files in its
``sums.bin``. An index of version 0.2.0 has none; the first that writes in it adds them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

from hybridsem._utils.disk import home, real, reason, replacing
from hybridsem._utils.signed_json import read_signed, signed
from hybridsem.errors import FormatError, InputError
from hybridsem.search.blocks import BLOCK, Blocks, damaged, mapped, sums_of
from hybridsem.search.vectors import PRECISIONS

__all__ = [
    "FORMAT",
    "NEIGHBOURS",
    "Folder",
    "Journal",
    "Manifest",
    "Part",
    "blocks_of",
    "graph_sum",
    "with_sums",
]

FORMAT = 2
"""Of the files; a newer one is not read, and 1, that of version 0.2.0, has no checksums."""
SCHEMAS = {"manifest.json": "hybridsem/index", "journal.json": "hybridsem/index-journal"}
MANIFEST, JOURNAL = SCHEMAS
SUMS, NEIGHBOURS = "sums.bin", "neighbours.usearch"
OWN = r"[a-z]+\.[a-z]+"
"""How the files of a segment are called."""
REMEDY = "free some space and run the same again: it goes on where it was"


@dataclass(frozen=True)
class Part:
    """A segment: its name and rows; of these how many were ``cut``, are ``foreign`` (not English)
    or ``unread`` (without structure); while it is being built, ``digest`` of all texts so far.

    ``files`` are its files' sizes, ``sums`` the checksum of their checksums, ``graph`` that of the
    graph of neighbours, if it has one. Without ``files`` nothing is known of them.
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
    """What an index is made of.

    ``settings`` and ``contents`` say what read the sentences, ``probe`` what it makes of a few.
    ``kept`` is ``words``, ``vectors`` or ``texts``. ``bytes`` is how much of the vocabulary counts.
    ``sums`` are the checksums of ``vocabulary``, ``lemmas`` and ``deleted``.
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
    """A build or an append that is under way: what it is ``about``, its ``parts`` so far, and the
    vocabulary's ``bytes`` with their checksum, ``sum``.
    """

    about: dict[str, Any]
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

    def segment(self, part: Part) -> Path:
        """The folder of a segment."""
        return self.path / "segments" / part.name

    def exists(self) -> bool:
        """Whether there is an index."""
        return self.file(MANIFEST).is_file()

    def stamp(self) -> tuple[int, int, int]:
        """Changes with the manifest."""
        try:
            found = os.stat(self.file(MANIFEST))
        except OSError:
            return 0, 0, 0
        return found.st_mtime_ns, found.st_ino, found.st_size

    def manifest(self) -> Manifest:
        """What the index is made of. Raises :class:`InputError` where there is none."""
        try:
            content = self.file(MANIFEST).read_bytes()
        except (OSError, ValueError) as error:
            begun = self.file(JOURNAL).exists()
            raise InputError(
                f"no index in {str(self.path)!r}: "
                + (
                    "its build was not finished; run it again, it goes on where it was"
                    if begun
                    else f"{reason(error)}; `hybridsem index build TEXTS -o FOLDER` makes one"
                )
            ) from None
        try:
            found = json.loads(content)
            if found["format"] > FORMAT:
                raise InputError(
                    f"the index in {str(self.path)!r} is of format {found['format']}, and this "
                    f"version of hybridsem reads up to {FORMAT}; install a newer one"
                )
            if found["format"] > 1:
                found = self._signed(MANIFEST)
            found["parts"] = tuple(Part(**part) for part in found["parts"])
            made = Manifest(**found)
            _check(made)
            return made
        except FormatError:
            raise
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise FormatError(
                f"this is no manifest of an index ({error}); build the index anew",
                str(self.file(MANIFEST)),
            ) from None

    def _signed(self, name: str) -> dict[str, Any]:
        advice = "this is no manifest of an index ({}); build the index anew"
        return read_signed(self.file(name), SCHEMAS[name], advice)

    def _sign(self, name: str, content: Manifest | Journal) -> None:
        with writing(self.path), replacing(self.file(name)) as part:
            about = signed(asdict(content), SCHEMAS[name])
            part.write_text(json.dumps(about, indent=1), encoding="ascii")

    def commit(self, manifest: Manifest) -> None:
        """Make this the index, with checksums of what has none yet."""
        named = (manifest.vocabulary, manifest.lemmas, manifest.deleted)
        with writing(self.path):
            sums = {
                name: zlib.crc32(self.read(name, manifest)) for name in named if name is not None
            }
            parts = tuple(
                part if part.files else with_sums(self.segment(part), part)
                for part in manifest.parts
            )
        self._sign(MANIFEST, replace(manifest, parts=parts, sums=sums, format=FORMAT))

    def read(self, name: str, manifest: Manifest) -> bytes:
        """What counts of a file that a manifest names; :class:`AssetError` where it is damaged."""
        size = manifest.bytes if name == manifest.vocabulary else -1
        with self.file(name).open("rb") as stream:
            content = stream.read(size)
        if zlib.crc32(content) != manifest.sums.get(name, zlib.crc32(content)):
            raise damaged(self.file(name))
        return content

    def journal(self) -> Journal | None:
        """What was begun and not finished."""
        try:
            found = self._signed(JOURNAL)
            found["parts"] = tuple(Part(**part) for part in found["parts"])
            made = Journal(**found)
            _check_names(made.vocabulary, *made.parts)
            return made
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None

    def note(self, journal: Journal) -> None:
        """Write down what is done."""
        self._sign(JOURNAL, journal)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """While this process writes; :class:`InputError` where another does."""
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
        """Remove what neither names, and what was added to the vocabulary beyond it."""
        parts = (*(manifest.parts if manifest else ()), *(journal.parts if journal else ()))
        used = {part.name for part in parts}
        folder = self.path / "segments"
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.name not in used:
                shutil.rmtree(path, ignore_errors=True)
        named: set[str | None] = {journal.vocabulary} if journal else set()
        if manifest:
            named |= {manifest.vocabulary, manifest.lemmas, manifest.deleted}
        for pattern in ("vocabulary-*", "lemmas-*", "deleted-*"):
            for path in self.path.glob(pattern):
                if path.name not in named:
                    path.unlink(missing_ok=True)
        if journal is None:
            self.file(JOURNAL).unlink(missing_ok=True)
        last = journal or manifest
        if last is not None and self.file(last.vocabulary).exists():
            with suppress(OSError):
                os.truncate(self.file(last.vocabulary), last.bytes)

    def new_name(self, kind: str, suffix: str = "") -> str:
        """A name that no file has: ``KIND-000001SUFFIX``, or of a segment ``000001``."""
        folder = self.path if kind else self.path / "segments"
        folder.mkdir(parents=True, exist_ok=True)
        taken = {path.name for path in folder.iterdir()}
        start = f"{kind}-" if kind else ""
        number = 1
        while (name := f"{start}{number:06}{suffix}") in taken:
            number += 1
        return name


def with_sums(folder: Path, part: Part) -> Part:
    """The part with checksums of the files in its folder, which are written there."""
    files, sums = {}, []
    for path in sorted(folder.iterdir()):
        if re.fullmatch(OWN, path.name) and path.name not in (SUMS, NEIGHBOURS):
            content = mapped(path)
            files[path.name] = len(content)
            sums.append(sums_of(content))
    table = np.concatenate(sums).tobytes()
    with replacing(folder / SUMS) as new:
        new.write_bytes(table)
    return replace(part, files=files, sums=zlib.crc32(table), graph=graph_sum(folder))


def graph_sum(folder: Path) -> int | None:
    """The checksum of a segment's graph of neighbours; None where it has none."""
    path = folder / NEIGHBOURS
    return zlib.crc32(mapped(path)) if path.exists() else None


def blocks_of(folder: Path, part: Part) -> dict[str, Blocks]:
    """The files of a segment by name. Raises :class:`AssetError` where one has another size."""
    if not part.files:
        return {path.name: Blocks(path, None) for path in folder.iterdir()}
    table = (folder / SUMS).read_bytes()
    if zlib.crc32(table) != part.sums:
        raise damaged(folder / SUMS)
    counts = [-(-size // BLOCK) for size in part.files.values()]
    each = np.split(np.frombuffer(table, "<u4"), np.cumsum(counts)[:-1])
    found = {
        name: Blocks(folder / name, of_file) for name, of_file in zip(part.files, each, strict=True)
    }
    for name, blocks in found.items():
        if len(blocks.content) != part.files[name]:
            raise damaged(folder / name)
    return found


def _check(made: Manifest) -> None:
    """``ValueError`` for what no manifest says."""
    _check_names(made.vocabulary, made.lemmas, made.deleted, *made.parts)
    numbers = [made.dimension, made.bytes, made.next_id]
    numbers += [
        one for part in made.parts for one in (part.rows, part.cut, part.foreign, part.unread)
    ]
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in numbers):
        raise ValueError("a number that is none")
    if min(made.dimension, made.bytes, *(part.rows for part in made.parts)) < 0:
        raise ValueError("a number below 0")
    if made.precision not in PRECISIONS or not made.parts:
        raise ValueError("no precision or no part that is known")
    tables: list[Any] = [made.sums, *(part.files for part in made.parts)]
    if not all(isinstance(table, dict) for table in tables):
        raise ValueError("sizes or checksums that are none")
    sums = [one for part in made.parts for one in (part.sums, part.graph or 0)]
    sums += [one for table in tables for one in table.values()]
    if not all(type(one) is int and one >= 0 for one in sums):
        raise ValueError("a size or a checksum that is none")
    texts = (made.settings, made.contents)
    if not all(isinstance(one, dict) and set(map(type, one.values())) <= {str} for one in texts):
        raise ValueError("settings that are none")
    vectors = [made.probe["vector"], made.probe.get("word vector", [])]
    words = made.probe["words"]
    if not all(isinstance(one, float) for vector in vectors for one in vector) or not words:
        raise ValueError("no probe")


def _check_names(*names: str | Part | None) -> None:
    """``ValueError`` for what names no file of the folder itself: an index may be of others."""
    for name in names:
        plain = name.name if isinstance(name, Part) else name
        files = name.files if isinstance(name, Part) else ()
        plain_files = all(re.fullmatch(OWN, file) for file in files)
        if plain and not (plain_files and re.fullmatch(r"[a-z]*-?[0-9]{6}(\.[a-z]+)?", plain)):
            raise ValueError(f"a name that is none: {plain!r:.80}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """:class:`InputError` where the folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"cannot write the index, got {str(path)!r}: {reason(error)}; {REMEDY}"
        ) from error
