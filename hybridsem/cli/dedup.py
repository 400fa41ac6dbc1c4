"""``hybridsem dedup``: the records of a file without duplicates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.cli._shared import ENDINGS, PARQUET, PLAIN, Run, counted, table
from hybridsem.cli.rank import repetitions
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from hybridsem.cli._shared import Texts
    from hybridsem.search.duplicates import Duplicates

BINARY = (".arrow", ".feather", ".xlsx")


@click.command(short_help="Drop records with the same meaning as another.")
@click.argument("texts", type=opt.INPUT)
@opt.declared("dedup")
@opt.run_options(Run, "dedup")
def dedup(texts: str, dropped: str | None, threshold: float, reworded: bool, run: Run) -> None:
    """Drop the records of TEXTS with the same meaning as one that is kept.

    Records with exchanged roles, another number or name, a negation or a condition stay.

    Files as for `rank`. If the output has the format of TEXTS, kept records are written unchanged
    with all their columns; otherwise as a table of lines and texts. With --json the groups are
    printed, one per line.
    """
    output = "" if opt.wants_json() and run.output == "-" else run.output
    for name in filter(None, (output, dropped)):
        endings = (*ENDINGS, *PLAIN) if name == output else ENDINGS
        ui.check_output(name, run.force, texts, endings=endings)
    if dropped is not None and dropped == output:
        raise InputError(f"two outputs are one file, got {dropped!r} for both")
    pipeline = ui.make_pipeline(run.parts)
    found = run.read(texts)
    with run.reading(pipeline, found):
        duplicates = pipeline.deduplicate(
            found.texts,
            threshold=threshold,
            reworded=reworded,
            on_error=run.on_error,
            progress=not opt.is_quiet(),
        )
    if dropped is not None:
        with table(dropped, _columns(found)) as write:
            for row in _rows(found, duplicates):
                write(row)
    if output:
        _write_kept(output, texts, run, found, duplicates)
    if opt.wants_json():
        for group in _groups(found, duplicates):
            click.echo(ui.json_text(group))
    found.report_truncated(pipeline)
    kept = {found.texts[number] for number in duplicates.kept}
    gone = {found.texts[one.number] for one in duplicates.dropped} - kept
    of = counted(len({*found.texts}), "text")
    again = repetitions(found.texts)
    ui.echo_summary(f"{len(kept)} of {of} kept, {len(gone)} dropped{again}")
    if duplicates.unread:
        ui.echo_err(f"kept without a structure: {counted(len(duplicates.unread), 'record')}")


def _columns(found: Texts) -> dict[str, type]:
    line = found.rows_are
    of_pair: dict[str, type] = {line: int, "text": str, f"kept {line}": int, "kept text": str}
    return of_pair | {"score": float, "probability": float, "reason": str}


def _rows(found: Texts, duplicates: Duplicates) -> Iterator[dict[str, Any]]:
    for one in duplicates.dropped:
        texts = (found.lines[one.number], found.texts[one.number])
        kept = (found.lines[one.partner], found.texts[one.partner])
        values = (*texts, *kept, one.score, one.probability, one.reason)
        yield dict(zip(_columns(found), values, strict=True))


def _groups(found: Texts, duplicates: Duplicates) -> Iterator[dict[str, Any]]:
    """Yield the groups as printed."""
    kept = f"kept {found.rows_are}", "kept text"
    groups: dict[int, dict[str, Any]] = {}
    for row in _rows(found, duplicates):
        group = groups.setdefault(
            row[kept[0]], {found.rows_are: row[kept[0]], "text": row[kept[1]], "dropped": []}
        )
        own = {name: value for name, value in row.items() if name not in kept}
        group["dropped"].append(own)
    yield from (groups[line] for line in sorted(groups))


def _write_kept(output: str, texts: str, run: Run, found: Texts, duplicates: Duplicates) -> None:
    """Write the kept records of the file ``texts`` to ``output``, whose name gives the format."""
    from pathlib import Path

    from hybridsem._utils.disk import saving
    from hybridsem._utils.lines import plain_suffix

    lines = {found.lines[number] for number in duplicates.kept}
    given = plain_suffix(texts)
    wanted = given if output == "-" else Path(output).suffix.lower()
    if wanted == PARQUET and given == PARQUET:
        with saving(output, "the records") as part:
            _copy_rows(Path(texts), part, lines)
    elif wanted == given and given not in (PARQUET, *BINARY) and texts != "-":
        ui.write_lines(output, _lines_of(texts, run, lines), "the records")
    elif wanted in PLAIN or output == "-":
        kept = (f"{found.texts[number]}\n" for number in duplicates.kept)
        ui.write_lines(output, kept, "the records")
    else:
        with table(output, {found.rows_are: int, "text": str}) as write:
            for number in duplicates.kept:
                write({found.rows_are: found.lines[number], "text": found.texts[number]})


def _lines_of(texts: str, run: Run, kept: Collection[int]) -> Iterator[str]:
    """Yield the lines of the header and of the records that begin at the ``kept`` lines, without
    blank lines after a record.
    """
    from hybridsem._utils.lines import LineReader
    from hybridsem.tables.texts import open_texts

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
    """Copy rows of a Parquet file, by their numbers from 1."""
    import pyarrow
    from pyarrow.parquet import ParquetFile, ParquetWriter

    from hybridsem.tables.arrow import parquet_batches

    row = 0
    with ParquetFile(source) as file, ParquetWriter(target, file.schema_arrow) as writer:
        for batch in parquet_batches(source, file):
            chosen = [row + at + 1 in kept for at in range(batch.num_rows)]
            writer.write_batch(batch.filter(pyarrow.array(chosen)))
            row += batch.num_rows
