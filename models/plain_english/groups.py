"""Groups of sentences about one situation, as they were written (``written/``).

    == 001
    A | first wording of a meaning
    A voice | another wording of it
    B contradicts .55 date | a meaning that contradicts A, in nearly the same words
    B paraphrase | its other wording
    BC entails .75

A line names its meaning, the phenomena, and the text. The first line of B, C, D and U has the label
and the similarity of (A, it); BC, BD, CD have lines of their own. P and Q are passages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hybridsem.errors import FormatError
from hybridsem.judge.labels import COUNTERPARTS, LABELS, Label

FOLDER = Path(__file__).parent / "written"
_TEXT = re.compile(r"([A-DPQU])([^|]*)\|\s*(.+)")
_RELATION = re.compile(r"([BCD]{2}) (\w+) ([\d.]+)")


@dataclass(frozen=True)
class Relation:
    """The label and the similarity of two meanings of a group, in [0, 1]."""

    label: Label
    similarity: float

    @property
    def inverted(self) -> Relation:
        """The relation of the second meaning to the first."""
        return Relation(LABELS[COUNTERPARTS[LABELS.index(self.label)]], self.similarity)


@dataclass(frozen=True)
class Group:
    """Meanings by letter, each with its wordings and the phenomena of each wording; ``part`` is the
    folder: ``dev`` or ``test``; ``learn``, for learning alone; or ``judge``, for what is learned of
    the reader's answers.
    """

    name: str
    domain: str
    author: str
    part: str
    texts: dict[str, list[str]] = field(default_factory=dict)
    phenomena: dict[str, list[str]] = field(default_factory=dict)
    relations: dict[str, Relation] = field(default_factory=dict)


def read_groups(*parts: str) -> list[Group]:
    """Return all groups of some parts; raises :class:`FormatError` that names the line."""
    return [
        group
        for part in parts
        for file in sorted((FOLDER / part).glob("*/*.txt"))
        for group in _groups_of(file, part)
    ]


def _groups_of(file: Path, part: str) -> Iterator[Group]:
    group: Group | None = None
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        line = " ".join(text.split())
        if line.startswith("=="):
            if group is not None:
                yield group
            hand = f"{part}/{file.parent.name}"
            domain = file.stem.removeprefix("passages-").rstrip("-0123456789")
            group = Group(f"{hand}/{file.stem}/{line[2:].strip()}", domain, hand, part)
        elif line and (group is None or not _add(group, line)):
            raise FormatError(f"not a line of a group: {line!r:.80}", file, number)
    if group is not None:
        yield group


def _add(group: Group, line: str) -> bool:
    """Add a line to a group; False if it is none of a group."""
    if found := _RELATION.fullmatch(line):
        group.relations[found[1]] = Relation(Label(found[2]), float(found[3]))
        return True
    if not (found := _TEXT.fullmatch(line)):
        return False
    letter, about, text = found[1], found[2].split(), found[3]
    first = letter not in group.texts
    if first and letter in "BCDQ":
        other = "P" if letter == "Q" else "A"
        group.relations[other + letter] = Relation(Label(about[0]), float(about[1]))
    elif first and letter == "U":
        group.relations["AU"] = Relation(Label.UNRELATED, float(about[0]))
    group.texts.setdefault(letter, []).append(text)
    group.phenomena.setdefault(letter, []).append(about[-1] if about else "")
    return all(relation.label in LABELS for relation in group.relations.values())
