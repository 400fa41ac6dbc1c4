"""``hybridsem calibrate``: what a score means on someone's own pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import (
    json_text,
    make_pipeline,
    refuse_existing,
    refuse_output,
    say,
    write,
)
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from hybridsem.calibration import Calibrated, Expected, Figure

HOW = ("of", "method", "precision", "recall", "folds", "seed", "resamples")
"""The options that :func:`hybridsem.calibration.calibrate` takes as they are."""


@click.command(short_help="Find a threshold, and what scores mean, from labelled pairs.")
@click.argument("pairs", type=click.Path())
@opt.output_option("The calibration file to write.", None, type=click.Path(dir_okay=False))
@opt.model_options
@opt.ENCODING
@opt.columns_option("A,B,LABEL")
@opt.option(
    "--positive",
    "A label that counts as positive; may be given again. 1, true, same … if not given.",
    multiple=True,
    metavar="LABEL",
)
@opt.option(
    "--from rating_from",
    "The rating from which a pair is positive, where there are ratings.",
    float,
    metavar="RATING",
)
@opt.option(
    "--of",
    "What decides: the score, or all that `judge` sees (the hybrid).",
    ("score", "judgement"),
    "score",
)
@opt.option("--method", "By the size if not given.", ("platt", "isotonic"))
@opt.option("--precision", "Wanted: at least this share of the positive is right.", float)
@opt.option("--recall", "Wanted: at least this share of what is right is found.", float)
@opt.option(
    "--cost", "Wanted: the least cost; 1,1 where nothing is wanted.", metavar="WRONG,MISSED"
)
@opt.option("--folds", "Held out.", click.IntRange(2), 5)
@opt.SEED
@opt.resamples_option(1_000)
@opt.option("--plot", "Write a reliability plot, as SVG.", metavar="FILE")
@opt.FORCE
@opt.JSON
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
    as_json: bool,
    **given: Any,
) -> None:
    """Learn from labelled or rated pairs, 50 or more, how probable it is that a pair of some score
    is positive, and the threshold for a wanted precision, recall or cost.

    All figures are of pairs that were held out. `score --calibration` then adds a probability and a
    decision.
    """
    refuse_output(output, pairs)
    refuse_existing(output, force, "the calibration exists")
    from hybridsem.calibration import calibrate as fit
    from hybridsem.calibration import labelled
    from hybridsem.tables import open_pairs

    # Labels may be words, which no reader of ratings takes.
    reader = open_pairs(pairs, columns=opt.names_in(columns), keep_bad=True, encoding=encoding)
    data = labelled(reader, positive, rating_from)
    how = {name: given.pop(name) for name in HOW}
    limits = None if cost is None else _cost(cost)
    found = fit(make_pipeline(given), data, cost=limits, **how)
    found.calibration.save(output)
    if plot is not None:
        from html import escape

        from hybridsem.render.reliability import reliability_svg

        bins = [(one.probability, one.positive, one.pairs) for one in found.bins]
        write(plot, reliability_svg(bins, escape(f"Positive: {data.what}")), "the plot")
    if as_json:
        click.echo(json_text(_record(found, output)))
    else:
        click.echo(_table(found))
        say(f"calibration written to {output}")
    for note in found.notes:
        say(f"note: {note}")


def _cost(text: str) -> tuple[float, float]:
    try:
        wrong, missed = map(float, text.split(","))
    except ValueError:
        raise InputError(f"a cost is written WRONG,MISSED, such as 5,1; got {text!r}") from None
    return wrong, missed


def _record(found: Calibrated, output: str) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "calibration": output,
        "threshold": found.calibration.threshold,
        "score_threshold": found.calibration.score_threshold,
        "training": dict(found.calibration.training),
        "auc": asdict(found.auc),
        "calibration_error": asdict(found.error),
        "chosen": asdict(found.chosen),
        "others": [asdict(one) for one in found.others],
        "bins": [asdict(one) for one in found.bins],
        "notes": list(found.notes),
    }


def _table(found: Calibrated) -> str:
    about = found.calibration.training
    limit = found.calibration.score_threshold
    of_score = ""
    if limit is not None:
        of_score = f", that is a score of {limit[0]:.4f} or {'more' if limit[1] else 'less'}"
    lines = [
        f"{about['pairs']} pairs, {about['positive']} positive ({about['what']}); "
        f"{about['method']}, {about['folds']} folds",
        f"AUC {_shown(found.auc)}   calibration error {_shown(found.error)}",
        f"threshold: a probability of {found.calibration.threshold:.3f}{of_score}",
        "",
        "threshold  precision             recall                false positives       taken",
        _row(found.chosen, "chosen"),
        *(_row(one) for one in found.others),
        "",
        "probability  positive  pairs",
        *(f"{one.probability:11.3f}  {one.positive:8.3f}  {one.pairs:5}" for one in found.bins),
    ]
    return "\n".join(lines)


def _row(one: Expected, name: str = "") -> str:
    cells = (one.precision, one.recall, one.false_positives, one.positives)
    shown = "".join(f"{_shown(cell):22}" for cell in cells)
    return f"{one.threshold:9.3f}  {shown}{name}".rstrip()


def _shown(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.3f}"
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
