"""``hybridsem compare``: result cards in one table."""

from __future__ import annotations

import click

from hybridsem.cli._shared import refuse_output, write

__all__ = ["compare"]

LAYOUTS = ("text", "markdown", "latex", "html", "csv", "json")


@click.command(short_help="Put result cards into one table.")
@click.argument(
    "cards", nargs=-1, required=True, type=click.Path(dir_okay=False), metavar="CARD..."
)
@click.option(
    "--output", "-o", default="-", show_default=True, help="File to write; - is standard output."
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(LAYOUTS),
    default="text",
    show_default=True,
    help="How it is written.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--measure",
    help="Which statistic, such as pearson; if not given, the one that the papers report.",
)
@click.option(
    "--group",
    "-g",
    "groups",
    multiple=True,
    help="Which group, such as adversarial; may be repeated.",
)
@click.option(
    "--intervals", is_flag=True, help="Show confidence intervals (csv and json always have them)."
)
@click.option(
    "--against",
    metavar="MODEL",
    help="Test all against this model, not against the best of each column.",
)
@click.option(
    "--test",
    type=click.Choice(["bootstrap", "williams", "none"]),
    default="bootstrap",
    show_default=True,
    help="How two models are tested.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "benjamini-hochberg", "none"]),
    default="holm",
    show_default=True,
    help="Of the p-values, for the number of tests.",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Of the bootstrap.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the bootstrap."
)
@click.option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    help="1 - this is the p-value that separates.",
)
@click.option(
    "--different-data",
    is_flag=True,
    help="Show cards made from different data, in columns of their own.",
)
def compare(
    cards: tuple[str, ...],
    output: str,
    layout: str,
    as_json: bool,
    measure: str | None,
    groups: tuple[str, ...],
    intervals: bool,
    against: str | None,
    test: str,
    correction: str,
    resamples: int,
    seed: int,
    level: float,
    different_data: bool,
) -> None:
    """Put the result CARDs of `hybridsem evaluate` into one table: a row a model, a column a group
    of a benchmark.

    In each column the models are tested against the best one (or another) over the same rows, and
    what is not separable from it is marked.
    """
    from hybridsem.evaluation.card import load_card
    from hybridsem.evaluation.report.compare import compare as compared
    from hybridsem.evaluation.report.compare import names_from_files
    from hybridsem.evaluation.report.tables import LAYOUTS as WRITERS

    refuse_output(output, *cards)
    loaded = [load_card(path) for path in cards]
    table = compared(
        loaded,
        names=names_from_files(loaded, cards),
        measure=measure,
        groups=groups or None,
        against=against,
        test=test,
        correction=correction,
        resamples=resamples,
        seed=seed,
        level=level,
        allow_different_data=different_data,
        progress=True,
    )
    write(output, WRITERS["json" if as_json else layout](table, intervals), "the table")
