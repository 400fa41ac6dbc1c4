"""Reading a part that was named, or given as an object."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from hybridsem.errors import InputError, UnknownNameError, redacted

_OPTION = re.compile(r",([a-z_]+)=([^,=]*)$")


def argument_of(part: object, argument: str, example: str) -> str:
    if not argument:
        raise InputError(f"{part!r} needs an argument; write for instance {example!r}")
    return argument


def options_of(argument: str, allowed: Iterable[str]) -> tuple[str, dict[str, str]]:
    """An argument and the options written after it.

    >>> options_of("bert-base-uncased,pooling=cls,layers=0", ["layers", "pooling"])
    ('bert-base-uncased', {'pooling': 'cls', 'layers': '0'})
    """
    options: dict[str, str] = {}
    while match := _OPTION.search(argument):
        name, value = match.groups()
        if name not in allowed:
            raise UnknownNameError("option", name, allowed)
        if name in options:
            raise InputError(f"the option {name!r} is given twice")
        options = {name: value} | options
        argument = argument[: match.start()]
    return argument, options


def without_secrets(part: str) -> str:
    """A part as it may be kept and shown: an address in it without users, passwords and keys."""
    return redacted(part) if "://" in part else part


def given(kind: str, part: Any, protocol: Any, names: Iterable[str]) -> Any:
    """The object given, if it has the method that is needed; else an error that says what may be.

    Args:
        kind: ``encoder``, ``vectors`` or ``parser``.
        part: The object; a string is a name that is not known.
        protocol: What has the method.
        names: Those that are known.
    """
    if isinstance(part, str):
        raise UnknownNameError(kind, part, names)
    if isinstance(part, type) or not isinstance(part, protocol):
        method = {"encoder": "encode", "vectors": "embed", "parser": "parse"}[kind]
        raise InputError(
            f"{kind}= takes a name or an object with a method {method}(), got {part!r:.80}"
        )
    return part
