"""The result card: what was measured on what with what, in one JSON file that can be compared,
drawn and quoted.

    {"schema": "hybridsem/card", "version": 1,
     "task":     name, summary, headline, range, licence, citation
     "data":     source, split, sha256, rows
     "model":    name, kind and what it was made of
     "settings": seed, resamples, level and the task's own options
     "versions": of hybridsem, Python and what the result depends on
     "scores":   {group: {measure: {value, low, high, n, missing, note, …}}}
     "counts":   rows, scored, failed, truncated, foreign (null: unknown), …,
                 coverage (scored of rows)
     "cost":     seconds, peak_memory_mb
     "created":  date and time
     "notes":    [...]
     "rows":     {"columns": {"score": [...], "gold": [...], …}, "groups": {"adversarial": [...]}}}

A missing number is null, never another number.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import NoneType
from typing import Any

from hybridsem._utils.disk import saving, sha256_of
from hybridsem._utils.lines import read_json
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.signed_json import digest
from hybridsem._utils.terminal import visible_lines
from hybridsem.errors import FormatError
from hybridsem.evaluation import statistics
from hybridsem.evaluation.statistics import Estimate
from hybridsem.render import figures_as_html

SCHEMA = "hybridsem/card"
VERSION = 1
LARGEST = 1e100
"""No statistic, count or cost is larger; the difference of two such is still a number."""

WHOLE = ("rows",)

_KINDS: tuple[type[Estimate], ...] = (statistics.Reliability, statistics.Difference, Estimate)
"""The kinds of statistic, those with more fields first: a file's fields tell which it is."""


