"""The named encoders of the literature: rows of ``presets.toml``, a name for an encoder and what is
known of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from hybridsem._utils.tables import read_table
from hybridsem.registry.spec import ModelSpec, cosine

BLANK = "{}"
"""Stands in a row's encoder for what the user adds: ``gensen:FILE``."""


@cache
def _table() -> dict[str, dict[str, Any]]:
    return read_table(__file__)


@cache
def rows() -> Mapping[str, ModelSpec]:
    """The presets by name, in the file's order, each a model: the cosine over its encoder."""
    return MappingProxyType(
        {
            name: ModelSpec(
                **row
                | {"name": name, "encoder": name, "build": cosine(name), "rows": tuple(row["rows"])}
            )
            for name, row in _table().items()
        }
    )


def written(name: str) -> str | None:
    """What a preset's name stands for, as ``kind:argument``; None where there is no such preset."""
    return _table()[name]["encoder"] if name in _table() else None
