"""The rows of the rules of natural logic: contexts and relations, read and checked.

    english/rules/contexts.toml    quantifiers, and words that make a context alone
    english/rules/relations.toml   the relations of edits

``precision`` is the share of the ``support`` pairs of development data with an edit by the rule
whose joined relation is that of the label (``models/rules/measure.py``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from hybridsem._utils.tables import word_sets
from hybridsem.comparison.edits import LOGICAL, Kind
from hybridsem.comparison.logic import Context, Relation
from hybridsem.english import rules
from hybridsem.english.matcher import Pattern, PatternError, read_pattern
from hybridsem.errors import FormatError

ValueT = TypeVar("ValueT")
Common = tuple[str, str, tuple[str, ...], tuple[str, ...], float | None, int | None]

FOLDER = Path(rules.__file__).parent
CONTEXTS, RELATIONS = FOLDER / "contexts.toml", FOLDER / "relations.toml"
COMMON = ("id", "source", "positive", "negative")
MEASURED = ("precision", "support")
KEYS = {
    "quantifier": ("restrictor", "body", "words"),
    "context": ("pattern", "context", "scope"),
    "relation": ("kind", "relation", "confidence"),
}
"""The keys of the rows of each section besides those of all."""
SCOPES = ("below", "behind")
LEAST_EXAMPLES = 2


@dataclass(frozen=True)
class Row:
    """What the rows of all sections have."""

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
    found = {}
    for common, row in _rows(CONTEXTS, "quantifier"):
        context1, context2 = (
            _named(Context.__members__, row[key], common, key) if row[key] else None
            for key in ("restrictor", "body")
        )
        phrases = frozenset(tuple(phrase.split("_")) for phrase in str(row["words"]).split())
        found[common[0]] = Quantifier(*common, context1, context2, phrases)
    return found


@cache
def makers() -> tuple[Maker, ...]:
    """Return the rules of words that make a context alone."""
    return tuple(_maker(common, row) for common, row in _rows(CONTEXTS, "context"))


def _maker(common: Common, row: Mapping[str, object]) -> Maker:
    try:
        pattern = read_pattern([str(line) for line in _listed(row["pattern"])], {})
    except PatternError as error:
        raise _fault(CONTEXTS, common[0], "pattern", f"allowed is {error}") from error
    how, _, top = str(row["scope"]).partition(" ")
    if how not in SCOPES or top not in pattern.names or "source" not in pattern.names:
        allowed = f"one of {SCOPES} and a word of the pattern {sorted(pattern.names)}"
        raise _fault(CONTEXTS, common[0], "scope", f"{allowed}, got {row['scope']!r}")
    context = _named(Context.__members__, row["context"], common, "context")
    return Maker(*common, pattern, context, top, how == "behind")


@cache
def relations() -> Mapping[str, RelationRule]:
    """Return the rules of edits by their ids."""
    kinds, known = {kind.name: kind for kind in LOGICAL}, {str(each): each for each in Relation}
    return {
        common[0]: RelationRule(
            *common,
            _named(kinds, row["kind"], common, "kind"),
            _named(known, row["relation"], common, "relation"),
            float(str(row["confidence"])),
        )
        for common, row in _rows(RELATIONS, "relation")
    }


@cache
def relation_words() -> Mapping[str, frozenset[str]]:
    """Return the sets of words of the rules of relations."""
    return word_sets(_read(RELATIONS)["words"])


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _rows(path: Path, section: str) -> Iterator[tuple[Common, Mapping[str, object]]]:
    """Yield the rows of a section: what all rows have, and the row itself, whose keys are checked.

    Raises:
        FormatError: Names the file, the rule, the key, what was given and what is allowed.
    """
    names: set[str] = set()
    for row in _read(path)[section]:
        name = str(row.get("id", "without id"))
        needed = (*COMMON, *KEYS[section])
        for key in {*row, *needed}:
            if key not in (*needed, *MEASURED):
                raise _fault(path, name, key, f"unknown; allowed are {(*needed, *MEASURED)}")
            if key in needed and key not in row:
                raise _fault(path, name, key, f"missing; needed are {needed}")
        if name in names:
            raise _fault(path, name, "id", "an id that no other rule has")
        names.add(name)
        positive, negative = (_listed(row[key]) for key in ("positive", "negative"))
        for key, examples in (("positive", positive), ("negative", negative)):
            if len(examples) < LEAST_EXAMPLES:
                raise _fault(path, name, key, f"at least {LEAST_EXAMPLES} examples")
        measured = row.get("precision"), row.get("support")
        yield (name, str(row["source"]), positive, negative, *measured), row


def _listed(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _named(known: Mapping[str, ValueT], value: object, common: Common, key: str) -> ValueT:
    if str(value) not in known:
        path = RELATIONS if key in KEYS["relation"] else CONTEXTS
        raise _fault(path, common[0], key, f"one of {sorted(known)}, got {value!r}")
    return known[str(value)]


def _fault(path: Path, name: str, key: str, message: str) -> FormatError:
    return FormatError(f"rule {name!r}, key {key!r}: {message}", path)
