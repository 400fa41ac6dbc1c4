"""``hybridsem leaderboard``: result cards as a page that ranks models."""

from __future__ import annotations

import click

from hybridsem.cli._options import SEED, option, output_option, resamples_option

__all__ = ["leaderboard"]


@click.command(short_help="Make a page that ranks models from result cards.")
@click.argument("cards", nargs=-1, required=True, type=click.Path(), metavar="CARD...")
@output_option(
    "Folder to write index.html, leaderboard.md, leaderboard.csv and leaderboard.json to.",
    None,
    metavar="DIR",
    type=click.Path(file_okay=False),
)
@option(
    "--published",
    "Published figures that stand beside: TOML files, or a folder of them; may be repeated.",
    click.Path(),
    multiple=True,
    metavar="FILE",
)
@resamples_option(2_000)
@SEED
@option("--level", "1 - this is the p-value that tells two models apart.", float, 0.95)
def leaderboard(
    cards: tuple[str, ...],
    output: str,
    published: tuple[str, ...],
    resamples: int,
    seed: int,
    level: float,
) -> None:
    """Rank the models of result CARDs, files or folders of them, on one page that stands alone:
    a table a benchmark, with the same as Markdown, csv and JSON.

    Ranks are ranges: models that cannot be told apart share them. Prints the files.
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
        progress=True,
    )
    for path in boards.write(board, output):
        click.echo(path)
