"""``hybridsem analogies``: sentence analogies made, and explained by roles."""

from __future__ import annotations

from pathlib import Path

import click

from hybridsem.cli._options import JSON, ROLE_MODEL, SEED, names_in, option, output_option
from hybridsem.cli._shared import json_text, refuse_output, say
from hybridsem.errors import InputError

__all__ = ["analogies"]

FILE = click.Path(dir_okay=False, path_type=Path)
GIVEN = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group(short_help="Make sentence analogies, and explain them by roles.")
def analogies() -> None:
    """Sentence analogies, for `hybridsem evaluate analogies`."""


@analogies.command(short_help="Make analogies from words and sentences.")
@output_option("A jsonl, tsv or csv file; manifest and samples beside.", None, type=FILE)
@option("--words", "Word analogies, in the format of questions-words.txt.", GIVEN)
@option(
    "--sentences",
    "Sentences: one a line, CoNLL-U or a table; may be repeated.",
    GIVEN,
    multiple=True,
)
@option("--nli", "Entailments: a table with premise, hypothesis and label.", GIVEN)
@option(
    "--categories",
    "These alone; else all that there is something to make from.",
    metavar="C,…",
)
@option(
    "--size sizes",
    "At most N pairs of a category; may be repeated.",
    multiple=True,
    metavar="C=N",
)
@SEED
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
        categories=names_in(categories),
        sizes=dict(map(_size, sizes)),
        seed=seed,
        progress=True,
    )
    sources = {
        "words": [words] if words else [],
        "sentences": sentences,
        "entailments": [nli] if nli else [],
    }
    click.echo(
        f"{save(output, built, sources, seed)} pairs of {len(built.analogies.categories)} "
        f"categories in {output}"
    )
    for name, (count, asked) in built.short.items():
        say(f"note: {name}: got {count} of {asked} pairs")


@analogies.command(short_help="What changes from A to B, and from C to D.")
@click.argument("a")
@click.argument("b")
@click.argument("c")
@click.argument("d", nargs=-1, required=True)
@ROLE_MODEL
@JSON
def explain(a: str, b: str, c: str, d: tuple[str, ...], model: str, as_json: bool) -> None:
    """Print which roles change from A to B, and whether the same change from C to D: = the same, !
    not the same.

    Of several Ds, the one whose change is the most like that from A to B comes first.
    """
    from hybridsem import Pipeline
    from hybridsem.evaluation.analogies.role_edits import explained

    nlp = Pipeline(model)
    found = sorted((explained((a, b, c, one), nlp) for one in d), key=lambda one: -one.likeness)
    click.echo(
        "\n".join(json_text(one.to_dict()) for one in found)
        if as_json
        else "\n\n".join(map(str, found))
    )


@analogies.command(short_help="How many analogies role edits answer.")
@click.argument("data", type=click.Path(path_type=Path))
@ROLE_MODEL
@option(
    "--categories",
    "These categories alone; if not given, those with distractors.",
    metavar="C,…",
)
@JSON
def roles(data: Path, model: str, categories: str | None, as_json: bool) -> None:
    """Print how many of the analogies of DATA are answered by the candidate whose roles change as
    from A to B.
    """
    from dataclasses import asdict, replace

    from hybridsem import Pipeline
    from hybridsem.datasets.analogy_files import read
    from hybridsem.evaluation import Settings
    from hybridsem.evaluation.analogies.role_edits import answered
    from hybridsem.evaluation.card import figure

    given = read(data)
    names = names_in(categories) or [
        category.name for category in given.categories if category.has_distractors
    ]
    if not names:
        raise InputError(
            "no category has distractors; name those to be answered among all their sentences: "
            "--categories"
        )
    found = answered(given.chosen(names), Pipeline(model), Settings(progress=True))
    if as_json:
        click.echo(
            json_text(
                {
                    group: {name: asdict(one) for name, one in each.items()}
                    for group, each in found.items()
                }
            )
        )
        return
    for group, each in found.items():
        told = ", ".join(f"{name} {figure(replace(one, low=None))}" for name, one in each.items())
        click.echo(f"{group}: {told}")


def _size(text: str) -> tuple[str, int]:
    name, _, number = text.rpartition("=")
    if not name or not number.strip().isdecimal():
        raise InputError(f"a size is a category and a number, such as plural=100; got {text!r:.80}")
    return name.strip(), int(number)
