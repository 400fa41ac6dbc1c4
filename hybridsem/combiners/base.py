"""Parts that combiners share: the batch that they compare, their protocols, inner products of rows.

Batch               distinct sentences, their structures and vectors, and the pairs to compare
Combiner.explain    an Explanation for each pair; the score is the sum of its contributions
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, IntArray, SentencePairs
from hybridsem._utils.exact import ROUNDING, row_products
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.embeddings.words import Coverage, WordVectors
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.structures import DependencyTree, Filler, Parsed, ParseFailure, RoleStructure

RESTATED = 1.5
"""Two sentences at most so many times as long as one may say as much. So compared, such pairs of a
sample of PAWS-Wiki dev have an AUC of .85, and .63 sentence by sentence.
"""


@dataclass(frozen=True)
class Passages:
    """The texts of a batch with several sentences: the ``sentences`` of each by its index, what
    reads pairs of them into a batch, and which texts the encoder has ``cut``.
    """

    sentences: Mapping[int, tuple[str, ...]]
    read: Callable[[SentencePairs], Batch]
    cut: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Batch:
    """Distinct ``sentences`` and ``pairs`` of indices into them.

    ``structures`` has a parse for each sentence, ``vectors`` (n, d) unit sentence vectors; either
    is None if the combiner does not read it. ``truncated`` marks sentences that were cut,
    ``foreign`` those that are not English. ``coverage`` counts each sentence's words that have a
    vector, and ``splits`` are the parts of each sentence vector, both if asked for. ``scale`` maps
    cosines to the scale that the model's weights are for. ``passages`` are there if some of the
    ``sentences`` are texts of several; each is also read as one.

    >>> import numpy as np
    >>> batch = Batch(["It rains.", "It pours."], [(0, 1)], vectors=np.eye(2, dtype=np.float32))
    >>> batch.cosines().tolist()
    [0.0]
    """

    sentences: Sequence[str]
    pairs: Sequence[tuple[int, int]]
    structures: Sequence[Parsed] | None = None
    vectors: Float32Array | None = None
    truncated: Sequence[bool] = ()
    coverage: Sequence[Coverage] = ()
    splits: Sequence[SplitVector] = ()
    foreign: Sequence[bool] = ()
    scale: Callable[[Float64Array], Float64Array] | None = None
    passages: Passages | None = None

    @property
    def unit_vectors(self) -> Float32Array:
        """The sentence vectors; raises :class:`InputError` without any."""
        if self.vectors is None:
            raise InputError("this model compares sentence vectors, and the batch has none")
        return self.vectors

    def parsed(self) -> dict[int, RoleStructure]:
        """Return the structures of the sentences that could be parsed, by index."""
        return {
            index: structure
            for index, structure in enumerate(self.structures or ())
            if isinstance(structure, RoleStructure)
        }

    def tree(self, index: int) -> DependencyTree | None:
        """Return the tree of a sentence, if it has one."""
        parsed = self._structure(index)
        return parsed.tree if isinstance(parsed, RoleStructure) else None

    def canonical(self, pair: tuple[int, int]) -> tuple[int, int]:
        """Return a pair in alphabetical order, so that ties and rounding cannot break symmetry."""
        one, two = pair
        return (two, one) if self.sentences[two] < self.sentences[one] else (one, two)

    def scaled(self, cosines: Float64Array) -> Float64Array:
        """Map cosines (…) to the scale that the model's weights are for."""
        return cosines if self.scale is None else self.scale(cosines)

    def has_several(self, pair: tuple[int, int]) -> bool:
        """Test if a text of a pair has several sentences. One sentence that may say as much as the
        two of the other is compared with both: "Ann, a nurse, left" and "Ann is a nurse. She left".
        """
        if self.passages is None or self.passages.sentences.keys().isdisjoint(pair):
            return False
        counts = [len(self.sentences_in(at)) for at in pair]
        lengths = [len(self.sentences[at]) for at in pair]
        return sorted(counts) != [1, 2] or max(lengths) > RESTATED * min(lengths)

    def sentences_in(self, index: int) -> tuple[str, ...]:
        """Return the sentences of a text; of a single one, the text."""
        split = {} if self.passages is None else self.passages.sentences
        return split.get(index, (self.sentences[index],))

    def of_rows(self, rows: Sequence[int]) -> Batch:
        """Return the batch with some of its pairs, by their rows."""
        return replace(self, pairs=[self.pairs[row] for row in rows])

    def cosines(self) -> Float64Array:
        """Return the scaled cosine of each pair, (p,): exactly 1 for a sentence and itself."""
        vectors = self.unit_vectors
        if not self.pairs:
            return np.empty(0)
        first, second = np.array(self.pairs).T
        products = row_products(vectors[first], vectors[second])
        return np.where(first == second, 1.0, self.scaled(np.clip(products, -1, 1)))

    def narrowed(self, pairs: IntArray) -> Batch:
        """Return the batch of some pairs of its sentences, (p, 2), and no other sentences.

        >>> batch = Batch(["It rains.", "It pours.", "We left."], [(0, 1)])
        >>> batch.narrowed(np.array([[2, 0]])).sentences
        ['It rains.', 'We left.']
        """
        used, places = np.unique(pairs, return_inverse=True)
        chosen = used.tolist()
        return Batch(
            [self.sentences[i] for i in chosen],
            [(one, two) for one, two in places.reshape(-1, 2).tolist()],
            None if self.structures is None else [self.structures[i] for i in chosen],
            None if self.vectors is None else self.vectors[used],
            [self.truncated[i] for i in chosen] if self.truncated else (),
            [self.coverage[i] for i in chosen] if self.coverage else (),
            [self.splits[i] for i in chosen] if self.splits else (),
            [self.foreign[i] for i in chosen] if self.foreign else (),
            self.scale,
        )

    def notes(self, pair: tuple[int, int]) -> tuple[str, ...]:
        """Return notes on the sentences that were cut or are not English, and on unknown words."""
        encoded = self.structures is None
        why = "the encoder knows only English" if encoded else "structure says nothing there"
        notes = {
            "is longer than the encoder reads and was cut": map(self.is_cut, pair),
            f"is not English; {why}": map(self._foreign, pair),
        }
        found = (
            f"sentence {side} {note}"
            for note, flags in notes.items()
            for side, flag in enumerate(flags, start=1)
            if flag
        )
        return (*found, *(self._covered(pair).notes if self.coverage else ()))

    def cut(self, pair: tuple[int, int]) -> bool:
        """Test if a sentence of the pair is longer than the model reads."""
        return any(map(self.is_cut, pair))

    def is_cut(self, index: int) -> bool:
        """Test if a sentence is longer than the model reads."""
        several = self.passages is not None and index in self.passages.sentences
        structure = None if several else self._structure(index)
        by_parser = isinstance(structure, RoleStructure) and structure.truncated
        return bool(by_parser or (self.truncated and self.truncated[index]))

    def is_non_english(self, pair: tuple[int, int]) -> bool:
        """Test if a sentence is not English, and the model reads only English."""
        return any(map(self._foreign, pair))

    def _foreign(self, index: int) -> bool:
        return bool(self.foreign and self.foreign[index])

    def _covered(self, pair: tuple[int, int]) -> Coverage:
        return self.coverage[pair[0]] + self.coverage[pair[1]]

    def _structure(self, index: int) -> Parsed | None:
        return self.structures[index] if self.structures is not None else None

    def failed(self, pair: tuple[int, int]) -> str | None:
        """Return why a pair has no score: the reason of a sentence that could not be parsed."""
        for index in pair:
            parsed = self._structure(index)
            if isinstance(parsed, ParseFailure):
                return f"no parse of {parsed.text!r:.80}: {parsed.reason}"
        return None

    def explanation(
        self,
        pair: tuple[int, int],
        model: str,
        matches: Sequence[RoleMatch],
        details: Mapping[str, float] | None = None,
        score: float | None = None,
    ) -> Explanation:
        """Return the explanation of a pair.

        Args:
            pair: The indices of its sentences.
            model: The model's name.
            matches: The lines, whose contributions add up to the score.
            details: The model's own figures.
            score: The sum of the lines but for rounding, if computed otherwise.
        """
        one, two = pair
        reason = self.failed(pair)
        # fsum, here and wherever scores come from, so that the order of the parts has no effect.
        if score is None:
            score = math.fsum(match.contribution for match in matches)
        score = min(1.0, max(-1.0, score))
        if one == two and score > 1 - ROUNDING:
            score = 1.0
        return Explanation(
            sentence1=self.sentences[one],
            sentence2=self.sentences[two],
            score=float("nan") if reason else score,
            model=model,
            matches=tuple(matches),
            structure1=self._structure(one),
            structure2=self._structure(two),
            notes=self.notes(pair) + ((reason,) if reason else ()),
            details={
                **(details or {}),
                **({"coverage": self._covered(pair).share} if self.coverage else {}),
            },
            truncated=self.cut(pair),
            foreign=self.is_non_english(pair),
        )


