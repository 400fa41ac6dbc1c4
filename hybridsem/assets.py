"""What can be downloaded: an index by name, and a cache in which everything is whole and known by
its sha256.

    cache_folder()/assets/NAME.lock        held while NAME is downloaded
    cache_folder()/assets/NAME/FILE        the file, or the folder of an unpacked archive
    cache_folder()/assets/NAME/record.json its sha256, where it came from, the sizes and sha256s of
    its files

The cache is ``HYBRIDSEM_CACHE`` or the user's cache folder, and can be moved.
``HYBRIDSEM_OFFLINE=1`` forbids downloads.

**Checksums.** A download whose sha256 is neither in the index nor given is checked against the md5
in the index, for files whose makers published that alone. Where there is none it is refused, unless
the first use is to be trusted (``trust=True``, ``--trust-first-use``). In both cases the sha256 of
what arrives is recorded beside the file, and every later download of that name is checked against
the record.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hybridsem._utils.contents import content_hash
from hybridsem._utils.disk import home, md5_of, real, reason, replacing, sha256_of
from hybridsem._utils.progress import screen
from hybridsem.errors import AssetError, FormatError, InputError, UnknownNameError

if TYPE_CHECKING:
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
PATIENCE = 1.0
"""Seconds after which it is said that another process is waited for."""

_LOG = logging.getLogger("hybridsem")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MD5 = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Asset:
    """A row of the index: ``file`` is the name in the cache, ``unpack`` marks a packed archive.

    >>> found = asset("numberbatch")
    >>> found.name, found.licence
    ('numberbatch', 'CC BY-SA 4.0')
    """

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
    """The folder for everything that can be made or fetched again; it need not exist yet.

    ``HYBRIDSEM_CACHE`` names another than the system's folder for caches.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, HYBRIDSEM_CACHE="made"):
    ...     cache_folder().name
    'made'
    """
    if given := os.environ.get("HYBRIDSEM_CACHE"):
        return home(given)
    import platformdirs

    return platformdirs.user_cache_path("hybridsem", appauthor=False)


def assets() -> Mapping[str, Asset]:
    """Everything that can be downloaded, by name.

    >>> "numberbatch" in assets()
    True
    """
    return _read(INDEX)


def asset(name: str) -> Asset:
    """An asset of the index. Raises :class:`UnknownNameError` for another name; it suggests the
    nearest.

    >>> asset("numberbatch").licence
    'CC BY-SA 4.0'
    """
    if name not in assets():
        raise UnknownNameError("asset", name, assets())
    return assets()[name]


def is_here(name: str) -> bool:
    """Whether an asset is in the cache, whole; :class:`UnknownNameError` for another name."""
    return _present(asset(name)) is not None


def path(name: str, *, download: bool = False) -> Path:
    """Where an asset is: a file, or the folder of an unpacked archive. ``download``: fetch one that
    is not in the cache. Raises :class:`AssetError` where it is not in the cache, and says how to
    get it; where a file in the cache is not what was downloaded, :class:`UnknownNameError` for
    another name.
    """
    found = _present(asset(name))
    if found is not None:
        _check_files(name)
        return found
    if download:
        return _download(name)
    raise AssetError(
        f"{name} is not in the cache {cache_folder()}; run: hybridsem models download {name}"
    )


def download(
    name: str,
    *,
    sha256: str | None = None,
    trust: bool = False,
    source: str | os.PathLike[str] | None = None,
    progress: bool = False,
    timeout: float = 30.0,
) -> Path:
    """Fetch an asset into the cache and say where it is. One that is there is read through, and
    kept if it is sound.

    A second download of the same asset waits for the first. Raises :class:`AssetError` where no
    address gives the file, where it is not the one expected, where there is no room, and where the
    network is forbidden.

    Args:
        name: The asset's name in the index.
        sha256: For an asset whose checksum the index does not have: 64 hexadecimal digits.
        trust: Take what arrives and record its checksum (see above).
        source: A copy of the file on this machine, to be checked and put in its place.
        progress: Show a bar on stderr when that is a terminal.
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
                f"the checksum of {name} is not known, so a download could not be told from "
                "another file; give "
                "--sha256 HASH, or --trust-first-use to record that of what arrives"
            )
        try:
            return _install(wanted, folder, expected or seen, source, progress, timeout)
        except AssetError as error:
            hint = (
                " The sha256 expected is that of the first download; to take another file, "
                f"delete {folder}."
            )
            raise AssetError(
                f"{error}{hint if expected is None and seen else ''}"
            ) from error.__cause__


_download = download  # path() has an argument of that name


def record(name: str) -> Mapping[str, Any]:
    """What was written down when an asset arrived: ``sha256``, ``origin``, how it was ``checked``,
    its ``files``. Raises :class:`AssetError` where it is not in the cache,
    :class:`UnknownNameError` for another name.
    """
    path(name)
    return MappingProxyType(_record(_folder(name)))


def is_offline() -> bool:
    """Whether ``HYBRIDSEM_OFFLINE`` forbids the network: any value but ``0``, ``false``, ``no``,
    ``off`` and nothing.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, HYBRIDSEM_OFFLINE="1"):
    ...     is_offline()
    True
    """
    return os.environ.get("HYBRIDSEM_OFFLINE", "").strip().lower() not in (
        "",
        "0",
        "false",
        "no",
        "off",
    )


