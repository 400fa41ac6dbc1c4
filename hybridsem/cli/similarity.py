"""``hybridsem similarity`` and ``hybridsem explain``: two sentences on the command line."""

from __future__ import annotations

import os
import sys

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import echo_err, json_text, make_pipeline, write


@click.command(short_help="Print how alike two sentences are.")
@click.argument("sentence1")
@click.argument("sentence2")
@opt.declared("similarity")
def similarity(sentence1: str, sentence2: str, **parts: str | None) -> None:
    """Print how alike two sentences are: 1 means the same, 0 unrelated."""
    explanation = make_pipeline(parts).explain(sentence1, sentence2, words=False)
    kept = ("model", "sentence1", "sentence2", "score", "notes")
    record = {name: value for name, value in explanation.to_dict().items() if name in kept}
    click.echo(json_text(record) if opt.wants_json() else f"{explanation.score:.4f}")
    for note in explanation.notes:
        echo_err(f"note: {note}")


@click.command(short_help="Show the parts of a score.")
@click.argument("sentence1")
@click.argument("sentence2")
@opt.declared("explain")
def explain(
    sentence1: str, sentence2: str, html: str | None, svg: str | None, **parts: str | None
) -> None:
    """Show the parts of a score: the differences between two sentences and what each subtracts."""
    from hybridsem import render

    printed = [name for name, file in (("--html", html), ("--svg", svg)) if file == "-"]
    printed += ["--json"] if opt.wants_json() else []
    if len(printed) > 1:
        raise click.UsageError(f"{' and '.join(printed)} all print on standard output")
    explanation = make_pipeline(parts).explain(sentence1, sentence2)
    if html is not None:
        write(html, render.as_page(explanation), "the page")
    if svg is not None:
        write(svg, render.as_svg(explanation), "the picture")
    if opt.wants_json():
        click.echo(json_text(explanation.to_dict()))
    elif html is None and svg is None:
        in_colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        show = render.as_terminal if in_colour else render.as_text
        click.echo(show(explanation), color=in_colour)
