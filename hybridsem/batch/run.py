"""Score pair files chunk by chunk in flat memory, without losing finished work.

To a stream (standard output, a pipe) rows are written at once, without a checkpoint.
"""

from __future__ import annotations

import copy
import itertools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from hybridsem._utils.contents import Stamp, stamp_of
from hybridsem._utils.disk import real
from hybridsem._utils.lines import plain_suffix
from hybridsem._utils.progress import growing
from hybridsem._utils.validation import problem
from hybridsem.batch.cache import PairCache, caching
from hybridsem.batch.checkpoint import (
    TABLE,
    Checkpoint,
    check_free,
    fingerprint,
    is_stream,
    spooled,
    stream_to,
    writing,
)
from hybridsem.batch.identity import maker_of, settings_of
from hybridsem.batch.report import Advance, BatchReport, Columns, Counts, progress_of
from hybridsem.batch.work import DECISION, InProcess, Result, Scorer, Texts, scorer
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
CHUNK_TEXT = 1 << 26
"""The most characters of a chunk, unless one pair is longer."""
SCRATCH = "output.part"
PROBES, SEEN_BY_PROBES = 16, 4096
"""The number of finished pairs that a resumed run with unnamed parts scores again, and of the rows
searched for them.
"""

SAME = 1e-4
"""One model's scores of a pair differ by less in different chunks."""

KEEPS_SUCH_ROWS = "(on_error='skip', or --on-error skip, keeps such rows without a score)"


