"""``hybridsem plot``: result cards as a picture."""

from __future__ import annotations

import click

__all__ = ["plot"]


@click.command(short_help="Draw result cards.")
@click.argument(
    "cards", nargs=-1, required=True, type=click.Path(dir_okay=False), metavar="CARD..."
)
@click.option("--output", "-o", required=True, help="A png, svg or pdf file.")
@click.option(
    "--kind",
    type=click.Choice(["bars", "heat", "gap", "scatter", "types", "angles", "epsilon", "radar"]),
    default="bars",
    show_default=True,
    help="Figures with intervals by group; models by groups in colour; the adversarial gap; "
    "scores against ratings; "
    "means by kind of pair. Set operations: where targets lie; shares that reach each ε. SAGE: "
    "its parts (radar).",
)
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
def plot(
    cards: tuple[str, ...], output: str, kind: str, measure: str | None, groups: tuple[str, ...]
) -> None:
    """Draw the result CARDs of `hybridsem evaluate`."""
    from hybridsem.evaluation.card import load_card
    from hybridsem.evaluation.report import plots
    from hybridsem.evaluation.report.compare import names_from_files

    loaded = [load_card(path) for path in cards]
    drawn = plots.plot(
        loaded, kind, names=names_from_files(loaded, cards), measure=measure, groups=groups or None
    )
    plots.save(drawn, output)
