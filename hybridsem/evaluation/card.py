"""The result card: a model's figures on a task and everything they depend on, in one JSON file.

Its parts are those of NEEDED, ``scores`` ({group: {measure: {value, low, high, n, …}}}), ``cost``,
``created``, ``notes``, and ``rows`` ({"columns": {"score": [...]}, "groups": {...}}).
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import NoneType

import numpy as np

from hybridsem._typing import Float64Array, Plain, Record
from hybridsem._utils.disk import saving, sha256_of
from hybridsem._utils.lines import read_json
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.signed_json import digest
from hybridsem._utils.terminal import visible_lines
from hybridsem.errors import FormatError, counted
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate, Reliability
from hybridsem.render import figures_as_html

SCHEMA = "hybridsem/card"
VERSION = 1
LARGEST = 1e100  # the limit of statistics, counts and costs; the difference of two is still finite
VARYING = ("cost", "created")
TRAINED_ON = "pairs trained on"  # the count of those in the data; absent for none
# The parts of a card and the types of the fields that each must have.
NEEDED: Mapping[str, Mapping[str, type | None]] = {
    "task": {"name": str, "headline": str},
    "data": {"rows": int, "sha256": str},
    "model": {"name": str},
    "settings": {},
    "versions": {},
    "counts": {"rows": None, "scored": None},
}
Scores = Mapping[str, Mapping[str, Estimate]]  # statistics by group and measure
Value = float | str | None


@dataclass(frozen=True)
class Card:
    """The results of one model on one task; :func:`load_card` reads what :meth:`save` writes."""

    task: Record
    data: Record
    model: Record
    settings: Record
    versions: Mapping[str, str]
    scores: Scores
    counts: Mapping[str, int | float | None]
    cost: Mapping[str, float | None] = field(default_factory=dict)
    created: str = ""
    notes: tuple[str, ...] = ()
    columns: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    groups: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The model's name."""
        return str(self.model["name"])

    @property
    def headline(self) -> dict[str, Estimate]:
        """The statistic that the benchmark's papers report, by group."""
        measure = self.task["headline"]
        return {group: own[measure] for group, own in self.scores.items() if measure in own}

    @property
    def digest(self) -> str:
        """The sha256 of everything but cost and date, which change when a run is repeated."""
        kept = {name: value for name, value in self.to_dict().items() if name not in VARYING}
        return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()

    def numbers(self, column: str) -> Float64Array:
        """Return a column of numbers, (n,); NaN is missing."""
        return np.array(self.columns[column], float)

    def fingerprint(self) -> str:
        """Return a line to quote: software, task, data, model, figures, seed, the card's hash."""
        data = f"{counted(self.data['rows'], 'row')}, data {self.data['sha256'][:12]}"
        parts = (
            f"hybridsem {self.versions.get('hybridsem', '?')}",
            f"{self._benchmark}, {data}",
            self._model,
            self._headline_text,
            f"scored {self.counts['scored']}/{self.counts['rows']}",
            f"seed {self.settings.get('seed', '?')}",
            f"card {self.digest[:12]}",
        )
        return " | ".join(parts)

    @property
    def _model(self) -> str:
        """The model's name, with its learned weights."""
        path, _, sha256 = str(self.model.get("learned weights", "")).rpartition(",sha=")
        return f"{self.name}, weights {Path(path).name} {sha256[:12]}" if path else self.name

    @property
    def _headline_text(self) -> str:
        figures = (f"{group} {figure(estimate)}" for group, estimate in self.headline.items())
        return f"{self.task['headline']} {', '.join(figures)}"

    def __repr__(self) -> str:
        return f"Card({self.task['name']}, {self.name}: {self._headline_text})"

    def __str__(self) -> str:
        return visible_lines("\n".join([self._title, *self.table(), *self._remarks()]))

    def table(self, most: int | None = None) -> list[str]:
        """Return the figures as lines; with more than ``most`` statistics, one figure per line."""
        measures, rows = self._figures()
        rows = [["", *measures], *rows]
        if most is not None and len(measures) > most:
            figures = ((group, item) for group, own in self.scores.items() for item in own.items())
            rows = [[group, name, figure(one)] for group, (name, one) in figures]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        cells = (map(str.ljust, row, widths) for row in rows)
        return ["  ".join(row).rstrip() for row in cells]

    def _repr_html_(self) -> str:
        measures, rows = self._figures()
        return figures_as_html(self._title, ["group", *measures], rows, self._remarks())

    @property
    def _benchmark(self) -> str:
        return " ".join(filter(None, (self.task["name"], self.data.get("split"))))

    @property
    def _title(self) -> str:
        return f"{self._model} on {self._benchmark}"

    def _figures(self) -> tuple[list[str], list[list[str]]]:
        """Return the statistics, the headline first, and a row for each group: name, figures."""
        names = dict.fromkeys(name for own in self.scores.values() for name in own)
        measures = sorted(names, key=lambda name: name != self.task["headline"])
        return measures, [
            [group, *(figure(own[name]) if name in own else "" for name in measures)]
            for group, own in self.scores.items()
        ]

    def _remarks(self) -> list[str]:
        """Return the lines below the figures: counts, notes, the line to quote."""
        counts = (f"{n} {name.replace('_', ' ')}" for name, n in self.counts.items() if n)
        line = re.sub(r"\b1 rows\b", "1 row", ", ".join(counts))
        return [line, *self.notes, self.fingerprint()]

    def to_dict(self) -> Plain:
        """Return plain data in the layout of the file."""
        plain: Plain = {"schema": SCHEMA, "version": VERSION}
        for name in ("task", "data", "model", "settings", "versions"):
            plain[name] = dict(getattr(self, name))
        plain["scores"] = plain_scores(self.scores)
        plain |= {"counts": dict(self.counts), "cost": dict(self.cost), "created": self.created}
        plain["notes"] = list(self.notes)
        columns = {name: list(map(number, column)) for name, column in self.columns.items()}
        groups = {name: list(rows) for name, rows in self.groups.items()}
        return plain | {"rows": {"columns": columns, "groups": groups}}

    def to_json(self) -> str:
        """Return the text of the file, with the values of the rows on one line."""
        plain = self.to_dict()
        plain = {"schema": SCHEMA, "version": VERSION, "sha256": digest(plain), **plain}
        settings: Plain = {"ensure_ascii": False, "allow_nan": False}
        rows = json.dumps(plain.pop("rows"), separators=(",", ":"), **settings)
        head = json.dumps(plain, indent=1, **settings)
        return f'{head[:-2]},\n "rows": {rows}\n}}\n'

    def save(self, path: str | Path) -> None:
        """Write the card atomically. Raises :class:`InputError` if it cannot be written."""
        with saving(path, "the card") as part:
            part.write_text(self.to_json(), encoding="utf-8", errors="backslashreplace")


