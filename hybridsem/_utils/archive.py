"""Unpacking a downloaded archive: regular files inside the folder, and nothing else."""

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
    """Write the files of a tar (plain, gz, bz2, xz) or zip archive under ``folder``.

    Raises :class:`AssetError` for a damaged archive, and for one with a link, a device, an absolute
    path, or a path that leads out of the folder.
    """
    try:
        for name, stream in _members(archive):
            target = folder / _safe(name, archive)
            target.parent.mkdir(parents=True, exist_ok=True)
            with stream, target.open("xb") as out:
                shutil.copyfileobj(stream, out, 1 << 20)
    except AssetError:
        raise
    except FileExistsError as error:
        raise AssetError(f"{archive.name} holds {Path(error.filename).name!r} twice") from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS):
            raise  # of the folder, and not of the archive
        raise AssetError(f"{archive.name} cannot be unpacked: {error}") from error
    except Exception as error:  # whatever a library makes of a damaged archive
        raise AssetError(
            f"{archive.name} cannot be unpacked: {error or type(error).__name__}"
        ) from error


def _members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The regular files of an archive: name and content."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            for entry in packed.infolist():
                kind = entry.external_attr >> 28  # of a Unix mode: 4 folder, 8 file, 0 not said
                if not entry.is_dir() and kind not in (0, 8):
                    raise AssetError(
                        f"{archive.name} holds {entry.filename!r}, which is no regular file"
                    )
                if not entry.is_dir():
                    yield entry.filename, packed.open(entry)
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            if not (member.isfile() or member.isdir()):
                raise AssetError(f"{archive.name} holds {member.name!r}, which is no regular file")
            content = tar.extractfile(member) if member.isfile() else None
            if content is not None:
                yield member.name, content


def _safe(name: str, archive: Path) -> PurePosixPath:
    path = PurePosixPath(name)
    if (
        path.is_absolute()
        or ".." in path.parts
        or not path.parts
        or any(sign in name for sign in "\\:\0")
    ):
        raise AssetError(f"{archive.name} holds {name!r}, a path that leads out of its folder")
    return path
