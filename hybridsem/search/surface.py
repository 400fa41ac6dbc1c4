"""What tells two records apart by their words as they are written, before anything is parsed.

Each of these signs is one for which the comparison of the parsed records (duplicates.py) tells them
apart as well, whatever their parses are: so nothing is dropped or kept otherwise, and most records
that are alike but for a date, a number or a name (wording.py) are never parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._typing import IntArray
from hybridsem.combiners.comparison.reading import DENYING
from hybridsem.embeddings.words import WordVectors
from hybridsem.english.lemmas import Lemmatiser
from hybridsem.english.lexicon import Lexicon
from hybridsem.english.numbers import number_value
from hybridsem.english.tokenise import tokenise
from hybridsem.search.duplicates import CIRCUMSTANCES
from hybridsem.search.wording import Wording

__all__ = ["Surface", "Surfaces", "surface_of"]

DENIALS = DENYING - {"nothing"}
"""Words that deny whatever their part of speech: they are function words in any parse."""


class Surface(NamedTuple):
    """What a record shows: whether it is a ``question``, its words of ``circumstances``, how often
    it ``denies``, the values of its ``figures``, and of all its numbers, in words too.
    """

    question: bool
    circumstances: frozenset[str]
    denials: int
    figures: frozenset[float]
    numbers: frozenset[float]

    def differs(self, other: Surface, reworded: bool) -> bool:
        """Whether that tells two records apart.

        Args:
            other: The other record.
            reworded: Whether other words may say the same.
        """
        if self.question != other.question or self.circumstances != other.circumstances:
            return True
        if reworded:
            return False
        if self.denials != other.denials:
            return True
        # A figure of each has no like in the other, so that these two would be partners.
        return not (self.figures <= other.numbers or other.figures <= self.numbers)


def surface_of(text: str) -> Surface:
    """What a text shows."""
    words = [text[start:end] for start, end in tokenise(text)]
    forms = [word.lower() for word in words]
    values = [number_value(word) for word in words]
    return Surface(
        text.rstrip().endswith("?"),
        CIRCUMSTANCES.intersection(forms),
        sum(form in DENIALS for form in forms),
        frozenset(
            value
            for word, value in zip(words, values, strict=True)
            if value is not None and word[0].isdigit()
        ),
        frozenset(value for value in values if value is not None),
    )


class Surfaces:
    """The surfaces of records, each worked out when it is first asked for.

    Args:
        texts: The records.
        cut: Tells which of some texts are not read to their end: of these the words say nothing.
        reworded: Whether other words may say the same.
    """

    def __init__(
        self, texts: Sequence[str], cut: Callable[[list[str]], list[bool]], reworded: bool
    ) -> None:
        self.texts, self.cut, self.reworded = texts, cut, reworded
        self._known: dict[int, Surface | None] = {}
        self._words: Wording | None = None

    def with_partners(self, vectors: WordVectors, lemma: Lemmatiser, lexicon: Lexicon) -> IntArray:
        """The records that may be doubles of another one, rising; others need not be encoded.

        Args:
            vectors: Of words.
            lemma: The lemmas of words, as the parser has them.
            lexicon: Knows how words are related.
        """
        if self.reworded:
            return np.arange(len(self.texts))
        self._words = Wording(self.texts, self.cut(list(self.texts)))
        self._words.look_up(vectors, lemma, lexicon)
        return np.flatnonzero(self._words.with_partners(self._apart))

    def not_apart(self, pairs: IntArray) -> IntArray:
        """Those of some pairs of records, (p, 2), that are not told apart."""
        self._look_at(np.unique(pairs).tolist())
        words = self._words
        kept = [
            not (self._apart(one, two) or (words is not None and words.apart(one, two)))
            for one, two in pairs.tolist()
        ]
        return np.asarray(pairs[np.array(kept, bool)])

    def _look_at(self, records: Sequence[int]) -> None:
        """Work out the surfaces of those that were not looked at before."""
        new = [one for one in records if one not in self._known]
        if not new:
            return
        cut = self._words.cut[new] if self._words else self.cut([self.texts[one] for one in new])
        for one, is_cut in zip(new, cut, strict=True):
            self._known[one] = None if is_cut else surface_of(self.texts[one])

    def _apart(self, one: int, two: int) -> bool:
        self._look_at((one, two))
        first, second = self._known[one], self._known[two]
        if first is None or second is None:
            return False
        return first.differs(second, self.reworded)
