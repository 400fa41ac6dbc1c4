"""Find the columns of the two sentences and of the gold score."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hybridsem._typing import Plain
from hybridsem._utils.tables import read_table
from hybridsem.errors import FormatError, InputError, listed

TEXT_COLUMNS, GOLD_COLUMNS, SINGLE_TEXT = read_table(__file__).values()
"""The known header names of the two sentences, of the gold score, and of single texts."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A file's columns, in order, with those of the sentences and the gold score."""

    columns: tuple[str, ...]
    text1: str
    text2: str
    gold: str | None = None


@dataclass(slots=True)  # not frozen, which takes four times as long to make
class Pair:
    """Two sentences of a pair file.

    ``row`` counts records from 0; ``line`` counts the lines of a text file, or the rows of a
    spreadsheet or columnar file, from 1. ``fields`` is the whole record, by column. ``problem`` is
    the fault of an unusable record.
    """

    text1: str
    text2: str
    gold: float | None = None
    row: int = 0
    line: int = 1
    fields: Mapping[str, object] = field(default_factory=dict)
    layout: Layout | None = None
    problem: str | None = None

    @property
    def named(self) -> Plain:
        """The fields by column name, in lower case and without outer blanks."""
        return {str(name).strip().lower(): value for name, value in self.fields.items()}

    @property
    def extra(self) -> dict[str, object]:
        """The fields other than the sentences and the gold score."""
        if self.layout is None:
            return dict(self.fields)
        used = (self.layout.text1, self.layout.text2, self.layout.gold)
        return {name: value for name, value in self.fields.items() if name not in used}


def checked_columns(columns: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the columns that a caller named: None, or two or three different names."""
    if columns is None:
        return None
    names = [] if isinstance(columns, (str, int, float)) else list(map(str, columns))
    if len(set(names)) != len(names) or len(names) not in (2, 3):
        why = "columns must be two or three different names: text1, text2[, gold]"
        raise InputError(f"{why}; got {columns!r}")
    return tuple(names)


def header_layout(
    names: Sequence[str],
    columns: tuple[str, ...] | None,
    sample: Mapping[str, object] | None,
    file: str,
    line: int | None,
    unit: str = "line",
) -> Layout | None:
    """Return the layout that a header names, or None if its names are unknown."""
    where = file, line, unit
    if columns is not None:
        are_numbers = all(name.isdecimal() and len(name) < 10 for name in columns)
        if are_numbers and not set(columns) <= set(names):
            by_position = dict(enumerate(names, start=1))
            columns = tuple(by_position.get(int(name), name) for name in columns)
        if missing := [name for name in columns if name not in set(names)]:
            raise FormatError(f"no column {missing[0]!r}; it has {listed(names)}", *where)
        layout = Layout(tuple(names), *columns)
    else:
        texts = text_columns(names)
        if texts is None:
            return None
        # A column called "label" may hold words; only numbers are gold scores.
        numbers = [name for name, cell in (sample or {}).items() if number_in(cell) is not None]
        others = [name for name in names if name in numbers and name not in texts]
        golds = (name for wanted in GOLD_COLUMNS for name in others if _plain(name) == wanted)
        layout = Layout(tuple(names), *texts, next(golds, None))
    if len(set(names)) < len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise FormatError(f"the header has the column {twice!r} twice", *where)
    return layout


def column_of_texts(
    names: Sequence[str], chosen: str | None = None, other: str | None = None
) -> str:
    """Return the column of texts: the chosen, one with a usual name, or the only one."""
    if missing := [name for name in (chosen, other) if name is not None and name not in names]:
        raise InputError(f"no column {missing[0]!r}; it has {listed(names)}")
    plain = {name.strip().lower(): name for name in names}
    likely = [plain[name] for name in SINGLE_TEXT if name in plain]
    others = [name for name in names if name != other]
    column = chosen or next(iter(likely), others[0] if len(others) == 1 else None)
    if column is None:
        why = f"cannot determine which column has the texts, got {listed(names)}"
        raise InputError(f"{why}; say which with column= (--column)")
    return column


def unknown_columns(
    names: Sequence[str], file: str, line: int | None, unit: str = "line"
) -> FormatError:
    """Return the error for a table whose sentences cannot be found."""
    known = ", ".join("/".join(pair) for pair in TEXT_COLUMNS)
    shown = ", ".join(repr(name[:40]) for name in list(names)[:8])
    why = f"cannot determine which columns are the two sentences, got {shown}; name them in the"
    how = f"header ({known}) or say which with columns= (--columns)"
    return FormatError(f"{why} {how}", file, line, unit)


def pair_of(
    row: int, line: int, fields: Mapping[str, object], layout: Layout, problem: str | None = None
) -> Pair:
    """Return the pair in a record, with its ``problem`` if it cannot be used."""
    text1, text2, gold = fields.get(layout.text1), fields.get(layout.text2), None
    are_texts = isinstance(text1, str) and isinstance(text2, str)
    if problem is None and not are_texts:
        name = layout.text2 if isinstance(text1, str) else layout.text1
        got = f"got {fields[name]!r:.80}" if name in fields else "it is missing"
        problem = f"column {name!r}: expected a sentence, {got}"
    if layout.gold is not None and (value := fields.get(layout.gold)) not in (None, ""):
        number = number_in(value)
        if number is not None:
            gold = None if math.isnan(number) else number
        else:
            problem = problem or f"column {layout.gold!r}: expected a number, got {value!r:.80}"
    if not are_texts:
        text1 = text1 if isinstance(text1, str) else ""
        text2 = text2 if isinstance(text2, str) else ""
    return Pair(text1, text2, gold, row, line, fields, layout, problem)  # type: ignore[arg-type]


def text_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the two columns with the names of sentences, or None."""
    known = {_plain(name): name for name in names}
    pairs = ((known[a], known[b]) for a, b in TEXT_COLUMNS if a in known and b in known)
    return next(pairs, None)


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())


_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+\s*")


def number_in(value: object) -> float | None:
    """Return the finite number or NaN that ``value`` is or spells; a comma is a decimal comma."""
    if isinstance(value, str):
        value = value.replace(",", ".") if _DECIMAL_COMMA.fullmatch(value) else value
    elif isinstance(value, (bool, bytes)) or not hasattr(value, "__float__"):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError, TypeError):
        return None
    return None if math.isinf(number) else number
