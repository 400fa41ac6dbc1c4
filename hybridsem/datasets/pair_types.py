"""Kinds of sentence pairs: the labels of STS3k, and their files.

ONLY_MOD +3     a label, and, if known, the number or names of modifiers that the second sentence
                adds
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from hybridsem._utils.lines import LineReader
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.tables import read_table
from hybridsem.errors import FormatError

MODIFIERS = "modifiers"
"""The kind that normalises the others: the second sentence only adds modifiers."""

RELEASE_TYPES: Mapping[str, str] = read_table(__file__)

CHECK = "CHECK"
"""The label of pairs that test the participants' attention; the paper leaves them out."""

ADDED = " +"
COLUMNS, MODIFIER_COLUMN = ("Sent Type", "type"), re.compile(r"(?i)modifiers|mod *\d+")


def type_name(label: str) -> str:
    """Return the kind of a label, or "".

    >>> type_name("ONLY_MOD +Time")
    'modifiers'
    """
    label = label.partition(ADDED)[0].strip()
    return RELEASE_TYPES.get(label, label.lower())


@wrap_read_errors
def read_types(path: Path) -> list[str]:
    """Read the label of each pair from a file of lines, or a table by ``;`` or tabs.

    A table has a column "Sent Type" or "type", to which columns "modifiers" or "Mod 1", "Mod 2", …
    are joined. Raises :class:`FormatError` for a table without it.
    """
    labels: list[str] = []
    header: dict[str, int] = {}
    for number, line in LineReader(path):
        fields = [field.strip() for field in line.split("\t" if "\t" in line else ";")]
        if number == 1 and (len(fields) > 1 or COLUMNS[0] in fields):
            header = {name: place for place, name in enumerate(fields)}
        elif not header and len(fields) == 1:
            labels.append(fields[0])
            continue
        column = next((header[name] for name in COLUMNS if name in header), None)
        if column is None or column >= len(fields):
            raise FormatError(
                f"expected one label, or a table with the column {COLUMNS[0]!r}; got {line[:60]!r}",
                path,
                number,
            )
        if number > 1:
            places = [at for name, at in header.items() if MODIFIER_COLUMN.fullmatch(name)]
            added = ADDED[1:].join(filter(None, (fields[at] for at in places if at < len(fields))))
            labels.append(fields[column] + (f"{ADDED}{added}" if added else ""))
    return labels
