"""Differences between two sentences as data: edits, and the one table of their kinds.

    Edit    a kind, the words of both sentences, its mass and its confidence
    Words   tokens of a sentence with their context: role, anchor, marker
    Kind    the table: a row for each kind, with all its properties

``combiners/comparison/differences.py`` finds edits, and ``render`` turns them into text.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Any, NamedTuple

__all__ = ["GOVERNORS", "ROLES", "SURE", "Edit", "Evidence", "Kind", "Words"]


class Evidence(Enum):
    """The evidence that a kind is for the judge."""

    PLACE = auto()
    NUMBER = auto()
    OPPOSITION = auto()
    SCOPE = auto()
    """Something else is denied."""
    OTHER = auto()
    ORDER = auto()


@dataclass(frozen=True)
class _Row:
    name: str
    label: str
    evidence: Evidence | None = None
    contradicts: bool = False
    separates: bool = False
    scaled: bool = False
    judged: bool = True
    distinguishes: bool = False
    weak: str = ""


def _lacking(words: str, separates: bool = False) -> tuple[_Row, _Row]:
    return (
        _Row(f"replaced {words}", "replaced", separates=separates),
        _Row(f"added {words}", "without a counterpart", separates=separates),
    )


def _place(name: str, label: str = "changed places", **columns: bool) -> _Row:
    weak = "in another place" if label == "changed places" else ""
    return _Row(name, label, Evidence.PLACE, separates=True, weak=weak, **columns)


class Kind(StrEnum):
    """A kind of edit; its value is its name in files of weights.

    Attributes:
        label: Its name in an explanation.
        evidence: The evidence that it is for the judge; None for no separate evidence.
        contradicts: Whether the sentences contradict each other if it is their only difference.
        separates: Whether any amount of it shows that two records are not duplicates.
        scaled: Whether its mass is scaled by the certainty of the relations.
        judged: Whether the judge's network reads its amount.
        distinguishes: Whether the judge doubts that sentences with such an edit mean the same, if
            the edit's confidence is above :data:`SURE`.
        weak: Its name in an explanation if the confidence is below :data:`SURE`.

    >>> Kind("number").label, Kind.NUMBER.separates
    ('other number', True)
    """

    label: str
    evidence: Evidence | None
    contradicts: bool
    separates: bool
    scaled: bool
    judged: bool
    distinguishes: bool
    weak: str

    def __new__(cls, row: _Row) -> Kind:
        """Return a kind with the columns of its row."""
        kind = str.__new__(cls, row.name)
        kind._value_ = row.name
        for column, value in vars(row).items():
            if column != "name":
                setattr(kind, column, value)
        kind.weak = row.weak or row.label
        return kind

    REPLACED_NAMES, ADDED_NAMES = _lacking("names", separates=True)
    REPLACED_NOUNS, ADDED_NOUNS = _lacking("nouns")
    REPLACED_VERBS, ADDED_VERBS = _lacking("verbs")
    REPLACED_ADJECTIVES, ADDED_ADJECTIVES = _lacking("adjectives")
    REPLACED_OTHERS, ADDED_OTHERS = _lacking("others")
    REPLACED = _Row("replaced", "replaced")
    MAIN_VERB = _Row("main verb", "another main verb")
    CONVERSION = _Row("conversion", "verb and noun", Evidence.OTHER, separates=True)
    UNLIKE_ADJECTIVES = _Row("unlike adjectives", "another word")
    UNLIKE_OTHERS = _Row("unlike others", "another word")
    NUMBER = _Row("number", "other number", Evidence.NUMBER, separates=True)
    CO_HYPONYM = _Row("co-hyponym", "of the same kind", Evidence.OTHER, separates=True)
    OPPOSITE = _Row("opposite", "opposite", Evidence.OPPOSITION, contradicts=True, separates=True)
    ROLE = _place("roles exchanged", distinguishes=True)
    ROLE_ABSTRACT = _place("roles exchanged, abstract", distinguishes=True)
    ROLE_OTHER = _place("roles exchanged, others", distinguishes=True)
    RELATION = _place("relations exchanged")
    GOVERNOR = _place("governors exchanged", scaled=True)
    GOVERNOR_ABSTRACT = _place("governors exchanged, abstract", scaled=True)
    GOVERNOR_OTHER = _place("governors exchanged, others", scaled=True)
    INVERTED = _place("inverted", "inverted")
    MODIFIER = _place("reattached modifiers", "with another word", scaled=True, distinguishes=True)
    CROSSED = _Row(
        "order crossed", "changed places", Evidence.ORDER, separates=True, distinguishes=True
    )
    WORD_ORDER = _place("word order", "in another order", scaled=True)
    PREPOSITION_OPPOSED = _Row(
        "preposition opposed",
        "opposed prepositions",
        Evidence.OPPOSITION,
        contradicts=True,
        separates=True,
        weak="other preposition",
    )
    PREPOSITION = _Row("preposition changed", "other preposition", Evidence.OTHER, scaled=True)
    CONNECTIVE = _Row(
        "connective opposed",
        "opposed conjunctions",
        Evidence.OPPOSITION,
        contradicts=True,
        separates=True,
        weak="other conjunction",
    )
    QUESTION_WORD = _Row(
        "question words",
        "another question word",
        Evidence.OTHER,
        separates=True,
        distinguishes=True,
    )
    FUNCTION_WORD = _Row(
        "function words opposed",
        "opposed words",
        Evidence.OPPOSITION,
        separates=True,
        weak="other function words",
    )
    COORDINATION = _Row(
        "coordination", "and, or, nor", Evidence.OTHER, separates=True, distinguishes=True
    )
    NEGATION = _Row("negation", "negated", Evidence.SCOPE, contradicts=True, separates=True)
    NEGATION_PARITY = _Row(
        "negation parity", "unbalanced negations or opposites", contradicts=True, separates=True
    )
    NEGATION_FOCUS = _Row(
        "focus of negation", "focus of negation", Evidence.SCOPE, separates=True, distinguishes=True
    )
    MODALITY = _Row(
        "modality", "other modality", Evidence.OTHER, separates=True, distinguishes=True
    )
    QUANTITY = _Row("quantity", "other quantity", Evidence.OPPOSITION, separates=True)
    QUESTION = _Row("question", "question", Evidence.OTHER, separates=True)


ROLES = (Kind.ROLE, Kind.ROLE_ABSTRACT, Kind.ROLE_OTHER)
"""Exchanges of the roles of things and people, of abstract nouns, and of other words."""
GOVERNORS = (Kind.GOVERNOR, Kind.GOVERNOR_ABSTRACT, Kind.GOVERNOR_OTHER)
"""Exchanges of the governors of the same three."""
SURE = 0.5
"""The confidence from which an edit has its kind's own label."""


