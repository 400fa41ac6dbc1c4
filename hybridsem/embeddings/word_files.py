"""Files of word vectors: words with their numbers.

    text     GloVe, fastText .vec, word2vec text, Numberbatch: word number number ...; with or
             without a header "n d"
    binary   word2vec: header "n d", then word, space, d little-endian 32-bit floats

Format, header and gzip are detected from the content. A file with a header is binary if it has
bytes that no text has, unless each line ends in that many numbers. Of ConceptNet's words
(``/c/en/dog``) the English ones are read, as ``dog``. gensim does not read them, because it skips
duplicates and NaN and names no line.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.disk import missing_advice, reason
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem.errors import FormatError

CONCEPTS, ENGLISH = b"/c/", b"/c/en/"
SAMPLE = 1 << 20
CONTROLS = frozenset(range(9))  # characters that are not in text

GZIP = b"\x1f\x8b"
REFUSED = {
    b"PK\x03\x04": "this is a zip archive; unpack it and give the file in it",
    b"\x89HDF": "HDF5 is not read; write the words and their numbers as text, a word a line",
    b"\xba\x16\x4f\x2f": "this is a fastText model (.bin); give its word vectors (.vec), or "
    "gensim's load_facebook_vectors(FILE) as vectors=",
    b"\x80": "this is a pickle, as of gensim's save(); loading one can run any code, so it is not "
    "read. If you trust it, write KeyedVectors.load(FILE).save_word2vec_format(NEW, binary=True) "
    "and give that, or give the loaded vectors as vectors=",
}


Entry = tuple[bytes, Float32Array]
"""A word (UTF-8) and its numbers, (d,) float32."""


@wrap_read_errors
def entries(path: Path) -> Iterator[Entry]:
    """Yield the words of a file in order, all with the same number of finite numbers. Raises
    :class:`FormatError`, with the line in text, for a damaged, truncated or other file.
    """
    try:
        with path.open("rb") as stream:
            start = stream.read(8)
        for magic, why in REFUSED.items():
            if start.startswith(magic):
                raise FormatError(why, path)
        with gzip.open(path) if start.startswith(GZIP) else path.open("rb") as stream:
            yield from _text_or_binary(stream, path)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"the file is damaged or cut short ({error})", path) from None
    except OSError as error:
        raise FormatError(
            f"cannot be read ({reason(error)}){missing_advice(path, error)}", path
        ) from None


def _text_or_binary(stream: BinaryIO | gzip.GzipFile, path: Path) -> Iterator[Entry]:
    first = stream.readline(SAMPLE)
    if len(first) == SAMPLE:
        why = f"not a file of word vectors: its first line has more than {SAMPLE} bytes"
        raise FormatError(why, path, 1)
    header = _header(first)
    rest = stream.read(SAMPLE) if header else b""
    stream.seek(0)
    is_binary = header is not None and _is_binary(rest, header[1])
    yield from (_binary if is_binary else _text)(stream, path)


def _header(line: bytes) -> tuple[int, int] | None:
    """Return the numbers of words and dimensions, if a line has these."""
    tokens = line.split()
    if len(tokens) != 2 or not all(token.isdigit() and len(token) < 19 for token in tokens):
        return None
    return int(tokens[0]), int(tokens[1])


def _is_binary(rest: bytes, d: int) -> bool:
    """Test if the first bytes after a header are binary."""
    lines = rest.split(b"\n")
    whole = (line.rstrip().replace(b"\t", b" ") for line in lines[:-1] or lines)
    return bool(set(rest) & CONTROLS) and any(_trailing_numbers(line) < d for line in whole)


def _text(stream: BinaryIO | gzip.GzipFile, path: Path) -> Iterator[Entry]:
    header: tuple[int, int] | None = None
    d, read, kept, concepts = 0, 0, 0, False
    for number, line in enumerate(stream, start=1):
        line = line.rstrip(b" \t\r\n").replace(b"\t", b" ")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
            header = _header(line)
            if header:
                d = header[1]
                continue
            d = _trailing_numbers(line)
        if d < 1:
            raise FormatError(f"expected a word and its numbers, got {line[:60]!r}", path, number)
        read += 1
        concepts = line.startswith(CONCEPTS) if read == 1 else concepts
        if concepts:
            if not line.startswith(ENGLISH):
                continue
            line = line.removeprefix(ENGLISH)
        word, row = _word_and_row(line, d, path, number)
        kept += 1
        yield word, row
    if header and read != header[0]:
        raise FormatError(f"the header has {header[0]} words, and the file {read}", path, 1)
    if not kept:
        raise FormatError("the file has no " + ("English " if read else "") + "words", path)


def _word_and_row(line: bytes, d: int, path: Path, number: int) -> tuple[bytes, Float32Array]:
    word, _, rest = line.partition(b" ")
    row = _numbers(rest)
    if row is None or len(row) != d:
        # A word may contain blanks: the numbers are the last d tokens, if no other is a number.
        parts = line.rsplit(b" ", d)
        if len(parts) != d + 1 or _trailing_numbers(parts[0]):
            found = len(rest.split()) if row is None else len(row)
            raise FormatError(
                f"expected a word and {d} numbers, got {found}: {line[:60]!r}", path, number
            )
        word, row = parts[0], _numbers(b" ".join(parts[1:]))
    if row is None or len(row) != d:
        row = np.full(1, np.nan, np.float32)
    if not word:
        raise FormatError("the line begins with a blank instead of a word", path, number)
    _check(word, row, path, number)
    return word, row


def _check(word: bytes, row: Float32Array, path: Path, line: int | None = None) -> None:
    if not np.isfinite(row).all():
        raise FormatError(
            f"the vector of {word[:60]!r} has something other than finite numbers", path, line
        )
    try:
        word.decode()
    except UnicodeDecodeError:
        raise FormatError(f"the word {word[:60]!r} is not UTF-8", path, line) from None


def _numbers(text: bytes) -> Float32Array | None:
    """Parse numbers separated by blanks; None for anything else."""
    try:
        return np.fromstring(text, np.float32, sep=" ") if text else None
    except ValueError:
        return None


def _trailing_numbers(line: bytes) -> int:
    """Count the numbers at the end of a line, after its first token."""
    count = 0
    for token in reversed(line.split(b" ")[1:]):
        try:
            float(token)
        except ValueError:
            break
        count += 1
    return count


def _binary(stream: BinaryIO | gzip.GzipFile, path: Path) -> Iterator[Entry]:
    words, d = map(int, stream.readline().split())
    concepts = False
    for number in range(words):
        word = bytearray()
        while (sign := stream.read(1)) not in (b" ", b""):
            word += sign
        content = stream.read(4 * d)
        if len(content) < 4 * d:
            raise FormatError(f"cut short in word {number + 1} of {words}", path)
        row, name = np.frombuffer(content, "<f4").astype(np.float32), bytes(word).lstrip(b"\n")
        _check(name, row, path)
        concepts = name.startswith(CONCEPTS) if number == 0 else concepts
        if not concepts or name.startswith(ENGLISH):
            yield name.removeprefix(ENGLISH) if concepts else name, row
    if stream.read(2) not in (b"", b"\n"):
        raise FormatError(f"the file continues after the {words} words of its header", path)
