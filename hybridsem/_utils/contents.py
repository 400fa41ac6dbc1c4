"""Hashes of files' contents, cached with the file's size and times.

FOLDER/paths.sqlite     the cache: by path, a record such as its stamp and sha256
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

from hybridsem._utils.disk import sha256_of
from hybridsem.errors import HybridSemError

Stamp = tuple[Any, ...]
"""A file's device, inode, size and times; a folder's file names and their stamps."""

LARGE = 1 << 24  # hashes of files from this many bytes on are cached on disk

SETTLED = 2.0  # seconds after which any file system shows another change in a file's times

PATHS = "paths"
PACKAGE = Path(__file__).parents[1]

_KNOWN: dict[tuple[str, Stamp], str] = {}


def stamp_of(path: Path) -> Stamp | None:
    """Return the present stamp of a file or folder, None if it does not exist."""
    try:
        if path.is_dir():
            return tuple((file.relative_to(path).as_posix(), _stat(file)) for file in _files(path))
        return _stat(path)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None


def _stat(path: Path) -> Stamp:
    found = path.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def content_hash(path: Path, hashes: Path | None = None) -> str:
    """Return the sha256 of a file, or of a folder's file names and hashes. ``hashes`` is the folder
    that caches the hashes of large files. Raises :class:`OSError`.
    """
    if path.is_dir():
        lines = (
            f"{file.relative_to(path).as_posix()}\0{content_hash(file, hashes)}\n"
            for file in _files(path)
        )
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
    stamp, name = _stat(path), os.path.abspath(path)
    if (known := _KNOWN.get((name, stamp))) is not None:
        return known
    if stamp[2] < LARGE:
        hashes = None
    about = {} if hashes is None else kept(hashes, name)
    found = about["sha256"] if about.get("stamp") == list(stamp) else None
    if found is None:
        found = sha256_of(path)
        # A file written just now could change again without a change of its times.
        if _stat(path) != stamp or time.time_ns() - max(stamp[-2:]) < SETTLED * 1e9:
            return found
        if hashes is not None:
            keep(hashes, name, {"stamp": stamp, "sha256": found})
    _KNOWN[name, stamp] = found
    return found


def keep(folder: Path, path: str, about: object) -> None:
    """Store a record of a path in a folder, if that can be written."""
    from hybridsem._utils.store import Store, key_of

    with suppress(HybridSemError), closing(Store(folder / "paths.sqlite", [PATHS])) as store:
        store.put(PATHS, {key_of(path): json.dumps(about, allow_nan=False).encode()})


def kept(folder: Path, path: str) -> dict[str, Any]:
    """Return the record of a path, or an empty one."""
    from hybridsem._utils.store import Store, key_of

    if not (file := folder / "paths.sqlite").exists():
        return {}
    with suppress(HybridSemError), closing(Store(file, [PATHS])) as store:
        for content in store.get(PATHS, [key_of(path)]).values():
            return dict(json.loads(content))
    return {}


@cache
def code_hash() -> str:
    """Return the sha256 of the package's code, tables and list of weights."""
    digest = hashlib.sha256()
    code = (path for kind in ("*.py", "*.toml") for path in PACKAGE.rglob(kind))
    for path in sorted([*code, PACKAGE / "data" / "manifest.json"]):
        if path.is_file():
            content = path.read_bytes()
            digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()
