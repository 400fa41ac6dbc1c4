"""``hybridsem train``: weights learned from rated pairs."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from hybridsem import training
from hybridsem._typing import IntArray, Plain
from hybridsem._utils.terminal import visible
from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.sts_files import ADVERSARIAL, NON_ADVERSARIAL, sts3k
from hybridsem.errors import HybridSemError, InputError
from hybridsem.evaluation.card import figure
from hybridsem.evaluation.statistics.model_tests import paired_bootstrap
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate, correlations
from hybridsem.tables import read_pairs
from hybridsem.training.dataset import TrainingPairs
from hybridsem.training.run import LIMIT, Trained

BAR = 24
SHOWN_AS = {"score": "the model's own score"}


@click.command()
@click.argument("pairs", type=click.Path())
@opt.declared("train")
def train(
    pairs: str,
    output: str,
    regressor: str,
    split: str,
    seed: int,
    limits: str | None,
    resamples: int,
    yes: bool,
    allow_forgetting: bool,
    force: bool,
    parts: ui.Parts,
    **how: Any,
) -> None:
    """Learn from rated pairs how much each role counts, and write the weights that `--weights`
    reads.

    PAIRS is a file of any format that `score` reads, with ratings, or the folder of the STS3k
    release. The figures are of regressors on pairs that they have not seen (--split); the file
    holds the regressor fitted to all pairs. Nothing is written if it gains nothing (without --yes),
    or if it forgets too much about minimal pairs.
    """
    ui.refuse_output(output, pairs, force=force, exists="the weights exist")

    data, groups = _read(pairs, how.pop("columns"), limits, how.pop("encoding"))
    has_sides = split == "adversarial" and {ADVERSARIAL, NON_ADVERSARIAL} <= groups.keys()
    sides = (groups[NON_ADVERSARIAL].tolist(), groups[ADVERSARIAL].tolist()) if has_sides else None
    pipeline, drawing = ui.make_pipeline(parts), Plain(resamples=resamples, seed=seed)
    how = {"split_by": split, "seed": seed, "sides": sides, **how}
    trained = training.train(pipeline, data, regressor, **how)
    gain = paired_bootstrap(trained.predicted, trained.own, trained.ratings, **drawing)
    of_groups: dict[str, IntArray | None] = {"all": None, **groups}
    figures = {name: _figures(trained, rows, **drawing) for name, rows in of_groups.items()}
    if not opt.wants_json():
        click.echo(_table(trained, figures, gain))
    forgets = trained.probe is not None and trained.probe.forgets and not allow_forgetting
    is_gain = gain.low is None or gain.low > 0
    writes = not forgets and (is_gain or yes or force)
    if writes:
        about = {**trained.weights.training, "gain": asdict(gain)}
        replace(trained.weights, training=about).save(output)
    if opt.wants_json():
        click.echo(ui.json_text(_record(trained, figures, gain, output if writes else None)))
    elif writes:
        ui.echo_summary(f"weights written to {output}")
    for note in trained.notes:
        ui.echo_err(f"note: {note}")
    if forgets:
        why = f"nothing is written, as too much was forgotten: {trained.probe}; the limit is"
        how_else = "Train with pairs that have such differences, or with --allow-forgetting"
        raise HybridSemError(f"{why} {LIMIT:g}. {how_else}")
    if not writes:
        raise HybridSemError(f"nothing is written ({_gained(gain)}); --yes writes the weights")


def _read(
    path: str, columns: str | None, limits: str | None, encoding: str
) -> tuple[TrainingPairs, dict[str, IntArray]]:
    span = opt.numbers_in(limits, "a range", "LOW,HIGH", "0,5")
    if not Path(path).is_dir():
        given = read_pairs(path, columns=opt.names_in(columns), encoding=encoding)
        return training.rated(given, span), {}
    if columns is not None:
        raise InputError(f"columns are for a file, got {columns!r} for the folder {path!r}")
    release = sts3k(Path(path), Settings())
    data, groups = training.rated(release.pairs, span), release.groups.items()
    return data, {name: np.flatnonzero(np.isin(data.rows, rows)) for name, rows in groups}


def _figures(
    trained: Trained, rows: IntArray | None, resamples: int, seed: int
) -> dict[str, Estimate]:
    chosen = np.arange(len(trained.ratings)) if rows is None else rows
    tested = chosen[~np.isnan(trained.predicted[chosen])]
    estimates = {}
    for name, scores in (("learned", trained.predicted), ("own", trained.own)):
        asked = correlations(scores[tested], trained.ratings[tested], ["spearman"], resamples, seed)
        estimates[name] = asked["spearman"]
    return estimates


def _gained(gain: Difference) -> str:
    """Return the gain in words; one that may be chance is no gain."""
    if gain.value is None:
        return "no own score to compare with"
    if gain.low is None or gain.high is None:
        return f"difference {gain.value:+.3f}, without an interval"
    interval = f"{gain.value:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"
    if gain.low > 0:
        return f"gain {interval}"
    return f"{'loss' if gain.high < 0 else 'no gain'}: {interval}"


def _record(
    trained: Trained, figures: dict[str, dict[str, Estimate]], gain: Difference, output: str | None
) -> dict[str, object]:
    return {
        "weights": output,
        "regressor": dict(trained.weights.regressor),
        "training": dict(trained.weights.training),
        "spearman": {
            group: {name: asdict(estimate) for name, estimate in estimates.items()}
            for group, estimates in figures.items()
        },
        "role_weights": {role: list(weight) for role, weight in trained.role_weights.items()},
        "gain": asdict(gain),
        "probe": None if trained.probe is None else trained.probe.to_dict(),
        "importance": dict(trained.importance),
        "notes": list(trained.notes),
    }


def _table(trained: Trained, figures: dict[str, dict[str, Estimate]], gain: Difference) -> str:
    about = trained.weights.training
    split = f"{about['split']}, seed {about['seed']}"
    lines = [f"Spearman with the ratings of held-out pairs ({split})"]
    for group, estimates in figures.items():
        learned, own = estimates["learned"], estimates["own"]
        if learned.n:
            beside = f"   own score {figure(own)}" if own.value is not None else ""
            pairs = ui.counted(learned.n, "pair")
            lines.append(f"  {group:18}{figure(learned)}   {pairs}{beside}")
    lines.append(f"  {_gained(gain)}")
    if trained.probe is not None:
        lines.append(str(trained.probe))
    weights = trained.role_weights
    shown = {role: value for role, (value, _) in weights.items()} or dict(trained.importance)
    errors = {role: error for role, (_, error) in weights.items()}
    head = "weight, with its standard error"
    lines.append(head if weights else "effect on the score, mean of the pairs")
    most, names = max(shown.values(), default=0.0), [SHOWN_AS.get(role, role) for role in shown]
    width = max(map(len, map(visible, names)), default=0)
    for name, (role, value) in zip(map(visible, names), shown.items(), strict=True):
        bar = "█" * round(BAR * value / most) if most > 0 else ""
        spread = f" ± {errors[role]:.3f}" if role in errors else ""
        lines.append(f"  {name:{width}}  {value:.3f}{spread}  {bar}".rstrip())
    return "\n".join(lines)
