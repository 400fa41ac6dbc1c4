"""What a run has done so far, on disk: a run that goes on is a run with a cache.

    OUT.hybridsem/
      made-by-hybridsem  tells the folder from one of the user's, which is left alone
      manifest.json      what the results depend on: the input's hash, settings, versions; which
                         output, if any, is replaced
      results.sqlite     the results of pairs

The output is put in its place only where there is none, or the one that was there when
``force=True`` began the run. What a finished one was made from is kept in ``CACHE/finished``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from hybridsem._utils.contents import keep, kept
from hybridsem._utils.disk import fitting, replacing, sync
from hybridsem._utils.store import Store
from hybridsem.assets import cache_folder
from hybridsem.batch._files import writing
from hybridsem.batch.cache import get_results, put_results
from hybridsem.batch.identity import difference
from hybridsem.batch.work import Result, Texts
from hybridsem.errors import HybridSemError, InputError

SCHEMA = 2
MARK = "made-by-hybridsem"
TABLE = "results"
OLD = "results.jsonl"  # of version 0.2, which is refused
OWN = (MARK, "lock", "manifest.json", "output.part", OLD)
OUTPUT = ("replaces", "made")
"""What a manifest has of the output: the file that it replaces, and the finished one."""

Stamp = list[int]
"""What tells a file from another of its name, also where both were copied: size and time."""


class Checkpoint:
    """The work folder of one output file; ``resumed`` where it has results of an earlier run."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out.with_name(fitting(out.name, ".hybridsem"))
        self.manifest = self.folder / "manifest.json"
        self._lock = FileLock(self.folder / "lock")
        self._gone = out.with_name(fitting(f".{self.folder.name}", ".gone"))
        self._about: dict[str, Any] = {}
        self._replaces: Stamp | None = None
        self._used: list[int] = []
        self._force = self.resumed = self.complete = False

    @contextmanager
    def open(self) -> Iterator[None]:
        """Have the work folder to oneself; at the end it goes, unless an unfinished run has results
        in it.

        Raises :class:`InputError` where another process is at work on this output, and where the
        folder is somebody else's.
        """
        with writing(self.folder):
            if self.folder.is_symlink() or (
                os.path.lexists(self.folder) and not _is_own(self.folder)
            ):
                raise InputError(
                    f"{str(self.folder)!r} is not a work folder of hybridsem; move it away, or "
                    "name another output"
                )
            self.folder.mkdir(exist_ok=True)
            (self.folder / MARK).touch()
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                raise InputError(
                    f"another process is at work on this output, got {str(self.out)!r}"
                ) from None
        if _is_own(self._gone):  # left by a process that was killed while it removed it
            _remove(self._gone)
        try:
            yield
        finally:
            unfinished = not self.complete and self._has_results()
            self._close()
            if not unfinished:
                self._discard()
            self._lock.release()

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
            of_output = {} if found is None else {name: found.pop(name, None) for name in OUTPUT}
            if found is not None and resume and (what := difference(found, wanted)):
                raise InputError(
                    f"cannot resume {str(self.out)!r}: {what}; force=True (--force) begins anew"
                )
            self.resumed = found is not None and self._has_results()
            if self.resumed and not resume:
                raise InputError(
                    f"an unfinished run is in {str(self.folder)!r}; resume=True (--resume) "
                    "goes on, force=True (--force) begins anew"
                )
            if not self.resumed:
                self.manifest.unlink(missing_ok=True)  # first: results are nothing without it
                self._close()
                for name in os.listdir(self.folder):
                    if name.startswith("results."):
                        (self.folder / name).unlink()
                if force:
                    of_output = {"replaces": _stamp(self.out)}
            self._about, self._replaces = wanted, of_output.get("replaces")
            there = _stamp(self.out)
            if there is not None and there == of_output.get("made"):
                self._replaces = there  # killed between the last two steps
            self._check_output()
            if not self.resumed:
                self._note(replaces=self._replaces)
            self._used = self._inodes()
            sync(self.folder)
            sync(self.folder.parent)

    @cached_property
    def _store(self) -> Store:
        return Store(self.folder / "results.sqlite", [TABLE], synced=True)

    def _close(self) -> None:
        if "_store" in vars(self):
            self._store.close()
            del self._store

    def _has_results(self) -> bool:
        """Return whether the folder has results; an interrupt may come just after the first."""
        try:
            if (self.folder / OLD).exists():
                return True
            there = (self.folder / "results.sqlite").exists()
            return there and not self._store.is_empty(TABLE)
        except HybridSemError:
            return True

    def _inodes(self) -> list[int]:
        return [os.stat(path).st_ino for path in (self.folder, self._store.file)]

    def _note(self, **of_output: Stamp | None) -> None:
        """Write the manifest, with what is known of the output."""
        with replacing(self.manifest) as part:
            text = json.dumps({**self._about, **of_output}, indent=1)
            part.write_text(f"{text}\n", encoding="utf-8")

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

    def get(self, pairs: Sequence[Texts]) -> dict[Texts, Result]:
        """The results that are there of the pairs."""
        return get_results(self._store, TABLE, pairs)

    def put(self, results: Mapping[Texts, Result]) -> None:
        """Keep results: they are on disk when this returns."""
        self.check()
        with writing(self.folder):
            put_results(self._store, TABLE, results)
            self._used = self._inodes()  # a damaged file gives way to another

    def check(self) -> None:
        """:class:`HybridSemError` where the work folder has gone, :class:`InputError` where an
        output has come.
        """
        try:
            there = self._inodes() == self._used
        except OSError:
            there = False
        if not there:
            raise HybridSemError(
                f"the work folder {str(self.folder)!r} was removed or replaced while it was in "
                "use; what was finished is lost, run again"
            )
        self._check_output()

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

    def _discard(self) -> None:
        """Remove what was made: a killed process leaves all of it or none. A user's own file in the
        folder stays, and the folder with it.
        """
        folder = self.folder
        # The output is there, so what fails is no failure; the next run finds the folder.
        with suppress(OSError):
            if all(map(_made_here, os.listdir(folder))) and not os.path.lexists(self._gone):
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
    """Return whether a folder was made here: it has the mark, or is empty."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    names = os.listdir(folder)
    return MARK in names or not names


def _made_here(name: str) -> bool:
    return name in OWN or name.startswith(("input", "results.")) or name.endswith(".part")


def _remove(folder: Path) -> None:
    """Remove what was made in a folder, the mark last, and the folder unless something is left."""
    with suppress(OSError):
        for name in sorted(os.listdir(folder), key=lambda name: name == MARK):
            if _made_here(name) and not (folder / name).is_dir():
                (folder / name).unlink(missing_ok=True)
        folder.rmdir()


def note_finished(out: Path, settings: Mapping[str, Any], report: Mapping[str, Any]) -> None:
    """Keep what an output was made from, and what became of it."""
    about = {"stamp": _stamp(out), "settings": settings, "report": report}
    keep(cache_folder() / "finished", os.path.abspath(out), about)


def finished_report(out: Path, settings: Mapping[str, Any]) -> dict[str, Any] | None:
    """The report of the run that has made an output of these settings, which is unchanged; None
    where that is not known.
    """
    found = kept(cache_folder() / "finished", os.path.abspath(out))
    wanted = {"stamp": _stamp(out), "settings": json.loads(json.dumps(settings))}
    report: dict[str, Any] = found.pop("report", {})
    return report if found == wanted else None
