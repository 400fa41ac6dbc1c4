"""A suite: the quality sets of a TOML file, evaluated one after the other.

::

    [stsb-dev]
    task = "stsb"                    # the name of the set if left out
    data = "sts/stsb-en-dev.csv"     # in a folder given later; the package's own data if left out
    options = { raters = "a.csv" }   # those of the task
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybridsem._typing import Plain
from hybridsem._utils.lines import read_toml
from hybridsem.errors import FormatError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.runner import evaluate
from hybridsem.evaluation.task import Task, check_options, task

__all__ = ["QualitySet", "evaluate_suite", "read_suite"]
FIELDS = ("task", "data", "options")


@dataclass(frozen=True, slots=True)
class QualitySet:
    """A task with its data and options; the package's own data if ``data`` is None."""

    name: str
    task: Task
    data: Path | None
    options: Plain


def read_suite(path: str | Path, folder: str | Path = ".") -> tuple[QualitySet, ...]:
    """Return the sets of a suite, with data in ``folder``.

    Raises:
        FormatError: A section that is no quality set.
        UnknownNameError: An unknown task.
    """
    path = Path(path)
    sets: list[QualitySet] = []
    for name, fields in read_toml(path).items():
        if not isinstance(fields, dict) or (unknown := fields.keys() - {*FIELDS}):
            got = ", ".join(sorted(unknown)) if isinstance(fields, dict) else repr(fields)
            raise FormatError(f"[{name}] may have {', '.join(FIELDS)}; got {got:.80}", path)
        data, options = fields.get("data"), fields.get("options", {})
        if not isinstance(data, str | None) or not isinstance(options, dict):
            raise FormatError(f"[{name}] needs a path as data, and options by name", path)
        chosen = task(str(fields.get("task", name)))
        if data is None and chosen.packaged is None:
            raise FormatError(f"[{name}] needs data: {chosen.layout}", path)
        options = check_options(chosen.name, chosen.options, options)
        sets.append(QualitySet(name, chosen, Path(folder, data) if data else None, options))
    if not sets:
        raise FormatError("the suite has no quality set", path)
    return tuple(sets)


def evaluate_suite(
    sets: Sequence[QualitySet], model: object, **settings: Any
) -> Iterator[tuple[QualitySet, Card]]:
    """Evaluate a model on each set, and yield the set and the card.

    Args:
        sets: The quality sets.
        model: As in :func:`hybridsem.evaluation.evaluate`.
        settings: Other arguments of that function.
    """
    for one in sets:
        yield one, evaluate(one.task, model, one.data, **one.options, **settings)
