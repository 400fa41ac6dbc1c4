"""``hybridsem index`` and ``hybridsem search``: texts in a folder, and searching them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import tee
from pathlib import Path

import click

from hybridsem._typing import Plain
from hybridsem._utils.terminal import visible_lines
from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.cli._shared import Run, counted, echo_summary, executor_context, in_chunks
from hybridsem.errors import InputError
from hybridsem.search.index import Hit, Index, SearchOptions, searcher
from hybridsem.tables.readers import TextsReader, open_texts

INDEX = click.argument("folder", metavar="INDEX", type=click.Path(file_okay=False))
QUERIES, SENT = 256, 16  # queries answered together, here and on a cluster


def _reader(path: str, run: Run) -> TextsReader:
    """Return the texts of a file, with their ids if it has any."""
    if path == "-" and run.ids is not None:
        raise InputError("standard input has a text a line and no ids; name a file")
    return open_texts(path, column=run.column, id_column=run.ids, encoding=run.encoding)


def _texts(path: str, run: Run) -> tuple[Iterator[str], Plain]:
    """Return the texts of a file, and the arguments with which an index takes them."""
    reader = _reader(path, run)
    ids = (row.id for row in _reader(path, run)) if run.ids else None
    texts = (row.text for row, _ in ui.checked(reader, run.on_error))
    return texts, {"ids": ids, "total": _total(path, reader), **run.how}


@click.group()
def index() -> None:
    """Keep texts in a folder, read once: their vectors, structures and ids."""


@index.command(short_help="Read texts into a new index.")
@click.argument("texts", type=opt.INPUT)
@opt.declared("index build", Run)
def build(texts: str, precision: str, run: Run) -> None:
    """Read TEXTS, a file as for `rank`, into an index.

    An interrupted run continues when it is started again.
    """
    (given, how), pipeline = _texts(texts, run), ui.make_pipeline(run.parts)
    with executor_context(pipeline.reader, run.engine, run.address):
        how |= {"precision": precision, "force": run.force}
        built = Index.build(given, run.output, pipeline, **how)
    echo_summary(f"{counted(len(built), 'text')} in {run.output}{_problems(built)}")


@index.command(short_help="Add texts to an index.")
@INDEX
@click.argument("texts", type=opt.INPUT)
@opt.declared("index append", Run)
def append(folder: str, texts: str, replace: bool, run: Run) -> None:
    """Add TEXTS, a file as for `rank`; on failure none are added."""
    if replace and not run.ids:
        raise click.UsageError("--replace needs --ids")
    opened, (given, how) = Index.open(folder), _texts(texts, run)
    if run.ids:
        how["ids"] = (_id(opened, one) for one in how["ids"])
    with executor_context(opened.reader, run.engine, run.address):
        added = opened.append(given, replace=replace, **how)
    about = f"the index has {len(opened)}, in {folder}{_problems(opened)}"
    echo_summary(f"{counted(added, 'text')} added; {about}")


@index.command(short_help="Delete texts by their ids.")
@INDEX
@click.argument("ids", nargs=-1, required=True)
def delete(folder: str, ids: tuple[str, ...]) -> None:
    """Delete the texts with these IDS; `compact` frees their space."""
    opened = Index.open(folder)
    wanted = list(map(_number, ids)) if opened.numbered else list(ids)
    echo_summary(f"{counted(opened.delete(wanted), 'text')} deleted; the index has {len(opened)}")


def _problems(built: Index) -> str:
    """Return the numbers of texts with a problem, in brackets, if there are any."""
    names, counts = ("cut", "not English", "without structure"), built.info
    parts = [f"{counts[name]} {name}" for name in names if counts[name]]
    return f" ({', '.join(parts)})" if parts else ""


def _id(opened: Index, given: int | str) -> int | str:
    """Return an id of the index's type, as ids of .csv files are texts."""
    if opened.numbered:
        return _number(given) if isinstance(given, str) else given
    return str(given) if isinstance(given, int) else given


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"the ids of this index are whole numbers, got {text!r:.80}") from None


@index.command(short_help="Free the space of deleted texts.")
@INDEX
def compact(folder: str) -> None:
    """Write the index as one part without deleted texts; searches are faster then."""
    opened = Index.open(folder)
    opened.compact(progress=not opt.is_quiet())
    echo_summary(f"{counted(len(opened), 'text')}, {opened.info['bytes'] / 1e6:.1f} MB")


@index.command(short_help="Describe an index.")
@INDEX
def info(folder: str) -> None:
    """Print the number of texts in an index, its size, and its model."""
    described = Index.open(folder).info
    model = ", ".join(f"{name}={part}" for name, part in described["model"].items())
    shown = {**described, "model": model, "bytes": f"{described['bytes'] / 1e6:.1f} MB"}
    ui.show(described, "\n".join(f"{name:<20}{value}" for name, value in shown.items()))


@click.command()
@INDEX
@click.argument("query", required=False)
@opt.declared("search", Run)
def search(
    folder: str,
    query: str | None,
    queries: str | None,
    top_k: int,
    by: str,
    approximate: bool,
    run: Run,
    **roles: str | None,
) -> None:
    """Find the texts of an INDEX with the meaning of QUERY, or with the given roles."""
    asked = {role: text for role, text in roles.items() if text is not None}
    if sum((query is not None, queries is not None, bool(asked))) != 1:
        raise click.UsageError("give one of: QUERY, --queries FILE, roles such as --agent")
    there, details = run.engine != "local", run.details
    if there and queries is None:
        raise click.UsageError("--engine ray is for many queries: --queries FILE")
    opened = Index.open(folder)
    how: SearchOptions = {"by": by, "exact": not approximate}
    how["explain"] = details and by == "meaning"
    if queries is None:
        found = opened.search(top_k=top_k, **asked) if asked else opened.search(query, top_k, **how)
        _show(None, found, details)
        return
    every = (row.text for row, _ in ui.checked(_reader(queries, run), "fail", hint=""))
    chunks, given = tee(in_chunks(every, SENT if there else QUERIES))
    seen = opened.contents.manifest
    searches = partial(searcher, path=opened.path, manifest=seen, top_k=top_k, how=how)
    with executor_context(opened.reader, run.engine, run.address):
        here = (opened.search(chunk, top_k, **how) for chunk in given)
        results = opened.reader.map(searches, given) if there else here
        for chunk in chunks:
            for text, hits in zip(chunk, next(results), strict=True):
                _show(text, hits, details)


def _show(query: str | None, hits: list[Hit], details: bool) -> None:
    if opt.wants_json():
        about = {} if query is None else {"query": query}
        for hit in hits:
            click.echo(ui.json_text(about | hit.to_dict()))
        return
    lines = [] if query is None else [query]
    for hit in hits:
        lines.append(f"{hit.score:.4f}  {hit.id}  {' '.join(hit.text.split())}")
        if details and hit.explanation is not None:
            lines += [f"        {line}" for line in str(hit.explanation).splitlines()]
        elif details and hit.slots is not None:
            lines += [
                f"        {role:<12}{slot.similarity:.2f}  {slot.match:<13}  {slot.text}"
                for role, slot in hit.slots.items()
            ]
    click.echo(visible_lines("\n".join(lines if hits else [*lines, "nothing was found"])))


def _total(path: str, reader: TextsReader) -> int | None:
    """Return the number of lines of a text file that is quick to count, else None."""
    is_packed = Path(path).suffix.lower() in (".gz", ".zst")
    if path == "-" or is_packed or reader.rows_are != "line":
        return None
    with suppress(OSError), open(path, "rb") as stream:  # the reader raises a better message
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))
    return None
