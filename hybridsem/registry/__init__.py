"""Models and their parts by name.

A model is a combiner over a parser, word vectors and a sentence encoder, each of which can be exchanged. A part is
named (``embedded``), named with an argument (``spacy:en_core_web_sm``), or given as an object.

    roles, …        tables of models; spec.py says what is written down about one
    parsers, word_vectors, encoders   the parts; protocols.py says what they must be able to do
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hybridsem.errors import UnknownNameError
from hybridsem.registry import roles
from hybridsem.registry.encoders import encoder
from hybridsem.registry.parsers import parser
from hybridsem.registry.protocols import Parser, SentenceEncoder
from hybridsem.registry.spec import ModelSpec
from hybridsem.registry.word_vectors import vectors

__all__ = ["ModelSpec", "Parser", "SentenceEncoder", "encoder", "model", "models", "parser", "vectors"]


def models() -> Mapping[str, ModelSpec]:
    """All models by name, the default first."""
    return MappingProxyType({spec.name: spec for spec in (*roles.MODELS,)})


def model(name: str) -> ModelSpec:
    """The model of that name; :class:`UnknownNameError` suggests the nearest."""
    if not isinstance(name, str) or name not in models():
        raise UnknownNameError("model", name, models())
    return models()[name]
