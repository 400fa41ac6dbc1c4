"""Sentences with a paraphrase and an alteration each: SugarCrepe++ (Dumpala et al. 2024) and files
of minimal pairs.

    SugarCrepe++     caption, caption2, negative                a file a kind, named after it
    minimal pairs    phenomenon, sentence, paraphrase, alteration
                     phenomenon, sentence1, sentence2, label    label 1: the same, 0: not
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from hybridsem._utils.lines import read_json
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.tables.records import SUFFIXES, records

KINDS = ("swap_obj", "swap_att", "replace_obj", "replace_att", "replace_rel")
"""The kinds of SugarCrepe++, which are what its files are called."""
DEVELOPMENT, HELD_OUT = "development", "held-out"
PACKAGED = Path(__file__).parent / "minimal_pairs.tsv"


class Triple(NamedTuple):
    """A sentence, one that means the same, and one that does not."""

    kind: str
    sentence: str
    paraphrase: str
    alteration: str


class MinimalPair(NamedTuple):
    """Two sentences, and whether they mean the same."""

    kind: str
    sentence1: str
    sentence2: str
    same: bool


Item = TypeVar("Item", Triple, MinimalPair)


@dataclass(frozen=True)
class _Items(Generic[Item]):
    source: str
    split: str | None
    sha256: str
    items: tuple[Item, ...]

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.items)


class Triples(_Items[Triple]):
    """Triples of any kinds, and the kinds in the order of the files."""


class MinimalPairs(_Items[MinimalPair]):
    """Single pairs of any kinds."""


def sugarcrepe_pp(path: Path, settings: Settings) -> Triples:
    """SugarCrepe++ (Dumpala et al. 2024): a folder with a json, jsonl, csv or tsv file a kind, or
    one of its files. Raises :class:`InputError` for a file that is not named after a kind, or a
    folder without one, :class:`FormatError` with file and line.
    """
    files = [path] if path.is_file() else [_of_kind(path, kind) for kind in KINDS]
    items: list[Triple] = []
    for file in files:
        kind = file.stem.lower()
        if kind not in KINDS:
            raise InputError(
                f"a file of SugarCrepe++ is named after its kind, {', '.join(KINDS)}; "
                f"got {file.name!r}"
            )
        for line, record in _captions(file):
            texts = [_cell(record, names, file, line) for names in _CAPTIONS]
            items.append(Triple(kind, *texts))
    if not items:
        raise FormatError("no captions", path)
    return Triples(path.name, None, _digest(items), tuple(items))


_CAPTIONS = (("caption",), ("caption2",), ("negative", "negative_caption"))


def minimal_pairs(path: Path, settings: Settings) -> Triples | MinimalPairs:
    """A file of triples or of labelled pairs, with the phenomenon of each.

    Args:
        path: Of the file.
        settings: Their option ``part`` chooses the rows of a column ``part``.

    Raises:
        FormatError: With file and line: a column, text or label that is missing, triples and pairs
            in one file, or no rows.

    >>> found = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": "development"}))
    >>> found.rows, found.items[0].kind
    (452, 'active-passive')
    """
    part = settings.options.get("part")
    triples: list[Triple] = []
    pairs: list[MinimalPair] = []
    for line, record in records(path):
        if part is not None and _cell(record, ("part",), path, line) != part:
            continue
        kind = _cell(record, ("phenomenon", "kind", "type"), path, line)
        if "paraphrase" in record:
            names: tuple[tuple[str, ...], ...] = (
                ("sentence", "original"),
                ("paraphrase",),
                ("alteration", "negative"),
            )
            triples.append(Triple(kind, *(_cell(record, name, path, line) for name in names)))
        else:
            first = _cell(record, ("sentence1", "s1"), path, line)
            second = _cell(record, ("sentence2", "s2"), path, line)
            label = _cell(record, ("label", "same"), path, line).lower()
            if label not in _SAME:
                raise FormatError(
                    f"unknown label, got {label!r}; it is one of {', '.join(_SAME)}", path, line
                )
            pairs.append(MinimalPair(kind, first, second, _SAME[label]))
    if triples and pairs:
        raise FormatError("the file holds triples and pairs; give each a file of its own", path)
    if pairs:
        return MinimalPairs(path.name, part, _digest(pairs), tuple(pairs))
    if not triples:
        which = "no rows" if part is None else f"no rows of the part {part!r}"
        raise FormatError(which, path)
    return Triples(path.name, part, _digest(triples), tuple(triples))


_SAME = {"1": True, "0": False, "1.0": True, "0.0": False, "true": True, "false": False}


def packaged_minimal_pairs() -> Path:
    """The file of minimal pairs that the package holds."""
    return PACKAGED


def development_sentences() -> list[str]:
    """The sentences of the packaged minimal pairs that are for development, and their paraphrases.

    >>> len(development_sentences())
    904
    """
    rows = [row for _, row in records(PACKAGED) if row["part"] == DEVELOPMENT]
    return [str(row[name]) for row in rows for name in ("sentence", "paraphrase")]


def _of_kind(folder: Path, kind: str) -> Path:
    names = [f"{kind}{suffix}" for suffix in SUFFIXES]
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        raise InputError(
            f"expected a folder with {kind}.json (or {', '.join(SUFFIXES)}), or a file of one "
            f"kind; got {str(folder)!r}"
        )
    return found


def _captions(file: Path) -> Iterator[tuple[int | None, Mapping[str, Any]]]:
    """The records; SugarCrepe++ publishes one JSON object or list a file."""
    if file.suffix.lower() != ".json":
        yield from records(file)
        return
    content = read_json(file)
    rows = list(content.values()) if isinstance(content, dict) else content
    if not isinstance(rows, list):
        raise FormatError(f"expected a list of captions, got {type(content).__name__}", file)
    for place, row in enumerate(rows):
        if not isinstance(row, dict):
            raise FormatError(f"item {place}: expected an object with captions, got {row!r}", file)
        yield None, row


def _cell(record: Mapping[str, Any], names: tuple[str, ...], file: Path, line: int | None) -> str:
    """The text in the first of these columns that there is."""
    name = next((name for name in names if name in record), None)
    if name is None:
        raise FormatError(
            f"no column {' or '.join(map(repr, names))}, got {listed(record)}",
            file,
            line,
        )
    text = record[name]
    if not isinstance(text, str) or (why := problem(text)) is not None:
        why = f"expected text, got {text!r}" if not isinstance(text, str) else why
        raise FormatError(f"column {name!r}: {why}", file, line)
    return text.strip()


def _digest(items: list[Any]) -> str:
    return hashlib.sha256(json.dumps(items, ensure_ascii=False).encode()).hexdigest()
