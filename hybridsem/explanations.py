"""A score with the parts that it consists of.

Explanation       a score, its sentences and their structures
  matches         RoleMatch, …: its lines, whose contributions add up to the score
    term          Term: the part of the model that a line belongs to
  cosine_parts    CosineParts: the pairs of words whose parts add up to the cosine
  alignment       AlignedPair, …: the words that correspond
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils import displays
from hybridsem.comparison.edits import Edit, Evidence, Kind
from hybridsem.structures import Parsed

__all__ = [
    "AlignedPair",
    "CosineParts",
    "Explanation",
    "RoleMatch",
    "SentencePair",
    "Term",
    "WordPair",
    "merged_details",
    "numbered",
    "term_label",
]


class Term(StrEnum):
    """The part of a model that a line belongs to; ``label`` is its name in explanations."""

    label: str

    ROLE = "role", "role"
    SENTENCE = "sentence", "whole sentence"
    TOGETHER = "together", "read together"
    SWAP = "swap", "changed role"
    POLARITY = "polarity", "negated"
    LEARNED = "learned", "learned from"
    CONSTANT = "constant", "what all pairs have"
    LIMIT = "limit", "limit of scores"
    BEST_MATCH = "best match", "best match"
    WORDING = "wording", "other wording"
    LONE = "lone", "no counterpart of its own"

    def __new__(cls, value: str, label: str = "") -> Term:
        """A term with its label."""
        term = str.__new__(cls, value)
        term._value_ = value
        term.label = label
        return term


def term_label(term: str) -> str:
    """Return the label of a line's term: the label of a :class:`Term`, or the name of a model's own
    part.
    """
    try:
        return Term(term).label
    except ValueError:
        return term


def _column(kind: Kind) -> str:
    """The column of a table that has a kind, together with similar kinds."""
    if kind.evidence in (Evidence.PLACE, Evidence.ORDER):
        return Kind.ROLE.label
    if kind.evidence is Evidence.SCOPE or kind is Kind.NEGATION_PARITY:
        return Kind.NEGATION.label
    if kind in (Kind.PREPOSITION_OPPOSED, Kind.PREPOSITION):
        return Kind.PREPOSITION.label
    if kind in (Kind.NUMBER, Kind.OPPOSITE, Kind.QUANTITY) or "added" in kind.value:
        return kind.label
    content = kind.evidence is None or kind in (Kind.CO_HYPONYM, Kind.CONVERSION)
    return Kind.REPLACED.label if content else Kind.FUNCTION_WORD.weak


COLUMNS = {kind.value: _column(kind) for kind in Kind}


def merged_details(details: Mapping[str, float]) -> dict[str, float]:
    """Add up the amounts of kinds that share a column in a table of at most a dozen columns."""
    found: dict[str, float] = {}
    for name, value in details.items():
        column = COLUMNS.get(name, name)
        found[column] = found[column] + value if column in found else value
    return found


@dataclass(frozen=True, slots=True)
class RoleMatch:
    """A line of an explanation. ``role1`` and ``role2`` differ if compatible roles were paired; a
    filler is None if only the other sentence has the role. ``term`` is a :class:`Term`, or the name
    of a string metric or kind of difference. For a difference, ``similarity`` is the amount, and
    the fillers show its ``edits`` in words.
    """

    role1: str | None
    role2: str | None
    filler1: str | None
    filler2: str | None
    similarity: float
    weight: float
    contribution: float
    term: str = Term.ROLE
    edits: tuple[Edit, ...] = ()

    @property
    def label(self) -> str:
        """The name of the line; for several edits, the name that covers all words."""
        if not self.edits:
            return term_label(self.term)
        surest: dict[object, Edit] = {}
        for edit in sorted(self.edits, key=lambda edit: edit.confidence):
            if edit.kind.label == self.edits[0].kind.label:
                surest[edit.before.tokens, edit.after.tokens] = edit
        return min(surest.values(), key=lambda edit: edit.confidence).label

    @property
    def weighs(self) -> bool:
        """True if the contribution is the weight of a similarity, and not a charge or change."""
        return not self.edits and self.term != Term.TOGETHER

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the label, then the fields in their order."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {"label": self.label, **fields, "edits": [edit.to_dict() for edit in self.edits]}


class WordPair(NamedTuple):
    """A word of each sentence, and the amount that the pair adds to the cosine."""

    word1: str
    word2: str
    part: float


class AlignedPair(NamedTuple):
    """Aligned words of two sentences, as written. ``relation`` is the relation of the first to the
    second: ``same``, ``synonym``, ``antonym``, …, or ``none`` if only their vectors are similar;
    ``token1`` and ``token2`` are their numbers.
    """

    word1: str
    word2: str
    similarity: float
    relation: str
    token1: int
    token2: int


def numbered(one: int | None, two: int | None) -> str:
    """Name aligned sentences by their numbers: ``sentence 2``, ``sentences 2 and 3``."""
    return f"sentence {one}" if one == two else f"sentences {one} and {two}"


class SentencePair(NamedTuple):
    """Aligned sentences of two texts, by their numbers from 1, and their ``explanation``. A
    sentence without a counterpart has None next to it.
    """

    sentence1: int | None
    sentence2: int | None
    similarity: float
    explanation: Explanation | None

    def __str__(self) -> str:
        if self.sentence1 is None:
            return f"sentence {self.sentence2} of text 2 has no counterpart"
        if self.sentence2 is None:
            return f"sentence {self.sentence1} of text 1 has no counterpart"
        return f"{self.sentence1} – {self.sentence2} ({self.similarity:.2f})"


@dataclass(frozen=True, eq=False)
class CosineParts:
    """The cosine of two sentence vectors as a sum over pairs of words. ``table`` (n1 + 1, n2 + 1)
    has the part of each word of sentence 1 with each word of sentence 2. Its last row and column
    are the sentence marks, which the encoder adds around the words and pools with them. The table
    sums to the cosine, up to rounding (1e-6).
    """

    words1: tuple[str, ...]
    words2: tuple[str, ...]
    table: Float64Array

    @property
    def cosine(self) -> float:
        """The sum of the table."""
        return float(self.table.sum())

    def largest(self, count: int = 3) -> list[WordPair]:
        """Return the ``count`` pairs of words, without marks, that contribute most to the cosine,
        largest first; for a negative cosine, those that reduce it most.
        """
        parts = self.table[:-1, :-1]
        order = np.argsort(-np.copysign(1, self.cosine) * parts, axis=None, kind="stable")
        places = np.unravel_index(order[:count], parts.shape)
        return [
            WordPair(self.words1[i], self.words2[j], float(parts[i, j]))
            for i, j in zip(*places, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain data; the table row by row."""
        return {
            "words1": list(self.words1),
            "words2": list(self.words2),
            "table": self.table.tolist(),
        }


