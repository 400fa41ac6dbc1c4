"""All of SAGE: the five parts on their data, and the unweighted mean of their scores.

The data are a folder with a sub-folder for each part, or a plan, a TOML file:

    [clustering]
    data = ["20news-subjects.tsv", "arxiv.jsonl"]   # files and folders, relative to the plan
    sample = 1000                                   # an option of the part
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hybridsem._typing import Plain, Record
from hybridsem._utils.lines import read_toml
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError, UnknownNameError
from hybridsem.evaluation.card import estimates_of, plain_scores, written
from hybridsem.evaluation.model import EvaluatedModel, total
from hybridsem.evaluation.report.plots import COLOURS, NamedCards
from hybridsem.evaluation.sage.changes import ROBUSTNESS, SENSITIVITY
from hybridsem.evaluation.sage.clustering import TASK as CLUSTERING
from hybridsem.evaluation.sage.document_models import prepared
from hybridsem.evaluation.sage.parts import ALL, SCORE, Checkpoint, Sets, mean_of, sage_task
from hybridsem.evaluation.sage.preference import TASK as PREFERENCE
from hybridsem.evaluation.sage.retrieval import TASK as RETRIEVAL
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.task import Measured, Picture, Task, check_options

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _radar(cards: NamedCards, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Draw the scores of the parts for cards of ``sage``; a missing part leaves a gap."""
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(6.4, 4.4), layout="constrained")
    panel: Any = drawn.add_subplot(projection="polar")
    angles = 2 * np.pi * np.arange(len(PARTS)) / len(PARTS)
    for place, (name, card) in enumerate(cards):
        own = [card.scores[part][SCORE].value if part in card.scores else None for part in PARTS]
        values = np.array(own, float)
        if np.isnan(values).all():
            why = f"the card of {name!r} has no part of SAGE; `hybridsem evaluate sage` makes one"
            raise InputError(why)
        colour, dashes = COLOURS[place % len(COLOURS)], "-" if place < len(COLOURS) else "--"
        ring = [np.append(row, row[0]) for row in (angles, values)]
        panel.plot(*ring, dashes, color=colour, label=name, linewidth=1.4)
        panel.plot(angles, values, "o", color=colour, markersize=3)
    panel.set(theta_offset=np.pi / 2, theta_direction=-1)
    panel.set_xticks(angles, list(PARTS))
    panel.tick_params(axis="x", pad=14)
    panel.set(ylim=(0, 1), yticks=[0.2, 0.4, 0.6, 0.8, 1.0], rlabel_position=180 / len(PARTS))
    panel.tick_params(axis="y", labelsize=7, labelcolor="#888888")
    panel.spines["polar"].set_color("#888888")
    panel.grid(True)
    drawn.legend(loc="outside right upper", frameon=False)
    return drawn


# The counts that are summed over the parts; others carry the part's name.
SUMMED = ("rows", "scored", "failed", "truncated")


class Part(NamedTuple):
    """A part with its data and settings."""

    data: Sets[Any]
    settings: Settings


@dataclass(frozen=True)
class Plan:
    """The parts that have data, loaded."""

    source: str
    parts: Mapping[str, Part]
    split: str | None = None

    @property
    def rows(self) -> int:
        """The number of items of all parts."""
        return sum(part.data.rows for part in self.parts.values())

    @property
    def sha256(self) -> str:
        """The sha256 of all parts' data."""
        lines = (f"{name} {part.data.sha256}\n" for name, part in self.parts.items())
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def load(path: Path, settings: Settings) -> Plan:
    """Read the data of each part of a folder or a plan."""
    found = {}
    for name, (paths, options) in read_plan(path).items():
        known = {option.name for option in PARTS[name].options}
        given = {one: value for one, value in settings.options.items() if one in known}
        own = replace(settings, options={**options, **given})
        found[name] = Part(_joined([PARTS[name].load(one, own) for one in paths]), own)
    return Plan(path.name, found)


