"""``hybridsem amr``: two files of AMR graphs."""

from __future__ import annotations

import math

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import counted, echo_err, json_text
from hybridsem.errors import HybridSemError
from hybridsem.graphs.combiner import SmatchMetric
from hybridsem.graphs.corpus import compare_graphs
from hybridsem.parsers.adapters.penman import read_graphs
from hybridsem.registry.named import graph_metric


@click.command()
@click.argument("graphs1", type=opt.INPUT)
@click.argument("graphs2", type=opt.INPUT)
@opt.declared("amr")
def amr(graphs1: str, graphs2: str, metric: str, exact: bool, strict: bool, **show: bool) -> None:
    """Compare the AMR graphs of two PENMAN files in order, such as parsed and gold ones.

    Precision is that of the first file, recall that of the second. An unreadable graph is reported
    with file, line and id, and makes the exit code 1.
    """
    if (exact or strict) and metric != "smatch":
        option = "--exact" if exact else "--strict"
        raise click.UsageError(f"{option} is for --metric smatch, got {metric!r}")
    metric += "-exact" * exact
    chosen = SmatchMetric(exact, strict) if strict else graph_metric(metric)
    corpus = compare_graphs(chosen, read_graphs(graphs1), read_graphs(graphs2), metric)
    if opt.wants_json():
        more = ["matches"] if show["explain"] else []
        kept = ["sentence1", "sentence2", "score", "details", "notes", *more]
        plain = (pair.to_dict() | {"score": _number(pair.score)} for pair in corpus.pairs)
        pairs = [{name: pair[name] for name in kept} for pair in plain]
        about = {"metric": metric, "score": _number(corpus.score), "details": dict(corpus.details)}
        click.echo(json_text(about | {"pairs": pairs}))
    else:
        for number, pair in enumerate(corpus.pairs, start=1):
            if show["show_pairs"]:
                click.echo(f"{number}\t{_cell(pair.score)}")
            if show["explain"] and not math.isnan(pair.score):
                click.echo(f"{pair}\n")
        details = "".join(f", {name} {value:.4f}" for name, value in corpus.details.items())
        whole = f"{len(corpus.pairs) - corpus.failed} of {counted(len(corpus.pairs), 'pair')}"
        click.echo(f"{metric} {_cell(corpus.score)}{details}; {whole}")
    for number, pair in enumerate(corpus.pairs, start=1):
        if math.isnan(pair.score):
            echo_err(f"pair {number}: {'; '.join(pair.notes)}")
    if corpus.failed:
        of = f"{corpus.failed} of {len(corpus.pairs)} pairs"
        raise HybridSemError(f"{of} have a graph that cannot be read")


def _number(score: float) -> float | None:
    return None if math.isnan(score) else score


def _cell(score: float) -> str:
    return "–" if math.isnan(score) else f"{score:.4f}"
