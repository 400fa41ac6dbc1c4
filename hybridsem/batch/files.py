"""Score or judge a file of pairs: chunk by chunk in flat memory, without losing finished work."""

from __future__ import annotations

import copy
import itertools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, Unpack

from hybridsem._utils.contents import Stamp, stamp_of
from hybridsem._utils.disk import real
from hybridsem._utils.lines import plain_suffix
from hybridsem._utils.progress import growing
from hybridsem._utils.validation import problem
from hybridsem.batch import checkpoint as on_disk
from hybridsem.batch.cache import PairCache, caching
from hybridsem.batch.identity import maker_of, settings_of
from hybridsem.batch.report import Advance, BatchReport, Counts, progress_of
from hybridsem.batch.work import InProcess, Names, Result, Scorer, Task, Texts, judging, scoring
from hybridsem.errors import FormatError, HybridSemError, InputError
from hybridsem.pipeline import Pipeline
from hybridsem.reader import Executor
from hybridsem.tables import Pair, PairReader, open_pairs
from hybridsem.tables.rows import COLUMNAR
from hybridsem.tables.text import JSON_LINES
from hybridsem.tables.writers import (
    OUTPUTS,
    ColumnarWriter,
    TextWriter,
    check_output,
    check_rows,
    open_writer,
)

ON_ERROR = ("fail", "skip")
CHUNK = 1024
CHUNK_TEXT = 1 << 26  # the most characters of a chunk, unless one pair is longer
SCRATCH = "output.part"
PROBES, SEEN_BY_PROBES = 16, 4096  # finished pairs scored again, and rows searched for them
SAME = 1e-4  # one model's scores of a pair differ by less in different chunks
KEEPS_SUCH_ROWS = "(on_error='skip', or --on-error skip, keeps such rows)"


class FileOptions(TypedDict, total=False):
    """Options of :func:`score_file` and :func:`judge_file`.

    Attributes:
        columns: The columns of the two sentences and, if wanted, of the gold score, as
            :func:`~hybridsem.tables.open_pairs` takes them.
        on_error: ``"fail"``: a pair without a result ends the run with an :class:`InputError` that
            names the row; ``"skip"``: its row has empty cells and a note, and is counted.
        cache: A folder that caches parses and results for other runs.
        resume: Continue an unfinished run, or begin if there is none; the output is the same, byte
            for byte.
        force: Replace an existing output, and discard unfinished work.
        workers: The number of processes; a script must guard its main program by
            ``if __name__ == "__main__"``.
        engine: Another executor, which is closed at the end.
        chunk_size: Pairs that are scored and stored together; the first chunks are smaller.
        progress: Show a bar on stderr if it is a terminal.
        safe_csv: Put an apostrophe before cells of a csv or tsv output that a spreadsheet would
            take for a formula (``=cmd|…``).
        encoding: Python's name of the input's encoding; the output is UTF-8.
        json_lines: Write JSON lines to standard output, whatever the format of the input.
    """

    columns: Sequence[str] | None
    on_error: str
    cache: str | Path | None
    resume: bool
    force: bool
    workers: int | None
    engine: Executor[Scorer] | None
    chunk_size: int
    progress: bool
    safe_csv: bool
    encoding: str
    json_lines: bool


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


def score_file(
    pipeline: Scorer,
    pairs_path: str | Path,
    out_path: str | Path,
    *,
    details: bool = False,
    **how: Unpack[FileOptions],
) -> BatchReport:
    """Score the pairs of a file and write them with their scores, in order.

    The output appears under its name only when it is complete. Until then ``OUT.hybridsem`` holds
    the finished work.

    Args:
        pipeline: The scorer; ``cache`` and ``workers`` require named parts.
        pairs_path: The file of pairs; ``-`` is standard input.
        out_path: The output, in the format of its name: .csv, .tsv, .jsonl (each also .gz or .zst),
            .parquet, .arrow, .feather, .xlsx; ``-`` is standard output in the format of the input.
        details: Add the similarity of each role and the model's own figures.
        how: See :class:`FileOptions`.

    >>> import tempfile
    >>> from hybridsem import Pipeline
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(f"{folder}/pairs.txt", "w") as stream:
    ...         print("It rains.;It is raining.", file=stream)
    ...         print("It rains.;We left.", file=stream)
    ...     report = score_file(Pipeline(), f"{folder}/pairs.txt", f"{folder}/scored.csv")
    >>> report.rows, report.scored, report.failed
    (2, 2, 0)
    """
    return _run(pipeline, scoring(details), pairs_path, out_path, Options(**how))


