"""Which columns of a table are the two sentences and the gold score."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hybridsem.errors import FormatError, InputError, listed

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
"""Header names of the two sentences, without case and with ``_`` for spaces and hyphens."""

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
    """A file's columns, in order, and which of them are the sentences and the gold score.

    >>> Layout(("id", "s1", "s2", "gold"), "s1", "s2", "gold").gold
    'gold'
    """

    columns: tuple[str, ...]
    text1: str
    text2: str
    gold: str | None = None


@dataclass(slots=True)  # not frozen: that takes four times as long to make, and files are long
class Pair:
    """Two sentences of a pair file.

    ``row`` counts records from 0; ``line`` is the line of a text file, or the row of a spreadsheet
    or a columnar file, from 1. ``fields`` is the whole record as written, by column. ``problem``
    says what is wrong with a record that was kept although it cannot be used.

    >>> pair = Pair("It rains.", "It pours.", 4.0)
    >>> pair.text1, pair.gold, pair.problem
    ('It rains.', 4.0, None)
    """

    text1: str
    text2: str
    gold: float | None = None
    row: int = 0
    line: int = 1
    fields: Mapping[str, Any] = field(default_factory=dict)
    layout: Layout | None = None
    problem: str | None = None

    @property
    def named(self) -> dict[str, Any]:
        """The fields by the names of their columns, in lower case, without blanks around them."""
        return {str(name).strip().lower(): value for name, value in self.fields.items()}

    @property
    def extra(self) -> dict[str, Any]:
        """The columns beside the sentences and the gold score."""
        if self.layout is None:
            return dict(self.fields)
        used = (self.layout.text1, self.layout.text2, self.layout.gold)
        return {name: value for name, value in self.fields.items() if name not in used}


def checked_columns(columns: Sequence[str] | None) -> tuple[str, ...] | None:
    """The columns that a caller has named: none, or two or three different names."""
    if columns is None:
        return None
    names = [] if isinstance(columns, (str, int, float)) else list(map(str, columns))
    if len(set(names)) != len(names) or len(names) not in (2, 3):
        raise InputError(
            f"columns must be two or three different names: text1, text2[, gold]; got {columns!r}"
        )
    return tuple(names)


def header_layout(
    names: Sequence[str],
    columns: tuple[str, ...] | None,
    sample: Mapping[str, Any] | None,
    file: str,
    line: int | None,
    unit: str = "line",
) -> Layout | None:
    """The layout by the names in a header, or None where they say nothing.

    Args:
        names: The cells of the header.
        columns: Those that the caller named, or their positions from 1; None: told by ``names``.
        sample: A record, to tell numbers from words; without one no column holds gold scores.
        file: The name of the file, for messages.
        line: Of the header, for messages.
        unit: What ``line`` counts.
    """
    if columns is not None:
        places = range(1, len(names) + 1)
        if not set(columns) <= set(names) and all(
            name.isdecimal() and len(name) < 10 for name in columns
        ):
            columns = tuple(
                names[int(name) - 1] if int(name) in places else name for name in columns
            )
        if missing := [name for name in columns if name not in set(names)]:
            raise FormatError(f"no column {missing[0]!r}; it has {listed(names)}", file, line, unit)
        layout = Layout(tuple(names), *columns)
    else:
        texts = text_columns(names)
        if texts is None:
            known = {_plain(name) for name in names}
            for one, other in TEXT_COLUMNS[:-1]:
                if (one in known) != (other in known):
                    found, missing_name = (one, other) if one in known else (other, one)
                    raise FormatError(
                        f"the header has {found!r} and no {missing_name!r}; it has {listed(names)}",
                        file,
                        line,
                        unit,
                    )
            return None
        # A column called "label" may hold words; only numbers are gold scores.
        golds = (
            name
            for wanted in GOLD_COLUMNS
            for name in names
            if _plain(name) == wanted
            and name not in texts
            and number_in((sample or {}).get(name)) is not None
        )
        layout = Layout(tuple(names), *texts, next(golds, None))
    if len(set(names)) < len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise FormatError(f"the header has the column {twice!r} twice", file, line, unit)
    return layout


def unknown_columns(
    names: Sequence[str], file: str, line: int | None, unit: str = "line"
) -> FormatError:
    """The error for a table whose columns say nothing.

    Args:
        names: The columns, or the cells of the first row.
        file: The name of the file.
        line: Where the columns are named, from 1.
        unit: What ``line`` counts.
    """
    known = ", ".join("/".join(pair) for pair in TEXT_COLUMNS)
    shown = ", ".join(repr(name[:40]) for name in list(names)[:8])
    return FormatError(
        f"cannot tell which columns are the two sentences, got {shown}; "
        f"name them in the header ({known}) or say which with columns= (--columns)",
        file,
        line,
        unit,
    )


def pair_of(
    row: int, line: int, fields: Mapping[str, Any], layout: Layout, problem: str | None = None
) -> Pair:
    """The pair in a record; its ``problem`` says why it cannot be used.

    Args:
        row: The record's number, from 0.
        line: Its line or row in the file, from 1.
        fields: The record, by column.
        layout: Which columns are the sentences and the gold score.
        problem: What is known to be wrong with the record already.
    """
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
    if are_texts:  # nearly always
        return Pair(text1, text2, gold, row, line, fields, layout, problem)  # type: ignore[arg-type]
    first = text1 if isinstance(text1, str) else ""
    second = text2 if isinstance(text2, str) else ""
    return Pair(first, second, gold, row, line, fields, layout, problem)


def text_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """The two columns whose names stand for sentences, or None."""
    by_plain = {_plain(name): name for name in names}
    return next(
        ((by_plain[a], by_plain[b]) for a, b in TEXT_COLUMNS if a in by_plain and b in by_plain),
        None,
    )


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())


_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+\s*")


def number_in(value: object) -> float | None:
    """The finite number or NaN that ``value`` is or reads as; a comma in it is a decimal comma."""
    if isinstance(value, (bool, bytes)) or not (
        isinstance(value, str) or hasattr(value, "__float__")
    ):
        return None
    if isinstance(value, str) and "," in value and _DECIMAL_COMMA.fullmatch(value):
        value = value.replace(",", ".")
    try:
        number = float(value)
    except (ValueError, OverflowError, TypeError):
        return None
    return None if math.isinf(number) else number
