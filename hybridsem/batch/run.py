"""Scoring pair files: chunk by chunk, in flat memory; what is finished is never lost.

    reader --chunks--> checked, looked up --Engine--> results --Journal--> disk
    reader + Journal --writer--> the output, under its name when it is complete

To a stream (standard output, a pipe) rows are written as they come, without a journal.
"""

from __future__ import annotations

import copy
import itertools
import re
import time
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from hybridsem._utils.disk import real
from hybridsem._utils.progress import growing
from hybridsem._utils.store import Store
from hybridsem._utils.validation import problem
from hybridsem.batch import finished
from hybridsem.batch._distinct import Distinct
from hybridsem.batch._files import (
    Stamp,
    check_free,
    fingerprint,
    is_stream,
    spooled,
    stat,
    stream_to,
)
from hybridsem.batch.cache import PairCache, store_in
from hybridsem.batch.columns import Columns
from hybridsem.batch.identity import maker_of, named_settings, settings_of, unnamed_parts
from hybridsem.batch.journal import Journal, writing
from hybridsem.batch.progress import Progress
from hybridsem.batch.work import (
    DECISION,
    Engine,
    InProcess,
    Remembers,
    Result,
    Scorer,
    Texts,
    decides,
)
from hybridsem.errors import FormatError, HybridSemError, InputError
from hybridsem.reader import SENTENCES_HELD
from hybridsem.tables import Pair, PairReader, open_pairs
from hybridsem.tables.text import JSON_LINES
from hybridsem.tables.writers import (
    ColumnarWriter,
    RowWriter,
    TextWriter,
    WiderTypesNeeded,
    check_output,
    check_rows,
    is_text,
    open_writer,
)

__all__ = ["BatchReport", "chunks", "maker_of", "problem_of", "score_file", "settings_of"]

ON_ERROR = ("fail", "skip")
CHUNK = 1024
CHUNK_TEXT = 1 << 26
"""Characters of so many pairs are held at once."""
MAX_FOR_SPEARMAN = 10_000_000
LISTED = 5
PROBES = 16
"""Pairs that are scored once more when a run goes on with parts that have no names."""

SAME = 1e-4
"""Scores of one model differ by less, whatever is scored beside them."""

COMPLETE = "the output is complete, made from this input with these settings; nothing is left to do"

KEEPS_SUCH_ROWS = "(on_error='skip', or --on-error skip, keeps such rows without a score)"


