"""What a run has done so far, on disk: results chunk by chunk, each complete or absent.

    OUT.hybridsem/
      manifest.json    what the results depend on: the input's hash, settings, versions
      results.jsonl    a line a chunk: its number, a checksum, its results

A line counts when it ends, its checksum is right, and all before it count. What follows the last
such line (a process was killed, a disk was full) is cut off when the run goes on.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from hybridsem._utils.disk import reason, replacing, sync
from hybridsem.batch.identity import difference
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
        self._gone = out.with_name(f".{self.folder.name}.gone")
        self.chunks = 0
        self.complete = False

    @contextmanager
    def open(self) -> Iterator[Journal]:
        """Have the work folder to oneself; at the end it goes, unless an unfinished run has chunks
        in it.

        Raises :class:`InputError` where another process is at work on this output.
        """
        with writing(self.folder):
            self.folder.mkdir(exist_ok=True)
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                raise InputError(
                    f"another process is at work on this output, got {str(self.out)!r}"
                ) from None
        shutil.rmtree(
            self._gone, ignore_errors=True
        )  # left by a process that was killed while it removed it
        try:
            yield self
        finally:
            if self._stream is not None:
                self._stream.close()
            # Chunks are looked for on disk: an interrupt may come after the first is written and
            # before it is counted.
            if self.complete or next(self._whole(), None) is None:
                self._discard()
            self._lock.release()

    def begin(self, settings: Mapping[str, Any], resume: bool, force: bool) -> None:
        """Begin, or go on if ``resume``; ``settings`` must then be what they were. ``force``
        discards earlier work.

        Raises :class:`InputError` for work that is there and was not to be resumed, or was begun
        with other settings.
        """
        wanted = json.loads(json.dumps({"schema": SCHEMA, **settings}))
        with writing(self.folder):
            found = None if force and not resume else self._found()
            ends = [] if found is None else list(self._whole())
            if ends and not resume:
                raise InputError(
                    f"an unfinished run is in {str(self.folder)!r}; resume=True (--resume) "
                    "goes on, "
                    "force=True (--force) begins anew"
                )
            if found is not None and resume and (what := difference(found, wanted)):
                raise InputError(
                    f"cannot resume {str(self.out)!r}: {what}; force=True (--force) begins anew"
                )
            if not ends:
                self.manifest.unlink(
                    missing_ok=True
                )  # before the results, which are nothing without it
                self.results.unlink(missing_ok=True)
                with replacing(self.manifest) as part:
                    part.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
            self._stream = self.results.open("ab", buffering=0)
            self._stream.truncate(ends[-1] if ends else 0)
            sync(self.folder)
            sync(self.folder.parent)
        self.chunks = len(ends)

    def _found(self) -> dict[str, Any] | None:
        """The manifest of an earlier run, which is written first: without it nothing was done."""
        try:
            found = json.loads(self.manifest.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise InputError(f"{str(self.manifest)!r} is damaged; force=True (--force) begins anew")
        return found

    def append(self, results: list[Result]) -> None:
        """Keep the results of the next chunk; they are on disk when this returns."""
        body = json.dumps(
            [result.to_list() for result in results], ensure_ascii=True, allow_nan=False
        )
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
                    raise HybridSemError(
                        f"{str(self.results)!r} was changed by something else; delete its folder"
                    )
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

    def _discard(self) -> None:
        """Remove the work folder in one step: a killed process leaves all of it or none."""
        with suppress(
            OSError
        ):  # the output is there, so this is no failure; the next run finds the folder
            os.rename(self.folder, self._gone)
        self._lock.release()
        shutil.rmtree(self._gone, ignore_errors=True)


def _body(line: bytes, number: int) -> bytes | None:
    """The results in a line, if it is whole and the one with this number."""
    head, _, rest = line.partition(b" ")
    checksum, _, body = rest.partition(b" ")
    if not body.endswith(b"\n") or head != str(number).encode():
        return None
    body = body[:-1]
    return body if checksum == f"{zlib.crc32(body):08x}".encode() else None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Problems with the disk as errors that name what was to be written."""
    try:
        yield
    except OSError as error:
        raise HybridSemError(
            f"cannot write {str(path)!r}: {reason(error)}; what was finished is kept, --resume "
            "goes on from there"
        ) from error
