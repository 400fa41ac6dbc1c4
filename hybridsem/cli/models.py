"""``hybridsem models``: what --model knows."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli._options import JSON, complete_models
from hybridsem.cli._shared import json_text, print_table
from hybridsem.cli.download import download

if TYPE_CHECKING:
    from hybridsem.registry import ModelSpec

WIDE = 140
"""From how many columns on a terminal has a column for everything; a narrower one has a line or two
a model.
"""


@click.group(invoke_without_command=True)
@click.pass_context
def models(context: click.Context) -> None:
    """The models that --model knows."""
    if context.invoked_subcommand is None:
        context.invoke(list_models)


models.add_command(download)


@models.command("list", short_help="List the models.")
@JSON
def list_models(as_json: bool = False) -> None:
    """List the models: name, dimension, what it needs, licence, the papers' rows that it stands
    for, what it is.

    A table on a terminal, tab-separated lines elsewhere.
    """
    from hybridsem.registry import models as registered

    specs = [_spec(spec) for spec in registered().values()]
    if as_json:
        click.echo(json_text(specs))
    elif sys.stdout.isatty():
        _print_models(specs)
    else:
        for spec in specs:
            click.echo("\t".join(_cells(spec)))


@models.command("show", short_help="Say what a model is and what it needs.")
@click.argument("name", shell_complete=complete_models)
@JSON
def show_model(name: str, as_json: bool) -> None:
    """Say what a model is, what it needs, under which licence, and which rows of which paper it
    stands for.
    """
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
    from hybridsem.registry.named import written

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
    return [
        spec["name"],
        str(spec["dimension"] or "-"),
        spec["needs"],
        spec["licence"],
        rows or "-",
        spec["summary"],
    ]


def _print_models(specs: list[dict[str, Any]]) -> None:
    if shutil.get_terminal_size().columns >= WIDE:
        print_table(
            ("model", "dim.", "needs", "licence", "stands for", "what it is"), map(_cells, specs)
        )
    else:
        rows = ((spec["name"], f"{spec['summary']}{_needs(spec['needs'])}") for spec in specs)
        print_table(("model", "what it is [what it needs]"), rows)
    click.echo(
        "`hybridsem models show NAME` says more; an extra is installed by\n`pip install "
        "'hybridsem[EXTRA]'`."
    )


def _needs(needs: str) -> str:
    """The requirements of a model outside the package."""
    beside = needs.removeprefix("embedded").removeprefix("; ")
    return f" [{beside}]" if beside else ""
