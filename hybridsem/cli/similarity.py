"""``hybridsem similarity`` and ``hybridsem explain``: two sentences on the command line."""

from __future__ import annotations

import os
import sys

import click

from hybridsem.cli._options import JSON, model_options, option
from hybridsem.cli._shared import json_text, make_pipeline, say, write


@click.command(short_help="Print how alike two sentences are.")
@click.argument("sentence1")
@click.argument("sentence2")
@model_options
@JSON
def similarity(sentence1: str, sentence2: str, as_json: bool, **parts: str | None) -> None:
    """Print how alike two sentences are: 1 means the same, 0 unrelated."""
    explanation = make_pipeline(parts).explain(sentence1, sentence2, words=False)
    kept = ("model", "sentence1", "sentence2", "score", "notes")
    record = {name: value for name, value in explanation.to_dict().items() if name in kept}
    click.echo(json_text(record) if as_json else f"{explanation.score:.4f}")
    for note in explanation.notes:
        say(f"note: {note}")


@click.command(short_help="Show what a score is made of.")
@click.argument("sentence1")
@click.argument("sentence2")
@model_options
@JSON
@option("--html", "Write a page that stands alone; - is standard output.", metavar="FILE")
def explain(
    sentence1: str, sentence2: str, as_json: bool, html: str | None, **parts: str | None
) -> None:
    """Show what a score is made of: roles, their fillers and what each adds."""
    from hybridsem import render

    if as_json and html == "-":
        raise click.UsageError("--json and --html - both print on standard output")
    explanation = make_pipeline(parts).explain(sentence1, sentence2)
    if html is not None:
        write(html, render.as_page(explanation), "the page")
    if as_json:
        click.echo(json_text(explanation.to_dict()))
    elif html is None:
        in_colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        click.echo(
            render.as_terminal(explanation) if in_colour else render.as_text(explanation),
            color=in_colour,
        )
