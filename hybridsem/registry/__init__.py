"""Models and their parts by name.

A model is a combiner over a parser, word vectors and a sentence encoder, each of which can be
replaced. A part is named (``embedded``), named with an argument (``spacy:en_core_web_sm``), or
given as an object.

    named.py                                       the tables of models
    parsers.py, word_vectors.py, encoders.py, pair_readers.py       the parts
    parts.py                                       the methods of parts; the description of a model
    plugins.py                                     models and parts of other packages
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hybridsem.errors import UnknownNameError
from hybridsem.registry import encoders, named, parsers, plugins, word_vectors
from hybridsem.registry.encoders import adhoc_model, encoder
from hybridsem.registry.named import own, presets
from hybridsem.registry.pair_readers import pair_reader
from hybridsem.registry.parsers import parser
from hybridsem.registry.parts import FittedEncoder, ModelSpec, Parser, SentenceEncoder
from hybridsem.registry.plugins import register
from hybridsem.registry.word_vectors import vectors

__all__ = [
    "FittedEncoder",
    "ModelSpec",
    "Parser",
    "SentenceEncoder",
    "encoder",
    "model",
    "models",
    "names",
    "pair_reader",
    "parser",
    "register",
    "vectors",
]


def models() -> Mapping[str, ModelSpec]:
    """Return all models by name, the default first."""
    known = {**own(), **presets()}
    return MappingProxyType({**known, **plugins.models(known)})


def names(kind: str) -> list[str]:
    """Return the names that ``model``, ``parser``, ``encoder`` or ``vectors`` may have."""
    if kind == "model":
        return [*models()]
    known = {
        "parser": [*parsers.KINDS],
        "encoder": ["embedded", *named.presets(), *encoders.KINDS],
        "vectors": ["embedded", *word_vectors.FILES, "spacy"],
    }
    return [*known[kind], *plugins.plugins(kind)]


def model(name: str) -> ModelSpec:
    """Return the model of that name, or the cosine over an encoder written ``kind:argument``
    (``transformer:FOLDER``). :class:`UnknownNameError` suggests the nearest name.

    >>> model("verbnet-cn").needs
    'embedded'
    """
    if isinstance(name, str):
        if (spec := own().get(name) or presets().get(name)) is not None:
            return spec
        if (plugin := plugins.model_plugin(name)) is not None:
            return plugins.model_of(plugin)
        if (spec := adhoc_model(name)) is not None:
            return spec
    raise UnknownNameError("model", name, models())
