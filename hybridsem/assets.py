"""Downloads: an index of assets by name, and a cache of complete files with known sha256.

    cache_folder()/assets/NAME.lock        held while NAME is downloaded
    cache_folder()/assets/NAME/FILE        the file, or the folder of an unpacked archive
    cache_folder()/assets/NAME/record.json its sha256, its origin, its files' sizes and sha256s

A download is checked against the sha256 in the index or from the user, else against
the md5 in the index. Without either it is refused, unless the first use is trusted (``trust=True``,
``--trust-first-use``). Its sha256 is then recorded, and later downloads must match the record.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hybridsem._utils.contents import content_hash
from hybridsem._utils.disk import home, md5_of, real, reason, replacing, sha256_of
from hybridsem._utils.progress import screen
from hybridsem.errors import AssetError, InputError, UnknownNameError

if TYPE_CHECKING:
    import tarfile

    from hybridsem._utils.download import Progress

__all__ = [
    "Asset",
    "asset",
    "assets",
    "cache_folder",
    "download",
    "is_here",
    "is_offline",
    "path",
    "record",
]

INDEX = Path(__file__).parent / "data" / "assets.toml"
_LOG = logging.getLogger("hybridsem")
PATIENCE = 1.0
"""Seconds of waiting for another process before a warning."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Asset:
    """A row of the index: ``file`` is the name in the cache, ``unpack`` marks an archive."""

    name: str
    summary: str
    licence: str
    citation: str
    mirrors: tuple[str, ...]
    file: str
    sha256: str | None = None
    md5: str | None = None
    size: int | None = None
    unpack: bool = False


def cache_folder() -> Path:
    """Return ``HYBRIDSEM_CACHE`` or the user's cache folder. It need not exist."""
    if given := os.environ.get("HYBRIDSEM_CACHE"):
        return home(given)
    import platformdirs

    return platformdirs.user_cache_path("hybridsem", appauthor=False)


def assets() -> Mapping[str, Asset]:
    """Return all assets by name."""
    return _read(INDEX)


def asset(name: str) -> Asset:
    """Return an asset; raise :class:`UnknownNameError`, which suggests the nearest name."""
    if name not in assets():
        raise UnknownNameError("asset", name, assets())
    return assets()[name]


def is_here(name: str) -> bool:
    """Test if a complete asset is in the cache."""
    return _present(asset(name)) is not None


def path(name: str) -> Path:
    """Return the file, or the unpacked folder; :class:`AssetError` if it is missing or damaged."""
    found = _present(asset(name))
    if found is None:
        raise AssetError(
            f"{name} is not in the cache {cache_folder()}; run: hybridsem models download {name}"
        )
    _check_files(name)
    return found


def download(
    name: str,
    *,
    sha256: str | None = None,
    trust: bool = False,
    source: str | os.PathLike[str] | None = None,
    progress: bool = False,
    timeout: float = 30.0,
) -> Path:
    """Fetch an asset into the cache, or verify the copy there, and return its path. A second
    download of an asset waits for the first. Raises :class:`AssetError` if no mirror has the
    expected file, the disk is full, or the network is forbidden.

    Args:
        name: The asset's name in the index.
        sha256: 64 hexadecimal digits, for an asset whose checksum is not in the index.
        trust: Accept any file and record its checksum (see above).
        source: A local copy of the file, which is checked and copied into the cache.
        progress: Show a bar on stderr if it is a terminal.
        timeout: Seconds that a server may be silent.
    """
    wanted = asset(name)
    if sha256 is not None:
        sha256 = sha256.strip().lower()
        if not _SHA256.fullmatch(sha256):
            raise InputError(f"a sha256 is 64 hexadecimal digits, got {sha256!r}")
    expected = wanted.sha256 or sha256
    if sha256 is not None and expected != sha256:
        raise InputError(
            f"the index has another sha256 for {name}, got {sha256!r}; it is {expected!r}"
        )
    with _alone(name) as folder:
        seen = _record(folder).get("sha256")
        if expected in (None, seen) and (found := _present(wanted, thoroughly=True)) is not None:
            return found
        if expected is None and seen is None and wanted.md5 is None and not trust:
            raise AssetError(
                f"the checksum of {name} is not known, so a download cannot be verified; give "
                "--sha256 HASH, or --trust-first-use to record the checksum of what arrives"
            )
        try:
            return _install(wanted, folder, expected or seen, source, progress, timeout)
        except AssetError as error:
            if expected is not None or not seen:
                raise
            raise AssetError(
                f"{error} The expected sha256 is that of the first download; to accept another "
                f"file, delete {folder}."
            ) from error.__cause__


