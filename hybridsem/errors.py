"""The exception tree: every error that hybridsem raises deliberately is a :class:`HybridSemError`.

Its messages contain no keys and are at most a page long.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

__all__ = [
    "AssetError",
    "FormatError",
    "HybridSemError",
    "InputError",
    "MissingExtraError",
    "ParseError",
    "ServiceError",
    "UnknownNameError",
    "counted",
    "listed",
    "redacted",
]


MANY = 30
"""The most names in a message."""

LONGEST = 4000
"""The most characters of a message; the middle of a longer one is left out."""

HIDDEN = "…"
_USER = re.compile(r"(?<=://)[^\s/?#\"'<>\\]*@")
_PARAMETER = re.compile(r"([?&;])([^=&#\s\"'<>]{1,64})=([^&;#\s\"'<>,]+)")
_SECRET = re.compile(r"key|token|secret|pass|pwd|auth|sig|cred|code|session", re.IGNORECASE)
_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$")
CLOSE = 0.65
"""The least similarity of a name that is suggested, from 0 to 1 (``difflib``)."""
SHORTEST = 8
"""The least characters of a secret variable's value; shorter ones would hide words."""


def redacted(text: str, *secrets: str) -> str:
    """Return the text without secrets: users, passwords and keys in addresses, the values of
    environment variables with the name of a key, and any other ``secrets``.

    >>> redacted("api:http://me:word@host/v1?api_key=K1&page=2")
    'api:http://…@host/v1?api_key=…&page=2'
    """
    values = {
        value.strip()
        for name, value in os.environ.items()
        if _VARIABLE.search(name) and len(value.strip()) >= SHORTEST
    }
    for value in sorted({*values, *filter(None, secrets)}, key=len, reverse=True):
        for form in (value, quote(value, safe="")):
            text = text.replace(form, HIDDEN)
    if "://" in text:
        text = _USER.sub(f"{HIDDEN}@", text)
    return _PARAMETER.sub(_without_value, text) if "=" in text else text


def _without_value(found: re.Match[str]) -> str:
    sign, name, _ = found.groups()
    return f"{sign}{name}={HIDDEN}" if _SECRET.search(name) else found[0]


def _page(text: str) -> str:
    """Shorten a text to :data:`LONGEST`."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]} [{len(text) - 2 * half:,} characters] {text[-half:]}"


class HybridSemError(Exception):
    """The root of the tree."""

    def __init__(self, *args: object) -> None:
        shown = (_page(redacted(arg)) if isinstance(arg, str) else arg for arg in args)
        super().__init__(*shown)

    def __reduce__(self) -> tuple[Any, ...]:
        # The arguments of subclasses' constructors are lost, so they cannot be called again.
        return _unpickled, (type(self), self.args, self.__dict__)


def _unpickled(
    kind: type[HybridSemError], args: tuple[object, ...], state: dict[str, Any]
) -> HybridSemError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InputError(HybridSemError, ValueError):
    """An unusable text or argument: not a string, blank, out of range."""


class FormatError(InputError):
    """A faulty file; the message names its line, or the row of a table.

    Args:
        message: The fault.
        path: The file, if known.
        line: The line from 1, if the fault has a single one.
        unit: What ``line`` counts.

    >>> print(FormatError("the score is not a number", "pairs.csv", 3))
    pairs.csv, line 3: the score is not a number
    """

    def __init__(
        self, message: str, path: object = None, line: int | None = None, unit: str = "line"
    ) -> None:
        self.path, self.line = path, line
        where = f"{path}" if path is not None else ""
        if line is not None:
            where += f", {unit} {line}" if where else f"{unit} {line}"
        super().__init__(f"{where}: {message}" if where else message)


class ParseError(HybridSemError):
    """A sentence that a parser cannot analyse.

    ``rows`` are the numbers from 0 of the compared items, if known; ``reason`` is the message
    without them.
    """

    def __init__(self, reason: str, where: str = "", rows: tuple[int, ...] = ()) -> None:
        super().__init__(f"{where}{reason}")
        self.reason, self.rows = reason, rows


class AssetError(HybridSemError):
    """A weight or data file that is missing, damaged or unexpected."""


class ServiceError(HybridSemError):
    """A network service that refuses, fails, or gives an unexpected answer."""


class MissingExtraError(HybridSemError, ImportError):
    """A missing optional library; the message has the command that installs it."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed; run: pip install 'hybridsem[{extra}]'")


def listed(names: Iterable[object]) -> str:
    """Return names in quotes, each cut to 80 characters, and the number of those beyond 30."""
    given = list(names)
    more = f" and {len(given) - MANY:,} more" if len(given) > MANY else ""
    return ", ".join(f"{name!r:.80}" for name in given[:MANY]) + more


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 text``, ``2,000 texts``."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


class UnknownNameError(InputError, KeyError):
    """An unknown name; the message suggests the nearest ones if they are close.

    >>> print(UnknownNameError("model", "hybird", ["hybrid", "embedded"]))
    unknown model, got 'hybird'. Did you mean 'hybrid'? Known: embedded, hybrid
    """

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        from difflib import get_close_matches

        known = list(known)
        plain = {each.lower(): each for each in known}
        wanted = name.lower() if isinstance(name, str) else ""
        # The arguments of names such as glove:FILE are no part of the name.
        kinds = {each.partition(":")[0]: plain[each] for each in reversed(plain)}
        close = get_close_matches(wanted.partition(":")[0], kinds, n=4, cutoff=CLOSE)
        near = [kinds[each] for each in close]
        hint = f" Did you mean {near[0]!r}?" if near else ""
        if len(known) <= MANY:
            listed = ", ".join(sorted(known))
        else:
            some = near if len(near) > 1 else known[:4]
            listed = (
                f"{', '.join(some)} and {len(known) - len(some)} more; `hybridsem models` "
                "lists them"
            )
        super().__init__(f"unknown {kind}, got {name!r}.{hint} Known: {listed}")

    __str__ = Exception.__str__  # KeyError would print the message in quotes
