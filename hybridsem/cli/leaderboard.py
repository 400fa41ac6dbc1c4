"""``hybridsem leaderboard``: result cards as a page that ranks models."""

from __future__ import annotations

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import json_text

__all__ = ["leaderboard"]


@click.command(short_help="Make a page that ranks models.")
@click.argument("cards", nargs=-1, required=True, type=click.Path(), metavar="CARD...")
@opt.output_option(
    "Folder for index.html, leaderboard.md, leaderboard.csv and leaderboard.json.",
    None,
    metavar="DIR",
    type=click.Path(file_okay=False),
)
@opt.option(
    "--published",
    "Published figures to show: TOML files, or a folder of them; repeatable.",
    click.Path(),
    multiple=True,
    metavar="FILE",
)
@opt.resamples_option(2_000)
@opt.SEED
@opt.LEVEL
def leaderboard(
    cards: tuple[str, ...],
    output: str,
    published: tuple[str, ...],
    resamples: int,
    seed: int,
    level: float,
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
        resamples=resamples,
        seed=seed,
        level=level,
        progress=not opt.is_quiet(),
    )
    paths = list(map(str, boards.write(board, output)))
    click.echo(json_text(paths) if opt.wants_json() else "\n".join(paths))
