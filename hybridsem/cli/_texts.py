"""What the commands on files of texts share: reading them whole, writing tables of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import (
    at_work,
    counted,
    make_pipeline,
    refuse_existing,
    refuse_output,
    say,
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

Write = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Texts:
    """The usable texts of a file and their ``lines``, from 1, or rows of a columnar file:
    ``rows_are`` says which. ``skipped`` were no sentences.
    """

    name: str
    rows_are: str
    texts: list[str]
    lines: list[int]
    skipped: int = 0

    def say_cut(self, pipeline: Pipeline) -> None:
        """Say which texts are longer than the pipeline reads, if any are."""
        flags = pipeline.truncated(self.texts)
        lines = [line for line, cut in zip(self.lines, flags, strict=True) if cut]
        say_cut(self.name, self.rows_are, lines)


def prepared(
    output: str,
    as_json: bool,
    force: bool,
    *inputs: str | None,
    endings: Sequence[str] = ENDINGS,
) -> None:
    """:class:`InputError` early for an output that cannot be written, whose name has another
    ending, or that would replace one of the inputs or, without ``force``, any file.
    """
    from pathlib import Path

    refuse_output(output, *(name for name in inputs if name not in (None, "-")))
    if as_json and output != "-":
        raise click.UsageError("--json prints on standard output; leave out -o, or name a .jsonl")
    if output != "-" and Path(output).suffix.lower() not in endings:
        raise InputError(f"the output must end in one of {', '.join(endings)}, got {output!r}")
    refuse_existing(output, force)


def read_texts(path: str, column: str | None, on_error: str, encoding: str) -> Texts:
    """The texts of a file; :class:`FormatError` names the line of one that is no sentence, unless
    ``on_error`` is ``skip``.
    """
    from hybridsem._utils.validation import problem
    from hybridsem.tables.texts import open_texts

    reader = open_texts(path, column=column, encoding=encoding)
    texts: list[str] = []
    lines: list[int] = []
    skipped = 0
    for row in reader:
        if (what := problem(row.text)) is None:
            texts.append(row.text)
            lines.append(row.line)
        elif on_error == "skip":
            skipped += 1
        else:
            raise FormatError(
                f"{what} (--on-error skip leaves such rows out)",
                reader.name,
                row.line,
                reader.rows_are,
            )
    if not texts:
        raise InputError(f"no texts, got {path!r}")
    if skipped:
        say(f"{skipped} of {skipped + len(texts)} {reader.rows_are}s of {reader.name} left out")
    return Texts(reader.name, reader.rows_are, texts, lines, skipped)


def usable(reader: TextsReader, on_error: str = "fail", *, hint: bool = True) -> Iterator[Any]:
    """The texts of a file; what is none ends the run with the file and the line, or with ``skip``
    is given as it is.
    """
    from hybridsem._utils.validation import problem

    for row in reader:
        if on_error == "fail" and (why := problem(row.text)) is not None:
            why += " (--on-error skip leaves such rows out)" if hint else ""
            raise FormatError(why, reader.name, row.line, reader.rows_are)
        yield row.text


def say_cut(name: str, rows_are: str, lines: Sequence[int]) -> None:
    """Say which rows of a file have texts that are longer than the model reads, if any have."""
    if lines:
        shown = ", ".join(map(str, lines[:LISTED])) + (", …" if len(lines) > LISTED else "")
        texts = f"{counted(len(lines), 'text')} of {name}"
        say(f"{texts} cut: longer than the encoder reads ({rows_are} {shown})")


@contextmanager
def naming_rows(*files: Texts) -> Iterator[None]:
    """Errors that name texts by their numbers from 0 name them by file and line instead."""
    try:
        yield
    except ParseError as error:
        if not error.rows:
            raise
        of = [files[min(at, len(files) - 1)] for at in range(len(error.rows))]
        one, *rest = zip(of, error.rows, strict=True)
        also = "".join(f", with {f.rows_are} {f.lines[row]} of {f.name}" for f, row in rest)
        raise FormatError(
            f"{error.reason}{also} (--on-error skip leaves such rows out)",
            one[0].name,
            one[0].lines[one[1]],
            one[0].rows_are,
        ) from None


@contextmanager
def _using_cache(pipeline: Pipeline, folder: str | None) -> Iterator[None]:
    """Have the pipeline keep what it reads, on disk too where a folder is named."""
    if folder is None:
        with pipeline.remembering():
            yield
        return
    from hybridsem.batch.cache import store_in
    from hybridsem.batch.identity import named_settings
    from hybridsem.reader import SENTENCES_HELD

    store = store_in(folder, named_settings(pipeline, "a cache on disk serves other runs"))
    try:
        pipeline.remember(SENTENCES_HELD, store)
        yield
    finally:
        pipeline.remember(0)
        store.close()


@dataclass(frozen=True)
class Run:
    """The options that the commands that compare texts share."""

    output: str
    column: str | None
    encoding: str
    on_error: str
    cache: str | None
    force: bool
    as_json: bool
    engine: str
    address: str | None
    parts: dict[str, str | None]
    details: bool = False

    def pipeline(self, *inputs: str | None) -> Pipeline:
        """The pipeline; :class:`InputError` first for an output that cannot be written."""
        prepared(self.output, self.as_json, self.force, *inputs)
        return make_pipeline(self.parts)

    def read(self, path: str, column: str | None = None) -> Texts:
        """The texts of a file."""
        return read_texts(path, column or self.column, self.on_error, self.encoding)

    @contextmanager
    def at_work(self, pipeline: Pipeline, *files: Texts) -> Iterator[None]:
        """Have the pipeline keep what it reads, the engine read it, and errors name the rows."""
        with (
            _using_cache(pipeline, self.cache),
            at_work(pipeline, self.engine, self.address),
            naming_rows(*files),
        ):
            yield

    def table(self, columns: Mapping[str, type]) -> AbstractContextManager[Write]:
        """A function that writes a row of the output."""
        return table(self.output, columns, self.as_json)


TEXT_OPTIONS = (opt.COLUMN, opt.ENCODING, opt.on_error_option(), opt.CACHE, opt.FORCE, opt.JSON)


def text_options(what: str, engine: str, *more: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that compares texts, which it takes as a :class:`Run`: what its
    output holds, what its engine does, and others.
    """
    output = f"File for {what}: .csv, .tsv, .jsonl or .parquet; - is standard output, as csv."
    return opt.grouped(
        Run, opt.output_option(output), *more, *TEXT_OPTIONS, opt.engine_options(engine)
    )


