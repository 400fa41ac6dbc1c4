"""A run over a file of pairs: chunk by chunk in flat memory, without losing finished work."""

from __future__ import annotations

import copy
import itertools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from hybridsem._utils.contents import Stamp, stamp_of
from hybridsem._utils.lines import plain_suffix
from hybridsem._utils.progress import growing
from hybridsem._utils.validation import problem
from hybridsem.batch.cache import PairCache
from hybridsem.batch.checkpoint import AGAIN, Checkpoint, stream_to, writing
from hybridsem.batch.report import Advance, BatchReport, Counts, progress_of
from hybridsem.batch.tasks import Names, Task
from hybridsem.batch.work import Result, Scorer, Texts
from hybridsem.errors import FormatError, HybridSemError, InputError
from hybridsem.pipeline import Pipeline
from hybridsem.reader import Executor
from hybridsem.tables import Pair, PairReader, open_pairs
from hybridsem.tables.checks import check_rows
from hybridsem.tables.rows import COLUMNAR
from hybridsem.tables.text import JSON_LINES
from hybridsem.tables.writers import OUTPUTS, ColumnarWriter, TextWriter, open_writer

ON_ERROR = ("fail", "skip")
CHUNK = 1024
CHUNK_TEXT = 1 << 26  # the most characters of a chunk, unless one pair is longer
SCRATCH = "output.part"
PROBES, SEEN_BY_PROBES = 16, 4096  # finished pairs scored again, and rows searched for them
SAME = 1e-4  # one model's scores of a pair differ by less in different chunks
KEEPS_SUCH_ROWS = "(on_error='skip', or --on-error skip, keeps such rows)"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a run, explained at :class:`~hybridsem.batch.FileOptions`."""

    columns: Sequence[str] | None = None
    on_error: str = "fail"
    cache: str | Path | None = None
    resume: bool = False
    force: bool = False
    workers: int | None = None
    engine: Executor[Scorer] | None = None
    chunk_size: int = CHUNK
    progress: bool = False
    safe_csv: bool = False
    encoding: str = "utf-8"
    json_lines: bool = False

    def __post_init__(self) -> None:
        if self.on_error not in ON_ERROR:
            names = ", ".join(ON_ERROR)
            raise InputError(f"on_error must be one of {names}; got {self.on_error!r}")
        if not isinstance(self.chunk_size, int) or self.chunk_size < 1:
            raise InputError(f"chunk_size is a whole number from 1, got {self.chunk_size!r}")

    def open(self, path: str | Path) -> PairReader:
        """Open a file of pairs."""
        return open_pairs(path, columns=self.columns, keep_bad=True, encoding=self.encoding)


class _Asked(NamedTuple):
    """A chunk in progress, and the reader's progress after it."""

    chunk: list[Pair]
    texts: list[Texts]
    problems: dict[int, str]
    known: dict[Texts, Result]
    todo: list[Texts]
    finished: bool
    reached: tuple[int, int | None]


