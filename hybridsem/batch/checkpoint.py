"""The finished work of a run on disk: a resumed run is a run with a cache.

    OUT.hybridsem/
      made-by-hybridsem  distinguishes the folder from a user's, which is never changed
      manifest.json      the input's hash, settings and versions
      results.sqlite     the results of pairs

A finished output replaces another file only with ``force=True``. The settings of finished outputs
are in ``CACHE/finished``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from hybridsem._utils.contents import keep, kept
from hybridsem._utils.disk import replacing, sync
from hybridsem._utils.store import Store
from hybridsem.assets import cache_folder
from hybridsem.batch._files import writing
from hybridsem.batch.identity import difference
from hybridsem.errors import HybridSemError, InputError

SCHEMA = 2
MARK = "made-by-hybridsem"
TABLE = "results"
KEPT = "finished work is kept, --resume continues from there"
OWN = (MARK, "lock", "manifest.json", "output.part")

Stamp = list[int]
"""A file's size and time, which copies keep."""


class Checkpoint:
    """The work folder of an output; ``resumed`` is True if it has results of an earlier run."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out.with_name(f"{out.name}.hybridsem")
        self.manifest = self.folder / "manifest.json"
        self._lock = FileLock(self.folder / "lock")
        self._about: dict[str, Any] = {}
        self._made: Stamp | None = None
        self._opened = ExitStack()
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
            self._opened.close()
            if self.complete or not self._has_results():
                _remove(self.folder)
            self._lock.release()

    def begin(self, settings: Mapping[str, Any], resume: bool, force: bool) -> None:
        """Begin, or resume with the same ``settings``; ``force`` discards earlier work.

        Raises :class:`InputError` for earlier work without ``resume`` or with other settings, and
        for an output that has appeared meanwhile.
        """
        self._about = wanted = json.loads(json.dumps({"schema": SCHEMA, **settings}))
        self._force = force
        with writing(self.folder):
            found = None if force and not resume else self._found()
            # Killed after the output was in place: it may be replaced.
            self._made = (found or {}).pop("made", None)
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
            self._check_output()
            if not self.resumed:
                self.manifest.unlink(missing_ok=True)  # first: it makes results valid
                for path in self.folder.glob("results.*"):
                    path.unlink()
                self._note(wanted)
            store = Store(self.folder / "results.sqlite", [TABLE], KEPT, synced=True)
            self.store = self._opened.enter_context(closing(store))
            sync(self.folder)
            sync(self.folder.parent)

    def _has_results(self) -> bool:
        """Test if the folder has results."""
        if not (path := self.folder / "results.sqlite").exists():
            return False
        try:
            with closing(Store(path, [TABLE])) as store:
                return not store.is_empty(TABLE)
        except HybridSemError:
            return True

    def _note(self, about: Mapping[str, Any]) -> None:
        with replacing(self.manifest) as part:
            part.write_text(f"{json.dumps(about, indent=1)}\n", encoding="utf-8")

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

    def _check_output(self) -> None:
        """Raise :class:`InputError` if the output of another program would be replaced."""
        if not self._force and _stamp(self.out) not in (None, self._made):
            raise InputError(
                f"an output has appeared during the run, got {str(self.out)!r}; finished work is "
                "kept; move that file away and resume (--resume), or add force=True (--force) to "
                "replace it"
            )

    def publish(self, made: Path) -> None:
        """Move the finished file to its place."""
        sync(made)
        self._check_output()
        self._note({**self._about, "made": _stamp(made)})
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
