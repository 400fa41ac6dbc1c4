"""Sentence encoders by arithmetic on word vectors, by name and options; their named models are rows
of presets.toml.

``mean``, ``mult``, ``conv``, ``power:powers=1/3/inf``, ``dct:k=3``,
``sif:a=0.001,fit=SENTENCES.txt``; with ``words=content`` (``mean:words=content``,
``dct:k=3,words=content``) stop words are left out. The word vectors are those of the pipeline.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hybridsem.combiners.sentence import PairCombiner
from hybridsem.embeddings import arithmetic
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import InputError
from hybridsem.registry._parts import options_of
from hybridsem.registry.spec import declared, without_roles

NEEDS = "embedded; other word vectors are given as vectors="
SUMMARIES: Mapping[str, str] = {
    "mean": "the mean of the words' vectors",
    "mult": "the element-wise product of the words' vectors",
    "conv": "the circular convolution of the words' vectors",
    "power": "power means of the words' vectors",
    "dct": "the discrete cosine transform of the words' vectors",
    "sif": "the mean of the words' vectors by smooth inverse frequency",
}
_CLASSES: Mapping[str, Callable[..., Any]] = {
    "mean": arithmetic.Mean,
    "mult": arithmetic.Product,
    "conv": arithmetic.CircularConvolution,
    "power": arithmetic.PowerMeans,
    "dct": arithmetic.DCT,
    "sif": arithmetic.SIF,
}
# What each takes beside ``words``: the option, and what its text becomes.
_OPTIONS: Mapping[str, Mapping[str, Callable[[str], Any]]] = {
    "power": {"powers": lambda text: tuple(float(power) for power in text.split("/"))},
    "dct": {"k": int},
    "sif": {"a": float, "fit": Path},
}


def composed(name: str, argument: str, vectors: WordVectors) -> Any:
    """The encoder of that name over ``vectors``; ``argument`` is what follows the colon.

    Raises :class:`InputError` for an option that the encoder does not have or a value that it
    cannot take.
    """
    readers = _OPTIONS.get(name, {})
    rest, written = options_of(f",{argument}" if argument else "", ["words", *readers])
    if rest:
        raise InputError(
            f"{name} takes options only, got {rest.strip(',')!r}; write for instance "
            f"{name}:words=content"
        )
    words = written.pop("words", "all")
    if words not in ("all", "content"):
        raise InputError(f"words= is 'all' or 'content', got {words!r}")
    options = {}
    for option, text in written.items():
        try:
            options[option] = readers[option](text)
        except ValueError:
            raise InputError(f"{name}: {option}= must be a number, got {text!r}") from None
    sentences = options.pop("fit", None)
    encoder = _CLASSES[name](vectors, content_only=words == "content", **options)
    if sentences is None:
        return encoder
    from hybridsem._utils.lines import LineReader

    return encoder.fit([line for _, line in LineReader(sentences) if line.strip()])


# The one composition that gives a similarity and no vectors.
MODELS = (
    declared(
        "tensor-cn",
        without_roles(
            "tensor-cn",
            lambda vectors: PairCombiner(
                "tensor-cn", arithmetic.TensorProduct(vectors, content_only=True)
            ),
        ),
    ),
)
