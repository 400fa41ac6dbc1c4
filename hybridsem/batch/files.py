"""Score or judge a file of pairs."""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypedDict, Unpack

from hybridsem._utils.disk import real
from hybridsem.batch import checkpoint as on_disk
from hybridsem.batch.cache import PairCache, caching
from hybridsem.batch.identity import maker_of, settings_of
from hybridsem.batch.report import BatchReport
from hybridsem.batch.run import SCRATCH, Options, Run, unchanged
from hybridsem.batch.tasks import Task, judging, scoring
from hybridsem.batch.work import InProcess, Scorer
from hybridsem.errors import InputError
from hybridsem.pipeline import Pipeline
from hybridsem.reader import Executor
from hybridsem.tables.checks import check_output


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