def measure(plan: Plan, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure the parts, each with its own settings, and their mean."""
    found: dict[str, Measured] = {}
    own_settings: dict[str, Plain] = {}
    for name, part in plan.parts.items():
        prepare = PARTS[name].prepare
        asked = tested if prepare is None else prepare(tested, part.settings)
        found[name] = _measured(PARTS[name], part, asked)
        how = asked.describe().get("documents")
        own_settings[name] = _options(part.settings) | ({"documents": how} if how else {})
    return overall_of(found, own_settings)


def _options(settings: Settings) -> Plain:
    return {name: written(value) for name, value in settings.options.items()}


def _measured(task: Task, part: Part, tested: EvaluatedModel) -> Measured:
    """Measure a part, or take its results from the work folder if they are finished."""
    data, settings = part.data, part.settings
    about = {"task": task.name, "settings": [settings.drawing, _options(settings)]}
    work = Checkpoint(data.sha256, tested, settings, **about)
    if kept := work.get("part"):
        rest = {"notes": tuple(kept["notes"]), "settings": kept["settings"]}
        return Measured(estimates_of(kept["scores"]), kept["counts"], **rest)
    measured = task.measure(data, tested, settings)
    plain: Plain = {name: dict(getattr(measured, name)) for name in ("counts", "settings")}
    plain |= {"scores": plain_scores(measured.scores), "notes": list(measured.notes)}
    work.keep("part", plain)
    return measured


def overall_of(found: Mapping[str, Measured], options: Mapping[str, Record]) -> Measured:
    """Return the results of all parts and their data sets, and the mean score."""
    scores: dict[str, dict[str, Estimate]] = {ALL: {}}
    counts: dict[str, int | None] = dict.fromkeys(SUMMED, 0)
    for name, one in found.items():
        for group, each in one.scores.items():
            scores[name if group == ALL else f"{name}: {group}"] = dict(each)
        counts |= {what: total((counts[what], one.counts.get(what))) for what in SUMMED}
        others = {what: count for what, count in one.counts.items() if what not in SUMMED}
        counts |= {f"{name}: {what}": count for what, count in others.items() if count}
    own = {name: scores[name][SCORE] for name in PARTS if name in found}
    missing = [name for name in PARTS if name not in found]
    mean = mean_of(own)
    if missing:
        scores[ALL][f"score of {len(own)} parts"] = mean
        note = f"no data for {', '.join(missing)}"
        mean = Estimate(None, None, None, len(own), len(missing), note)
    scores[ALL] = {SCORE: mean, **scores[ALL]}
    notes = tuple(f"{name}: {note}" for name, one in found.items() for note in one.notes)
    settings = {name: {**options.get(name, {}), **one.settings} for name, one in found.items()}
    return Measured(scores, counts, notes=notes, settings=settings)


def read_plan(path: Path) -> dict[str, tuple[list[Path], Plain]]:
    """Return the data and the options of each part of a folder or a plan."""
    found: dict[str, tuple[list[Path], Plain]] = {}
    named = ", ".join(PARTS)
    if path.is_dir():
        if found := {name: ([path / name], {}) for name in PARTS if (path / name).is_dir()}:
            return found
        raise InputError(f"the folder has none of the sub-folders {named}; got {str(path)!r}")
    for name, given in read_toml(path).items():
        if name not in PARTS:
            raise UnknownNameError("part of SAGE", name, PARTS)
        if not isinstance(given, dict) or not (data := given.pop("data", None)):
            raise FormatError(f"[{name}] needs data = a path, or a list of them", path)
        paths = [data] if isinstance(data, str) else data
        if not (isinstance(paths, list) and all(isinstance(one, str) for one in paths)):
            raise FormatError(f"[{name}] data is a path, or a list of them, got {data!r:.80}", path)
        checked = check_options(name, PARTS[name].options, given)
        if "filler" in checked:
            checked["filler"] = path.parent / checked["filler"]
        found[name] = [path.parent / one for one in paths], checked
    if not found:
        raise InputError(f"the plan names no part, got {str(path)!r}; it may have {named}")
    return {name: found[name] for name in PARTS if name in found}


def _joined(loaded: list[Sets[Any]]) -> Sets[Any]:
    """Return the data sets of several files and folders as one."""
    sets: Plain = {}
    for name, each in (item for one in loaded for item in one.sets.items()):
        if sets.setdefault(name, each) is not each:
            why = f"two data sets of one name in the plan, got {name!r} twice; rename a file"
            raise InputError(why)
    return Sets(", ".join(one.source for one in loaded), sets)


def _checked(tested: EvaluatedModel, settings: Settings) -> EvaluatedModel:
    """Return the model unchanged, since each part prepares it; raise for an unsupported option."""
    prepared(tested, settings)
    return tested


# The parts by their names in the overall score.
PARTS: dict[str, Task] = {
    "preference": PREFERENCE,
    "robustness": ROBUSTNESS,
    "sensitivity": SENSITIVITY,
    "clustering": CLUSTERING,
    "retrieval": RETRIEVAL,
}
_RADAR = {"radar": Picture("SAGE: the scores of its parts", _radar)}
_OVERALL = sage_task("sage", load, measure, pictures=_RADAR, prepare=_checked, resumes=True)
TASKS: tuple[Task, ...] = (_OVERALL, *PARTS.values())
