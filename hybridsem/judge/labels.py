"""The labels of a pair of sentences, in the order in which they are given, and what decides."""

from __future__ import annotations

from enum import StrEnum

from hybridsem.errors import InputError


class Label(StrEnum):
    """The relation of the second sentence to the first.

    >>> [str(label) for label in Label]
    ['same', 'entails', 'entailed', 'differs', 'contradicts', 'unrelated', 'unsure']
    """

    SAME = "same"
    """Both mean the same."""
    ENTAILS = "entails"
    """The first implies the second, and says more."""
    ENTAILED = "entailed"
    """The second implies the first, and says more."""
    DIFFERS = "differs"
    """They share a topic, but neither follows from the other."""
    CONTRADICTS = "contradicts"
    """They cannot both be true."""
    UNRELATED = "unrelated"
    """They have different topics."""
    UNSURE = "unsure"
    """No label is probable enough."""


class Assume(StrEnum):
    """An assumption about the things to which two sentences refer."""

    SITUATION = "situation"
    """One situation: definite phrases, names and pronouns refer to the same things."""
    SCENE = "scene"
    """One scene, as two captions of a picture do: indefinite phrases as well."""
    INDEPENDENT = "independent"
    """Nothing refers to the same thing."""


def checked(assume: str) -> Assume:
    """Return what is assumed, by its name; raise :class:`InputError` for another name."""
    if assume not in list(Assume):
        raise InputError(f"assume is one of {', '.join(Assume)}, got {assume!r:.80}")
    return Assume(assume)


class Basis(StrEnum):
    """The source of a label."""

    PROOF = "proof"
    """It follows from the edits, or the differences in wording are harmless."""
    READER = "reader"
    """The pair reader, with the comparison."""
    COMPARISON = "comparison"
    """The comparison's network alone."""


LABELS = tuple(label for label in Label if label is not Label.UNSURE)
"""The labels that have a probability, in the order of a judgement's probabilities."""
SAME, ENTAILS, ENTAILED, DIFFERS, CONTRADICTS, UNRELATED = range(len(LABELS))
"""The places of these labels."""
COUNTERPARTS = (0, 2, 1, 3, 4, 5)
"""The place of each label's counterpart when the sentences are exchanged."""
