"""A score that says what it is made of.

Explanation                 a score, its sentences and their structures
matches  RoleMatch, …     its lines, whose contributions add up to the score
term   Term             which part of the model a line belongs to
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import Any

from hybridsem.structures import Parsed

__all__ = ["Explanation", "RoleMatch", "Term", "term_label"]


class Term(StrEnum):
    """Which part of a model a line of an explanation belongs to; ``label`` is what it is called."""

    label: str

    ROLE = "role", "role"
    SENTENCE = "sentence", "whole sentence"
    SWAP = "swap", "changed role"
    POLARITY = "polarity", "negated"
    LEARNED = "learned", "learned from"
    CONSTANT = "constant", "what all pairs have"
    LIMIT = "limit", "limit of scores"
    BEST_MATCH = "best match", "best match"

    def __new__(cls, value: str, label: str = "") -> Term:
        """A term with its label."""
        term = str.__new__(cls, value)
        term._value_ = value
        term.label = label
        return term


def term_label(term: str) -> str:
    """What a line's term is called: the label of a :class:`Term`, else the term itself."""
    try:
        return Term(term).label
    except ValueError:
        return term


@dataclass(frozen=True, slots=True)
class RoleMatch:
    """A line of an explanation: what was compared, how alike it is, and what that adds to the
    score.

    ``role1`` and ``role2`` differ where compatible roles were paired; a filler is None where only
    the other sentence has the role. ``term`` says which part of the model the line belongs to: a
    :class:`Term`, or the part's own name in a metric on strings.
    """

    role1: str | None
    role2: str | None
    filler1: str | None
    filler2: str | None
    similarity: float
    weight: float
    contribution: float
    term: str = Term.ROLE


@dataclass(frozen=True)
class Explanation:
    """A score and what it is made of: the contributions of ``matches`` add up to ``score``.

    ``truncated`` tells that the model has not read all of a sentence.
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

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``hybridsem explain --json`` prints it."""
        return {
            "model": self.model,
            "sentence1": self.sentence1,
            "sentence2": self.sentence2,
            "score": self.score,
            "matches": [
                {
                    name: getattr(match, name) for name in RoleMatch.__slots__
                }  # keeps the order of the fields
                for match in self.matches
            ],
            "details": dict(self.details),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        text: str = _rendering().as_text(self)
        return text

    def _repr_html_(self) -> str:
        fragment: str = _rendering().as_html(self)
        return fragment


def _rendering() -> Any:
    """The rendering of explanations, which stands above them: it is found by name when needed."""
    return import_module("hybridsem.render")
