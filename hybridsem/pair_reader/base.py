"""What a pipeline asks of a pair reader."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from hybridsem._typing import Float64Array, SentencePairs

__all__ = ["PairReader", "Readings"]


class Readings(NamedTuple):
    """Chances in [0, 1] for each pair, (n,) each: that the second sentence follows from the first
    (``entails``), the first from the second (``entailed``), that both cannot be true
    (``contradicts``), their graded ``similarity``, and that they are paraphrases (``paraphrase``).
    """

    entails: Float64Array
    entailed: Float64Array
    contradicts: Float64Array
    similarity: Float64Array
    paraphrase: Float64Array


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
