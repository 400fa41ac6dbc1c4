"""Vectors from a file, made by whatever system: ``precomputed:FILE`` is an encoder and a model.

    .npy       an (n, d) array, which stays on disk; its n texts one a line in a text file beside
               it (the same name, .txt)
    .npz       arrays ``vectors`` and ``texts`` (or the text file)
    .h5        datasets ``vectors`` and ``texts`` (or the text file); they stay on disk where they
               are stored in one piece
    .parquet   columns ``vector`` and ``text``

The singular, the plural, and ``embedding``, ``sentence`` for ``vector``, ``text`` will do. A text
is found whatever its white space is.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import AnyArray, Float32Array
from hybridsem._utils.disk import missing_advice
from hybridsem._utils.doors import check_memory
from hybridsem._utils.extras import extra
from hybridsem._utils.file_rows import FileRows, npy_rows
from hybridsem._utils.hdf5 import read_hdf5
from hybridsem._utils.lines import LineReader
from hybridsem._utils.validation import check_sentences
from hybridsem.errors import FormatError, HybridSemError, InputError
from hybridsem.tables.arrow_memory import parquet_batches
from hybridsem.tables.arrow_text import pieces

__all__ = ["OPTIONS", "PrecomputedEncoder"]

OPTIONS = ("texts",)
"""What may be written after the file: ``precomputed:vectors.npy,texts=sentences.txt``."""

VECTORS = ("vectors", "vector", "embeddings", "embedding")
TEXTS = ("texts", "text", "sentences", "sentence")


class PrecomputedEncoder:
    """The vectors that a file has for its texts, as they are there; it is read on first use.
    ``file``: ``.npy``, ``.npz``, ``.h5`` or ``.parquet``, as above; ``texts``: a text file with a
    text a line for each row, in place of what the file itself says. Raises :class:`InputError` (a
    file of another format, or (on encoding) a sentence that it does not have), :class:`FormatError`
    (a file that is damaged, whose vectors are no (n, d) numbers, that has not a text for each, or
    two vectors for one text).
    """

    def __init__(self, file: str | Path, texts: str | Path | None = None) -> None:
        self.file = Path(file)
        self.texts = None if texts is None else Path(texts)
        if self.file.suffix.lower() not in READERS:
            raise InputError(
                f"vectors are read from {', '.join(READERS)} files, got {str(file)!r}; give "
                "the file its right ending"
            )

    @classmethod
    def from_options(cls, file: str, options: Mapping[str, str]) -> PrecomputedEncoder:
        """The encoder written ``precomputed:FILE,texts=FILE``."""
        return cls(file, **options)

    def __repr__(self) -> str:
        return f"PrecomputedEncoder({str(self.file)!r})"

    @property
    def dimension(self) -> int:
        """The length of the vectors."""
        return int(self._table[0].shape[1])

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """The vectors of the sentences. ``sentences``: n texts, whatever their white space. Returns
        (n, d) float32.
        """
        texts = check_sentences(sentences)
        vectors, rows = self._table
        missing = [text for text in dict.fromkeys(texts) if _key(text) not in rows]
        if missing:
            more = f" (nor for {len(missing) - 1} other sentences)" if len(missing) > 1 else ""
            raise InputError(
                f"{self.file} has no vector for {missing[0]!r:.200}{more}; it has {len(rows)} texts"
            )
        # What float32 cannot hold becomes infinite, and is refused as such.
        with np.errstate(over="ignore"):
            found = np.asarray(vectors[[rows[_key(text)] for text in texts]], np.float32)
        finite = np.isfinite(found).all(axis=1)
        if not finite.all():
            text = texts[int(finite.argmin())]
            raise FormatError(
                f"the vector of {text!r:.200} is not finite", self.file, rows[_key(text)] + 1
            )
        return found

    @cached_property
    def _table(self) -> tuple[AnyArray | FileRows, Mapping[str, int]]:
        """The vectors as they are stored, and the row of each text."""
        try:
            vectors, texts = READERS[self.file.suffix.lower()](self.file)
        except FileNotFoundError as error:
            raise InputError(
                f"cannot read the vectors, got {str(self.file)!r}: no such file"
                f"{missing_advice(self.file, error)}"
            ) from None
        except HybridSemError:
            raise
        except Exception as error:  # whatever a library makes of a damaged file
            raise FormatError(
                f"no {self.file.suffix} file of vectors: {error}", self.file
            ) from error
        if vectors.ndim != 2 or vectors.dtype.kind not in "fiu" or not vectors.size:
            raise FormatError(
                f"vectors must be an (n, d) array of numbers, got {vectors.dtype} of shape "
                f"{vectors.shape}",
                self.file,
            )
        beside = self.texts or self.file.with_suffix(".txt")
        if self.texts is not None or texts is None:
            if not beside.exists():
                raise InputError(
                    f"{self.file} does not say which texts its vectors are of, and {beside} is "
                    "not there; write them "
                    "one a line into it, or name the file: precomputed:FILE,texts=FILE"
                )
            texts = [line for _, line in LineReader(beside)]
        if len(texts) != len(vectors):
            raise FormatError(
                f"{len(vectors)} vectors and {len(texts)} texts; there must be one for each",
                self.file,
            )
        return vectors, self._rows(texts, vectors)

    def _rows(self, texts: Iterable[str], vectors: AnyArray | FileRows) -> dict[str, int]:
        rows: dict[str, int] = {}
        for row, text in enumerate(texts):
            first = rows.setdefault(_key(text), row)
            if first != row and not np.array_equal(vectors[first], vectors[row]):
                raise FormatError(
                    f"{text!r:.200} has another vector than in row {first + 1}", self.file, row + 1
                )
        return rows


def _key(text: str) -> str:
    return " ".join(text.split())


def _one_of(names: Sequence[str], there: Iterable[str]) -> str | None:
    there = set(there)
    return next((name for name in names if name in there), None)


def _needed(names: Sequence[str], there: Iterable[str], file: Path) -> str:
    there = list(there)
    if (found := _one_of(names, there)) is None:
        raise _lacking(names, there, file)
    return found


def _lacking(names: Sequence[str], there: Iterable[str], file: Path) -> FormatError:
    return FormatError(f"nothing in it is called {' or '.join(names)}, got {sorted(there)!r}", file)


def _npy(file: Path) -> tuple[AnyArray | FileRows, Sequence[str] | None]:
    if zipfile.is_zipfile(file):
        raise FormatError("an .npz file; give it that ending", file)
    return npy_rows(file), None


def _npz(file: Path) -> tuple[AnyArray, Sequence[str] | None]:
    with zipfile.ZipFile(file) as packed:
        check_memory(sum(each.file_size for each in packed.infolist()), "its arrays", file)
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
        texts = _one_of(TEXTS, arrays.files)
        vectors: AnyArray = arrays[_needed(VECTORS, arrays.files, file)]
        return vectors, None if texts is None else _strings(arrays[texts], file)


def _strings(texts: AnyArray, file: Path) -> list[str]:
    if texts.dtype.kind != "U":
        raise FormatError(
            f"texts must be an array of strings (np.array(texts, dtype=str)), got {texts.dtype}",
            file,
        )
    return [str(text) for text in texts.ravel()]


def _h5(file: Path) -> tuple[AnyArray | FileRows, Sequence[str] | None]:
    names, (vectors, texts) = read_hdf5(file, (VECTORS, TEXTS))
    if vectors is None:
        raise _lacking(VECTORS, names, file)
    if isinstance(vectors, dict):
        raise FormatError("vectors must be a data set, and it is a group", file)
    if isinstance(vectors, list):
        raise FormatError("vectors must be an (n, d) array of numbers, got texts", file)
    if texts is not None:
        if not isinstance(texts, list):
            raise FormatError("texts must be a data set of strings", file)
        for row, text in enumerate(texts, 1):
            if any("\udc80" <= sign <= "\udcff" for sign in text):
                raise FormatError(f"a text is not UTF-8, got {text!r:.80}", file, row, "row")
    return vectors, texts


def _parquet(file: Path) -> tuple[AnyArray, Sequence[str] | None]:
    with extra("pyarrow", "files"):
        import pyarrow.compute
        import pyarrow.parquet
        from pyarrow import types
    try:
        names = pyarrow.parquet.read_schema(file).names
    except UnicodeDecodeError as error:
        raise FormatError(
            f"the name of a column is not UTF-8: {error.object!r:.80}", file
        ) from error
    vector, text = _needed(VECTORS, names, file), _needed(TEXTS, names, file)
    parts: list[Any] = []
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
    kind = column.type
    if not any(
        check(kind) for check in (types.is_list, types.is_large_list, types.is_fixed_size_list)
    ):
        raise FormatError(f"the column {vector!r} must hold lists of numbers, got {kind}", file)
    lengths = pyarrow.compute.list_value_length(column).unique().to_pylist()
    if len(lengths) != 1 or None in lengths:
        raise FormatError(f"vectors of several lengths, got {sorted(map(str, lengths))!r}", file)
    if any(not isinstance(each, str) for each in texts):
        raise FormatError("a text is missing or no string", file)
    values = column.flatten().to_numpy(zero_copy_only=False)
    return values.reshape(len(column), -1) if values.size else np.empty((len(column), 0)), texts


READERS: Mapping[str, Callable[[Path], tuple[AnyArray | FileRows, Sequence[str] | None]]] = {
    ".npy": _npy,
    ".npz": _npz,
    ".h5": _h5,
    ".hdf5": _h5,
    ".parquet": _parquet,
}
