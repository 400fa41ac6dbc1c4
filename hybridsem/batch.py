"""Scoring pair files: chunk by chunk, in flat memory, and written so that a half file never looks whole.

    PairReader --chunks--> list[Pair] --score_chunk--> list[Scored] --RowWriter--> file

The output keeps the columns of the input and adds ``score`` and ``note``.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import os
import secrets
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from hybridsem._text import problem
from hybridsem.errors import FormatError, HybridSemError, InputError
from hybridsem.pairs import JSON_LINES, Layout, Pair, PairReader

__all__ = ["BatchReport", "RowWriter", "Scored", "Scorer", "chunks", "score_chunk", "score_file"]

OUTPUTS: Mapping[str, str] = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".jsonl": JSON_LINES, ".ndjson": JSON_LINES}
"""Extension of the output -> its format: a delimiter, or JSON lines."""

ON_ERROR = ("fail", "skip")

TRUNCATED = "truncated: longer than the encoder reads"


class Scorer(Protocol):
    """What :func:`score_file` needs of a pipeline.

    A pipeline may also have ``truncated(sentences) -> Sequence[bool]``, which tells what its encoder had to cut.
    """

    def score(self, pairs: Sequence[tuple[str, str]], *, progress: bool = False, on_error: str = "fail") -> Any:
        """One float64 a pair; NaN for a pair that has no score where ``on_error`` is ``skip``."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A pair with its score (None: it has none) and what is to be said about it."""

    pair: Pair
    score: float | None
    note: str = ""
    truncated: bool = False


