"""``hybridsem report``: a scored file as a page."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.errors import InputError
from hybridsem.evaluation.report import scored_page
from hybridsem.evaluation.report.scored import explained, read_scored

EXPLAINED = 20  # number of explained pairs by default


@click.command()
@click.argument("scored", type=opt.INPUT)
@opt.declared("report")
def report(
    scored: str, output: str, columns: str | None, explain: int | None, parts: ui.Parts, **how: Any
) -> None:
    """Make one HTML page of a SCORED file, in any format that `hybridsem score` reads: the
    distribution of the scores, the pairs furthest from their gold scores, with explanations, and
    cut or failed pairs.

    The page sorts and filters, and loads nothing. Name the model that scored the file, which makes
    the explanations; the page marks scores that differ.
    """
    if opt.wants_json() and output == "-":
        raise click.UsageError("--json and -o - both print on standard output")
    if output != "-" and PurePath(output).suffix.lower() not in (".html", ".htm"):
        raise InputError(f"the page's name must end in .html, got {output!r}")
    ui.refuse_output(output, scored)
    page = read_scored(scored, columns=opt.names_in(columns), progress=not opt.is_quiet(), **how)
    if explain is None:
        explain = 0 if any(pair.figures for pair in page.shown) else EXPLAINED
    if explain:
        pipeline = ui.make_pipeline(parts)
        page = explained(page, pipeline, explain, pipeline.spec.name)
    ui.write(output, [scored_page.as_page(page)], "the page")
    if opt.wants_json():
        click.echo(ui.json_text(page.to_dict()))
        return
    pairs = ui.counted(page.rows, "pair")
    ui.echo_summary(f"{pairs}, {page.scored:,} with a score; {len(page.shown):,} shown")
    if page.others:
        why = f"{page.others} of the explanations have another score than the file has"
        ui.echo_err(f"{why}; name its model with --model")
