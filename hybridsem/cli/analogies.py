"""``hybridsem analogies``: sentence analogies made, and explained by roles."""

from __future__ import annotations

from pathlib import Path

import click

from hybridsem.cli._shared import json_text, names_in

__all__ = ["analogies"]

ROLE_MODEL = click.option(
    "--model", "-m", default="verbnet-cn", show_default=True, help="A model with VerbNet-style roles."
)


@click.group(short_help="Make sentence analogies, and explain them by roles.")
def analogies() -> None:
    """Sentence analogies, for `hybridsem evaluate analogies`."""


@analogies.command(short_help="What changes from A to B, and from C to D.")
@click.argument("a")
@click.argument("b")
@click.argument("c")
@click.argument("d", nargs=-1, required=True)
@ROLE_MODEL
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")
def explain(a: str, b: str, c: str, d: tuple[str, ...], model: str, as_json: bool) -> None:
    """Print which roles change from A to B, and whether the same change from C to D: = the same, ! not the same.

    Of several Ds, the one whose change is the most like that from A to B comes first.
    """
    from hybridsem import Pipeline
    from hybridsem.evaluation.analogies.roles import explained

    nlp = Pipeline(model)
    found = sorted((explained((a, b, c, one), nlp) for one in d), key=lambda one: -one.likeness)
    click.echo("\n".join(json_text(one.to_dict()) for one in found) if as_json else "\n\n".join(map(str, found)))


@analogies.command(short_help="How many analogies role edits answer.")
@click.argument("data", type=click.Path(path_type=Path))
@ROLE_MODEL
@click.option("--categories", metavar="C,…", help="These categories alone; if not given, those with distractors.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def roles(data: Path, model: str, categories: str | None, as_json: bool) -> None:
    """Print how many of the analogies of DATA are answered by the candidate whose roles change as from A to B."""
    from dataclasses import asdict, replace

    from hybridsem import Pipeline
    from hybridsem.errors import InputError
    from hybridsem.evaluation import Settings
    from hybridsem.evaluation.analogies.files import read
    from hybridsem.evaluation.analogies.roles import answered
    from hybridsem.evaluation.card import figure

    given = read(data)
    names = names_in(categories) or [category.name for category in given.categories if category.has_distractors]
    if not names:
        raise InputError(
            "no category has distractors; name those to be answered among all their sentences: --categories"
        )
    found = answered(given.chosen(names), Pipeline(model), Settings(progress=True))
    if as_json:
        click.echo(
            json_text({group: {name: asdict(one) for name, one in each.items()} for group, each in found.items()})
        )
        return
    for group, each in found.items():
        told = ", ".join(f"{name} {figure(replace(one, low=None))}" for name, one in each.items())
        click.echo(f"{group}: {told}")
