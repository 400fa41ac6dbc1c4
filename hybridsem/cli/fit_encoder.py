"""``hybridsem fit-encoder``: another encoder's cosines on the scale of the hybrid's weights."""

from __future__ import annotations

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import refuse_existing, refuse_output, say
from hybridsem.cli._texts import read_texts


@click.command(short_help="Fit another sentence encoder to the hybrid's weights.")
@click.argument("encoder")
@opt.output_option("The scale to write, for --scale.", None, type=click.Path(dir_okay=False))
@opt.option(
    "--sentences",
    "Sentences of yours, some of them much alike; those that ship if not given.",
    metavar="FILE",
)
@opt.COLUMN
@opt.ENCODING
@opt.on_error_option()
@opt.FORCE
def fit_encoder(
    encoder: str,
    output: str,
    sentences: str | None,
    column: str | None,
    encoding: str,
    on_error: str,
    force: bool,
) -> None:
    """Bring the cosines of ENCODER, a name or KIND:ARGUMENT, to the scale that the weights of
    `hybrid` were learned on; then: --encoder ENCODER --scale FILE.

    Sentences need no labels. All are paired, and what share of the pairs has a lower cosine says
    which cosine of the embedded encoder one stands for.
    """
    refuse_output(output, sentences)
    refuse_existing(output, force, "the scale exists")
    from hybridsem import registry
    from hybridsem.embeddings.scale import fit_scale
    from hybridsem.registry.parts import without_secrets

    if sentences is None:
        from hybridsem.datasets.triples import development_sentences

        texts = development_sentences()
    else:
        texts = read_texts(sentences, column, on_error, encoding).texts
    found = fit_scale(registry.encoder(encoder), without_secrets(encoder), texts)
    found.save(output)
    say(f"scale of {len(set(texts))} sentences written to {output}")
