"""``hybridsem judge``: what pairs of sentences are to each other."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli._shared import (
    ENCODING,
    json_text,
    make_pipeline,
    names_in,
    part_options,
    refuse_output,
    say,
)
from hybridsem.errors import FormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hybridsem import Pipeline
    from hybridsem.judge import Judgement
    from hybridsem.pairs import PairReader

__all__ = ["judge"]

TABLES = {".csv": ",", ".tsv": "\t"}
LINES = (".jsonl", ".ndjson")
CHUNK = 512


@click.command(short_help="Say what pairs are to each other: same, entails, contradicts …")
@click.argument("pairs", type=click.Path(allow_dash=True))
@click.option(
    "--output",
    "-o",
    default="-",
    show_default=True,
    help="File to write, .csv, .tsv or .jsonl; - is standard output, as csv.",
)
@part_options
@ENCODING
@click.option(
    "--columns", metavar="A,B", help="Columns of the sentences: names, or positions from 1."
)
@click.option(
    "--on-error",
    type=click.Choice(["fail", "skip"]),
    default="fail",
    show_default=True,
    help="A row that cannot be judged ends the run, or is kept without a label.",
)
@click.option(
    "--precision",
    type=click.FloatRange(0, 1),
    default=0.8,
    show_default=True,
    help="How often labels are to be right; less probable ones are unsure.",
)
@click.option("--force", is_flag=True, help="Replace an output that exists.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a pair instead.")
def judge(
    pairs: str,
    output: str,
    columns: str | None,
    encoding: str,
    on_error: str,
    precision: float,
    force: bool,
    as_json: bool,
    **parts: str | None,
) -> None:
    """Say for each pair of a file whether its sentences are the same, one says more (entails,
    entailed), they differ, contradict each other, are unrelated, or that it is unsure; how
    probable that is, and why.

    PAIRS is a file of any format that `score` reads. The output has the two sentences, the label,
    its probability, the score, the probability of every label, and the reasons.
    """
    from pathlib import Path

    refuse_output(output, pairs)
    if as_json and output != "-":
        raise click.UsageError("--json prints on standard output; leave out -o, or name a .jsonl")
    if output != "-" and Path(output).suffix.lower() not in (*TABLES, *LINES):
        known = ", ".join((*TABLES, *LINES))
        raise InputError(f"the output must end in one of {known}, got {output!r}")
    if output != "-" and Path(output).exists() and not force:
        raise InputError(f"the output exists, got {output!r}; --force replaces it")
    from hybridsem.pairs import open_pairs

    reader = open_pairs(pairs, columns=names_in(columns), keep_bad=True, encoding=encoding)
    judgements = _judged(make_pipeline(parts), reader, on_error, precision)
    begun = list(islice(judgements, 1))  # a file that cannot be read is told before a header
    counts: Counter[str] = Counter()
    with _writer(output, as_json) as write:
        for judgement in chain(begun, judgements):
            counts[str(judgement.label or "without a label")] += 1
            write(judgement)
    total = sum(counts.values())
    say(f"{total} pairs: " + ", ".join(f"{n} {name}" for name, n in counts.most_common()))


def _judged(
    pipeline: Pipeline, reader: PairReader, on_error: str, precision: float
) -> Iterator[Judgement]:
    """The judgements of a file's pairs, in order."""
    from math import nan

    from hybridsem.batch.run import chunks, problem_of
    from hybridsem.judge import Judgement

    for chunk in chunks(reader, CHUNK):
        problems = {
            row: why for row, pair in enumerate(chunk) if (why := problem_of(pair)) is not None
        }
        usable = [(pair.text1, pair.text2) for row, pair in enumerate(chunk) if row not in problems]
        judged = not problems or on_error == "skip"
        found = iter(pipeline.judge_all(usable, precision=precision) if judged else [])
        for row, pair in enumerate(chunk):
            if row in problems:
                texts = str(pair.text1 or ""), str(pair.text2 or "")
                judgement = Judgement(*texts, None, {}, (), nan, (problems[row],))
            elif on_error == "fail" and problems:
                continue
            else:
                judgement = next(found)
            if judgement.label is None and on_error == "fail":
                why = f"{'; '.join(judgement.notes)} (--on-error skip keeps such rows)"
                raise FormatError(why, reader.name, pair.line, reader.rows_are)
            yield judgement


@contextmanager
def _writer(output: str, as_json: bool) -> Iterator[Any]:
    """What writes a judgement, to a file that is there whole or not at all, or standard output."""
    import csv
    import sys
    from pathlib import Path

    from hybridsem._utils.disk import saving
    from hybridsem.judge import LABELS

    suffix = Path(output).suffix.lower()
    header = [
        *("sentence1", "sentence2", "label", "probability", "score"),
        *map(str, LABELS),
        *("reasons", "note"),
    ]

    def to(stream: Any) -> Any:
        if as_json or suffix in LINES:
            return lambda one: stream.write(json_text(one.to_dict()) + "\n")
        table = csv.writer(stream, delimiter=TABLES.get(suffix, ","), lineterminator="\n")
        table.writerow(header)
        return lambda one: table.writerow(_cells(one))

    if output == "-":
        yield to(sys.stdout)
        return
    with (
        saving(output, "the judgements") as part,
        part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream,
    ):
        yield to(stream)


def _cells(one: Judgement) -> list[str]:
    from hybridsem.judge import LABELS

    numbers = [one.probability, one.score, *(one.probabilities.get(label) for label in LABELS)]
    shown = ["" if value is None or value != value else f"{value:.6f}" for value in numbers]
    ends = [" ".join(one.reasons), "; ".join(one.notes)]
    return [one.sentence1, one.sentence2, str(one.label or ""), *shown, *ends]