def judge_file(
    pipeline: Pipeline,
    pairs_path: str | Path,
    out_path: str | Path,
    *,
    precision: float = 0.8,
    assume: str = "situation",
    **how: Unpack[FileOptions],
) -> BatchReport:
    """Judge the pairs of a file and write them with label, probabilities, score and reasons.

    Files and options are those of :func:`score_file`; ``precision`` and ``assume`` are those of
    :meth:`~hybridsem.Pipeline.judge`. Tables have a column for the probability of each label, JSON
    lines an object of ``probabilities`` and a list of ``reasons``.
    """
    pipeline.judge([], precision=precision, assume=assume)  # refuses what cannot judge
    return _run(pipeline, judging(precision, assume), pairs_path, out_path, Options(**how))


def _run(
    pipeline: Scorer, task: Task, pairs_path: str | Path, out_path: str | Path, options: Options
) -> BatchReport:
    began = time.monotonic()
    settings = settings_of(pipeline)
    with ExitStack() as stack:
        if isinstance(pipeline, Pipeline):
            pipeline = copy.copy(pipeline)  # the user's own keeps its cache
        store = stack.enter_context(caching(pipeline, options.cache))
        engine = options.engine
        if engine is None and options.workers is not None:
            from hybridsem.batch.executors import Workers

            place = None if store is None else store.path
            engine = Workers(maker_of(pipeline), options.workers, store=place)
        engine = engine or InProcess(pipeline)
        stack.callback(engine.close)
        stores = [] if store is None else [(store, task.table)]
        run = Run(pipeline, engine, PairCache(*stores, key=task.key), task, options)
        if not on_disk.is_stream(out_path):
            _to_file(run, pairs_path, real(out_path), settings)  # a link's target is replaced
        elif options.resume or options.force:
            raise InputError(f"resume and force are for an output file, got {str(out_path)!r}")
        else:
            run.to_stream(options.open(pairs_path), out_path)
        return run.report(began)


def _to_file(run: Run, pairs_path: str | Path, out: Path, model: dict[str, object]) -> None:
    """Begin or resume a run to a file, and put the output in its place when it is complete."""
    options = run.options
    check_output(out, options.safe_csv)
    checkpoint = on_disk.Checkpoint(out)
    begun = checkpoint.manifest.exists()  # an earlier run has checked the output
    with ExitStack() as stack:
        stack.enter_context(checkpoint.open())
        is_allowed = options.force or (options.resume and begun)
        on_disk.check_free(out, pairs_path, is_allowed, options.resume)
        source = stack.enter_context(on_disk.spooled(pairs_path, checkpoint.folder))
        reader = options.open(source)
        if source != pairs_path:
            reader.rows.name = str(pairs_path)
        stamp, content = on_disk.fingerprint(Path(source))
        about = {
            "input": content,
            "columns": options.columns and list(options.columns),
            "chunk_size": options.chunk_size,
            **run.task.about,
            **({"safe_csv": True} if options.safe_csv else {}),
            **({} if options.encoding == "utf-8" else {"encoding": options.encoding}),
            "model": model,
        }
        checkpoint.begin(about, options.resume, options.force)
        run.checkpoint = checkpoint
        run.cache.stores.insert(0, (checkpoint.store, on_disk.TABLE))
        with unchanged(Path(source), stamp, reader):
            run.to_file(reader)
        with on_disk.writing(out):
            checkpoint.publish(checkpoint.folder / SCRATCH)


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
    checkpoint: on_disk.Checkpoint | None = None
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
        with (
            progress_of(reader, self.options.progress) as advance,
            on_disk.stream_to(out_path) as stream,
        ):
            results_of = self._results(reader, lists, advance)
            first = list(itertools.islice(results_of, 1))
            is_json = (form := self._form(reader)) == JSON_LINES
            (names := Names()).add(first[0][1])
            columns = self.task.columns(self.pipeline, reader.layout, names, is_json)
            writer = TextWriter(stream, form, columns.output(self.options.safe_csv))
            for chunk, results in itertools.chain(first, results_of):
                self.counts.add(reader.rows_are, chunk, results)
                writer.write(columns.rows(chunk, results))
                stream.flush()

    def _form(self, reader: PairReader) -> str:
        """Return the form of a stream: that of the input, which is known once it is read."""
        form = reader.format if reader.format in (JSON_LINES, "\t") else ","
        form = JSON_LINES if self.options.json_lines else form
        if self.options.safe_csv and form == JSON_LINES:
            raise InputError("safe_csv (--safe-csv) is for csv and tsv outputs")
        if self.task.names_follow and form != JSON_LINES:
            why = "the header of a table with details is known at the end"
            raise InputError(f"{why}; give an output file")
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
        with on_disk.writing(out), opened as writer:
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
                raise InputError(f"cannot resume {of} {why}; {on_disk.AGAIN}")


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