@dataclass(frozen=True)
class Explanation:
    """A score and its parts: the contributions of ``matches`` add up to ``score``.

    Attributes:
        sentence1: The first sentence.
        sentence2: The second.
        score: In [-1, 1]; NaN if a sentence has no structure.
        model: The model's name.
        matches: The lines.
        structure1: The structure of the first sentence, if the model reads structure.
        structure2: That of the second.
        notes: Warnings: the reason for a missing score, truncation, words without a vector.
        details: The numbers behind the lines, such as ``cosine`` and ``certainty``.
        truncated: Whether the model has not read all of a sentence.
        foreign: Whether a sentence is not English and the model reads only English.
        cosine_parts: Splits the cosine of the whole sentences by words, if the encoder's vectors
            are sums over words.
        alignment: The aligned words, if words were aligned, in the order of sentence 1.
        sentences: The aligned sentences of texts of several, in the order of the texts.

    >>> from hybridsem import Pipeline
    >>> found = Pipeline().explain("We left before the storm.", "We left after the storm.")
    >>> round(found.score, 4) == round(sum(line.contribution for line in found.matches), 4)
    True
    >>> line = found.matches[-1]
    >>> line.term, line.filler1, line.filler2
    ('preposition opposed', 'before storm', 'after storm')
    >>> [(pair.word1, pair.word2) for pair in found.alignment]
    [('We', 'We'), ('left', 'left'), ('storm', 'storm')]
    """

    sentence1: str
    sentence2: str
    score: float
    model: str
    matches: tuple[RoleMatch, ...] = ()
    structure1: Parsed | None = None
    structure2: Parsed | None = None
    notes: tuple[str, ...] = ()
    details: Mapping[str, float] = field(default_factory=dict)
    truncated: bool = False
    foreign: bool = False
    cosine_parts: CosineParts | None = field(default=None, compare=False, repr=False)
    alignment: tuple[AlignedPair, ...] = ()
    sentences: tuple[SentencePair, ...] = ()

    @property
    def summary(self) -> str:
        """One sentence that sums up the difference, or states the score.

        >>> from hybridsem import Pipeline
        >>> Pipeline().explain("The tea is hot.", "The tea is cold.").summary
        '"hot" and "cold" are opposites.'
        """
        return displays.summary(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``hybridsem explain --json`` prints it."""
        return {
            "summary": self.summary,
            "model": self.model,
            "sentence1": self.sentence1,
            "sentence2": self.sentence2,
            "score": self.score,
            "matches": [match.to_dict() for match in self.matches],
            "details": dict(self.details),
            "notes": list(self.notes),
            "alignment": [pair._asdict() for pair in self.alignment],
            "sentences": [
                {
                    **pair._asdict(),
                    "explanation": None if pair.explanation is None else pair.explanation.to_dict(),
                }
                for pair in self.sentences
            ],
            "cosine_parts": None if self.cosine_parts is None else self.cosine_parts.to_dict(),
        }

    def __str__(self) -> str:
        return displays.as_text(self)

    def _repr_html_(self) -> str:
        return displays.as_html(self)