class Words(NamedTuple):
    """Tokens of a sentence, by number, with their context.

    ``role`` is their role, or ""; ``anchor`` the token that they belong to, or a neighbour;
    ``marker`` the lemma of a function word that marks them, such as "from" or "must", and ``marks``
    its tokens.
    """

    tokens: tuple[int, ...] = ()
    role: str = ""
    anchor: int | None = None
    marker: str = ""
    marks: tuple[int, ...] = ()

    @property
    def all_tokens(self) -> tuple[int, ...]:
        """The tokens, what marks them, and the anchor."""
        anchor = () if self.anchor is None else (self.anchor,)
        return (*self.marks, *self.tokens, *anchor)


class Edit(NamedTuple):
    """A difference. It has a kind, the words of both sentences, a ``mass``, and a ``confidence``, 0
    to 1, that the words are related, or exchanged, in this way. Edits with the same ``event``, a
    number from 1, are one change: two words that changed places, a negation. With 0, the edit is a
    separate event.

    >>> Edit(Kind.NUMBER, Words((0,)), Words((3,)), 0.2).inverted.before
    Words(tokens=(3,), role='', anchor=None, marker='', marks=())
    """

    kind: Kind
    before: Words
    after: Words
    mass: float
    confidence: float = 1.0
    event: int = 0

    @property
    def label(self) -> str:
        """Its name in an explanation."""
        return self.kind.label if self.confidence >= SURE else self.kind.weak

    @property
    def inverted(self) -> Edit:
        """The edit with the sentences in the other order."""
        return self._replace(before=self.after, after=self.before)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        sides = {"before": self.before._asdict(), "after": self.after._asdict()}
        return {**self._asdict(), "kind": self.kind.value, **sides}
