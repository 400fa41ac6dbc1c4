"""Numbered lines of a UTF-8 file or of standard input, with errors that name the line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, cast

from hybridsem.errors import FormatError, InputError

__all__ = ["LineReader"]

LINE_LIMIT = 1 << 24  # bytes; keeps memory flat on a file that has no line ends
BOM = b"\xef\xbb\xbf"


class LineReader:
    """An iterable over (number, line), counted from 1, without line ends; ``-`` is standard input, ``.gz`` is unpacked.

    ``bytes_read`` and ``size`` (None for a stream or a compressed file) tell how far the reading is. Raises
    :class:`InputError` where the file cannot be opened and :class:`FormatError` for a line that is no UTF-8 text.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.name = "standard input" if str(path) == "-" else str(path)
        self.bytes_read = 0
        self.size: int | None = None

    def __iter__(self) -> Iterator[tuple[int, str]]:
        self.bytes_read = 0
        with self._open() as stream:
            number = 0
            while raw := self._next(stream, number + 1):
                number += 1
                self.bytes_read += len(raw)
                yield number, self._text(raw, number)

    def _open(self) -> AbstractContextManager[IO[bytes]]:
        if str(self.path) == "-":
            return nullcontext(sys.stdin.buffer)
        try:
            if self.path.suffix.lower() == ".gz":
                import gzip

                return cast(IO[bytes], gzip.open(self.path, "rb"))
            stream = self.path.open("rb")
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"cannot read the file, got {str(self.path)!r}: {reason}") from error
        self.size = self.path.stat().st_size if self.path.is_file() else None
        return stream

    def _next(self, stream: IO[bytes], number: int) -> bytes:
        try:
            raw = stream.readline(LINE_LIMIT + 1)
        except (OSError, EOFError) as error:  # also what a damaged .gz raises
            raise FormatError(f"cannot be read on: {error}", self.name, number) from error
        if len(raw) > LINE_LIMIT:
            raise FormatError(f"longer than {LINE_LIMIT >> 20} MiB; is this a text file?", self.name, number)
        return raw

    def _text(self, raw: bytes, number: int) -> str:
        if number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise FormatError("UTF-16 text; save the file as UTF-8", self.name, 1)
            raw = raw.removeprefix(BOM)
        raw = raw.removesuffix(b"\n").removesuffix(b"\r")
        if b"\0" in raw:
            raise FormatError(
                f"a NUL character (byte {raw.index(0) + 1} of the line); is this a text file?", self.name, number
            )
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise FormatError(
                f"not UTF-8: byte {error.start + 1} of the line is 0x{raw[error.start]:02x}; "
                "save the file as UTF-8 (iconv -f latin1 -t utf-8 converts it)",
                self.name,
                number,
            ) from None
