"""What two sentences differ in, as data: edits, and the one table of their kinds.

    Edit    a kind, the words of either sentence, how much of it there is, how sure it is
    Words   tokens of a sentence, and what tells their place: role, anchor, marker
    Kind    the table: a row for each kind, with all that any reader asks of it

Edits are found by ``combiners/comparison/differences.py``; text is made of them in ``render``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Any, NamedTuple

__all__ = ["SURE", "Edit", "Evidence", "Kind", "Words"]


class Evidence(Enum):
    """How a kind counts for the judge: what it is evidence of."""

    PLACE = auto()
    NUMBER = auto()
    OPPOSITION = auto()
    DENIAL = auto()
    """Words that deny, in one sentence alone."""
    SCOPE = auto()
    """Something else is denied."""
    OTHER = auto()
    ORDER = auto()
    REPLACED = auto()
    """Words that stand for others."""
    ONLY1 = auto()
    """Words that only the first sentence has."""
    ONLY2 = auto()
    SPECIFIC1 = auto()
    """Words of the first sentence that say more than their partners."""
    SPECIFIC2 = auto()
    ALIKE = auto()
    """Other words that say the same."""


@dataclass(frozen=True)
class _Row:
    name: str
    label: str
    evidence: Evidence | None = None
    contradicts: bool = False
    separates: bool = False
    judged: bool = True
    distinguishes: bool = False
    weak: str = ""


def _other_meaning(name: str, label: str, evidence: Evidence) -> _Row:
    return _Row(name, label, evidence, separates=True, judged=False, distinguishes=True)


def _place(name: str) -> _Row:
    return _Row(name, "changed places", Evidence.PLACE, separates=True, weak="in another place")


class Kind(StrEnum):
    """A kind of edit; its value is its name in files of weights.

    Attributes:
        label: What an explanation calls it. Edits of one label between the same words are one line.
        evidence: What it tells the judge, None for nothing of its own.
        contradicts: Whether both sentences cannot be true where it is all that they differ in.
        separates: Whether any of it keeps two records apart.
        judged: Whether the judge's network reads its amount.
        distinguishes: Whether the judge doubts that sentences say the same that have one of which
            it is more than :data:`SURE`.
        weak: What it is called where it is not :data:`SURE`, if otherwise.

    >>> Kind("number").label, Kind.NUMBER.separates
    ('other number', True)
    """

    label: str
    evidence: Evidence | None
    contradicts: bool
    separates: bool
    judged: bool
    distinguishes: bool
    weak: str

    def __new__(cls, row: _Row) -> Kind:
        """A kind with the columns of its row."""
        kind = str.__new__(cls, row.name)
        kind._value_, kind.label, kind.evidence = row.name, row.label, row.evidence
        for name in ("contradicts", "separates", "judged", "distinguishes"):
            setattr(kind, name, getattr(row, name))
        kind.weak = row.weak or row.label
        return kind

    REPLACED = _Row("replaced", "replaced")
    ADDED = _Row("added", "without a counterpart")
    REPLACED_NAMES = _Row("replaced names", "replaced", separates=True)
    ADDED_NAMES = _Row("added names", "without a counterpart", separates=True)
    REPLACED_NOUNS = _Row("replaced nouns", "replaced")
    ADDED_NOUNS = _Row("added nouns", "without a counterpart")
    REPLACED_VERBS = _Row("replaced verbs", "replaced")
    ADDED_VERBS = _Row("added verbs", "without a counterpart")
    REPLACED_ADJECTIVES = _Row("replaced qualities", "replaced")
    ADDED_ADJECTIVES = _Row("added qualities", "without a counterpart")
    UNLIKE_ADJECTIVES = _Row("unlike qualities", "another word")
    UNLIKE_OTHERS = _Row("unlike others", "another word")
    MAIN_VERB = _Row("main verb", "another main verb")
    NUMBER = _Row("number", "other number", Evidence.NUMBER, separates=True)
    NUMBERS = _Row("numbers", "other number", Evidence.NUMBER, separates=True)
    CO_HYPONYM = _Row("sibling", "another of its kind", Evidence.OTHER, separates=True)
    ROLE = _place("roles exchanged")
    CLAUSE_ROLE = _place("clause roles exchanged")
    PHRASE = _place("phrases exchanged")
    GOVERNOR = _place("governors exchanged")
    INVERTED = _Row("turned round", "the other way round", Evidence.PLACE, separates=True)
    PREPOSITION_OPPOSED = _Row(
        "preposition opposed",
        "opposed prepositions",
        Evidence.OPPOSITION,
        contradicts=True,
        separates=True,
        weak="other preposition",
    )
    PREPOSITION = _Row("preposition changed", "other preposition", Evidence.OTHER)
    WORD_BEFORE = _Row(
        "words before exchanged", "beside another word", Evidence.PLACE, separates=True
    )
    WORD_AFTER = _Row(
        "words after exchanged", "beside another word", Evidence.PLACE, separates=True
    )
    POLARITY = _Row("polarity", "negated", Evidence.SCOPE, contradicts=True, separates=True)
    OPPOSED = _Row("opposed", "opposite", Evidence.OPPOSITION, contradicts=True, separates=True)
    OPPOSITES = _Row("opposites", "opposite", contradicts=True, separates=True)
    MODALITY = _Row(
        "modality", "other modality", Evidence.OTHER, separates=True, distinguishes=True
    )
    QUANTITY = _Row("quantity", "other quantity", Evidence.OPPOSITION, separates=True)
    CONNECTIVE = _Row(
        "connective opposed",
        "opposed conjunctions",
        Evidence.OPPOSITION,
        contradicts=True,
        separates=True,
        weak="other conjunction",
    )
    FUNCTION_WORD = _Row(
        "function words opposed",
        "opposed words",
        Evidence.OPPOSITION,
        separates=True,
        weak="other function words",
    )
    NEGATION_PARITY = _Row(
        "odd denials", "uneven negations or opposites", contradicts=True, separates=True
    )
    QUESTION = _Row("question", "a question, or not", Evidence.OTHER, separates=True)
    MODIFIER = _other_meaning("modifiers moved", "with another word", Evidence.PLACE)
    CROSSED = _other_meaning("order crossed", "changed places", Evidence.ORDER)
    QUESTION_WORD = _other_meaning("question words", "another question word", Evidence.OTHER)
    COORDINATION = _other_meaning("coordination", "and, or, nor", Evidence.OTHER)
    NEGATION_FOCUS = _other_meaning("focus of negation", "not only, or not", Evidence.SCOPE)


SURE = 0.5
"""The confidence from which an edit has its kind's own label."""


class Words(NamedTuple):
    """Tokens of a sentence, by number, and what tells their place.

    ``role`` is one that they have, or ""; ``anchor`` the token that they belong to or stand beside;
    ``marker`` the lemma of a function word that says something of them, such as "from" or "must",
    and ``marks`` its tokens.
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
    """A difference: its kind, what stands in either sentence, ``mass``, how much of it there is,
    and ``confidence``, how sure it is that they are partners so related, or so exchanged, 0 to 1.

    >>> Edit(Kind.NUMBER, Words((0,)), Words((3,)), 0.2).turned.before
    Words(tokens=(3,), role='', anchor=None, marker='', marks=())
    """

    kind: Kind
    before: Words
    after: Words
    mass: float
    confidence: float = 1.0

    @property
    def label(self) -> str:
        """What an explanation calls it."""
        return self.kind.label if self.confidence >= SURE else self.kind.weak

    @property
    def turned(self) -> Edit:
        """The same of the sentences in the other order."""
        return self._replace(before=self.after, after=self.before)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        sides = {"before": self.before._asdict(), "after": self.after._asdict()}
        return {"kind": self.kind.value, **sides, "mass": self.mass, "confidence": self.confidence}
