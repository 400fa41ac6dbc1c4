"""Sentence analogies: categories of pairs whose sentences differ in the same way, and their files.

    Analogies
      Category  "passivisation", of the group "relational"
        Pair    a: "The cat chased the dog."   b: "The dog was chased by the cat."
                distractors of b: {"negation": "The dog was not chased by the cat.", "reordering":
                …}

Any two pairs (A, B) and (C, D) of a category, in order, are a question: A is to B as C is to what?
n pairs give n (n - 1) / 2. The candidates are D and its distractors, or without distractors all
sentences of the category (Zhu & de Melo 2020).

A file is a table (jsonl, tsv, csv, Parquet, …) with the columns category, group, a, b and perhaps
a column for each kind of DISTRACTORS, where an empty cell means none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hybridsem._utils.validation import problem
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.tables.records import write_records

GROUPS = ("semantic", "syntactic", "relational")

LEXICAL = "lexical"
"""The semantic and syntactic groups together, whose sentences differ in a word."""

ALL, MICRO = "all", ", micro"
RESERVED = frozenset(name + end for name in (*GROUPS, LEXICAL, ALL) for end in ("", MICRO))
"""The names of groups in results."""

DISTRACTORS = ("negation", "deletion", "masking", "span", "reordering")
"""The kinds (section 3.2.2): "not" added, words deleted or masked, a span deleted, parts swapped.
"""

MASK = "[MASK]"
"""A masked word in a text, which each model sees as its own mask."""


@dataclass(frozen=True)
class Pair:
    """Two sentences in the category's relation, and the ``distractors`` of b by kind."""

    a: str
    b: str
    distractors: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "distractors", MappingProxyType(dict(self.distractors)))

    @property
    def problem(self) -> str | None:
        """The reason why the pair cannot be used, or None."""
        texts: dict[str, Any] = {"a": self.a, "b": self.b, **self.distractors}
        for name, text in texts.items():
            if name not in ("a", "b", *DISTRACTORS):
                return (
                    f"unknown kind of distractor, got {name!r:.80}; it is one of "
                    f"{', '.join(DISTRACTORS)}"
                )
            if (why := problem(text)) is not None:
                return f"{name}: {why}"
        return None


@dataclass(frozen=True)
class Category:
    """Pairs with one relation; ``group`` is one of GROUPS."""

    name: str
    group: str
    pairs: tuple[Pair, ...]

    @property
    def has_distractors(self) -> bool:
        """True if the candidates of a question are the distractors."""
        return any(pair.distractors for pair in self.pairs)


@dataclass(frozen=True)
class Analogies:
    """The categories of a file. ``left_out`` counts unusable pairs by reason.

    >>> pairs = Pair("It rains.", "It rained."), Pair("He sings.", "He sang.")
    >>> Analogies.of([Category("tense", "syntactic", pairs)]).rows
    2
    """

    source: str
    categories: tuple[Category, ...]
    split: str | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, categories: Iterable[Category], source: str = "analogies") -> Analogies:
        """Join categories of one name; leave out and count repeated pairs and pairs of one text.

        Raises :class:`InputError` for an unusable name, group or pair, and for a category in which
        only some pairs have distractors.
        """
        groups: dict[str, str] = {}
        pairs: dict[str, dict[tuple[str, str], Pair]] = {}
        left_out = {"repeated": 0, "identical": 0}
        for category in categories:
            if category.name in RESERVED:
                raise InputError(
                    f"a category cannot be called {category.name!r}: the results use that name"
                )
            named = f"category {category.name!r}"
            if category.group not in GROUPS:
                raise InputError(
                    f"{named}: unknown group, got {category.group!r:.80}; it is one of "
                    f"{', '.join(GROUPS)}"
                )
            if (group := groups.setdefault(category.name, category.group)) != category.group:
                raise InputError(f"{named} is both {group} and {category.group}")
            kept = pairs.setdefault(category.name, {})
            for row, pair in enumerate(category.pairs):
                if (why := pair.problem) is not None:
                    raise InputError(f"{named}, pair {row}: {why}")
                left_out["identical"] += pair.a == pair.b
                left_out["repeated"] += (pair.a, pair.b) in kept
                if pair.a != pair.b:
                    kept.setdefault((pair.a, pair.b), pair)
        found = tuple(
            Category(name, groups[name], tuple(kept.values()))
            for name, kept in pairs.items()
            if kept
        )
        if not found:
            raise InputError(
                "no pairs of two different sentences; a category needs at least two for a question"
            )
        for category in found:
            if category.has_distractors and not all(pair.distractors for pair in category.pairs):
                raise InputError(
                    f"category {category.name!r}: some pairs have distractors and some have none"
                )
        return cls(
            source, found, left_out={name: count for name, count in left_out.items() if count}
        )

    @property
    def rows(self) -> int:
        """The number of pairs."""
        return sum(len(category.pairs) for category in self.categories)

    @cached_property
    def sha256(self) -> str:
        """The hash of categories, groups and texts in order, in any format."""
        digest = hashlib.sha256()
        for record in self.records():
            digest.update(json.dumps(record, sort_keys=True).encode() + b"\n")
        return digest.hexdigest()

    def records(self) -> Iterator[dict[str, str]]:
        """Yield the rows of the table."""
        for category in self.categories:
            names = {"category": category.name, "group": category.group}
            for pair in category.pairs:
                yield {**names, "a": pair.a, "b": pair.b, **pair.distractors}

    def chosen(self, names: Sequence[str]) -> Analogies:
        """Return only these categories; raise :class:`UnknownNameError` for an unknown one."""
        known = {category.name: category for category in self.categories}
        for name in names:
            if name not in known:
                raise UnknownNameError("category", name, known)
        chosen = tuple(known[name] for name in dict.fromkeys(names))
        return Analogies(self.source, chosen, self.split, self.left_out)


def write(path: Path, analogies: Analogies) -> int:
    """Write the table (``.jsonl``, ``.tsv``, ``.csv``), whole or not at all; return the number of
    pairs. Raises :class:`InputError` for another ending, or a file that cannot be written.
    """
    return write_records(
        path, ["category", "group", "a", "b", *DISTRACTORS], analogies.records(), "analogies"
    )
