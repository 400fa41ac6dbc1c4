"""``hybridsem compare``, ``leaderboard`` and ``plot``: result cards as table, page and picture."""

from __future__ import annotations

from typing import Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.evaluation.card import load_card
from hybridsem.evaluation.report import plots
from hybridsem.evaluation.report.compare import compare as compared
from hybridsem.evaluation.report.compare import names_from_files
from hybridsem.evaluation.report.leaderboard import board as boards
from hybridsem.evaluation.report.leaderboard import files
from hybridsem.evaluation.report.tables import LAYOUTS

Names = tuple[str, ...]
FILE = click.Path(dir_okay=False)
CARDS = click.argument("cards", nargs=-1, required=True, type=FILE, metavar="CARD...")


@click.command()
@CARDS
@opt.declared("compare")
def compare(
    cards: Names, output: str, layout: str, groups: Names, intervals: bool, **how: Any
) -> None:
    """Put the result CARDs of `hybridsem evaluate` into one table: models in rows, groups of
    benchmarks in columns.

    In each column the models are tested against the best one (or another) over the same rows;
    those not separable from it are marked.
    """
    ui.refuse_output(output, *cards)
    loaded = [load_card(path) for path in cards]
    names = names_from_files(loaded, cards)
    table = compared(loaded, names=names, groups=groups or None, progress=not opt.is_quiet(), **how)
    layout = "json" if opt.wants_json() else layout
    ui.write(output, [LAYOUTS[layout](table, intervals)], "the table")
    for warning in table.warnings:
        ui.echo_err(f"warning: {warning}")


@click.command()
@click.argument("cards", nargs=-1, required=True, type=click.Path(), metavar="CARD...")
@opt.declared("leaderboard")
def leaderboard(cards: Names, output: str, published: Names, **how: int) -> None:
    """Rank the models of result CARDs, files or folders of them, on one self-contained page with a
    table for each benchmark; also as Markdown, csv and JSON.

    Ranks are ranges: models that cannot be separated share them. Prints the names of the files.
    """
    loaded, names = files.read_cards(cards)
    rows, progress = boards.read_published(published), not opt.is_quiet()
    board = boards.leaderboard(loaded, names=names, published=rows, progress=progress, **how)
    paths = list(map(str, files.write(board, output)))
    ui.show(paths, "\n".join(paths))


@click.command()
@CARDS
@opt.declared("plot")
def plot(cards: Names, output: str, kind: str, groups: Names) -> None:
    """Draw the result CARDs of `hybridsem evaluate`."""
    loaded = [load_card(path) for path in cards]
    names = names_from_files(loaded, cards)
    plots.save(plots.plot(loaded, kind, names=names, groups=groups or None), output)
