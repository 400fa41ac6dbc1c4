"""``hybridsem rank``, ``mine``, ``cluster`` and ``dedup``: texts of files and their likes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from hybridsem._typing import Plain
from hybridsem._utils.disk import saving
from hybridsem._utils.lines import LineReader, plain_suffix
from hybridsem._utils.validation import problem
from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.cli._shared import PARQUET, PLAIN, Run, Texts, counted
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.search.duplicates import Dropped, Duplicates
from hybridsem.search.ranking import RankedDocument
from hybridsem.search.ranking import rank as ranked
from hybridsem.tables.arrow import parquet_batches
from hybridsem.tables.readers import open_texts

TOGETHER = 256  # pairs explained at once
KEPT = "kept "  # before the names of columns that are of the kept record
BINARY = (".arrow", ".feather", ".xlsx")


@click.command()
@click.argument("query")
@click.argument("documents", type=opt.INPUT)
@opt.declared("rank", Run)
def rank(query: str, documents: str, queries: bool, top_k: int, run: Run) -> None:
    """Order the texts of DOCUMENTS by their scores with QUERY, best first.

    DOCUMENTS is a file with a text per line, or with a column of texts: .csv, .tsv, .jsonl,
    .parquet, .arrow, .feather, .xlsx; also .gz, .zst; - is standard input. Lines are numbered from
    1, as are the rows of columnar files.
    """
    if not queries and (reason := problem(query)) is not None:
        raise InputError(f"the query: {reason}")
    pipeline = run.pipeline(documents, query if queries else None)
    corpus = run.read(documents)
    query_file = run.read(query) if queries else None
    asked = [query] if query_file is None else query_file.texts
    line = corpus.rows_are
    columns = {"query": str, "rank": int, line: int, "score": float, "text": str}
    if run.details:
        columns["why"] = str
    with run.reading(pipeline), ui.table(run.output, columns) as write:
        near = pipeline.reader.near(corpus.texts) if 0 < top_k < len(corpus.texts) else None
        how: Plain = {"top_k": top_k or None, "return_documents": False, "explain": run.details}
        how |= {"documents": corpus.texts, "on_error": run.on_error, "near": near}
        ranks = partial(_ranker, how=how)
        each = ([one_query] for one_query in asked)
        reader = pipeline.reader
        # An engine reads the documents of a single query, and ranks several.
        rankings = reader.map(ranks, each) if len(asked) > 1 else map(ranks(reader), each)
        for one_query in asked:
            with ui.naming_rows(corpus):
                (ranking,) = next(rankings)
            for place, hit in enumerate(ranking, start=1):
                number = hit["corpus_id"]
                row: dict[str, object] = {"query": one_query, "rank": place}
                row |= {line: corpus.lines[number], "score": hit["score"]}
                row["text"] = corpus.texts[number]
                write(row | (ui.difference(hit["explanation"]) if run.details else {}))
    for file in filter(None, (query_file, corpus)):
        file.report_truncated(pipeline)


def _ranker(reader: Reader, how: Plain) -> Callable[[Sequence[str]], list[list[RankedDocument]]]:
    return partial(ranked, reader, **how)


@click.command()
@click.argument("texts", type=opt.INPUT)
@click.argument("others", required=False, type=opt.INPUT)
@opt.declared("mine", Run)
def mine(texts: str, others: str | None, run: Run, **limits: Any) -> None:
    """Find all pairs of TEXTS, or of TEXTS with OTHERS, that score the threshold or more, each
    once. Texts with other figures, codes or operators are not compared.

    Files as for `rank`. Pairs are printed as they are found; an output file appears when it is
    complete.
    """
    pipeline = run.pipeline(texts, others).without_pair_reader()
    first = run.read(texts)
    second = first if others is None else run.read(others)
    count = 0
    columns: dict[str, type] = {f"{first.rows_are}1": int, f"{second.rows_are}2": int}
    columns |= {"score": float, "text1": str, "text2": str}
    if run.details:
        columns["why"] = str
    with run.reading(pipeline, first, second), ui.table(run.output, columns) as write:
        beside = None if others is None else second.texts
        matches = pipeline.mine(first.texts, beside, **limits, **run.how)
        for chunk in ui.in_chunks(matches, TOGETHER if run.details else 1):
            pairs = [(first.texts[match.first], second.texts[match.second]) for match in chunk]
            added: list[dict[str, object]] = [{}] * len(chunk)
            if run.details:
                added = list(map(ui.difference, pipeline.explain(pairs, words=False)))
            for match, pair, more in zip(chunk, pairs, added, strict=True):
                lines = first.lines[match.first], second.lines[match.second]
                write(dict(zip(columns, (*lines, match.score, *pair), strict=False)) | more)
                count += 1
    for file in (first,) if second is first else (first, second):
        file.report_truncated(pipeline)
    size = counted(len(second.texts), "text")
    size = size if second is first else f"{len(first.texts)} and {size}"
    ui.echo_summary(f"{counted(count, 'pair')} of {size}")


@click.command()
@click.argument("texts", type=opt.INPUT)
@opt.declared("cluster", Run)
def cluster(texts: str, threshold: float, min_size: int, run: Run) -> None:
    """Group TEXTS, a file as for `rank`: a centre with the texts that score the threshold or more
    with it, the largest group first.

    Groups are numbered from 1; the centre comes first in each. With --json a line is a group. Texts
    without a group are not listed.
    """
    pipeline = run.pipeline(texts).without_pair_reader()
    corpus = run.read(texts)
    line = corpus.rows_are
    columns: dict[str, type] = {"group": int, line: int, "text": str}
    if run.details:
        columns |= {"score": float, "why": str}
    with run.reading(pipeline, corpus):
        groups = pipeline.cluster(corpus.texts, threshold=threshold, min_size=min_size, **run.how)
        with ui.table(run.output, columns) as write:
            for name, group in enumerate(groups, start=1):
                own = [corpus.texts[number] for number in group]
                lines = (corpus.lines[number] for number in group)
                rows: list[Plain] = [{line: n, "text": t} for n, t in zip(lines, own, strict=True)]
                if run.details:
                    explained = pipeline.explain([(own[0], text) for text in own], words=False)
                    for row, explanation in zip(rows, explained, strict=True):
                        row |= {"score": explanation.score, "why": ui.why(explanation)}
                grouped: list[Plain] = [{"members": rows}]
                for row in grouped if opt.wants_json() else rows:
                    write({"group": name, **row})
    corpus.report_truncated(pipeline)
    members = {corpus.texts[number] for group in groups for number in group}
    of = f"{len(members)} of {counted(len({*corpus.texts}), 'text')}{repetitions(corpus.texts)}"
    ui.echo_summary(f"{counted(len(groups), 'group')} of {of}")


def repetitions(texts: Sequence[str]) -> str:
    """Return a note on identical texts, which summaries count once."""
    again = len(texts) - len({*texts})
    return f" ({counted(again, 'repetition')} not counted)" if again else ""


@click.command()
@click.argument("texts", type=opt.INPUT)
@opt.declared("dedup", Run)
def dedup(texts: str, dropped: str | None, run: Run, **how: Any) -> None:
    """Drop the records of TEXTS with the same meaning as one that is kept.

    A record is dropped only if every difference is known not to matter, such as case, punctuation,
    spelling or a synonym. Whatever else differs keeps both: a number, code, sign, name or word.

    Files as for `rank`. If the output has the format of TEXTS, kept records are written unchanged
    with all their columns; otherwise as a table of lines and texts. With --json the groups are
    printed, one per line.
    """
    output = "" if opt.wants_json() and run.output == "-" else run.output
    for name in filter(None, (output, dropped)):
        endings = (*ui.ENDINGS, *PLAIN) if name == output else ui.ENDINGS
        ui.refuse_output(name, texts, force=run.force, endings=endings)
    if dropped is not None and dropped == output:
        raise InputError(f"two outputs are one file, got {dropped!r} for both")
    pipeline = ui.make_pipeline(run.parts)
    corpus = run.read(texts)
    with run.reading(pipeline, corpus):
        duplicates = pipeline.deduplicate(corpus.texts, **how, **run.how)
    if dropped is not None:
        with ui.table(dropped, _columns(corpus)) as write:
            for record in duplicates.dropped:
                write(_dropped(corpus, record, kept=True))
    if output:
        _write_kept(output, texts, run, corpus, duplicates)
    if opt.wants_json():
        for group in duplicates.groups:
            members = [_dropped(corpus, record, kept=False) for record in group.dropped]
            click.echo(ui.json_text({**_record(corpus, group.kept), "dropped": members}))
    corpus.report_truncated(pipeline)
    kept = {corpus.texts[number] for number in duplicates.kept}
    gone = {corpus.texts[record.number] for record in duplicates.dropped} - kept
    of = counted(len({*corpus.texts}), "text")
    again = repetitions(corpus.texts)
    ui.echo_summary(f"{len(kept)} of {of} kept, {len(gone)} dropped{again}")
    if duplicates.unread:
        ui.echo_err(f"kept without a structure: {counted(len(duplicates.unread), 'record')}")


def _columns(corpus: Texts) -> dict[str, type]:
    of_record: dict[str, type] = {corpus.rows_are: int}
    if corpus.ids:
        of_record["id"] = type(corpus.ids[0])
    of_record["text"] = str
    of_kept = {f"{KEPT}{name}": kind for name, kind in of_record.items()}
    return of_record | of_kept | {"score": float, "probability": float, "reason": str}


def _record(corpus: Texts, number: int, before: str = "") -> Plain:
    """Return a record's line, its id if it has one, and its text; ``before`` is of their names."""
    names = {corpus.rows_are: corpus.lines, "id": corpus.ids, "text": corpus.texts}
    return {f"{before}{name}": cells[number] for name, cells in names.items() if cells}


