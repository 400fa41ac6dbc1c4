"""``hybridsem score``: a file of pairs."""

from __future__ import annotations

from typing import Any

import click

from hybridsem.cli._shared import (
    ENCODING,
    check_address,
    engine_options,
    json_text,
    make_pipeline,
    model_options,
    names_in,
    say,
)

__all__ = ["score"]


@click.command(short_help="Score a file of pairs.")
@click.argument("pairs", type=click.Path(allow_dash=True))
@click.option(
    "--output", "-o", default="-", show_default=True, help="File to write; - is standard output."
)
@model_options
@click.option(
    "--calibration",
    metavar="FILE",
    help="Add a probability and a decision: a file of `hybridsem calibrate` for this model.",
)
@ENCODING
@click.option(
    "--columns", metavar="A,B[,GOLD]", help="Columns of the sentences: names, or positions from 1."
)
@click.option(
    "--details", is_flag=True, help="Add the similarity of every role and the model's own figures."
)
@click.option(
    "--on-error",
    type=click.Choice(["fail", "skip"]),
    default="fail",
    show_default=True,
    help="A row that cannot be scored ends the run, or is kept without a score.",
)
@click.option(
    "--cache", metavar="DIR", help="Keep what is read and scored here, for other runs too."
)
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Share the work between N processes."
)
@engine_options()
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with a run that was cut off; with one that is complete nothing is done.",
)
@click.option("--force", is_flag=True, help="Replace an output that exists.")
@click.option(
    "--safe-csv",
    is_flag=True,
    help="No cell of a csv or tsv output is a formula: an apostrophe goes before it.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress and no summary.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the counts as a JSON object (with -o FILE)."
)
def score(
    pairs: str,
    output: str,
    columns: str | None,
    encoding: str,
    details: bool,
    on_error: str,
    cache: str | None,
    workers: int | None,
    engine: str,
    address: str | None,
    resume: bool,
    force: bool,
    safe_csv: bool,
    quiet: bool,
    as_json: bool,
    **parts: str | None,
) -> None:
    """Score the pairs of a file: csv, tsv, jsonl (also .gz, .zst), s1;s2[;gold] lines, Parquet,
    Arrow, Feather, xlsx.

    The name of the output says its format. Until it is complete, OUTPUT.hybridsem holds what is
    finished; --resume goes on from there.
    """
    from hybridsem.batch import score_file

    if as_json and output == "-":
        raise click.UsageError(
            "--json prints the counts on standard output, so the scores need -o FILE"
        )
    check_address(engine, address)
    if engine == "ray" and workers is not None:
        raise click.UsageError("--workers is for --engine local; Ray uses the CPUs of its cluster")
    pipeline = make_pipeline(parts)
    try:
        report = score_file(
            pipeline,
            pairs,
            output,
            columns=names_in(columns),
            encoding=encoding,
            on_error=on_error,
            details=details,
            cache=cache,
            workers=workers,
            engine=_ray_engine(pipeline, address, details) if engine == "ray" else None,
            resume=resume,
            force=force,
            progress=not quiet,
            safe_csv=safe_csv,
        )
    except KeyboardInterrupt:
        if output != "-":
            from hybridsem._utils.disk import real
            from hybridsem.batch.journal import Journal

            kept = Journal(real(output)).folder.exists()
            say(
                "hybridsem: what was finished is kept; the same command with --resume goes on"
                if kept
                else "hybridsem: nothing was finished yet, and nothing is kept"
            )
        raise
    if as_json:
        click.echo(json_text(report.to_dict()))
    if not quiet:
        for line in summary(report):
            say(line)


def _ray_engine(pipeline: Any, address: str | None, details: bool) -> Any:
    from hybridsem.batch.ray_engine import RayEngine
    from hybridsem.batch.run import maker_of

    return RayEngine(maker_of(pipeline), address, details=details)


def summary(report: Any) -> list[str]:
    """What became of a file, in a few lines."""
    lines = [*report.notes, *report.first_failures]
    if (more := report.failed - len(report.first_failures)) > 0:
        lines.append(f"… and {more} more without a score")
    if len(report.failures) > 1:
        lines += [f"{count} × {why}" for why, count in report.failures.items()]
    text = f"{report.scored} of {report.rows} pairs scored"
    if report.distinct_sentences is not None:
        text += f", {report.distinct_sentences} distinct sentences"
    for count, what in (
        (report.resumed_rows, "done by an earlier run"),
        (report.cache_hits, "known already"),
        (report.truncated, "truncated: longer than the encoder reads"),
        (report.foreign, "not English: the model reads English alone"),
    ):
        text += f"; {count} {what}" if count else ""
    text += f"; {report.pairs_per_second:,.0f} pairs/s"
    if report.spearman is not None:
        text += f"; Spearman with the {report.with_gold} gold scores {report.spearman:.4f}"
    return [*lines, text]
