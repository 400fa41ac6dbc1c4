"""``hybridsem judge``: what pairs of sentences are to each other."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import json_text, make_pipeline, say
from hybridsem.cli._texts import LINES, TABLES, prepared, table
from hybridsem.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hybridsem import Pipeline
    from hybridsem.judge import Judgement
    from hybridsem.tables import PairReader

ENDINGS = (*TABLES, *LINES)
CHUNK = 512


@click.command(short_help="Say what pairs are to each other: same, entails, contradicts …")
@click.argument("pairs", type=click.Path(allow_dash=True))
@click.argument("sentence2", required=False)
@opt.output_option("File to write, .csv, .tsv or .jsonl; - is standard output, as csv.")
@opt.part_options
@opt.ENCODING
@opt.columns_option("A,B")
@opt.on_error_option("is kept without a label")
@opt.option(
    "--precision",
    "How often labels are to be right; less probable ones are unsure.",
    click.FloatRange(0, 1),
    0.8,
)
@opt.FORCE
@opt.JSON
def judge(
    pairs: str,
    sentence2: str | None,
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

    PAIRS is a file of any format that `score` reads, or a sentence, with another behind it. The
    output for a file has the two sentences, the label, its probability, the score, the probability
    of every label, and the reasons.
    """
    if sentence2 is not None:
        if output != "-" or columns is not None:
            raise click.UsageError("--output and --columns are for a file of pairs")
        found = make_pipeline(parts).judge(pairs, sentence2, precision=precision)
        click.echo(json_text(found.to_dict()) if as_json else found)
        return
    prepared(output, as_json, force, pairs, endings=ENDINGS)
    from hybridsem.tables import open_pairs

    reader = open_pairs(pairs, columns=opt.names_in(columns), keep_bad=True, encoding=encoding)
    judgements = _judged(make_pipeline(parts), reader, on_error, precision)
    begun = list(islice(judgements, 1))  # a file that cannot be read is told before a header
    counts: Counter[str] = Counter()
    is_json = as_json or output.lower().endswith(LINES)
    with table(output, _columns(), as_json, "the judgements") as write:
        for judgement in chain(begun, judgements):
            counts[str(judgement.label or "without a label")] += 1
            write(judgement.to_dict() if is_json else _row(judgement))
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
        problems = list(map(problem_of, chunk))
        whole = [pair for pair, why in zip(chunk, problems, strict=True) if why is None]
        usable = [(pair.text1, pair.text2) for pair in whole]
        judged = len(whole) == len(chunk) or on_error == "skip"
        found = iter(pipeline.judge(usable, precision=precision) if judged else [])
        for pair, why in zip(chunk, problems, strict=True):
            if why is not None:
                texts = str(pair.text1 or ""), str(pair.text2 or "")
                judgement = Judgement(*texts, None, {}, (), nan, (why,))
            elif judged:
                judgement = next(found)
            else:
                continue
            if judgement.label is None and on_error == "fail":
                why = f"{'; '.join(judgement.notes)} (--on-error skip keeps such rows)"
                raise FormatError(why, reader.name, pair.line, reader.rows_are)
            yield judgement


def _columns() -> dict[str, type]:
    from hybridsem.judge import LABELS

    figures = dict.fromkeys(("probability", "score", *map(str, LABELS)), float)
    texts = dict.fromkeys(("sentence1", "sentence2", "label"), str)
    return {**texts, **figures, "reasons": str, "note": str}


def _row(one: Judgement) -> dict[str, Any]:
    figures = {"probability": one.probability, "score": one.score}
    figures |= {str(label): value for label, value in one.probabilities.items()}
    return {
        "sentence1": one.sentence1,
        "sentence2": one.sentence2,
        "label": str(one.label or ""),
        **{name: value if value == value else None for name, value in figures.items()},  # no NaN
        "reasons": " ".join(one.reasons),
        "note": "; ".join(one.notes),
    }
