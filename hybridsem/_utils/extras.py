"""Libraries that come with an extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hybridsem.errors import MissingExtraError


@contextmanager
def extra(library: str, name: str) -> Iterator[None]:
    """:class:`MissingExtraError` of the extra ``name`` where the body cannot import ``library``."""
    try:
        yield
    except ImportError as error:
        raise MissingExtraError(library, name) from error
