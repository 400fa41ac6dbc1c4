"""What a pair of sentences can be, said of both in the order in which they stand."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["LABELS", "TURNED", "Label"]


class Label(StrEnum):
    """How the second sentence stands to the first.

    >>> [str(label) for label in Label]
    ['same', 'entails', 'entailed', 'differs', 'contradicts', 'unrelated', 'unsure']
    """

    SAME = "same"
    """Both say the same."""
    ENTAILS = "entails"
    """The first says all that the second says, and more."""
    ENTAILED = "entailed"
    """The second says all that the first says, and more."""
    DIFFERS = "differs"
    """About the same, but neither follows from the other."""
    CONTRADICTS = "contradicts"
    """They cannot both be true."""
    UNRELATED = "unrelated"
    """About something else."""
    UNSURE = "unsure"
    """No label is probable enough."""


LABELS = tuple(label for label in Label if label is not Label.UNSURE)
"""The labels that have a probability, in the order of a judgement's probabilities."""
TURNED = (0, 2, 1, 3, 4, 5)
"""The place of each label's counterpart when the sentences are exchanged."""
