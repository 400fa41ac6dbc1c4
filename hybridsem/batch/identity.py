"""The settings on which scores depend, and a copy of the pipeline in another process."""

from __future__ import annotations

import functools
import platform
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

import hybridsem
from hybridsem._utils.contents import code_hash
from hybridsem._utils.tables import word_set
from hybridsem.errors import InputError
from hybridsem.pipeline import Pipeline
from hybridsem.reader import Reader

ModelT = TypeVar("ModelT")
# The libraries that may compute a score.
LIBRARIES = word_set(
    "amrlib gensim numpy onnxruntime penman pot rapidfuzz regex scipy "
    "sentence-transformers smatch spacy tiktoken tokenizers torch transformers"
)


def settings_of(model: object) -> dict[str, object]:
    """Return all on which scores depend: parts, weights, files, the code and its libraries."""
    parts = model.parts if isinstance(model, Reader) else model
    contents = dict(getattr(parts, "contents", {}))
    about = dict(getattr(getattr(parts, "combiner", None), "card", {}))
    return {
        **getattr(parts, "settings", {"model": type(parts).__name__}),
        **({"contents": contents} if contents else {}),
        **({"combiner": about} if about else {}),
        "versions": _versions(),
    }


@functools.cache
def _versions() -> dict[str, str]:
    python = ".".join(platform.python_version_tuple()[:2])  # determines Unicode's tables
    found = {"hybridsem": hybridsem.__version__, "code": code_hash()[:16], "python": python}
    for name in sorted(LIBRARIES):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found | {"machine": platform.machine()}


def named_settings(model: object, why: str) -> dict[str, object]:
    """Return the settings of a model; raise :class:`InputError` for unnamed parts."""
    settings = settings_of(model)
    given = model.parts.arguments if isinstance(model, Reader) else model
    if parts := getattr(given, "unnamed", ()):
        raise InputError(f"{why}, so parts must have names, and {parts[0]} is {settings[parts[0]]}")
    return settings


def maker_of(model: ModelT) -> Callable[[], ModelT]:
    """Return a function that makes the same model, of named parts, in another process."""
    settings = named_settings(model, "other processes make their own pipeline")
    make: Callable[[], Any] = functools.partial(type(model), **dict(getattr(model, "settings", {})))
    if isinstance(model, Pipeline):  # its arguments include keys, which settings leave out
        make = functools.partial(type(model), **model.arguments.given())
    elif isinstance(model, Reader):
        make = functools.partial(type(model), model.parts.arguments)
    return functools.partial(_made, make, settings)


def _made(make: Callable[[], ModelT], settings: dict[str, object]) -> ModelT:
    model = make()
    if (change := difference(settings, settings_of(model))) is not None:
        raise InputError(f"another process has a different pipeline: {change}")
    return model


def difference(
    found: Mapping[str, object], wanted: Mapping[str, object], path: str = ""
) -> str | None:
    """Return the first difference between two nested mappings, in words, or None."""
    for name in [*found, *(name for name in wanted if name not in found)]:
        old, new = found.get(name), wanted.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            if deeper := difference(old, new, f"{path}{name}."):
                return deeper
        elif old != new:
            return f"{path}{name} was {old!r} and is now {new!r}"
    return None
