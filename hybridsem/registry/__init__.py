"""Models and their parts by name.

A model is a combiner over a parser, word vectors and a sentence encoder, each of which can be
replaced. A part is named (``embedded``), named with an argument (``spacy:en_core_web_sm``), or
given as an object.

    spec.py                                        what is written down about a model
    structure_models.py, graphs.py, graph_metrics.py, arithmetic.py, strings.py, presets.py
                                                   tables of models
    parsers.py, word_vectors.py, encoders.py       the parts
    protocols.py                                   what the parts must be able to do
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from hybridsem.errors import UnknownNameError
from hybridsem.registry import (
    arithmetic,
    graph_metrics,
    graphs,
    presets,
    strings,
    structure_models,
)
from hybridsem.registry.encoders import adhoc_model, encoder
from hybridsem.registry.parsers import parser
from hybridsem.registry.protocols import FittedEncoder, Parser, SentenceEncoder
from hybridsem.registry.spec import ModelSpec
from hybridsem.registry.word_vectors import vectors

__all__ = [
    "FittedEncoder",
    "ModelSpec",
    "Parser",
    "SentenceEncoder",
    "encoder",
    "model",
    "models",
    "parser",
    "vectors",
]


def models() -> Mapping[str, ModelSpec]:
    """All models by name, the default first.

    >>> next(iter(models())), "verbnet-cn" in models()
    ('hybrid', True)
    """
    return MappingProxyType({**_own(), **presets.rows()})


@cache
def _own() -> Mapping[str, ModelSpec]:
    """The models but for the presets, whose file takes long to read."""
    tables = structure_models, graphs, graph_metrics, arithmetic, strings
    return {spec.name: spec for spec in itertools.chain.from_iterable(t.MODELS for t in tables)}


def model(name: str) -> ModelSpec:
    """The model of that name, or the cosine over the encoder that is written so. ``name``: one of
    :func:`models`, or ``kind:argument`` such as ``transformer:FOLDER``. Raises
    :class:`UnknownNameError` (there is none; the message suggests the nearest).

    >>> model("verbnet-cn").needs
    'embedded'
    """
    if isinstance(name, str):
        if (spec := _own().get(name) or presets.rows().get(name)) is not None:
            return spec
        if (spec := adhoc_model(name)) is not None:
            return spec
    raise UnknownNameError("model", name, models())
