"""Read files of analogies.

NAME.jsonl, .tsv, .csv, …   a table; without a column "category" it is one category, NAME
a folder                    all its files
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hybridsem._utils.lines import plain_suffix
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.tables import by_word
from hybridsem._utils.validation import problem
from hybridsem.datasets.analogies import DISTRACTORS, GROUPS, Analogies, Category, Pair
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import open_pairs
from hybridsem.tables.rows import COLUMNAR, EXCEL

TABLES = (".jsonl", ".ndjson", ".tsv", ".tab", ".csv", *COLUMNAR, *EXCEL)

# Parts of the names of lexical categories, by group; any other category is relational.
GROUP_OF = by_word(
    {
        "semantic": "capital city currency family gender",
        "syntactic": "comparative nationality opposite plural verb",
    }
)


@wrap_read_errors
def read(path: Path, columns: Sequence[str] | None = None) -> Analogies:
    """Read the categories of a file or folder; ``columns`` names the sentences if necessary.

    Raises :class:`InputError` for a folder without a file of analogies.
    """
    if not path.is_dir():
        return Analogies.of(_categories(path, columns), path.name)
    files = sorted(file for file in path.iterdir() if plain_suffix(file) in TABLES)
    if not files:
        raise InputError(f"no file of analogies ({', '.join(TABLES)}) in the folder {str(path)!r}")
    return Analogies.of(
        (category for file in files for category in _categories(file, columns)), path.name
    )


def _categories(path: Path, columns: Sequence[str] | None) -> Iterator[Category]:
    """Yield a category for each pair, in order."""
    name = path.name.partition(".")[0].replace("_", " ").strip()
    name = name.removesuffix(" pairs").removesuffix(" analogy")
    for line, pair, record in _of_table(path, columns):
        category = record.get("category", name).strip()
        group = record.get(
            "group", next((GROUP_OF[part] for part in GROUP_OF if part in category), GROUPS[-1])
        ).strip()
        if group not in GROUPS:
            message = f"column 'group': it is one of {', '.join(GROUPS)}, got {group!r:.80}"
            raise FormatError(message, path, line)
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
