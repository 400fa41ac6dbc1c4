"""Sentences with a paraphrase and an alteration: SugarCrepe++ and minimal pairs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hybridsem._typing import Record, SentencePairs
from hybridsem._utils.lines import read_json
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.tables.records import SUFFIXES, records

#: The kinds of SugarCrepe++, which are the names of its files.
KINDS = ("swap_obj", "swap_att", "replace_obj", "replace_att", "replace_rel")
DEVELOPMENT, HELD_OUT = "development", "held-out"
PACKAGED = Path(__file__).parent / "minimal_pairs.tsv"


class Triple(NamedTuple):
    """A sentence, one with the same meaning, and one with another."""

    kind: str
    sentence: str
    paraphrase: str
    alteration: str


@dataclass(frozen=True)
class Triples:
    """Triples of any kinds, in the order of the files."""

    source: str
    split: str | None
    sha256: str
    items: tuple[Triple, ...]

    @property
    def rows(self) -> int:
        """The number of items."""
        return len(self.items)

    def text_pairs(self) -> SentencePairs:
        """Return each sentence with its paraphrase, and with its alteration."""
        return [(sentence, other) for _, sentence, *others in self.items for other in others]


def sugarcrepe_pp(path: Path, settings: Settings) -> Triples:
    """Read SugarCrepe++: a json, jsonl, csv or tsv file, or a folder with one for each kind."""
    files = [path] if path.is_file() else [_of_kind(path, kind) for kind in KINDS]
    items: list[Triple] = []
    for file in files:
        kind = file.stem.lower()
        if kind not in KINDS:
            why = f"a file of SugarCrepe++ is named after its kind, {', '.join(KINDS)};"
            raise InputError(f"{why} got {file.name!r}")
        for line, record in _captions(file):
            negative = "negative" if "negative" in record else "negative_caption"
            texts = _cells(record, ("caption", "caption2", negative), file, line)
            items.append(Triple(kind, *texts))
    return _triples(path, None, items, "no captions")


def minimal_pairs(path: Path, settings: Settings) -> Triples:
    """Read a file of triples with their phenomena; the option ``part`` selects rows by that column.

    >>> found = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": "development"}))
    >>> found.rows, found.items[0].kind
    (502, 'active-passive')
    """
    part = settings.options.get("part")
    triples: list[Triple] = []
    columns = "phenomenon", "sentence", "paraphrase", "alteration"
    for line, record in records(path):
        if part is None or _cells(record, ("part",), path, line) == [part]:
            triples.append(Triple(*_cells(record, columns, path, line)))
    which = "no rows" if part is None else f"no rows of the part {part!r}"
    return _triples(path, part, triples, which)


def packaged_minimal_pairs() -> Path:
    """Return the path of the packaged minimal pairs."""
    return PACKAGED


def development_sentences() -> list[str]:
    """Return the sentences and paraphrases of the packaged development pairs.

    >>> len(development_sentences())
    1004
    """
    rows = [row for _, row in records(PACKAGED) if row["part"] == DEVELOPMENT]
    return [str(row[name]) for row in rows for name in ("sentence", "paraphrase")]


def _of_kind(folder: Path, kind: str) -> Path:
    names = [f"{kind}{suffix}" for suffix in SUFFIXES]
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        why = f"expected a folder with {kind}.json (or {', '.join(SUFFIXES)}), or a file of one"
        raise InputError(f"{why} kind; got {str(folder)!r}")
    return found


def _captions(file: Path) -> Iterator[tuple[int | None, Record]]:
    """Yield the records; a JSON file is one object or list."""
    if file.suffix.lower() != ".json":
        yield from records(file)
        return
    content = read_json(file)
    rows = list(content.values()) if isinstance(content, dict) else content
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise FormatError(f"expected a list of objects with captions, got {rows!r:.80}", file)
    yield from ((None, row) for row in rows)


def _cells(record: Record, names: Sequence[str], file: Path, line: int | None) -> list[str]:
    if missing := [name for name in names if name not in record]:
        raise FormatError(f"no column {missing[0]!r}, got {listed(record)}", file, line)
    for name in names:
        if (why := problem(record[name])) is not None:
            raise FormatError(f"column {name!r}: {why}", file, line)
    return [record[name].strip() for name in names]


def _triples(path: Path, split: str | None, items: Sequence[Triple], lacking: str) -> Triples:
    if not items:
        raise FormatError(lacking, path)
    digest = hashlib.sha256(json.dumps(items, ensure_ascii=False).encode()).hexdigest()
    return Triples(path.name, split, digest, tuple(items))
