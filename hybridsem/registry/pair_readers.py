"""Pair readers by name, or given as an object: the one in the package (``embedded``), another of
its form (``onnx:FOLDER``), or a CrossEncoder of sentence-transformers (``cross-encoder:FOLDER``).
"""

from __future__ import annotations

from pathlib import Path

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.pair_reader.base import PairReader
from hybridsem.pair_reader.embedded import EmbeddedPairReader
from hybridsem.registry.parts import argument_of, given, imported

__all__ = ["pair_reader"]

EXAMPLES = "embedded", "onnx:FOLDER", "cross-encoder:FOLDER_OR_HUB_NAME"


def pair_reader(part: str | PairReader, embedded: EmbeddedEncoder) -> PairReader:
    """Return a pair reader by name, or the object given. ``embedded`` is the encoder whose word
    pieces the embedded reader reads. Raises :class:`InputError` for an unknown name, or an object
    without ``read``.

    >>> pair_reader("embedded", EmbeddedEncoder()).name
    'embedded'
    """
    kind, _, argument = part.partition(":") if isinstance(part, str) else ("", "", "")
    if kind == "embedded" and part == kind:
        return EmbeddedPairReader(embedded)
    if kind == "onnx":
        return EmbeddedPairReader(embedded, Path(argument_of(part, argument, EXAMPLES[1])))
    if kind == "cross-encoder":
        name = argument_of(part, argument, EXAMPLES[2])
        part = imported("interop.sentence_transformers:CrossEncoderReader")(name)
    found: PairReader = given("pair_reader", part, PairReader, EXAMPLES)
    return found
