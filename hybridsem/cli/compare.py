"""``hybridsem compare``: result cards in one table."""

from __future__ import annotations

from typing import Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import refuse_output, write

__all__ = ["compare"]


@click.command(short_help="Put result cards into one table.")
@click.argument(
    "cards", nargs=-1, required=True, type=click.Path(dir_okay=False), metavar="CARD..."
)
@opt.declared("compare")
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
    from hybridsem.evaluation.report.tables import LAYOUTS

    refuse_output(output, *cards)
    loaded = [load_card(path) for path in cards]
    names = names_from_files(loaded, cards)
    table = compared(loaded, names=names, groups=groups or None, progress=not opt.is_quiet(), **how)
    write(output, LAYOUTS["json" if opt.wants_json() else layout](table, intervals), "the table")
