"""``hybridsem evaluate``: a model on a benchmark, and the result card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli._shared import make_pipeline, model_options, names_in, refuse_output

if TYPE_CHECKING:
    from hybridsem.evaluation import Card, Subject

__all__ = ["evaluate"]

FILE = click.Path(dir_okay=False)
WIDEST = 6  # measures side by side in the table


def _list(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print what is written down about each benchmark."""
    if not wanted:
        return
    from hybridsem.evaluation import tasks

    for name, task in tasks().items():
        click.echo(f"{name}: {task.summary}")
        groups, options = (
            ", ".join(task.groups),
            ", ".join(f"--{option.replace('_', '-')}" for option in task.options),
        )
        about = {"data": task.layout, "groups": groups, "options": options, "paper": task.citation}
        for label, text in (about | {"licence": task.licence}).items():
            if text:
                click.echo(f"    {label:8} {text}")
    context.exit()


@click.command(short_help="Evaluate a model on a benchmark.")
@click.argument("benchmark")
@click.option(
    "--data",
    required=True,
    type=click.Path(),
    help="The benchmark's folder or file; sage: or hub:NAME.",
)
@model_options
@click.option(
    "--similarities", type=FILE, help="In place of a model: a file with one similarity a line."
)
@click.option(
    "--embeddings",
    type=FILE,
    help="In place of a model: a file of vectors (npy, npz, h5, parquet).",
)
@click.option("--name", help="What the model is called in the card.")
@click.option(
    "--output", "-o", metavar="CARD.json", help="Write the result card; - is standard output."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result card; the same as -o -.")
@click.option("--split", help="Part of the benchmark, where there are several; test if not given.")
@click.option(
    "--columns", metavar="A,B,RATING", help="Columns of a local file: names, or positions from 1."
)
@click.option(
    "--raters",
    type=FILE,
    help="Single raters' ratings (xlsx, csv, tsv), for split-half reliability.",
)
@click.option("--types", type=FILE, help="Kinds of pairs: a file with one label a line.")
@click.option(
    "--measures", metavar="M,…", help="setops: of cosine, dot, l1, l2, ned, score; or all."
)
@click.option(
    "--theta", type=float, help="setops: what is near to A, in units of the angle between A and B."
)
@click.option(
    "--epsilon-range",
    nargs=2,
    type=float,
    help="setops: the least and greatest ε of the first measure.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    help="sage: so many items of each data set, drawn by --seed.",
)
@click.option(
    "--tokeniser", metavar="T", help="sage: of jaccard, rouge and bm25: auto, cl100k or wordpiece."
)
@click.option(
    "--engine",
    type=click.Choice(["ray"]),
    help="sage: where models of structure score: a Ray cluster.",
)
@click.option(
    "--documents",
    metavar="HOW",
    help="sage: how encoders read documents: whole, or sentences, averaged.",
)
@click.option("--categories", metavar="C,…", help="analogies: these categories alone.")
@click.option("--device", help="analogies: torch's device to answer on, such as cuda.")
@click.option(
    "--filler", type=FILE, help="sage-sensitivity: a text to fill with in place of Latin words."
)
@click.option(
    "--mode",
    metavar="M",
    help="sage-retrieval: perturbed documents replace theirs (replace), or add (add).",
)
@click.option(
    "--first-stage",
    metavar="S",
    help="sage-retrieval: what finds documents to rerank: embedded or bm25.",
)
@click.option(
    "--rerank",
    type=int,
    metavar="N",
    help="sage-retrieval: so many found documents are scored; 100.",
)
@click.option(
    "--work",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="sage, sage-retrieval: go on from what is finished there.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of all that is drawn."
)
@click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=10_000,
    show_default=True,
    help="Of the bootstrap; 0: no intervals.",
)
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="List the benchmarks.",
)
def evaluate(
    benchmark: str,
    data: str,
    similarities: str | None,
    embeddings: str | None,
    name: str | None,
    output: str | None,
    as_json: bool,
    columns: str | None,
    seed: int,
    resamples: int,
    split: str | None,
    raters: str | None,
    types: str | None,
    measures: str | None,
    theta: float | None,
    epsilon_range: tuple[float, float] | None,
    categories: str | None,
    device: str | None,
    sample: int | None,
    tokeniser: str | None,
    engine: str | None,
    documents: str | None,
    filler: str | None,
    mode: str | None,
    first_stage: str | None,
    rerank: int | None,
    work: str | None,
    **parts: str | None,
) -> None:
    """Evaluate a model on a benchmark, such as sts3k, stsb, sick, or sts (your own rated pairs);
    see --list.

    Prints the scores with their intervals and a line to quote; `-o` writes the card that `hybridsem
    compare` and `hybridsem plot` read.
    """
    from hybridsem import evaluation

    evaluation.task(benchmark)  # an unknown name is said before weights are read
    if output == "-":
        output, as_json = None, True
    if output is not None:
        refuse_output(output, data, similarities, embeddings, raters, types, filler)
    card = evaluation.evaluate(
        benchmark,
        _tested(similarities, embeddings, parts),
        data,
        name=name,
        seed=seed,
        resamples=resamples,
        progress=True,
        split=split,
        columns=names_in(columns),
        raters=raters,
        types=types,
        measures=names_in(measures),
        theta=theta,
        epsilon_range=epsilon_range,
        categories=names_in(categories),
        device=device,
        sample=sample,
        tokeniser=tokeniser,
        engine=engine,
        documents=documents,
        filler=filler,
        mode=mode,
        first_stage=first_stage,
        rerank=rerank,
        work=work,
    )
    if output is not None:
        card.save(output)
    click.echo(card.to_json() if as_json else _table(card), nl=not as_json)
    click.echo(card.fingerprint(), err=as_json)
    for note in _notes(card):
        click.echo(f"note: {note}", err=True)


