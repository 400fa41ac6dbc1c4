"""``hybridsem calibrate``: what a score means on someone's own pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli._shared import (
    ENCODING,
    json_text,
    make_pipeline,
    model_options,
    names_in,
    refuse_output,
    say,
    write,
)
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from hybridsem.training.calibration import Calibrated, Expected, Figure

__all__ = ["calibrate"]


@click.command(short_help="Find a threshold, and what scores mean, from labelled pairs.")
@click.argument("pairs", type=click.Path())
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(dir_okay=False),
    help="The calibration file to write.",
)
@model_options
@ENCODING
@click.option(
    "--columns", metavar="A,B,LABEL", help="Columns of the file: names, or positions from 1."
)
@click.option(
    "--positive",
    multiple=True,
    metavar="LABEL",
    help="A label that counts as positive; may be given again. 1, true, same … if not given.",
)
@click.option(
    "--from",
    "rating_from",
    type=float,
    metavar="RATING",
    help="The rating from which a pair is positive, where there are ratings.",
)
@click.option(
    "--of",
    type=click.Choice(["score", "judgement"]),
    default="score",
    show_default=True,
    help="What decides: the score, or all that `judge` sees (the hybrid).",
)
@click.option(
    "--method", type=click.Choice(["platt", "isotonic"]), help="By the size if not given."
)
@click.option(
    "--precision", type=float, help="Wanted: at least this share of the positive is right."
)
@click.option("--recall", type=float, help="Wanted: at least this share of what is right is found.")
@click.option(
    "--cost",
    metavar="WRONG,MISSED",
    help="Wanted: the least cost; 1,1 where nothing is wanted.",
)
@click.option("--folds", type=click.IntRange(2), default=5, show_default=True, help="Held out.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of all that is drawn."
)
@click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="0: no intervals.",
)
@click.option("--plot", metavar="FILE", help="Write a reliability plot, as SVG.")
@click.option("--force", is_flag=True, help="Replace a calibration that exists.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def calibrate(
    pairs: str,
    output: str,
    columns: str | None,
    encoding: str,
    positive: tuple[str, ...],
    rating_from: float | None,
    of: str,
    method: str | None,
    precision: float | None,
    recall: float | None,
    cost: str | None,
    folds: int,
    seed: int,
    resamples: int,
    plot: str | None,
    force: bool,
    as_json: bool,
    **parts: str | None,
) -> None:
    """Learn from labelled or rated pairs, 50 or more, how probable it is that a pair of some score
    is positive, and the threshold for a wanted precision, recall or cost.

    All figures are of pairs that were held out. `score --calibration` then adds a probability and a
    decision.
    """
    refuse_output(output, pairs)
    if Path(output).exists() and not force:
        raise InputError(f"the calibration exists, got {output!r}; --force replaces it")
    from hybridsem.tables import open_pairs
    from hybridsem.training.calibration import calibrate as fit
    from hybridsem.training.calibration import labelled

    # Labels may be words, which no reader of ratings takes.
    given = open_pairs(pairs, columns=names_in(columns), keep_bad=True, encoding=encoding)
    data = labelled(given, positive, rating_from)
    found = fit(
        make_pipeline(parts),
        data,
        of=of,
        method=method,
        precision=precision,
        recall=recall,
        cost=None if cost is None else _cost(cost),
        folds=folds,
        seed=seed,
        resamples=resamples,
    )
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
