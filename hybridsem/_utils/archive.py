"""Unpack downloaded archives, with nothing outside the folder."""

from __future__ import annotations

import errno
import tarfile
import zipfile
from pathlib import Path

from hybridsem.errors import AssetError


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of a tar (plain, gz, bz2, xz) or zip archive under ``folder``. Raises
    :class:`AssetError` for a damaged archive, and for a link or a path that leaves the folder.
    """
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                for name in packed.namelist():
                    if not (folder / name).resolve().is_relative_to(folder.resolve()):
                        raise AssetError(f"{archive.name} holds {name!r}, outside its folder")
                packed.extractall(folder)  # which writes a link as a file
        else:
            with tarfile.open(archive) as tar:
                tar.extractall(folder, filter="data")
    except AssetError:
        raise
    except Exception as error:  # libraries raise anything for a damaged archive
        folder_errors = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS)
        if isinstance(error, OSError) and error.errno in folder_errors:
            raise
        reason = str(error) or type(error).__name__
        raise AssetError(f"{archive.name} cannot be unpacked: {reason}") from error
