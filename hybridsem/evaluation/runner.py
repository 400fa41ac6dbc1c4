"""Running a task: match the task and the model, measure, and make the card."""

from __future__ import annotations

import platform
import sys
import time
from contextlib import suppress
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hybridsem import __version__
from hybridsem._utils.progress import status
from hybridsem._utils.safe_read import reading
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.trained_on import shared
from hybridsem.errors import InputError
from hybridsem.evaluation.card import TRAINED_ON, Card, number, written
from hybridsem.evaluation.model import KINDS, EvaluatedModel, evaluated_model
from hybridsem.evaluation.task import Data, Measured, Task, check_options
from hybridsem.evaluation.task import task as task_by_name

# Libraries whose versions a result may depend on, and instruction sets by their flags on Linux.
ALWAYS = ("numpy", "scipy", "onnxruntime", "tokenizers")
IF_LOADED = "sentence_transformers transformers torch spacy gensim smatch pyarrow amrlib"
INSTRUCTION_SETS = ("avx2", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8")


def evaluate(
    task: str | Task,
    model: Any,
    data: str | Path | None = None,
    *,
    name: str | None = None,
    seed: int = 0,
    resamples: int = 10_000,
    level: float = 0.95,
    progress: bool = False,
    work: str | Path | None = None,
    **options: Any,
) -> Card:
    """Evaluate a model on a task, and return the card: scores with all that they depend on.

    Args:
        task: The name of a task, or your own task.
        model: A name, a :class:`~hybridsem.Pipeline`, an encoder (``encode(sentences)``), an object
            with ``similarity(pairs)``, or the result of ``similarities_file``.
        data: The task's folder or file; None: the package's own data, if there are any.
        name: The model's name in the card; None: its own.
        seed: Of all random draws.
        resamples: Of the bootstrap intervals; 0 for none.
        level: Of the intervals.
        progress: Show a bar on stderr if that is a terminal.
        work: A folder for finished parts, from which an interrupted run resumes, for long tasks.
        options: The task's own, such as ``split`` or ``columns``.
    """
    chosen = task_by_name(task) if isinstance(task, str) else task
    given = check_options(chosen.name, chosen.options, options)
    if work is not None and not chosen.resumes:
        raise InputError(f"{chosen.name} keeps no finished work; got the folder {str(work)!r}")
    for what, value in (("seed", seed), ("resamples", resamples)):
        if not isinstance(value, int) or value < 0:
            raise InputError(f"{what} is a whole number from 0, got {value!r}")
    if not 0 < level < 1:
        raise InputError(f"the level lies between 0 and 1, got {level!r}")
    folder = None if work is None else Path(work)
    settings = Settings(seed, resamples, level, given, progress, folder)
    tested = copy(evaluated_model(model))
    tested.name = tested.name if name is None else name
    if not tested.offers.intersection(chosen.needs):
        needed = " or ".join(KINDS[kind] for kind in chosen.needs)
        offered = " and ".join(KINDS[kind] for kind in sorted(tested.offers)) or "nothing"
        raise InputError(f"{chosen.name} needs {needed}, and {tested.name!r} offers {offered}")
    if chosen.prepare is not None:
        tested = chosen.prepare(tested, settings)
    began = time.perf_counter()
    if data is None and chosen.packaged is None:
        raise InputError(f"{chosen.name} needs data: {chosen.layout}; got none")
    if str(data) == "-":  # which cannot be read twice
        raise InputError("the data must be a file and cannot be standard input, got '-'")
    with status("reading the data", progress), reading(data):
        path = chosen.packaged() if data is None and chosen.packaged else Path(data or "")
        loaded: Data = chosen.load(path, settings)
    measured = _marked(chosen.measure(loaded, tested, settings), loaded, tested)
    return _card(chosen, loaded, tested, settings, measured, time.perf_counter() - began)


def _marked(measured: Measured, data: Data, tested: EvaluatedModel) -> Measured:
    """Return the results with the number of pairs that the model's weights were trained on."""
    if not (tested.trained_on and hasattr(data, "text_pairs")):
        return measured
    known, pairs = shared(data.text_pairs(), tested.trained_on)
    if not known:
        return measured
    note = f"trained on test: the weights were trained on {known} of the {pairs} distinct pairs"
    notes = (f"{note}, so the figures do not hold for unseen pairs", *measured.notes)
    return replace(measured, counts={**measured.counts, TRAINED_ON: known}, notes=notes)


def _card(
    task: Task, data: Data, tested: EvaluatedModel, settings: Settings, measured: Measured, s: float
) -> Card:
    given = {"seed": settings.seed, "resamples": settings.resamples, "level": settings.level}
    chosen = {**settings.options, **measured.settings}
    rows, scored = measured.counts["rows"] or 0, measured.counts["scored"] or 0
    counts = {**measured.counts, "coverage": round(scored / rows, 6) if rows else 0.0}
    about = ("name", "summary", "headline", "range", "licence", "citation")
    return Card(
        task={name: getattr(task, name) for name in about}
        | {"range": list(task.range) if task.range else None},
        data={name: getattr(data, name) for name in ("source", "split", "sha256", "rows")},
        model=tested.describe(),
        settings=given | {name: written(value) for name, value in chosen.items()},
        versions=_versions(),
        scores=measured.scores,
        counts=counts,
        cost={"seconds": round(s, 3), "peak_memory_mb": _peak_memory()},
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        notes=measured.notes,
        columns={name: tuple(map(number, column)) for name, column in measured.columns.items()},
        groups={name: tuple(rows) for name, rows in measured.groups.items()},
    )


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "machine": platform.machine()}
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        flags = next(line for line in lines if line.startswith("flags")).split()
        if sets := [flag for flag in INSTRUCTION_SETS if flag in flags]:
            found["instructions"] = " ".join(sets)
    found["hybridsem"] = __version__
    for name in (*ALWAYS, *(name for name in IF_LOADED.split() if name in sys.modules)):
        with suppress(PackageNotFoundError):
            found[name] = version(name.replace("_", "-"))
    return found


def _peak_memory() -> float | None:
    """Return the peak memory of this process in MB; None if the system does not report it."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1e6 if sys.platform == "darwin" else 1e3), 1)
