"""``hybridsem rank``, ``mine`` and ``cluster``: texts of files compared with each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from hybridsem._utils.validation import problem
from hybridsem.cli._options import AT_LEAST_1, SCORE, model_options, option
from hybridsem.cli._shared import counted, say
from hybridsem.cli._texts import Run, in_chunks, naming_rows, text_options, why
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from hybridsem._typing import Float32Array
    from hybridsem.cli._texts import Texts
    from hybridsem.pipeline import Pipeline

__all__ = ["cluster", "mine", "rank"]

TOGETHER = 256
"""Pairs that are explained at once."""


@click.command(short_help="Order texts by how alike they are to a query.")
@click.argument("query")
@click.argument("documents", type=click.Path(allow_dash=True))
@option("--queries", "QUERY is a file of queries.", bool)
@option("--top-k -k", "The so many best; else all.", AT_LEAST_1)
@text_options(
    "the ranking",
    "reads the texts, and ranks them where there are --queries",
    model_options,
    option("--details", "Add what each text differs from the query in.", bool),
)
def rank(query: str, documents: str, queries: bool, top_k: int | None, run: Run) -> None:
    """Order the texts of DOCUMENTS by their scores with QUERY, best first.

    DOCUMENTS is a file of a text a line, or with a column of texts: .csv, .tsv, .jsonl, .parquet,
    .arrow, .feather, .xlsx; also .gz, .zst; - is standard input. Lines are those of the file, from
    1, rows those of a columnar one.
    """
    if not queries and (what := problem(query)) is not None:
        raise InputError(f"the query: {what}")
    pipeline = run.pipeline(documents, query if queries else None)
    found = run.read(documents)
    asking = run.read(query) if queries else None
    asked = [query] if asking is None else asking.texts
    line = found.rows_are
    columns = {"query": str, "rank": int, line: int, "score": float, "text": str}
    if run.details:
        columns["why"] = str
    with run.at_work(pipeline), run.table(columns) as write:
        few = top_k is not None and top_k < len(found.texts)
        near = pipeline._near(found.texts) if few else None
        ranks = partial(
            _ranker,
            documents=found.texts,
            near=near,
            top_k=top_k,
            details=run.details,
            on_error=run.on_error,
        )
        each = ([one_query] for one_query in asked)
        # The documents of a single query are read elsewhere, and several queries ranked there.
        rankings = pipeline._map(ranks, each) if len(asked) > 1 else map(ranks(pipeline), each)
        for one_query in asked:
            with naming_rows(found):
                (ranking,) = next(rankings)
            for place, one in enumerate(ranking, start=1):
                number = one["corpus_id"]
                row: dict[str, Any] = {"query": one_query, "rank": place}
                row |= {line: found.lines[number], "score": one["score"]}
                row["text"] = found.texts[number]
                if run.details and run.as_json:
                    row["explanation"] = one["explanation"].to_dict()
                elif run.details:
                    row["why"] = why(one["explanation"])
                write(row)
    for each_file in filter(None, (asking, found)):
        each_file.say_cut(pipeline)


def _ranker(
    pipeline: Pipeline,
    documents: list[str],
    near: Float32Array | None,
    top_k: int | None,
    details: bool,
    on_error: str,
) -> Callable[[Sequence[str]], list[list[dict[str, Any]]]]:
    """What ranks the documents for queries."""
    return lambda queries: pipeline.rank(
        list(queries), documents, top_k, explain=details, on_error=on_error, near=near
    )


@click.command(short_help="Find the pairs of texts that say much the same.")
@click.argument("texts", type=click.Path(allow_dash=True))
@click.argument("others", required=False, type=click.Path(allow_dash=True))
@option("--threshold -t", "The least score of a pair.", SCORE, 0.8)
@option("--top-k -k", "Only the so many best pairs of each text.", AT_LEAST_1)
@text_options(
    "the pairs",
    "reads the texts, which are compared here",
    model_options,
    option("--details", "Add what the two differ in.", bool),
)
def mine(texts: str, others: str | None, threshold: float, top_k: int | None, run: Run) -> None:
    """Find all pairs of TEXTS, or of TEXTS with OTHERS, that score the threshold or more, each
    once, as comparing all pairs would.

    Files as for `rank`. Pairs are written as they are found; an output file appears when it is
    whole.
    """
    pipeline = run.pipeline(texts, others)
    first = run.read(texts)
    second = first if others is None else run.read(others)
    count = 0
    columns: dict[str, type] = {f"{first.rows_are}1": int, f"{second.rows_are}2": int}
    columns |= {"score": float, "text1": str, "text2": str}
    if run.details:
        columns["why"] = str
    with run.at_work(pipeline, first, second), run.table(columns) as write:
        matches = pipeline.mine(
            first.texts,
            None if others is None else second.texts,
            threshold=threshold,
            top_k=top_k,
            on_error=run.on_error,
            progress=True,
        )
        for chunk in in_chunks(matches, TOGETHER if run.details else 1):
            pairs = [(first.texts[match.first], second.texts[match.second]) for match in chunk]
            explained: list[Any] = [None] * len(chunk)
            if run.details:
                explained = pipeline.explain(pairs, words=False)
            for match, pair, explanation in zip(chunk, pairs, explained, strict=True):
                lines = first.lines[match.first], second.lines[match.second]
                row = dict(zip(columns, (*lines, match.score, *pair), strict=False))
                if run.details and run.as_json:
                    row["explanation"] = explanation.to_dict()
                elif run.details:
                    row["why"] = why(explanation)
                write(row)
                count += 1
    for each_file in (first,) if second is first else (first, second):
        each_file.say_cut(pipeline)
    say(f"{counted(count, 'pair')} of {_sizes(first, second)}")


def _sizes(first: Texts, second: Texts) -> str:
    texts = counted(len(second.texts), "text")
    return texts if second is first else f"{len(first.texts)} and {texts}"


@click.command(short_help="Group texts by what they say.")
@click.argument("texts", type=click.Path(allow_dash=True))
@option("--threshold -t", "The least score of a sentence with the group's centre.", SCORE, 0.75)
@option("--min-size", "Sentences that a group has at least.", AT_LEAST_1, 2)
@text_options(
    "the groups",
    "reads the texts, which are compared here",
    model_options,
    option("--details", "Add the score with the centre, and the differences.", bool),
)
def cluster(texts: str, threshold: float, min_size: int, run: Run) -> None:
    """Group TEXTS, a file as for `rank`: a centre with the texts that score the threshold or more
    with it, the largest group first.

    Groups are numbered from 1, the centre is the first of each. With --json a line is a group. What
    is in no group is not listed.
    """
    pipeline = run.pipeline(texts)
    found = run.read(texts)
    line = found.rows_are
    columns: dict[str, type] = {"group": int, line: int, "text": str}
    if run.details:
        columns |= {"score": float, "why": str}
    with run.at_work(pipeline, found):
        groups = pipeline.cluster(
            found.texts,
            threshold=threshold,
            min_size=min_size,
            on_error=run.on_error,
            progress=True,
        )
        with run.table(columns) as write:
            for name, group in enumerate(groups, start=1):
                own = [found.texts[number] for number in group]
                rows: list[dict[str, Any]] = [
                    {"group": name, line: found.lines[number], "text": text}
                    for number, text in zip(group, own, strict=True)
                ]
                if run.details:
                    explained = pipeline.explain([(own[0], text) for text in own], words=False)
                    for row, one in zip(rows, explained, strict=True):
                        row |= {"score": one.score, "why": why(one)}
                if run.as_json:
                    for row in rows:
                        del row["group"]
                    write({"group": name, "members": rows})
                else:
                    for row in rows:
                        write(row)
    found.say_cut(pipeline)
    within, texts_there = sum(map(len, groups)), counted(len(found.texts), "text")
    say(f"{counted(len(groups), 'group')} of {within} of {texts_there}")
