"""``hybridsem analogies``: make sentence analogies, and explain them by roles."""

from __future__ import annotations

from pathlib import Path

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._options import wants_json
from hybridsem.cli._shared import counted, echo_err, json_text, refuse_output
from hybridsem.errors import InputError

__all__ = ["analogies"]


@click.group(short_help="Make sentence analogies, and explain them by roles.")
def analogies() -> None:
    """Sentence analogies, for `hybridsem evaluate analogies`."""


@analogies.command(short_help="Make analogies from words and sentences.")
@opt.declared("analogies build")
def build(
    output: Path,
    words: Path | None,
    sentences: tuple[Path, ...],
    nli: Path | None,
    categories: str | None,
    sizes: tuple[str, ...],
    seed: int,
) -> None:
    """Make categories of analogies: from word analogies by frames, from sentences by rules, from
    entailments.
    """
    from hybridsem.evaluation.corpora.analogies import build as building
    from hybridsem.evaluation.corpora.analogies.build import save
    from hybridsem.evaluation.corpora.analogies.sources import (
        read_entailments,
        read_sentences,
        read_word_pairs,
    )
    from hybridsem.tables.records import written_as

    given = [path for path in (words, nli, *sentences) if path is not None]
    refuse_output(str(output), *map(str, given))
    written_as(output, "analogies")  # before the work begins
    built = building.build(
        read_word_pairs(words) if words else None,
        read_sentences(sentences),
        read_entailments(nli) if nli else (),
        categories=opt.names_in(categories),
        sizes=dict(map(_size, sizes)),
        seed=seed,
        progress=not opt.is_quiet(),
    )
    sources = {
        "words": [words] if words else [],
        "sentences": sentences,
        "entailments": [nli] if nli else [],
    }
    pairs, kinds = save(output, built, sources, seed), len(built.analogies.categories)
    if wants_json():
        click.echo(json_text({"output": str(output), "pairs": pairs, "categories": kinds}))
    else:
        noun = "category" if kinds == 1 else "categories"
        click.echo(f"{counted(pairs, 'pair')} of {kinds} {noun} in {output}")
    for name, (count, asked) in built.short.items():
        echo_err(f"note: {name}: got {count} of {counted(asked, 'pair')}")


@analogies.command(short_help="Show what changes from A to B, and from C to D.")
@click.argument("a")
@click.argument("b")
@click.argument("c")
@click.argument("d", nargs=-1, required=True)
@opt.declared("role-model")
def explain(a: str, b: str, c: str, d: tuple[str, ...], model: str) -> None:
    """Print the roles that change from A to B, and whether they change alike from C to D: = alike,
    ! not alike.

    Of several Ds, the one with the most similar change comes first.
    """
    from hybridsem import Pipeline
    from hybridsem.evaluation.analogies.role_edits import explained

    nlp = Pipeline(model)
    found = sorted((explained((a, b, c, one), nlp) for one in d), key=lambda one: -one.likeness)
    as_json = "\n".join(json_text(one.to_dict()) for one in found)
    click.echo(as_json if wants_json() else "\n\n".join(map(str, found)))


@analogies.command(short_help="Count the analogies that role edits answer.")
@click.argument("data", type=click.Path(path_type=Path))
@opt.declared("analogies roles")
def roles(data: Path, model: str, categories: str | None) -> None:
    """Print the share of the analogies of DATA that are answered by the candidate whose roles
    change as from A to B.
    """
    from dataclasses import asdict, replace

    from hybridsem import Pipeline
    from hybridsem.datasets.analogy_files import read
    from hybridsem.evaluation import Settings
    from hybridsem.evaluation.analogies.role_edits import answered
    from hybridsem.evaluation.card import figure

    given = read(data)
    names = opt.names_in(categories) or [
        category.name for category in given.categories if category.has_distractors
    ]
    if not names:
        raise InputError("no category has distractors; choose others with --categories")
    found = answered(given.chosen(names), Pipeline(model), Settings(progress=not opt.is_quiet()))
    if wants_json():
        plain = {
            group: {name: asdict(one) for name, one in each.items()}
            for group, each in found.items()
        }
        click.echo(json_text(plain))
        return
    for group, each in found.items():
        shown = ", ".join(f"{name} {figure(replace(one, low=None))}" for name, one in each.items())
        click.echo(f"{group}: {shown}")


def _size(text: str) -> tuple[str, int]:
    name, _, number = text.rpartition("=")
    if not name or not number.strip().isdecimal():
        raise InputError(f"a size is a category and a number, such as plural=100; got {text!r:.80}")
    return name.strip(), int(number)
