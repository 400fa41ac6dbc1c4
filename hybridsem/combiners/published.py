"""VerbNet-CN with its words looked up as the release of STS3k does (Fodor, De Deyne & Suzuki 2024).

    "The old cook's knife"   words     the old cook's knife    split at blanks
                             content   old cook's knife        without the release's stop words
                             vector    mean of the three, or none if one of them has none

A filler without a vector has the similarity 0, to itself too: one with a word that the vectors lack
(ConceptNet Numberbatch lacks "cook's"), and one of stop words alone ("him"; "won", which is on the
list for "won't").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hybridsem._typing import Float32Array
from hybridsem.combiners.base import Batch
from hybridsem.combiners.roles import RoleCombiner, covered
from hybridsem.embeddings.words import coverage, filler_vectors
from hybridsem.english.words import RELEASE_STOP_WORDS
from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.structures import Filler, RoleStructure

__all__ = ["PublishedRoleCombiner"]


@dataclass(frozen=True)
class PublishedRoleCombiner(RoleCombiner):
    """A :class:`~hybridsem.combiners.RoleCombiner` that averages the words of a filler's text."""

    def explain(self, batch: Batch) -> list[Explanation]:
        """Explain each pair with a line for each role that either sentence has."""
        coverage = covered(_by_words(batch), self.vectors, averaged=True).coverage
        batch = replace(batch, coverage=coverage)
        return [
            batch.explanation(pair, self.model, matches)
            for pair, matches in zip(batch.pairs, self.matches(batch), strict=True)
        ]

    def matches(self, batch: Batch) -> list[list[RoleMatch]]:
        """Return the compared and the lone roles of every pair; a failed parse has none."""
        return super().matches(_by_words(batch))

    def vectors_of(self, structures: Sequence[RoleStructure]) -> Float32Array:
        """Return role-slot vectors; their inner product over all weights is the score."""
        return super().vectors_of([_with_words(one) for one in structures])

    def _table(self, fillers: Sequence[Sequence[str]]) -> Float32Array:
        known = coverage(self.vectors, fillers, averaged=True)
        whole = [
            () if found.unknown else words for words, found in zip(fillers, known, strict=True)
        ]
        return filler_vectors(self.vectors, whole, averaged=True)

    def _similarity(self, filler1: Filler, filler2: Filler, cosine: float) -> float:
        return cosine


def _by_words(batch: Batch) -> Batch:
    structures = [
        _with_words(one) if isinstance(one, RoleStructure) else one
        for one in batch.structures or ()
    ]
    return replace(batch, structures=structures)


def _with_words(structure: RoleStructure) -> RoleStructure:
    """Return the structure with the words that the release looks up in its main frame."""
    fillers = {
        role: replace(filler, words=_words(filler.text), content=())
        for role, filler in structure.roles.items()
    }
    return replace(
        structure, frames=(replace(structure.main, fillers=fillers), *structure.frames[1:])
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.lower().split() if word not in RELEASE_STOP_WORDS)
