"""Word vectors in a memory-mapped folder, built once from a file and shared between processes.

    vectors.f32   n · d numbers, row by row
    words.utf8    the words, concatenated             starts.u64   where each begins, and the end
    hashes.u64    the words' hashes, sorted           rows.u32     the row of each hash
    sums.u32      CRC-32 of each vector
    meta.json     n, d, the sizes of the files; CRC-32 of all but the vectors

A word is found by its 64-bit hash (BLAKE2b) and compared. The folder is in the cache, named by the
source's path and the sha256 of its content; it never changes. A damaged folder is built again, but
vectors are checked when they are read, and a damaged one is an error.
"""

from __future__ import annotations

import array
import errno
import hashlib
import json
import logging
import os
import shutil
import tempfile
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import AnyArray, Float32Array
from hybridsem._utils.contents import content_hash
from hybridsem._utils.disk import home, missing_advice, real, reason
from hybridsem.assets import cache_folder
from hybridsem.embeddings.word_files import Entry, entries
from hybridsem.errors import AssetError, FormatError

_LOG = logging.getLogger("hybridsem")
VERSION = 2
MAX_REPEATED = 1e-4
"""The largest share of repeated words, as in GloVe 840B, of which the first count; more mean a
damaged file.
"""

TYPES = {
    "vectors.f32": "<f4",
    "words.utf8": "u1",
    "starts.u64": "<u8",
    "hashes.u64": "<u8",
    "rows.u32": "<u4",
    "sums.u32": "<u4",
}


class _Damaged(OSError):
    """A missing or incomplete folder."""


def hash_of(word: bytes) -> int:
    """Return the 64-bit hash of a word."""
    return int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")


class WordStore:
    """The words and vectors of a folder, mapped into memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
            if meta["version"] != VERSION:
                raise _Damaged(f"version {meta['version']}")
            files = {name: _mapped(folder / name, meta["files"][name]) for name in TYPES}
            self.size, self.dimension = int(meta["words"]), int(meta["dimension"])
            self.vectors = files["vectors.f32"].reshape(self.size, self.dimension)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise _Damaged(str(error)) from None
        self._words, self._starts, self._hashes, self._rows, self._sums = (
            memoryview(files[name])  # type: ignore[arg-type]
            for name in list(TYPES)[1:]
        )

    def __len__(self) -> int:
        return self.size

    def find(self, word: str) -> int | None:
        """Return the row of a word, or None."""
        key = word.encode("utf-8", "surrogatepass")
        wanted = hash_of(key)
        for at in range(bisect_left(self._hashes, wanted), self.size):
            if self._hashes[at] != wanted:
                break
            row = self._rows[at]
            if self._words[self._starts[row] : self._starts[row + 1]] == key:
                return row
        return None

    def rows(self, indices: Sequence[int]) -> Float32Array:
        """Return the vectors of rows, (n, d); raise :class:`AssetError` for a damaged one."""
        found = np.asarray(self.vectors[list(indices)])
        if any(zlib.crc32(row) != self._sums[i] for i, row in zip(indices, found, strict=True)):
            raise AssetError(
                f"{self.folder} is damaged: a vector is not what was written; remove the folder, "
                "and it is built again"
            )
        return np.asarray(found, np.float32)


def _mapped(path: Path, expected: dict[str, Any]) -> AnyArray:
    if path.stat().st_size != expected["size"]:
        raise _Damaged(f"{path.name} has another size")
    content: Any = np.memmap(path, TYPES[path.name], mode="r")
    if "crc32" in expected and zlib.crc32(content) != expected["crc32"]:
        raise _Damaged(f"{path.name} is not what was written")
    return np.asarray(content)


def stored(path: Path) -> WordStore:
    """Return the vectors of a file from the cache; a missing or damaged entry is built first.
    Processes that want the same file wait for the one that reads it. Raises :class:`FormatError`
    for an unreadable file, :class:`AssetError` if the cache cannot be written.
    """
    path = real(home(path))
    try:
        if not path.is_file():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        content = content_hash(path, cache_folder() / "hashes")
    except OSError as error:
        raise FormatError(
            f"cannot be read ({error.strerror}){missing_advice(path, error)}", path
        ) from None
    key = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    folder = cache_folder() / "words" / f"{key}-{content[:32]}"
    try:
        return WordStore(folder)
    except _Damaged:
        return _build(path, content, folder)


def _build(path: Path, content: str, folder: Path) -> WordStore:
    """Build the folder of a file, unless another process has."""
    import filelock

    cache, key = folder.parent, folder.name.partition("-")[0]
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(cache / f"{key}.lock"):
            try:
                return WordStore(folder)
            except _Damaged as damage:
                if folder.exists():
                    _LOG.error("%s is damaged (%s) and is built again", folder, damage)
            for old in cache.glob(f"{key}-*"):  # left by a changed source or a killed process
                shutil.rmtree(old)
            _LOG.info("reading %s into %s", path, cache)
            build(entries(path), folder, path)
            if content_hash(path) != content:
                shutil.rmtree(folder)
                raise FormatError("the file changed while it was read", path)
            return WordStore(folder)
    except OSError as error:
        raise AssetError(
            f"the cache {cache} cannot be written ({reason(error)}); HYBRIDSEM_CACHE sets "
            "another folder"
        ) from None


def build(found: Iterable[Entry], folder: Path, source: Path) -> None:
    """Write a folder atomically; messages name ``source``."""
    temporary = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        written = _write(found, temporary, source)
        files = {name: {"size": (temporary / name).stat().st_size} for name in TYPES}
        for name in list(TYPES)[1:]:
            files[name]["crc32"] = zlib.crc32((temporary / name).read_bytes())
        meta = {"version": VERSION, "source": str(source), **written, "files": files}
        (temporary / "meta.json").write_text(json.dumps(meta, indent=1), encoding="utf-8")
        temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _write(found: Iterable[Entry], folder: Path, source: Path) -> dict[str, int]:
    """Write all but meta.json; return the numbers of words and dimensions."""
    hashes, starts, sums = array.array("Q"), array.array("Q", [0]), array.array("I")
    blob, d = bytearray(), 0
    with (folder / "vectors.f32").open("wb") as vectors:
        for word, row in found:
            d, content = len(row), row.astype("<f4", copy=False).tobytes()
            vectors.write(content)
            sums.append(zlib.crc32(content))
            blob += word
            starts.append(len(blob))
            hashes.append(hash_of(word))
        vectors.flush()
        # At first only the size of this file is checked, so it must be on disk.
        os.fsync(vectors.fileno())
    order = np.argsort(hashes, kind="stable")
    ranked = np.asarray(hashes)[order]
    again = order[1:][ranked[1:] == ranked[:-1]].tolist()
    if len(again) > MAX_REPEATED * len(order):
        word = bytes(blob[starts[again[0]] : starts[again[0] + 1]])
        raise FormatError(f"{len(again)} words appear twice, such as {word[:60]!r}", source)
    # tofile would not report a full disk.
    (folder / "words.utf8").write_bytes(blob)
    tables = {"starts.u64": starts, "hashes.u64": ranked, "rows.u32": order, "sums.u32": sums}
    for name, table in tables.items():
        (folder / name).write_bytes(np.asarray(table, TYPES[name]).tobytes())
    return {"words": len(order), "dimension": d}