def record(name: str) -> Mapping[str, Any]:
    """Return an asset's record: ``sha256``, ``origin``, how it was ``checked``, its ``files``.
    Raises :class:`AssetError` if it is not in the cache.
    """
    path(name)
    return MappingProxyType(_record(_folder(name)))


def is_offline() -> bool:
    """Test if ``HYBRIDSEM_OFFLINE`` is set (``0``, ``false``, ``no`` and ``off`` are unset)."""
    value = os.environ.get("HYBRIDSEM_OFFLINE", "").strip().lower()
    return value not in ("", "0", "false", "no", "off")


def _install(
    wanted: Asset, folder: Path, expected: str | None, source: Any, progress: bool, timeout: float
) -> Path:
    """Get the file, unpack it if it is an archive, and write the record last."""
    target = folder / wanted.file
    known: dict[str, Any] = {"sha256": expected, "md5": wanted.md5}
    if source is not None:
        origin, sha256 = _copied(Path(source), target, known)
    elif is_offline():
        raise AssetError(
            f"HYBRIDSEM_OFFLINE is set and {wanted.name} is not in the cache {cache_folder()}; "
            "unset it, or give a copy of the file: hybridsem models download "
            f"{wanted.name} --from FILE"
        )
    else:
        from hybridsem._utils.download import fetch  # loads HTTP libraries

        with _bar(wanted, progress) as shown:
            about: dict[str, Any] = {"size": wanted.size, "timeout": timeout, "progress": shown}
            origin, sha256 = fetch(wanted.mirrors, target, **known, **about)
    placed = target
    if wanted.unpack:
        placed = _unpacked(target, folder)
        target.unlink()
    checks = (f"against a known {kind}" for kind in known if known[kind])
    record = {
        "sha256": sha256,
        "origin": origin,
        "checked": next(checks, "trusted on first use"),
        "path": placed.relative_to(folder).as_posix(),
        "files": {
            file.relative_to(folder).as_posix(): [file.stat().st_size, sha256_of(file)]
            for file in sorted(placed.rglob("*") if placed.is_dir() else [placed])
            if file.is_file()
        },
    }
    with replacing(folder / "record.json") as part:
        part.write_text(json.dumps(record, indent=1), encoding="utf-8")
    return placed


def _copied(source: Path, target: Path, known: Mapping[str, str | None]) -> tuple[str, str]:
    """Copy the file to its place if it is the expected one; return its path and sha256."""
    source = real(source)
    try:
        found = {"sha256": sha256_of(source), "md5": md5_of(source)}
        for kind, expected in known.items():
            if expected is not None and found[kind] != expected:
                raise AssetError(
                    f"{source} is not {target.name}: {kind} is {found[kind]}, expected {expected}"
                )
        with replacing(target) as part:
            shutil.copyfile(source, part)
    except OSError as error:
        raise AssetError(f"cannot copy {source} to {target}: {reason(error)}") from error
    return str(source), found["sha256"]