def why(explanation: Explanation) -> str:
    """The differences between two sentences in a line: each edit with its words and what it takes
    off.
    """
    lines = [match for match in explanation.matches if match.filler1 or match.filler2]
    return "; ".join(
        f"{match.label}: {match.filler1 or 'nothing'} ↔ {match.filler2 or 'nothing'} "
        f"({match.contribution:+.3f})"
        for match in lines
        if match.contribution
    )


@contextmanager
def table(
    output: str, columns: Mapping[str, type], as_json: bool = False, what: str = "the results"
) -> Iterator[Write]:
    """A function that writes a row: to a file that is there whole or not at all, or to standard
    output. JSON objects have what the row has, tables the columns.

    Args:
        output: Its name says the format; ``-`` is standard output, as csv.
        columns: Their names and types.
        as_json: Print JSON objects.
        what: The rows are called in messages.
    """
    import sys
    from pathlib import Path

    from hybridsem._utils.disk import saving
    from hybridsem.tables.text import JSON_LINES
    from hybridsem.tables.writers import Output, TextWriter, open_writer

    is_json = as_json or Path(output).suffix.lower() in LINES
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
    """The rows in lists of ``size``, the last one shorter."""
    from itertools import islice

    while chunk := list(islice(rows, size)):
        yield chunk
