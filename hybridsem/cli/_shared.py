"""Helpers of the commands: pipelines and engines from options, texts from files, outputs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from hybridsem._typing import Plain
from hybridsem._utils.disk import real, saving
from hybridsem._utils.terminal import visible_lines
from hybridsem.cli._options import is_quiet, wants_json
from hybridsem.errors import FormatError, InputError, ParseError
from hybridsem.errors import counted as counted

if TYPE_CHECKING:
    from hybridsem.batch.executors import RayEngine
    from hybridsem.explanations import Explanation
    from hybridsem.pipeline import Pipeline
    from hybridsem.reader import Reader
    from hybridsem.tables.readers import TextRow, TextsReader
    from hybridsem.tables.writers import RowWriter

Parts = dict[str, str | None]
RowT = TypeVar("RowT")
ModelT = TypeVar("ModelT")
TABLES = (".csv", ".tsv")
LINES = (".jsonl", ".ndjson")
PARQUET = ".parquet"
PLAIN = (".txt",)
ENDINGS = (*TABLES, *LINES, PARQUET)
LISTED = 5
SKIP = " (--on-error skip leaves such rows out)"


def ray_engine(model: ModelT, engine: str, address: str | None) -> RayEngine[ModelT] | None:
    """Return the engine of ``--engine ray``, None for ``local``."""
    if engine == "local":
        if address is not None:
            raise click.UsageError("--address is for --engine ray")
        return None
    from hybridsem.batch.executors import RayEngine
    from hybridsem.batch.identity import maker_of

    return RayEngine(maker_of(model), address)


@contextmanager
def executor_context(reader: Reader, engine: str, address: str | None) -> Iterator[None]:
    """Let the engine read sentences within the body."""
    with ExitStack() as stack:
        if (executor := ray_engine(reader, engine, address)) is not None:
            stack.enter_context(closing(executor))
            stack.enter_context(reader.executing(executor))
        yield


def make_pipeline(parts: Parts) -> Pipeline:
    """Return the pipeline of the given parts."""
    from hybridsem.pipeline import Pipeline

    given: Plain = {name: value for name, value in parts.items() if value is not None}
    return Pipeline(**given)


def show(value: object, text: object) -> None:
    """Print a value as JSON with ``--json``, else a text."""
    click.echo(json_text(value) if wants_json() else text)


def json_text(value: object) -> str:
    """Return JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def refuse_output(
    output: str,
    *inputs: str | None,
    force: bool = True,
    exists: str = "the output exists",
    endings: Sequence[str] = (),
) -> None:
    """Raise :class:`InputError` for an output that cannot or must not be written."""
    if output == "-":
        return
    path = real(output)
    if not path.parent.is_dir():
        raise InputError(f"the output's folder does not exist, got {output!r}")
    if path in (real(given) for given in inputs if given not in (None, "-")):
        raise InputError(f"the output would replace an input, got {output!r} for both")
    if path.exists() and not force:
        them = "them" if exists.endswith("exist") else "it"
        raise InputError(f"{exists}, got {output!r}; --force replaces {them}")
    if endings and Path(output).suffix.lower() not in endings:
        raise InputError(f"the output must end in one of {', '.join(endings)}, got {output!r}")


_NAMED = re.compile(
    r"\b(?P<name>\w+)(?P<equals>=(?:True)?)? \((?P<option>--(?P<plain>[\w-]+)(?:[^\w()-][^()]*)?)\)"
)
_EITHER = re.compile(r"\b\w+='\w+', or (--[\w-]+ \w+),")
_ARGUMENT = re.compile(r"(?<![\w'\"(,.])(normalise|frames|columns)=(?=\s)")


def as_cli_message(message: str) -> str:
    """Return a message with command-line options in place of Python's arguments."""

    def option(found: re.Match[str]) -> str:
        named = found["equals"] or found["name"].replace("_", "-") == found["plain"]
        return found["option"] if named else found[0]

    return _ARGUMENT.sub(r"--\1", _EITHER.sub(r"\1", _NAMED.sub(option, message)))


def echo_err(text: object) -> None:
    """Print a message on standard error; control characters in it do not act."""
    click.echo(visible_lines(str(text)), err=True)


def echo_summary(text: object) -> None:
    """Print a summary on standard error, unless ``--quiet``."""
    if not is_quiet():
        echo_err(text)


def write(path: str, lines: Iterable[str], what: str) -> None:
    """Write texts or lines with their ends to a file, replacing it; ``-`` is standard output."""
    if path == "-":
        for line in lines:
            click.echo(line, nl=False)
        return
    how: Plain = {"encoding": "utf-8", "errors": "backslashreplace", "newline": ""}
    with saving(path, what) as part, part.open("w", **how) as stream:
        stream.writelines(lines)


# -- files of texts and tables of results

Write = Callable[[Mapping[str, object]], None]


