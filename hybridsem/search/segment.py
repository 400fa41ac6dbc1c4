"""A part of an index that is written once: rows with a text, an id, a vector and what is compared.

vectors.bin scales.bin errors.bin    see vectors.py
texts.bin texts.off                  UTF-8, and where each begins
ids.bin [ids.off]                    numbers of 8 bytes, or texts
words.bin words.off                  see packing.py; nothing for a row without structure
lemmas.num lemmas.off lemmas.row     in which rows each lemma stands
neighbours.usearch                   a graph of approximate neighbours, if wanted
sums.bin                             checksums of all others but the graph; see folder.py
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import numpy as np

from hybridsem._typing import AnyArray, IntArray
from hybridsem._utils.disk import sync
from hybridsem.errors import AssetError
from hybridsem.search.blocks import Blocks
from hybridsem.search.folder import Part, blocks_of
from hybridsem.search.packing import Vocabulary, lemmas_of
from hybridsem.search.vectors import PRECISIONS, Stored

__all__ = ["Rows", "Segment", "join", "save_arrays", "write"]

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


def save_arrays(path: Path, *arrays: AnyArray) -> None:
    """Write arrays to a new file, one behind the other, as ``np.load`` reads them."""
    with path.open("xb") as stream:
        for array in arrays:
            # Not to the file itself: what numpy writes there is cut without a word on a full disk.
            np.save(SimpleNamespace(write=stream.write), array, allow_pickle=False)
        _flush(stream)


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
    with (folder / "vectors.bin").open("xb") as stream:
        for segment, rows in parts:
            for start in range(0, len(rows), 8192):
                kept = segment.vectors.kept(rows[start : start + 8192])
                stream.write(np.ascontiguousarray(kept).data)
        _flush(stream)
    for name in ("scales", "errors"):
        arrays = [getattr(segment.vectors, name)[rows] for segment, rows in parts]
        _save(folder / f"{name}.bin", np.concatenate(arrays))
    _save_texts(
        folder / "texts",
        (segment.bytes_of("texts", row) for segment, rows in parts for row in rows),
    )
    if all(segment.numbered for segment, _ in parts):
        _save(
            folder / "ids.bin",
            np.concatenate([s.ids[rows] for s, rows in parts if s.ids is not None]),
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

    What is damaged is found when it is read: what has a few bytes a row at once, the rest block by
    block. Of an index that version 0.2.0 made, nothing but the files' sizes is known.

    Args:
        folder: Where it was written.
        part: What the manifest says of it.
        dimension: Of the vectors.
        precision: Of the vectors.

    Raises :class:`AssetError` where a file is damaged, there or when it is read, and
    ``FileNotFoundError`` where one is gone, as after a compaction.
    """

    def __init__(self, folder: Path, part: Part, dimension: int, precision: str) -> None:
        self.folder, self.part, self.rows = folder, part, part.rows
        if not folder.is_dir():
            raise FileNotFoundError(f"no segment {folder}")
        # All are mapped now, as a compaction may remove the files.
        self._files = blocks_of(folder, part)
        self.has_words = "words.off" in self._files
        self.numbered = "ids.off" not in self._files
        rows = self._view("vectors.bin", PRECISIONS[precision], (self.rows, dimension))
        check = partial(self._files["vectors.bin"].check_rows, width=rows.itemsize * dimension)
        scales, errors = (
            self._whole(name, np.float32, (self.rows,)) for name in ("scales.bin", "errors.bin")
        )
        self.vectors = Stored(rows, scales, errors, check)
        self.ids = self._whole("ids.bin", np.int64, (self.rows,)) if self.numbered else None
        texts = ("texts", *(["words"] if self.has_words else []))
        self._texts = {
            name: self._with_ends(name) for name in (*texts, *([] if self.numbered else ["ids"]))
        }

    def _view(self, name: str, dtype: Any, shape: tuple[int, ...] = (-1,)) -> AnyArray:
        """A file as an array, unchecked."""
        if name not in self._files:
            raise FileNotFoundError(f"no file {str(self.folder / name)!r}")
        content = self._files[name].content
        try:
            return np.frombuffer(content, dtype).reshape(shape)
        except ValueError:
            raise AssetError(
                f"the index is damaged: {str(self.folder / name)!r} has {len(content)} bytes, "
                f"and no {self.rows} rows; build it anew"
            ) from None

    def _whole(self, name: str, dtype: Any, shape: tuple[int, ...] = (-1,)) -> AnyArray:
        """A file as an array, all of it checked."""
        found = self._view(name, dtype, shape)
        self._files[name].check()
        return found

    def _with_ends(self, name: str) -> tuple[AnyArray, Blocks]:
        ends = self._whole(f"{name}.off", "<u8", (self.rows + 1,))
        self._view(f"{name}.bin", np.uint8, (int(ends[-1]),))
        return ends, self._files[f"{name}.bin"]

    def bytes_of(self, name: str, row: int) -> bytes:
        """What a row has in ``texts``, ``ids`` or ``words``."""
        ends, blocks = self._texts[name]
        start, end = ends[row : row + 2].tolist()
        blocks.check(start, end)
        return bytes(blocks.content[start:end])

    def text(self, row: int) -> str:
        """A row's text."""
        return self.bytes_of("texts", row).decode("utf-8", "surrogatepass")

    def id(self, row: int) -> Id:
        """A row's id."""
        if self.ids is not None:
            return int(self.ids[row])
        return self.bytes_of("ids", row).decode("utf-8", "surrogatepass")

    @cached_property
    def lemmas(self) -> AnyArray:
        """The lemmas that occur, by number, rising."""
        return self._whole("lemmas.num", "<u4")

    @cached_property
    def lemma_counts(self) -> AnyArray:
        """In how many rows each of :attr:`lemmas` stands."""
        return np.diff(self._lemma_ends.astype(np.int64))

    @cached_property
    def _lemma_ends(self) -> AnyArray:
        return self._whole("lemmas.off", "<u8")

    def rows_with(self, lemmas: IntArray) -> tuple[AnyArray, IntArray]:
        """The rows in which lemmas stand, those of one behind those of the other, and how many each
        has.
        """
        at = np.searchsorted(self.lemmas, lemmas)
        there = at < len(self.lemmas)
        there[there] = self.lemmas[at[there]] == lemmas[there]
        ends = self._lemma_ends
        starts, stops = ends[at[there]].tolist(), ends[at[there] + 1].tolist()
        counts = np.zeros(len(lemmas), np.int64)
        counts[there] = np.subtract(stops, starts)
        rows = self._whole("lemmas.row", "<u4")
        parts = [rows[start:stop] for start, stop in zip(starts, stops, strict=True)]
        return np.concatenate([np.empty(0, "<u4"), *parts]), counts

    def occurrences(self) -> tuple[IntArray, IntArray]:
        """All pairs of a lemma and a row in which it stands."""
        if not self.has_words:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        lemmas = np.repeat(self.lemmas.astype(np.int64), self.lemma_counts)
        return lemmas, np.asarray(self._whole("lemmas.row", "<u4"), np.int64)

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.iterdir())
