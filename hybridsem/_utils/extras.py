"""Libraries that come with an extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hybridsem.errors import MissingExtraError

__all__ = ["extra"]


@contextmanager
def extra(library: str, name: str) -> Iterator[None]:
    """An import of ``library`` in the body, whose failure says which extra brings it:
    :class:`MissingExtraError`.
    """
    try:
        yield
    except ImportError as error:
        raise MissingExtraError(library, name) from error
