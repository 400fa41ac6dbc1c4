"""``hybridsem analogies``: make sentence analogies."""

from __future__ import annotations

from pathlib import Path

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._options import wants_json
from hybridsem.cli._shared import counted, echo_err, json_text, refuse_output
from hybridsem.errors import InputError


@click.group(short_help="Make sentence analogies.")
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


def _size(text: str) -> tuple[str, int]:
    name, _, number = text.rpartition("=")
    if not name or not number.strip().isdecimal():
        raise InputError(f"a size is a category and a number, such as plural=100; got {text!r:.80}")
    return name.strip(), int(number)
