"""One exception tree: everything that hybridsem raises on purpose is a :class:`HybridSemError`.

No message of it holds a key, and none is longer than a page: both are seen to here.
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
    "listed",
    "redacted",
]


MANY = 30
"""A message lists no more names than this."""


LONGEST = 4000
"""Characters of a message; of a longer one the middle is left out."""

HIDDEN = "…"
_USER = re.compile(r"(?<=://)[^\s/?#\"'<>\\]*@")
_PARAMETER = re.compile(r"([?&;])([^=&#\s\"'<>]{1,64})=([^&;#\s\"'<>,]+)")
_SECRET = re.compile(r"key|token|secret|pass|pwd|auth|sig|cred|code|session", re.IGNORECASE)
_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$")
SHORTEST = 8
"""Characters that the value of such a variable has at least; a shorter one would hide words."""


def redacted(text: str, *secrets: str) -> str:
    """The text without what is secret: users and passwords of addresses, their parameters that are
    called like keys, and values of environment variables that are called so.

    Args:
        text: Such as a message or an address.
        secrets: What else is to be hidden.

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
    """A text that is no longer than :data:`LONGEST`."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]} [{len(text) - 2 * half:,} characters] {text[-half:]}"


class HybridSemError(Exception):
    """The root of the tree.

    >>> from hybridsem import Pipeline
    >>> try:
    ...     Pipeline().similarity("A man sings.", " ")
    ... except HybridSemError as error:
    ...     print(type(error).__name__)
    InputError
    """

    def __init__(self, *args: object) -> None:
        shown = (_page(redacted(arg)) if isinstance(arg, str) else arg for arg in args)
        super().__init__(*shown)

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled as it is: what it was made from, of which its class makes the message, is gone.
        return _as_it_was, (type(self), self.args, self.__dict__)


def _as_it_was(
    kind: type[HybridSemError], args: tuple[object, ...], said: dict[str, Any]
) -> HybridSemError:
    """An error from its pickle."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(said)
    return error


class InputError(HybridSemError, ValueError):
    """A text or an argument that cannot be used: not a string, blank, out of range.

    >>> from hybridsem import Pipeline
    >>> Pipeline().similarity("It rains.", "")
    Traceback (most recent call last):
    hybridsem.errors.InputError: sentence 2: the text is empty or blank, got ''
    """


class FormatError(InputError):
    """A file that is not what it should be; the message names its line, or the row of a table.

    Args:
        message: What is wrong.
        path: The file; None: it has no name, or is not known.
        line: Of the file, from 1; None: the fault has no single place.
        unit: What ``line`` counts.

    >>> print(FormatError("the score is no number", "pairs.csv", 3))
    pairs.csv, line 3: the score is no number
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
    """A sentence for which a parser has no structure; ``rows`` are the numbers from 0 of what was
    compared, where they are known, and ``reason`` is the message without them.

    >>> error = ParseError("has no words", "pair 3: ", (3,))
    >>> str(error), error.reason, error.rows
    ('pair 3: has no words', 'has no words', (3,))
    """

    def __init__(self, reason: str, where: str = "", rows: tuple[int, ...] = ()) -> None:
        super().__init__(f"{where}{reason}")
        self.reason, self.rows = reason, rows


class AssetError(HybridSemError):
    """A weight or data file that is missing, damaged, or not the one that was expected.

    >>> isinstance(AssetError("not in the cache"), HybridSemError)
    True
    """


class ServiceError(HybridSemError):
    """A network service that refuses, fails, or answers something else than what was asked."""


class MissingExtraError(HybridSemError, ImportError):
    """A missing optional library; ``command`` installs one that is in no extra.

    >>> print(MissingExtraError("spacy", "spacy"))
    spacy is not installed; run: pip install 'hybridsem[spacy]'
    """

    def __init__(self, library: str, extra: str = "", *, command: str = "") -> None:
        super().__init__(
            f"{library} is not installed; run: " + (command or f"pip install 'hybridsem[{extra}]'")
        )


def listed(names: Iterable[object]) -> str:
    """Names in quotes; of more than :data:`MANY` the first, and how many more there are.

    Args:
        names: To be listed, in order; each is cut after 80 characters.

    >>> listed(["hybrid", "embedded"])
    "'hybrid', 'embedded'"
    """
    given = list(names)
    more = f" and {len(given) - MANY:,} more" if len(given) > MANY else ""
    return ", ".join(f"{name!r:.80}" for name in given[:MANY]) + more


class UnknownNameError(InputError, KeyError):
    """A name that is not registered; the message suggests the nearest ones.

    >>> print(UnknownNameError("model", "hybird", ["hybrid", "embedded"]))
    unknown model, got 'hybird'. Did you mean 'hybrid'? Known: embedded, hybrid
    """

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        from difflib import get_close_matches

        known = list(known)
        near = get_close_matches(name, known, n=4, cutoff=0.5) if isinstance(name, str) else []
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