def _tested(
    similarities: str | None, embeddings: str | None, parts: dict[str, str | None]
) -> Subject:
    """The one thing to be evaluated that was named."""
    from hybridsem import evaluation

    source = click.get_current_context().get_parameter_source
    files = [
        name
        for name, value in (("--similarities", similarities), ("--embeddings", embeddings))
        if value
    ]
    named = [
        f"--{name}" for name in parts if source(name) is not click.core.ParameterSource.DEFAULT
    ]
    if len(files) > 1 or (files and named):
        raise click.UsageError(
            f"{' and '.join([*files, *named])} cannot be given together: one thing is evaluated"
        )
    if similarities is not None:
        return evaluation.similarities_file(similarities)
    if embeddings is not None:
        return evaluation.embeddings_file(embeddings)
    return evaluation.subject(make_pipeline(parts))


def _table(card: Card) -> str:
    """Groups by measures, each figure with its interval."""
    from hybridsem.evaluation.card import figure

    measures = list(dict.fromkeys(measure for found in card.scores.values() for measure in found))
    if len(measures) > WIDEST:  # one line a figure
        rows = [
            [group, name, figure(one)]
            for group, found in card.scores.items()
            for name, one in found.items()
        ]
    else:
        rows = [["", *measures]]
        for group, found in card.scores.items():
            rows.append(
                [
                    group,
                    *(figure(found[measure]) if measure in found else "" for measure in measures),
                ]
            )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    return "\n".join(lines)


def _notes(card: Card) -> list[str]:
    """What the figures do not show: rows that did not take part, and statistics that are not
    defined.
    """
    counts: dict[str, Any] = dict(card.counts)
    said = (
        ("failed", "of {rows} rows have no score and take no part"),
        ("truncated", "of {rows} rows have a text longer than the model reads"),
        ("unrated", "rows have no rating and take no part"),
        ("identical", "of {rows} samples have the same A and B and take no part"),
        ("zero vectors", "of {rows} samples have a vector of zeros and take no part"),
        ("collinear", "of {rows} samples have A and B in one direction: they span no plane"),
        ("empty", "items have an empty text and are left out"),
        ("no summary", "documents have no summary and are left out"),
        ("summary longer", "items have a summary that is longer than its source and are left out"),
        ("sets of one label", "sets have a single label and are left out"),
        ("ties", "comparisons are ties, which count half as a choice of each"),
        (
            "equal ratings",
            (
                "pairs of summaries are rated alike or are the same text, and no comparison is "
                "derived of them"
            ),
        ),
        ("unknown queries", "queries are judged and not there"),
        ("unknown documents", "judgements name a document that is not there"),
        ("without relevant", "queries have no relevant document and are left out"),
        ("blank queries", "queries have no text and are left out"),
        ("truncated documents", "of {documents} documents are longer than the model reads"),
        (
            "documents not looked at",
            "documents, over all searches, have no text or no vector and are never found",
        ),
        ("pairs without score", "pairs of a query and a document have no score"),
    )
    known, notes = dict(said), []
    for name, count in counts.items():
        part, colon, what = name.rpartition(": ")
        if count and what in known:
            own = {
                one.removeprefix(part + colon): value
                for one, value in counts.items()
                if one.startswith(part)
            }
            notes.append(f"{part}{colon}{count} {known[what].format_map(own)}")
    undefined = {
        f"{group}: {estimate.note}"
        for group, found in card.scores.items()
        for estimate in found.values()
        if estimate.note
    }
    return [*card.notes, *notes, *sorted(undefined)]