def _install(
    wanted: Asset, folder: Path, expected: str | None, source: Any, progress: bool, timeout: float
) -> Path:
    """Get the file, unpack it if it is an archive, and write the record last."""
    target, known = folder / wanted.file, {"sha256": expected, "md5": wanted.md5}
    if source is not None:
        origin, sha256 = _copied(Path(source), target, known)
    elif is_offline():
        raise AssetError(
            f"HYBRIDSEM_OFFLINE is set and {wanted.name} is not in the cache {cache_folder()}; "
            "unset it, or give a "
            f"copy of the file: hybridsem models download {wanted.name} --from FILE"
        )
    else:
        from hybridsem._utils.download import fetch  # which loads what speaks HTTP

        with _bar(wanted, progress) as shown:
            origin, sha256 = fetch(
                wanted.mirrors,
                target,
                sha256=expected,
                md5=wanted.md5,
                size=wanted.size,
                timeout=timeout,
                progress=shown,
            )
    placed = target
    if wanted.unpack:
        placed = _unpacked(target, folder)
        target.unlink()
    files = sorted(
        file for file in (placed.rglob("*") if placed.is_dir() else [placed]) if file.is_file()
    )
    record = {
        "sha256": sha256,
        "origin": origin,
        "checked": next(
            (f"against a known {kind}" for kind in known if known[kind]), "trusted on first use"
        ),
        "path": placed.relative_to(folder).as_posix(),
        "files": {
            file.relative_to(folder).as_posix(): [file.stat().st_size, sha256_of(file)]
            for file in files
        },
    }
    with replacing(folder / "record.json") as part:
        part.write_text(json.dumps(record, indent=1), encoding="utf-8")
    return placed


def _copied(source: Path, target: Path, known: Mapping[str, str | None]) -> tuple[str, str]:
    """The file brought to its place, if it is the one expected."""
    source = real(source)
    half = target.with_name(f"{target.name}.copy")
    try:
        found = {"sha256": sha256_of(source), "md5": md5_of(source)}
        for kind, expected in known.items():
            if expected is not None and found[kind] != expected:
                raise AssetError(
                    f"{source} is not {target.name}: {kind} is {found[kind]}, expected {expected}"
                )
        shutil.copyfile(source, half)
        os.replace(half, target)
    except OSError as error:
        raise AssetError(f"cannot copy {source} to {target}: {reason(error)}") from error
    finally:
        half.unlink(missing_ok=True)
    return str(source), found["sha256"]


def _unpacked(archive: Path, folder: Path) -> Path:
    """The folder of what the archive holds, or the one thing that it holds."""
    import tempfile

    from hybridsem._utils.archive import unpack

    for old in (*folder.glob("unpacking-*"), folder / "files"):
        shutil.rmtree(old, ignore_errors=True)
    scratch = Path(tempfile.mkdtemp(prefix="unpacking-", dir=folder))
    try:
        unpack(archive, scratch)
        scratch.chmod(0o755)
        os.replace(scratch, folder / "files")
    except OSError as error:
        raise AssetError(f"cannot unpack {archive.name} in {folder}: {reason(error)}") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    inside = list((folder / "files").iterdir())
    return inside[0] if len(inside) == 1 else folder / "files"


def _present(wanted: Asset, thoroughly: bool = False) -> Path | None:
    """Where an asset is, if its sizes (thoroughly: sha256s) agree with record and index."""
    folder = _folder(wanted.name)
    found = _record(folder)
    if not found or wanted.sha256 not in (None, found["sha256"]):
        return None
    for file, (size, sha256) in found["files"].items():
        at = folder / file
        if (
            not at.is_file()
            or at.stat().st_size != size
            or (thoroughly and sha256_of(at) != sha256)
        ):
            return None
    return folder / str(found["path"])


def _check_files(name: str) -> None:
    """:class:`AssetError` where a file's hash is not the one in the record; hashes are kept, so
    that a large file is read once.
    """
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
    """The record beside an asset; empty where there is none that can be read."""
    try:
        record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
        whole = _SHA256.fullmatch(record["sha256"]) and record["path"] and record["files"]
        whole = whole and all(
            len(size_and_sha256) == 2 for size_and_sha256 in record["files"].values()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return record if whole else {}


@contextmanager
def _alone(name: str) -> Iterator[Path]:
    """The asset's folder, locked for this process; the lock ends with the process."""
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
    """A bar on stderr, if that is asked for and can be seen."""
    if (console := screen(progress)) is None:
        yield None
        return
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(wanted.name, total=wanted.size)
        yield lambda got, total: bar.update(task, completed=got, total=total)


@cache
def _read(index: Path) -> Mapping[str, Asset]:
    """The index, checked row by row."""
    import tomllib

    try:
        rows = tomllib.loads(index.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AssetError(f"the index of downloads {index} cannot be read: {error}") from None
    return MappingProxyType({name: _row(name, row, index) for name, row in rows.items()})


def _row(name: str, row: Any, index: Path) -> Asset:
    try:
        found = Asset(name=name, **{**row, "mirrors": tuple(row["mirrors"])})
    except (TypeError, KeyError) as error:
        raise FormatError(f"[{name}] is no asset: {error}", index) from None
    plain = (
        re.fullmatch(r"[\w.-]+", found.file)
        and re.fullmatch(r"[\w-]+", name)
        and found.file != "record.json"
    )
    secure = found.mirrors and all(url.startswith(("https://", "http://")) for url in found.mirrors)
    sums = ((found.sha256, _SHA256), (found.md5, _MD5))
    if (
        not plain
        or not secure
        or any(text is not None and not form.fullmatch(text) for text, form in sums)
    ):
        raise FormatError(
            f"[{name}] needs a plain file name, http addresses and a sha256 of 64 digits (an "
            f"md5 of 32), got {row!r}",
            index,
        )
    return found