def _unpacked(archive: Path, folder: Path) -> Path:
    """Return the folder of the content of a tar or zip archive, or its single member. Nothing is
    written outside the folder.
    """
    import tarfile
    import tempfile
    import zipfile

    for old in (*folder.glob("unpacking-*"), folder / "files"):
        shutil.rmtree(old, ignore_errors=True)
    scratch = Path(tempfile.mkdtemp(prefix="unpacking-", dir=folder))
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(scratch)  # removes ".." and roots from paths
        else:
            with tarfile.open(archive) as tar:
                if hasattr(tarfile, "data_filter"):
                    tar.extractall(scratch, filter="data")
                else:  # Python before 3.11.4
                    tar.extractall(scratch, _plain_members(tar))
        scratch.chmod(0o755)
        os.replace(scratch, folder / "files")
    except Exception as error:  # libraries raise anything for a damaged archive
        why = reason(error) if str(error) else type(error).__name__
        raise AssetError(f"{archive.name} cannot be unpacked in {folder}: {why}") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    inside = list((folder / "files").iterdir())
    return inside[0] if len(inside) == 1 else folder / "files"


def _plain_members(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield an archive's files and folders; :class:`ValueError` for others and paths outside."""
    for member in tar:
        path = PurePosixPath(member.name)
        plain = member.isfile() or member.isdir()
        if not plain or path.is_absolute() or ".." in path.parts:
            raise ValueError(f"{member.name!r} is not a file or folder within the archive")
        yield member


def _present(wanted: Asset, thoroughly: bool = False) -> Path | None:
    """Return the path of an asset whose sizes (thoroughly: sha256s) match record and index."""
    folder = _folder(wanted.name)
    found = _record(folder)
    if not found or wanted.sha256 not in (None, found["sha256"]):
        return None
    for file, (size, sha256) in found["files"].items():
        at = folder / file
        if not at.is_file() or at.stat().st_size != size:
            return None
        if thoroughly and sha256_of(at) != sha256:
            return None
    return folder / str(found["path"])


def _check_files(name: str) -> None:
    """Raise :class:`AssetError` if a file's hash, which is cached, differs from the record."""
    folder = _folder(name)
    for file, (_, sha256) in _record(folder)["files"].items():
        try:
            same = content_hash(folder / file, cache_folder() / "hashes") == sha256
        except OSError as error:
            raise AssetError(f"cannot read {folder / file}: {reason(error)}") from error
        if not same:
            raise AssetError(
                f"{name} is damaged: {folder / file} is not what was downloaded; run: "
                f"hybridsem models download {name}"
            )


def _folder(name: str) -> Path:
    return cache_folder() / "assets" / name


def _record(folder: Path) -> dict[str, Any]:
    """Return the record of an asset, empty if there is no readable one."""
    try:
        record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
        whole = _SHA256.fullmatch(record["sha256"]) and record["path"] and record["files"]
        whole = whole and all(len(found) == 2 for found in record["files"].values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return record if whole else {}


@contextmanager
def _alone(name: str) -> Iterator[Path]:
    """Yield the asset's folder, locked for this process."""
    import filelock

    folder = _folder(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(folder.with_name(f"{name}.lock"))
        try:
            lock.acquire(timeout=PATIENCE)
        except filelock.Timeout:
            _LOG.warning("another process is downloading %s; waiting for it", name)
            lock.acquire()
        try:
            yield folder
        finally:
            lock.release()
    except OSError as error:
        raise AssetError(
            f"cannot write to the cache {cache_folder()}: {reason(error)}; set HYBRIDSEM_CACHE "
            "to another folder"
        ) from error


@contextmanager
def _bar(wanted: Asset, progress: bool) -> Iterator[Progress | None]:
    """Yield a function that advances a bar on stderr, or None without a bar."""
    if (console := screen(progress)) is None:
        yield None
        return
    from rich import progress as rich

    speed = rich.DownloadColumn(), rich.TransferSpeedColumn(), rich.TimeRemainingColumn()
    columns = rich.TextColumn("{task.description}"), rich.BarColumn(), *speed
    with rich.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(wanted.name, total=wanted.size)
        yield lambda got, total: bar.update(task, completed=got, total=total)


@cache
def _read(index: Path) -> Mapping[str, Asset]:
    rows = tomllib.loads(index.read_text(encoding="utf-8")).items()
    tuples = ((name, {**row, "mirrors": tuple(row["mirrors"])}) for name, row in rows)
    return MappingProxyType({name: Asset(name=name, **row) for name, row in tuples})