def score_file(
    pipeline: Scorer,
    pairs_path: str | Path,
    out_path: str | Path,
    *,
    columns: Sequence[str] | None = None,
    on_error: str = "fail",
    details: bool = False,
    cache: str | Path | None = None,
    resume: bool = False,
    force: bool = False,
    workers: int | None = None,
    engine: Executor[Scorer] | None = None,
    chunk_size: int = CHUNK,
    progress: bool = False,
    safe_csv: bool = False,
    encoding: str = "utf-8",
) -> BatchReport:
    """Score the pairs of a file and write them with their scores, in order.

    The output appears under its name only when it is complete. Until then ``OUT.hybridsem`` holds
    the finished work.

    Args:
        pipeline: The scorer; ``cache`` and ``workers`` require named parts.
        pairs_path: The file of pairs; ``-`` is standard input.
        out_path: The output, in the format of its name: .csv, .tsv, .jsonl (each also .gz or .zst),
            .parquet, .arrow, .feather, .xlsx; ``-`` is standard output in the format of the input.
        columns: The columns of the two sentences and, if wanted, of the gold score, as
            :func:`~hybridsem.tables.open_pairs` takes them.
        on_error: ``"fail"``: a pair without a score ends the run with an :class:`InputError` that
            names the row; ``"skip"``: its row has an empty score and a note, and is counted.
        details: Add the similarity of each role and the model's own figures.
        cache: A folder that caches parses and scores for other runs.
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
    if on_error not in ON_ERROR:
        raise InputError(f"on_error must be one of {', '.join(ON_ERROR)}; got {on_error!r}")
    if not isinstance(chunk_size, int) or chunk_size < 1:
        raise InputError(f"chunk_size is a whole number from 1, got {chunk_size!r}")
    began = time.monotonic()
    settings = settings_of(pipeline)
    with ExitStack() as stack:
        if isinstance(pipeline, Pipeline):
            pipeline = copy.copy(pipeline)  # the user's own keeps its cache
        store = stack.enter_context(caching(pipeline, cache))
        if engine is None and workers is not None:
            from hybridsem.batch.executors import Workers

            place = None if store is None else store.path
            engine = Workers(maker_of(pipeline), workers, store=place)
        engine = engine or InProcess(pipeline)
        stack.callback(engine.close)
        stores = [] if store is None else [(store, "detailed" if details else "pairs")]
        run = _Run(pipeline, engine, PairCache(*stores), on_error, details, chunk_size, safe_csv)
        if is_stream(out_path):
            if resume or force:
                raise InputError(f"resume and force are for an output file, got {str(out_path)!r}")
            reader = open_pairs(pairs_path, columns=columns, keep_bad=True, encoding=encoding)
            if safe_csv and reader.format == JSON_LINES:
                raise InputError("safe_csv (--safe-csv) is for csv and tsv outputs")
            run.to_stream(reader, out_path, progress)
            return run.report(began)
        out = real(out_path)  # a link's target is replaced
        check_output(out, safe_csv)
        checkpoint = Checkpoint(out)
        begun = checkpoint.manifest.exists()  # an earlier run has checked the output
        stack.enter_context(checkpoint.open())
        check_free(out, pairs_path, force or (resume and begun), resume)
        source = stack.enter_context(spooled(pairs_path, checkpoint.folder))
        reader = open_pairs(source, columns=columns, keep_bad=True, encoding=encoding)
        if source != pairs_path:
            reader.rows.name = str(pairs_path)
        as_it_was, found = fingerprint(Path(source))
        about = {
            "input": found,
            "columns": columns and list(columns),
            "chunk_size": chunk_size,
            "details": details,
            **({"safe_csv": True} if safe_csv else {}),
            **({} if encoding == "utf-8" else {"encoding": encoding}),
            "model": settings,
        }
        checkpoint.begin(about, resume, force)
        run.checkpoint = checkpoint
        run.cache.stores.insert(0, (checkpoint.store, TABLE))
        with _unchanged(Path(source), as_it_was, reader):
            run.to_file(reader, progress)
        with writing(out):
            checkpoint.publish(checkpoint.folder / SCRATCH)
        return run.report(began)


Details = tuple[dict[str, None], dict[str, None]]
"""Names of values and of roles."""


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
class _Run:
    """The parts and counts of a run.

    With unnamed parts, a resumed run scores ``probes`` finished pairs again, whose scores must
    agree.
    """

    pipeline: Scorer
    engine: Executor[Scorer]
    cache: PairCache
    on_error: str
    details: bool
    size: int
    safe: bool
    checkpoint: Checkpoint | None = None
    hits: int = 0
    resumed_rows: int = 0
    notes: list[str] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        self.check: Callable[[], None] | None = None
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

    def to_stream(self, reader: PairReader, out_path: str | Path, progress: bool) -> None:
        """Read, score and write chunk by chunk."""
        with progress_of(reader, progress) as advance, stream_to(out_path) as stream:
            writer = None
            columns = Columns(None)
            for chunk, results in self._results(reader, chunks(reader, self.size), advance):
                if writer is None:
                    form = reader.format if reader.format in (JSON_LINES, "\t") else ","
                    if self.details and form != JSON_LINES:
                        raise InputError(
                            "the header of a table with details is known at the end; give an "
                            "output file"
                        )
                    columns = self._columns(reader, *_details(results))
                    writer = TextWriter(stream, form, columns.output(self.safe))
                self.counts.add(reader.rows_are, chunk, results)
                writer.write(columns.rows(chunk, results))
                stream.flush()

    def to_file(self, reader: PairReader, progress: bool) -> None:
        """Score what the checkpoint lacks, and write the output into its folder.

        Text without details is written in one pass, other outputs when all is scored and the
        columns and types are known.
        """
        assert self.checkpoint is not None
        out = self.checkpoint.out
        # A copy, whose progress does not count.
        schema, mixed = check_rows(copy.deepcopy(reader), out)
        if self.checkpoint.resumed and self.probes:
            self._probe(copy.deepcopy(reader))
        found = _details(())
        with progress_of(reader, progress) as advance:
            in_one_pass = plain_suffix(out) in OUTPUTS and not self.details
            if not in_one_pass:
                for _, results in self._results(reader, chunks(reader, self.size), advance):
                    for names, more in zip(found, _details(results), strict=True):
                        names.update(more)
            self._write(reader, schema, found, advance if in_one_pass else None)
        self.notes = [
            f"the column {name!r} holds values of several kinds, and is written as {kind}"
            for name, kind in mixed.items()
        ]

    def _write(
        self, reader: PairReader, schema: Any, found: Details, advance: Advance | None
    ) -> None:
        """Write the output; ``found`` are the names of details."""
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
        lists = in_batches() if copies else chunks(reader, self.size)
        results_of = self._results(reader, lists, advance)
        first = list(itertools.islice(results_of, 1))  # sets the reader's layout
        columns = self._columns(reader, *found)
        opened = open_writer(scratch, out, columns.output(self.safe), schema)
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
                if self.on_error == "fail":
                    for i, why in problems.items():
                        raise _row_error(why, reader, chunk[i])
                unknown = dict.fromkeys(
                    pair for i, pair in enumerate(texts) if pair not in known and i not in problems
                )
                known.update(self.cache.on_disk(unknown))
                todo = [pair for pair in unknown if pair not in known]
                finished = finished and not todo
                if advance is not None and not finished:
                    self.hits += len(texts) - len(problems) - len(todo)
                reached = reader.rows.progress
                waiting.append(_Asked(chunk, texts, problems, known, todo, finished, reached))
                yield todo

        begin = partial(scorer, details=self.details)
        for found in self.engine.map(begin, requests(), "pair"):
            asked = waiting.popleft()
            chunk, known, todo = asked.chunk, asked.known, asked.todo
            if len(found) != len(todo):
                raise HybridSemError(
                    f"the engine returned {len(found)} results for {len(todo)} pairs"
                )
            if new := dict(zip(todo, found, strict=True)):
                self._check_contents()
                self.cache.keep(new)
            known.update(new)
            results = [
                Result(None, f"error: {asked.problems[i]}") if i in asked.problems else known[pair]
                for i, pair in enumerate(asked.texts)
            ]
            if self.on_error == "fail":
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
        (again,) = self.engine.map(partial(scorer, details=False), chunks, "pair")
        for (texts, score), now in zip(some, again, strict=True):
            if now.score is None or abs(now.score - score) > SAME:
                raise InputError(
                    f"cannot resume {str(self.checkpoint.out)!r}: {reader.rows_are} {lines[texts]} "
                    f"had the score {score!r} and now has {now.score!r}, so the model has changed; "
                    "force=True (--force) starts again"
                )

    def _check_contents(self) -> None:
        """Raise :class:`InputError` and discard the cache if a file of the model has changed."""
        if self.check is None:
            return
        try:
            self.check()
        except InputError:
            self.cache.distrust()
            raise

    def _columns(self, reader: PairReader, values: Iterable[str], roles: Iterable[str]) -> Columns:
        if not self.details:
            pipeline = self.pipeline
            decides = isinstance(pipeline, Pipeline) and pipeline.calibration is not None
            return Columns(reader.layout, DECISION if decides else ())
        out = None if self.checkpoint is None else plain_suffix(self.checkpoint.out)
        is_json = out is None or OUTPUTS.get(out) == JSON_LINES
        return Columns(reader.layout, list(values), list(roles), merged=not is_json)


def _details(results: Iterable[Result]) -> Details:
    """Return the names of values and of roles in results, in their order of occurrence."""
    values: dict[str, None] = {}
    roles: dict[str, None] = {}
    for result in results:
        values.update(dict.fromkeys(result.values))
        roles.update(dict.fromkeys(result.roles))
    return values, roles


@contextmanager
def _unchanged(source: Path, as_it_was: Stamp | None, reader: PairReader) -> Iterator[None]:
    """Raise :class:`FormatError`, in place of the body's errors, if the input has changed."""
    try:
        yield
    finally:
        if stamp_of(source) != as_it_was:
            raise FormatError(
                "the file has changed while it was read; run again with --force", reader.name
            )


def chunks(pairs: Iterable[Pair], size: int) -> Iterator[list[Pair]]:
    """Yield lists of ``size`` pairs; the first lists, the last, and those of long texts are
    shorter.
    """
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
