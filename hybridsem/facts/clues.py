"""Clues: words and signs of which every text with a value has one. Most texts have none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

__all__ = ["SIGN", "clue_words"]

SIGN = re.compile(
    r"[\d¼-¾⅐-⅞@#№IVX./'’](?:(?<=[\d¼-¾⅐-⅞@#№])|(?<=[IVX])[IVX]|(?<=[./])\w|(?<=['’])\d\d"
    r"|(?<=\.)\s?[mMCDE]\b)"
)
"""A sign of a value without a word that is a clue."""
_LOWER = re.compile("[a-z]+|§")


@lru_cache(8)
def clue_words(text: str) -> Sequence[str]:
    """Return the words of a text in lower case, letters alone; readers of one text share them.

    >>> clue_words("At 5 p.m., § 4")
    ['at', 'p', 'm', '§']
    """
    return _LOWER.findall(text.lower())
