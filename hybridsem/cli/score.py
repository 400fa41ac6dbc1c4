"""``hybridsem similarity``, ``explain``, ``score`` and ``judge``: two sentences, files of pairs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui

if TYPE_CHECKING:
    from hybridsem.batch import BatchReport


@click.command()
@click.argument("sentence1")
@click.argument("sentence2")
@opt.declared("similarity")
def similarity(sentence1: str, sentence2: str, parts: ui.Parts) -> None:
    """Print how alike two sentences are: 1 means the same, 0 unrelated."""
    explanation = ui.make_pipeline(parts).explain(sentence1, sentence2, words=False)
    kept = ("model", "sentence1", "sentence2", "score", "notes")
    record = {name: value for name, value in explanation.to_dict().items() if name in kept}
    ui.show(record, f"{explanation.score:.4f}")
    for note in explanation.notes:
        ui.echo_err(f"note: {note}")


@click.command()
@click.argument("sentence1")
@click.argument("sentence2")
@opt.declared("explain")
def explain(
    sentence1: str, sentence2: str, html: str | None, svg: str | None, parts: ui.Parts
) -> None:
    """Show the parts of a score: the differences between two sentences and what each subtracts."""
    from hybridsem import render

    printed = [name for name, file in (("--html", html), ("--svg", svg)) if file == "-"]
    printed += ["--json"] if opt.wants_json() else []
    if len(printed) > 1:
        raise click.UsageError(f"{' and '.join(printed)} all print on standard output")
    explanation = ui.make_pipeline(parts).explain(sentence1, sentence2)
    if html is not None:
        ui.write(html, [render.as_page(explanation)], "the page")
    if svg is not None:
        ui.write(svg, [render.as_svg(explanation)], "the picture")
    if opt.wants_json():
        click.echo(ui.json_text(explanation.to_dict()))
    elif html is None and svg is None:
        in_colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        show = render.as_terminal if in_colour else render.as_text
        click.echo(show(explanation), color=in_colour)


@click.command()
@click.argument("pairs", type=opt.INPUT)
@opt.declared("score")
def score(pairs: str, parts: ui.Parts, details: bool, **options: Any) -> None:
    """Score the pairs of a file: csv, tsv, jsonl (also .gz, .zst), s1;s2[;gold] lines, Parquet,
    Arrow, Feather, xlsx.

    The name of the output gives its format. Until it is complete, OUTPUT.hybridsem holds finished
    rows; --resume continues from there.
    """
    from hybridsem.batch import score_file

    if opt.wants_json() and options["output"] == "-":
        why = "--json prints the counts on standard output, so the scores need -o FILE"
        raise click.UsageError(why)
    _work_through(partial(score_file, details=details), pairs, parts, options)


@click.command()
@click.argument("pairs", type=opt.INPUT)
@click.argument("sentence2", required=False)
@opt.declared("judge")
def judge(
    pairs: str,
    sentence2: str | None,
    parts: ui.Parts,
    precision: float,
    assume: str,
    **options: Any,
) -> None:
    """Classify how the sentences of each pair relate: same, entails (the first says more), entailed
    (the second does), differs, contradicts, unrelated, or unsure; with probabilities and reasons.

    PAIRS is a sentence followed by another, or a file, read and written as by `score`. The output
    gains the label, its probability, the score, the probability of every label, and the reasons.
    """
    if sentence2 is None:
        from hybridsem.batch import judge_file

        work = partial(judge_file, precision=precision, assume=assume)
        _work_through(work, pairs, parts, options)
        return
    source = click.get_current_context().get_parameter_source
    if given := [name for name in options if source(name) != ParameterSource.DEFAULT]:
        raise click.UsageError(f"--{given[0].replace('_', '-')} is for a file of pairs")
    nlp = ui.make_pipeline(parts)
    judgement = nlp.judge(pairs, sentence2, precision=precision, assume=assume)
    ui.show(judgement.to_dict(), judgement)


def _work_through(
    work: Callable[..., BatchReport], pairs: str, parts: ui.Parts, options: dict[str, Any]
) -> None:
    output, columns = options.pop("output"), opt.names_in(options.pop("columns"))
    engine, address = options.pop("engine"), options.pop("address")
    if engine == "ray" and options["workers"] is not None:
        raise click.UsageError("--workers is for --engine local; Ray uses the CPUs of its cluster")
    pipeline = ui.make_pipeline(parts)
    options |= {"engine": ui.ray_engine(pipeline, engine, address), "columns": columns}
    json_lines = opt.wants_json() and output == "-"
    options |= {"progress": not opt.is_quiet(), "json_lines": json_lines}
    try:
        report = work(pipeline, pairs, output, **options)
    except KeyboardInterrupt:
        kept = "hybridsem: finished rows are kept; the same command with --resume continues"
        if output != "-":
            ui.echo_err(kept)
        raise
    if opt.wants_json() and not json_lines:
        click.echo(ui.json_text(report.to_dict()))
    for line in summary(report):
        ui.echo_summary(line)


def summary(report: BatchReport) -> list[str]:
    """Return the report of a file in a few lines."""
    lines = [*report.notes, *report.first_failures]
    if (more := report.failed - len(report.first_failures)) > 0:
        lines.append(f"… and {more} more without a {'label' if report.labels else 'score'}")
    if len(report.failures) > 1:
        lines += [f"{count} × {why}" for why, count in report.failures.items()]
    text = f"{report.scored} of {ui.counted(report.rows, 'pair')} scored"
    if report.labels:
        labels = {**report.labels, **({"without a label": report.failed} if report.failed else {})}
        counts = ", ".join(f"{count} {label}" for label, count in labels.items())
        text = f"{ui.counted(report.rows, 'pair')}: {counts}"
    if report.distinct_sentences is not None:
        text += f", {ui.counted(report.distinct_sentences, 'distinct sentence')}"
    for count, what in (
        (report.resumed_rows, "done by an earlier run"),
        (report.cache_hits, "known already"),
        (report.truncated, "truncated: longer than the encoder reads"),
        (report.foreign, "not English: the model reads only English"),
    ):
        text += f"; {count} {what}" if count else ""
    text += f"; {ui.counted(round(report.pairs_per_second), 'pair')}/s"
    if report.spearman is not None:
        gold = ui.counted(report.with_gold, "gold score")
        text += f"; Spearman with the {gold} {report.spearman:.4f}"
    return [*lines, text]
