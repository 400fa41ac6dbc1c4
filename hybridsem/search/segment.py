"""A part of an index that is written once: rows with a text, an id, a vector and what is compared.

vectors.bin scales.bin errors.bin    see vectors.py
texts.bin texts.off                  UTF-8, and where each begins
ids.bin [ids.off]                    numbers of 8 bytes, or texts
words.bin words.off                  see packing.py; nothing for a row without structure
lemmas.num lemmas.off lemmas.row     in which rows each lemma stands
neighbours.usearch                   a graph of approximate neighbours, if wanted
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import numpy as np

from hybridsem._typing import AnyArray, IntArray
from hybridsem._utils.disk import sync
from hybridsem.errors import AssetError
from hybridsem.search.packing import Vocabulary, lemmas_of
from hybridsem.search.vectors import PRECISIONS, Stored

__all__ = ["Rows", "Segment", "join", "write"]

NEIGHBOURS = "neighbours.usearch"
COPIED = 1 << 24
Id = int | str


@dataclass
class Rows:
    """What a segment is written of: one each a row; ``words`` is empty for a row without structure,
    and altogether where nothing but vectors is kept.
    """

    texts: Sequence[str]
    ids: Sequence[Id]
    vectors: Stored
    words: Sequence[bytes]


def write(folder: Path, rows: Rows, vocabulary: Vocabulary) -> None:
    """Write the rows to a new folder. Raises ``OSError`` where that cannot be done."""
    folder.mkdir(parents=True)
    _save(folder / "vectors.bin", rows.vectors.rows)
    _save(folder / "scales.bin", rows.vectors.scales)
    _save(folder / "errors.bin", rows.vectors.errors)
    _save_texts(folder / "texts", (text.encode("utf-8", "surrogatepass") for text in rows.texts))
    if all(isinstance(one, int) for one in rows.ids):
        _save(folder / "ids.bin", np.array(rows.ids, np.int64))
    else:
        _save_texts(folder / "ids", (str(one).encode("utf-8", "surrogatepass") for one in rows.ids))
    if rows.words:
        _save_texts(folder / "words", rows.words)
        found = [
            (lemma, row)
            for row, packed in enumerate(rows.words)
            if packed
            for lemma in lemmas_of(packed, vocabulary)
        ]
        pairs = np.array(found, np.int64).reshape(-1, 2)
        _save_lemmas(folder, pairs[:, 0], pairs[:, 1])
    sync(folder)


def _save(path: Path, array: AnyArray) -> None:
    with path.open("xb") as stream:
        stream.write(np.ascontiguousarray(array).data)
        _flush(stream)


def _save_texts(path: Path, contents: Iterable[bytes]) -> None:
    ends = [0]
    with path.with_suffix(".bin").open("xb") as stream:
        for content in contents:
            stream.write(content)
            ends.append(ends[-1] + len(content))
        _flush(stream)
    _save(path.with_suffix(".off"), np.array(ends, "<u8"))


def _save_lemmas(folder: Path, lemmas: IntArray, rows: IntArray) -> None:
    order = np.lexsort((rows, lemmas))
    lemmas, rows = lemmas[order], rows[order]
    numbers, starts = np.unique(lemmas, return_index=True)
    _save(folder / "lemmas.num", numbers.astype("<u4"))
    _save(folder / "lemmas.off", np.append(starts, len(rows)).astype("<u8"))
    _save(folder / "lemmas.row", rows.astype("<u4"))


def _flush(stream: IO[bytes]) -> None:
    stream.flush()
    os.fsync(stream.fileno())


def join(folder: Path, parts: Sequence[tuple[Segment, IntArray]]) -> int:
    """Write rows of segments (the places that are kept, rising) as one; how many they are."""
    folder.mkdir(parents=True)
    for name in ("vectors", "scales", "errors"):
        with (folder / f"{name}.bin").open("xb") as stream:
            for segment, rows in parts:
                array = segment.array(name)
                for start in range(0, len(rows), 8192):
                    stream.write(np.ascontiguousarray(array[rows[start : start + 8192]]).data)
            _flush(stream)
    _save_texts(
        folder / "texts",
        (segment.bytes_of("texts", row) for segment, rows in parts for row in rows),
    )
    if all(segment.numbered for segment, _ in parts):
        _save(
            folder / "ids.bin",
            np.concatenate([np.empty(0, np.int64), *(s.array("ids")[rows] for s, rows in parts)]),
        )
    else:
        ids = (str(segment.id(row)) for segment, rows in parts for row in rows)
        _save_texts(folder / "ids", (one.encode("utf-8", "surrogatepass") for one in ids))
    if any(segment.has_words for segment, _ in parts):
        _save_texts(
            folder / "words",
            (segment.bytes_of("words", row) for segment, rows in parts for row in rows),
        )
        lemmas: list[IntArray] = []
        places: list[IntArray] = []
        at = 0
        for segment, kept in parts:
            found, of_found = segment.occurrences()
            new = np.full(segment.rows, -1, np.int64)
            new[kept] = at + np.arange(len(kept))
            left = new[of_found] >= 0
            lemmas.append(found[left])
            places.append(new[of_found][left])
            at += len(kept)
        _save_lemmas(folder, np.concatenate(lemmas), np.concatenate(places))
    sync(folder)
    return sum(len(rows) for _, rows in parts)


class Segment:
    """A segment as it is read: memory mapped, so that processes share it.

    Args:
        folder: Where it was written.
        rows: How many there are.
        dimension: Of the vectors.
        precision: Of the vectors.

    Raises :class:`AssetError` where a file has another size than it must have, and
    ``FileNotFoundError`` where one is gone, as after a compaction.
    """

    def __init__(self, folder: Path, rows: int, dimension: int, precision: str) -> None:
        self.folder, self.rows = folder, rows
        self.dtypes: dict[str, Any] = {
            "vectors": PRECISIONS[precision],
            "scales": np.float32,
            "errors": np.float32,
            "ids": np.int64,
        }
        self.dimension = dimension
        if not folder.is_dir():
            raise FileNotFoundError(f"no segment {folder}")
        self.has_words = (folder / "words.off").exists()
        self.numbered = not (folder / "ids.off").exists()
        self._maps: dict[str, AnyArray] = {}
        self.vectors = Stored(self.array("vectors"), self.array("scales"), self.array("errors"))
        for name in ("texts", *(["words"] if self.has_words else [])):
            self._ends(name)
            self._bytes(name)
        if self.numbered:
            self.array("ids")
        else:
            self._bytes("ids")
        if self.has_words:  # now, as a compaction may remove the files
            self._map("lemmas.num", "<u4")
            self._map("lemmas.off", "<u8")
            self._map("lemmas.row", "<u4")

    def array(self, name: str) -> AnyArray:
        """One of the arrays with a row for each row."""
        shape = (self.rows, self.dimension) if name == "vectors" else (self.rows,)
        return self._map(f"{name}.bin", self.dtypes[name], shape)

    def _map(self, name: str, dtype: Any, shape: tuple[int, ...] | None = None) -> AnyArray:
        if name not in self._maps:
            path = self.folder / name
            try:
                size = path.stat().st_size
                expected = None if shape is None else int(np.prod(shape)) * np.dtype(dtype).itemsize
                if expected is not None and size != expected:
                    raise AssetError(
                        f"the index is damaged: {str(path)!r} has {size} bytes and not {expected}; "
                        "build it anew"
                    )
                if size == 0:
                    self._maps[name] = np.empty(shape or 0, dtype)
                else:
                    # A plain view: a slice of a memmap takes longer.
                    self._maps[name] = np.asarray(np.memmap(path, dtype, "r", shape=shape))
            except FileNotFoundError:
                raise
            except (OSError, ValueError) as error:
                raise AssetError(
                    f"the index is damaged: {str(path)!r} cannot be read ({error}); build it anew"
                ) from error
        return self._maps[name]

    def _ends(self, name: str) -> AnyArray:
        return self._map(f"{name}.off", "<u8", (self.rows + 1,))

    def _bytes(self, name: str) -> AnyArray:
        return self._map(f"{name}.bin", np.uint8, (int(self._ends(name)[-1]),))

    def bytes_of(self, name: str, row: int) -> bytes:
        """What a row has in ``texts``, ``ids`` or ``words``."""
        start, end = self._ends(name)[row : row + 2].tolist()
        return bytes(self._bytes(name)[start:end])

    def text(self, row: int) -> str:
        """A row's text."""
        return self.bytes_of("texts", row).decode("utf-8", "surrogatepass")

    def id(self, row: int) -> Id:
        """A row's id."""
        if self.numbered:
            return int(self.array("ids")[row])
        return self.bytes_of("ids", row).decode("utf-8", "surrogatepass")

    @cached_property
    def lemmas(self) -> AnyArray:
        """The lemmas that occur, by number, rising."""
        return self._map("lemmas.num", "<u4")

    @cached_property
    def lemma_counts(self) -> AnyArray:
        """In how many rows each of :attr:`lemmas` stands."""
        return np.diff(self._map("lemmas.off", "<u8").astype(np.int64))

    def rows_with(self, lemmas: IntArray) -> tuple[AnyArray, IntArray]:
        """The rows in which lemmas stand, those of one behind those of the other, and how many each
        has.
        """
        at = np.searchsorted(self.lemmas, lemmas)
        there = at < len(self.lemmas)
        there[there] = self.lemmas[at[there]] == lemmas[there]
        ends = self._map("lemmas.off", "<u8")
        starts, stops = ends[at[there]].tolist(), ends[at[there] + 1].tolist()
        counts = np.zeros(len(lemmas), np.int64)
        counts[there] = np.subtract(stops, starts)
        rows = self._map("lemmas.row", "<u4")
        parts = [rows[start:stop] for start, stop in zip(starts, stops, strict=True)]
        return np.concatenate([np.empty(0, "<u4"), *parts]), counts

    def occurrences(self) -> tuple[IntArray, IntArray]:
        """All pairs of a lemma and a row in which it stands."""
        if not self.has_words:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        lemmas = np.repeat(self.lemmas.astype(np.int64), self.lemma_counts)
        return lemmas, np.asarray(self._map("lemmas.row", "<u4"), np.int64)

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.iterdir())
