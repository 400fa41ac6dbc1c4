"""Vectors from a file, computed by any system: ``precomputed:FILE`` is an encoder and a model.

    .npy       an (n, d) array, which stays on disk; the texts are in a text file with the same
               name (.txt), one a line
    .npz       arrays ``vectors`` and ``texts`` (or the text file)
    .parquet   columns ``vector`` and ``text``

Singular and plural, ``embedding`` and ``sentence`` are accepted too. White space in texts does not
count.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hybridsem._typing import AnyArray, Float32Array
from hybridsem._utils.contents import Stamp, stamp_of
from hybridsem._utils.disk import missing_advice
from hybridsem._utils.extras import extra
from hybridsem._utils.lines import LineReader
from hybridsem._utils.safe_read import check_memory
from hybridsem._utils.validation import check_sentences
from hybridsem.errors import FormatError, HybridSemError, InputError
from hybridsem.tables.arrow import parquet_batches, pieces

if TYPE_CHECKING:
    import pyarrow

OPTIONS = {"texts": str}
"""The options after the file: ``precomputed:vectors.npy,texts=sentences.txt``."""

Table = tuple[AnyArray, Sequence[str] | None]
VECTORS = ("vectors", "vector", "embeddings", "embedding")
TEXTS = ("texts", "text", "sentences", "sentence")


class PrecomputedEncoder:
    """The vectors that a file has for its texts; it is read on first use. ``file`` is in one of the
    formats above; ``texts`` is a text file with a line for each row, in place of the file's own
    texts. Raises :class:`InputError` for another format, and by ``encode`` for an unknown sentence;
    :class:`FormatError` for a damaged file, vectors that are not (n, d) numbers, missing texts, and
    different vectors for one text.
    """

    def __init__(self, file: str | Path, texts: str | Path | None = None) -> None:
        self.file = Path(file)
        self.texts = None if texts is None else Path(texts)
        if self.file.suffix.lower() not in READERS:
            raise InputError(
                f"vectors are read from {', '.join(READERS)} files, got {str(file)!r}; rename the "
                "file if it is one of these"
            )

    @property
    def dimension(self) -> int:
        """The length of the vectors."""
        return int(self._table[0].shape[1])

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Return the vectors of the sentences, (n, d) float32."""
        texts = check_sentences(sentences)
        vectors, rows, stamp = self._table
        if isinstance(vectors, np.memmap) and _stamp(self.file) != stamp:
            raise FormatError("the file has changed since it was opened", self.file)
        missing = [text for text in dict.fromkeys(texts) if _key(text) not in rows]
        if missing:
            more = f" (nor for {len(missing) - 1} other sentences)" if len(missing) > 1 else ""
            raise InputError(
                f"{self.file} has no vector for {missing[0]!r:.200}{more}; it has {len(rows)} texts"
            )
        # what float32 cannot hold becomes infinite, and is refused
        with np.errstate(over="ignore"):
            found = np.asarray(vectors[[rows[_key(text)] for text in texts]], np.float32)
        finite = np.isfinite(found).all(axis=1)
        if not finite.all():
            text = texts[int(finite.argmin())]
            why = f"the vector of {text!r:.200} is not finite"
            raise FormatError(why, self.file, rows[_key(text)] + 1)
        return found

    @cached_property
    def _table(self) -> tuple[AnyArray, Mapping[str, int], Stamp]:
        """The stored vectors, the row of each text, and the file's stamp."""
        stamp = _stamp(self.file)
        try:
            vectors, texts = READERS[self.file.suffix.lower()](self.file)
        except FileNotFoundError as error:
            raise InputError(
                f"cannot read the vectors, got {str(self.file)!r}: no such file"
                f"{missing_advice(self.file, error)}"
            ) from None
        except HybridSemError:
            raise
        except Exception as error:  # a library may raise anything
            why = f"not a {self.file.suffix} file of vectors: {error}"
            raise FormatError(why, self.file) from error
        if vectors.ndim != 2 or vectors.dtype.kind not in "fiu" or not vectors.size:
            given = f"{vectors.dtype} of shape {vectors.shape}"
            raise FormatError(f"vectors must be an (n, d) array of numbers, got {given}", self.file)
        beside = self.texts or self.file.with_suffix(".txt")
        if self.texts is not None or texts is None:
            if not beside.exists():
                raise InputError(
                    f"{self.file} has no texts, and there is no file {beside}; write the texts "
                    "there, one a line, or name their file: precomputed:FILE,texts=FILE"
                )
            texts = [line for _, line in LineReader(beside)]
        if len(texts) != len(vectors):
            counts = f"{len(vectors)} vectors and {len(texts)} texts"
            raise FormatError(f"{counts}; each vector needs a text", self.file)
        return vectors, self._rows(texts, vectors), stamp

    def _rows(self, texts: Iterable[str], vectors: AnyArray) -> dict[str, int]:
        rows: dict[str, int] = {}
        for row, text in enumerate(texts):
            first = rows.setdefault(_key(text), row)
            if first != row and not np.array_equal(vectors[first], vectors[row]):
                why = f"{text!r:.200} has different vectors here and in row {first + 1}"
                raise FormatError(why, self.file, row + 1)
        return rows


