"""Scorers and readers of pairs without a model."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from hybridsem._typing import SentencePairs
from hybridsem.explanations import Explanation
from hybridsem.pair_reader import Readings


class LengthScorer:
    """Scores a pair by its length; counts the pairs, and calls ``then`` before chunk ``chunk``."""

    def __init__(
        self, model: str = "any", chunk: int = 0, then: Callable[[], object] = lambda: None
    ) -> None:
        self.settings = {"model": model}
        self.chunk, self.then, self.chunks, self.pairs = chunk, then, 0, 0

    def explain(self, pairs: Iterable[tuple[str, str]]) -> list[Explanation]:
        self.chunks += 1
        if self.chunks == self.chunk:
            self.then()
        given = list(pairs)
        self.pairs += len(given)
        return [self.explanation(one, two) for one, two in given]

    def explanation(self, one: str, two: str) -> Explanation:
        score = 1 / (len(one) + len(two))
        return Explanation(one, two, score, "any", details={"a": 0.1})


@dataclass
class FixedReader:
    """A pair reader that finds the same in all pairs; ``asked`` are those so far."""

    chance: float
    name: str = "fixed"
    asked: list[tuple[str, str]] = field(default_factory=list)

    def read(self, pairs: SentencePairs) -> Readings:
        self.asked += pairs
        same, other = np.full(len(pairs), self.chance), np.full(len(pairs), 1 - self.chance)
        return Readings(same, same, other, same, same)


def fail() -> None:
    """Raise an error that no program expects."""
    raise ZeroDivisionError
