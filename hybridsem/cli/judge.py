"""``hybridsem judge``: how the sentences of pairs relate."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.cli._shared import LINES, TABLES, Run, table
from hybridsem.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hybridsem import Pipeline
    from hybridsem.judge import Judgement
    from hybridsem.tables import PairReader

ENDINGS = (*TABLES, *LINES)
CHUNK = 512


@click.command(short_help="Classify how the sentences of each pair relate.")
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
        found = ui.make_pipeline(run.parts).judge(pairs, sentence2, precision=precision)
        click.echo(ui.json_text(found.to_dict()) if opt.wants_json() else found)
        return
    pipeline = run.pipeline(pairs, endings=ENDINGS)
    from hybridsem.tables import open_pairs

    reader = open_pairs(pairs, columns=opt.names_in(columns), keep_bad=True, encoding=run.encoding)
    judgements = _judged(pipeline, reader, run.on_error, precision)
    begun = list(islice(judgements, 1))  # an unreadable file is reported before a header
    counts: Counter[str] = Counter()
    is_json = opt.wants_json() or run.output.lower().endswith(LINES)
    with table(run.output, _columns(), "the judgements") as write:
        for judgement in chain(begun, judgements):
            counts[str(judgement.label or "without a label")] += 1
            write(judgement.to_dict() if is_json else _row(judgement))
    labels = ", ".join(f"{number} {name}" for name, number in counts.most_common())
    ui.echo_summary(f"{ui.counted(counts.total(), 'pair')}: {labels}")


def _judged(
    pipeline: Pipeline, reader: PairReader, on_error: str, precision: float
) -> Iterator[Judgement]:
    """Yield the judgements of a file's pairs, in order."""
    from math import nan

    from hybridsem.batch.run import chunks, problem_of
    from hybridsem.judge import Judgement

    for chunk in chunks(reader, CHUNK):
        problems = list(map(problem_of, chunk))
        whole = [pair for pair, why in zip(chunk, problems, strict=True) if why is None]
        usable = [(pair.text1, pair.text2) for pair in whole]
        judges = len(whole) == len(chunk) or on_error == "skip"
        found = iter(pipeline.judge(usable, precision=precision) if judges else [])
        for pair, why in zip(chunk, problems, strict=True):
            if why is not None:
                texts = str(pair.text1 or ""), str(pair.text2 or "")
                judgement = Judgement(*texts, None, {}, (), nan, (why,))
            elif judges:
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


def _row(judgement: Judgement) -> dict[str, Any]:
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
