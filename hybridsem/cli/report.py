"""``hybridsem report``: a scored file as a page."""

from __future__ import annotations

from pathlib import PurePath

import click

from hybridsem.cli._shared import (
    ENCODING,
    json_text,
    make_pipeline,
    model_options,
    names_in,
    refuse_output,
    say,
    write,
)
from hybridsem.errors import InputError

__all__ = ["report"]

EXPLAINED = 20
"""Pairs that are explained unless another number is asked for."""


@click.command(short_help="Make a page of a scored file.")
@click.argument("scored", type=click.Path(allow_dash=True))
@click.option(
    "--output",
    "-o",
    required=True,
    metavar="FILE",
    help="The page, .html; - is standard output. One that exists is replaced.",
)
@ENCODING
@click.option(
    "--columns", metavar="A,B[,GOLD]", help="Columns of the sentences: names, or positions from 1."
)
@click.option(
    "--score",
    metavar="NAME",
    help="Column of the scores, a name or a position, if not the one that `hybridsem score` adds.",
)
@click.option(
    "--rows",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Pairs that are shown at most; the figures are of all.",
)
@click.option(
    "--explain",
    type=click.IntRange(0),
    metavar="N",
    help="Explain the first N pairs shown, by the model; if not given, 20, or none where the file "
    "has the columns of --details.",
)
@model_options
@click.option(
    "--resamples",
    type=click.IntRange(0),
    default=2_000,
    show_default=True,
    help="Of the intervals of the correlations; 0: none.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress and no summary.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as a JSON object.")
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
