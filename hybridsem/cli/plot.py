"""``hybridsem plot``: draw result cards."""

from __future__ import annotations

from functools import cache

import click

from hybridsem.cli import _options as opt

__all__ = ["plot"]


class _Command(click.Command):
    """A command whose ``--kind`` lists the pictures of the benchmarks, loaded on use."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *own, help_option = super().get_params(ctx)
        return [*own, _kind_option(), help_option]


@cache
def _kind_option() -> click.Option:
    from hybridsem.evaluation.report import plots

    kinds = plots.kinds()
    return click.Option(
        ["--kind"],
        type=click.Choice(list(kinds)),
        default="bars",
        show_default=True,
        help="; ".join(f"{name}: {picture.help}" for name, picture in kinds.items()) + ".",
    )


@click.command(cls=_Command, short_help="Draw result cards.")
@click.argument(
    "cards", nargs=-1, required=True, type=click.Path(dir_okay=False), metavar="CARD..."
)
@opt.declared("plot")
def plot(cards: tuple[str, ...], output: str, kind: str, groups: tuple[str, ...]) -> None:
    """Draw the result CARDs of `hybridsem evaluate`."""
    from hybridsem.evaluation.card import load_card
    from hybridsem.evaluation.report import plots
    from hybridsem.evaluation.report.compare import names_from_files

    loaded = [load_card(path) for path in cards]
    names = names_from_files(loaded, cards)
    plots.save(plots.plot(loaded, kind, names=names, groups=groups or None), output)
