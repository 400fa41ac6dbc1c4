"""``hybridsem models``: the models and parts that options accept."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from hybridsem import assets
from hybridsem._typing import Plain
from hybridsem.cli import _options as opt
from hybridsem.cli._shared import echo_summary, json_text, show
from hybridsem.registry import ModelSpec, model
from hybridsem.registry import models as registered
from hybridsem.registry.named import written
from hybridsem.registry.plugins import GROUPS, usable


@click.group(invoke_without_command=True)
@click.pass_context
def models(context: click.Context) -> None:
    """List the models and plugins, describe one, or download weights."""
    if context.invoked_subcommand is None:
        context.invoke(list_models)


@models.command("list", short_help="List the models.")
@opt.declared("models list")
def list_models(plugins: bool = False) -> None:
    """List the models: name, dimension, requirements, licence, rows of the papers, description.

    Prints a table on a terminal, and tab-separated lines elsewhere.
    """
    if plugins:
        each = ((kind, usable(kind, lambda own: (own, own.summary()))) for kind in GROUPS)
        known = [
            {"kind": kind, "name": name, "package": plugin.package, "summary": summary}
            for kind, named in each
            for name, (plugin, summary) in named.items()
        ]
        _show(known, [row.values() for row in known])
        return
    specs = [_spec(spec) for spec in registered().values()]
    rows = [(spec["name"], f"{spec['summary']}{_needs(spec['needs'])}") for spec in specs]
    if _show(specs, map(_cells, specs), ("model", "description [requirements]"), rows):
        click.echo("`hybridsem models show NAME` has details; install an extra with")
        click.echo("`pip install 'hybridsem[EXTRA]'`.")


def _show(
    content: Sequence[Mapping[str, object]],
    lines: Iterable[Iterable[str]],
    heads: tuple[str, str] = ("", ""),
    rows: Iterable[tuple[str, str]] = (),
) -> bool:
    """Print content as JSON, lines or, on a terminal, a table; return True for a table."""
    is_table = bool(rows) and sys.stdout.isatty() and not opt.wants_json()
    if opt.wants_json():
        click.echo(json_text(content))
    elif is_table:
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column(Text(heads[0]), no_wrap=True)
        table.add_column(Text(heads[1]))
        for row in rows:
            table.add_row(*map(Text, row))
        Console().print(table)
    else:
        for line in lines:
            click.echo("\t".join(line))
    return is_table


@models.command("show", short_help="Describe a model.")
@click.argument("name")
def show_model(name: str) -> None:
    """Print the description of a model, its requirements, its licence, and the rows of papers that
    it reproduces.
    """
    spec = _spec(model(name))
    texts = {key: ", ".join(v) if isinstance(v, list) else v for key, v in spec.items()}
    lines = (f"{key + ':':<10} {text}" for key, text in texts.items() if text not in (None, ""))
    show(spec, "\n".join(lines))


def _spec(spec: ModelSpec) -> Plain:
    names = "name", "summary", "encoder", "needs", "licence", "dimension", "reference", "rows"
    fields = {name: getattr(spec, name) for name in names}
    return fields | {"encoder": written(spec.name) or spec.encoder, "rows": list(spec.rows)}


def _cells(spec: Plain) -> list[str]:
    first = [spec["name"], str(spec["dimension"] or "-"), spec["needs"], spec["licence"]]
    return [*first, ", ".join(spec["rows"]) or "-", spec["summary"]]


def _needs(needs: str) -> str:
    beside = needs.removeprefix("embedded").removeprefix("; ")
    return f" [{beside}]" if beside else ""


@models.command("download", short_help="Fetch weights or data into the cache.")
@click.argument("name", required=False)
@opt.declared("models download")
def download(name: str | None, **how: Any) -> None:
    """Fetch NAME into the cache and verify it; a file already there is verified again.

    Without NAME, list the files. An interrupted download resumes.
    """
    if name is None:
        known = assets.assets()
        rows = [{**asdict(asset), "here": assets.is_here(name)} for name, asset in known.items()]
        marks = {True: " (here)", False: ""}
        listed = [
            (row["name"], f"{row['summary']}; {row['licence']}{marks[row['here']]}") for row in rows
        ]
        _show(rows, listed, ("name", "what it is; licence"), listed)
        return
    place = assets.download(name, progress=not opt.is_quiet(), **how)
    record = assets.record(name)
    if opt.wants_json():
        click.echo(json_text({"name": name, "path": str(place), **record}))
        return
    click.echo(str(place))
    echo_summary(f"sha256 {record['sha256']}, {record['checked']}")
