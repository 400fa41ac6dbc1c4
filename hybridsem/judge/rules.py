"""The rules of natural logic: contexts and relations, read from their rows.

    english/rules/contexts.toml    quantifiers, and words that make a context alone
    english/rules/relations.toml   the relations of edits

The precision of a row is the share of the pairs of development data (support) with an edit by the
rule whose joined relation is that of the label (``models/rules/logic.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from hybridsem._utils.tables import word_sets
from hybridsem.comparison.edits import LOGICAL, Kind
from hybridsem.comparison.logic import Context, Relation
from hybridsem.english import rules
from hybridsem.english.matcher import Pattern, read_pattern
from hybridsem.english.rules.rows import (
    check_ids,
    checked_row,
    faults,
    measures,
    read_rules,
    strings,
    table,
)
from hybridsem.errors import FormatError

ValueT = TypeVar("ValueT")

FOLDER = Path(rules.__file__).parent
CONTEXTS, RELATIONS = FOLDER / "contexts.toml", FOLDER / "relations.toml"
SCOPES = ("below", "behind")


@dataclass(frozen=True)
class Row:
    """The common part of the rows of all sections."""

    id: str
    source: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    precision: float | None
    support: int | None


@dataclass(frozen=True)
class Quantifier(Row):
    """A quantifier: the contexts of its restrictor and of the rest of its clause, None for none,
    and its phrases, as forms, "N" for a number.
    """

    restrictor: Context | None
    body: Context | None
    phrases: frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Maker(Row):
    """A word that makes a context, the ``source`` of its pattern. The scope is what is below a word
    of the pattern, or only what is ``behind`` the source.
    """

    pattern: Pattern
    context: Context
    top: str
    behind: bool


@dataclass(frozen=True)
class RelationRule(Row):
    """The kind, relation and confidence of an edit."""

    kind: Kind
    relation: Relation
    confidence: float


@cache
def quantifiers() -> Mapping[str, Quantifier]:
    """Return the quantifiers by their names."""
    known = {"": None, **Context.__members__}
    return {
        row.id: Quantifier(
            **vars(row),
            restrictor=given.named("restrictor", known),
            body=given.named("body", known),
            phrases=frozenset(tuple(phrase.split("_")) for phrase in given.text("words").split()),
        )
        for row, given in _rows(CONTEXTS, "quantifier", "restrictor", "body", "words")
    }


@cache
def makers() -> tuple[Maker, ...]:
    """Return the rules of words that make a context alone."""
    return tuple(
        _maker(row, given)
        for row, given in _rows(CONTEXTS, "context", "pattern", "context", "scope")
    )


def _maker(row: Row, given: _Given) -> Maker:
    with faults(CONTEXTS, f"{given.where}key 'pattern'"):
        pattern = read_pattern(strings(given.row["pattern"]), {})
    scopes = {f"{how} {name}": (name, how) for how in SCOPES for name in pattern.names}
    top, how = given.named("scope", scopes)
    context = given.named("context", Context.__members__)
    return Maker(**vars(row), pattern=pattern, context=context, top=top, behind=how == "behind")


@cache
def relations() -> Mapping[str, RelationRule]:
    """Return the rules of edits by their ids."""
    kinds, known = {kind.name: kind for kind in LOGICAL}, {str(each): each for each in Relation}
    return {
        row.id: RelationRule(
            **vars(row),
            kind=given.named("kind", kinds),
            relation=given.named("relation", known),
            confidence=float(given.text("confidence")),
        )
        for row, given in _rows(RELATIONS, "relation", "kind", "relation", "confidence")
    }


@cache
def relation_words() -> Mapping[str, frozenset[str]]:
    """Return the sets of words of the rules of relations."""
    return word_sets(read_rules(RELATIONS)["words"])


class _Given(NamedTuple):
    """A row of a file, whose keys are right; ``where`` begins messages about it."""

    path: Path
    where: str
    row: Mapping[str, object]

    def text(self, key: str) -> str:
        """Return a value as text."""
        return str(self.row[key])

    def named(self, key: str, known: Mapping[str, ValueT]) -> ValueT:
        """Return what a value names; :class:`FormatError` for an unknown name."""
        if self.text(key) not in known:
            message = f"key {key!r}: one of {sorted(known)}, got {self.row[key]!r}"
            raise FormatError(self.where + message, self.path)
        return known[self.text(key)]


def _rows(path: Path, section: str, *own: str) -> Iterator[tuple[Row, _Given]]:
    """Yield the common part of the rows of a section, and each whole row, whose keys are checked.

    Raises:
        FormatError: Names the file, the rule, the key, what was given and what is allowed.
    """
    every = read_rules(path)[section]
    check_ids([str(row.get("id")) for row in every], path)
    for row in every:
        given = _Given(path, checked_row(row, own, (), path), row)
        positive, negative = (tuple(map(str, row[key])) for key in ("positive", "negative"))
        yield Row(given.text("id"), given.text("source"), positive, negative, *measures(row)), given


def as_markdown(rows: Iterable[Row]) -> str:
    """Return a table of rules for the documentation."""
    return table(
        ("rule", "examples", "source"),
        (
            (
                (f"`{row.id}`", "; ".join(row.positive).replace(" | ", " → "), row.source),
                (row.precision, row.support),
            )
            for row in rows
        ),
    )
