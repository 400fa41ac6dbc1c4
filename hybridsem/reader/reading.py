"""The results of a parser or an encoder: checked, one for each sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem.embeddings.abilities import SplitsVectors
from hybridsem.embeddings.embedded import Encoded, normalised
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.errors import InputError
from hybridsem.parsers.base import ReadsTrees
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.registry import Parser, SentenceEncoder
from hybridsem.structures import Parsed, ParseFailure, RoleStructure

ResultsT = TypeVar("ResultsT", list[Parsed], list[SplitVector], Float32Array)


class Reading(NamedTuple):
    """Structures, unit vectors (n, d), and the parts that the vectors are sums of."""

    structures: list[Parsed] | None
    vectors: Float32Array | None
    splits: Sequence[SplitVector] = ()


def parsed_by(parser: Parser, sentences: list[str]) -> list[Parsed]:
    """Return a structure with a frame, or a failure, for each sentence."""
    given = parser.parse(sentences)
    parsed: list[Parsed] = one_each(
        "parser", list(given) if isinstance(given, Iterable) else [], sentences
    )
    for sentence, structure in zip(sentences, parsed, strict=True):
        usable = isinstance(structure, RoleStructure) and structure.frames
        if not usable and not isinstance(structure, ParseFailure):
            raise InputError(
                f"the parser gave {structure!r:.80} for {sentence!r:.80}; "
                "it must give a RoleStructure with a frame, or a ParseFailure"
            )
    return parsed


def encoded_by(encoder: SentenceEncoder, sentences: list[str], unit: bool) -> Float32Array:
    """Return the vectors of sentences, (n, d), of length 1 if ``unit``."""
    given = encoder.encode(sentences)
    try:
        rows = np.asarray(given, np.float32)
    except (TypeError, ValueError):
        raise InputError(
            f"the encoder gave no rows of numbers, got {given!r:.80}; they must be (n, d)"
        ) from None
    if not sentences:
        return rows.reshape(0, rows.shape[1] if rows.ndim == 2 else 0)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise InputError(
            f"the encoder gave an array of shape {rows.shape}; it must be (n, d) and finite"
        )
    one_each("encoder", rows, sentences)
    return normalised(rows) if unit else rows


def split_by(encoder: SplitsVectors, sentences: list[str]) -> Sequence[SplitVector]:
    """Return the parts that the encoder's vectors are sums of, or nothing if unknown."""
    given = encoder.split(sentences)
    return () if given is None else one_each("encoder", list(given), sentences)


def read_in_one_pass(
    parser: ReadsTrees, trees: EmbeddedTrees, sentences: list[str], split: bool
) -> Reading:
    """Read structures and vectors from one pass of the encoder of the trees."""
    encoded = trees.encoder.analyse(sentences, last_layer=split)
    return Reading(
        list(parser.read(trees.trees_of(sentences, encoded))),
        vectors_of_pass(trees, encoded),
        [sentence.split() for sentence in encoded] if split else (),
    )


def vectors_of_pass(trees: EmbeddedTrees, encoded: Sequence[Encoded]) -> Float32Array:
    """Return the unit vectors of a pass of the encoder of the trees, (n, d)."""
    rows = np.array([sentence.vector for sentence in encoded])
    return normalised(rows.reshape(len(encoded), trees.encoder.dimension))


def one_each(part: str, results: ResultsT, sentences: Sequence[str]) -> ResultsT:
    """Return the results of a part; raise unless there is one for each sentence."""
    if len(results) != len(sentences):
        raise InputError(
            f"the {part} gave {len(results)} results for {len(sentences)} sentences; one each "
            "is needed"
        )
    return results
