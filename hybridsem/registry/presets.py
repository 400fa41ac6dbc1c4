"""The named encoders of the literature: rows of ``presets.toml``, a name for an encoder and what is known of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from hybridsem.registry.spec import ModelSpec, cosine

__all__ = ["rows"]


@cache
def rows() -> Mapping[str, ModelSpec]:
    """The presets by name, in the order of the file, each a model that is the cosine over its encoder."""
    table = tomllib.loads(files("hybridsem.registry").joinpath("presets.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: _spec(name, dict(row)) for name, row in table.items()})


def _spec(name: str, row: dict[str, object]) -> ModelSpec:
    row["rows"] = tuple(row.get("rows", ()))  # type: ignore[arg-type]
    return ModelSpec(name=name, build=cosine(name), **row)  # type: ignore[arg-type]
