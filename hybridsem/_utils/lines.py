"""Numbered lines of a text file or of standard input, with errors that name the line."""

from __future__ import annotations

import codecs
import csv
import io
import json
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, cast

from hybridsem._utils.disk import unreadable
from hybridsem._utils.doors import read_bytes, reading, spare_memory
from hybridsem._utils.extras import extra
from hybridsem.errors import FormatError, InputError

LINE_LIMIT = 1 << 24  # bytes; keeps memory flat on a file that has no line ends
JSON_LIMIT = 1 << 32  # a JSON file may be one line, and is held in memory anyway
BOM = b"\xef\xbb\xbf"
UTF8 = "utf-8"
PACKED = (".gz", ".zst")


def plain_suffix(path: str | Path) -> str:
    """The extension of the format in lower case, without a ``.gz`` or ``.zst`` that follows."""
    name = Path(path)
    return (Path(name.stem) if name.suffix.lower() in PACKED else name).suffix.lower()


class LineReader:
    """An iterable over (number, line), counted from 1, without line ends; ``-`` is standard input.

    ``.gz`` and ``.zst`` are unpacked. Raises :class:`InputError` where the file cannot be opened
    and :class:`FormatError` for a line that is no text of the ``encoding``, UTF-8 if None; with
    ``keep`` such a line is given, undecodable bytes as surrogates, and ``problems`` holds what is
    wrong by line number, until :meth:`problem` takes it.

    Args:
        path: The file.
        keep: Whether undecodable lines are given.
        limit: The most bytes of a line; None: :data:`LINE_LIMIT`.
        encoding: A name that Python knows; None where whoever asks cannot name another.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        keep: bool = False,
        limit: int | None = None,
        encoding: str | None = None,
    ) -> None:
        self.encoding = self._of_lines = checked_encoding(encoding or UTF8)
        self._can_name_another = encoding is not None
        self.path = Path(path)
        self.name = "standard input" if str(path) == "-" else str(path)
        self.keep, self.limit = keep, limit or LINE_LIMIT
        self.number = 0
        self.problems: dict[int, str] = {}
        self.size: int | None = None
        self._read = 0
        self._packed: IO[bytes] | None = None

    @property
    def progress(self) -> tuple[int, int | None]:
        """Bytes of the file that have been read, before unpacking, and of all of it if known."""
        return self._read if self._packed is None else self._packed.tell(), self.size

    def problem(self) -> str:
        """Take what is wrong with the lines that were read last."""
        what = next(iter(self.problems.values()))
        self.problems.clear()
        return what

    def __iter__(self) -> Iterator[tuple[int, str]]:
        self._read = self.number = 0
        self._of_lines = self.encoding
        self.problems.clear()
        try:
            with self._open() as readline:
                number, utf8 = 0, self._of_lines == UTF8
                for raw in self._raw(readline):
                    self.number = number = number + 1
                    self._read += len(raw)
                    plain = utf8 and number > 1 and b"\0" not in raw  # nearly always
                    try:
                        text = raw.decode() if plain else self._text(raw)
                    except UnicodeDecodeError:
                        text, plain = self._text(raw), False
                    yield number, text.removesuffix("\n").removesuffix("\r") if plain else text
        finally:  # not all may have been asked for
            self._packed = None

    @contextmanager
    def _open(self) -> Iterator[Callable[[int], bytes]]:
        """A function that reads a line of at most so many bytes."""
        with ExitStack() as stack:
            if str(self.path) == "-":
                stream = standard_input()
            else:
                try:
                    stream = stack.enter_context(self.path.open("rb"))
                except (OSError, ValueError) as error:  # ValueError: a NUL in the name
                    raise unreadable(self.path, error) from error
                self.size = self.path.stat().st_size if self.path.is_file() else None
                if self.path.suffix.lower() in PACKED:
                    self._packed = stream
                    stream = stack.enter_context(unpacked(stream, self.path))
            if "\n".encode(self.encoding) == b"\n":
                yield stream.readline
                return
            # Bytes do not show where lines end, as in UTF-16.
            self._of_lines = UTF8
            text = io.TextIOWrapper(stream, self.encoding, newline="\n")
            stack.callback(text.detach)
            yield lambda limit: text.readline(limit).encode("utf-8", "surrogatepass")

    def _raw(self, readline: Callable[[int], bytes]) -> Iterator[bytes]:
        """The lines with their ends."""
        limit = self.limit
        while True:
            try:
                raw = readline(limit + 1)
            except UnicodeDecodeError as error:
                raise FormatError(
                    f"not {error.encoding}: {error.reason}, near this line",
                    self.name,
                    self.number + 1,
                ) from None
            except (
                Exception
            ) as error:  # a damaged .gz raises OSError, EOFError or zlib.error; a .zst its own
                raise FormatError(
                    f"cannot be read on: {error}", self.name, self.number + 1
                ) from error
            if len(raw) > limit:
                raise FormatError(
                    f"longer than {limit >> 20} MiB; is this a text file?",
                    self.name,
                    self.number + 1,
                )
            if not raw:
                return
            yield raw

    def _text(self, raw: bytes) -> str:
        if self.number == 1 and self._of_lines == UTF8:
            # Without a byte order mark, every other byte of ASCII text in UTF-16 is 0.
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or (
                b"\0" in raw and raw.count(0) >= (len(raw) - 1) // 2
            ):
                advice = self._advice("utf-16")
                raise FormatError(f"UTF-16 text; save the file as UTF-8{advice}", self.name, 1)
            raw = raw.removeprefix(BOM)
        raw = raw.removesuffix(b"\n").removesuffix(b"\r")
        if b"\0" in raw:
            self._problem(
                f"a NUL character (byte {raw.index(0) + 1} of the line); is this a text file?"
            )
        try:
            return raw.decode(self._of_lines)
        except UnicodeDecodeError as error:
            what = "UTF-8" if self.encoding == UTF8 else self.encoding
            self._problem(
                f"not {what}: byte {error.start + 1} of the line is 0x{raw[error.start]:02x}; "
                "save the file as UTF-8 (iconv -f cp1252 -t utf-8 converts what Windows wrote)"
                + self._advice("cp1252")
            )
            return raw.decode(self._of_lines, errors="surrogateescape")

    def _advice(self, example: str) -> str:
        """That another encoding can be named, where that is so."""
        named = f" or name its encoding with encoding= (--encoding {example})"
        return named if self._can_name_another else ""

    def _problem(self, what: str) -> None:
        if not self.keep:
            raise FormatError(what, self.name, self.number)
        self.problems.setdefault(self.number, what)


def checked_encoding(name: str) -> str:
    """The encoding's usual name; :class:`InputError` for one that Python does not know, or that is
    none of text.
    """
    try:
        "".encode(name)
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        raise InputError(
            f"unknown encoding, got {name!r:.40}; known are utf-8, utf-16, cp1252, latin-1 and "
            "what else Python's codecs can"
        ) from None
    return UTF8 if found == "utf-8-sig" else found


def standard_input() -> IO[bytes]:
    """The bytes of standard input; :class:`InputError` where it is closed."""
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("standard input is closed (`<&-`); give a file")
    return sys.stdin.buffer


def read_toml(path: str | Path, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The content of a TOML file; :class:`FormatError` where it is none."""
    with reading(path):
        try:
            return tomllib.loads(read_bytes(path).decode(), parse_float=parse_float)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise FormatError(f"not TOML: {error}", path) from None


