"""Models by name: each is a combiner over a parser, word vectors and a sentence encoder that can be exchanged.

A part is named (``embedded``), named with an argument (``spacy:en_core_web_sm``), or given as an object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from hybridsem.combiners import PAIRINGS, VERBNET_WEIGHTS, Combiner, Normalise, RoleCombiner, SentenceCombiner
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords, WordVectors
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.fusion import HybridCombiner
from hybridsem.structures import Parsed

__all__ = ["ModelSpec", "Parser", "SentenceEncoder", "encoder", "model", "models", "parser", "vectors"]


@runtime_checkable
class Parser(Protocol):
    """Sentences to role structures: as many results as sentences, in their order."""

    def parse(self, sentences: list[str]) -> list[Parsed]:
        """A structure, or a failure that says why there is none, for every sentence."""
        ...


@runtime_checkable
class SentenceEncoder(Protocol):
    """Sentences to vectors."""

    def encode(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """(n, d) float32, row i for sentence i."""
        ...


@dataclass(frozen=True)
class ModelSpec:
    """A named model: what it is, what it needs, where it is from, and how its combiner is made."""

    name: str
    summary: str
    needs: str
    licence: str
    reference: str
    build: Callable[[WordVectors, Normalise | None], Combiner]


def _verbnet(vectors: WordVectors, normalise: Normalise | None) -> RoleCombiner:
    return RoleCombiner("verbnet-cn", vectors, VERBNET_WEIGHTS, normalise or "matched", pairings=PAIRINGS)


def _cosine(vectors: WordVectors, normalise: Normalise | None) -> SentenceCombiner:
    if normalise is not None:
        raise InputError(f"normalise= is for models that compare roles, and 'embedded' does not; got {normalise!r}")
    return SentenceCombiner("embedded")


_FODOR = "Fodor, De Deyne & Suzuki 2024"
_WEIGHTS = "Apache-2.0; parser weights CC BY-SA 4.0"
_MODELS = (
    ModelSpec(
        "hybrid",
        "sentence cosine, corrected where words have changed roles (the default)",
        "embedded",
        _WEIGHTS,
        "hybridsem.fusion",
        lambda vectors, normalise: HybridCombiner("hybrid", _verbnet(vectors, normalise)),
    ),
    ModelSpec(
        "verbnet-cn",
        "weighted mean of the cosines of fillers of the eight VerbNet-style roles",
        "embedded",
        _WEIGHTS,
        f"{_FODOR}, Eq. 2",
        _verbnet,
    ),
    ModelSpec(
        "dependency-cn",
        "mean cosine of words over the union of both sentences' paths of relations",
        "embedded",
        _WEIGHTS,
        f"{_FODOR}, the form of Eq. 3",
        lambda vectors, normalise: RoleCombiner(
            "dependency-cn", vectors, {}, normalise or "union", formalism="dependency"
        ),
    ),
    ModelSpec(
        "embedded",
        "cosine of the embedded encoder's sentence vectors",
        "embedded",
        "Apache-2.0",
        "all-MiniLM-L6-v2 in 8 bit",
        _cosine,
    ),
)


def models() -> Mapping[str, ModelSpec]:
    """All models by name, the default first."""
    return MappingProxyType({spec.name: spec for spec in _MODELS})


def model(name: str) -> ModelSpec:
    """The model of that name; :class:`UnknownNameError` suggests the nearest."""
    if not isinstance(name, str) or name not in models():
        raise UnknownNameError("model", name, models())
    return models()[name]


def encoder(part: str | SentenceEncoder | None) -> Any:
    """A sentence encoder by name, or the object given."""
    if part is None or part == "embedded":
        return EmbeddedEncoder()
    return _given("encoder", part, SentenceEncoder, {"embedded"})


def vectors(part: str | WordVectors | None, shared: EmbeddedEncoder | None) -> WordVectors:
    """Word vectors by name, or the object given; the embedded ones use the ``shared`` encoder."""
    if part is None or part == "embedded":
        return EmbeddedWords(shared)
    given: WordVectors = _given("vectors", part, WordVectors, {"embedded"})
    return given


def parser(part: str | Parser | None, formalism: str, shared: EmbeddedEncoder | None) -> Any:
    """A parser for ``formalism`` by name, or the object given.

    ``embedded``, ``spacy:NAME`` (any spaCy pipeline), and ``precomputed:ROLES.json,PAIRS.txt`` (the files of the STS3k
    release). An object that has ``trees`` and no ``parse`` gives the trees from which roles are read.
    """
    if not isinstance(part, (str, type)) and hasattr(part, "trees") and not hasattr(part, "parse"):
        return _over_trees(part, formalism)
    if part is None or part == "embedded":
        from hybridsem.parsers.embedded import EmbeddedTrees

        return _over_trees(EmbeddedTrees(shared), formalism)
    kind, _, argument = part.partition(":") if isinstance(part, str) else ("", "", "")
    if kind == "spacy":
        from hybridsem.parsers.spacy import SpacyTrees

        return _over_trees(SpacyTrees(_argument(part, argument, "spacy:en_core_web_sm")), formalism)
    if kind == "precomputed":
        from hybridsem.parsers.precomputed import PrecomputedParser

        if formalism != "verbnet":
            raise InputError(f"{part!r} gives VerbNet-style roles, and this model reads {formalism} structures")
        roles, comma, pairs = _argument(part, argument, "precomputed:roles.json,pairs.txt").partition(",")
        if not comma:
            raise InputError(f"precomputed needs two files, got {part!r}; write precomputed:roles.json,pairs.txt")
        return PrecomputedParser.from_release(roles, pairs)
    return _given("parser", part, Parser, {"embedded", "precomputed:ROLES,PAIRS", "spacy:NAME"})


def _over_trees(trees: Any, formalism: str) -> Any:
    from hybridsem.parsers.dependency import DependencyParser
    from hybridsem.parsers.verbnet import VerbNetParser

    return {"verbnet": VerbNetParser, "dependency": DependencyParser}[formalism](trees)


def _argument(part: object, argument: str, example: str) -> str:
    if not argument:
        raise InputError(f"{part!r} needs an argument; write for instance {example!r}")
    return argument


def _given(kind: str, part: Any, protocol: Any, names: set[str]) -> Any:
    """The object given, if it has the method that is needed."""
    if isinstance(part, str):
        raise UnknownNameError(kind, part, names)
    if isinstance(part, type) or not isinstance(part, protocol):
        method = {"encoder": "encode", "vectors": "embed", "parser": "parse"}[kind]
        raise InputError(f"{kind}= takes a name or an object with a method {method}(), got {part!r:.80}")
    return part
