"""Files of analogies: our own table, a table of one category, and the files that Zhu & de Melo's
programs write.

    NAME.jsonl, .tsv, .csv, …   our table; without a column "category" it is one category, NAME
    NAME.txt                    a category of the authors': a pair a line,
        lexical                 fields parted by tabs, the last two the sentences, before them words
        relational              JSON: {"hypothesis": A, "premise": B,
                                       "negative_candidates": [of B, in their order]}
    a folder                    all its files

What the authors' programs write is read from those that are public (github
contemn1/sentence_analogy_datasets); the files themselves are not to be had.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridsem._utils.doors import door
from hybridsem._utils.lines import LineReader, plain_suffix
from hybridsem._utils.validation import problem
from hybridsem.datasets.analogies import DISTRACTORS, GROUPS, Analogies, Category, Pair
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import open_pairs
from hybridsem.tables.columnar import COLUMNAR
from hybridsem.tables.excel import EXCEL

TABLES = (".jsonl", ".ndjson", ".tsv", ".tab", ".csv", *COLUMNAR, *EXCEL)
AUTHORS = ".txt"

# Parts of the names of categories, and their group; any other category is of a relation between
# sentences.
GROUP_OF = {
    "capital": "semantic",
    "city": "semantic",
    "currency": "semantic",
    "family": "semantic",
    "gender": "semantic",
    "comparative": "syntactic",
    "nationality": "syntactic",
    "opposite": "syntactic",
    "plural": "syntactic",
    "verb": "syntactic",
}


@door
def read(path: Path, columns: Sequence[str] | None = None) -> Analogies:
    """The categories of a file or folder; ``columns`` are those of the sentences, where a table's
    names do not tell. Raises :class:`FormatError` with file and line, :class:`InputError` for a
    folder that has no file of analogies.
    """
    if not path.is_dir():
        return Analogies.of(_categories(path, columns), path.name)
    files = sorted(one for one in path.iterdir() if plain_suffix(one) in (*TABLES, AUTHORS))
    if not files:
        raise InputError(
            f"no file of analogies ({', '.join((*TABLES, AUTHORS))}) in the folder {str(path)!r}"
        )
    return Analogies.of(
        (category for one in files for category in _categories(one, columns)), path.name
    )


def _categories(path: Path, columns: Sequence[str] | None) -> Iterator[Category]:
    """A category for each pair, in order."""
    name = path.name.partition(".")[0].replace("_", " ").strip()
    name = name.removesuffix(" pairs").removesuffix(" analogy")
    rows = _of_authors(path) if plain_suffix(path) == AUTHORS else _of_table(path, columns)
    for line, pair, record in rows:
        category = record.get("category", name).strip()
        group = record.get(
            "group", next((GROUP_OF[part] for part in GROUP_OF if part in category), GROUPS[-1])
        ).strip()
        if group not in GROUPS:
            raise FormatError(
                f"column 'group': it is one of {', '.join(GROUPS)}, got {group!r:.80}", path, line
            )
        if (why := pair.problem) is not None:
            raise FormatError(why, path, line)
        yield Category(category, group, (pair,))


def _of_table(
    path: Path, columns: Sequence[str] | None
) -> Iterator[tuple[int, Pair, Mapping[str, str]]]:
    for row in open_pairs(path, columns=columns):
        record = row.named
        for name in {"category", "group"} & record.keys():
            if (why := problem(record[name])) is not None:
                raise FormatError(f"column {name!r}: {why}", path, row.line)
        distractors = {
            kind: record[kind] for kind in DISTRACTORS if record.get(kind) not in (None, "")
        }
        yield row.line, Pair(row.text1, row.text2, distractors), record


def _of_authors(path: Path) -> Iterator[tuple[int, Pair, Mapping[str, str]]]:
    take: Callable[[str], Pair] | None = None
    for number, line in LineReader(path):
        if not line.strip():
            continue
        take = take or (_relational if line.lstrip().startswith("{") else _lexical)
        try:
            yield number, take(line), {}
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(
                "expected sentences parted by tabs, or JSON with hypothesis, premise and "
                f"{len(DISTRACTORS)} negative_candidates, in all lines alike; got "
                f"{line[:60]!r} ({error!r:.60})",
                path,
                number,
            ) from None


def _lexical(line: str) -> Pair:
    *_, a, b = line.split("\t")
    return Pair(a.strip(), b.strip())


def _relational(line: str) -> Pair:
    record: Mapping[str, Any] = json.loads(line)
    distractors = dict(zip(DISTRACTORS, record["negative_candidates"], strict=True))
    return Pair(record["hypothesis"], record["premise"], distractors)
