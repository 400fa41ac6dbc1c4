"""``hybridsem setops``: make, explain and rate samples of set operations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._options import wants_json
from hybridsem.cli._shared import echo_err, echo_written, json_text, refuse_output

__all__ = ["setops"]


@click.group(short_help="Make, explain and rate samples of set operations.")
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
    from hybridsem.evaluation.corpora.set_operations.chat import ChatFuser
    from hybridsem.evaluation.corpora.set_operations.joining import TreeFuser

    refuse_output(str(output), str(source))
    models = [evaluated_model(name) for name in encoders]
    shown = not opt.is_quiet()
    if documents:
        joins = TreeFuser() if fuser == "trees" else ChatFuser(fuser, fuser_model or "")
        texts = building.read_documents(source)
        built = building.from_documents(texts, joins, models, max_cosine, progress=shown, each=each)
    else:
        built = building.from_triples(read_triples(source), models, max_cosine, progress=shown)
    echo_written(write(output, built.samples), "sample", output)
    for what, count in built.left_out.items():
        if count:
            echo_err(f"note: left out: {count} {what}")


@setops.command(short_help="Show what a target keeps of A and B, role by role.")
@click.argument("operator", type=click.Choice(["overlap", "difference", "union"]))
@click.argument("a")
@click.argument("b")
@click.argument("target")
@opt.declared("role-model")
def explain(operator: str, a: str, b: str, target: str, model: str) -> None:
    """Print what TARGET keeps of A and B: = kept rightly, - left out rightly, ! wrong, + new."""
    from hybridsem import Pipeline
    from hybridsem.datasets.set_operations import Sample, Samples
    from hybridsem.errors import ParseError
    from hybridsem.evaluation.setops.role_retention import RoleSets, role_sets

    sample = Sample(operator, a, b, target)
    Samples.of([sample])  # raises if it is unusable
    found = role_sets([sample], Pipeline(model))[0]
    if not isinstance(found, RoleSets):
        raise ParseError(f"no parse of {found.text!r:.80}: {found.reason}")
    click.echo(json_text(found.to_dict()) if wants_json() else str(found))


@setops.command(short_help="Show what the targets of a file keep, role by role.")
@click.argument("samples", type=opt.FILE)
@opt.declared("role-model")
def roles(samples: Path, model: str) -> None:
    """Print mean role precision and recall over the SAMPLES, by operator, and the recall of each
    role.
    """
    from hybridsem import Pipeline
    from hybridsem.datasets.set_operations import read
    from hybridsem.evaluation import Settings
    from hybridsem.evaluation.setops.role_retention import role_sets, summary

    _print(summary(role_sets(list(read(samples, Settings())), Pipeline(model))))


@setops.command(short_help="Write a sheet for rating samples.")
@click.argument("samples", type=opt.FILE)
@opt.declared("setops sheet")
def sheet(samples: Path, output: Path, size: int | None, seed: int) -> None:
    """Write a sheet with a statement for each of the SAMPLES, to rate from 0 to 4."""
    from hybridsem.datasets.set_operations import read
    from hybridsem.evaluation import Settings
    from hybridsem.evaluation.corpora.set_operations.sheets import write_sheet

    refuse_output(str(output), str(samples))
    written = write_sheet(output, read(samples, Settings()), size, seed)
    echo_written(written, "sample", output)


@setops.command(short_help="Measure how far raters agree.")
@click.argument("sheets", nargs=-1, required=True, type=opt.FILE, metavar="SHEET...")
@opt.declared("setops agreement")
def agreement(sheets: tuple[Path, ...], picture: Path | None) -> None:
    """Print how far the raters of SHEETs, one file each, agree: in all and by operator."""
    import numpy as np

    from hybridsem.evaluation.corpora.set_operations.sheets import agreement as agreed
    from hybridsem.evaluation.corpora.set_operations.sheets import read_sheets

    _, operators, ratings = read_sheets(sheets)
    if picture is not None:
        from hybridsem.evaluation.report.plots import save
        from hybridsem.evaluation.setops.pictures import draw_ratings

        save(draw_ratings(operators, ratings), picture)
    groups = {"all": np.ones(len(operators), bool)}
    groups |= {name: np.array(operators) == name for name in dict.fromkeys(operators)}
    found = {name: agreed(ratings[:, rows]).to_dict() for name, rows in groups.items()}
    _print(found)


def _print(found: Mapping[str, Mapping[str, float | None]]) -> None:
    """Print figures by group: a group per line, or JSON."""
    if wants_json():
        click.echo(json_text(found))
        return
    for group, figures in found.items():
        shown = ", ".join(f"{name} {_figure(value)}" for name, value in figures.items())
        click.echo(f"{group}: {shown}")


def _figure(value: float | None) -> str:
    if value is None:
        return "undefined"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