@dataclass(frozen=True)
class BatchReport:
    """What became of a pair file: every row is counted as scored or failed."""

    rows: int
    scored: int
    failed: int
    truncated: int
    with_gold: int = 0
    spearman: float | None = None
    first_failures: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``hybridsem score --json`` prints it."""
        return {
            name: getattr(self, name) for name in ("rows", "scored", "failed", "truncated", "with_gold", "spearman")
        }


def score_file(
    pipeline: Scorer,
    pairs_path: str | Path,
    out_path: str | Path,
    *,
    columns: Sequence[str] | None = None,
    on_error: str = "fail",
    chunk_size: int = 1024,
    progress: bool = False,
) -> BatchReport:
    """Score the pairs of a file and write them with their scores, in order.

    ``out_path`` says the format (.csv, .tsv, .jsonl, each also .gz); ``-`` is standard output in the format of the
    input. The result appears under its name only when it is complete. A pair that has no score ends the run with an
    :class:`InputError` that names the line; with ``on_error="skip"`` its row is kept with an empty score and a note,
    and counted. The report's ``spearman`` compares scores with gold scores where the file has at least two.
    """
    if on_error not in ON_ERROR:
        raise InputError(f"on_error must be one of {', '.join(ON_ERROR)}; got {on_error!r}")
    if chunk_size < 1:
        raise InputError(f"chunk_size must be at least 1, got {chunk_size!r}")
    reader = PairReader(pairs_path, columns=columns)
    _check_output(out_path, pairs_path)
    counts = {"rows": 0, "failed": 0, "truncated": 0}
    gold, scores = array("d"), array("d")
    failures: list[str] = []
    with _output(out_path) as stream, _Progress(reader, progress) as bar:
        writer: RowWriter | None = None
        for chunk in chunks(reader, chunk_size):
            scored = score_chunk(pipeline, chunk, on_error=on_error, name=reader.name)
            if writer is None:
                writer = RowWriter(stream, _output_format(out_path, reader), chunk[0].layout)
            for row in scored:
                writer.write(row)
                counts["rows"] += 1
                counts["truncated"] += row.truncated
                if row.score is None:
                    counts["failed"] += 1
                    if len(failures) < 5:
                        failures.append(f"line {row.pair.line}: {row.note}")
                elif row.pair.gold is not None:
                    gold.append(row.pair.gold)
                    scores.append(row.score)
            bar.advance(len(chunk))
    return BatchReport(
        **counts,
        scored=counts["rows"] - counts["failed"],
        with_gold=len(gold),
        spearman=_spearman(gold, scores),
        first_failures=tuple(failures),
    )


def chunks(pairs: Iterable[Pair], size: int) -> Iterator[list[Pair]]:
    """The pairs in lists of ``size``, the last one shorter."""
    source = iter(pairs)
    while chunk := list(itertools.islice(source, size)):
        yield chunk


def score_chunk(pipeline: Scorer, chunk: Sequence[Pair], *, on_error: str = "fail", name: str = "") -> list[Scored]:
    """The pairs with their scores and notes, in order.

    With ``on_error="fail"`` the first pair without a score raises :class:`FormatError` with the file's ``name`` and the
    pair's line.
    """
    texts = [(pair.text1, pair.text2) for pair in chunk]
    # Unusable texts are held back, so that what is left can fail only in the parser or the encoder.
    problems = {i: why for i, pair in enumerate(texts) if (why := _problem(*pair)) is not None}
    for i, why in problems.items():
        if on_error == "fail":
            raise _row_error(why, name, chunk[i])
    usable = [i for i in range(len(texts)) if i not in problems]
    values = np.full(len(texts), np.nan)
    if usable:
        values[usable] = pipeline.score([texts[i] for i in usable], on_error="skip")
    cut = _truncated(pipeline, texts, usable)
    scored = []
    for i, (pair, value) in enumerate(zip(chunk, values.tolist(), strict=True)):
        if math.isnan(value):
            why = problems.get(i) or _reason(pipeline, texts[i])
            if on_error == "fail":
                raise _row_error(why, name, pair)
            scored.append(Scored(pair, None, f"error: {why}"))
        else:
            scored.append(Scored(pair, value, TRUNCATED if i in cut else "", i in cut))
    return scored


def _row_error(why: str, name: str, pair: Pair) -> FormatError:
    kept = "(on_error='skip', or --on-error skip, keeps such rows without a score)"
    return FormatError(f"{why} {kept}", name or None, pair.line)


def _problem(*texts: str) -> str | None:
    for number, text in enumerate(texts, start=1):
        if (why := problem(text)) is not None:
            return f"sentence {number}: {why}"
    return None


def _reason(pipeline: Scorer, texts: tuple[str, str]) -> str:
    try:
        pipeline.score([texts], on_error="fail")
    except HybridSemError as error:
        return str(error)
    return "the pair has no score"


def _truncated(pipeline: Scorer, texts: Sequence[tuple[str, str]], rows: Iterable[int]) -> set[int]:
    """The rows with a sentence that the encoder cut."""
    ask = getattr(pipeline, "truncated", None)
    if ask is None:
        return set()
    sentences = [(i, text) for i in rows for text in texts[i]]
    return {i for (i, _), flag in zip(sentences, ask([text for _, text in sentences]), strict=True) if flag}


class RowWriter:
    """Writes scored pairs as rows: the input's columns as they were, then ``score`` and ``note``.

    An input column of that name keeps it, and the new one is called ``hybridsem_score``, ``hybridsem_score_2``, …
    """

    def __init__(self, stream: IO[str], format: str, layout: Layout | None) -> None:
        self.stream, self.format = stream, format
        self.columns = layout.columns if layout is not None else ("text1", "text2")
        self.score_name, self.note_name = self._free("score"), self._free("note")
        self._table = csv.writer(stream, delimiter="," if format == JSON_LINES else format, lineterminator="\n")
        if format != JSON_LINES:
            self._table.writerow([*self.columns, self.score_name, self.note_name])

    def _free(self, name: str) -> str:
        names = itertools.chain([name, f"hybridsem_{name}"], (f"hybridsem_{name}_{i}" for i in itertools.count(2)))
        return next(free for free in names if free not in self.columns)

    def write(self, row: Scored) -> None:
        """Write one row. Scores are written with six decimals in a table and in full in JSON lines."""
        fields = row.pair.fields or {"text1": row.pair.text1, "text2": row.pair.text2}
        if self.format == JSON_LINES:
            record = {**fields, self.score_name: row.score, self.note_name: row.note}
            text = json.dumps(record, ensure_ascii=False)
            if not _is_text(text):
                text = json.dumps(record)
            self.stream.write(text + "\n")
            return
        if unknown := [name for name in fields if name not in self.columns]:
            raise FormatError(
                f"the key {unknown[0]!r} is not in the first line, so a table has no column for it; "
                "write to a .jsonl file instead",
                line=row.pair.line,
            )
        cells = [_cell(fields.get(name)) for name in self.columns]
        self._table.writerow([*cells, "" if row.score is None else f"{row.score:.6f}", _cell(row.note)])


def _cell(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True


# -- the output file ---------------------------------------------------------------------------------------------------


def _output_format(out_path: str | Path, reader: PairReader) -> str:
    if str(out_path) == "-":
        return reader.format if reader.format in (JSON_LINES, "\t") else ","
    return OUTPUTS[_suffix(Path(out_path))]


def _suffix(path: Path) -> str:
    """The extension that says the format, whether or not ``.gz`` follows."""
    return (Path(path.stem) if path.suffix.lower() == ".gz" else path).suffix.lower()


def _check_output(out_path: str | Path, pairs_path: str | Path) -> None:
    """Fail before the work and not after it."""
    if str(out_path) == "-":
        return
    path = Path(out_path)
    if _suffix(path) not in OUTPUTS:
        raise InputError(f"the output must end in one of {', '.join(OUTPUTS)} (or in these and .gz), got {str(path)!r}")
    if path.is_dir():
        raise InputError(f"the output must be a file, got the folder {str(path)!r}")
    if not path.resolve().parent.is_dir():
        raise InputError(f"the output's folder does not exist, got {str(path)!r}")
    if path.exists() and Path(pairs_path).exists() and path.samefile(pairs_path):
        raise InputError(f"the output would replace the pair file, got {str(path)!r} for both")


@contextmanager
def _output(out_path: str | Path) -> Iterator[IO[str]]:
    """A text stream; a file gets its name by ``os.replace`` when everything has been written."""
    encoding: dict[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace", "newline": ""}
    if str(out_path) == "-":
        stream = io.TextIOWrapper(sys.stdout.buffer, **encoding)
        try:
            yield stream
            stream.flush()
        finally:
            stream.detach()  # standard output stays open
        return
    # A link is followed, so that the file it points to is replaced and not the link itself.
    target = Path(out_path).resolve()
    if target.exists() and not target.is_file():  # a pipe or a device: there is nothing to replace
        with target.open("w", **encoding) as device:
            yield device
        return
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as raw:
            if target.suffix.lower() == ".gz":
                import gzip

                with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                    stream = io.TextIOWrapper(packed, **encoding)
                    yield stream
                    stream.flush()
                    stream.detach()
            else:
                stream = io.TextIOWrapper(raw, **encoding)
                yield stream
                stream.flush()
                stream.detach()
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(part, target)
    except OSError as error:
        raise HybridSemError(f"cannot write {str(target)!r}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


class _Progress:
    """A bar on standard error where that is a terminal, by bytes where the input's size is known."""

    def __init__(self, reader: PairReader, wanted: bool) -> None:
        self.lines = reader.lines
        self.rows = 0
        self._bar: Any = None
        if wanted and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            shown = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rows]} pairs")
            self._bar = Progress(*shown, TimeElapsedColumn(), console=Console(stderr=True), transient=True)

    def __enter__(self) -> _Progress:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task("scoring", total=None, rows=0)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, rows: int) -> None:
        self.rows += rows
        if self._bar is not None:
            self._bar.update(self._task, total=self.lines.size, completed=self.lines.bytes_read, rows=self.rows)


def _spearman(gold: array[float], scores: array[float]) -> float | None:
    """Spearman's rho, or None where it is not defined (fewer than two values, or all of one side equal)."""
    if len(gold) < 2 or min(gold) == max(gold) or min(scores) == max(scores):
        return None
    from scipy.stats import spearmanr

    return float(spearmanr(gold, scores).statistic)
