"""The finished work of a run on disk: a resumed run is a run with a cache.

    OUT.hybridsem/
      made-by-hybridsem  distinguishes the folder from a user's, which is never changed
      manifest.json      the input's hash, settings and versions, and the output to be replaced
      results.sqlite     the results of pairs

A finished output replaces nothing but the file that existed when ``force=True`` began the run. The
settings of finished outputs are in ``CACHE/finished``.
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
OLD = "results.jsonl"  # of version 0.2, whose runs are refused
OWN = (MARK, "lock", "manifest.json", "output.part", OLD)
OUTPUT = ("replaces", "made")
"""A manifest's stamps of the output to be replaced, and of the finished one."""

Stamp = list[int]
"""A file's size and time, which copies keep."""


class Checkpoint:
    """The work folder of an output; ``resumed`` is True if it has results of an earlier run."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out.with_name(fitting(out.name, ".hybridsem"))
        self.manifest = self.folder / "manifest.json"
        self._lock = FileLock(self.folder / "lock")
        self._about: dict[str, Any] = {}
        self._replaces: Stamp | None = None
        self._used: list[int] = []
        self._force = self.resumed = self.complete = False

    @contextmanager
    def open(self) -> Iterator[None]:
        """Lock the work folder; remove it at the end, unless an unfinished run has results. Raises
        :class:`InputError` if another process writes this output, and for a folder that hybridsem
        did not make.
        """
        with writing(self.folder):
            if os.path.lexists(self.folder) and not _is_own(self.folder):
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
                    f"another process is writing this output, got {str(self.out)!r}"
                ) from None
        try:
            yield
        finally:
            unfinished = not self.complete and self._has_results()
            self._close()
            if not unfinished:
                _remove(self.folder)
            self._lock.release()

    def begin(self, settings: Mapping[str, Any], resume: bool, force: bool) -> None:
        """Begin, or resume with the same ``settings``; ``force`` discards earlier work.

        Raises :class:`InputError` for earlier work without ``resume`` or with other settings, and
        for an output that has appeared meanwhile.
        """
        wanted = json.loads(json.dumps({"schema": SCHEMA, **settings}))
        self._force = force
        with writing(self.folder):
            found = None if force and not resume else self._found()
            of_output = {name: (found or {}).pop(name, None) for name in OUTPUT}
            if found is not None and resume and (what := difference(found, wanted)):
                raise InputError(
                    f"cannot resume {str(self.out)!r}: {what}; force=True (--force) starts again"
                )
            self.resumed = found is not None and self._has_results()
            if self.resumed and not resume:
                raise InputError(
                    f"an unfinished run is in {str(self.folder)!r}; resume=True (--resume) "
                    "continues, force=True (--force) starts again"
                )
            if not self.resumed:
                self.manifest.unlink(missing_ok=True)  # first: it makes results valid
                self._close()
                for path in self.folder.glob("results.*"):
                    path.unlink()
                if force:
                    of_output["replaces"] = _stamp(self.out)
            self._about, self._replaces = wanted, of_output["replaces"]
            there = _stamp(self.out)
            if there is not None and there == of_output["made"]:
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
        """Test if the folder has results."""
        try:
            if (self.folder / OLD).exists():
                return True
            there = (self.folder / "results.sqlite").exists()
            return there and not self._store.is_empty(TABLE)
        except HybridSemError:
            return True

    def _inodes(self) -> list[int]:
        return [os.stat(path).st_ino for path in (self.folder, self._store.path)]

    def _note(self, **of_output: Stamp | None) -> None:
        """Write the manifest with the stamps of the output."""
        with replacing(self.manifest) as part:
            text = json.dumps({**self._about, **of_output}, indent=1)
            part.write_text(f"{text}\n", encoding="utf-8")

    def _found(self) -> dict[str, Any] | None:
        """Return the manifest of an earlier run, or None; it is written before any result."""
        try:
            found = json.loads(self.manifest.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise InputError(
                f"{str(self.manifest)!r} is damaged; force=True (--force) starts again"
            )
        return found

    def get(self, pairs: Sequence[Texts]) -> dict[Texts, Result]:
        """Return the stored results of pairs."""
        return get_results(self._store, TABLE, pairs)

    def put(self, results: Mapping[Texts, Result]) -> None:
        """Store results; they are on disk when this returns."""
        self.check()
        with writing(self.folder):
            put_results(self._store, TABLE, results)

    def check(self) -> None:
        """Raise :class:`HybridSemError` if the work folder is gone, and :class:`InputError` if
        there is a new output.
        """
        try:
            there = self._inodes() == self._used
        except OSError:
            there = False
        if not there:
            raise HybridSemError(
                f"the work folder {str(self.folder)!r} was removed or replaced while it was in "
                "use; finished work is lost, run again"
            )
        self._check_output()

    def _check_output(self) -> None:
        """Raise :class:`InputError` if the output of another program would be replaced."""
        if not self._force and _stamp(self.out) not in (None, self._replaces):
            raise InputError(
                f"an output has appeared during the run, got {str(self.out)!r}; finished work is "
                "kept; move that file away and resume (--resume), or add force=True (--force) to "
                "replace it"
            )

    def publish(self, made: Path) -> None:
        """Move the finished file to its place."""
        sync(made)
        self._note(replaces=self._replaces, made=_stamp(made))
        self._check_output()
        os.replace(made, self.out)
        sync(self.out.parent)
        self.complete = True


def _stamp(path: Path) -> Stamp | None:
    """Return the stamp of a file, None if it does not exist."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns]


def _is_own(folder: Path) -> bool:
    """Test if a folder has our mark or is empty."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    names = os.listdir(folder)
    return MARK in names or not names


def _remove(folder: Path) -> None:
    """Remove our files, those that identify the run last, and the folder if it is then empty."""
    last = ("manifest.json", MARK)
    with suppress(OSError):
        for name in sorted(os.listdir(folder), key=lambda name: (name in last, name == MARK)):
            is_ours = name in OWN or name.startswith(("input", "results."))
            if (is_ours or name.endswith(".part")) and not (folder / name).is_dir():
                (folder / name).unlink(missing_ok=True)
        folder.rmdir()


def note_finished(out: Path, settings: Mapping[str, Any], report: Mapping[str, Any]) -> None:
    """Record the settings and report of a finished output."""
    about = {"stamp": _stamp(out), "settings": settings, "report": report}
    keep(cache_folder() / "finished", os.path.abspath(out), about)


def finished_report(out: Path, settings: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the report of the run that made this output with these settings, or None."""
    found = kept(cache_folder() / "finished", os.path.abspath(out))
    wanted = {"stamp": _stamp(out), "settings": json.loads(json.dumps(settings))}
    report: dict[str, Any] = found.pop("report", {})
    return report if found == wanted else None
