"""Kinds of sentence pairs: the labels of STS3k, and files that hold them.

ONLY_MOD +3     a label, and how many modifiers the second sentence has besides, where the
                file says so
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from hybridsem._utils.doors import door
from hybridsem._utils.lines import LineReader
from hybridsem.errors import FormatError

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

CHECK = "CHECK"
"""The label of pairs that only tell whether participants pay attention: they are no part of the
paper's analyses.
"""

FIGURE_8: Mapping[str, str] = {
    "ONLY_MOD": MODIFIERS,
    "PARAPHRASE": "paraphrase",
    "AB_VERB": "single",
    "AB_SUBJ": "single",
    "AB_DOBJ": "single",
    "SWAP_DOBJ_VERB": "swap-2",
    "SWAP_SUBJ_DOBJ": "swap-2",
    "SWAP_SUBJ_VERB": "swap-2",
    "TRIPLE": "swap-3",
    "QUAD": "swap-4",
    "NEGATIVE": "negative",
    "ZERO": "zero",
}
"""The labels of STS3k -> the eight kinds of Figure 8 (Fodor, De Deyne & Suzuki 2024)."""

ADDED = " +"
FEW = ("1", "2", "1-2")
COLUMNS, MODIFIER_COLUMN = ("Sent Type", "type"), re.compile(r"(?i)modifiers|mod *\d+")


def type_name(label: str) -> str:
    """The kind that a label stands for; empty where there is none.

    >>> type_name("ONLY_MOD +Time")
    'modifiers'
    """
    label = label.partition(ADDED)[0].strip()
    return RELEASE_TYPES.get(label, label.lower())


def figure8_kind(label: str) -> str:
    """Which of the eight kinds of Figure 8 (Fodor, De Deyne & Suzuki 2024) a pair is of; empty for
    the pairs that the figure leaves out, among them those with three modifiers and more.

    >>> figure8_kind("ONLY_MOD +1-2"), figure8_kind("ONLY_MOD +3"), figure8_kind("TRIPLE +3")
    ('modifiers', '', 'swap-3')
    """
    name, _, added = label.partition(ADDED)
    kind = FIGURE_8.get(name.strip(), "")
    if kind == MODIFIERS and added:
        few = added in FEW if added[0].isdecimal() else len(added.split(ADDED[1:])) in (1, 2)
        return kind if few else ""
    return kind


def only_modifier(label: str) -> str:
    """The modifier of a pair that differs by it alone; empty for any other pair, and where the
    label does not say which it is.

    >>> only_modifier("ONLY_MOD +Time"), only_modifier("ONLY_MOD +Time+Place")
    ('Time', '')
    """
    name, _, added = label.partition(ADDED)
    one = FIGURE_8.get(name.strip()) == MODIFIERS and added and not added[0].isdecimal()
    return added if one and ADDED[1:] not in added else ""


@door
def read_types(path: Path) -> list[str]:
    """The kinds of pairs of a file, a label a row: a file of lines, or a table, by ``;`` or tabs,
    with a column "Sent Type" or "type", to which columns "modifiers" or "Mod 1", "Mod 2", … are
    joined. Raises :class:`FormatError` with file and line for a table without such a column.
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
