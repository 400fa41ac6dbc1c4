"""What scores depend on besides the sentences, and making the same pipeline elsewhere."""

from __future__ import annotations

import functools
import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import hybridsem
from hybridsem._utils.contents import code_hash
from hybridsem.batch.work import Scorer
from hybridsem.errors import InputError

LIBRARIES = (
    "amrlib",
    "gensim",
    "h5py",
    "nltk",
    "numpy",
    "onnxruntime",
    "penman",
    "pot",
    "rapidfuzz",
    "regex",
    "scipy",
    "sentence-transformers",
    "smatch",
    "spacy",
    "tiktoken",
    "tokenizers",
    "torch",
    "transformers",
)
"""Those that a score may come from, where they are installed."""


def settings_of(pipeline: Scorer) -> dict[str, Any]:
    """What scores depend on: the model, parts and weights, the contents of their files, the code
    and its libraries.
    """
    contents = dict(getattr(pipeline, "contents", {}))
    about = dict(getattr(getattr(pipeline, "combiner", None), "card", {}))
    return {
        **getattr(pipeline, "settings", {"model": type(pipeline).__name__}),
        **({"contents": contents} if contents else {}),
        **({"combiner": about} if about else {}),
        "versions": _versions(),
    }


@functools.cache
def _versions() -> dict[str, str]:
    python = ".".join(platform.python_version_tuple()[:2])  # it brings Unicode's tables
    found = {"hybridsem": hybridsem.__version__, "code": code_hash()[:16], "python": python}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found | {"machine": platform.machine()}


def named_settings(pipeline: Scorer, why: str) -> dict[str, Any]:
    """The settings of a pipeline of named parts; else :class:`InputError` says ``why``."""
    settings = settings_of(pipeline)
    if parts := unnamed_parts(pipeline):
        raise InputError(f"{why}, so parts must have names, and {parts[0]} is {settings[parts[0]]}")
    return settings


def unnamed_parts(pipeline: Scorer) -> Sequence[str]:
    """The settings that only describe an object."""
    found: Sequence[str] = getattr(pipeline, "unnamed", ())
    return found


def maker_of(pipeline: Scorer) -> Callable[[], Scorer]:
    """What makes the same pipeline in another process; :class:`InputError` for unnamed parts.

    It raises :class:`InputError` where the other process has other files or another version.
    """
    settings = named_settings(pipeline, "other processes make their own pipeline")
    # Arguments have what settings leave out: keys.
    given = getattr(pipeline, "_arguments", None) or getattr(pipeline, "settings", {})
    return functools.partial(_made, type(pipeline), dict(given), settings)


def _made(kind: Callable[..., Scorer], given: dict[str, Any], settings: dict[str, Any]) -> Scorer:
    pipeline = kind(**given)
    if (found := difference(settings, settings_of(pipeline))) is not None:
        raise InputError(f"another process has not the same pipeline: {found}")
    return pipeline


def difference(found: Mapping[str, Any], wanted: Mapping[str, Any], path: str = "") -> str | None:
    """The first difference between two nested mappings, in words."""
    for name in [*found, *(name for name in wanted if name not in found)]:
        one, other = found.get(name), wanted.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            if deeper := difference(one, other, f"{path}{name}."):
                return deeper
        elif one != other:
            return f"{path}{name} was {one!r} and is now {other!r}"
    return None
