"""Pair files: csv, tsv, ``s1;s2[;gold]`` lines and JSON lines, read one record at a time.

    bytes --LineReader--> (number, line) --_record--> (number, fields) --Layout--> Pair

A file is read as its name says (``.csv``, ``.tsv``, ``.jsonl``, each also with ``.gz``); any other name, and standard
input, by looking at the first line. Every problem is a :class:`FormatError` that names the file and the line.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from hybridsem._lines import LineReader
from hybridsem.errors import FormatError, InputError

__all__ = ["JSON_LINES", "Layout", "Pair", "PairReader", "read_pairs"]

JSON_LINES = "jsonl"
"""The format name of JSON lines; every other format is named by its delimiter."""

FORMATS: Mapping[str, tuple[str, ...]] = {
    ".csv": (",", ";", "\t"),
    ".tsv": ("\t",),
    ".tab": ("\t",),
    ".jsonl": (JSON_LINES,),
    ".ndjson": (JSON_LINES,),
}
"""Extension -> the formats that such a file may have, the likeliest first."""

OTHERWISE = ("\t", ";", ",")

TEXT_COLUMNS = (
    ("text1", "text2"),
    ("sentence1", "sentence2"),
    ("s1", "s2"),
    ("sentence_1", "sentence_2"),
    ("sentence_a", "sentence_b"),
    ("text_a", "text_b"),
    ("text_1", "text_2"),
    ("sent1", "sent2"),
    ("premise", "hypothesis"),
    ("question1", "question2"),
    ("a", "b"),
)
"""Header names that stand for the two sentences, compared without case and with ``_`` for spaces and hyphens."""

GOLD_COLUMNS = (
    "gold",
    "score",
    "similarity",
    "similarity_score",
    "relatedness_score",
    "relatedness",
    "rating",
    "label",
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns a file has (in order) and which of them are the sentences and the gold score."""

    columns: tuple[str, ...]
    text1: str
    text2: str
    gold: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences of a pair file.

    ``row`` counts records from 0 and ``line`` lines from 1; ``fields`` is the whole record as
    written, by column.
    """

    text1: str
    text2: str
    gold: float | None = None
    row: int = 0
    line: int = 1
    fields: Mapping[str, Any] = field(default_factory=dict)
    layout: Layout | None = None

    @property
    def extra(self) -> dict[str, Any]:
        """The columns beside the sentences and the gold score."""
        if self.layout is None:
            return dict(self.fields)
        used = (self.layout.text1, self.layout.text2, self.layout.gold)
        return {name: value for name, value in self.fields.items() if name not in used}


def read_pairs(
    path: str | Path, *, columns: Sequence[str] | None = None, delimiter: str | None = None
) -> Iterator[Pair]:
    """The pairs of a file (``-``: standard input), lazily and in order; blank lines are passed over.

    ``columns`` names the columns of the two sentences and, if wanted, of the gold score; for a file without a header
    it gives their positions, counted from 1. Raises :class:`FormatError` that names the file and the line.
    """
    return iter(PairReader(path, columns=columns, delimiter=delimiter))


class PairReader:
    """An iterable over the pairs of a file; ``format`` and ``layout`` are known once the first pair was read."""

    def __init__(self, path: str | Path, *, columns: Sequence[str] | None = None, delimiter: str | None = None) -> None:
        if columns is not None and (
            isinstance(columns, str) or len(set(columns)) != len(columns) or len(columns) not in (2, 3)
        ):
            raise InputError(f"columns must be two or three different names: text1, text2[, gold]; got {columns!r}")
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
            raise InputError(f"delimiter must be one character and no quote or line end, got {delimiter!r}")
        self.path = path
        self.lines = LineReader(path)
        self.name = self.lines.name
        self.columns = None if columns is None else tuple(map(str, columns))
        self.formats = (delimiter,) if delimiter is not None else FORMATS.get(self.suffix, OTHERWISE)
        self.format: str | None = None
        self.layout: Layout | None = None

    @property
    def suffix(self) -> str:
        """The extension that says the format, in lower case and without ``.gz``."""
        name = Path(self.path)
        return (Path(name.stem) if name.suffix.lower() == ".gz" else name).suffix.lower()

    def __iter__(self) -> Iterator[Pair]:
        lines = iter(self.lines)
        first = next((numbered for numbered in lines if _says_something(numbered)), None)
        if first is None:
            raise FormatError("the file is empty; expected pairs of sentences", self.name)
        self.format = self._recognise(*first)
        lines = chain([first], lines)
        rows = self._json_rows(lines) if self.format == JSON_LINES else self._table_rows(lines, self.format)
        row = -1
        for row, (number, fields, layout) in enumerate(rows):
            self.layout = layout
            yield self._pair(row, number, fields, layout)
        if row < 0:
            raise FormatError("a header and no pairs", self.name)

    # -- lines to records ----------------------------------------------------------------------------------------------

    def _recognise(self, number: int, line: str) -> str:
        """The format that the first line speaks for, among those that the name allows."""
        if self.suffix not in FORMATS and len(self.formats) > 1 and line.lstrip().startswith("{"):
            return JSON_LINES
        if len(self.formats) == 1:
            return self.formats[0]
        split = {mark: _split(line, mark) for mark in self.formats}
        for mark, fields in split.items():
            if _text_columns(fields) is not None or (self.columns and set(self.columns) <= set(fields)):
                return mark
        for mark, fields in split.items():
            if len(fields) > 1:
                return mark
        raise FormatError(
            f"expected two sentences with a tab, ';' or ',' between them, or a JSON object; got {line[:60]!r}",
            self.name,
            number,
        )

    def _json_rows(self, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Mapping[str, Any], Layout]]:
        layout: Layout | None = None
        for number, line in filter(_says_something, lines):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise FormatError(f"not valid JSON: {error}", self.name, number) from None
            if not isinstance(record, dict):
                raise FormatError(f"expected a JSON object, got {line[:60]!r}", self.name, number)
            if layout is None:
                names = list(record)
                layout = self._header_layout(names, record, number) or self._no_columns(names, number)
            yield number, record, layout

    def _table_rows(
        self, lines: Iterator[tuple[int, str]], mark: str
    ) -> Iterator[tuple[int, Mapping[str, Any], Layout]]:
        starts = filter(_says_something, lines)  # a quoted field may hold blank lines, so only starts are filtered
        number, first = self._record(*next(starts), lines, mark, None)
        names = [name.strip() or f"column{i}" for i, name in enumerate(first, start=1)]
        following = next(starts, None)
        second = None if following is None else self._record(*following, lines, mark, len(names))
        sample = None if second is None else dict(zip(names, second[1], strict=False))
        layout = self._header_layout(names, sample, number)
        records: Iterator[tuple[int, list[str]]] = iter([second] if second else [])
        if layout is None:
            layout = self._bare_layout(first, number, mark)
            records = chain([(number, first)], records)
        elif len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise FormatError(f"the header has the column {twice!r} twice", self.name, number)
        rest = (self._record(at, line, lines, mark, len(names)) for at, line in starts)
        for at, fields in chain(records, rest):
            if len(fields) != len(names):
                raise FormatError(
                    f"expected {len(names)} columns as in line {number}, got {len(fields)}; "
                    f"a sentence that contains {_NAMES.get(mark, repr(mark))} must stand in double quotes",
                    self.name,
                    at,
                )
            yield at, dict(zip(layout.columns, fields, strict=True)), layout

    def _record(
        self, number: int, line: str, lines: Iterator[tuple[int, str]], mark: str, width: int | None
    ) -> tuple[int, list[str]]:
        """The fields of the record that begins with ``line``; it goes on over more lines where a quote is open.

        Tab- and ``;``-separated files are often written without any quoting, so there a quotation mark that does not
        read as quoting is taken as it stands.
        """
        if '"' not in line:
            return number, line.split(mark)
        try:
            fields = next(csv.reader([line], delimiter=mark, strict=True))
            if width in (None, len(fields)):
                return number, fields
        except csv.Error:
            pass
        plain = line.split(mark)
        if mark != "," and (len(plain) == width or (width is None and len(plain) > 1)):
            return number, plain
        following = (f"{text}\n" for _, text in lines)
        try:
            return number, next(csv.reader(chain([f"{line}\n"], following), delimiter=mark, strict=True))
        except csv.Error as error:
            raise FormatError(f"a stray or open quotation mark ({error})", self.name, number) from None

    # -- which column is which -----------------------------------------------------------------------------------------

    def _header_layout(self, names: list[str], sample: Mapping[str, Any] | None, number: int) -> Layout | None:
        """The layout by the names in a header, or None where the line is no header."""
        if self.columns is not None:
            if missing := [name for name in self.columns if name not in names]:
                if all(name.isdecimal() for name in self.columns) and self.format != JSON_LINES:
                    return None
                raise FormatError(f"no column {missing[0]!r}; it has {', '.join(map(repr, names))}", self.name, number)
            return Layout(tuple(names), *self.columns)
        texts = _text_columns(names)
        if texts is None:
            known = {_plain(name) for name in names}
            for one, other in TEXT_COLUMNS[:-1]:
                if (one in known) != (other in known):
                    found, missing_name = (one, other) if one in known else (other, one)
                    raise FormatError(
                        f"the header has {found!r} and no {missing_name!r}; it has {', '.join(map(repr, names))}",
                        self.name,
                        number,
                    )
            return None
        for wanted in GOLD_COLUMNS:
            for name in names:
                # A column called "label" may hold words; only numbers are gold scores.
                if _plain(name) == wanted and name not in texts and _is_number((sample or {}).get(name)):
                    return Layout(tuple(names), *texts, name)
        return Layout(tuple(names), *texts)

    def _bare_layout(self, first: list[str], number: int, mark: str) -> Layout:
        """The layout of a file without a header: two sentences and perhaps a number, or positions that were given."""
        names = [f"column{i}" for i in range(1, len(first) + 1)]
        if self.columns is not None:
            at = [int(position) - 1 for position in self.columns]
            if bad := [i + 1 for i in at if not 0 <= i < len(first)]:
                raise FormatError(f"no column {bad[0]}; the line has {len(first)}", self.name, number)
        elif len(first) == 3 and _is_number(first[2]):
            at = [0, 1, 2]
        elif len(first) == 2 and (mark == ";" or all(" " in text.strip() for text in first)):
            at = [0, 1]
        else:
            self._no_columns(first, number)
        for i, name in zip(at, ("text1", "text2", "gold"), strict=False):
            names[i] = name
        return Layout(tuple(names), *(names[i] for i in at))

    def _no_columns(self, names: Sequence[str], number: int) -> NoReturn:
        known = ", ".join("/".join(pair) for pair in TEXT_COLUMNS)
        shown = ", ".join(repr(name[:40]) for name in list(names)[:8])
        raise FormatError(
            f"cannot tell which columns are the two sentences, got {shown}; "
            f"name them in the header ({known}) or say which with columns= (--columns)",
            self.name,
            number,
        )

    def _pair(self, row: int, number: int, fields: Mapping[str, Any], layout: Layout) -> Pair:
        texts = []
        for name in (layout.text1, layout.text2):
            text = fields.get(name)
            if not isinstance(text, str):
                problem = f"got {text!r}" if name in fields else "it is missing"
                raise FormatError(f"column {name!r}: expected a sentence, {problem}", self.name, number)
            texts.append(text)
        gold = None
        if layout.gold is not None and fields.get(layout.gold) not in (None, ""):
            value = fields[layout.gold]
            if not _is_number(value):
                raise FormatError(f"column {layout.gold!r}: expected a number, got {value!r}", self.name, number)
            gold = float(value)
        return Pair(texts[0], texts[1], None if gold is None or math.isnan(gold) else gold, row, number, fields, layout)


_NAMES = {"\t": "a tab", ",": "a comma", ";": "a semicolon"}


def _says_something(numbered: tuple[int, str]) -> bool:
    return bool(numbered[1].strip(" "))


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())


def _text_columns(names: Sequence[str]) -> tuple[str, str] | None:
    by_plain = {_plain(name): name for name in names}
    return next(((by_plain[a], by_plain[b]) for a, b in TEXT_COLUMNS if a in by_plain and b in by_plain), None)


def _is_number(value: object) -> bool:
    """Whether ``value`` is a finite number or NaN, or a string that reads as one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return False
    try:
        return not math.isinf(float(value))
    except (ValueError, OverflowError):
        return False


def _split(line: str, mark: str) -> list[str]:
    if mark == JSON_LINES:
        return []
    try:
        return next(csv.reader([line], delimiter=mark))
    except (csv.Error, StopIteration):
        return line.split(mark)