@dataclass(frozen=True)
class Card:
    """One model on one task. :meth:`save` writes it, :func:`load_card` reads it back equal.

    >>> from hybridsem.evaluation import evaluate
    >>> card = evaluate("minimal-pairs", "jaccard", resamples=0)
    >>> card.name, card.data["rows"], round(card.headline["all"].value, 2)
    ('jaccard', 891, 0.46)
    """

    task: Mapping[str, Any]
    data: Mapping[str, Any]
    model: Mapping[str, Any]
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    scores: Mapping[str, Mapping[str, Estimate]]
    counts: Mapping[str, int | float | None]
    cost: Mapping[str, float | None] = field(default_factory=dict)
    created: str = ""
    notes: tuple[str, ...] = ()
    columns: Mapping[str, Sequence[float | str | None]] = field(default_factory=dict)
    groups: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The model's name."""
        return str(self.model["name"])

    @property
    def headline(self) -> dict[str, Estimate]:
        """The statistic that the benchmark's papers report, by group."""
        measure = self.task["headline"]
        return {group: found[measure] for group, found in self.scores.items() if measure in found}

    @property
    def digest(self) -> str:
        """sha256 of all but cost and date, which change when the same run is repeated."""
        kept = {
            name: value for name, value in self.to_dict().items() if name not in ("cost", "created")
        }
        return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()

    def fingerprint(self) -> str:
        """A line to quote: software, task, data, model, headline figures, seed, the card's hash."""
        split = f" {self.data['split']}" if self.data.get("split") else ""
        figures = ", ".join(
            f"{group} {figure(estimate)}" for group, estimate in self.headline.items()
        )
        parts = (
            f"hybridsem {self.versions.get('hybridsem', '?')}",
            (
                f"{self.task['name']}{split}, {self.data['rows']} rows, data "
                f"{self.data['sha256'][:12]}"
            ),
            self.name,
            f"{self.task['headline']} {figures}",
            f"scored {self.counts['scored']}/{self.counts['rows']}",
            f"seed {self.settings.get('seed', '?')}",
            f"card {self.digest[:12]}",
        )
        return " | ".join(parts)

    def __repr__(self) -> str:
        figures = ", ".join(
            f"{group} {figure(estimate)}" for group, estimate in self.headline.items()
        )
        return f"Card({self.task['name']}, {self.name}: {self.task['headline']} {figures})"

    def __str__(self) -> str:
        heads, *rows = [["", *self._measures], *self._figures()]
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (heads, *rows)
        ]
        return visible_lines("\n".join([self._title, *lines, *self._remarks()]))

    def _repr_html_(self) -> str:
        heads = ["group", *self._measures]
        return figures_as_html(self._title, heads, self._figures(), self._remarks())

    @property
    def _title(self) -> str:
        """What was measured, in a line."""
        split = f" {self.data['split']}" if self.data.get("split") else ""
        return f"{self.name} on {self.task['name']}{split}"

    @property
    def _measures(self) -> list[str]:
        """The statistics of all groups, the headline first."""
        names = dict.fromkeys(name for found in self.scores.values() for name in found)
        return sorted(names, key=lambda name: name != self.task["headline"])

    def _figures(self) -> list[list[str]]:
        """A row a group: its name and its figures."""
        return [
            [group, *(figure(found[name]) if name in found else "" for name in self._measures)]
            for group, found in self.scores.items()
        ]

    def _remarks(self) -> list[str]:
        """What stands below the figures: coverage, notes, the line to quote."""
        counts = ", ".join(
            f"{count} {name.replace('_', ' ')}" for name, count in self.counts.items() if count
        )
        return [counts, *self.notes, self.fingerprint()]

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the layout of the file."""
        plain: dict[str, Any] = {"schema": SCHEMA, "version": VERSION}
        for name in ("task", "data", "model", "settings", "versions"):
            plain[name] = dict(getattr(self, name))
        plain["scores"] = {
            group: {measure: plain_estimate(estimate) for measure, estimate in found.items()}
            for group, found in self.scores.items()
        }
        plain |= {"counts": dict(self.counts), "cost": dict(self.cost), "created": self.created}
        plain["notes"] = list(self.notes)
        columns = {
            name: [number(value) for value in column] for name, column in self.columns.items()
        }
        plain["rows"] = {
            "columns": columns,
            "groups": {name: list(rows) for name, rows in self.groups.items()},
        }
        return plain

    def to_json(self) -> str:
        """The text of the file: what is read by people on lines, the values of the rows packed."""
        plain = self.to_dict()
        plain = {"schema": SCHEMA, "version": VERSION, "sha256": digest(plain), **plain}
        rows = json.dumps(
            plain.pop("rows"), ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        head = json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=1)
        return f'{head[:-2]},\n "rows": {rows}\n}}\n'

    def save(self, path: str | Path) -> None:
        """Write the card; it appears when it is whole. Raises :class:`InputError` if it cannot be
        written.
        """
        with saving(path, "the card") as part:
            part.write_text(self.to_json(), encoding="utf-8", errors="backslashreplace")


@wrap_read_errors
def load_card(path: str | Path) -> Card:
    """Read a card.

    Raises:
        InputError: The file cannot be read.
        FormatError: It is no card, or one of a newer version than this release knows.

    >>> import tempfile
    >>> from hybridsem.evaluation import evaluate
    >>> card = evaluate("minimal-pairs", "jaccard", resamples=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     card.save(f"{folder}/card.json")
    ...     load_card(f"{folder}/card.json").name
    'jaccard'
    """
    plain = read_json(path)
    if not isinstance(plain, dict) or plain.get("schema") != SCHEMA:
        raise FormatError(
            f"not a result card: its schema is not {SCHEMA!r}; `hybridsem evaluate -o` writes one",
            path,
        )
    version = plain.get("version")
    if not isinstance(version, int) or version < 1:
        raise FormatError(f"a card's version is a whole number from 1, got {version!r}", path)
    if version > VERSION:
        raise FormatError(
            f"the card is of version {version}, and this release reads up to {VERSION}; "
            "upgrade with: pip install -U hybridsem",
            path,
        )
    checksum = plain.pop("sha256", None)  # cards of 0.2.0 have none
    if checksum not in (None, digest(plain)):
        raise FormatError(
            "the card was changed after it was written; evaluate again, or remove its sha256 to "
            "have it read as it is",
            path,
        )
    try:
        return _card(plain)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"the card is damaged: {type(error).__name__}: {error}", path) from None


def _card(plain: dict[str, Any]) -> Card:
    scores = {
        str(group): {str(measure): estimate_of(given) for measure, given in found.items()}
        for group, found in plain["scores"].items()
    }
    rows = plain.get("rows", {})
    columns = {name: tuple(column) for name, column in rows.get("columns", {}).items()}
    groups = {name: tuple(map(int, chosen)) for name, chosen in rows.get("groups", {}).items()}
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise ValueError(f"its columns have different lengths, got {sorted(lengths)}")
    for name in columns.keys() & {"score", "gold"}:
        _check_numbers(name, columns[name])
    for name, column in columns.items():
        for value in column:
            if not isinstance(value, (str, int, float, NoneType)):
                raise TypeError(f"a value of {name!r:.40} is {value!r:.40}")
    for name, chosen in groups.items():
        if chosen and not 0 <= min(chosen) <= max(chosen) < max(lengths, default=0):
            raise ValueError(f"the group {name!r} names a row that the columns do not have")
    heads = {
        name: dict(plain[name])
        for name in ("task", "data", "model", "settings", "versions", "counts")
    }
    for name, needed in (
        ("task", ("name", "headline")),
        ("data", ("rows", "sha256")),
        ("model", ("name",)),
        ("counts", ("rows", "scored")),
    ):
        if missing := [key for key in needed if key not in heads[name]]:
            raise ValueError(f"{name} has no {missing[0]!r}")
        for key in needed:
            if name != "counts":
                kind = int if key in WHOLE else str
                _check_kind(f"the {key} of {name}", heads[name][key], kind)
    for name in ("seed", "resamples"):
        _check_kind(f"the {name} of settings", heads["settings"].get(name, 0), int)
    level = heads["settings"].get("level", 0.5)
    if not (type(level) in (int, float) and 0 < level < 1):
        raise TypeError(f"the level of settings lies between 0 and 1, got {level!r:.40}")
    cost = dict(plain.get("cost", {}))
    for name, numbers in (("counts", heads["counts"]), ("cost", cost)):
        _check_numbers(name, numbers.values())
    for name, text in heads["versions"].items():
        _check_kind(f"the version of {name!r:.40}", text, str)
    return Card(
        **heads,
        scores=scores,
        cost=cost,
        created=str(plain.get("created", "")),
        notes=tuple(plain.get("notes", ())),
        columns=columns,
        groups=groups,
    )


def _check_numbers(name: str, values: Iterable[Any]) -> None:
    """:class:`TypeError` where a value is neither missing nor a number to compute with."""
    for value in values:
        if not (value is None or (type(value) in (int, float) and abs(value) <= LARGEST)):
            raise TypeError(f"{name} is a number or null, got {value!r:.40}")


def _check_kind(what: str, value: Any, kind: type) -> None:
    """:class:`TypeError` where a value is not of that kind."""
    if type(value) is not kind or (isinstance(value, int) and abs(value) > LARGEST):
        raise TypeError(
            f"{what} is {'text' if kind is str else 'a whole number'}, got {value!r:.40}"
        )


def estimate_of(given: Mapping[str, Any]) -> Estimate:
    """The statistic that :func:`plain_estimate` gave as plain data."""
    for name in ("value", "low", "high", "p"):
        _check_numbers(name, [given.get(name) if name == "p" else given[name]])
    if (given["low"] is None) != (given["high"] is None):
        raise ValueError("an interval has two ends")
    for name in ("n", "missing", "splits"):
        _check_kind(name, given.get(name, 0), int)
    _check_kind("a note", given.get("note", ""), str)
    for kind in _KINDS:
        names = {one.name for one in fields(kind)}
        if kind is Estimate or set(given) == names:
            return kind(**{name: given[name] for name in names if name in given})
    raise AssertionError  # Estimate is the last


def plain_estimate(estimate: Estimate) -> dict[str, Any]:
    """A statistic as plain data: a missing number is None."""
    return {one.name: number(getattr(estimate, one.name)) for one in fields(estimate)}


def written(value: Any) -> Any:
    """An option as a card keeps it: a file by its name and hash, wherever it lies."""
    if isinstance(value, Path):
        return {"file": value.name, "sha256": sha256_of(value)}
    return list(value) if isinstance(value, tuple) else value


def number(value: Any) -> Any:
    """The value, None in place of NaN: a missing number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def figure(estimate: Estimate) -> str:
    """A statistic as it is printed: three decimals, and its interval where it has one."""
    if estimate.value is None:
        return "undefined"
    value = f"{estimate.value:.3f}"
    return value if estimate.low is None else f"{value} [{estimate.low:.3f}, {estimate.high:.3f}]"
