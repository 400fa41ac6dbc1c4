"""The files that a pipeline's parts are read from, known by what they hold.

A part is written ``kind:argument``, and a score depends on what lies behind the argument: a file or
folder, a downloaded asset, a spaCy package, a model in the hub's cache. Whatever in an argument is
one of these is a source, so that a new kind of part needs nothing here.
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
from hybridsem.registry.word_vectors import NUMBERBATCH

_SEPARATOR = re.compile(r"[:,=]")
_HUB_NAME = re.compile(r"(?:[\w.-]+/)?[\w.-]+")

SHIPPED = {"embedded", "verbnet"}
"""The parts of most models, known without reading the table of models."""

ASSETS = {"numberbatch": NUMBERBATCH, "large": "large"}
"""The parts without an argument that are downloaded."""

BESIDE = {".npy": ".txt", ".npz": ".txt", ".h5": ".txt", ".hdf5": ".txt"}
"""What is read beside a file although nobody wrote it: the texts of vectors."""


class Sources:
    """The sources of parts, as they were when this was made; parts given as objects have none.

    :meth:`contents` and :meth:`check` raise :class:`InputError` where one has changed since.
    """

    def __init__(self, parts: Iterable[str]) -> None:
        self._paths = dict(found for part in parts for found in _sources(part))
        self._stamps: dict[str, Stamp | None] = {
            name: stamp_of(path) for name, path in self._paths.items()
        }
        self._hashes: dict[str, str] = {}

    @property
    def unread(self) -> bool:
        """Whether a model is not in the hub's cache yet, into which its first use brings it."""
        return any(self._stamps[name] is None for name in self._paths)

    def look_again(self) -> None:
        """Take note of what was not there and has come."""
        for name, path in self._paths.items():
            if self._stamps[name] is None:
                self._stamps[name] = stamp_of(path)

    def contents(self) -> Mapping[str, str]:
        """The sha256 of each source by how it is written."""
        self.check()
        kept = assets.cache_folder() / "hashes"
        for name, path in self._paths.items():
            if self._stamps[name] is not None and name not in self._hashes:
                self._hashes[name] = self._hash(path, kept)
        self.check()
        return {name: self._hashes[name] for name in sorted(self._hashes)}

    def check(self) -> None:
        """Look whether all sources are still what they were."""
        for name, path in self._paths.items():
            before, now = self._stamps[name], stamp_of(path)
            if before is None or before == now:
                continue
            if now is None or self._hashes.get(name) != self._hash(path):
                raise InputError(
                    f"{str(path)!r} has changed since the pipeline was made; make it anew, "
                    "or run the command again"
                )
            self._stamps[name] = now

    def _hash(self, path: Path, kept: Path | None = None) -> str:
        try:
            return content_hash(path, kept)
        except OSError as error:
            raise InputError(f"cannot read {str(path)!r}: {reason(error)}") from error


def _sources(part: str) -> Iterator[tuple[str, Path]]:
    """The sources in a part: how each is written, and where it is."""
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
    if not colon or "://" in argument:  # a service is no file
        return
    signs = [found.start() for found in _SEPARATOR.finditer(argument)]
    starts, ends = [0, *(sign + 1 for sign in signs)], [*signs, len(argument)]
    for start in starts:
        for end in ends:
            if start < end:
                # An option may be a file; a folder of the same name as its value is chance.
                yield from _path(argument[start:end], not start or argument[start - 1] == ":")
    first = argument.partition(",")[0]
    if ":" in first:  # an encoder in an encoder
        yield from _sources(argument)
    elif kind == "standardised":
        yield from _sources(first)
    if kind in ("spacy", "spacy-roles"):
        yield from _package(first)
    elif kind == "transformer":
        yield from _hub(first, argument)
    yield from _asset(first)


def _path(text: str, folders: bool) -> Iterator[tuple[str, Path]]:
    """A file, or a folder if there may be one, and what is read beside it."""
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
    """A spaCy pipeline that is installed as a package."""
    try:
        spec = find_spec(name) if name.isidentifier() else None
    except (ImportError, ValueError):
        return
    if spec is not None and spec.origin is not None:
        yield name, Path(spec.origin).parent


def _hub(name: str, argument: str) -> Iterator[tuple[str, Path]]:
    """A model of the hub, known by the commit that its branch has in the cache."""
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
