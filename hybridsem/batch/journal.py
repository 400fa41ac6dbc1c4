"""What a run has done so far, on disk: results chunk by chunk, each complete or absent.

    OUT.hybridsem/
      made-by-hybridsem  tells the folder from one of the user's, which is left alone
      manifest.json      what the results depend on: the input's hash, settings, versions; which
                         output, if any, is replaced
      results.jsonl      a line a chunk: its number, a checksum, its results

A line counts when it ends, its checksum is right, and all before it count. What follows the last
such line (a process was killed, a disk was full) is cut off when the run goes on.

The output is put in its place only where there is none, or the one that was there when
``force=True`` began the run.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from hybridsem._utils.disk import fitting, reason, replacing, sync
from hybridsem.batch.identity import difference
from hybridsem.batch.work import Result
from hybridsem.errors import HybridSemError, InputError

__all__ = ["Journal", "writing"]

SCHEMA = 1
MARK = "made-by-hybridsem"
OWN = ("lock", "manifest.json", "results.jsonl", "output.part")
"""What is made in a work folder, beside copies of piped inputs and half-written files."""

UNSYNCED = 1 << 14
"""Rows that were known before may be kept and not yet synced: finding them again takes less than a
second.
"""

OUTPUT = ("replaces", "made")
"""What a manifest has of the output: the file that it replaces, and the finished one."""

Stamp = list[int]
"""What tells a file from another of its name, also where both were copied: size and time."""


class Journal:
    """The work folder of one output file."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out.with_name(fitting(out.name, ".hybridsem"))
        self.manifest = self.folder / "manifest.json"
        self.results = self.folder / "results.jsonl"
        self._lock = FileLock(self.folder / "lock")
        self._stream: Any = None
        self._gone = out.with_name(fitting(f".{self.folder.name}", ".gone"))
        self._about: dict[str, Any] = {}
        self._replaces: Stamp | None = None
        self._force = False
        self.chunks = self._unsynced = 0
        self.complete = False

    @contextmanager
    def open(self) -> Iterator[Journal]:
        """Have the work folder to oneself; at the end it goes, unless an unfinished run has chunks
        in it.

        Raises :class:`InputError` where another process is at work on this output, and where the
        folder is somebody else's.
        """
        with writing(self.folder):
            self._take()
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                raise InputError(
                    f"another process is at work on this output, got {str(self.out)!r}"
                ) from None
        if _is_own(self._gone):  # left by a process that was killed while it removed it
            _remove(self._gone)
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

    def _take(self) -> None:
        """Make the work folder, or take the one that an earlier run has made."""
        if self.folder.is_symlink() or (os.path.lexists(self.folder) and not _is_own(self.folder)):
            raise InputError(
                f"{str(self.folder)!r} is not a work folder of hybridsem; move it away, or name "
                "another output"
            )
        self.folder.mkdir(exist_ok=True)
        (self.folder / MARK).touch()

    def begin(self, settings: Mapping[str, Any], resume: bool, force: bool) -> None:
        """Begin, or go on if ``resume``; ``settings`` must then be what they were. ``force``
        discards earlier work.

        Raises :class:`InputError` for work that is there and was not to be resumed, or was begun
        with other settings, and for an output that has come since it was begun.
        """
        wanted = json.loads(json.dumps({"schema": SCHEMA, **settings}))
        self._force = force
        with writing(self.folder):
            found = None if force and not resume else self._found()
            kept = {} if found is None else {name: found.pop(name, None) for name in OUTPUT}
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
                kept = {"replaces": _stamp(self.out) if force else kept.get("replaces")}
            self._about, self._replaces = wanted, kept.get("replaces")
            there = _stamp(self.out)
            if there is not None and there == kept.get("made"):
                self._replaces = there  # killed between the last two steps
            self._check_output()
            if not ends:
                self._note(replaces=self._replaces)
            self._stream = self.results.open("ab", buffering=0)
            self._stream.truncate(ends[-1] if ends else 0)
            sync(self.folder)
            sync(self.folder.parent)
        self.chunks = len(ends)

    def _note(self, **of_output: Stamp | None) -> None:
        """Write the manifest, with what is known of the output."""
        with replacing(self.manifest) as part:
            text = json.dumps({**self._about, **of_output}, indent=1)
            part.write_text(f"{text}\n", encoding="utf-8")

    def _is_there(self) -> bool:
        """Whether the file that is written is the one in the work folder still."""
        try:
            return os.path.samestat(os.stat(self.results), os.fstat(self._stream.fileno()))
        except OSError:
            return False

    def _check_output(self) -> None:
        """:class:`InputError` where somebody else's output would be replaced."""
        if not self._force and _stamp(self.out) not in (None, self._replaces):
            raise InputError(
                f"an output has come while it was made, got {str(self.out)!r}; what was finished "
                "is kept; move that file away and resume (--resume), or add force=True (--force) "
                "to replace it"
            )

    def publish(self, made: Path) -> None:
        """Put the finished file in its place."""
        sync(made)
        self._check_output()
        self._note(replaces=self._replaces, made=_stamp(made))
        if self._force or _stamp(self.out) is not None:
            os.replace(made, self.out)
        else:
            try:
                os.link(made, self.out)  # unlike replacing, this fails where there is a file
            except FileExistsError:
                self._check_output()
            except OSError:  # a file system without links
                with suppress(FileExistsError), open(self.out, "xb"):
                    self._replaces = _stamp(self.out)
                self._check_output()
                os.replace(made, self.out)
        sync(self.out.parent)
        self.complete = True

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
        """Keep the results of the next chunk; they are on disk after :meth:`sync`, or when there
        are :data:`UNSYNCED` rows.

        Raises :class:`HybridSemError` where the work folder has gone, :class:`InputError` where an
        output has come.
        """
        if not self._is_there():
            raise HybridSemError(
                f"the work folder {str(self.folder)!r} was removed or replaced while it was in "
                "use; what was finished is lost, run again"
            )
        self._check_output()
        body = json.dumps(
            [result.to_list() for result in results], ensure_ascii=True, allow_nan=False
        )
        line = f"{self.chunks} {zlib.crc32(body.encode()):08x} {body}\n"
        with writing(self.results):
            rest = memoryview(line.encode())
            while rest:
                rest = rest[self._stream.write(rest) :]
        self.chunks += 1
        self._unsynced += len(results)
        if self._unsynced >= UNSYNCED:
            self.sync()

    def sync(self) -> None:
        """What was kept is on disk when this returns."""
        if self._unsynced:
            with writing(self.results):
                os.fsync(self._stream.fileno())
            self._unsynced = 0

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
        """Remove what was made: a killed process leaves all of it or none. A user's own file in the
        folder stays, and the folder with it.
        """
        folder = self.folder
        if not _foreign(folder) and not os.path.lexists(self._gone):
            # The output is there, so this is no failure; the next run finds the folder.
            with suppress(OSError):
                os.rename(folder, self._gone)
                folder = self._gone
        self._lock.release()
        _remove(folder)


def _stamp(path: Path) -> Stamp | None:
    """The stamp of a file; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns]


def _is_own(folder: Path) -> bool:
    """Whether a folder was made here: it has the mark, or was killed before it had anything."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    names = os.listdir(folder)
    return MARK in names or not names


def _foreign(folder: Path) -> bool:
    """Whether something in a work folder was not made here."""
    return any(not _made_here(name) for name in os.listdir(folder)) if folder.is_dir() else False


def _made_here(name: str) -> bool:
    return name in (*OWN, MARK) or name.startswith("input") or name.endswith(".part")


def _remove(folder: Path) -> None:
    """Remove what was made in a folder, the mark last, and the folder unless something is left."""
    with suppress(OSError):
        for name in sorted(os.listdir(folder), key=lambda name: name == MARK):
            if _made_here(name) and not (folder / name).is_dir():
                (folder / name).unlink(missing_ok=True)
        folder.rmdir()


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
