"""The files that a pipeline's parts are read from, identified by their content.

A part is written ``kind:argument``, and a score depends on the data behind the argument: a file or
folder, a downloaded asset, a spaCy package, a model in the hub's cache, the code of a plugin. A new
kind of part needs nothing here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from hybridsem import assets
from hybridsem._utils.contents import Stamp, content_hash, stamp_of
from hybridsem._utils.disk import reason
from hybridsem.errors import InputError
from hybridsem.registry import named
from hybridsem.registry.plugins import code_of
from hybridsem.registry.word_vectors import NUMBERBATCH

_SEPARATOR = re.compile(r"[:,=]")
_HUB_NAME = re.compile(r"(?:[\w.-]+/)?[\w.-]+")

SHIPPED = {"embedded", "verbnet"}
"""The parts of most models, recognised without reading the table of models."""

ASSETS = {"numberbatch": NUMBERBATCH}
"""Downloaded parts without an argument."""

BESIDE = {".npy": ".txt", ".npz": ".txt"}
"""Files read together with another: the texts of vectors."""


class Sources:
    """A snapshot of the sources of named parts. :meth:`contents` and :meth:`check` raise
    :class:`InputError` if one has changed since.
    """

    def __init__(self, parts: Iterable[str]) -> None:
        self._paths = dict(found for part in parts for found in _sources(part))
        self._stamps: dict[str, Stamp | None] = {
            name: stamp_of(path) for name, path in self._paths.items()
        }
        self._hashes: dict[str, str] = {}

    @property
    def unread(self) -> bool:
        """True if a model is not in the hub's cache yet; its first use downloads it."""
        return any(self._stamps[name] is None for name in self._paths)

    def look_again(self) -> None:
        """Record sources that were missing and now exist."""
        for name, path in self._paths.items():
            if self._stamps[name] is None:
                self._stamps[name] = stamp_of(path)

    def contents(self) -> Mapping[str, str]:
        """Return the sha256 of each source by its name in the part."""
        self.check()
        kept = assets.cache_folder() / "hashes"
        for name, path in self._paths.items():
            if self._stamps[name] is not None and name not in self._hashes:
                self._hashes[name] = self._hash(path, kept)
        self.check()
        return {name: self._hashes[name] for name in sorted(self._hashes)}

    def check(self) -> None:
        """Raise if a source has changed."""
        for name, path in self._paths.items():
            before, now = self._stamps[name], stamp_of(path)
            if before is None or before == now:
                continue
            if now is None or self._hashes.get(name) != self._hash(path):
                raise InputError(
                    f"{str(path)!r} has changed since the pipeline was made; make it again, "
                    "or run the command again"
                )
            self._stamps[name] = now

    def _hash(self, path: Path, kept: Path | None = None) -> str:
        try:
            return content_hash(path, kept)
        except OSError as error:
            raise InputError(f"cannot read {str(path)!r}: {reason(error)}") from error


def _sources(part: str) -> Iterator[tuple[str, Path]]:
    if part in SHIPPED:
        return
    kind, colon, argument = part.partition(":")
    preset = named.written(kind)
    if preset is not None and named.BLANK in preset:
        part = preset.replace(named.BLANK, argument)
    elif preset is not None and not colon:
        part = preset
    kind, colon, argument = part.partition(":")
    if kind in ASSETS and not colon:
        yield from _asset(ASSETS[kind])
    if (code := code_of(kind)) is not None:
        yield f"plugin {kind}", code
    if not colon or "://" in argument:  # a service has no file
        return
    signs = [found.start() for found in _SEPARATOR.finditer(argument)]
    starts, ends = [0, *(sign + 1 for sign in signs)], [*signs, len(argument)]
    for start in starts:
        for end in ends:
            if start < end:
                # An option may be a file; a folder with the name of its value is a coincidence.
                yield from _path(argument[start:end], not start or argument[start - 1] == ":")
    first = argument.partition(",")[0]
    if ":" in first:  # an encoder in an encoder
        yield from _sources(argument)
    elif kind == "standardised":
        yield from _sources(first)
    if kind == "spacy":
        yield from _package(first)
    elif kind == "transformer":
        yield from _hub(first, argument)
    yield from _asset(first)


def _path(text: str, folders: bool) -> Iterator[tuple[str, Path]]:
    """Yield a file, or a folder if allowed, and the file read together with it."""
    try:
        there = (Path(text), Path(text).expanduser())
        path = next((p for p in there if p.is_file() or (folders and p.is_dir())), None)
    except (OSError, ValueError, RuntimeError):  # a name that no file can have; an unknown user
        return
    if path is None:
        return
    yield text, path
    beside = path.with_suffix(BESIDE.get(path.suffix.lower(), path.suffix))
    if beside != path and beside.is_file():
        yield f"{text} ({beside.name})", beside


def _asset(name: str) -> Iterator[tuple[str, Path]]:
    if name in assets.assets() and assets.is_here(name):
        yield name, assets.path(name)


def _package(name: str) -> Iterator[tuple[str, Path]]:
    """Yield a spaCy pipeline installed as a package."""
    try:
        spec = find_spec(name) if name.isidentifier() else None
    except (ImportError, ValueError):
        return
    if spec is not None and spec.origin is not None:
        yield name, Path(spec.origin).parent


def _hub(name: str, argument: str) -> Iterator[tuple[str, Path]]:
    """Yield a model of the hub, identified by the cached commit of its branch."""
    from hybridsem.embeddings._hub import locate

    if os.path.isdir(here := locate(name)):
        yield name, Path(here)
        return
    if not _HUB_NAME.fullmatch(name):
        return
    try:
        from huggingface_hub import constants
    except ImportError:  # without the extra nothing is read
        return
    named = re.search(r",revision=([^,=]*)", argument)
    revision = named[1] if named else "main"
    if not re.fullmatch(r"[0-9a-f]{40}", revision):  # a commit is its own content
        folder = Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
        yield f"{name}@{revision}", folder / "refs" / revision
