"""The methods that parts of a pipeline need, reading parts that are named or given as objects, and
the description of a model; word vectors are in ``embeddings.words``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from importlib import import_module
from typing import Any, Protocol, Self, runtime_checkable

from hybridsem._typing import Plain
from hybridsem._utils.tables import read_table
from hybridsem.combiners.base import Combiner
from hybridsem.combiners.sentence import SentenceCombiner
from hybridsem.comparison.role_alignment import Normalise
from hybridsem.embeddings.abilities import SentenceEncoder as SentenceEncoder
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import InputError, UnknownNameError, redacted
from hybridsem.structures import Parsed

NO_READER = "none"
"""The name of no pair reader, where the model has one."""
_METHODS = {"encoder": "encode", "vectors": "embed", "parser": "parse", "pair_reader": "read"}
"""The method of each kind of part."""
_OPTION = re.compile(r",([a-z_]+)=([^,=]*)$")


def imported(place: str) -> Any:
    """Return the object of the package that is written ``module:name``, imported when needed."""
    module, _, names = place.partition(":")
    return reduce(getattr, names.split("."), import_module(f"hybridsem.{module}"))


@dataclass(frozen=True)
class Kind:
    """A kind of encoder or parser: a row of ``kinds.toml``. ``build`` makes it from the text after
    the colon and the parts that a pipeline shares, and imports what it needs when called. ``form``
    shows the notation, ``example`` an argument too; without a colon in it, the kind needs none.
    """

    build: Callable[..., Any]
    example: str
    form: str = ""
    summary: str = ""
    needs: str = ""
    verbnet_only: bool = False

    def made(self, part: str, argument: str, *shared: object) -> Any:
        """Build the ``part``; :class:`InputError` if its argument is missing."""
        if ":" in self.example:
            argument = argument_of(part, argument, self.example)
        return self.build(argument, *shared)


def kinds(of: str, own: Mapping[str, Callable[..., Any]]) -> dict[str, Kind]:
    """Return the kinds of ``encoders`` or ``parsers``; a row without ``build`` is made by ``own``.
    With ``options``, a kind also takes the options after the argument, whose types its module has
    as ``OPTIONS``.
    """
    found = {}
    for name, row in read_table(__file__.replace("parts.py", "kinds.py"))[of].items():
        build, options = row.pop("build", None), row.pop("options", False)
        found[name] = Kind(partial(_late, build, options) if build else own[name], **row)
    return found


def _late(place: str, has_options: bool, argument: str, *_: object) -> Any:
    options: Plain = {}
    if has_options:
        allowed = imported(f"{place.partition(':')[0]}:OPTIONS")
        argument, options = options_of(argument, allowed)
    return imported(place)(argument, **options)


def argument_of(part: object, argument: str, example: str) -> str:
    """Return the argument; :class:`InputError` if it is missing."""
    if not argument:
        raise InputError(f"{part!r} needs an argument; write for instance {example!r}")
    return argument


def options_of(argument: str, allowed: Mapping[str, Callable[[str], Any]]) -> tuple[str, Plain]:
    """Split an argument from the options written after it, and read them by their types.

    >>> options_of("bert-base-uncased,pooling=cls,layers=0", {"layers": int, "pooling": str})
    ('bert-base-uncased', {'pooling': 'cls', 'layers': 0})
    """
    options: Plain = {}
    while match := _OPTION.search(argument):
        name, value = match.groups()
        if name not in allowed:
            raise UnknownNameError("option", name, allowed)
        if name in options:
            raise InputError(f"the option {name!r} is given twice")
        try:
            options = {name: allowed[name](value)} | options
        except ValueError:
            raise InputError(f"the option {name} must be a number, got {value!r}") from None
        argument = argument[: match.start()]
    return argument, options


def without_secrets(part: str) -> str:
    """Return a part for display: addresses without users, passwords and keys."""
    return redacted(part) if "://" in part else part


def given(kind: str, part: object, protocol: type, names: Iterable[str]) -> Any:
    """Return the object given; :class:`InputError` if it lacks the method of the ``protocol``."""
    if isinstance(part, str):
        raise UnknownNameError(kind, part, names)
    if isinstance(part, type) or not isinstance(part, protocol):
        raise InputError(
            f"{kind}= takes a name or an object with a method {_METHODS[kind]}(), got {part!r:.80}"
        )
    return part


@runtime_checkable
class Parser(Protocol):
    """Sentences to role structures: a result for each sentence, in order."""

    def parse(self, sentences: list[str]) -> list[Parsed]:
        """Return a structure, or a failure with its reason, for every sentence."""
        ...


@runtime_checkable
class FittedEncoder(SentenceEncoder, Protocol):
    """An encoder that must see all sentences of the data set once before it encodes. The owner of
    the data set calls ``fit`` if ``fitted`` is False.
    """

    @property
    def fitted(self) -> bool:
        """True once it has seen a data set."""
        ...

    def fit(self, sentences: Sequence[str]) -> Self:
        """Learn from the distinct sentences of a data set."""
        ...


Build = Callable[[WordVectors, Normalise | None], Combiner]


@dataclass(frozen=True)
class ModelSpec:
    """A named model: its description, requirements, origin, and the function that builds it.

    Attributes:
        name: As :func:`hybridsem.registry.model` finds it.
        summary: A description in one line.
        needs: ``embedded`` if the package has all it needs, else an extra, a download, a key.
        licence: The licence of its weights.
        reference: The paper.
        build: Returns the combiner.
        parser: The default parser.
        vectors: The default word vectors.
        encoder: The default encoder.
        pair_reader: The default pair reader, over the default encoder; "none" for none.
        dimension: Dimension of its sentence vectors; None if unknown, or without vectors.
        rows: The rows of the papers' tables that it reproduces.
    """

    name: str
    summary: str
    needs: str
    licence: str
    reference: str
    build: Build
    parser: str = "embedded"
    vectors: str = "embedded"
    encoder: str = "embedded"
    pair_reader: str = NO_READER
    dimension: int | None = None
    rows: tuple[str, ...] = ()


def cosine(name: str) -> Build:
    """Return the builder of a model that is the cosine of its encoder's sentence vectors."""
    return without_roles(name, lambda vectors: SentenceCombiner(name))


def without_roles(name: str, make: Callable[[WordVectors], Combiner]) -> Build:
    """Return the builder of a combiner that compares no roles and so has no ``normalise``."""

    def build(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
        if normalise is not None:
            raise InputError(
                f"normalise= is for models that compare roles, and {name!r} does not; got "
                f"{normalise!r}"
            )
        return make(vectors)

    return build
