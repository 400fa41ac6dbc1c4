"""Differences between two sentences as data: edits, and the one table of their kinds.

    Edit    a kind, the words of both sentences, the relation of the two sides, its confidence,
            and the mass that the score charges
    Words   tokens of a sentence with their context: role, anchor, marker
    Kind    the table: a row for each kind, with all its properties

``differences.py`` finds the edits that the score charges, ``judge/derivation.py`` their relations
and the edits that cost nothing.
"""

from __future__ import annotations

from enum import StrEnum, auto
from typing import Any, NamedTuple

from hybridsem.comparison.logic import Relation


class Evidence(StrEnum):
    """The evidence that a kind is for the judge."""

    PLACE = auto()
    NUMBER = auto()
    OPPOSITION = auto()
    SCOPE = auto()
    """Something else is denied."""
    OTHER = auto()
    ORDER = auto()


def _place(name: str, about: str = "") -> tuple[str, str, str, str]:
    return name, "changed places", f"place separates {about}", "in another place"


class Kind(StrEnum):
    """A kind of edit; its value is its name in files of weights.

    Attributes:
        label: Its name in an explanation.
        evidence: The evidence that it is for the judge; None for no separate evidence.
        contradicts: Whether the sentences contradict each other if it is their only difference.
        separates: Whether any amount of it shows that two records are not duplicates.
        scaled: Whether its mass is scaled by the confidence in the relations.
        unjudged: Whether the judge's network does not read its amount.
        logical: Whether it is an edit of natural logic, which has a relation and costs nothing by
            itself; its value names features of the judge.
        distinguishes: Whether the judge doubts that sentences with such an edit mean the same, if
            the edit's confidence is above :data:`SURE`.
        weak: Its name in an explanation if the confidence is below :data:`SURE`.

    >>> Kind("number").label, Kind.NUMBER.separates
    ('other number', True)
    """

    label: str
    evidence: Evidence | None
    weak: str
    contradicts: bool
    separates: bool
    scaled: bool
    unjudged: bool
    logical: bool
    distinguishes: bool

    @property
    def displaces(self) -> bool:
        """True if words have another place, not just another order."""
        return self.evidence in (Evidence.PLACE, Evidence.ORDER) and self is not Kind.WORD_ORDER

    def __new__(cls, name: str, label: str, about: str = "", weak: str = "") -> Kind:
        """Return a kind; ``about`` has its evidence and the properties that hold."""
        kind, words = str.__new__(cls, name), about.split()
        kind._value_, kind.label, kind.weak = name, label, weak or label
        kind.evidence = next((one for one in Evidence if one in words), None)
        for flag in ("contradicts", "separates", "scaled", "unjudged", "logical", "distinguishes"):
            setattr(kind, flag, flag in words)
        return kind

    REPLACED_NAMES = "replaced names", "other words", "separates"
    ADDED_NAMES = "added names", "without a counterpart", "separates"
    REPLACED_NOUNS = "replaced nouns", "other words"
    ADDED_NOUNS = "added nouns", "without a counterpart"
    REPLACED_VERBS = "replaced verbs", "other words"
    ADDED_VERBS = "added verbs", "without a counterpart"
    REPLACED_ADJECTIVES = "replaced adjectives", "other words"
    ADDED_ADJECTIVES = "added adjectives", "without a counterpart"
    REPLACED_OTHERS = "replaced others", "other words"
    ADDED_OTHERS = "added others", "without a counterpart"
    REPLACED = "replaced", "other words"
    MAIN_VERB = "main verb", "another main verb"
    CONVERSION = "conversion", "verb and noun", "other separates"
    UNLIKE_ADJECTIVES = "unlike adjectives", "another word"
    UNLIKE_OTHERS = "unlike others", "another word"
    NUMBER = "number", "other number", "number separates", "perhaps another number"
    AMOUNT = "amount", "other amount", "number separates unjudged"
    TIME = "time", "other time", "number separates unjudged"
    IDENTIFIER = "identifier", "other identifier", "number separates unjudged"
    NAME = "name", "other name", "other separates unjudged"
    PRECISION = (
        "precision",
        "more or less exact",
        "number separates unjudged",
        "perhaps another value",
    )
    """A value that includes the other; less sure: one that may be the same."""
    CO_HYPONYM = "co-hyponym", "of the same kind", "other separates"
    OPPOSITE = "opposite", "opposite", "opposition contradicts separates"
    ROLE = _place("roles exchanged", "distinguishes")
    ROLE_ABSTRACT = _place("roles exchanged, abstract", "distinguishes")
    ROLE_OTHER = _place("roles exchanged, others", "distinguishes")
    RELATION = _place("relations exchanged")
    GOVERNOR = _place("governors exchanged", "scaled")
    GOVERNOR_ABSTRACT = _place("governors exchanged, abstract", "scaled")
    GOVERNOR_OTHER = _place("governors exchanged, others", "scaled")
    INVERTED = "inverted", "inverted", "place separates"
    MODIFIER = "reattached modifiers", "with another word", "place separates scaled distinguishes"
    CROSSED = "order crossed", "changed places", "order separates distinguishes"
    WORD_ORDER = "word order", "in another order", "place separates scaled"
    PREPOSITION_OPPOSED = (
        "preposition opposed",
        "opposed prepositions",
        "opposition contradicts separates",
        "other preposition",
    )
    PREPOSITION = "preposition changed", "other preposition", "other scaled"
    CONNECTIVE = (
        "connective opposed",
        "opposed conjunctions",
        "opposition contradicts separates",
        "other conjunction",
    )
    QUESTION_WORD = "question words", "another question word", "other separates distinguishes"
    FUNCTION_WORD = (
        "function words opposed",
        "opposed words",
        "opposition separates",
        "other function words",
    )
    COORDINATION = "coordination", "and, or, nor", "other separates distinguishes"
    NEGATION = "negation", "negated", "scope contradicts separates"
    NEGATION_PARITY = (
        "negation parity",
        "unbalanced negations or opposites",
        "contradicts separates",
    )
    NEGATION_FOCUS = "focus of negation", "focus of negation", "scope separates distinguishes"
    MODALITY = "modality", "other modality", "other separates distinguishes"
    QUANTITY = "quantity", "other quantity", "opposition separates"
    QUESTION = "question", "question", "other separates"

    WORD = "word", "related word", "other logical"
    """A word replaced by one that WordNet relates to it."""
    SIBLING = "sibling", "of the same kind", "other logical"
    """A word replaced by a co-hyponym."""
    UNKNOWN = "unknown", "another word", "other logical"
    """A word replaced by an unrelated one."""
    ADDED = "added", "without a counterpart", "other logical"
    """Words that only one sentence has."""
    HEAD = "head", "without a counterpart", "other logical"
    """Words that only one sentence has, but that govern words of both."""
    CONJUNCT = "conjunct", "another conjunct", "other logical"
    DISJUNCT = "disjunct", "another alternative", "other logical"
    QUANTIFIER = "quantifier", "other quantity", "opposition logical"
    ARTICLE = "article", "other article", "other logical"
    VALUE = "value", "other number", "number logical"
    DENIAL = "denial", "negated", "scope logical"
    MODAL = "modal", "other modality", "other logical"
    SIGNATURE = "signature", "implied or denied", "scope logical"
    """A verb or adjective that implies, denies or leaves open its complement."""
    MARKER = "marker", "other function word", "other logical"
    """A preposition or conjunction."""
    MOVED = "moved", "in another place", "place logical"


