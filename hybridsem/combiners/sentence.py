"""Combiners of whole sentences: the cosine of sentence vectors, similarities of two texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem.combiners.base import Batch
from hybridsem.embeddings.abilities import ReportsCoverage
from hybridsem.explanations import Explanation, RoleMatch, Term


@dataclass(frozen=True)
class SentenceCombiner:
    """The cosine of the two sentence vectors.

    >>> import numpy as np
    >>> vectors = np.array([[1, 0], [0.6, 0.8]], np.float32)
    >>> batch = Batch(["It rains.", "It pours."], [(0, 1)], vectors=vectors)
    >>> SentenceCombiner("cosine").scores(batch).round(2).tolist()
    [0.6]
    """

    model: str
    formalism = None
    reads_vectors = True

    def bounds(self, batch: Batch, rows: IntArray, columns: IntArray) -> Float64Array:
        """Return upper bounds of the scores of sentences ``rows`` with ``columns``, (r, c).

        Raises :class:`InputError` for a batch without vectors.
        """
        vectors = batch.unit_vectors
        cosines = np.asarray(vectors[rows] @ vectors[columns].T, np.float64)
        # A little more, as the cosine of a pair may be rounded differently.
        return np.clip(cosines + 1e-6, -1, 1)

    def scores(self, batch: Batch) -> Float64Array:
        """Return the scores of :meth:`explain`, (p,), to the last bit."""
        return batch.cosines()

    def explain(self, batch: Batch) -> list[Explanation]:
        """Explain each pair with one line."""
        return [
            batch.explanation(pair, self.model, [sentence_line(cosine, 1.0)])
            for pair, cosine in zip(batch.pairs, batch.cosines().tolist(), strict=True)
        ]


class PairSimilarity(Protocol):
    """A similarity of two texts.

    >>> import numpy as np
    >>> class SameLength:
    ...     def similarities(self, pairs):
    ...         return np.array([float(len(one) == len(other)) for one, other in pairs])
    >>> batch = Batch(["It rains.", "It pours."], [(0, 1)])
    >>> [found.score for found in PairCombiner("length", SameLength()).explain(batch)]
    [1.0]
    """

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> Float64Array:
        """Return (p,) in [-1, 1], the same for (a, b) and (b, a), and 1 for (a, a)."""
        ...


@dataclass(frozen=True)
class PairCombiner:
    """A similarity that needs both sentences at once; it may report coverage, as encoders do."""

    model: str
    measure: PairSimilarity
    formalism = None
    reads_vectors = False

    def explain(self, batch: Batch) -> list[Explanation]:
        """Explain each pair with one line."""
        found = self.measure.similarities(
            [(batch.sentences[one], batch.sentences[two]) for one, two in batch.pairs]
        )
        if isinstance(self.measure, ReportsCoverage):
            batch = replace(batch, coverage=self.measure.coverage(batch.sentences))
        return [
            batch.explanation(pair, self.model, [sentence_line(similarity, 1.0)])
            for pair, similarity in zip(batch.pairs, found.tolist(), strict=True)
        ]


def sentence_line(cosine: float, weight: float) -> RoleMatch:
    """Return the line of an explanation for the cosine of sentence vectors."""
    return RoleMatch(None, None, None, None, cosine, weight, weight * cosine, term=Term.SENTENCE)


def together_line(meaning: float, added: float, found: tuple[str, str]) -> RoleMatch:
    """Return the line of an explanation for what a pair reader found: a ``meaning`` in [0, 1], and
    a word for each sentence, or "".
    """
    one, two = (word or None for word in found)
    return RoleMatch(None, None, one, two, meaning, added / meaning, added, term=Term.TOGETHER)
