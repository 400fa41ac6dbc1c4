"""``hybridsem leaderboard``: result cards as a page that ranks models."""

from __future__ import annotations

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import json_text

__all__ = ["leaderboard"]


@click.command(short_help="Make a page that ranks models.")
@click.argument("cards", nargs=-1, required=True, type=click.Path(), metavar="CARD...")
@opt.declared("leaderboard")
def leaderboard(
    cards: tuple[str, ...], output: str, published: tuple[str, ...], **how: int
) -> None:
    """Rank the models of result CARDs, files or folders of them, on one self-contained page with a
    table for each benchmark; also as Markdown, csv and JSON.

    Ranks are ranges: models that cannot be separated share them. Prints the names of the files.
    """
    from hybridsem.evaluation.report import leaderboard as boards

    loaded, names = boards.read_cards(cards)
    board = boards.leaderboard(
        loaded,
        names=names,
        published=boards.read_published(published),
        progress=not opt.is_quiet(),
        **how,
    )
    paths = list(map(str, boards.write(board, output)))
    click.echo(json_text(paths) if opt.wants_json() else "\n".join(paths))