def read_json(path: str | Path) -> Any:
    """The content of a JSON file; raises as :class:`LineReader`, or :class:`FormatError`."""
    reader = LineReader(path, limit=min(JSON_LIMIT, spare_memory()))
    text = "\n".join(line for _, line in reader)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"not JSON: {error.msg} (column {error.colno})", reader.name, error.lineno
        ) from None
    except (
        ValueError,
        RecursionError,
    ) as error:  # a number of thousands of digits, a thousand lists in each other
        raise FormatError(f"not JSON that can be read: {error}", reader.name) from None


def next_record(rows: Iterator[list[str]]) -> list[str] | None:
    """The next record of a ``csv.reader``, None at the end; a field may be LINE_LIMIT long.

    The library's own limit is for the whole process, so it is put back at once. Raises
    ``csv.Error``.
    """
    limit = csv.field_size_limit(LINE_LIMIT)
    try:
        return next(rows, None)
    finally:
        csv.field_size_limit(limit)


def json_object(line: str) -> tuple[dict[str, Any], str | None]:
    """The JSON object in a line, or nothing and what is wrong."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {}, f"not valid JSON: {error}"
    if not isinstance(record, dict):
        return {}, f"expected a JSON object in each line, got {line[:60]!r}"
    return record, None


@contextmanager
def unpacked(raw: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    """A stream of what a ``.gz`` or ``.zst`` file holds."""
    if path.suffix.lower() == ".gz":
        import gzip

        with gzip.GzipFile(fileobj=raw) as stream:
            yield cast(IO[bytes], stream)
        return
    arrow = pyarrow("reads and writes .zst files")
    yield io.BufferedReader(arrow.CompressedInputStream(arrow.PythonFile(raw), "zstd"))


def pyarrow(purpose: str) -> Any:
    """The library ``pyarrow``, or the error that says how to get it."""
    with extra(f"pyarrow, which {purpose},", "files"):
        import pyarrow as library
    return library
