"""``hybridsem models``: what --model knows."""

from __future__ import annotations

from typing import Any

import click

from hybridsem.cli._shared import json_text
from hybridsem.cli.download import download
from hybridsem.errors import UnknownNameError

__all__ = ["models"]


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
    """List the models by name."""
    from hybridsem.registry import models as registered

    specs = [_spec(name, spec) for name, spec in registered().items()]
    if as_json:
        click.echo(json_text(specs))
        return
    width = max((len(spec["name"]) for spec in specs), default=0)
    for spec in specs:
        click.echo(f"{spec['name']:<{width}}  {spec['summary']}")


@models.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def show_model(name: str, as_json: bool) -> None:
    """Say what a model is, what it needs and under which licence."""
    from hybridsem.registry import models as registered

    known = registered()
    if name not in known:
        raise UnknownNameError("model", name, known)
    spec = _spec(name, known[name])
    if as_json:
        click.echo(json_text(spec))
        return
    for key, value in spec.items():
        click.echo(f"{key + ':':<9} {', '.join(value) if isinstance(value, list) else value}")


def _spec(name: str, spec: Any) -> dict[str, Any]:
    needs = spec.needs
    return {
        "name": name,
        "summary": spec.summary,
        "needs": list(needs) if isinstance(needs, (list, tuple, set, frozenset)) else needs,
        "licence": spec.licence,
    }
