"""``hybridsem calibrate``: probabilities and a threshold from labelled pairs; ``hybridsem
fit-encoder``: another encoder's cosines on the scale of `hybrid`.
"""

from __future__ import annotations

from dataclasses import asdict
from html import escape
from typing import Any

import click

from hybridsem import calibration, registry
from hybridsem.calibration import Calibrated, Expected, Figure
from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.datasets.triples import development_sentences
from hybridsem.embeddings.scale import fit_scale
from hybridsem.registry.parts import without_secrets
from hybridsem.render.template_files import fill
from hybridsem.tables import open_pairs

SIZE, LEFT, TOP = 320, 56, 40  # pixels of the square in the template of the plot, and its margins
LARGEST_RADIUS = 14  # the radius of the circle for the bin with most pairs


@click.command()
@click.argument("pairs", type=click.Path())
@opt.declared("calibrate")
def calibrate(
    pairs: str,
    output: str,
    columns: str | None,
    encoding: str,
    positive: tuple[str, ...],
    rating_from: float | None,
    cost: str | None,
    plot: str | None,
    force: bool,
    parts: ui.Parts,
    **how: Any,
) -> None:
    """Learn probabilities and a threshold from 50 or more labelled or rated pairs.

    The threshold gives a wanted precision, recall or cost.

    All figures are of held-out pairs. `score --calibration` then adds a probability and a decision.
    """
    ui.refuse_output(output, pairs, force=force, exists="the calibration exists")

    # Labels may be words, which are bad ratings.
    reader = open_pairs(pairs, columns=opt.names_in(columns), keep_bad=True, encoding=encoding)
    data = calibration.labelled(reader, positive, rating_from)
    limits = opt.numbers_in(cost, "a cost", "WRONG,MISSED", "5,1")
    calibrated = calibration.calibrate(ui.make_pipeline(parts), data, cost=limits, **how)
    calibrated.calibration.save(output)
    if plot is not None:
        ui.write(plot, [_plot(calibrated, f"Positive: {data.what}")], "the plot")
    ui.show(_record(calibrated, output), _table(calibrated))
    if not opt.wants_json():
        ui.echo_summary(f"calibration written to {output}")
    for note in calibrated.notes:
        ui.echo_err(f"note: {note}")


def _plot(calibrated: Calibrated, title: str) -> str:
    """Return the share of positive pairs by their probability, as an SVG document."""
    largest = max(part.pairs for part in calibrated.bins)
    line, circles = [], []
    for part in calibrated.bins:
        x = f"{LEFT + SIZE * part.probability:g}"
        y = f"{round(TOP + SIZE * (1 - part.positive), 1)}"
        radius = f"{max(2.5, LARGEST_RADIUS * (part.pairs / largest) ** 0.5):.1f}"
        line.append(f"{x} {y}")
        circles.append(fill("circle.svg", x=x, y=y, radius=radius, pairs=part.pairs))
    shown = {"title": escape(title), "line": "L".join(line), "circles": "\n".join(circles)}
    return fill("reliability.svg", **shown) + "\n"


def _record(calibrated: Calibrated, output: str) -> dict[str, object]:
    made = calibrated.calibration
    return {
        "calibration": output,
        "threshold": made.threshold,
        "score_threshold": made.score_threshold,
        "assume": made.assume,
        "training": dict(made.training),
        "auc": asdict(calibrated.auc),
        "calibration_error": asdict(calibrated.error),
        "chosen": asdict(calibrated.chosen),
        "others": [asdict(estimate) for estimate in calibrated.others],
        "bins": [asdict(part) for part in calibrated.bins],
        "notes": list(calibrated.notes),
    }


def _table(calibrated: Calibrated) -> str:
    about = calibrated.calibration.training
    limit = calibrated.calibration.score_threshold
    of_score = ""
    if limit is not None:
        of_score = f", that is a score of {limit[0]:.4f} or {'more' if limit[1] else 'less'}"
    lines = [
        f"{about['pairs']} pairs, {about['positive']} positive ({about['what']}); "
        f"{about['method']}, {about['folds']} folds",
        f"AUC {_shown(calibrated.auc)}   calibration error {_shown(calibrated.error)}",
        f"threshold: a probability of {calibrated.calibration.threshold:.3f}{of_score}",
        "",
        "threshold  precision             recall                false positives       taken",
        _row(calibrated.chosen, "chosen"),
        *(_row(estimate) for estimate in calibrated.others),
        "",
        "probability  positive  pairs",
    ]
    bins = calibrated.bins
    lines += [f"{one.probability:11.3f}  {one.positive:8.3f}  {one.pairs:5}" for one in bins]
    return "\n".join(lines)


def _row(estimate: Expected, name: str = "") -> str:
    cells = (estimate.precision, estimate.recall, estimate.false_positives, estimate.positives)
    shown = "".join(f"{_shown(cell):22}" for cell in cells)
    return f"{estimate.threshold:9.3f}  {shown}{name}".rstrip()


def _shown(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.3f}"
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


@click.command()
@click.argument("encoder")
@opt.declared("fit-encoder", ui.Run)
def fit_encoder(encoder: str, sentences: str | None, run: ui.Run) -> None:
    """Map the cosines of ENCODER, a name or KIND:ARGUMENT, to the scale that the weights of
    `hybrid` were learned on. Then use --encoder ENCODER --scale FILE.

    Sentences need no labels. All are paired, and cosines of equal rank correspond.
    """
    ui.refuse_output(run.output, sentences, force=run.force, exists="the scale exists")

    texts = development_sentences() if sentences is None else run.read(sentences).texts
    scale = fit_scale(registry.encoder(encoder), without_secrets(encoder), texts)
    scale.save(run.output)
    ui.echo_summary(f"scale of {ui.counted(len(set(texts)), 'sentence')} written to {run.output}")
