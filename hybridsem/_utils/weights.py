"""The weight files inside the wheel: where they are, and that they are whole."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from hybridsem.errors import AssetError

__all__ = ["weight_file"]

FOLDER = Path(__file__).parents[1] / "data"


@cache
def _manifest(folder: Path) -> dict[str, str]:
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
        raise AssetError(
            f"the weight file {path} cannot be read ({error.strerror}); reinstall hybridsem"
        ) from None
    found, expected = hashlib.sha256(content).hexdigest(), _manifest(folder).get(name)
    if found != expected:
        raise AssetError(
            f"the weight file {path} is damaged: sha256 is {found[:12]}…, expected "
            f"{str(expected)[:12]}…; "
            "reinstall hybridsem"
        )
    return content
