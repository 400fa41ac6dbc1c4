"""The weight files inside the wheel: where they are, and that they are whole."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from hybridsem._utils.disk import sha256_of
from hybridsem.errors import AssetError

FOLDER = Path(__file__).parents[1] / "data"


@cache
def weight_sums(folder: Path) -> dict[str, str]:
    """The sha256 of each shipped file; :class:`AssetError` where the list is damaged."""
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AssetError(
            f"the list of weight files {path} cannot be read ({error}); reinstall hybridsem"
        ) from None
    if not isinstance(manifest, dict):
        raise AssetError(
            f"the list of weight files {path} is damaged: it is no object; reinstall hybridsem"
        )
    return manifest


def weight_file(name: str, folder: Path = FOLDER) -> bytes:
    """The bytes of a shipped file, checked against the sha256 in ``manifest.json``.

    Raises :class:`AssetError` where the file is missing or damaged.
    """
    path = folder / name
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from None
    _check(path, hashlib.sha256(content).hexdigest())
    return content


def weight_path(name: str, folder: Path = FOLDER) -> Path:
    """Where a shipped file lies, links followed, for what maps it into memory; checked as by
    :func:`weight_file`.
    """
    path = folder / name
    try:
        found = sha256_of(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    _check(path, found)
    return path.resolve()


def _unreadable(path: Path, error: OSError) -> AssetError:
    return AssetError(
        f"the weight file {path} cannot be read ({error.strerror}); reinstall hybridsem"
    )


def _check(path: Path, found: str) -> None:
    expected = weight_sums(path.parent).get(path.name)
    if found != expected:
        raise AssetError(
            f"the weight file {path} is damaged: sha256 is {found[:12]}…, expected "
            f"{str(expected)[:12]}…; "
            "reinstall hybridsem"
        )
