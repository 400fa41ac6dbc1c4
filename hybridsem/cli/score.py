"""``hybridsem score``: a file of pairs."""

from __future__ import annotations

from typing import Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui

HOW = ("encoding", "on_error", "details", "cache", "workers", "resume", "force", "safe_csv")
"""The options passed to :func:`~hybridsem.batch.score_file` unchanged."""


@click.command(short_help="Score a file of pairs.")
@click.argument("pairs", type=opt.INPUT)
@opt.declared("score")
def score(
    pairs: str, output: str, columns: str | None, engine: str, address: str | None, **given: Any
) -> None:
    """Score the pairs of a file: csv, tsv, jsonl (also .gz, .zst), s1;s2[;gold] lines, Parquet,
    Arrow, Feather, xlsx.

    The name of the output gives its format. Until it is complete, OUTPUT.hybridsem holds finished
    rows; --resume continues from there.
    """
    from hybridsem.batch import score_file

    if opt.wants_json() and output == "-":
        raise click.UsageError(
            "--json prints the counts on standard output, so the scores need -o FILE"
        )
    if engine == "ray" and given["workers"] is not None:
        raise click.UsageError("--workers is for --engine local; Ray uses the CPUs of its cluster")
    how = {name: given.pop(name) for name in HOW}
    pipeline = ui.make_pipeline(given)
    try:
        report = score_file(
            pipeline,
            pairs,
            output,
            columns=opt.names_in(columns),
            engine=ui.ray_engine(pipeline, engine, address),
            progress=not opt.is_quiet(),
            **how,
        )
    except KeyboardInterrupt:
        if output != "-":
            ui.echo_err(
                "hybridsem: finished rows are kept; the same command with --resume continues"
            )
        raise
    if opt.wants_json():
        click.echo(ui.json_text(report.to_dict()))
    for line in summary(report):
        ui.echo_summary(line)


def summary(report: Any) -> list[str]:
    """Return the report of a file in a few lines."""
    lines = [*report.notes, *report.first_failures]
    if (more := report.failed - len(report.first_failures)) > 0:
        lines.append(f"… and {more} more without a score")
    if len(report.failures) > 1:
        lines += [f"{count} × {why}" for why, count in report.failures.items()]
    text = f"{report.scored} of {ui.counted(report.rows, 'pair')} scored"
    if report.distinct_sentences is not None:
        text += f", {ui.counted(report.distinct_sentences, 'distinct sentence')}"
    for count, what in (
        (report.resumed_rows, "done by an earlier run"),
        (report.cache_hits, "known already"),
        (report.truncated, "truncated: longer than the encoder reads"),
        (report.foreign, "not English: the model reads only English"),
    ):
        text += f"; {count} {what}" if count else ""
    text += f"; {report.pairs_per_second:,.0f} pairs/s"
    if report.spearman is not None:
        gold = ui.counted(report.with_gold, "gold score")
        text += f"; Spearman with the {gold} {report.spearman:.4f}"
    return [*lines, text]
