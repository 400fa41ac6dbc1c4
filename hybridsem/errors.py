"""One exception tree: everything that hybridsem raises on purpose is a :class:`HybridSemError`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "AssetError",
    "FormatError",
    "HybridSemError",
    "InputError",
    "MissingExtraError",
    "ParseError",
    "ServiceError",
    "UnknownNameError",
]


MANY = 30
"""A message lists no more names than this."""


class HybridSemError(Exception):
    """The root of the tree."""


class InputError(HybridSemError, ValueError):
    """A text or an argument that cannot be used: not a string, blank, out of range."""


class FormatError(InputError):
    """A file that is not what it should be; the message names its line, or the row of a table.

    Args:
        message: What is wrong.
        path: The file; None: it has no name, or is not known.
        line: Of the file, from 1; None: the fault has no single place.
        unit: What ``line`` counts.
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
    """A sentence for which a parser has no structure."""


class AssetError(HybridSemError):
    """A weight or data file that is missing, damaged, or not the one that was expected."""


class ServiceError(HybridSemError):
    """A network service that refuses, fails, or answers something else than what was asked."""


class MissingExtraError(HybridSemError, ImportError):
    """A missing optional library; ``command`` installs one that is in no extra."""

    def __init__(self, library: str, extra: str = "", *, command: str = "") -> None:
        super().__init__(
            f"{library} is not installed; run: " + (command or f"pip install 'hybridsem[{extra}]'")
        )


class UnknownNameError(InputError, KeyError):
    """A name that is not registered; the message suggests the nearest ones."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        known = list(known)
        near = (
            difflib.get_close_matches(name, known, n=4, cutoff=0.5) if isinstance(name, str) else []
        )
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
