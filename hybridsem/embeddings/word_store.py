"""Word vectors in a memory-mapped folder: opened in no time, shared between processes, made once
from a file.

    vectors.f32   n · d numbers, row by row
    words.utf8    the words, one after the other      starts.u64   where each begins, and the end
    hashes.u64    the words' hashes, sorted           rows.u32     the row of each hash
    sums.u32      CRC-32 of each vector
    meta.json     n, d, the sizes of the files; CRC-32 of all but the vectors

A word is looked up by its 64-bit hash (BLAKE2b) and compared. The folder is in the cache, named
after the source's path and the sha256 of its content; it is never changed once it is there. A
vector is checked when it is read, and the folder made anew where one is damaged.
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
from collections.abc import Callable, Iterable, Sequence
from functools import partial
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
    "sums.u32": "<u4",
}


class _Damaged(OSError):
    """A folder that is not there or not whole."""


def hash_of(word: bytes) -> int:
    """The 64-bit hash by which a word is found."""
    return int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")


class WordStore:
    """The words and vectors of a folder, mapped into memory.

    ``anew`` makes the folder anew where a vector turns out to be damaged; without it that is an
    :class:`AssetError`.
    """

    def __init__(self, folder: Path, anew: Callable[[], WordStore] | None = None) -> None:
        self.folder, self._anew = folder, anew
        try:
            meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
            if meta["version"] != VERSION:
                raise _Damaged(f"version {meta['version']}")
            files = {name: self._mapped(name, meta["files"][name]) for name in TYPES}
            self.size, self.dimension = int(meta["words"]), int(meta["dimension"])
            self.vectors = files["vectors.f32"].reshape(self.size, self.dimension)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise _Damaged(str(error)) from None
        self._words, self._starts, self._hashes, self._rows, self._sums = (
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
        found = np.asarray(self.vectors[list(indices)])
        if all(zlib.crc32(row) == self._sums[i] for i, row in zip(indices, found, strict=True)):
            return np.asarray(found, np.float32)
        if self._anew is None:
            raise AssetError(f"{self.folder} is damaged: a vector is not what was written")
        _LOG.error("%s is damaged (a vector is not what was written) and is made anew", self.folder)
        fresh = self._anew()
        fresh._anew = None  # a disk that damages what was just written is not tried for ever
        self.__dict__.update(vars(fresh))
        return self.rows(indices)


def stored(path: Path) -> WordStore:
    """The vectors of a file, out of the cache; a file that is not in it yet, or not whole, is read
    into it first.

    Processes that want the same file wait for the one that reads it. Raises :class:`FormatError`
    for a file that cannot be read, :class:`AssetError` where the cache cannot be written.
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
    cache = cache_folder() / "words"
    key = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    folder = cache / f"{key}-{content[:32]}"
    try:
        return WordStore(folder, partial(_made, path, content, folder, again=True))
    except _Damaged:
        return _made(path, content, folder)


def _made(path: Path, content: str, folder: Path, again: bool = False) -> WordStore:
    """The folder made of the file with that content; ``again`` although it is there."""
    import filelock

    cache = folder.parent
    anew = partial(_made, path, content, folder, again=True)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(cache / f"{folder.name.partition('-')[0]}.lock"):
            try:
                if not again:
                    return WordStore(folder, anew)  # another process may have made it meanwhile
            except _Damaged as damage:
                if folder.exists():
                    _LOG.error("%s is damaged (%s) and is made anew", folder, damage)
            # Of a source that has changed, of a process that was killed.
            for old in cache.glob(f"{folder.name.partition('-')[0]}-*"):
                shutil.rmtree(old)
            _LOG.info("reading %s into %s", path, cache)
            build(entries(path), folder, path)
            if content_hash(path) != content:
                shutil.rmtree(folder)
                raise FormatError("the file has changed while it was read", path)
            return WordStore(folder, anew)
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
        (folder / "sums.u32").open("wb") as sums,
    ):
        for word, row, line in found:
            d, content = len(row), row.astype("<f4", copy=False).tobytes()
            vectors.write(content)
            sums.write(zlib.crc32(content).to_bytes(4, "little"))
            words.write(word)
            starts.append(starts[-1] + len(word))
            hashes.append(hash_of(word))
            lines.append(line or 0)
        words.seek(0)
        blob = words.read()
        vectors.flush()
        # Of this file only the size is checked at first, so it must not be empty blocks.
        os.fsync(vectors.fileno())
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
    # Not by tofile, which says nothing of a disk that is full.
    (folder / "starts.u64").write_bytes(np.asarray(starts, "<u8").tobytes())
    (folder / "hashes.u64").write_bytes(ranked.astype("<u8").tobytes())
    (folder / "rows.u32").write_bytes(order.astype("<u4").tobytes())
    return {"words": len(order), "dimension": d}
