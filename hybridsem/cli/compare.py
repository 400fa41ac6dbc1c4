"""``hybridsem compare``: result cards in one table."""

from __future__ import annotations

from typing import Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._options import option
from hybridsem.cli._shared import refuse_output, write

__all__ = ["compare"]

LAYOUTS = ("text", "markdown", "latex", "html", "csv", "json")


@click.command(short_help="Put result cards into one table.")
@click.argument(
    "cards", nargs=-1, required=True, type=click.Path(dir_okay=False), metavar="CARD..."
)
@opt.output_option("File to write; - is standard output.")
@option("--format layout", "Output format.", LAYOUTS, "text")
@opt.MEASURE
@opt.GROUPS
@option("--intervals", "Show confidence intervals (csv and json always have them).", bool)
@option("--against", "Test against MODEL (default: the best of each column).", metavar="MODEL")
@option("--test", "Significance test.", ("bootstrap", "williams", "none"), "bootstrap")
@option(
    "--correction",
    "Correction of the p-values for the number of tests.",
    ("holm", "benjamini-hochberg", "none"),
    "holm",
)
@opt.resamples_option(10_000, least=1)
@opt.SEED
@opt.LEVEL
@option(
    "--different-data allow_different_data",
    "Show cards of different data, in separate columns.",
    bool,
)
def compare(
    cards: tuple[str, ...],
    output: str,
    layout: str,
    groups: tuple[str, ...],
    intervals: bool,
    **how: Any,
) -> None:
    """Put the result CARDs of `hybridsem evaluate` into one table: models in rows, groups of
    benchmarks in columns.

    In each column the models are tested against the best one (or another) over the same rows;
    those not separable from it are marked.
    """
    from hybridsem.evaluation.card import load_card
    from hybridsem.evaluation.report.compare import compare as compared
    from hybridsem.evaluation.report.compare import names_from_files
    from hybridsem.evaluation.report.tables import LAYOUTS as WRITERS

    refuse_output(output, *cards)
    loaded = [load_card(path) for path in cards]
    names = names_from_files(loaded, cards)
    table = compared(loaded, names=names, groups=groups or None, progress=not opt.is_quiet(), **how)
    write(output, WRITERS["json" if opt.wants_json() else layout](table, intervals), "the table")
