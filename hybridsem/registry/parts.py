"""What a part must be able to do to take its place in a pipeline, and reading one that was named or
given as an object; for word vectors, ``embeddings.words`` says it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, reduce
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

from hybridsem._typing import Float32Array
from hybridsem._utils.tables import read_table
from hybridsem.errors import InputError, UnknownNameError, redacted
from hybridsem.structures import Parsed

_OPTION = re.compile(r",([a-z_]+)=([^,=]*)$")


@cache
def _kinds() -> dict[str, Any]:
    return read_table(str(Path(__file__).with_name("kinds.py")))


def kinds(of: str) -> Mapping[str, Mapping[str, Any]]:
    """The kinds of ``encoders`` or ``parsers``, rows of ``kinds.toml``."""
    found: Mapping[str, Mapping[str, Any]] = _kinds()[of]
    return found


def late(row: Mapping[str, Any]) -> Callable[..., Any]:
    """What builds a part of its argument: the row's ``module:function``, imported when called.

    With ``options`` the function takes those written after the argument, which its module lists as
    ``OPTIONS``, as a mapping.
    """
    module, _, names = row["build"].partition(":")

    def build(argument: str, *_: Any) -> Any:
        home = import_module(f"hybridsem.{module}")
        found: Any = reduce(getattr, names.split("."), home)
        return found(*options_of(argument, home.OPTIONS)) if row.get("options") else found(argument)

    return build


def argument_of(part: object, argument: str, example: str) -> str:
    """The argument; :class:`InputError` where there is none."""
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


@runtime_checkable
class Parser(Protocol):
    """Sentences to role structures: as many results as sentences, in their order."""

    def parse(self, sentences: list[str]) -> list[Parsed]:
        """A structure, or a failure that says why there is none, for every sentence."""
        ...


@runtime_checkable
class SentenceEncoder(Protocol):
    """Sentences to vectors; what else an encoder may do is in ``embeddings.abilities``."""

    def encode(self, sentences: list[str]) -> Float32Array:
        """(n, d) float32, row i for sentence i."""
        ...


@runtime_checkable
class FittedEncoder(SentenceEncoder, Protocol):
    """An encoder that must see the sentences of the data set, all of them and once, before it
    encodes.

    Whoever has the data set calls ``fit`` where ``fitted`` is False. (``fit`` alone is no sign:
    other libraries' models train with a method of that name.)
    """

    @property
    def fitted(self) -> bool:
        """Whether it has seen a data set."""
        ...

    def fit(self, sentences: Sequence[str]) -> Self:
        """Learn what it needs from the distinct sentences of a data set."""
        ...
