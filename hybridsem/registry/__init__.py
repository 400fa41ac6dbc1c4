"""Models and their parts by name.

A model is a combiner over a parser, word vectors and a sentence encoder, each of which can be
replaced. A part is named (``embedded``), named with an argument (``spacy:en_core_web_sm``), or
given as an object.

    named.py, spec.py                              tables of models, and what is known of one
    parsers.py, word_vectors.py, encoders.py       the parts
    parts.py                                       what the parts must be able to do
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hybridsem.errors import UnknownNameError
from hybridsem.registry.encoders import adhoc_model, encoder
from hybridsem.registry.named import own, presets
from hybridsem.registry.parsers import parser
from hybridsem.registry.parts import FittedEncoder, Parser, SentenceEncoder
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
    return MappingProxyType({**own(), **presets()})


def model(name: str) -> ModelSpec:
    """The model of that name, or the cosine over the encoder that is written ``kind:argument``
    (``transformer:FOLDER``). :class:`UnknownNameError` suggests the nearest.

    >>> model("verbnet-cn").needs
    'embedded'
    """
    if isinstance(name, str):
        if (spec := own().get(name) or presets().get(name)) is not None:
            return spec
        if (spec := adhoc_model(name)) is not None:
            return spec
    raise UnknownNameError("model", name, models())