@wrap_read_errors
def load_card(path: str | Path) -> Card:
    """Read a card. Raises :class:`FormatError` if it is damaged, changed, or of another version."""
    plain = read_json(path)
    if not isinstance(plain, dict) or plain.get("schema") != SCHEMA:
        why = f"not a result card: its schema is not {SCHEMA!r}; `hybridsem evaluate -o` writes one"
        raise FormatError(why, path)
    if (version := plain.get("version")) != VERSION:
        why = f"the card has version {version!r}, and this release reads {VERSION}"
        raise FormatError(f"{why}; upgrade with: pip install -U hybridsem", path)
    checksum = plain.pop("sha256", None)  # cards of 0.2.0 have none
    if checksum not in (None, digest(plain)):
        why = "the card was changed after it was written; evaluate again, or remove its sha256"
        raise FormatError(f"{why} to read it as it is", path)
    try:
        return _card(plain)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"the card is damaged: {type(error).__name__}: {error}", path) from None


def _card(plain: Plain) -> Card:
    scores = estimates_of(plain["scores"])
    rows = plain.get("rows", {})
    columns = {name: tuple(column) for name, column in rows.get("columns", {}).items()}
    groups = {name: tuple(map(int, chosen)) for name, chosen in rows.get("groups", {}).items()}
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise ValueError(f"its columns have different lengths, got {sorted(lengths)}")
    for name in columns.keys() & {"score", "gold"}:
        _check_numbers(name, columns[name])
    for name, value in ((name, value) for name, column in columns.items() for value in column):
        if not isinstance(value, (str, int, float, NoneType)):
            raise TypeError(f"a value of {name!r:.40} is {value!r:.40}")
    for name, chosen in groups.items():
        if chosen and not 0 <= min(chosen) <= max(chosen) < max(lengths, default=0):
            raise ValueError(f"the group {name!r} names a row that the columns do not have")
    heads: Plain = {name: dict(plain[name]) for name in NEEDED}
    for name, needed in NEEDED.items():
        if missing := [key for key in needed if key not in heads[name]]:
            raise ValueError(f"{name} has no {missing[0]!r}")
        for key, kind in needed.items():
            if kind is not None:
                _check_kind(f"the {key} of {name}", heads[name][key], kind)
    for name in ("seed", "resamples"):
        _check_kind(f"the {name} of settings", heads["settings"].get(name, 0), int)
    level = heads["settings"].get("level", 0.5)
    if not (type(level) in (int, float) and 0 < level < 1):
        raise TypeError(f"the level of settings lies between 0 and 1, got {level!r:.40}")
    cost = dict(plain.get("cost", {}))
    _check_numbers("counts", heads["counts"].values())
    _check_numbers("cost", cost.values())
    for name, text in heads["versions"].items():
        _check_kind(f"the version of {name!r:.40}", text, str)
    created, notes = str(plain.get("created", "")), tuple(plain.get("notes", ()))
    more: Plain = {"cost": cost, "created": created, "notes": notes}
    return Card(**heads, scores=scores, columns=columns, groups=groups, **more)


