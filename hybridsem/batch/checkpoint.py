"""The files of a run: its finished work on disk, the input, and what it may write.

OUT.hybridsem/
  made-by-hybridsem  distinguishes the folder from a user's, which is never changed
  manifest.json      the input's hash, settings and versions
  results.sqlite     the results of pairs
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout

from hybridsem._utils.contents import Stamp, stamp_of
from hybridsem._utils.disk import reason, replacing, sha256_of, sync, unreadable
from hybridsem._utils.lines import standard_input
from hybridsem._utils.store import Store
from hybridsem.batch.identity import difference
from hybridsem.errors import HybridSemError, InputError
from hybridsem.tables.writers import text_over

SCHEMA = 2
MARK = "made-by-hybridsem"
TABLE = "results"
KEPT = "finished work is kept, --resume continues from there"
AGAIN = "force=True (--force) starts again"
OWN = (MARK, "lock", "manifest.json", "output.part")


class Checkpoint:
    """The work folder of an output; ``resumed`` is True if it has results of an earlier run."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out.with_name(f"{out.name}.hybridsem")
        self.manifest = self.folder / "manifest.json"
        self._lock = FileLock(self.folder / "lock")
        self._about: dict[str, object] = {}
        self._made: object = None
        self._opened = ExitStack()
        self._force = self.resumed = self.complete = False

    @contextmanager
    def open(self) -> Iterator[None]:
        """Lock the work folder within the body; unfinished results stay in it."""
        with writing(self.folder):
            if os.path.lexists(self.folder) and not _is_own(self.folder):
                why = f"{str(self.folder)!r} is not a work folder of hybridsem; move it away"
                raise InputError(f"{why}, or name another output")
            self.folder.mkdir(exist_ok=True)
            (self.folder / MARK).touch()
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                why = f"another process is writing this output, got {str(self.out)!r}"
                raise InputError(why) from None
        try:
            yield
        finally:
            self._opened.close()
            if self.complete or not self._has_results():
                _remove(self.folder)
            self._lock.release()

    def begin(self, settings: Mapping[str, object], resume: bool, force: bool) -> None:
        """Begin, or resume with the same ``settings``; ``force`` discards earlier work."""
        self._about = wanted = json.loads(json.dumps({"schema": SCHEMA, **settings}))
        self._force = force
        with writing(self.folder):
            found = None if force and not resume else self._found()
            # Killed after the output was in place: it may be replaced.
            self._made = (found or {}).pop("made", None)
            if found is not None and resume and (what := difference(found, wanted)):
                raise InputError(f"cannot resume {str(self.out)!r}: {what}; {AGAIN}")
            self.resumed = found is not None and self._has_results()
            if self.resumed and not resume:
                why = f"an unfinished run is in {str(self.folder)!r}"
                raise InputError(f"{why}; resume=True (--resume) continues, {AGAIN}")
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
        if not (path := self.folder / "results.sqlite").exists():
            return False
        try:
            with closing(Store(path, [TABLE])) as store:
                return not store.is_empty(TABLE)
        except HybridSemError:
            return True

    def _note(self, about: Mapping[str, object]) -> None:
        with replacing(self.manifest) as part:
            part.write_text(f"{json.dumps(about, indent=1)}\n", encoding="utf-8")

    def _found(self) -> dict[str, object] | None:
        """Return the manifest of an earlier run, or None; it is written before any result."""
        try:
            found = json.loads(self.manifest.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise InputError(f"{str(self.manifest)!r} is damaged; {AGAIN}")
        return found

    def _check_output(self) -> None:
        """Raise :class:`InputError` if the output of another program would be replaced."""
        if not self._force and _stamp(self.out) not in (None, self._made):
            why = f"an output has appeared during the run, got {str(self.out)!r}; finished work is"
            how = "move that file away and resume (--resume), or add force=True (--force) to"
            raise InputError(f"{why} kept; {how} replace it")

    def publish(self, made: Path) -> None:
        """Move the finished file to its place."""
        sync(made)
        self._check_output()
        self._note({**self._about, "made": _stamp(made)})
        os.replace(made, self.out)
        sync(self.out.parent)
        self.complete = True


def _stamp(path: Path) -> list[int] | None:
    """Return a file's size and time, which copies keep; None if it does not exist."""
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


# -- the input, and other outputs


def is_stream(path: str | Path) -> bool:
    """Test if a path is a standard stream, a pipe or a device."""
    is_other = os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    return str(path) == "-" or is_other


@contextmanager
def stream_to(path: str | Path) -> Iterator[IO[str]]:
    """Yield a text stream to standard output (``-``), a pipe or a device."""
    with ExitStack() as stack:
        raw = sys.stdout.buffer if str(path) == "-" else stack.enter_context(open(path, "wb"))
        yield stack.enter_context(text_over(raw))


def check_free(out: Path, pairs_path: str | Path, allowed: bool, resume: bool) -> None:
    """Raise :class:`InputError` if the output exists and must not be replaced."""
    if not out.exists():
        return
    if os.path.exists(pairs_path) and out.samefile(pairs_path):
        raise InputError(f"the output would replace the pair file, got {str(out)!r} for both")
    if not allowed:
        why = f"the output exists{' and no run of it is unfinished' if resume else ''}"
        raise InputError(f"{why}, got {str(out)!r}; force=True (--force) replaces it")


@contextmanager
def spooled(path: str | Path, folder: Path) -> Iterator[str | Path]:
    """Yield a path that can be read twice; a stream is first stored in the work folder."""
    if not is_stream(path):
        yield path
        return
    spool = folder / ("input" if str(path) == "-" else "input" + "".join(Path(path).suffixes))
    try:
        with writing(spool), spool.open("wb") as target, ExitStack() as stack:
            source = None if str(path) == "-" else stack.enter_context(open(path, "rb"))
            shutil.copyfileobj(source or standard_input(), target, 1 << 24)
        yield spool
    finally:
        spool.unlink(missing_ok=True)


def fingerprint(path: Path) -> tuple[Stamp | None, dict[str, object]]:
    """Return the stamp of the input, and its hash and size."""
    try:
        stamp = stamp_of(path)
        return stamp, {"sha256": sha256_of(path), "bytes": path.stat().st_size}
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise unreadable(path, error) from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn problems with the disk into errors that name the file to be written."""
    try:
        yield
    except OSError as error:
        raise HybridSemError(f"cannot write {str(path)!r}: {reason(error)}; {KEPT}") from error
