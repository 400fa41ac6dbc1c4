"""``hybridsem amr``: two files of AMR graphs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli._options import JSON, option
from hybridsem.cli._shared import json_text, say
from hybridsem.errors import HybridSemError

if TYPE_CHECKING:
    from hybridsem.explanations import Explanation


@click.command(short_help="Compare two files of AMR graphs.")
@click.argument("graphs1", type=click.Path(allow_dash=True))
@click.argument("graphs2", type=click.Path(allow_dash=True))
@option("--metric -m", "smatch, wlk, wwlk, sembleu or rematch.", default="smatch")
@option("--exact", "Smatch: prove the mapping of nodes best, or say how far it may be off.", bool)
@option("--vectors", "Word vectors of wwlk: a name or KIND:ARGUMENT.")
@option("--pairs show_pairs", "Print the score of each pair, too.", bool)
@option("--explain", "Print which nodes of each pair were matched, too.", bool)
@JSON
def amr(
    graphs1: str,
    graphs2: str,
    metric: str,
    exact: bool,
    vectors: str | None,
    show_pairs: bool,
    explain: bool,
    as_json: bool,
) -> None:
    """Compare the AMR graphs of two PENMAN files, the first with the first and so on: parsed ones
    and gold ones.

    Precision is that of the first file, recall that of the second. A graph that cannot be read is
    named with file, line and id; the exit code is then 1.
    """
    from hybridsem.graphs.corpus import compare_graphs
    from hybridsem.parsers.adapters.penman import read_graphs
    from hybridsem.registry.named import graph_metric

    if exact and metric != "smatch":
        raise click.UsageError(f"--exact is for --metric smatch, got {metric!r}")
    if vectors is not None and metric != "wwlk":
        raise click.UsageError(f"--vectors is for --metric wwlk, got {metric!r}")
    if exact:
        metric = "smatch-exact"
    chosen = graph_metric(metric, vectors)
    found = compare_graphs(chosen, read_graphs(graphs1), read_graphs(graphs2), metric)
    if as_json:
        record = {
            "metric": metric,
            "score": _number(found.score),
            "details": dict(found.details),
            "pairs": [_pair(pair, explain) for pair in found.pairs],
        }
        click.echo(json_text(record))
    else:
        for number, pair in enumerate(found.pairs, start=1):
            if show_pairs:
                click.echo(f"{number}\t{_cell(pair.score)}")
            if explain and not math.isnan(pair.score):
                click.echo(f"{pair}\n")
        details = "".join(f", {name} {value:.4f}" for name, value in found.details.items())
        whole = f"{len(found.pairs) - found.failed} of {len(found.pairs)} pairs"
        click.echo(f"{metric} {_cell(found.score)}{details}; {whole}")
    for number, pair in enumerate(found.pairs, start=1):
        if math.isnan(pair.score):
            say(f"pair {number}: {'; '.join(pair.notes)}")
    if found.failed:
        raise HybridSemError(
            f"{found.failed} of {len(found.pairs)} pairs have a graph that cannot be read"
        )


def _pair(pair: Explanation, explain: bool) -> dict[str, Any]:
    record = pair.to_dict() | {"score": _number(pair.score)}
    kept = ["sentence1", "sentence2", "score", "details", "notes"]
    if explain:
        kept.append("matches")
    return {name: record[name] for name in kept}


def _number(score: float) -> float | None:
    return None if math.isnan(score) else score


def _cell(score: float) -> str:
    return "–" if math.isnan(score) else f"{score:.4f}"
