"""The arguments of a pipeline, and the files among them that were made for certain parts."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from hybridsem import registry
from hybridsem._utils.disk import sha256_of
from hybridsem.combiners.frames import Frames
from hybridsem.comparison.role_alignment import Normalise
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import InputError
from hybridsem.pair_reader.base import PairReader
from hybridsem.registry.parts import options_of, without_secrets

File = str | os.PathLike[str]
ContentT = TypeVar("ContentT")

FIRST_PARSER = "embedded"
"""The parser of every model of 0.1.0: caches, runs and weights do not name it."""


@dataclass(frozen=True)
class Arguments:
    """The arguments of a :class:`~hybridsem.Pipeline`; None for those that were not given.

    A file's entry becomes ``FILE,sha=HASH`` when it is read.
    """

    model: str = "hybrid"
    parser: str | registry.Parser | None = None
    vectors: str | WordVectors | None = None
    encoder: str | registry.SentenceEncoder | None = None
    normalise: Normalise | None = None
    frames: Frames | None = None
    rules: File | None = None
    phrases: File | None = None
    pair_reader: str | PairReader | None = None
    scale: File | None = None
    weights: File | None = None
    calibration: File | None = None
    text: str | None = None

    def given(self) -> dict[str, Any]:
        """Return the arguments that were given, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def named(self) -> dict[str, str]:
        """Return the name of each argument, with secrets; ``<Type>`` for an object. The model's own
        parser is named unless it is ``embedded``.
        """
        parser = registry.model(self.model).parser
        own = {} if parser == FIRST_PARSER else {"parser": parser}
        return own | {
            name: value
            if isinstance(value, str)
            else f"<{type(value).__module__}.{type(value).__qualname__}>"
            for name, value in self.given().items()
        }

    @property
    def settings(self) -> dict[str, str]:
        """:meth:`named`, without the users, passwords and keys in addresses."""
        return {name: without_secrets(value) for name, value in self.named().items()}

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The parts given as objects, which another process cannot make by name."""
        return tuple(name for name, value in self.given().items() if not isinstance(value, str))


def named_file(name: str, given: File, read: Callable[[str], ContentT]) -> tuple[ContentT, str]:
    """Return the content of a file, or of ``FILE,sha=HASH``, and its entry in the settings."""
    path, options = options_of(str(given), {"sha": str})
    content, sha = read(path), sha256_of(Path(path))
    if options and options["sha"] != sha:
        raise InputError(f"the {name} {path!r} was changed since it was named")
    return content, f"{path},sha={sha}"
