"""Kinds of sentence pairs: the labels of STS3k, and files that hold them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hybridsem._utils.doors import door
from hybridsem._utils.lines import LineReader
from hybridsem.errors import FormatError

__all__ = ["MODIFIERS", "RELEASE_TYPES", "read_types", "type_name"]

MODIFIERS = "modifiers"
"""The kind that both sides are normalised by: the second sentence only adds modifiers."""

RELEASE_TYPES: Mapping[str, str] = {
    "ONLY_MOD": MODIFIERS,
    "SWAP_DOBJ_VERB": "swaps",
    "SWAP_SUBJ_DOBJ": "swaps",
    "SWAP_SUBJ_VERB": "swaps",
    "TRIPLE": "triples",
    "QUAD": "quads",
    "PARAPHRASE": "paraphrases",
    "NEGATIVE": "negatives",
    "AB_VERB": "one word changed",
    "AB_SUBJ": "one word changed",
    "AB_DOBJ": "one word changed",
    "CONST_VERB": "one word kept",
    "CONST_SUBJ": "one word kept",
    "CONST_DOBJ": "one word kept",
    "ADJECTIVE": "adjectives",
    "ZERO": "unrelated",
    "OTHER": "other",
}
"""The labels of STS3k -> the kinds that are reported; any other label stands for itself."""

COLUMN = "Sent Type"


def type_name(label: str) -> str:
    """The kind that a label stands for; empty where there is none."""
    return RELEASE_TYPES.get(label.strip(), label.strip().lower())


@door
def read_types(path: Path) -> list[str]:
    """A label a row, of a file of lines or a ``;``-separated table with a column "Sent Type"."""
    lines = LineReader(path)
    labels: list[str] = []
    column: int | None = None
    for number, line in lines:
        fields = [field.strip() for field in line.split(";")]
        if number == 1 and COLUMN in fields:
            column = fields.index(COLUMN)
        elif column is None and len(fields) == 1:
            labels.append(fields[0])
        elif column is not None and column < len(fields):
            labels.append(fields[column])
        else:
            raise FormatError(
                f"expected one label, or a table with the column {COLUMN!r}; got {line[:60]!r}",
                path,
                number,
            )
    return labels
