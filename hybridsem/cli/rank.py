"""``hybridsem rank``, ``mine`` and ``cluster``: texts of files compared with each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from hybridsem._utils.validation import problem
from hybridsem.cli import _options as opt
from hybridsem.cli._shared import (
    Run,
    counted,
    difference,
    echo_summary,
    in_chunks,
    naming_rows,
    why,
)
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from hybridsem.pipeline import Pipeline

TOGETHER = 256
"""Pairs explained at once."""


@click.command(short_help="Order texts by how alike they are to a query.")
@click.argument("query")
@click.argument("documents", type=opt.INPUT)
@opt.declared("rank")
@opt.run_options(Run, "rank")
def rank(query: str, documents: str, queries: bool, top_k: int, run: Run) -> None:
    """Order the texts of DOCUMENTS by their scores with QUERY, best first.

    DOCUMENTS is a file with a text per line, or with a column of texts: .csv, .tsv, .jsonl,
    .parquet, .arrow, .feather, .xlsx; also .gz, .zst; - is standard input. Lines are numbered from
    1, as are the rows of columnar files.
    """
    if not queries and (reason := problem(query)) is not None:
        raise InputError(f"the query: {reason}")
    pipeline = run.pipeline(documents, query if queries else None)
    found = run.read(documents)
    query_file = run.read(query) if queries else None
    asked = [query] if query_file is None else query_file.texts
    line = found.rows_are
    columns = {"query": str, "rank": int, line: int, "score": float, "text": str}
    if run.details:
        columns["why"] = str
    with run.reading(pipeline), run.table(columns) as write:
        near = pipeline._near(found.texts) if 0 < top_k < len(found.texts) else None
        how = (top_k or None, False, run.details, run.on_error, near)
        ranks = partial(_ranker, documents=found.texts, how=how)
        each = ([one_query] for one_query in asked)
        # An engine reads the documents of a single query, and ranks several.
        rankings = pipeline._map(ranks, each) if len(asked) > 1 else map(ranks(pipeline), each)
        for one_query in asked:
            with naming_rows(found):
                (ranking,) = next(rankings)
            for place, one in enumerate(ranking, start=1):
                number = one["corpus_id"]
                row: dict[str, Any] = {"query": one_query, "rank": place}
                row |= {line: found.lines[number], "score": one["score"]}
                row["text"] = found.texts[number]
                write(row | (difference(one["explanation"]) if run.details else {}))
    for file in filter(None, (query_file, found)):
        file.report_truncated(pipeline)


def _ranker(
    pipeline: Pipeline, documents: list[str], how: tuple[Any, ...]
) -> Callable[[Sequence[str]], list[list[dict[str, Any]]]]:
    """Return a function that ranks the documents for queries."""
    from hybridsem.search.ranking import rank

    return lambda queries: rank(pipeline, list(queries), documents, *how)


@click.command(short_help="Find pairs of texts with much the same meaning.")
@click.argument("texts", type=opt.INPUT)
@click.argument("others", required=False, type=opt.INPUT)
@opt.declared("mine")
@opt.run_options(Run, "mine")
def mine(texts: str, others: str | None, threshold: float, top_k: int | None, run: Run) -> None:
    """Find all pairs of TEXTS, or of TEXTS with OTHERS, that score the threshold or more, each
    once.

    Files as for `rank`. Pairs are printed as they are found; an output file appears when it is
    complete.
    """
    pipeline = run.pipeline(texts, others)
    first = run.read(texts)
    second = first if others is None else run.read(others)
    count = 0
    columns: dict[str, type] = {f"{first.rows_are}1": int, f"{second.rows_are}2": int}
    columns |= {"score": float, "text1": str, "text2": str}
    if run.details:
        columns["why"] = str
    with run.reading(pipeline, first, second), run.table(columns) as write:
        matches = pipeline.mine(
            first.texts,
            None if others is None else second.texts,
            threshold=threshold,
            top_k=top_k,
            on_error=run.on_error,
            progress=not opt.is_quiet(),
        )
        for chunk in in_chunks(matches, TOGETHER if run.details else 1):
            pairs = [(first.texts[match.first], second.texts[match.second]) for match in chunk]
            added: list[dict[str, Any]] = [{}] * len(chunk)
            if run.details:
                added = [difference(one) for one in pipeline.explain(pairs, words=False)]
            for match, pair, more in zip(chunk, pairs, added, strict=True):
                lines = first.lines[match.first], second.lines[match.second]
                write(dict(zip(columns, (*lines, match.score, *pair), strict=False)) | more)
                count += 1
    for file in (first,) if second is first else (first, second):
        file.report_truncated(pipeline)
    size = counted(len(second.texts), "text")
    size = size if second is first else f"{len(first.texts)} and {size}"
    echo_summary(f"{counted(count, 'pair')} of {size}")


@click.command(short_help="Group texts by meaning.")
@click.argument("texts", type=opt.INPUT)
@opt.declared("cluster")
@opt.run_options(Run, "cluster")
def cluster(texts: str, threshold: float, min_size: int, run: Run) -> None:
    """Group TEXTS, a file as for `rank`: a centre with the texts that score the threshold or more
    with it, the largest group first.

    Groups are numbered from 1; the centre comes first in each. With --json a line is a group. Texts
    without a group are not listed.
    """
    pipeline = run.pipeline(texts)
    found = run.read(texts)
    line = found.rows_are
    columns: dict[str, type] = {"group": int, line: int, "text": str}
    if run.details:
        columns |= {"score": float, "why": str}
    with run.reading(pipeline, found):
        groups = pipeline.cluster(
            found.texts,
            threshold=threshold,
            min_size=min_size,
            on_error=run.on_error,
            progress=not opt.is_quiet(),
        )
        with run.table(columns) as write:
            for name, group in enumerate(groups, start=1):
                own = [found.texts[number] for number in group]
                rows: list[dict[str, Any]] = [
                    {line: found.lines[number], "text": text}
                    for number, text in zip(group, own, strict=True)
                ]
                if run.details:
                    explained = pipeline.explain([(own[0], text) for text in own], words=False)
                    for row, one in zip(rows, explained, strict=True):
                        row |= {"score": one.score, "why": why(one)}
                for row in [{"members": rows}] if opt.wants_json() else rows:
                    write({"group": name} | row)
    found.report_truncated(pipeline)
    members = {found.texts[number] for group in groups for number in group}
    of = f"{len(members)} of {counted(len({*found.texts}), 'text')}{repetitions(found.texts)}"
    echo_summary(f"{counted(len(groups), 'group')} of {of}")


def repetitions(texts: Sequence[str]) -> str:
    """Return a note on identical texts, which summaries count once."""
    again = len(texts) - len({*texts})
    return f" ({counted(again, 'repetition')} not counted)" if again else ""
