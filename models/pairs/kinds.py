"""The kinds of pairs: ``kinds.toml`` has the label and the similarity of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hybridsem._utils.tables import read_table

EXCHANGED = {"entails": "entailed", "entailed": "entails"}
"""The label of a pair whose sentences are exchanged, if it is another."""


@dataclass(frozen=True)
class Kind:
    """A kind: ``edit`` is the function that makes its pairs, ``about`` says what they are.

    ``similarity`` is from 0 to 1. At most ``most`` pairs are made for a sentence, and none but for
    a ``share`` of the sentences.
    """

    edit: str
    label: str
    similarity: float
    about: str
    most: int = 2
    share: float = 1.0


@dataclass(frozen=True)
class Pair:
    """Two sentences with the relation of the first to the second.

    ``base`` is the number of the sentence that both were made from.
    """

    label: str
    sentence1: str
    sentence2: str
    kind: str
    source: str
    similarity: float
    base: str

    def exchanged(self) -> Pair:
        """The pair in the other order."""
        label = EXCHANGED.get(self.label, self.label)
        return replace(self, label=label, sentence1=self.sentence2, sentence2=self.sentence1)


KINDS: Mapping[str, Kind] = {name: Kind(**row) for name, row in read_table(__file__).items()}