ROLES = (Kind.ROLE, Kind.ROLE_ABSTRACT, Kind.ROLE_OTHER)
"""Exchanges of the roles of things and people, of abstract nouns, and of other words."""
CHARGED = tuple(kind for kind in Kind if not kind.logical)
"""The kinds that the score charges."""
LOGICAL = tuple(kind for kind in Kind if kind.logical)
GOVERNORS = (Kind.GOVERNOR, Kind.GOVERNOR_ABSTRACT, Kind.GOVERNOR_OTHER)
"""Exchanges of the governors of the same three."""
SURE = 0.5
"""The confidence from which an edit has its kind's own label."""


class Words(NamedTuple):
    """Tokens of a sentence, by number, with their context.

    ``role`` is their role, or ""; ``anchor`` the token that they belong to or concern, or a
    neighbour; ``marker`` the lemma of a function word that marks them, such as "from" or "must",
    and ``marks`` its tokens. ``scope`` is the token in whose downward scope they are, if any.
    """

    tokens: tuple[int, ...] = ()
    role: str = ""
    anchor: int | None = None
    marker: str = ""
    marks: tuple[int, ...] = ()
    scope: int | None = None

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

    ``relation`` is that of the two sides, first to second, and ``projected`` that of the sentences
    if this is their only difference; ``direction`` is that of its place (1 up, -1 down, 0 neither).
    ``rule`` is the row of ``english/rules/relations.toml`` that gave the relation, if any.

    >>> Edit(Kind.NUMBER, Words((0,)), Words((3,)), 0.2).inverted.before.tokens
    (3,)
    """

    kind: Kind
    before: Words
    after: Words
    mass: float = 0.0
    confidence: float = 1.0
    event: int = 0
    relation: Relation = Relation.INDEPENDENT
    projected: Relation = Relation.INDEPENDENT
    direction: int = 1
    rule: str = ""

    @property
    def label(self) -> str:
        """Its name in an explanation."""
        return self.kind.label if self.confidence >= SURE else self.kind.weak

    @property
    def sides(self) -> tuple[Words, Words]:
        """The words of both sentences."""
        return self.before, self.after

    @property
    def is_balanced(self) -> bool:
        """True for opposites with the negation that balances them."""
        return self.kind is Kind.DENIAL and bool(self.before.tokens and self.after.tokens)

    @property
    def inverted(self) -> Edit:
        """The edit with the sentences in the other order."""
        return self._replace(
            before=self.after,
            after=self.before,
            relation=self.relation.inverted,
            projected=self.projected.inverted,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        sides = {
            name: {key: value for key, value in words._asdict().items() if key != "scope"}
            for name, words in (("before", self.before), ("after", self.after))
        }
        shown = {name: getattr(self, name) for name in ("mass", "confidence", "event")}
        return {"kind": self.kind.value, **sides, **shown}