def _stamp(file: Path) -> Stamp:
    """Return a file's device, inode, size and time of writing; nothing if it does not exist."""
    return (stamp_of(file) or ())[:4]


def _key(text: str) -> str:
    return " ".join(text.split())


def _find(names: Sequence[str], present: Iterable[str], file: Path) -> str:
    """Return the first of the names that is present; :class:`FormatError` without any."""
    present = sorted(present)
    for name in names:
        if name in present:
            return name
    raise FormatError(f"there is no {' or '.join(names)}, got {present!r}", file)


def _npy(file: Path) -> Table:
    if zipfile.is_zipfile(file):
        raise FormatError("this is an .npz file; rename it", file)
    vectors: AnyArray = np.load(file, mmap_mode="r", allow_pickle=False)
    return vectors, None


def _npz(file: Path) -> Table:
    with zipfile.ZipFile(file) as packed:
        check_memory(sum(each.file_size for each in packed.infolist()), "its arrays", file)
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
        vectors: AnyArray = arrays[_find(VECTORS, arrays.files, file)]
        names = [name for name in TEXTS if name in arrays.files]
        return vectors, _strings(arrays[names[0]], file) if names else None


def _strings(texts: AnyArray, file: Path) -> list[str]:
    if texts.dtype.kind != "U":
        wanted = "an array of strings (np.array(texts, dtype=str))"
        raise FormatError(f"texts must be {wanted}, got {texts.dtype}", file)
    return [str(text) for text in texts.ravel()]


def _parquet(file: Path) -> Table:
    with extra("pyarrow", "files"):
        import pyarrow.compute
        import pyarrow.parquet
        from pyarrow import types
    try:
        names = pyarrow.parquet.read_schema(file).names
    except UnicodeDecodeError as error:
        why = f"the name of a column is not UTF-8: {error.object!r:.80}"
        raise FormatError(why, file) from error
    vector, text = _find(VECTORS, names, file), _find(TEXTS, names, file)
    parts: list[pyarrow.RecordBatch] = []
    held = 0
    with pyarrow.parquet.ParquetFile(file) as opened:
        for batch in parquet_batches(file, opened, [vector, text]):
            for part, problems in pieces(batch, file):
                for row, why in problems.items():
                    raise FormatError(why, file, sum(map(len, parts)) + row + 1, "row")
                held += part.nbytes
                check_memory(held, "its arrays", file)
                parts.append(part)
    if not parts:
        raise FormatError("it has no rows", file)
    table = pyarrow.Table.from_batches(parts)
    column, texts = table[vector].combine_chunks(), table[text].to_pylist()
    lists = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    if not any(is_kind(column.type) for is_kind in lists):
        raise FormatError(f"the column {vector!r} must hold lists, got {column.type}", file)
    lengths = pyarrow.compute.list_value_length(column).unique().to_pylist()
    if len(lengths) != 1 or None in lengths:
        raise FormatError(f"vectors of several lengths, got {sorted(map(str, lengths))!r}", file)
    if any(not isinstance(each, str) for each in texts):
        raise FormatError("a text is missing or not a string", file)
    values = column.flatten().to_numpy(zero_copy_only=False)
    return values.reshape(len(column), -1) if values.size else np.empty((len(column), 0)), texts


READERS: Mapping[str, Callable[[Path], Table]] = {".npy": _npy, ".npz": _npz, ".parquet": _parquet}