def _check_numbers(name: str, values: Iterable[object]) -> None:
    """Raise :class:`TypeError` if a value is neither None nor a finite number."""
    for value in values:
        if value is not None and not (
            isinstance(value, int | float) and type(value) is not bool and abs(value) <= LARGEST
        ):
            raise TypeError(f"{name} is a number or null, got {value!r:.40}")


def _check_kind(what: str, value: object, kind: type) -> None:
    """Raise :class:`TypeError` if a value is not of that type."""
    if type(value) is not kind or (isinstance(value, int) and abs(value) > LARGEST):
        described = "text" if kind is str else "a whole number"
        raise TypeError(f"{what} is {described}, got {value!r:.40}")


def estimates_of(plain: Mapping[str, Mapping[str, Record]]) -> dict[str, dict[str, Estimate]]:
    """Return statistics by group and measure from :func:`plain_scores`."""
    return {
        str(group): {str(measure): _estimate(given) for measure, given in own.items()}
        for group, own in plain.items()
    }


def _estimate(given: Record) -> Estimate:
    for name in ("value", "low", "high", "p"):
        _check_numbers(name, [given.get(name) if name == "p" else given[name]])
    if (given["low"] is None) != (given["high"] is None):
        raise ValueError("an interval has two ends")
    for name in ("n", "missing", "splits"):
        _check_kind(name, given.get(name, 0), int)
    _check_kind("a note", given.get("note", ""), str)
    kind = Reliability if "splits" in given else Difference if "p" in given else Estimate
    return kind(**{own.name: given[own.name] for own in fields(kind) if own.name in given})


def plain_scores(scores: Scores) -> dict[str, dict[str, Plain]]:
    """Return statistics by group and measure as plain data; a missing number is None."""
    return {
        group: {
            measure: {name: number(value) for name, value in vars(estimate).items()}
            for measure, estimate in own.items()
        }
        for group, own in scores.items()
    }


def written(value: object) -> object:
    """Return an option as a card keeps it: a file by its name and hash."""
    if isinstance(value, Path):
        return {"file": value.name, "sha256": sha256_of(value)}
    return list(value) if isinstance(value, tuple) else value


def number(value: Value) -> Value:
    """Return the value; None for NaN, a missing number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def figure(estimate: Estimate) -> str:
    """Return a statistic as text: three decimals, and its interval if it has one."""
    if estimate.value is None:
        return "undefined"
    value = f"{estimate.value:.3f}"
    return value if estimate.low is None else f"{value} [{estimate.low:.3f}, {estimate.high:.3f}]"
