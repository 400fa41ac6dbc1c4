"""``hybridsem score``: a file of pairs."""

from __future__ import annotations

import click

from hybridsem.cli._shared import json_text, make_pipeline, model_options

__all__ = ["score"]


@click.command(short_help="Score a file of pairs.")
@click.argument("pairs", type=click.Path(allow_dash=True))
@click.option("--output", "-o", default="-", show_default=True, help="csv, tsv or jsonl file; - is standard output.")
@model_options
@click.option("--columns", metavar="A,B[,GOLD]", help="Columns of the sentences: names, or positions from 1.")
@click.option("--on-error", type=click.Choice(["fail", "skip"]), default="fail", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the counts as a JSON object (with -o FILE).")
def score(pairs: str, output: str, columns: str | None, on_error: str, as_json: bool, **parts: str | None) -> None:
    """Score the pairs of a file: csv, tsv or jsonl with named columns, or s1;s2[;gold] lines."""
    from hybridsem.batch import score_file

    if as_json and output == "-":
        raise click.UsageError("--json prints the counts on standard output, so the scores need -o FILE")
    names = None if columns is None else [name.strip() for name in columns.split(",")]
    report = score_file(make_pipeline(parts), pairs, output, columns=names, on_error=on_error, progress=True)
    if as_json:
        click.echo(json_text(report.to_dict()))
    for failure in report.first_failures:
        click.echo(failure, err=True)
    summary = f"{report.scored} of {report.rows} pairs scored"
    if report.failed > len(report.first_failures):
        summary += f", {report.failed} without a score"
    if report.truncated:
        summary += f"; {report.truncated} truncated: longer than the encoder reads"
    if report.spearman is not None:
        summary += f"; Spearman with the {report.with_gold} gold scores {report.spearman:.4f}"
    click.echo(summary, err=True)
