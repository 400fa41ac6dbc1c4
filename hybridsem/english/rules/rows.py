"""Rows of rules in TOML files: what all of them have is read, checked and listed here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hybridsem.english.matcher import PatternError
from hybridsem.errors import FormatError

COMMON = ("id", "source", "positive", "negative")
MEASURED = ("precision", "support")
LEAST_EXAMPLES = 2

Measures = tuple[float | None, int | None]
"""The precision and the support of a rule, None where they were not measured."""


def read_rules(path: Path | str) -> dict[str, Any]:
    """Return the content of a file; :class:`FormatError` if it is no TOML."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"no TOML file: {error}", path) from error


def check_keys(
    table: Mapping[str, object], known: Sequence[str], path: Path | str, where: str = ""
) -> None:
    """Raise :class:`FormatError` for an unknown key."""
    for key in table:
        if key not in known:
            raise FormatError(f"{where}key {key!r}: unknown; allowed are {known}", path)


def checked_row(
    row: Mapping[str, object], own: Sequence[str], optional: Sequence[str], path: Path | str
) -> str:
    """Return how messages name a row whose keys are right: the common ones, its ``own``, and
    perhaps ``optional`` ones. Raises :class:`FormatError`.
    """
    where, needed = f"rule {row.get('id', 'without id')!r}, ", (*COMMON, *own)
    check_keys(row, (*needed, *optional, *MEASURED), path, where)
    for key in needed:
        if key not in row or row[key] == []:
            raise FormatError(f"{where}key {key!r}: missing; needed: {needed}", path)
    for key in ("positive", "negative"):
        examples = row[key]
        if not isinstance(examples, list) or len(examples) < LEAST_EXAMPLES:
            message = f"at least {LEAST_EXAMPLES} examples, got {examples!r}"
            raise FormatError(f"{where}key {key!r}: {message}", path)
    return where


def check_ids(ids: Sequence[str], path: Path | str) -> None:
    """Raise :class:`FormatError` for an id that two rules have."""
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        raise FormatError(f"rule {name!r}, key 'id': an id that no other rule has", path)


def measures(row: Mapping[str, object]) -> Measures:
    """Return the measures of a row."""
    precision, support = (row.get(key) for key in MEASURED)
    return (
        float(precision) if isinstance(precision, float | int) else None,
        support if isinstance(support, int) else None,
    )


@contextmanager
def faults(path: Path | str, where: str) -> Iterator[None]:
    """Turn faults of patterns and values into errors that name their file, rule and key."""
    try:
        yield
    except (PatternError, TypeError) as error:
        raise FormatError(f"{where}: allowed is {error}", path) from error


def listed(value: object) -> list[object]:
    """Return a value that must be a list."""
    if not isinstance(value, list):
        raise PatternError(f"a list, got {value!r}")
    return value


def strings(value: object) -> list[str]:
    """Return a value that must be a list of strings."""
    texts = [text for text in listed(value) if isinstance(text, str)]
    if texts != value:
        raise PatternError(f"a list of strings, got {value!r}")
    return texts


def table(heads: Sequence[str], rows: Iterable[tuple[Sequence[str], Measures]]) -> str:
    """Return a table of rules for the documentation: their cells, precision and support."""
    lines = [
        f"| {' | '.join(heads)} | precision | pairs |",
        f"| {' | '.join('---' for _ in heads)} | ---: | ---: |",
    ]
    for cells, (precision, support) in rows:
        figure = "" if precision is None else f"{precision:.2f}".lstrip("0")
        shown = (*(cell.replace("|", "\\|") for cell in cells), figure)
        lines.append(f"| {' | '.join(shown)} | {'' if support is None else support} |")
    return "\n".join(lines) + "\n"
