"""``hybridsem index``: texts in a folder, ready to be searched; ``hybridsem search``: doing so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import tee
from typing import TYPE_CHECKING, Any

import click

from hybridsem.cli._options import (
    AT_LEAST_1,
    COLUMN,
    ENCODING,
    FORCE,
    JSON,
    engine_options,
    grouped,
    on_error_option,
    option,
    output_option,
    part_options,
    several,
)
from hybridsem.cli._shared import at_work, counted, json_text, make_pipeline, say
from hybridsem.cli._texts import in_chunks, usable
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from hybridsem.search.index import Hit, Index
    from hybridsem.tables.texts import TextsReader

__all__ = ["index", "search"]

FOLDER = click.argument("folder", metavar="INDEX", type=click.Path(file_okay=False))
IDS = option("--ids", "Column of the ids; rows are counted without.", metavar="NAME")
ROLES = ("agent", "verb", "patient", "theme", "time", "manner", "location", "trajectory")
QUERIES, SENT = 256, 16
"""Queries that are answered together, here and on a cluster."""


@dataclass(frozen=True)
class Reading:
    """How the texts of an index are read."""

    column: str | None = None
    encoding: str = "utf-8"
    ids: str | None = None
    on_error: str = "fail"
    engine: str = "local"
    address: str | None = None
    parts: Mapping[str, str | None] = field(default_factory=dict)

    def reader(self, path: str) -> TextsReader:
        """The texts of a file, with their ids if they have some."""
        from hybridsem.tables.texts import open_texts

        if path == "-" and self.ids is not None:
            raise InputError("standard input has a text a line and no ids; name a file")
        return open_texts(path, column=self.column, id_column=self.ids, encoding=self.encoding)


READING = (COLUMN, ENCODING, IDS, on_error_option(), engine_options("reads the texts"))


@click.group(short_help="Texts in a folder, ready to be searched: build, append, delete, export")
def index() -> None:
    """Keep texts, read once, in a folder: their vectors, who did what in each, their ids."""


@index.command(short_help="Read texts into a new index")
@click.argument("texts", type=click.Path(allow_dash=True))
@output_option("Folder of the index, a new one.", None, type=click.Path())
@option(
    "--precision",
    "Of the vectors on disk. Exact search is exact with each.",
    ("int8", "float16", "float32"),
    "int8",
)
@FORCE
@grouped(Reading, *READING, part_options)
def build(texts: str, output: str, precision: str, force: bool, run: Reading) -> None:
    """Read TEXTS, a file of a text a line (.txt), or with a column of texts (.csv, .tsv, .jsonl,
    .parquet, .arrow, .feather, .xlsx; also .gz, .zst), into an index.

    A run that was stopped goes on where it was when it is run again.
    """
    from hybridsem.search.index import Index

    reader, pipeline = run.reader(texts), make_pipeline(dict(run.parts))
    with at_work(pipeline, run.engine, run.address):
        made = Index.build(
            usable(reader, run.on_error),
            output,
            pipeline,
            ids=(row.id for row in run.reader(texts)) if run.ids else None,
            precision=precision,
            on_error=run.on_error,
            force=force,
            progress=True,
            total=_total(texts, reader),
        )
    say(f"{counted(len(made), 'text')} in {output}{_told(made)}")


@index.command(short_help="Add texts to an index")
@FOLDER
@click.argument("texts", type=click.Path(allow_dash=True))
@grouped(Reading, *READING)
def append(folder: str, texts: str, run: Reading) -> None:
    """Add TEXTS, a file as for `build`, all of them or, should it fail, none."""
    opened, reader = _opened(folder), run.reader(texts)
    named = (_id(opened, row.id) for row in run.reader(texts)) if run.ids else None
    with at_work(opened.nlp, run.engine, run.address):
        added = opened.append(
            usable(reader, run.on_error),
            ids=named,
            on_error=run.on_error,
            progress=True,
            total=_total(texts, reader),
        )
    say(f"{counted(added, 'text')} added; the index has {len(opened)}, in {folder}{_told(opened)}")


@index.command(short_help="Delete texts by their ids")
@FOLDER
@click.argument("ids", nargs=-1)
@option("--ids-from", "File with an id a line; - is standard input.", metavar="FILE")
@option("--ignore-missing", "An id that is not there is no error.", bool)
def delete(folder: str, ids: tuple[str, ...], ids_from: str | None, ignore_missing: bool) -> None:
    """Delete the texts with these IDS; `compact` gives their space back."""
    from hybridsem._utils.lines import LineReader

    wanted: list[Any] = list(ids)
    if ids_from is not None:
        wanted += [line.strip() for _, line in LineReader(ids_from) if line.strip()]
    if not wanted:
        raise click.UsageError("say which: IDS, or --ids-from FILE")
    opened = _opened(folder)
    if opened.numbered:
        wanted = [_number(one) for one in wanted]
    deleted = opened.delete(wanted, missing="ignore" if ignore_missing else "fail")
    say(f"{counted(deleted, 'text')} deleted; the index has {len(opened)}")


def _opened(folder: str) -> Index:
    from hybridsem.search.index import Index

    return Index.open(folder)


def _told(made: Index) -> str:
    """What could not be read as it should, if there is any."""
    found = made.info
    parts = [
        f"{found[name]} {name}"
        for name in ("cut", "not English", "without structure")
        if found[name]
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _id(opened: Index, given: Any) -> Any:
    """An id of the index's kind: those of .csv and .tsv files are texts, of others they may be
    numbers.
    """
    if opened.numbered:
        return _number(given) if isinstance(given, str) else given
    return str(given) if isinstance(given, int) else given


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"the ids of this index are whole numbers, got {text!r:.80}") from None


@index.command(short_help="Give the space of deleted texts back")
@FOLDER
def compact(folder: str) -> None:
    """Write the index as one part, without what was deleted; searches are quicker then."""
    opened = _opened(folder)
    opened.compact(progress=True)
    say(f"{counted(len(opened), 'text')}, {opened.info['bytes'] / 1e6:.1f} MB")


@index.command(short_help="Print what an index holds")
@FOLDER
@JSON
def info(folder: str, as_json: bool) -> None:
    """Print how many texts an index has, its size, and the model that made it."""
    found = _opened(folder).info
    if as_json:
        click.echo(json_text(found))
        return
    model = ", ".join(f"{name}={part}" for name, part in found["model"].items())
    shown = {**found, "model": model, "bytes": f"{found['bytes'] / 1e6:.1f} MB"}
    for name, value in shown.items():
        click.echo(f"{name:<20}{value}")


@index.command(short_help="An index as JSON lines, for another engine")
@FOLDER
@output_option("File to write, a new one.", None, type=click.Path())
def export(folder: str, output: str) -> None:
    """Write what another engine takes: texts, ids, a vector a sentence and one a role.

    A line is {"id", "text", "vector", "roles": {"agent": {"text", "vector"}, ...}}. Recipes for
    Qdrant, LanceDB, Vespa and pgvector are in docs/search.md.
    """
    from hybridsem.search.export import write_jsonl

    count = write_jsonl(_opened(folder), output, progress=True)
    say(f"{counted(count, 'text')} in {output}")


@click.command(short_help="Find texts of an index: by meaning, or by who did what")
@FOLDER
@click.argument("query", required=False)
@option("--queries", "File with a query a line; - is standard input.", metavar="FILE")
@several(*(option(f"--{role}", f"What is the {role}.", metavar="PHRASE") for role in ROLES))
@option("--top-k -k", "The so many best.", AT_LEAST_1, 10)
@option(
    "--by",
    "By the score, or by the query's main predicate and its roles as they stand.",
    ("meaning", "roles"),
    "meaning",
)
@option(
    "--approximate",
    "Score the nearest texts alone, by the kept vectors: quicker in a large index.",
    bool,
)
@option("--details", "Show what each score is made of.", bool)
@ENCODING
@engine_options("answers --queries, where every node sees INDEX")
@JSON
def search(
    folder: str,
    query: str | None,
    queries: str | None,
    top_k: int,
    by: str,
    approximate: bool,
    details: bool,
    encoding: str,
    engine: str,
    address: str | None,
    as_json: bool,
    **roles: str | None,
) -> None:
    """Find the texts of an INDEX that say what QUERY says, or in which somebody does something."""
    from hybridsem.search.index import searcher

    asked = {role: text for role, text in roles.items() if text is not None}
    if sum((query is not None, queries is not None, bool(asked))) != 1:
        raise click.UsageError("give one of: QUERY, --queries FILE, roles such as --agent")
    if engine != "local" and queries is None:
        raise click.UsageError("--engine ray is for many queries: --queries FILE")
    opened = _opened(folder)
    how: dict[str, Any] = {"by": by, "exact": not approximate}
    if asked:
        _show(None, opened.search(top_k=top_k, **asked), details, as_json)
        return
    how["explain"] = details and by == "meaning"
    if query is not None:
        _show(None, opened.search(query, top_k, **how), details, as_json)
        return
    assert queries is not None
    there = engine != "local"
    every = usable(Reading(encoding=encoding).reader(queries), hint=False)
    chunks, given = tee(in_chunks(every, SENT if there else QUERIES))
    seen = opened.contents.manifest
    searches = partial(searcher, path=opened.path, manifest=seen, top_k=top_k, how=how)
    with at_work(opened.nlp, engine, address):
        here = (opened.search(some, top_k, **how) for some in given)
        found = opened.nlp._map(searches, given) if there else here
        for some in chunks:
            for one, hits in zip(some, next(found), strict=True):
                _show(one, hits, details, as_json)


def _show(query: str | None, hits: list[Hit], details: bool, as_json: bool) -> None:
    from hybridsem._utils.terminal import visible_lines

    if as_json:
        about = {} if query is None else {"query": query}
        for hit in hits:
            click.echo(json_text(about | hit.to_dict()))
        return
    lines = [] if query is None else [query]
    for hit in hits:
        lines.append(f"{hit.score:.4f}  {hit.id}  {' '.join(hit.text.split())}")
        if details and hit.explanation is not None:
            lines += [f"        {line}" for line in str(hit.explanation).splitlines()]
        elif details and hit.slots is not None:
            lines += [
                f"        {role:<12}{filling.similarity:.2f}  {filling.text}"
                for role, filling in hit.slots.items()
            ]
    click.echo(visible_lines("\n".join(lines if hits else [*lines, "nothing was found"])))


def _total(path: str, reader: TextsReader) -> int | None:
    """How many texts a file has, where it says so, or its lines do that are counted soon."""
    if path == "-":
        return None
    from pathlib import Path

    if Path(path).suffix.lower() in (".gz", ".zst") or reader.rows_are != "line":
        return None
    try:
        with open(path, "rb") as stream:
            return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))
    except OSError:
        return None  # the reader has a better message
