"""What files hold, as hashes: kept with the file's size and times, so that none is read twice.

KEPT/paths.sqlite     by path: its stamp, its sha256; or what else is known of it
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
"""What changes when a file does; of a folder, the names and stamps of its files."""

LARGE = 1 << 24
"""Bytes from which on a hash is kept on disk; a smaller file is read again in each process."""

SETTLED = 2.0
"""Seconds after which another change would show in a file's times, on any file system."""

TABLE = "paths"
PACKAGE = Path(__file__).parents[1]

_KNOWN: dict[tuple[str, Stamp], str] = {}


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a file or folder as it is now; None where there is none."""
    try:
        if path.is_dir():
            return tuple((file.relative_to(path).as_posix(), _stat(file)) for file in _files(path))
        return _stat(path)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None


def _stat(path: Path) -> Stamp:
    found = path.stat()
    times = found.st_mtime_ns, found.st_ctime_ns
    return found.st_dev, found.st_ino, found.st_size, *times


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def content_hash(path: Path, hashes: Path | None = None) -> str:
    """The sha256 of a file; of a folder, that of its files' names and hashes.

    ``hashes`` is the folder for the hashes of large files, where they outlive the process. Raises
    :class:`OSError` for what cannot be read.
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
        # A file that was written just now could be written again without a change of its times.
        if _stat(path) != stamp or time.time_ns() - max(stamp[-2:]) < SETTLED * 1e9:
            return found
        if hashes is not None:
            keep(hashes, name, {"stamp": stamp, "sha256": found})
    _KNOWN[name, stamp] = found
    return found


def keep(folder: Path, path: str, about: Any) -> None:
    """Keep what is known of a path in a folder; one that cannot be written keeps nothing."""
    from hybridsem._utils.store import Store, key_of

    with suppress(HybridSemError), closing(Store(folder / "paths.sqlite", [TABLE])) as store:
        store.put(TABLE, {key_of(path): json.dumps(about, allow_nan=False).encode()})


def kept(folder: Path, path: str) -> dict[str, Any]:
    """The record of a path; empty where there is none."""
    from hybridsem._utils.store import Store, key_of

    with suppress(HybridSemError):
        if (file := folder / "paths.sqlite").exists():
            with closing(Store(file, [TABLE])) as store:
                for content in store.get(TABLE, [key_of(path)]).values():
                    return dict(json.loads(content))
    return {}


def sealed(value: Any) -> str:
    """Plain data as JSON with its own checksum."""
    text = json.dumps(value, allow_nan=False)
    return json.dumps({"seal": _seal(text), "value": text}) + "\n"


def unsealed(content: bytes | str) -> Any:
    """The data from the output of :func:`sealed`; None where it has changed."""
    try:
        about = json.loads(content)
        text = about["value"]
        return json.loads(text) if about["seal"] == _seal(text) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _seal(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def code_hash() -> str:
    """The sha256 of the package's code, tables and list of weights: what its version should tell.

    A checkout changes between versions, and so may what it computes.
    """
    digest = hashlib.sha256()
    code = (path for kind in ("*.py", "*.toml") for path in PACKAGE.rglob(kind))
    for path in sorted([*code, PACKAGE / "data" / "manifest.json"]):
        if path.is_file():
            content = path.read_bytes()
            digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()
