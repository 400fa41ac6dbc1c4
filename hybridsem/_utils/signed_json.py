"""JSON files with a schema and a checksum of all the rest, so that a damaged one is not used.

Plain JSON without NaN and infinity: nothing in it is run.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from hybridsem._utils.disk import missing_advice, reason
from hybridsem._utils.doors import read_bytes
from hybridsem.errors import FormatError


def signed(content: Mapping[str, Any], schema: str) -> dict[str, Any]:
    """The content with its schema and checksum before it."""
    return {"schema": schema, "sha256": digest(content), **content}


def read_signed(path: str | os.PathLike[str], schema: str, advice: str) -> dict[str, Any]:
    """What :func:`signed` was given, from a file. ``advice`` is what an error says, with {} in the
    place of what is wrong.

    Raises :class:`FormatError` where it cannot be read, is of another schema, or was changed.
    """
    try:
        data = json.loads(
            read_bytes(path), parse_float=_finite, parse_constant=_finite, parse_int=_whole
        )
    except OSError as error:
        raise FormatError(
            f"cannot be read ({reason(error)}){missing_advice(path, error)}", path
        ) from error
    except (ValueError, RecursionError):
        raise FormatError(advice.format("it is no JSON"), path) from None
    if not isinstance(data, dict) or data.get("schema") != schema:
        found = data.get("schema") if isinstance(data, dict) else None
        raise FormatError(advice.format(f"its schema is {found!r}, and not {schema!r}"), path)
    content = {name: value for name, value in data.items() if name not in ("schema", "sha256")}
    if data.get("sha256") != digest(content):
        raise FormatError(advice.format("it was changed after it was written"), path)
    return content


def digest(content: Mapping[str, Any]) -> str:
    """The checksum of a content."""
    return hashlib.sha256(
        json.dumps(content, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    ).hexdigest()


def _finite(number: str) -> float:
    """A number of the file, which has no NaN and no infinity."""
    if not math.isfinite(value := float(number)):
        raise ValueError(f"{number:.40} is no finite number")
    return value


def _whole(number: str) -> int:
    _finite(number)
    return int(number)


@contextmanager
def signed_content(
    path: str | os.PathLike[str], schema: str, advice: str
) -> Iterator[dict[str, Any]]:
    """As :func:`read_signed`; what is wrong with the content within the body is such an error."""
    content = read_signed(path, schema, advice)
    try:
        yield content
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(advice.format(f"{type(error).__name__}: {error}"), path) from None
