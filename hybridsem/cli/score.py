"""``hybridsem similarity``, ``explain``, ``score`` and ``judge``: two sentences, files of pairs."""

from __future__ import annotations

import os
import sys
from collections import Counter
from itertools import chain, islice
from math import nan
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.cli._shared import LINES, TABLES, Run, table
from hybridsem.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hybridsem import Pipeline
    from hybridsem.batch import BatchReport
    from hybridsem.judge import Judgement
    from hybridsem.tables import PairReader

JUDGED = (*TABLES, *LINES)
"""The endings of judged files."""
CHUNK = 512


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
def score(
    pairs: str,
    output: str,
    columns: str | None,
    engine: str,
    address: str | None,
    parts: ui.Parts,
    **how: Any,
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
    if engine == "ray" and how["workers"] is not None:
        raise click.UsageError("--workers is for --engine local; Ray uses the CPUs of its cluster")
    pipeline = ui.make_pipeline(parts)
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


def summary(report: BatchReport) -> list[str]:
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


@click.command()
@click.argument("pairs", type=opt.INPUT)
@click.argument("sentence2", required=False)
@opt.declared("judge")
@opt.run_options(Run, "judge")
def judge(
    pairs: str, sentence2: str | None, columns: str | None, precision: float, run: Run
) -> None:
    """Classify how the sentences of each pair relate: same, entails (the first says more), entailed
    (the second does), differs, contradicts, unrelated, or unsure; with probabilities and reasons.

    PAIRS is a file of any format that `score` reads, or a sentence followed by another. The output
    for a file has the two sentences, the label, its probability, the score, the probability of
    every label, and the reasons.
    """
    if sentence2 is not None:
        if run.output != "-" or columns is not None:
            raise click.UsageError("--output and --columns are for a file of pairs")
        judgement = ui.make_pipeline(run.parts).judge(pairs, sentence2, precision=precision)
        ui.show(judgement.to_dict(), judgement)
        return
    pipeline = run.pipeline(pairs, endings=JUDGED)
    from hybridsem.tables import open_pairs

    reader = open_pairs(pairs, columns=opt.names_in(columns), keep_bad=True, encoding=run.encoding)
    judgements = _judged(pipeline, reader, run.on_error, precision)
    begun = list(islice(judgements, 1))  # an unreadable file is reported before a header
    counts: Counter[str] = Counter()
    is_json = opt.wants_json() or run.output.lower().endswith(LINES)
    with table(run.output, _judged_columns(), "the judgements") as write:
        for judgement in chain(begun, judgements):
            counts[str(judgement.label or "without a label")] += 1
            write(judgement.to_dict() if is_json else _row(judgement))
    labels = ", ".join(f"{number} {name}" for name, number in counts.most_common())
    ui.echo_summary(f"{ui.counted(counts.total(), 'pair')}: {labels}")


def _judged(
    pipeline: Pipeline, reader: PairReader, on_error: str, precision: float
) -> Iterator[Judgement]:
    from hybridsem.batch.run import chunks, problem_of
    from hybridsem.judge import Judgement

    for chunk in chunks(reader, CHUNK):
        problems = list(map(problem_of, chunk))
        whole = [pair for pair, why in zip(chunk, problems, strict=True) if why is None]
        usable = [(pair.text1, pair.text2) for pair in whole]
        judges = len(whole) == len(chunk) or on_error == "skip"
        judgements = iter(pipeline.judge(usable, precision=precision) if judges else [])
        for pair, why in zip(chunk, problems, strict=True):
            if why is not None:
                texts = str(pair.text1 or ""), str(pair.text2 or "")
                judgement = Judgement(*texts, None, {}, (), nan, (why,))
            elif judges:
                judgement = next(judgements)
            else:
                continue
            if judgement.label is None and on_error == "fail":
                why = f"{'; '.join(judgement.notes)} (--on-error skip keeps such rows)"
                raise FormatError(why, reader.name, pair.line, reader.rows_are)
            yield judgement


def _judged_columns() -> dict[str, type]:
    from hybridsem.judge import LABELS

    figures = dict.fromkeys(("probability", "score", *map(str, LABELS)), float)
    texts = dict.fromkeys(("sentence1", "sentence2", "label"), str)
    return {**texts, **figures, "reasons": str, "note": str}


def _row(judgement: Judgement) -> dict[str, object]:
    figures = {"probability": judgement.probability, "score": judgement.score}
    figures |= {str(label): value for label, value in judgement.probabilities.items()}
    return {
        "sentence1": judgement.sentence1,
        "sentence2": judgement.sentence2,
        "label": str(judgement.label or ""),
        **{name: value if value == value else None for name, value in figures.items()},  # no NaN
        "reasons": " ".join(judgement.reasons),
        "note": "; ".join(judgement.notes),
    }
