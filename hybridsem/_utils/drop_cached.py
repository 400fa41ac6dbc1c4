"""A base class whose copies do not carry cached properties."""

from __future__ import annotations

from functools import cached_property
from typing import Any


class DropCached:
    """Leave cached properties (sessions, tokenisers, tables) out of copies and pickles. A copy
    reads them again when it needs them.
    """

    def __getstate__(self) -> dict[str, Any]:
        kind = type(self)
        return {
            name: value
            for name, value in self.__dict__.items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }
