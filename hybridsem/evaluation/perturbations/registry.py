"""The perturbations by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from hybridsem.english.sentences import sentences
from hybridsem.errors import UnknownNameError
from hybridsem.evaluation.perturbations.changes import (
    deletion,
    digits,
    negation,
    shuffled,
    uppercase,
    words,
)
from hybridsem.evaluation.perturbations.definition import PLACES, Perturbation, insertion, removal


def perturbation(name: str) -> Perturbation:
    """The perturbation of that name.

    Raises:
        UnknownNameError: There is none; the message suggests the nearest.

    >>> perturbation("uppercase").kind
    'superficial'
    """
    if name not in PERTURBATIONS:
        raise UnknownNameError("perturbation", name, PERTURBATIONS)
    return PERTURBATIONS[name]


SUPERFICIAL = (
    Perturbation(
        "uppercase",
        "superficial",
        "25 % of the characters, drawn at random, in capitals",
        uppercase,
    ),
    Perturbation(
        "deletion", "superficial", "every 10th character deleted, words kept apart", deletion
    ),
    Perturbation("digits", "superficial", "e, i, a, o written 3, 1, 4, 0", digits),
)
"""Changes that leave the meaning as it is."""

SEMANTIC = (
    Perturbation(
        "negation",
        "semantic",
        "each sentence denied, or affirmed where it denies, by patterns",
        negation,
    ),
    Perturbation(
        "sentence-shuffle", "semantic", "sentences in another order", partial(shuffled, sentences)
    ),
    Perturbation("word-shuffle", "semantic", "words in another order", partial(shuffled, words)),
)
"""Changes of what is said, or of the order it is said in."""

INSERTIONS = tuple(insertion(share, position) for share in (0.15, 0.5, 1.0) for position in PLACES)
"""Filler of a share of the length, at each place."""

REMOVALS = tuple(removal(share, position) for share in (0.15, 0.5, 0.9) for position in PLACES)
"""Gaps of a share of the length, at each place."""

EXACT = {
    **{one: insertion(one.share or 0, one.position or 0, exact=True) for one in INSERTIONS},
    **{one: removal(one.share or 0, one.position or 0, exact=True) for one in REMOVALS},
}
"""Padding and gaps as SAGE's authors measure them, for each of ours."""

_OURS = (*SUPERFICIAL, *SEMANTIC, *INSERTIONS, *REMOVALS)
PERTURBATIONS: Mapping[str, Perturbation] = MappingProxyType(
    {change.name: change for change in (*_OURS, *EXACT.values())}
)
"""All changes by name."""

RETRIEVAL = tuple(change for change in _OURS if change.share in (None, 0.15, 0.5))
"""The eighteen of retrieval robustness."""
