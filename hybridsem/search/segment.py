"""A part of an index that is written once. Its rows have a text, an id, a vector and the compared
form.

vectors.bin scales.bin errors.bin    see files.py
texts.bin texts.off                  UTF-8, and where each begins
ids.bin [ids.off]                    numbers of 8 bytes, or texts
words.bin words.off                  see storage.py; nothing for a row without structure
lemmas.num lemmas.off lemmas.row     the rows of each lemma
neighbours.usearch                   a graph of approximate neighbours, if wanted
sums.bin                             checksums of all others but the graph; see files.py
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from hybridsem._typing import AnyArray, Float32Array, IntArray
from hybridsem._utils.disk import sync
from hybridsem.errors import AssetError
from hybridsem.search.files import (
    PRECISIONS,
    Blocks,
    Stored,
    blocks_of,
    save,
    save_texts,
    write_sums,
)
from hybridsem.search.folder import Part

Id = int | str
ROWS = 8192  # rows whose vectors are copied together


@dataclass
class Rows:
    """The rows of a segment: vectors in blocks, with scales and errors (n,); ``ids`` as numbers or
    bytes; packed ``words``, b"" for a row without structure, None if only vectors are stored;
    ``lemmas``, (2, m), each with a row that contains it.
    """

    vectors: Iterable[AnyArray]
    scales: Float32Array
    errors: Float32Array
    texts: Iterable[bytes]
    ids: IntArray | Iterable[bytes]
    words: Iterable[bytes] | None
    lemmas: IntArray


def as_bytes(text: object) -> bytes:
    """Return a text, or an id, in UTF-8."""
    return str(text).encode("utf-8", "surrogatepass")


def write_segment(folder: Path, rows: Rows) -> tuple[dict[str, int], int]:
    """Write the rows to a new folder; return the sizes of its files and the checksum of their
    checksums. Raises ``OSError`` if that fails.
    """
    folder.mkdir(parents=True)
    save(folder / "vectors.bin", rows.vectors)
    save(folder / "scales.bin", [rows.scales])
    save(folder / "errors.bin", [rows.errors])
    save_texts(folder / "texts", rows.texts)
    if isinstance(rows.ids, np.ndarray):
        save(folder / "ids.bin", [rows.ids])
    else:
        save_texts(folder / "ids", rows.ids)
    if rows.words is not None:
        save_texts(folder / "words", rows.words)
        lemmas, places = rows.lemmas[:, np.lexsort(rows.lemmas[::-1])]
        numbers, starts = np.unique(lemmas, return_index=True)
        save(folder / "lemmas.num", [numbers.astype("<u4")])
        save(folder / "lemmas.off", [np.append(starts, len(places)).astype("<u8")])
        save(folder / "lemmas.row", [places.astype("<u4")])
    sync(folder)
    return write_sums(folder)


def merged(parts: Sequence[tuple[Segment, IntArray]]) -> Rows:
    """Yield the kept rows of segments (places, ascending), one segment after the other."""

    def of_all(name: str) -> Iterable[bytes]:
        return (segment.bytes_of(name, row) for segment, rows in parts for row in rows.tolist())

    lemmas, at = [np.empty((2, 0), np.int64)], 0
    for segment, rows in parts:
        found = segment.occurrences()
        new = np.full(segment.rows, -1, np.int64)
        new[rows] = at + np.arange(len(rows))
        found[1] = new[found[1]]
        lemmas.append(found[:, found[1] >= 0])
        at += len(rows)
    numbers = [segment.ids[rows] for segment, rows in parts if segment.ids is not None]
    return Rows(
        (
            segment.vectors.stored(rows[start : start + ROWS])
            for segment, rows in parts
            for start in range(0, len(rows), ROWS)
        ),
        np.concatenate([segment.vectors.scales[rows] for segment, rows in parts]),
        np.concatenate([segment.vectors.errors[rows] for segment, rows in parts]),
        of_all("texts"),
        np.concatenate(numbers) if len(numbers) == len(parts) else of_all("ids"),
        of_all("words") if any(segment.has_words for segment, _ in parts) else None,
        np.concatenate(lemmas, axis=1),
    )


class Segment:
    """A segment for reading, memory mapped, so that processes share it. Files of a few bytes a row
    are checked at once, the rest block by block as it is read. Raises :class:`AssetError` for a
    damaged file, and ``FileNotFoundError`` for a missing one, as after a compaction.
    """

    def __init__(self, folder: Path, part: Part, dimension: int, precision: str) -> None:
        self.folder, self.part, self.rows = folder, part, part.rows
        # All are mapped now, as a compaction may remove the files.
        self._files = blocks_of(folder, part.files, part.sums)
        self.has_words = "words.off" in self._files
        rows = self._view("vectors.bin", PRECISIONS[precision], (self.rows, dimension))
        check = partial(self._files["vectors.bin"].check_rows, width=rows.itemsize * dimension)
        scales, errors = (
            self._whole(name, "<f4", (self.rows,)) for name in ("scales.bin", "errors.bin")
        )
        self.vectors = Stored(rows, scales, errors, check)
        names = ["texts", *(["words"] if self.has_words else [])]
        self.ids: IntArray | None = None
        if "ids.off" in self._files:
            names.append("ids")
        else:
            self.ids = self._whole("ids.bin", "<i8", (self.rows,))
        self._texts = {name: self._with_ends(name) for name in names}

    def _view(self, name: str, dtype: str, shape: tuple[int, ...] = (-1,)) -> AnyArray:
        if name not in self._files:
            raise FileNotFoundError(f"no file {str(self.folder / name)!r}")
        content = self._files[name].content
        try:
            return np.frombuffer(content, dtype).reshape(shape)
        except ValueError:
            raise AssetError(
                f"the index is damaged: {str(self.folder / name)!r} has {len(content)} bytes, "
                f"and no {self.rows} rows; build it again"
            ) from None

    def _whole(self, name: str, dtype: str, shape: tuple[int, ...] = (-1,)) -> AnyArray:
        """Return a file as an array, all of it checked."""
        found = self._view(name, dtype, shape)
        self._files[name].check()
        return found

    def _with_ends(self, name: str) -> tuple[AnyArray, Blocks]:
        ends = self._whole(f"{name}.off", "<u8", (self.rows + 1,))
        self._view(f"{name}.bin", "u1", (int(ends[-1]),))
        return ends, self._files[f"{name}.bin"]

    def bytes_of(self, name: str, row: int) -> bytes:
        """Return the bytes of a row in ``texts``, ``ids`` or ``words``."""
        ends, blocks = self._texts[name]
        start, end = ends[row : row + 2].tolist()
        blocks.check(start, end)
        return bytes(blocks.content[start:end])

    def text(self, row: int) -> str:
        """Return a row's text."""
        return self.bytes_of("texts", row).decode("utf-8", "surrogatepass")

    def id(self, row: int) -> Id:
        """Return a row's id."""
        if self.ids is not None:
            return int(self.ids[row])
        return self.bytes_of("ids", row).decode("utf-8", "surrogatepass")

    @cached_property
    def lemmas(self) -> AnyArray:
        """The lemmas that occur, by number, ascending."""
        return self._whole("lemmas.num", "<u4")

    @cached_property
    def _lemma_rows(self) -> tuple[AnyArray, AnyArray]:
        """The rows of all lemmas, and where those of each begin and end."""
        return self._whole("lemmas.row", "<u4"), self._whole("lemmas.off", "<u8")

    @cached_property
    def lemma_counts(self) -> IntArray:
        """The number of rows of each of :attr:`lemmas`."""
        ends = self._lemma_rows[1].astype(np.int64)
        return ends[1:] - ends[:-1]

    def rows_with(self, lemmas: IntArray) -> tuple[AnyArray, IntArray]:
        """Return the rows of lemmas, one lemma after the other, and the number of rows of each."""
        at = np.searchsorted(self.lemmas, lemmas)
        there = at < len(self.lemmas)
        there[there] = self.lemmas[at[there]] == lemmas[there]
        counts = np.zeros(len(lemmas), np.int64)
        counts[there] = self.lemma_counts[at[there]]
        rows, starts = self._lemma_rows
        spans = zip(starts[at[there]].tolist(), counts[there].tolist(), strict=True)
        parts = [rows[start : start + count] for start, count in spans]
        return np.concatenate([np.empty(0, "<u4"), *parts]), counts

    def occurrences(self) -> IntArray:
        """Return all pairs of a lemma and a row that contains it, (2, m)."""
        if not self.has_words:
            return np.empty((2, 0), np.int64)
        lemmas = np.repeat(self.lemmas, self.lemma_counts)
        return np.stack([lemmas, self._lemma_rows[0]]).astype(np.int64)