def _dropped(corpus: Texts, record: Dropped, kept: bool) -> Plain:
    """Return a dropped record, with the ``kept`` one if wanted."""
    partner = _record(corpus, record.partner, KEPT) if kept else {}
    about = {name: getattr(record, name) for name in ("score", "probability", "reason")}
    return {**_record(corpus, record.number), **partner, **about}


def _write_kept(output: str, texts: str, run: Run, corpus: Texts, duplicates: Duplicates) -> None:
    """Write the kept records of the file ``texts`` to ``output``, whose name gives the format."""
    lines = {corpus.lines[number] for number in duplicates.kept}
    given = plain_suffix(texts)
    wanted = given if output == "-" else Path(output).suffix.lower()
    if wanted == PARQUET and given == PARQUET:
        with saving(output, "the records") as part:
            _copy_rows(Path(texts), part, lines)
    elif wanted == given and given not in (PARQUET, *BINARY) and texts != "-":
        ui.write(output, _lines_of(texts, run, lines), "the records")
    elif wanted in PLAIN or output == "-":
        kept = (f"{corpus.texts[number]}\n" for number in duplicates.kept)
        ui.write(output, kept, "the records")
    else:
        with ui.table(output, {corpus.rows_are: int, "text": str}) as write:
            for number in duplicates.kept:
                write({corpus.rows_are: corpus.lines[number], "text": corpus.texts[number]})


def _lines_of(texts: str, run: Run, kept: Collection[int]) -> Iterator[str]:
    """Yield the lines of the header and of the records that begin at the ``kept`` lines."""
    starts = iter([row.line for row in open_texts(texts, column=run.column, encoding=run.encoding)])
    start, following = 0, next(starts, None)
    blank: list[str] = []  # written only if the record goes on
    for number, line in LineReader(texts, encoding=run.encoding):
        if number == following:
            start, following = number, next(starts, None)
            blank = []
        if start == 0 or start in kept:
            blank.append(f"{line}\n")
            if line.strip():
                yield from blank
                blank = []


def _copy_rows(source: Path, target: Path, kept: Collection[int]) -> None:
    import pyarrow
    from pyarrow.parquet import ParquetFile, ParquetWriter

    row = 0
    with ParquetFile(source) as file, ParquetWriter(target, file.schema_arrow) as writer:
        for batch in parquet_batches(source, file):
            chosen = [row + at + 1 in kept for at in range(batch.num_rows)]
            writer.write_batch(batch.filter(pyarrow.array(chosen)))
            row += batch.num_rows
