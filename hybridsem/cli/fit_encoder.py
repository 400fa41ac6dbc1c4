"""``hybridsem fit-encoder``: map another encoder's cosines to the scale of `hybrid`."""

from __future__ import annotations

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import Run, counted, echo_summary, refuse_existing


@click.command(short_help="Fit another sentence encoder to the hybrid's weights.")
@click.argument("encoder")
@opt.declared("fit-encoder")
@opt.run_options(Run, "fit-encoder")
def fit_encoder(encoder: str, sentences: str | None, run: Run) -> None:
    """Map the cosines of ENCODER, a name or KIND:ARGUMENT, to the scale that the weights of
    `hybrid` were learned on. Then use --encoder ENCODER --scale FILE.

    Sentences need no labels. All are paired, and cosines of equal rank correspond.
    """
    refuse_existing(run.output, run.force, sentences, what="the scale exists")
    from hybridsem import registry
    from hybridsem.embeddings.scale import fit_scale
    from hybridsem.registry.parts import without_secrets

    if sentences is None:
        from hybridsem.datasets.triples import development_sentences

        texts = development_sentences()
    else:
        texts = run.read(sentences).texts
    found = fit_scale(registry.encoder(encoder), without_secrets(encoder), texts)
    found.save(run.output)
    echo_summary(f"scale of {counted(len(set(texts)), 'sentence')} written to {run.output}")
