"""Copies of what is read when it is first used."""

from __future__ import annotations

from functools import cached_property
from typing import Any


class DropCached:
    """Its cached properties (sessions, tokenisers, tables) are not copied and not pickled: a copy
    reads them when it needs them.
    """

    def __getstate__(self) -> dict[str, Any]:
        kind = type(self)
        return {
            name: value
            for name, value in self.__dict__.items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }
