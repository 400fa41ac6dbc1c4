"""Word vectors in a memory-mapped folder, built once from a file and shared between processes.

    vectors.f32   n · d numbers, row by row
    index.bin     by word: its hash (in order), its row, the CRC-32 of its vector
    meta.json     n, d, the CRC-32 of the index

A word is found by its 64-bit hash (BLAKE2b). The folder is in the cache, named by the source's path
and the sha256 of its content; it never changes. A damaged folder is built again, but vectors are
checked when they are read, and a damaged one is an error.
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
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.contents import content_hash
from hybridsem._utils.disk import home, missing_advice, real, reason, sync
from hybridsem.assets import cache_folder
from hybridsem.embeddings.word_files import Entry, entries
from hybridsem.errors import AssetError, FormatError

_LOG = logging.getLogger("hybridsem")
VERSION = 3
MAX_REPEATED = 1e-4
"""The largest share of repeated words, as in GloVe 840B; more mean a damaged file."""

VECTORS, INDEX, META = "vectors.f32", "index.bin", "meta.json"
ENTRY = np.dtype([("hash", "<u8"), ("row", "<u4"), ("crc32", "<u4")])


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
            meta = json.loads((folder / META).read_text(encoding="utf-8"))
            index = np.memmap(folder / INDEX, ENTRY, "r")
            if meta["version"] != VERSION or zlib.crc32(index.tobytes()) != meta["crc32"]:
                raise _Damaged(f"{INDEX} is not what was written")
            self.size, self.dimension = shape = len(index), int(meta["dimension"])
            self.vectors = np.memmap(folder / VECTORS, "<f4", "r").reshape(shape)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise _Damaged(str(error)) from None
        self._hashes, self._rows, self._sums = (index[name] for name in ENTRY.names or ())

    def find(self, word: str) -> int | None:
        """Return the place of a word in the index, or None."""
        wanted = np.uint64(hash_of(word.encode("utf-8", "surrogatepass")))
        place = int(np.searchsorted(self._hashes, wanted))
        return place if place < self.size and self._hashes[place] == wanted else None

    def rows(self, indices: Sequence[int]) -> Float32Array:
        """Return the vectors at places, (n, d); raise :class:`AssetError` for a damaged one."""
        places = list(indices)
        found = np.asarray(self.vectors[self._rows[places]], np.float32)
        if [zlib.crc32(row) for row in found.astype("<f4", copy=False)] != self._sums[
            places
        ].tolist():
            raise AssetError(
                f"{self.folder} is damaged: a vector is not what was written; remove the folder, "
                "and it is built again"
            )
        return found


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
        meta = {"version": VERSION, "source": str(source), **_write(found, temporary, source)}
        (temporary / META).write_text(json.dumps(meta, indent=1), encoding="utf-8")
        temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _write(found: Iterable[Entry], folder: Path, source: Path) -> dict[str, int]:
    """Write vectors and index; return the dimension and the checksum of the index."""
    hashes, sums, d = array.array("Q"), array.array("I"), 0
    with (folder / VECTORS).open("wb") as vectors:
        for word, row in found:
            d, content = len(row), row.astype("<f4", copy=False).tobytes()
            vectors.write(content)
            hashes.append(hash_of(word))
            sums.append(zlib.crc32(content))
    sync(folder / VECTORS)  # at first only the size of this file is checked
    order = np.argsort(hashes, kind="stable")
    index = np.empty(len(order), ENTRY)
    index["hash"], index["row"] = np.asarray(hashes)[order], order
    index["crc32"] = np.asarray(sums)[order]
    again = order[1:][index["hash"][1:] == index["hash"][:-1]]
    if len(again) > MAX_REPEATED * len(order):
        raise FormatError(f"{len(again)} words appear twice, such as entry {again[0] + 1}", source)
    content = index.tobytes()
    (folder / INDEX).write_bytes(content)  # tofile would not report a full disk
    return {"dimension": d, "crc32": zlib.crc32(content)}
