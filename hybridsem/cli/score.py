"""``hybridsem score``: a file of pairs."""

from __future__ import annotations

from typing import Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import check_address, json_text, make_pipeline, say

HOW = ("encoding", "on_error", "details", "cache", "workers", "resume", "force", "safe_csv")
"""The options that :func:`~hybridsem.batch.score_file` takes as they are."""


@click.command(short_help="Score a file of pairs.")
@click.argument("pairs", type=click.Path(allow_dash=True))
@opt.output_option("File to write; - is standard output.")
@opt.model_options
@opt.option(
    "--calibration",
    "Add a probability and a decision: a file of `hybridsem calibrate` for this model.",
    metavar="FILE",
)
@opt.ENCODING
@opt.columns_option("A,B[,GOLD]")
@opt.option("--details", "Add the similarity of every role and the model's own figures.", bool)
@opt.on_error_option("is kept without a score")
@opt.CACHE
@opt.option("--workers", "Share the work between N processes.", opt.AT_LEAST_1, metavar="N")
@opt.engine_options()
@opt.option(
    "--resume",
    "Go on with a run that was cut off; with one that is complete nothing is done.",
    bool,
)
@opt.FORCE
@opt.option(
    "--safe-csv",
    "No cell of a csv or tsv output is a formula: an apostrophe goes before it.",
    bool,
)
@opt.QUIET
@opt.JSON
def score(
    pairs: str,
    output: str,
    columns: str | None,
    engine: str,
    address: str | None,
    quiet: bool,
    as_json: bool,
    **given: Any,
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
    if engine == "ray" and given["workers"] is not None:
        raise click.UsageError("--workers is for --engine local; Ray uses the CPUs of its cluster")
    how = {name: given.pop(name) for name in HOW}
    pipeline = make_pipeline(given)
    try:
        report = score_file(
            pipeline,
            pairs,
            output,
            columns=opt.names_in(columns),
            engine=_ray_engine(pipeline, address) if engine == "ray" else None,
            progress=not quiet,
            **how,
        )
    except KeyboardInterrupt:
        if output != "-":
            from hybridsem._utils.disk import real
            from hybridsem.batch.checkpoint import Checkpoint

            kept = Checkpoint(real(output)).folder.exists()
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


def _ray_engine(pipeline: Any, address: str | None) -> Any:
    from hybridsem.batch.identity import maker_of
    from hybridsem.batch.ray_engine import RayEngine

    return RayEngine(maker_of(pipeline), address)


def summary(report: Any) -> list[str]:
    """The report of a file, in a few lines."""
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
