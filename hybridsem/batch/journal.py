"""What a run has done so far, on disk: results chunk by chunk, each complete or absent.

    OUT.hybridsem/
      manifest.json    what the results depend on: the input's hash, settings, versions
      results.jsonl    a line a chunk: its number, a checksum, its results

A line counts when it ends, its checksum is right, and all before it count. What follows the last such line (a process
was killed, a disk was full) is cut off when the run goes on.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from hybridsem._disk import reason, replacing
from hybridsem.batch.work import Result
from hybridsem.errors import HybridSemError, InputError

__all__ = ["Journal", "writing"]

SCHEMA = 1


class Journal:
    """The work folder of one output file."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out.with_name(f"{out.name}.hybridsem")
        self.manifest = self.folder / "manifest.json"
        self.results = self.folder / "results.jsonl"
        self._lock = FileLock(self.folder / "lock")
        self._stream: Any = None
        self.chunks = 0

    @contextmanager
    def open(self, settings: Mapping[str, Any], resume: bool, force: bool) -> Iterator[Journal]:
        """Begin, or go on if ``resume``; ``settings`` must then be what they were. ``force`` discards earlier work.

        Raises :class:`InputError` for work that another process is at, that is there and was not to be resumed, or
        that was begun with other settings.
        """
        if resume and not self.folder.exists():
            raise InputError(f"nothing to resume: there is no {str(self.folder)!r}; run without --resume")
        with writing(self.folder):
            self.folder.mkdir(exist_ok=True)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise InputError(f"another process is at work on this output, got {str(self.out)!r}") from None
        try:
            if force and not resume:
                self.manifest.unlink(missing_ok=True)
            with writing(self.folder):
                self._begin(settings, resume)
            yield self
        finally:
            if self._stream is not None:
                self._stream.close()
            # Nothing is lost with it: an interrupt may come after the first line is written and before it is counted.
            if self.folder.exists() and not self.chunks and next(self._whole(), None) is None:
                self.discard()
            self._lock.release()

    def _begin(self, settings: Mapping[str, Any], resume: bool) -> None:
        wanted = json.loads(json.dumps({"schema": SCHEMA, **settings}))
        found, ends = self._found(), []
        if found is None:
            self.results.unlink(missing_ok=True)
            with replacing(self.manifest) as part:
                part.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
        else:
            ends = list(self._whole())
            self.chunks = len(ends)
            if not resume:
                raise InputError(
                    f"an unfinished run is in {str(self.folder)!r}; resume=True (--resume) goes on, "
                    "force=True (--force) begins anew"
                )
            if difference := _difference(found, wanted):
                raise InputError(f"cannot resume {str(self.out)!r}: {difference}; force=True (--force) begins anew")
        self._stream = self.results.open("ab", buffering=0)
        self._stream.truncate(ends[-1] if ends else 0)

    def _found(self) -> dict[str, Any] | None:
        """The manifest of an earlier run; it is written first and at once, so without it nothing was done."""
        try:
            found = json.loads(self.manifest.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def append(self, results: list[Result]) -> None:
        """Keep the results of the next chunk; they are on disk when this returns."""
        body = json.dumps([result.to_list() for result in results], ensure_ascii=True, allow_nan=False)
        line = f"{self.chunks} {zlib.crc32(body.encode()):08x} {body}\n"
        with writing(self.results):
            rest = memoryview(line.encode())
            while rest:
                rest = rest[self._stream.write(rest) :]
            os.fsync(self._stream.fileno())
        self.chunks += 1

    def read(self) -> Iterator[list[Result]]:
        """The results of all chunks, in order."""
        with self.results.open("rb") as stream:
            for number in range(self.chunks):
                body = _body(stream.readline(), number)
                if body is None:
                    raise HybridSemError(f"{str(self.results)!r} was changed by something else; delete its folder")
                yield [Result.from_list(row) for row in json.loads(body)]

    def _whole(self) -> Iterator[int]:
        """The end of each line that counts."""
        if not self.results.exists():
            return
        with self.results.open("rb") as stream:
            number = 0
            while _body(stream.readline(), number) is not None:
                number += 1
                yield stream.tell()

    def discard(self) -> None:
        """Remove the work folder, in one step: a process that is killed here leaves all of it or none."""
        gone = self.folder.with_name(f".{self.folder.name}.gone")
        shutil.rmtree(gone, ignore_errors=True)  # left by a process that was killed after the next line
        os.rename(self.folder, gone)
        shutil.rmtree(gone, ignore_errors=True)


def _body(line: bytes, number: int) -> bytes | None:
    """The results in a line, if it is whole and the one with this number."""
    head, _, rest = line.partition(b" ")
    checksum, _, body = rest.partition(b" ")
    if not body.endswith(b"\n") or head != str(number).encode():
        return None
    body = body[:-1]
    return body if checksum == f"{zlib.crc32(body):08x}".encode() else None


def _difference(found: Mapping[str, Any], wanted: Mapping[str, Any], path: str = "") -> str | None:
    """The first difference between two manifests, in words."""
    for name in [*found, *(name for name in wanted if name not in found)]:
        one, other = found.get(name), wanted.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            if deeper := _difference(one, other, f"{path}{name}."):
                return deeper
        elif one != other:
            return f"{path}{name} was {one!r} and is now {other!r}"
    return None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Problems with the disk as errors that name what was to be written."""
    try:
        yield
    except OSError as error:
        raise HybridSemError(
            f"cannot write {str(path)!r}: {reason(error)}; what was finished is kept, --resume goes on from there"
        ) from error
