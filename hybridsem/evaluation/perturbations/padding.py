"""Padding: text that says nothing, by default Latin words drawn at random as in dummy text."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate

import numpy as np

from hybridsem._typing import IntArray
from hybridsem._utils.tables import read_table
from hybridsem.tokenisers.named import tokeniser

SEED = 20260101
DRAWN_WORDS = 12_000


class Padding:
    """Words to pad with: those of a text, repeated where they are too few, or Latin ones."""

    def __init__(self, text: str | None = None) -> None:
        self._text = text

    @cached_property
    def words(self) -> list[str]:
        """The words, with their punctuation."""
        return _latin() if self._text is None else self._text.split()

    @cached_property
    def ends(self) -> IntArray:
        """How many tokens (word pieces) each word and those before it have together."""
        _, starts = tokeniser("wordpiece")(self.words)
        return starts[1:]

    def of(self, tokens: float) -> str:
        """The fewest words that have so many tokens; at least one word."""
        times, rest = divmod(tokens, int(self.ends[-1]))
        last = int(np.searchsorted(self.ends, rest)) + 1 if rest or not times else 0
        return " ".join(self.words * int(times) + self.words[:last])

    def exactly(self, tokens: int) -> str:
        """So many tokens, cl100k's if they are here, the last perhaps a part of a word; without a
        blank at the end.
        """
        whole, places = self._text_and_places
        times, rest = divmod(tokens, len(places))
        return (f"{whole} " * times + whole[: int(places[rest])]).rstrip()

    @cached_property
    def _text_and_places(self) -> tuple[str, IntArray]:
        whole = " ".join(self.words)
        return whole, tokeniser().places(whole)


def _latin() -> list[str]:
    """With the capitals and full stops of sentences of four to twelve words."""
    words: list[str] = read_table(__file__)["latin"].split()
    random = np.random.Generator(np.random.PCG64(SEED))
    drawn = [words[int(at)] for at in random.random(DRAWN_WORDS) * len(words)]
    ends = {0, *accumulate(4 + int(length) for length in random.random(DRAWN_WORDS // 4) * 9)}
    return [
        (word.capitalize() if at in ends else word) + ("." if at + 1 in ends else "")
        for at, word in enumerate(drawn)
    ]
