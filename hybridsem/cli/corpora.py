"""``hybridsem setops`` and ``hybridsem analogies``: make data for benchmarks."""

from __future__ import annotations

from pathlib import Path

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import counted, echo_err, json_text, refuse_output
from hybridsem.errors import InputError


@click.group(short_help="Make samples of set operations.")
def setops() -> None:
    """Samples of set operations on sentences, for `hybridsem evaluate setops`."""


@setops.command("build", short_help="Make samples.")
@click.argument("source", type=opt.FILE)
@opt.declared("setops build")
def build_samples(
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
    from hybridsem.evaluation.corpora.set_operations import build
    from hybridsem.evaluation.corpora.set_operations.joining import TreeFuser

    refuse_output(str(output), str(source))
    models = [evaluated_model(name) for name in encoders]
    shown = not opt.is_quiet()
    if documents:
        joins = TreeFuser() if fuser == "trees" else build.ChatFuser(fuser, fuser_model or "")
        texts = build.read_documents(source)
        built = build.from_documents(texts, joins, models, max_cosine, progress=shown, each=each)
    else:
        built = build.from_triples(read_triples(source), models, max_cosine, progress=shown)
    samples = write(output, built.samples)
    if opt.wants_json():
        click.echo(json_text({"output": str(output), "samples": samples}))
    else:
        click.echo(f"{counted(samples, 'sample')} in {output}")
    for what, count in built.left_out.items():
        if count:
            echo_err(f"note: left out: {count} {what}")


@click.group(short_help="Make sentence analogies.")
def analogies() -> None:
    """Sentence analogies, for `hybridsem evaluate analogies`."""


@analogies.command("build", short_help="Make analogies from words and sentences.")
@opt.declared("analogies build")
def build_analogies(
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
    from hybridsem.evaluation.corpora.analogies import build, sources
    from hybridsem.tables.records import check_ending

    given = [path for path in (words, nli, *sentences) if path is not None]
    refuse_output(str(output), *map(str, given))
    check_ending(output, "analogies")  # before the work begins
    built = build.build(
        sources.read_word_pairs(words) if words else None,
        sources.read_sentences(sentences),
        sources.read_entailments(nli) if nli else (),
        categories=opt.names_in(categories),
        sizes=dict(map(_size, sizes)),
        seed=seed,
        progress=not opt.is_quiet(),
    )
    read = {
        "words": [words] if words else [],
        "sentences": sentences,
        "entailments": [nli] if nli else [],
    }
    pairs, kinds = build.save(output, built, read, seed), len(built.analogies.categories)
    if opt.wants_json():
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
