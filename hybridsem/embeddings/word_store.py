"""Word vectors in a memory-mapped folder: opened in no time, shared between processes, made once
from a file.

    vectors.f32   n · d numbers, row by row
    words.utf8    the words, one after the other      starts.u64   where each begins, and the end
    hashes.u64    the words' hashes, sorted           rows.u32     the row of each hash
    meta.json     n, d, the sizes of the files; CRC-32 of all but the vectors

A word is looked up by its 64-bit hash (BLAKE2b) and compared. The folder is in the cache, named
after the source's path, size and time of change; it is never changed once it is there. Of the
vectors themselves only the size is checked.
"""

from __future__ import annotations

import array
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
from hybridsem._utils.disk import reason
from hybridsem.assets import cache_folder
from hybridsem.embeddings.word_files import Entry, entries
from hybridsem.errors import AssetError, FormatError

__all__ = ["WordStore", "build", "stored"]

_LOG = logging.getLogger("hybridsem")
VERSION = 1
FEW_TWINS = 1e-4
"""The share of words that may come twice, as one of GloVe 840B does, and the first counts; more
mean a damaged file.
"""

TYPES = {
    "vectors.f32": "<f4",
    "words.utf8": "u1",
    "starts.u64": "<u8",
    "hashes.u64": "<u8",
    "rows.u32": "<u4",
}


class _Damaged(OSError):
    """A folder that is not there or not whole."""


def hash_of(word: bytes) -> int:
    """The 64-bit hash by which a word is found."""
    return int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")


class WordStore:
    """The words and vectors of a folder, mapped into memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
            if meta["version"] != VERSION:
                raise _Damaged(f"version {meta['version']}")
            files = {name: self._mapped(name, meta["files"][name]) for name in TYPES}
            self.size, self.dimension = int(meta["words"]), int(meta["dimension"])
            self.vectors = files["vectors.f32"].reshape(self.size, self.dimension)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise _Damaged(str(error)) from None
        self._words, self._starts, self._hashes, self._rows = (
            memoryview(files[name])  # type: ignore[arg-type]  # an array has a buffer
            for name in list(TYPES)[1:]
        )

    def _mapped(self, name: str, expected: dict[str, Any]) -> AnyArray:
        path = self.folder / name
        if path.stat().st_size != expected["size"]:
            raise _Damaged(f"{name} has another size")
        content: Any = np.memmap(path, TYPES[name], mode="r")
        if "crc32" in expected and zlib.crc32(content) != expected["crc32"]:
            raise _Damaged(f"{name} is not what was written")
        return np.asarray(content)

    def __len__(self) -> int:
        return self.size

    def find(self, word: str) -> int | None:
        """The row of a word, None where there is none."""
        key = word.encode("utf-8", "surrogatepass")
        wanted = hash_of(key)
        at = bisect_left(self._hashes, wanted)
        while at < self.size and self._hashes[at] == wanted:
            row = self._rows[at]
            if self._words[self._starts[row] : self._starts[row + 1]] == key:
                return row
            at += 1
        return None

    def rows(self, indices: Sequence[int]) -> Float32Array:
        """The vectors of some rows, (n, d)."""
        return np.asarray(self.vectors[list(indices)], np.float32)


def stored(path: Path) -> WordStore:
    """The vectors of a file, out of the cache; a file that is not in it yet, or not whole, is read
    into it first.

    Processes that want the same file wait for the one that reads it. Raises :class:`FormatError`
    for a file that cannot be read, :class:`AssetError` where the cache cannot be written.
    """
    import filelock

    try:
        path = path.expanduser().resolve()
        about = path.stat()
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path) from None
    cache = cache_folder() / "words"
    key = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    folder = cache / f"{key}-{about.st_size:x}-{about.st_mtime_ns:x}"
    try:
        return WordStore(folder)
    except _Damaged:
        pass
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(cache / f"{key}.lock"):
            try:
                return WordStore(folder)  # another process may have made it meanwhile
            except _Damaged as damage:
                if folder.exists():
                    _LOG.warning("%s is damaged (%s) and is made anew", folder, damage)
            for old in cache.glob(
                f"{key}-*"
            ):  # of a source that has changed, of a process that was killed
                shutil.rmtree(old)
            _LOG.info("reading %s into %s", path, cache)
            build(entries(path), folder, path)
            return WordStore(folder)
    except OSError as error:
        raise AssetError(
            f"the cache {cache} cannot be written ({reason(error)}); HYBRIDSEM_CACHE sets "
            "another folder"
        ) from None


def build(found: Iterable[Entry], folder: Path, source: Path) -> None:
    """Write a folder, whole or not at all; ``source`` is named where a word comes twice."""
    temporary = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        written = _write(found, temporary, source)
        files = {name: _described(temporary / name) for name in TYPES}
        meta = {"version": VERSION, "source": str(source), **written, "files": files}
        (temporary / "meta.json").write_text(json.dumps(meta, indent=1), encoding="utf-8")
        temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _described(path: Path) -> dict[str, int]:
    about = {"size": path.stat().st_size}
    return (
        about if path.name == "vectors.f32" else {**about, "crc32": zlib.crc32(path.read_bytes())}
    )


def _write(found: Iterable[Entry], folder: Path, source: Path) -> dict[str, int]:
    """Write all but meta.json; the numbers of words and dimensions."""
    hashes, starts, lines = array.array("Q"), array.array("Q", [0]), array.array("q")
    d = 0
    with (
        (folder / "vectors.f32").open("wb") as vectors,
        (folder / "words.utf8").open("w+b") as words,
    ):
        for word, row, line in found:
            d = len(row)
            vectors.write(row.astype("<f4", copy=False).tobytes())
            words.write(word)
            starts.append(starts[-1] + len(word))
            hashes.append(hash_of(word))
            lines.append(line or 0)
        words.seek(0)
        blob = words.read()
        vectors.flush()
        os.fsync(
            vectors.fileno()
        )  # of this file only the size is checked, so it must not be empty blocks
    unsorted = np.frombuffer(hashes, np.uint64)
    order = np.argsort(unsorted, kind="stable")
    ranked = unsorted[order]
    twins = [order[at : at + 2].tolist() for at in np.flatnonzero(ranked[1:] == ranked[:-1])]
    same = [
        (one, two)
        for one, two in twins
        if blob[starts[one] : starts[one + 1]] == blob[starts[two] : starts[two + 1]]
    ]
    if same:
        one, two = min(same, key=lambda rows: rows[1])
        places = " and ".join(
            f"line {lines[row]}" if lines[row] else f"word {row + 1}" for row in (one, two)
        )
        why = f"the word {blob[starts[one] : starts[one + 1]][:60]!r} comes twice: {places}"
        if len(same) > FEW_TWINS * len(order):
            raise FormatError(why, source, lines[two] or None)
        _LOG.warning(
            "%s: %s, and the first counts; %d words of %d are so",
            source,
            why,
            len(same),
            len(order),
        )
    np.asarray(starts, "<u8").tofile(folder / "starts.u64")
    ranked.astype("<u8").tofile(folder / "hashes.u64")
    order.astype("<u4").tofile(folder / "rows.u32")
    return {"words": len(order), "dimension": d}
