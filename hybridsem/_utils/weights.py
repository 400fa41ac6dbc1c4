"""The weight files inside the wheel, checked before use."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hybridsem._utils.disk import sha256_of
from hybridsem.errors import AssetError

FOLDER = Path(__file__).parents[1] / "data"


@cache
def weight_sums(folder: Path) -> dict[str, str]:
    """Return the sha256 of each shipped file; raise :class:`AssetError` if the list is damaged."""
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(manifest, dict):
            raise ValueError("it is not an object")
    except (OSError, ValueError) as error:
        raise AssetError(
            f"the list of weight files {path} cannot be read ({error}); reinstall hybridsem"
        ) from None
    return manifest


def weight_file(name: str, folder: Path = FOLDER) -> bytes:
    """Return a shipped file's bytes, checked as by :func:`weight_path`."""
    return weight_path(name, folder).read_bytes()


def weight_path(name: str, folder: Path = FOLDER) -> Path:
    """Return a shipped file's path with links resolved, for mapping into memory. The file is
    checked against the sha256 in ``manifest.json``; :class:`AssetError` if it is missing or
    damaged.
    """
    path = folder / name
    try:
        found = sha256_of(path)
    except OSError as error:
        raise AssetError(
            f"the weight file {path} cannot be read ({error.strerror}); reinstall hybridsem"
        ) from None
    expected = weight_sums(folder).get(name)
    if found != expected:
        raise AssetError(
            f"the weight file {path} is damaged: sha256 is {found[:12]}…, expected "
            f"{str(expected)[:12]}…; reinstall hybridsem"
        )
    return path.resolve()


def graph_path(names: Sequence[str], folder: Path = FOLDER) -> Path:
    """Return the path of a graph, the first of ``names``, whose tensors are in the other files; all
    are checked as by :func:`weight_path`. Raises :class:`AssetError` too if links lead to different
    folders: onnxruntime would read files that are not checked.
    """
    graph, *others = (weight_path(name, folder) for name in names)
    for name, other in zip(names[1:], others, strict=True):
        if other != graph.with_name(name):
            raise AssetError(f"{graph} and {other} must be in one folder; reinstall hybridsem")
    return graph
