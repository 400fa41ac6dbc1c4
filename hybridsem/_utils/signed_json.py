"""JSON files with a schema and a checksum, so that a damaged file is never used.

They are plain JSON without NaN and infinity.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from typing import Any

from hybridsem._utils.disk import missing_advice, reason
from hybridsem._utils.safe_read import read_bytes
from hybridsem.errors import FormatError


def signed(content: Mapping[str, object], schema: str) -> dict[str, object]:
    """Return the content with its schema and checksum."""
    return {"schema": schema, "sha256": digest(content), **content}


def read_signed(path: str | os.PathLike[str], schema: str, advice: str) -> dict[str, Any]:
    """Read a file of :func:`signed` content. Raises :class:`FormatError` if it cannot be read, has
    another schema, or was changed. ``advice`` is the error's text, with {} for the fault.
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
        raise FormatError(advice.format("it is not JSON"), path) from None
    if not isinstance(data, dict) or data.get("schema") != schema:
        found = data.get("schema") if isinstance(data, dict) else None
        raise FormatError(advice.format(f"its schema is {found!r}, not {schema!r}"), path)
    content = {name: value for name, value in data.items() if name not in ("schema", "sha256")}
    if data.get("sha256") != digest(content):
        raise FormatError(advice.format("it was changed after it was written"), path)
    return content


def digest(content: Mapping[str, object]) -> str:
    """Return the checksum of a content."""
    return hashlib.sha256(
        json.dumps(content, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    ).hexdigest()


def _finite(number: str) -> float:
    if not math.isfinite(value := float(number)):
        raise ValueError(f"{number:.40} is not a finite number")
    return value


def _whole(number: str) -> int:
    _finite(number)
    return int(number)
