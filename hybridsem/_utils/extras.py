"""Optional libraries, which extras install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hybridsem.errors import MissingExtraError


@contextmanager
def extra(library: str, name: str) -> Iterator[None]:
    """Raise :class:`MissingExtraError`, naming the extra, if the body cannot import ``library``."""
    try:
        yield
    except ImportError as error:
        raise MissingExtraError(library, name) from error