@dataclass(frozen=True)
class BatchReport:
    """What became of a pair file: every row is counted as scored or failed.

    ``truncated`` and ``foreign`` count the rows with a text that is longer than the model reads, or
    not English where the model reads English alone. ``failures`` counts the rows without a score by
    reason; ``first_failures`` lists a few. ``distinct_sentences`` is None beyond ten million.
    ``cache_hits`` counts pairs that were not scored again, ``resumed_rows`` those that an earlier
    run had done. ``spearman`` compares scores with gold scores where at least two rows have both
    (None also beyond ten million rows). ``notes`` say what was written otherwise than it was read.

    >>> BatchReport(rows=10, scored=9, failed=1, truncated=0, seconds=2.0).pairs_per_second
    5.0
    """

    rows: int
    scored: int
    failed: int
    truncated: int
    foreign: int = 0
    with_gold: int = 0
    spearman: float | None = None
    failures: Mapping[str, int] = field(default_factory=dict)
    first_failures: tuple[str, ...] = ()
    distinct_sentences: int | None = None
    cache_hits: int = 0
    resumed_rows: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def pairs_per_second(self) -> float:
        """Rows of this run by its time."""
        return (self.rows - self.resumed_rows) / self.seconds if self.seconds else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``hybridsem score --json`` prints it."""
        left_out = ("first_failures",) if self.notes else ("first_failures", "notes")
        names = (name for name in self.__dataclass_fields__ if name not in left_out)
        return {name: getattr(self, name) for name in names} | {"failures": dict(self.failures)}


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
    engine: Engine | None = None,
    chunk_size: int = CHUNK,
    progress: bool = False,
    safe_csv: bool = False,
    encoding: str = "utf-8",
) -> BatchReport:
    """Score the pairs of a file and write them with their scores, in order.

    The result appears under its name only when it is complete. Until then ``OUT.hybridsem`` holds
    what is finished.

    Args:
        pipeline: What scores; with ``cache`` or ``workers`` its parts must have names.
        pairs_path: The file of pairs; ``-`` is standard input.
        out_path: Its name says the format: .csv, .tsv, .jsonl (each also .gz or .zst), .parquet,
            .arrow, .feather, .xlsx; ``-`` is standard output in the format of the input.
        columns: The columns of the two sentences and, if wanted, of the gold score, as
            :func:`~hybridsem.tables.open_pairs` takes them.
        on_error: With ``"fail"`` a pair that has no score ends the run with an :class:`InputError`
            that names the row; with ``"skip"`` its row is kept with an empty score and a note, and
            counted.
        details: Add columns: the similarity of every role and the model's own figures.
        cache: A folder that keeps what was read and scored for other runs.
        resume: Go on from what is finished (from the beginning where there is nothing); the file is
            then the same, byte for byte. An output that was made from this input with these
            settings, by named parts, is left as it is, and its report given again.
        force: Replace an output that exists, and begin a work folder anew.
        workers: So many processes share the work; a script must guard its main program by
            ``if __name__ == "__main__"``.
        engine: An engine of one's own; it is closed at the end.
        chunk_size: Pairs that are worked on, and noted as finished, together; fewer at first.
        progress: Show a bar on stderr when that is a terminal.
        safe_csv: Put an apostrophe before cells of a csv or tsv output that a spreadsheet would
            take for a formula (``=cmd|…``); else cells are as they were in the input.
        encoding: Of a text file of pairs, as Python calls it; what is written is UTF-8.

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
        store = None
        if cache is not None:
            named = named_settings(pipeline, "a cache on disk serves other runs")
            store = store_in(cache, named)
            stack.callback(store.close)
        if isinstance(pipeline, Remembers):
            pipeline = copy.copy(pipeline)  # what that one remembers is its user's
            pipeline.remember(SENTENCES_HELD, store)
            stack.callback(pipeline.remember, 0)
        if engine is None:
            engine = _engine(pipeline, workers, details, store)
        stack.callback(engine.close)
        check = getattr(pipeline, "check_contents", None)
        run = _Run(engine, PairCache(store, details), on_error, details, check)
        run.decides = decides(pipeline)
        run.probes = PROBES if check is None or unnamed_parts(pipeline) else 0
        if is_stream(out_path):
            if resume or force:
                raise InputError(f"resume and force are for an output file, got {str(out_path)!r}")
            reader = open_pairs(pairs_path, columns=columns, keep_bad=True, encoding=encoding)
            if safe_csv and reader.format == JSON_LINES:
                raise InputError("safe_csv (--safe-csv) is for csv and tsv outputs")
            run.safe = safe_csv
            run.to_stream(reader, out_path, chunk_size, progress)
        else:
            out = real(out_path)  # a link is followed: the file that it points to is replaced
            check_output(out, safe_csv)
            journal = Journal(out)
            begun = (
                journal.folder.exists()
            )  # whoever began it has seen to it that the output may be written
            # Of parts without names it is not known whether they are those that it was made with.
            may_be_done = resume and not (force or begun or run.probes) and out.exists()
            with journal.open():
                if not may_be_done:
                    check_free(out, pairs_path, force or (resume and begun), resume)
                with spooled(pairs_path, journal.folder) as source:
                    reader = open_pairs(source, columns=columns, keep_bad=True, encoding=encoding)
                    reader.name = str(pairs_path) if source != pairs_path else reader.name
                    inputs = {
                        "columns": columns and list(columns),
                        "chunk_size": chunk_size,
                        "details": details,
                        **({"safe_csv": True} if safe_csv else {}),
                        **({} if encoding == "utf-8" else {"encoding": encoding}),
                    }
                    run.safe = safe_csv
                    as_it_was, found = fingerprint(source)
                    about = {"input": found, **inputs, "model": settings}
                    whole = about | {"on_error": on_error}
                    if may_be_done:
                        if (known := finished.report_of(out, whole)) is not None:
                            return _as_it_is(known, time.monotonic() - began)
                        check_free(out, pairs_path, False, resume)
                    journal.begin(about, resume, force)
                    run.to_file(reader, Path(source), as_it_was, journal, chunk_size, progress)
                    report = run.report(time.monotonic() - began)
                    if not run.probes:
                        finished.note(out, whole, asdict(report))
                    return report
        return run.report(time.monotonic() - began)


class _Asked(NamedTuple):
    """A chunk that the engine is asked about, and how far the reading was with it."""

    chunk: list[Pair]
    texts: list[Texts]
    problems: dict[int, str]
    known: dict[Texts, Result]
    todo: list[Texts]
    reached: tuple[int, int | None]


