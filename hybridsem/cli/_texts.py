"""Helpers of the commands on files of texts: reading them whole, writing tables of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import (
    counted,
    echo_err,
    executor_context,
    make_pipeline,
    refuse_existing,
    refuse_output,
)
from hybridsem.errors import FormatError, InputError, ParseError

if TYPE_CHECKING:
    from hybridsem.explanations import Explanation
    from hybridsem.pipeline import Pipeline
    from hybridsem.tables.texts import TextsReader
    from hybridsem.tables.writers import RowWriter

TABLES = (".csv", ".tsv")
LINES = (".jsonl", ".ndjson")
PARQUET = ".parquet"
PLAIN = (".txt",)
ENDINGS = (*TABLES, *LINES, PARQUET)
LISTED = 5
SKIP = "(--on-error skip leaves such rows out)"

Write = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Texts:
    """The usable texts of a file with the number of each, from 1: its line, or its row in a
    columnar file (``rows_are``).
    """

    name: str
    rows_are: str
    texts: list[str]
    lines: list[int]

    def report_truncated(self, pipeline: Pipeline) -> None:
        """Report texts that are longer than the pipeline reads."""
        flags = pipeline.truncated(self.texts)
        lines = [line for line, cut in zip(self.lines, flags, strict=True) if cut]
        report_truncated(self.name, self.rows_are, lines)


def check_output(
    output: str, force: bool, *inputs: str | None, endings: Sequence[str] = ENDINGS
) -> None:
    """Raise early if the output cannot be written, has another ending, or would replace an input
    or, without ``force``, any file.
    """
    from pathlib import Path

    refuse_output(output, *(name for name in inputs if name not in (None, "-")))
    if output != "-" and Path(output).suffix.lower() not in endings:
        raise InputError(f"the output must end in one of {', '.join(endings)}, got {output!r}")
    refuse_existing(output, force)


def usable(reader: TextsReader, on_error: str = "fail", *, hint: bool = True) -> Iterator[Any]:
    """Yield the texts of a file; an unusable one raises with its line, unless ``skip``."""
    from hybridsem._utils.validation import problem

    for row in reader:
        if on_error == "fail" and (why := problem(row.text)) is not None:
            why += f" {SKIP}" if hint else ""
            raise FormatError(why, reader.name, row.line, reader.rows_are)
        yield row.text


def report_truncated(name: str, rows_are: str, lines: Sequence[int]) -> None:
    """Report the rows of a file whose texts are longer than the model reads, if any."""
    if lines:
        shown = ", ".join(map(str, lines[:LISTED])) + (", …" if len(lines) > LISTED else "")
        texts = f"{counted(len(lines), 'text')} of {name}"
        echo_err(f"{texts} cut: longer than the encoder reads ({rows_are} {shown})")


@contextmanager
def naming_rows(*files: Texts) -> Iterator[None]:
    """Make errors that name texts by number name them by file and line."""
    try:
        yield
    except ParseError as error:
        if not error.rows:
            raise
        of = [files[min(at, len(files) - 1)] for at in range(len(error.rows))]
        one, *rest = zip(of, error.rows, strict=True)
        also = "".join(f", with {f.rows_are} {f.lines[row]} of {f.name}" for f, row in rest)
        file, row = one
        reason = f"{error.reason}{also} {SKIP}"
        raise FormatError(reason, file.name, file.lines[row], file.rows_are) from None


@contextmanager
def using_cache(pipeline: Pipeline, folder: str | None) -> Iterator[None]:
    """Remember sentences within the body, also on disk if a folder is given."""
    from hybridsem.batch.cache import store_in
    from hybridsem.batch.identity import named_settings
    from hybridsem.reader import SENTENCES_HELD

    store = None
    if folder is not None:
        store = store_in(folder, named_settings(pipeline, "a cache on disk serves other runs"))
    try:
        pipeline.remember(SENTENCES_HELD, store)
        yield
    finally:
        pipeline.remember(0)
        if store is not None:
            store.close()


@dataclass(frozen=True)
class Run:
    """The options that the commands on texts share."""

    output: str = "-"
    column: str | None = None
    encoding: str = "utf-8"
    on_error: str = "fail"
    cache: str | None = None
    force: bool = False
    engine: str = "local"
    address: str | None = None
    parts: dict[str, str | None] = field(default_factory=dict)
    details: bool = False
    ids: str | None = None

    def pipeline(self, *inputs: str | None, endings: Sequence[str] = ENDINGS) -> Pipeline:
        """Return the pipeline, after checks of the output."""
        if opt.wants_json() and self.output != "-":
            raise click.UsageError(
                "--json prints on standard output; leave out -o, or name a .jsonl"
            )
        check_output(self.output, self.force, *inputs, endings=endings)
        return make_pipeline(self.parts)

    def read(self, path: str) -> Texts:
        """Return the usable texts of a file; :class:`FormatError` names the line of an unusable
        one, unless ``on_error`` is ``skip``.
        """
        from hybridsem._utils.validation import problem
        from hybridsem.tables.texts import open_texts

        reader = open_texts(path, column=self.column, encoding=self.encoding)
        found = [(row, problem(row.text)) for row in reader]
        kept = [row for row, why in found if why is None]
        for row, why in found:
            if why is not None and self.on_error == "fail":
                raise FormatError(f"{why} {SKIP}", reader.name, row.line, reader.rows_are)
        if not kept:
            raise InputError(f"no texts, got {path!r}")
        if skipped := len(found) - len(kept):
            echo_err(f"{skipped} of {len(found)} {reader.rows_are}s of {reader.name} left out")
        texts, lines = [row.text for row in kept], [row.line for row in kept]
        return Texts(reader.name, reader.rows_are, texts, lines)

    @contextmanager
    def reading(self, pipeline: Pipeline, *files: Texts) -> Iterator[None]:
        """Use the cache and the engine within the body; errors name the rows of the files."""
        with (
            using_cache(pipeline, self.cache),
            executor_context(pipeline, self.engine, self.address),
            naming_rows(*files),
        ):
            yield

    def table(self, columns: Mapping[str, type]) -> AbstractContextManager[Write]:
        """Return a function that writes a row of the output."""
        return table(self.output, columns)


def difference(explanation: Explanation) -> dict[str, Any]:
    """Return the differences of two sentences as a column: ``explanation`` as data with
    ``--json``, else ``why`` as a line of edits, each with its words and contribution.
    """
    if opt.wants_json():
        return {"explanation": explanation.to_dict()}
    return {"why": why(explanation)}


def why(explanation: Explanation) -> str:
    """Return the differences of two sentences on a line."""
    return "; ".join(
        f"{match.label}: {match.filler1 or 'nothing'} ↔ {match.filler2 or 'nothing'} "
        f"({match.contribution:+.3f})"
        for match in explanation.matches
        if match.contribution and (match.filler1 or match.filler2)
    )


@contextmanager
def table(
    output: str, columns: Mapping[str, type], what: str = "the results", as_json: bool = False
) -> Iterator[Write]:
    """Yield a function that writes a row: to a file, which appears when it is complete, or to
    standard output. JSON objects have all values of the row, tables the columns.
    """
    import sys
    from pathlib import Path

    from hybridsem._utils.disk import saving
    from hybridsem.tables.text import JSON_LINES
    from hybridsem.tables.writers import Output, TextWriter, open_writer

    printed = as_json or opt.wants_json()
    is_json = (printed and output == "-") or Path(output).suffix.lower() in LINES
    of = Output(()) if is_json else Output((), tuple(columns), columns, compression="snappy")
    with ExitStack() as stack:
        if output == "-":
            writer: RowWriter = TextWriter(sys.stdout, JSON_LINES if is_json else ",", of)
        else:
            part = stack.enter_context(saving(output, what))
            writer = stack.enter_context(open_writer(part, Path(output), of))
        if is_json:
            yield lambda row: writer.write([(row, (), None)])
        else:
            yield lambda row: writer.write([({}, [row.get(name) for name in columns], None)])


def in_chunks(rows: Iterator[Any], size: int) -> Iterator[Sequence[Any]]:
    """Yield the rows in lists of ``size``, the last one shorter."""
    from itertools import islice

    while chunk := list(islice(rows, size)):
        yield chunk
