"""The methods of a pair reader, and its readings."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from hybridsem._typing import Float64Array, IntArray, SentencePairs

__all__ = ["PairReader", "Readings"]

FINDINGS = {
    "contradicts": "a contradiction",
    "same": "the same meaning",
    "entails": "that the second follows from the first",
    "entailed": "that the first follows from the second",
}
"""What is found, by chance, the first that is probable."""
PROBABLE = 0.75
"""The least chance that is stated."""


class Readings(NamedTuple):
    """Chances in [0, 1] for each pair, (n,) each.

    ``entails`` is that the second sentence follows from the first, ``entailed`` the reverse.
    ``contradicts`` is that both cannot be true, ``paraphrase`` that they mean the same;
    ``similarity`` is graded.
    """

    entails: Float64Array
    entailed: Float64Array
    contradicts: Float64Array
    similarity: Float64Array
    paraphrase: Float64Array

    def finding(self, row: int) -> str:
        """Return what is probable of a pair, in words; "" for nothing."""
        chances = {name: float(chance[row]) for name, chance in self._asdict().items()}
        chances["same"] = min(chances["entails"], chances["entailed"])
        return next((FINDINGS[name] for name in FINDINGS if chances[name] >= PROBABLE), "")

    def taken(self, rows: IntArray) -> Readings:
        """Return the readings of some of the pairs."""
        return Readings(*(chances[rows] for chances in self))


@runtime_checkable
class PairReader(Protocol):
    """Reads the two sentences of each pair together."""

    @property
    def name(self) -> str:
        """Its name in settings."""
        ...

    def read(self, pairs: SentencePairs) -> Readings:
        """Return the chances of pairs of sentences; exchanging two exchanges their chances."""
        ...