class Combiner(Protocol):
    """Explains the pairs of a batch, in their order.

    >>> from hybridsem import Pipeline
    >>> nlp = Pipeline("embedded")
    >>> nlp.combiner.formalism is None, nlp.combiner.reads_vectors
    (True, True)
    >>> (found,) = nlp.combiner.explain(nlp.read([("It rains.", "It rains.")]))
    >>> round(found.score, 2)
    1.0
    """

    @property
    def formalism(self) -> str | None:
        """The structures it reads: ``verbnet``, ``dependency``, ``amr`` or None."""
        ...

    @property
    def reads_vectors(self) -> bool:
        """True if it reads sentence vectors."""
        ...

    def explain(self, batch: Batch) -> list[Explanation]:
        """Explain each pair; the score is NaN if a sentence has no structure."""
        ...


@runtime_checkable
class ComparesWords(Protocol):
    """A combiner that compares words by word vectors."""

    @property
    def vectors(self) -> WordVectors:
        """The word vectors."""
        ...


@runtime_checkable
class HasBounds(Protocol):
    """A combiner that knows upper bounds of scores."""

    def bounds(self, batch: Batch, rows: IntArray, columns: IntArray) -> Float64Array:
        """Return upper bounds of the scores of sentences ``rows`` with ``columns``, (r, c)."""
        ...


@runtime_checkable
class HasScores(Protocol):
    """A combiner that computes scores faster than explanations."""

    def scores(self, batch: Batch) -> Float64Array:
        """Return the scores of ``explain``, (p,), to the last bit; NaN without a structure."""
        ...


def lone_lines(
    first: Iterable[tuple[str, Filler]], second: Iterable[tuple[str, Filler]]
) -> list[RoleMatch]:
    """Return the lines of roles that only one sentence has, those of the first sentence first."""
    lines = [RoleMatch(role, None, filler.text, None, 0.0, 0.0, 0.0) for role, filler in first]
    return lines + [
        RoleMatch(None, role, None, filler.text, 0.0, 0.0, 0.0) for role, filler in second
    ]


def row_cosines(table: Float32Array, rows: Sequence[tuple[int, int]]) -> list[float]:
    """Return the inner products of pairs of unit rows, within [-1, 1]."""
    if not rows:
        return []
    first, second = np.array(rows).T
    products: list[float] = np.clip(row_products(table[first], table[second]), -1, 1).tolist()
    return products
