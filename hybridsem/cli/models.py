"""``hybridsem models``: what --model knows."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli._shared import json_text
from hybridsem.cli.download import download

if TYPE_CHECKING:
    from hybridsem.registry import ModelSpec

__all__ = ["models"]

WIDE, NARROW = 120, ("model", "needs", "what it is")
"""From how many columns on a terminal shows everything, and what a narrower one shows."""


@click.group(invoke_without_command=True)
@click.pass_context
def models(context: click.Context) -> None:
    """The models that --model knows."""
    if context.invoked_subcommand is None:
        context.invoke(list_models)


models.add_command(download)


@models.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def list_models(as_json: bool = False) -> None:
    """List the models: name, dimension, what it needs, licence, the papers' rows that it stands for, what it is.

    A table on a terminal, tab-separated lines elsewhere.
    """
    from hybridsem.registry import models as registered

    specs = [_spec(spec) for spec in registered().values()]
    if as_json:
        click.echo(json_text(specs))
    elif sys.stdout.isatty():
        _print_table(specs)
    else:
        for spec in specs:
            click.echo("\t".join(_cells(spec)))


@models.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def show_model(name: str, as_json: bool) -> None:
    """Say what a model is, what it needs, under which licence, and which rows of which paper it stands for."""
    from hybridsem.registry import model

    spec = _spec(model(name))
    if as_json:
        click.echo(json_text(spec))
        return
    for key, value in spec.items():
        text = ", ".join(value) if isinstance(value, list) else value
        if text not in (None, ""):
            click.echo(f"{key + ':':<10} {text}")


def _spec(spec: ModelSpec) -> dict[str, Any]:
    from hybridsem.registry.presets import written

    return {
        "name": spec.name,
        "summary": spec.summary,
        "encoder": written(spec.name) or spec.encoder,
        "needs": spec.needs,
        "licence": spec.licence,
        "dimension": spec.dimension,
        "reference": spec.reference,
        "rows": list(spec.rows),
    }


def _cells(spec: dict[str, Any]) -> list[str]:
    rows = ", ".join(spec["rows"])
    return [spec["name"], str(spec["dimension"] or "-"), spec["needs"], spec["licence"], rows or "-", spec["summary"]]


def _print_table(specs: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, table = Console(), Table(box=box.SIMPLE_HEAD, pad_edge=False)
    headings = ("model", "dim.", "needs", "licence", "stands for", "what it is")
    shown = [i for i in range(len(headings)) if console.width >= WIDE or headings[i] in NARROW]
    for i in shown:
        table.add_column(headings[i], no_wrap=headings[i] in ("model", "dim."))
    for spec in specs:
        cells = _cells(spec)
        table.add_row(*(Text(cells[i]) for i in shown))
    console.print(table)