class _Run:
    """One run: what it scores with, and its counts."""

    def __init__(
        self,
        engine: Engine,
        cache: PairCache,
        on_error: str,
        details: bool,
        check: Callable[[], None] | None = None,
    ) -> None:
        self.engine, self.cache, self.on_error, self.details = engine, cache, on_error, details
        self.check = check
        self.probes = 0
        self.safe = self.decides = False
        self.resumed_rows = 0
        self.reached: tuple[int, int | None] = (0, None)
        self.notes: list[str] = []
        self._count_anew()

    def _count_anew(self) -> None:
        """No row is counted yet."""
        self.counts = {"rows": 0, "failed": 0, "truncated": 0, "foreign": 0}
        self.gold, self.scores = array("d"), array("d")
        self.failures: Counter[str] = Counter()
        self.first_failures: list[str] = []
        self.distinct = Distinct()

    def to_stream(
        self, reader: PairReader, out_path: str | Path, size: int, progress: bool
    ) -> None:
        """Read, score, write, in one go."""
        with Progress(reader, progress) as bar, stream_to(out_path) as stream:
            writer: RowWriter | None = None
            columns = Columns(None)
            for chunk, results, _ in self._results(reader, chunks(reader, size)):
                if writer is None:
                    form = reader.format if reader.format in (JSON_LINES, "\t") else ","
                    if self.details and form != JSON_LINES:
                        raise InputError(
                            "the header of a table with details is known at the end; give an "
                            "output file"
                        )
                    columns = self._columns(reader, [results])
                    writer = TextWriter(stream, form, columns.output(self.safe))
                self._count(reader, chunk, results)
                writer.write(columns.rows(chunk, results))
                stream.flush()
                bar.advance(len(chunk), self.reached)

    def to_file(
        self,
        reader: PairReader,
        source: Path,
        as_it_was: Stamp,
        journal: Journal,
        size: int,
        progress: bool,
    ) -> None:
        """Score what the journal lacks, and write the output: row by row as they are done, where
        that can be; else at the end, from the input and the journal.
        """
        check_rows(copy.deepcopy(reader), journal.out)  # its progress is not that of the run
        scratch = journal.folder / "output.part"
        scratch.unlink(missing_ok=True)  # of a killed run, it may be the output by another name
        writer: RowWriter | None = None
        columns = Columns(None)
        with (
            _unchanged(source, as_it_was, reader),
            Progress(reader, progress) as bar,
            _files(journal.out) as files,
        ):

            def write(chunk: list[Pair], results: list[Result]) -> None:
                nonlocal writer, columns
                if self.details or not is_text(journal.out):  # all results tell the columns
                    return
                with writing(journal.out):
                    if writer is None:
                        columns = self._columns(reader, ())
                        open_ = open_writer(scratch, journal.out, columns.output(self.safe))
                        writer = files.enter_context(open_)
                    self._count(reader, chunk, results)
                    writer.write(columns.rows(chunk, results))

            rest = chunks(reader, size)
            finished = itertools.islice(rest, journal.chunks)
            self._resume(zip(finished, journal.read(), strict=True), reader, journal, write)
            bar.resumed(self.resumed_rows)
            for chunk, results, new in self._results(reader, rest):
                journal.append(results)
                if new:
                    journal.sync()
                write(chunk, results)
                bar.advance(len(chunk), self.reached)
            journal.sync()
        kinds: dict[str, Any] = {}
        with writing(journal.out):
            if writer is None:
                with _unchanged(source, as_it_was, reader):
                    while more := self._write(reader, scratch, journal, kinds):
                        kinds.update(more)
            journal.publish(scratch)
        self.notes = [
            f"the column {name!r} holds values of several kinds, and is written as {kind}"
            for name, kind in kinds.items()
        ]

    def _write(
        self, reader: PairReader, scratch: Path, journal: Journal, kinds: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Write the output; gives wider types for columns whose values do not fit, to begin anew.

        ``kinds`` are the types of those that did not fit before.
        """
        self._count_anew()
        columns = self._columns(reader, journal.read())
        output, schema = columns.output(self.safe), reader.schema
        try:
            with open_writer(scratch, journal.out, output, schema, kinds) as writer:
                if isinstance(writer, ColumnarWriter) and schema is not None:
                    rows = itertools.chain.from_iterable(journal.read())
                    self._copy_batches(reader, writer, rows, columns)
                else:
                    pairs = iter(reader)
                    for results in journal.read():
                        some = list(itertools.islice(pairs, len(results)))
                        self._count(reader, some, results)
                        writer.write(columns.rows(some, results))
        except WiderTypesNeeded as wider:
            return wider.kinds
        return {}

    def _resume(
        self,
        finished: Iterable[tuple[list[Pair], list[Result]]],
        reader: PairReader,
        journal: Journal,
        write: Callable[[list[Pair], list[Result]], None],
    ) -> None:
        """Count and write what is finished. Where a part is an object, which has no name or file to
        be known by, some pairs are scored once more: they must have the scores that they had.
        """
        known: dict[Texts, tuple[int, float]] = {}
        for chunk, results in finished:
            self.resumed_rows += len(chunk)
            for pair, result in zip(chunk, results, strict=True):
                if len(known) < self.probes and result.score is not None:
                    known[pair.text1, pair.text2] = pair.line, result.score
                    break  # one a chunk, so that many parts of the file are seen
            texts = ((pair.text1, pair.text2) for pair in chunk)
            self.cache.hold(dict(zip(texts, results, strict=True)))
            write(chunk, results)
        if not known:
            return
        again = next(iter(self.engine.run([list(known)])))
        for (line, before), now in zip(known.values(), again, strict=True):
            if now.score is None or abs(now.score - before) > SAME:
                raise InputError(
                    f"cannot resume {str(journal.out)!r}: {reader.rows_are} "
                    f"{line} had the score {before!r} and now has {now.score!r}, so the model is "
                    "not the same; force=True (--force) begins anew"
                )

    def _copy_batches(
        self,
        reader: PairReader,
        writer: ColumnarWriter,
        results: Iterator[Result],
        columns: Columns,
    ) -> None:
        """Copy rows of a columnar input to a columnar output, their other columns untouched.

        Args:
            reader: Of the input.
            writer: Of the output.
            results: A result a row.
            columns: Of the output.
        """
        row = 0
        for batch in reader.batches():
            some = list(itertools.islice(results, batch.num_rows))
            self._count(reader, list(reader.pairs_in(batch, row)), some)
            row += batch.num_rows
            writer.write_batch(batch, map(columns.cells, some))

    def _results(
        self, reader: PairReader, lists: Iterable[list[Pair]]
    ) -> Iterator[tuple[list[Pair], list[Result], bool]]:
        """The chunks with their results, and whether any of them is new: each distinct unknown pair
        goes through the engine.
        """
        waiting: deque[_Asked] = deque()

        def requests() -> Iterator[list[Texts]]:
            for chunk in lists:
                texts = [(pair.text1, pair.text2) for pair in chunk]
                known = self.cache.in_memory(texts)
                problems = {
                    i: why
                    for i, pair in enumerate(chunk)
                    # What is known was usable before.
                    if (texts[i] not in known or pair.problem is not None)
                    and (why := problem_of(pair)) is not None
                }
                if self.on_error == "fail":
                    for i, why in problems.items():
                        raise _row_error(why, reader, chunk[i])
                unknown = dict.fromkeys(
                    pair for i, pair in enumerate(texts) if pair not in known and i not in problems
                )
                known.update(self.cache.on_disk(list(unknown)))
                todo = [pair for pair in unknown if pair not in known]
                self.cache.hits += len(texts) - len(problems) - len(todo)
                waiting.append(_Asked(chunk, texts, problems, known, todo, reader.progress))
                yield todo

        for found in self.engine.run(requests()):
            chunk, texts, problems, known, todo, self.reached = waiting.popleft()
            if len(found) != len(todo):
                raise HybridSemError(f"the engine gave {len(found)} results for {len(todo)} pairs")
            new = dict(zip(todo, found, strict=True))
            self._check_contents()
            self.cache.keep(new)
            known.update(new)
            results = [
                Result(None, f"error: {problems[i]}") if i in problems else known[pair]
                for i, pair in enumerate(texts)
            ]
            if self.on_error == "fail" and any(result.score is None for result in found):
                for pair, result in zip(chunk, results, strict=True):
                    if result.score is None:
                        raise _row_error(result.note.removeprefix("error: "), reader, pair)
            yield chunk, results, bool(todo)

    def _check_contents(self) -> None:
        """:class:`InputError` where a file behind the scores has changed; what was read of it may
        be in the cache already, under what it was.
        """
        if self.check is None:
            return
        try:
            self.check()
        except InputError:
            self.cache.distrust()
            raise

    def _columns(self, reader: PairReader, results: Iterable[list[Result]]) -> Columns:
        """The columns of the output; details by name, in the order in which they occur."""
        if not self.details:
            return Columns(reader.layout, DECISION if self.decides else ())
        values: dict[str, None] = {}
        roles: dict[str, None] = {}
        for result in itertools.chain.from_iterable(results):
            values.update(dict.fromkeys(result.values))
            roles.update(dict.fromkeys(result.roles))
        return Columns(reader.layout, list(values), list(roles))

    def _count(self, reader: PairReader, pairs: Sequence[Pair], results: Sequence[Result]) -> None:
        counts = self.counts
        counts["rows"] += len(pairs)
        self.distinct.add([text for pair in pairs for text in (pair.text1, pair.text2) if text])
        for pair, result in zip(pairs, results, strict=True):
            if result.truncated or result.foreign:
                counts["truncated"] += result.truncated
                counts["foreign"] += result.foreign
            if result.score is None:
                if self.on_error == "fail":  # it goes on with a run that skipped such rows
                    raise _row_error(result.note.removeprefix("error: "), reader, pair)
                counts["failed"] += 1
                self.failures[_kind(result.note)] += 1
                if len(self.first_failures) < LISTED:
                    self.first_failures.append(f"{reader.rows_are} {pair.line}: {result.note}")
            elif pair.gold is not None and len(self.gold) < MAX_FOR_SPEARMAN:
                self.gold.append(pair.gold)
                self.scores.append(result.score)

    def report(self, seconds: float) -> BatchReport:
        """What became of the rows."""
        return BatchReport(
            **self.counts,
            scored=self.counts["rows"] - self.counts["failed"],
            with_gold=len(self.gold),
            spearman=_spearman(self.gold, self.scores),
            failures=dict(self.failures.most_common()),
            first_failures=tuple(self.first_failures),
            distinct_sentences=self.distinct.count,
            cache_hits=self.cache.hits,
            resumed_rows=self.resumed_rows,
            seconds=seconds,
            notes=tuple(self.notes),
        )


def _as_it_is(known: Mapping[str, Any], seconds: float) -> BatchReport:
    """The report of an output that was finished before."""
    names = BatchReport.__dataclass_fields__
    report = BatchReport(**{name: value for name, value in known.items() if name in names})
    return replace(
        report,
        first_failures=tuple(report.first_failures),
        resumed_rows=report.rows,
        cache_hits=0,
        seconds=seconds,
        notes=(*report.notes, COMPLETE),
    )


@contextmanager
def _files(out: Path) -> Iterator[ExitStack]:
    """Files that are closed at the end; after an error of the body that one is the news."""
    files = ExitStack()
    try:
        yield files
    except BaseException:
        with suppress(OSError):
            files.close()
        raise
    with writing(out):
        files.close()


@contextmanager
def _unchanged(source: Path, as_it_was: Stamp, reader: PairReader) -> Iterator[None]:
    """:class:`FormatError` at the end of the body, and in place of its own errors, where the file
    is not what it was: it may have grown, shrunk or gone.
    """
    failed: Exception | None = None
    try:
        yield
    except Exception as error:
        failed = error
    try:
        changed = stat(source) != as_it_was
    except OSError:
        changed = True
    if changed:
        raise FormatError(
            "the file has changed while it was read; run again with --force", reader.name
        ) from failed
    if failed is not None:
        raise failed


def chunks(pairs: Iterable[Pair], size: int) -> Iterator[list[Pair]]:
    """The pairs in lists of ``size``, the first ones and the last shorter; shorter too where their
    text is long, so that memory stays flat.
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


def _engine(pipeline: Scorer, workers: int | None, details: bool, store: Store | None) -> Engine:
    """The engine that was asked for, without or with a number of processes."""
    if workers is None:
        return InProcess(pipeline, details)
    from hybridsem.batch.workers import Workers

    return Workers(
        maker_of(pipeline), workers, details=details, store=None if store is None else store.path
    )


def problem_of(pair: Pair) -> str | None:
    """Why a pair cannot be scored, or None."""
    if pair.problem is not None:
        return pair.problem
    for number, text in enumerate((pair.text1, pair.text2), start=1):
        if (why := problem(text)) is not None:
            column = (
                f" (column {(pair.layout.text1, pair.layout.text2)[number - 1]!r})"
                if pair.layout
                else ""
            )
            return f"sentence {number}{column}: {why}"
    return None


def _row_error(why: str, reader: PairReader, pair: Pair) -> FormatError:
    return FormatError(f"{why} {KEEPS_SUCH_ROWS}", reader.name, pair.line, reader.rows_are)


def _kind(note: str) -> str:
    """A note without what differs from row to row."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "…", note.removeprefix("error: "))
    return plain if len(plain) <= 80 else plain[:79] + "…"


def _spearman(gold: array[float], scores: array[float]) -> float | None:
    """Spearman's rho; None where undefined (fewer than two values, or one side constant)."""
    if (
        not 2 <= len(gold) < MAX_FOR_SPEARMAN
        or min(gold) == max(gold)
        or min(scores) == max(scores)
    ):
        return None
    from scipy.stats import spearmanr

    return float(spearmanr(gold, scores).statistic)
