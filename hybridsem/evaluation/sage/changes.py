"""Robustness and sensitivity: a model's similarities of documents with changed versions of them.

Robustness: a change that keeps the meaning should cost less similarity than one that changes it.
Sensitivity: after an insertion or a removal of share p the similarity should be 1 / (1 + p).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from hybridsem._typing import BoolArray, Float64Array
from hybridsem._utils.disk import reason
from hybridsem._utils.progress import in_chunks
from hybridsem._utils.safe_read import read_bytes
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError
from hybridsem.evaluation import perturbations
from hybridsem.evaluation.model import EvaluatedModel, count_flagged
from hybridsem.evaluation.perturbations import Perturbation
from hybridsem.evaluation.sage import parts
from hybridsem.evaluation.sage.document_models import compared, in_batch
from hybridsem.evaluation.sage.parts import Documents, ItemBootstrap, SetResult, Sets, Statistic
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.task import Measured

AT_ONCE = 64  # documents whose versions are in memory together
CHANGES = (*perturbations.SUPERFICIAL, *perturbations.SEMANTIC)
CONDITIONS = ("superficial > summary", "summary > semantic", "superficial > semantic")
ALL_THREE = "all three"


@dataclass(frozen=True)
class Similarities:
    """Similarities (n, k) of n documents with k versions; ``unchanged`` ones equal the document."""

    values: Float64Array
    unchanged: BoolArray


def _similarities(
    tested: EvaluatedModel, number: int, forms: Callable[[int], Sequence[str]], progress: bool
) -> Similarities:
    """Return the similarities of each document with its versions; ``forms`` gives their texts."""
    values, unchanged = [], []
    for rows in in_chunks(range(number), AT_ONCE, "comparing", progress):
        given = [forms(row) for row in rows]
        width = len(given[0])
        read = compared(tested, [text for texts in given for text in texts])
        first = np.repeat(np.arange(len(rows)) * width, width - 1)
        others = first + np.tile(np.arange(1, width), len(rows))
        values.append(read.pairs(first, others).reshape(len(rows), width - 1))
        unchanged.append([[text == texts[0] for text in texts[1:]] for texts in given])
    return Similarities(in_batch(tested, np.concatenate(values)), np.concatenate(unchanged))


def _measured(
    data: Sets[Documents],
    tested: EvaluatedModel,
    settings: Settings,
    forms: Callable[[Documents, int], Sequence[str]],
    columns: Callable[[Similarities], Mapping[str, Float64Array]],
    compared_by: ItemBootstrap,
) -> Measured:
    """Return the means over documents of columns made from the similarities, with intervals."""
    by_set: dict[str, SetResult] = {}
    for name, documents in data.sets.items():
        own = partial(forms, documents)
        found = columns(_similarities(tested, documents.rows, own, settings.progress))
        given = {one: Column(column) for one, column in found.items()}
        by_set[name] = SetResult(
            summaries(given, **settings.drawing),
            int(np.isfinite(found[parts.SCORE]).sum()),
            count_flagged(((text,) for text in documents.texts), tested.truncated),
            {one: found[one] for one in compared_by.tested},
        )
    return parts.measured(data, by_set)


# Robustness

ROBUSTNESS_COMPARISON = ItemBootstrap(
    {name: Statistic((name,)) for name in (parts.SCORE, ALL_THREE, *CONDITIONS)},
    alike=("as_printed",),
)


def measure_robustness(
    data: Sets[Documents], tested: EvaluatedModel, settings: Settings
) -> Measured:
    """Measure the shares of documents that meet the conditions, and mean similarities."""

    def forms(documents: Documents, row: int) -> list[str]:
        text = documents.texts[row]
        changed = (change(text, settings.seed) for change in CHANGES)
        return [text, *changed, documents.summaries[row]]

    return _measured(data, tested, settings, forms, conditions, ROBUSTNESS_COMPARISON)


def conditions(found: Similarities) -> dict[str, Float64Array]:
    """Return each condition by document, 0 or 1 (NaN: missing), and similarities."""
    number = len(perturbations.SUPERFICIAL)
    superficial = np.where(found.unchanged, np.inf, found.values)[:, :number].min(axis=1)
    semantic = np.where(found.unchanged, -np.inf, found.values)[:, number : len(CHANGES)]
    most, summary = semantic.max(axis=1), found.values[:, len(CHANGES)]
    sides = (superficial, summary), (summary, most), (superficial, most)
    holds = {
        name: np.where(np.isfinite(one) & np.isfinite(two), one > two, np.nan)
        for name, (one, two) in zip(CONDITIONS, sides, strict=True)
    }
    three = np.stack(list(holds.values()))
    changed = np.where(found.unchanged, np.nan, found.values)
    names = [*(one.name for one in CHANGES), "summary"]
    named = {f"s({name})": changed[:, at] for at, name in enumerate(names)}
    return {parts.SCORE: three.mean(axis=0), ALL_THREE: three.min(axis=0), **holds, **named}


# Sensitivity

SENSITIVITY_COMPARISON = ItemBootstrap(
    {name: Statistic((name,)) for name in (parts.SCORE, "insertion", "removal")},
    alike=("filler", "as_printed"),
)


def measure_sensitivity(
    data: Sets[Documents], tested: EvaluatedModel, settings: Settings
) -> Measured:
    """Measure the closeness to the expected similarities, and mean similarities by share."""
    changes = _changes(settings)

    def forms(documents: Documents, row: int) -> list[str]:
        text = documents.texts[row]
        return [text, *(change(text) for change in changes)]

    columns = partial(closeness, changes=changes)
    return _measured(data, tested, settings, forms, columns, SENSITIVITY_COMPARISON)


def closeness(found: Similarities, changes: Sequence[Perturbation]) -> dict[str, Float64Array]:
    """Return 1 - the mean absolute error by document, and mean similarities by share."""
    values = np.where(found.unchanged, np.nan, found.values)
    shares = np.array([change.share for change in changes])
    kinds = np.array([change.kind for change in changes])
    errors, names = np.abs(values - 1 / (1 + shares)), dict.fromkeys(kinds.tolist())
    by_kind = {kind: 1 - errors[:, kinds == kind].mean(axis=1) for kind in names}
    columns = {parts.SCORE: np.mean(list(by_kind.values()), axis=0), **by_kind}
    for kind, share in dict.fromkeys(zip(kinds.tolist(), shares.tolist(), strict=True)):
        same = values[:, (kinds == kind) & (shares == share)]
        columns[f"s({kind} {share:.0%})"] = same.mean(axis=1)
    return columns


def _changes(settings: Settings) -> list[Perturbation]:
    """Return the changes, with the filler of a file and exact lengths where the options say so."""
    exact = bool(settings.options.get("as_printed"))
    changes = [*perturbations.INSERTIONS, *perturbations.REMOVALS]
    changes = [perturbations.EXACT[one] for one in changes] if exact else changes
    if (file := settings.options.get("filler")) is None:
        return changes
    try:
        text = read_bytes(file).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the filler, got {str(file)!r}: {reason(error)}") from error
    filled = (
        perturbations.insertion(one.share or 0, one.position or 0, text, exact=exact)
        for one in perturbations.INSERTIONS
    )
    return [*filled, *changes[len(perturbations.INSERTIONS) :]]


load_summarised = parts.reading(partial(parts.read_documents, summarised=True))
ROBUSTNESS = parts.sage_task(
    "sage-robustness", load_summarised, measure_robustness, comparison=ROBUSTNESS_COMPARISON
)
SENSITIVITY = parts.sage_task(
    "sage-sensitivity", parts.load_documents, measure_sensitivity, comparison=SENSITIVITY_COMPARISON
)
