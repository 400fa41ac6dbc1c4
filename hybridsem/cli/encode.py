"""``hybridsem encode``: texts to vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import tee
from pathlib import Path

import click
import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.disk import saving
from hybridsem._utils.progress import counter
from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.cli._shared import LINES, PARQUET, Run, counted, echo_summary, table
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.tables.readers import TextRow, open_texts

NPY = ".npy"
CHUNK = 1024


@click.command()
@click.argument("texts", type=opt.INPUT)
@opt.declared("encode", Run)
def encode(texts: str, run: Run) -> None:
    """Write a vector for each text of TEXTS, a file as for `rank`, in order.

    For `hybrid` these are the vectors of its encoder alone; the whole model scores pairs. Texts
    longer than the encoder reads are reported. With --on-error skip a blank text has a vector of
    NaN in .npy and none in other formats; blank lines of plain text are skipped.
    """
    pipeline = run.pipeline(texts, endings=(NPY, PARQUET, *LINES))
    reader = open_texts(texts, column=run.column, encoding=run.encoding)
    width = pipeline.encode([]).shape[1] or pipeline.encode(["a"]).shape[1]
    counts, cut = {"texts": 0, "skipped": 0}, list[int]()
    total = reader.progress[1]

    def usable(chunk: Sequence[TextRow]) -> list[int]:
        """Return the positions of the texts that get a vector."""
        hint = " (--on-error skip leaves such rows without a vector)"
        checked = ui.checked(reader, run.on_error, hint, chunk)
        return [at for at, (_, is_usable) in enumerate(checked) if is_usable]

    with (
        ui.executor_context(pipeline.reader, run.engine, run.address),
        _writer(run.output, reader.rows_are, width) as write,
        counter("Encoding", total or 0, not opt.is_quiet() and reader.rows_are == "row") as advance,
    ):
        chunks = ((chunk, usable(chunk)) for chunk in ui.in_chunks(iter(reader), CHUNK))
        given, sent = tee(chunks)
        chosen = ([chunk[at].text for at in places] for chunk, places in sent)
        encoded = pipeline.reader.map(_encoder, chosen)
        for (chunk, places), (rows, cuts) in zip(given, encoded, strict=True):
            vectors = np.full((len(chunk), width), np.nan, np.float32)
            vectors[places] = rows
            flags = np.zeros(len(chunk), bool)
            flags[places] = cuts
            write(chunk, vectors, flags.tolist())
            counts["texts"] += len(chunk)
            counts["skipped"] += len(chunk) - len(places)
            cut += [row.line for row, flag in zip(chunk, flags, strict=True) if flag]
            advance(len(chunk))
        if not counts["texts"]:
            raise InputError(f"no texts, got {texts!r}")
    ui.report_truncated(reader.name, reader.rows_are, cut)
    skipped = f", {counts['skipped']} of them missing" if counts["skipped"] else ""
    echo_summary(f"{counted(counts['texts'], 'vector')} of {width} numbers{skipped}")
    if isinstance(pipeline.combiner, HybridCombiner):
        echo_summary(f"{pipeline.spec.name} compares pairs; these are the vectors of its encoder")


def _encoder(reader: Reader) -> Callable[[list[str]], tuple[Float32Array, list[bool]]]:
    parts = reader.parts
    return lambda texts: (parts.vectors_in(None, texts, True), parts.truncated(texts))


Write = Callable[[Sequence[TextRow], Float32Array, list[bool]], None]


@contextmanager
def _writer(output: str, line: str, width: int) -> Iterator[Write]:
    """Yield a function that writes chunks of vectors; a file appears when it is complete."""
    if Path(output).suffix.lower() == NPY:
        with saving(output, "the vectors") as part, part.open("wb") as stream:
            rows = 0

            def header() -> None:
                about = {"descr": "<f4", "fortran_order": False, "shape": (rows, width)}
                np.lib.format.write_array_header_1_0(stream, about)

            def append(chunk: Sequence[TextRow], vectors: Float32Array, flags: list[bool]) -> None:
                nonlocal rows
                rows += len(chunk)
                stream.write(vectors.astype("<f4").tobytes())

            header()  # has room for any number of rows
            yield append
            stream.seek(0)
            header()
        return
    columns = {line: int, "text": str, "vector": list, "truncated": bool}
    with table(output, columns, as_json=output == "-") as write:

        def write_rows(chunk: Sequence[TextRow], vectors: Float32Array, flags: list[bool]) -> None:
            for row, vector, flag in zip(chunk, vectors, flags, strict=True):
                numbers = None if np.isnan(vector).any() else vector.tolist()
                text = row.text if isinstance(row.text, str) else None
                write({line: row.line, "text": text, "vector": numbers, "truncated": flag})

        yield write_rows