@dataclass(frozen=True)
class Texts:
    """The usable texts of a file with the line or row of each, from 1, and the ids if it has any:
    whole numbers, or else texts.
    """

    name: str
    rows_are: str
    texts: list[str]
    lines: list[int]
    ids: Sequence[int | str]

    def report_truncated(self, pipeline: Pipeline) -> None:
        """Report texts that are longer than the pipeline reads."""
        flags = pipeline.truncated(self.texts)
        lines = [line for line, cut in zip(self.lines, flags, strict=True) if cut]
        report_truncated(self.name, self.rows_are, lines)


def checked(
    reader: TextsReader, on_error: str, hint: str = SKIP, rows: Iterable[TextRow] | None = None
) -> Iterator[tuple[TextRow, bool]]:
    """Yield rows and whether each has a usable text; others raise unless ``on_error`` is skip."""
    from hybridsem._utils.validation import problem

    for row in reader if rows is None else rows:
        why = problem(row.text)
        if why is not None and on_error == "fail":
            raise FormatError(f"{why}{hint}", reader.name, row.line, reader.rows_are)
        yield row, why is None


def report_truncated(name: str, rows_are: str, lines: Sequence[int]) -> None:
    """Report the rows of a file whose texts are longer than the model reads, if any."""
    if lines:
        texts = f"{counted(len(lines), 'text')} of {name}"
        echo_err(f"{texts} cut: longer than the encoder reads ({rows_are} {some_of(lines)})")


def some_of(lines: Sequence[int]) -> str:
    """Return the first few numbers of lines."""
    return ", ".join(map(str, lines[:LISTED])) + (", …" if len(lines) > LISTED else "")


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
        reason = f"{error.reason}{also}{SKIP}"
        raise FormatError(reason, file.name, file.lines[row], file.rows_are) from None


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
    parts: Parts = field(default_factory=dict)
    details: bool = False
    ids: str | None = None

    @property
    def how(self) -> Plain:
        """The arguments of methods on many texts."""
        return {"on_error": self.on_error, "progress": not is_quiet()}

    def pipeline(self, *inputs: str | None, endings: Sequence[str] = ENDINGS) -> Pipeline:
        """Return the pipeline, after checks of the output."""
        if wants_json() and self.output != "-":
            why = "--json prints on standard output; leave out -o, or name a .jsonl"
            raise click.UsageError(why)
        refuse_output(self.output, *inputs, force=self.force, endings=endings)
        return make_pipeline(self.parts)

    def read(self, path: str) -> Texts:
        """Return the usable texts of a file, checked as by :func:`checked`."""
        from hybridsem.tables.readers import open_texts

        reader = open_texts(path, column=self.column, id_column=self.ids, encoding=self.encoding)
        found = list(checked(reader, self.on_error))
        kept = [row for row, is_usable in found if is_usable]
        if not kept:
            raise InputError(f"no texts, got {path!r}")
        if skipped := len(found) - len(kept):
            echo_err(f"{skipped} of {len(found)} {reader.rows_are}s of {reader.name} left out")
        texts, lines = [row.text for row in kept], [row.line for row in kept]
        kind = int if all(isinstance(row.id, int) for row in kept) else str
        ids = [] if self.ids is None else [kind(row.id) for row in kept]
        return Texts(reader.name, reader.rows_are, texts, lines, ids)

    @contextmanager
    def reading(self, pipeline: Pipeline, *files: Texts) -> Iterator[None]:
        """Use the cache and the engine within the body; errors name the rows of the files."""
        from hybridsem.batch.cache import caching

        executing = executor_context(pipeline.reader, self.engine, self.address)
        with caching(pipeline, self.cache), executing, naming_rows(*files):
            yield


def difference(explanation: Explanation) -> dict[str, object]:
    """Return the differences of two sentences as a column, as data with ``--json``."""
    if wants_json():
        return {"explanation": explanation.to_dict()}
    return {"why": why(explanation)}


def why(explanation: Explanation) -> str:
    """Return the differences of two sentences on a line."""
    return "; ".join(
        f"{match.label}: {match.filler1 or 'nothing'} ↔ {match.filler2 or 'nothing'} "
        f"({match.contribution:+.3f})"
        for match in explanation.matches
        if match.contribution and (match.filler1 or match.filler2) and (match.weighs or match.edits)
    )


@contextmanager
def table(
    output: str, columns: Mapping[str, type], what: str = "the results", as_json: bool = False
) -> Iterator[Write]:
    """Yield a function that writes a row, to a file that appears when complete or to the screen."""
    import sys

    from hybridsem.tables.text import JSON_LINES
    from hybridsem.tables.writers import Output, TextWriter, open_writer

    printed = as_json or wants_json()
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


def in_chunks(rows: Iterator[RowT], size: int) -> Iterator[list[RowT]]:
    """Yield the rows in lists of ``size``, the last one shorter."""
    while chunk := list(islice(rows, size)):
        yield chunk
