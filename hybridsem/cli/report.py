"""``hybridsem report``: a scored file as a page."""

from __future__ import annotations

from pathlib import PurePath

import click

from hybridsem.cli._options import (
    AT_LEAST_0,
    AT_LEAST_1,
    ENCODING,
    JSON,
    QUIET,
    columns_option,
    model_options,
    names_in,
    option,
    output_option,
    resamples_option,
)
from hybridsem.cli._shared import json_text, make_pipeline, refuse_output, say, write
from hybridsem.errors import InputError

__all__ = ["report"]

EXPLAINED = 20
"""Pairs that are explained unless another number is asked for."""


@click.command(short_help="Make a page of a scored file.")
@click.argument("scored", type=click.Path(allow_dash=True))
@output_option("The page, .html; - is standard output. One that exists is replaced.", None)
@ENCODING
@columns_option("A,B[,GOLD]")
@option(
    "--score",
    "Column of the scores, a name or a position, if not the one that `hybridsem score` adds.",
    metavar="NAME",
)
@option("--rows", "Pairs that are shown at most; the figures are of all.", AT_LEAST_1, 500)
@option(
    "--explain",
    "Explain the first N pairs shown, by the model; if not given, 20, or none where the file has "
    "the columns of --details.",
    AT_LEAST_0,
    metavar="N",
)
@model_options
@resamples_option(2_000)
@QUIET
@JSON
def report(
    scored: str,
    output: str,
    columns: str | None,
    encoding: str,
    score: str | None,
    rows: int,
    explain: int | None,
    resamples: int,
    quiet: bool,
    as_json: bool,
    **parts: str | None,
) -> None:
    """Make one HTML page of a SCORED file, in any format that `hybridsem score` reads: how the
    scores are distributed, the pairs furthest from their gold scores, with explanations, what was
    cut or failed.

    The page sorts and filters, and loads nothing. Explanations are made by the model that is named
    here, which should be the one that has scored the file; the page says where the scores differ.
    """
    from hybridsem.evaluation.report import scored_page
    from hybridsem.evaluation.report.scored import explained, read_scored

    if as_json and output == "-":
        raise click.UsageError("--json and -o - both print on standard output")
    if output != "-" and PurePath(output).suffix.lower() not in (".html", ".htm"):
        raise InputError(f"the page's name must end in .html, got {output!r}")
    refuse_output(output, *([] if scored == "-" else [scored]))
    found = read_scored(
        scored,
        columns=names_in(columns),
        encoding=encoding,
        score=score,
        rows=rows,
        resamples=resamples,
        progress=not quiet,
    )
    if explain is None:
        explain = 0 if any(pair.figures for pair in found.shown) else EXPLAINED
    if explain:
        pipeline = make_pipeline(parts)
        found = explained(found, pipeline, explain, pipeline.spec.name)
    write(output, scored_page.as_page(found), "the page")
    if as_json:
        click.echo(json_text(found.to_dict()))
    elif not quiet:
        say(f"{found.rows:,} pairs, {found.scored:,} with a score; {len(found.shown):,} shown")
        if found.others:
            say(
                f"{found.others} of the explanations have another score than the file; name its "
                "model with --model"
            )
