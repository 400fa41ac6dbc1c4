"""``hybridsem setops``: make samples of set operations."""

from __future__ import annotations

from pathlib import Path

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import echo_err, echo_written, refuse_output


@click.group(short_help="Make samples of set operations.")
def setops() -> None:
    """Samples of set operations on sentences, for `hybridsem evaluate setops`."""


@setops.command(short_help="Make samples.")
@click.argument("source", type=opt.FILE)
@opt.declared("setops build")
def build(
    source: Path,
    output: Path,
    documents: bool,
    fuser: str,
    fuser_model: str | None,
    encoders: tuple[str, ...],
    max_cosine: float,
    each: bool,
) -> None:
    """Make samples from SOURCE: union triples (columns a, b, union), or documents."""
    from hybridsem.datasets.set_operations import read_triples, write
    from hybridsem.evaluation import evaluated_model
    from hybridsem.evaluation.corpora.set_operations import build as building
    from hybridsem.evaluation.corpora.set_operations.joining import TreeFuser

    refuse_output(str(output), str(source))
    models = [evaluated_model(name) for name in encoders]
    shown = not opt.is_quiet()
    if documents:
        joins = TreeFuser() if fuser == "trees" else building.ChatFuser(fuser, fuser_model or "")
        texts = building.read_documents(source)
        built = building.from_documents(texts, joins, models, max_cosine, progress=shown, each=each)
    else:
        built = building.from_triples(read_triples(source), models, max_cosine, progress=shown)
    echo_written(write(output, built.samples), "sample", output)
    for what, count in built.left_out.items():
        if count:
            echo_err(f"note: left out: {count} {what}")
