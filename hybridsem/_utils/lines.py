"""Read text files and standard input by numbered lines, with errors that name the line."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import sys
import tomllib
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import IO, Any, cast

from hybridsem._utils.disk import unreadable
from hybridsem._utils.extras import extra
from hybridsem._utils.safe_read import read_bytes, reading, spare_memory
from hybridsem.errors import FormatError, InputError

LINE_LIMIT = 1 << 24  # bytes; keeps memory flat for a file without line ends
JSON_LIMIT = 1 << 32  # a JSON file may be one line
UTF8 = "utf-8"
UTF16 = ("\udcff\udcfe", "\udcfe\udcff")
"""The byte order marks of UTF-16, read as UTF-8."""
_UNDECODED = re.compile("[\udc80-\udcff]")
COMPRESSED = (".gz", ".zst")


def plain_suffix(path: str | Path) -> str:
    """Return the extension of the format in lower case, ignoring a final ``.gz`` or ``.zst``."""
    name = Path(path)
    return (Path(name.stem) if name.suffix.lower() in COMPRESSED else name).suffix.lower()


class LineReader:
    """Iterates over (number, line), from 1, without line ends; ``-`` is standard input. ``.gz`` and
    ``.zst`` are unpacked. Raises :class:`InputError` if the file cannot be opened, and
    :class:`FormatError` for an undecodable line. With ``keep`` such lines have surrogates, and
    :meth:`problem` returns their faults. Without ``encoding``, it is UTF-8, and the user cannot
    choose another. Close an iterator that a variable holds: a traceback keeps its file open.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        keep: bool = False,
        limit: int | None = None,
        encoding: str | None = None,
    ) -> None:
        self.encoding = checked_encoding(encoding or UTF8)
        self._has_option = encoding is not None
        self.path = Path(path)
        self.name = "standard input" if str(path) == "-" else str(path)
        self.keep, self.limit = keep, limit or LINE_LIMIT
        self.number = 0
        self.problems: dict[int, str] = {}
        self.size: int | None = None
        self._read = 0
        self._raw: IO[bytes] | None = None

    @property
    def progress(self) -> tuple[int, int | None]:
        """The bytes read, before unpacking, and the file's size if known."""
        if self._raw is not None:
            with suppress(OSError):  # a pipe
                self._read = self._raw.tell()
        return self._read, self.size

    def problem(self) -> str:
        """Return the fault of the lines read last, and forget it."""
        what = next(iter(self.problems.values()))
        self.problems.clear()
        return what

    def __iter__(self) -> Generator[tuple[int, str], None, None]:
        self._read = self.number = 0
        self.problems.clear()
        try:
            with self._open() as stream:
                while line := self._line(stream):
                    self.number += 1
                    if self.number == 1 and self.encoding == UTF8:
                        zeros = line.count("\0")  # every other byte of ASCII text
                        if line.startswith(UTF16) or (zeros and zeros >= (len(line) - 1) // 2):
                            message = f"UTF-16 text; save the file as UTF-8{self._advice('utf-16')}"
                            raise FormatError(message, self.name, 1)
                    if "\0" in line or not line.isascii():
                        self._check(line)
                    yield self.number, line.removesuffix("\n").removesuffix("\r")
                self._read = self.progress[0]
        finally:  # the caller may stop early
            self._raw = None

    @contextmanager
    def _open(self) -> Iterator[IO[str]]:
        """Yield the text; undecodable bytes are surrogates."""
        with ExitStack() as stack:
            if str(self.path) == "-":
                self._raw = stream = standard_input()
            else:
                try:
                    self._raw = stream = stack.enter_context(self.path.open("rb"))
                except (OSError, ValueError) as error:  # ValueError: a NUL in the name
                    raise unreadable(self.path, error) from error
                self.size = self.path.stat().st_size if self.path.is_file() else None
                if self.path.suffix.lower() in COMPRESSED:
                    stream = stack.enter_context(unpacked(stream, self.path))
            encoding = "utf-8-sig" if self.encoding == UTF8 else self.encoding
            text = io.TextIOWrapper(stream, encoding, "surrogateescape", newline="\n")
            try:
                yield text
            finally:
                if not stream.closed:
                    text.detach()  # standard input stays open

    def _line(self, stream: IO[str]) -> str:
        """Return the next line with its end, "" at the end."""
        name, following = self.name, self.number + 1
        try:
            line = stream.readline(self.limit + 1)
        except UnicodeDecodeError as error:
            message = f"not {error.encoding}: {error.reason}, near this line"
            raise FormatError(message, name, following) from None
        except Exception as error:  # damaged .gz and .zst files raise errors of many types
            raise FormatError(f"cannot be read further: {error}", name, following) from error
        if len(line) > self.limit:
            message = f"longer than {self.limit >> 20} MiB; is this a text file?"
            raise FormatError(message, name, following)
        return line

    def _check(self, line: str) -> None:
        """Note a NUL character, and bytes that are no text."""
        if "\0" in line:
            at = self._byte(line.index("\0"), line)
            self._problem(f"a NUL character (byte {at} of the line); is this a text file?")
        if bad := _UNDECODED.search(line):
            what = "UTF-8" if self.encoding == UTF8 else self.encoding
            self._problem(
                f"not {what}: byte {self._byte(bad.start(), line)} of the line is "
                f"0x{ord(bad[0]) & 0xFF:02x}; save the file as UTF-8 (iconv -f cp1252 -t utf-8 "
                f"converts what Windows wrote){self._advice('cp1252')}"
            )

    def _byte(self, at: int, line: str) -> int:
        """Return the number of a character's first byte, from 1."""
        return len(line[:at].encode(self.encoding, "surrogateescape")) + 1

    def _advice(self, example: str) -> str:
        """Return advice to name the encoding, if the user can."""
        advice = f" or name its encoding with encoding= (--encoding {example})"
        return advice if self._has_option else ""

    def _problem(self, what: str) -> None:
        if not self.keep:
            raise FormatError(what, self.name, self.number)
        self.problems.setdefault(self.number, what)


def checked_encoding(name: str) -> str:
    """Return an encoding's usual name; :class:`InputError` if Python has no such text encoding."""
    try:
        "".encode(name)
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        raise InputError(
            f"unknown encoding, got {name!r:.40}; known are utf-8, utf-16, cp1252, latin-1 and "
            "Python's other codecs"
        ) from None
    return UTF8 if found == "utf-8-sig" else found


def standard_input() -> IO[bytes]:
    """Return the bytes of standard input; raise :class:`InputError` if it is closed."""
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("standard input is closed (`<&-`); give a file")
    return sys.stdin.buffer


def read_toml(path: str | Path, parse_float: Callable[[str], object] = float) -> dict[str, Any]:
    """Read a TOML file; raise :class:`FormatError` if it is not TOML."""
    with reading(path):
        try:
            return tomllib.loads(read_bytes(path).decode(), parse_float=parse_float)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise FormatError(f"not TOML: {error}", path) from None


def read_json(path: str | Path) -> Any:
    """Read a JSON file; raise :class:`FormatError` if it is not JSON."""
    reader = LineReader(path, limit=min(JSON_LIMIT, spare_memory()))
    text = "\n".join(line for _, line in reader)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        why = f"not JSON: {error.msg} (column {error.colno})"
        raise FormatError(why, reader.name, error.lineno) from None
    except (ValueError, RecursionError) as error:  # too many digits, or nested too deeply
        raise FormatError(f"not JSON that can be read: {error}", reader.name) from None


def next_record(rows: Iterator[list[str]]) -> list[str] | None:
    """Return the next record of a ``csv.reader``, or None; a field may be LINE_LIMIT long. The
    library's limit belongs to the process, so it is restored at once. Raises ``csv.Error``.
    """
    limit = csv.field_size_limit(LINE_LIMIT)
    try:
        return next(rows, None)
    finally:
        csv.field_size_limit(limit)


def json_object(line: str) -> tuple[dict[str, object], str | None]:
    """Return the JSON object in a line and its fault, if any."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {}, f"not valid JSON: {error}"
    if not isinstance(record, dict):
        return {}, f"expected a JSON object in each line, got {line[:60]!r}"
    return record, None


@contextmanager
def unpacked(raw: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    """Yield the decompressed stream of a ``.gz`` or ``.zst`` file."""
    if path.suffix.lower() == ".gz":
        import gzip

        with gzip.GzipFile(fileobj=raw) as stream:
            yield cast(IO[bytes], stream)
        return
    arrow = pyarrow("reads and writes .zst files")
    yield io.BufferedReader(arrow.CompressedInputStream(arrow.PythonFile(raw), "zstd"))


def pyarrow(purpose: str) -> ModuleType:
    """Import ``pyarrow``; raise :class:`MissingExtraError` with the command that installs it."""
    with extra(f"pyarrow, which {purpose},", "files"):
        import pyarrow as library
    module: ModuleType = library
    return module
