"""``hybridsem setops``: make samples of set operations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._options import option, wants_json
from hybridsem.cli._shared import counted, echo_err, json_text, refuse_output

if TYPE_CHECKING:
    from hybridsem.evaluation.corpora.set_operations.build import Fuser

__all__ = ["setops"]

FILE = click.Path(dir_okay=False, path_type=Path)


@click.group(short_help="Make samples of set operations.")
def setops() -> None:
    """Samples of set operations on sentences, for `hybridsem evaluate setops`."""


@setops.command(short_help="Make samples.")
@click.argument("source", type=FILE)
@opt.output_option("A jsonl, tsv or csv file.", None, type=FILE)
@option("--documents", "SOURCE holds documents: lines of sentences, blank lines between.", bool)
@option("--fuser", "With --documents: trees, or the address of a chat API.", default="trees")
@option("--fuser-model", "Model at that address.")
@option("--encoder -e encoders", "Keep pairs distant for this model; repeatable.", multiple=True)
@option("--max-cosine", "Highest cosine of distant pairs.", float, 0.25)
@option(
    "--each",
    "With --documents: compare what each difference removes and leaves, not neighbours.",
    bool,
)
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

    refuse_output(str(output), str(source))
    models = [evaluated_model(name) for name in encoders]
    if documents:
        built = building.from_documents(
            building.read_documents(source),
            _fuser(fuser, fuser_model or ""),
            models,
            max_cosine,
            progress=not opt.is_quiet(),
            each=each,
        )
    else:
        built = building.from_triples(
            read_triples(source), models, max_cosine, progress=not opt.is_quiet()
        )
    _print_written(write(output, built.samples), output)
    for what, count in built.left_out.items():
        if count:
            echo_err(f"note: left out: {count} {what}")


def _fuser(name: str, model: str) -> Fuser:
    if name == "trees":
        from hybridsem.evaluation.corpora.set_operations.joining import TreeFuser

        return TreeFuser()
    from hybridsem.evaluation.corpora.set_operations.build import ChatFuser

    return ChatFuser(name, model)


def _print_written(samples: int, output: Path) -> None:
    """Print the number of samples that were written."""
    if wants_json():
        click.echo(json_text({"output": str(output), "samples": samples}))
    else:
        click.echo(f"{counted(samples, 'sample')} in {output}")
