"""Unpack downloaded archives: only regular files, only inside the folder."""

from __future__ import annotations

import errno
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from hybridsem.errors import AssetError


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of a tar (plain, gz, bz2, xz) or zip archive under ``folder``. Raises
    :class:`AssetError` for a damaged archive, and for a link, a device, an absolute path, or a path
    that leaves the folder.
    """
    try:
        for name, stream in _members(archive):
            target = folder / _safe_path(name, archive)
            target.parent.mkdir(parents=True, exist_ok=True)
            with stream, target.open("xb") as out:
                shutil.copyfileobj(stream, out, 1 << 20)
    except AssetError:
        raise
    except FileExistsError as error:
        raise AssetError(f"{archive.name} holds {Path(error.filename).name!r} twice") from None
    except Exception as error:  # libraries raise anything for a damaged archive
        folder_errors = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS)
        if isinstance(error, OSError) and error.errno in folder_errors:
            raise
        reason = str(error) or type(error).__name__
        raise AssetError(f"{archive.name} cannot be unpacked: {reason}") from error


def _members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the name and content of each regular file."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            for entry in packed.infolist():
                if entry.is_dir():
                    continue
                if entry.external_attr >> 28 not in (0, 8):  # Unix mode: 8 a file, 0 unknown
                    raise _irregular(archive, entry.filename)
                yield entry.filename, packed.open(entry)
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile() and (content := tar.extractfile(member)) is not None:
                yield member.name, content
            elif not member.isdir():
                raise _irregular(archive, member.name)


def _irregular(archive: Path, name: str) -> AssetError:
    return AssetError(f"{archive.name} holds {name!r}, which is not a regular file")


def _safe_path(name: str, archive: Path) -> PurePosixPath:
    path = PurePosixPath(name)
    outside = path.is_absolute() or ".." in path.parts or not path.parts
    if outside or any(sign in name for sign in "\\:\0"):
        raise AssetError(f"{archive.name} holds {name!r}, a path that leaves its folder")
    return path
