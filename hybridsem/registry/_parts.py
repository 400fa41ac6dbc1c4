"""Reading a part that was named, or given as an object."""

from __future__ import annotations

from typing import Any

from hybridsem.errors import InputError, UnknownNameError

__all__ = ["argument_of", "given"]


def argument_of(part: object, argument: str, example: str) -> str:
    if not argument:
        raise InputError(f"{part!r} needs an argument; write for instance {example!r}")
    return argument


def given(kind: str, part: Any, protocol: Any, names: set[str]) -> Any:
    """The object given, if it has the method that is needed."""
    if isinstance(part, str):
        raise UnknownNameError(kind, part, names)
    if isinstance(part, type) or not isinstance(part, protocol):
        method = {"encoder": "encode", "vectors": "embed", "parser": "parse"}[kind]
        raise InputError(f"{kind}= takes a name or an object with a method {method}(), got {part!r:.80}")
    return part
