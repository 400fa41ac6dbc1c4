"""Sentence analogies: categories of pairs whose sentences differ in the same way, and their files.

Any two pairs (A, B) and (C, D) of a category, in order, are a question: A is to B as C is to what?
The candidates are D and its distractors, or without distractors all sentences of the category.
(Zhu & de Melo 2020.) A file is a table with the columns category, group, a, b and perhaps a column
for each kind of DISTRACTORS.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from hybridsem._utils.lines import plain_suffix
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.tables import by_word
from hybridsem._utils.validation import problem
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import open_pairs
from hybridsem.tables.records import write_records
from hybridsem.tables.rows import COLUMNAR, EXCEL

TABLES = (".jsonl", ".ndjson", ".tsv", ".tab", ".csv", *COLUMNAR, *EXCEL)
GROUPS = ("semantic", "syntactic", "relational")
LEXICAL = "lexical"  #: the semantic and syntactic groups together, whose sentences differ in a word
ALL, MICRO = "all", ", micro"
#: The names of groups in results.
RESERVED = frozenset(name + end for name in (*GROUPS, LEXICAL, ALL) for end in ("", MICRO))
#: The kinds (section 3.2.2): "not" added, words deleted or masked, a span deleted, parts swapped.
DISTRACTORS = ("negation", "deletion", "masking", "span", "reordering")
MASK = "[MASK]"  #: a masked word in a text, which each model sees as its own mask


# Parts of the names of lexical categories, by group; any other category is relational.
GROUP_OF = by_word(
    {
        "semantic": "capital city currency family gender",
        "syntactic": "comparative nationality opposite plural verb",
    }
)


@dataclass(frozen=True)
class Pair:
    """Two sentences in the category's relation, and the ``distractors`` of b by kind."""

    a: str
    b: str
    distractors: Mapping[str, str] = field(default_factory=dict)

    @property
    def problem(self) -> str | None:
        """The reason why the pair cannot be used, or None."""
        for name, text in {"a": self.a, "b": self.b, **self.distractors}.items():
            if name not in ("a", "b", *DISTRACTORS):
                known = ", ".join(DISTRACTORS)
                return f"unknown kind of distractor, got {name!r:.80}; it is one of {known}"
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

    @property
    def problem(self) -> str | None:
        """The reason why the category cannot be used, or None."""
        if (why := problem(self.name)) is not None:
            return f"category: {why}"
        if self.name in RESERVED:
            return f"a category cannot be called {self.name!r}: the results use that name"
        if self.group not in GROUPS:
            known = ", ".join(GROUPS)
            return f"unknown group of {self.name!r}, got {self.group!r:.80}; it is one of {known}"
        found = ((pair.a, pair.problem) for pair in self.pairs)
        why = next((f"the pair of {a!r:.60}: {why}" for a, why in found if why is not None), None)
        return why and f"category {self.name!r}, {why}"


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
        """Join categories of one name; leave out and count repeated pairs and pairs of one text."""
        groups: dict[str, str] = {}
        pairs: dict[str, dict[tuple[str, str], Pair]] = {}
        left_out = {"repeated": 0, "identical": 0}
        for category in categories:
            if (why := category.problem) is not None:
                raise InputError(why)
            if (group := groups.setdefault(category.name, category.group)) != category.group:
                raise InputError(f"category {category.name!r} is both {group} and {category.group}")
            kept = pairs.setdefault(category.name, {})
            for pair in category.pairs:
                left_out["identical"] += pair.a == pair.b
                left_out["repeated"] += (pair.a, pair.b) in kept
                if pair.a != pair.b:
                    kept.setdefault((pair.a, pair.b), pair)
        known = ((name, groups[name], tuple(kept.values())) for name, kept in pairs.items())
        found = tuple(Category(*row) for row in known if row[-1])
        if not found:
            why = "no pairs of two different sentences"
            raise InputError(f"{why}; a category needs at least two for a question")
        for category in found:
            if category.has_distractors and not all(pair.distractors for pair in category.pairs):
                why = "some pairs have distractors and some have none"
                raise InputError(f"category {category.name!r}: {why}")
        return cls(source, found, left_out={name: n for name, n in left_out.items() if n})

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


@wrap_read_errors
def read(path: Path, columns: Sequence[str] | None = None) -> Analogies:
    """Read the categories of a file or a folder; ``columns`` names the sentences."""
    files = sorted(path.iterdir()) if path.is_dir() else ()
    files = [file for file in files if plain_suffix(file) in TABLES]
    if path.is_dir() and not files:
        raise InputError(f"no file of analogies ({', '.join(TABLES)}) in the folder {str(path)!r}")
    found = (category for file in files or [path] for category in _categories(file, columns))
    return Analogies.of(found, path.name)


def _categories(path: Path, columns: Sequence[str] | None) -> Iterator[Category]:
    """Yield a category for each pair, in order."""
    named = path.name.partition(".")[0].replace("_", " ").strip()
    named = named.removesuffix(" pairs").removesuffix(" analogy")
    for row in open_pairs(path, columns=columns):
        record = row.named
        name = str(record.get("category", named) or "").strip()
        of_name = (GROUP_OF[part] for part in GROUP_OF if part in name)
        group = str(record.get("group", next(of_name, GROUPS[-1])) or "").strip()
        given = {kind: record[kind] for kind in DISTRACTORS if record.get(kind) not in (None, "")}
        category = Category(name, group, (Pair(row.text1, row.text2, given),))
        if (why := category.problem) is not None:
            raise FormatError(why, path, row.line)
        yield category


def write(path: Path, analogies: Analogies) -> int:
    """Write the table (``.jsonl``, ``.tsv``, ``.csv``) atomically; return the number of pairs."""
    columns = ["category", "group", "a", "b", *DISTRACTORS]
    return write_records(path, columns, analogies.records(), "analogies")