@dataclass
class Run:
    """The parts and counts of a run; ``probes`` pairs of unnamed parts are checked again."""

    pipeline: Scorer
    engine: Executor[Scorer]
    cache: PairCache
    task: Task
    options: Options
    checkpoint: Checkpoint | None = None
    hits: int = 0
    resumed_rows: int = 0
    notes: list[str] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        self.check: Callable[[], None] = lambda: None
        self.probes = PROBES
        if isinstance(self.pipeline, Pipeline):
            self.check = self.pipeline.reader.parts.check_contents
            self.probes = PROBES if self.pipeline.unnamed else 0

    def report(self, began: float) -> BatchReport:
        """Return the report of the rows counted so far."""
        return replace(
            self.counts.report(),
            cache_hits=self.hits,
            resumed_rows=self.resumed_rows,
            seconds=time.monotonic() - began,
            notes=tuple(self.notes),
        )

    def to_stream(self, reader: PairReader, out_path: str | Path) -> None:
        """Read, work and write chunk by chunk."""
        lists = chunks(reader, self.options.chunk_size)
        with progress_of(reader, self.options.progress) as advance, stream_to(out_path) as stream:
            writer = columns = None
            for chunk, results in self._results(reader, lists, advance):
                if writer is None or columns is None:
                    form = self._form(reader)
                    if self.task.names_follow and form != JSON_LINES:
                        why = "the header of a table with details is known at the end"
                        raise InputError(f"{why}; give an output file")
                    (names := Names()).add(results)
                    is_json = form == JSON_LINES
                    columns = self.task.columns(self.pipeline, reader.layout, names, is_json)
                    writer = TextWriter(stream, form, columns.output(self.options.safe_csv))
                self.counts.add(reader.rows_are, chunk, results)
                writer.write(columns.rows(chunk, results))
                stream.flush()

    def _form(self, reader: PairReader) -> str:
        """Return the form of a stream: that of the input, which is known once it is read."""
        form = reader.format if reader.format in (JSON_LINES, "\t") else ","
        form = JSON_LINES if self.options.json_lines else form
        if self.options.safe_csv and form == JSON_LINES:
            raise InputError("safe_csv (--safe-csv) is for csv and tsv outputs")
        return form

    def to_file(self, reader: PairReader) -> None:
        """Do what the checkpoint lacks; other outputs than text are written at the end."""
        assert self.checkpoint is not None
        out = self.checkpoint.out
        # A copy, whose progress does not count.
        schema, mixed = check_rows(copy.deepcopy(reader), out)
        if self.checkpoint.resumed and self.probes:
            self._probe(copy.deepcopy(reader))
        names = Names()
        with progress_of(reader, self.options.progress) as advance:
            in_one_pass = plain_suffix(out) in OUTPUTS and not self.task.names_follow
            if not in_one_pass:
                lists = chunks(reader, self.options.chunk_size)
                for _, results in self._results(reader, lists, advance):
                    names.add(results)
            self._write(reader, schema, names, advance if in_one_pass else None)
        why = "holds values of several kinds, and is written as"
        self.notes = [f"the column {name!r} {why} {kind}" for name, kind in mixed.items()]

    def _write(
        self, reader: PairReader, schema: Any, names: Names, advance: Advance | None
    ) -> None:
        """Write the output; ``names`` are those in the results."""
        assert self.checkpoint is not None
        out, scratch = self.checkpoint.out, self.checkpoint.folder / SCRATCH
        batches: deque[Any] = deque()

        def in_batches() -> Iterator[list[Pair]]:
            row = 0
            for batch in reader.batches():
                batches.append(batch)
                yield list(reader.pairs_in(batch, row))
                row += batch.num_rows

        copies = plain_suffix(out) in COLUMNAR and reader.rows.schema is not None
        lists = in_batches() if copies else chunks(reader, self.options.chunk_size)
        results_of = self._results(reader, lists, advance)
        first = list(itertools.islice(results_of, 1))  # sets the reader's layout
        is_json = OUTPUTS.get(plain_suffix(out)) == JSON_LINES
        columns = self.task.columns(self.pipeline, reader.layout, names, is_json)
        opened = open_writer(scratch, out, columns.output(self.options.safe_csv), schema)
        with writing(out), opened as writer:
            for chunk, results in itertools.chain(first, results_of):
                self.counts.add(reader.rows_are, chunk, results)
                if isinstance(writer, ColumnarWriter) and copies:
                    writer.write_batch(batches.popleft(), map(columns.cells, results))
                else:
                    writer.write(columns.rows(chunk, results))

    def _results(
        self, reader: PairReader, lists: Iterable[list[Pair]], advance: Advance | None = None
    ) -> Iterator[tuple[list[Pair], list[Result]]]:
        """Yield the chunks with their results; the executor scores each distinct new pair once."""
        waiting: deque[_Asked] = deque()
        finished = advance is not None and self.checkpoint is not None and self.checkpoint.resumed

        def requests() -> Iterator[list[Texts]]:
            nonlocal finished
            for chunk in lists:
                texts = [(pair.text1, pair.text2) for pair in chunk]
                known = self.cache.in_memory(texts)
                problems = {
                    i: why
                    for i, pair in enumerate(chunk)
                    # A known pair is usable.
                    if (texts[i] not in known or pair.problem is not None)
                    and (why := problem_of(pair)) is not None
                }
                if self.options.on_error == "fail":
                    for i, why in problems.items():
                        raise _row_error(why, reader, chunk[i])
                usable = (pair for i, pair in enumerate(texts) if i not in problems)
                unknown = [pair for pair in dict.fromkeys(usable) if pair not in known]
                known.update(self.cache.on_disk(unknown))
                todo = [pair for pair in unknown if pair not in known]
                finished = finished and not todo
                if advance is not None and not finished:
                    self.hits += len(texts) - len(problems) - len(todo)
                reached = reader.rows.progress
                waiting.append(_Asked(chunk, texts, problems, known, todo, finished, reached))
                yield todo

        for found in self.engine.map(self.task.begin, requests(), "pair"):
            asked = waiting.popleft()
            chunk, known, todo = asked.chunk, asked.known, asked.todo
            if len(found) != len(todo):
                why = f"the engine returned {len(found)} results for {len(todo)} pairs"
                raise HybridSemError(why)
            if new := dict(zip(todo, found, strict=True)):
                try:
                    self.check()
                except InputError:  # a file of the model has changed
                    self.cache.distrust()
                    raise
                self.cache.keep(new)
            known.update(new)
            results = [
                Result(None, f"error: {asked.problems[i]}") if i in asked.problems else known[pair]
                for i, pair in enumerate(asked.texts)
            ]
            if self.options.on_error == "fail":
                for pair, result in zip(chunk, results, strict=True):
                    if result.score is None:
                        raise _row_error(result.note.removeprefix("error: "), reader, pair)
            yield chunk, results
            if advance is not None:
                self.resumed_rows += len(chunk) if asked.finished else 0
                advance(len(chunk), asked.reached, asked.finished)

    def _probe(self, reader: PairReader) -> None:
        """Raise :class:`InputError` if a finished pair has another score now."""
        assert self.checkpoint is not None
        lines: dict[Texts, int] = {}
        for pair in itertools.islice(reader, SEEN_BY_PROBES):
            lines.setdefault((pair.text1, pair.text2), pair.line)
        known = self.cache.on_disk(lines).items()
        before = [(pair, result.score) for pair, result in known if result.score is not None]
        some = before[:: max(1, len(before) // self.probes)][: self.probes]
        chunks = iter([[pair for pair, _ in some]])
        (again,) = self.engine.map(self.task.begin, chunks, "pair")
        for (texts, score), now in zip(some, again, strict=True):
            if now.score is None or abs(now.score - score) > SAME:
                of = f"{str(self.checkpoint.out)!r}: {reader.rows_are} {lines[texts]}"
                why = f"had the score {score!r} and now has {now.score!r}, so the model has changed"
                raise InputError(f"cannot resume {of} {why}; {AGAIN}")


@contextmanager
def unchanged(source: Path, as_it_was: Stamp | None, reader: PairReader) -> Iterator[None]:
    """Raise :class:`FormatError`, in place of the body's errors, if the input has changed."""
    try:
        yield
    finally:
        if stamp_of(source) != as_it_was:
            why = "the file has changed while it was read; run again with --force"
            raise FormatError(why, reader.name)


def chunks(pairs: Iterable[Pair], size: int) -> Iterator[list[Pair]]:
    """Yield lists of ``size`` pairs; the first and the last lists are shorter."""
    chunk: list[Pair] = []
    held = 0
    sizes = growing(size)
    full = next(sizes)
    for pair in pairs:
        chunk.append(pair)
        held += len(pair.text1) + len(pair.text2)
        if len(chunk) >= full or held >= CHUNK_TEXT:
            yield chunk
            chunk, held, full = [], 0, next(sizes)
    if chunk:
        yield chunk


def problem_of(pair: Pair) -> str | None:
    """Return the reason why a pair cannot be scored, or None."""
    if pair.problem is not None:
        return pair.problem
    for number, text in enumerate((pair.text1, pair.text2), start=1):
        if (why := problem(text)) is not None:
            name = getattr(pair.layout, f"text{number}", None)
            column = "" if name is None else f" (column {name!r})"
            return f"sentence {number}{column}: {why}"
    return None


def _row_error(why: str, reader: PairReader, pair: Pair) -> FormatError:
    return FormatError(f"{why} {KEEPS_SUCH_ROWS}", reader.name, pair.line, reader.rows_are)
