"""The largest values of what goes into the encoder's products, which its 8-bit levels are made of.

    python -m models.encoder.calibrate --data ../shared/data [--ewt UD_English-EWT]

Writes ``models/encoder/tops.npz``: for each layer, ``input``, ``attended``, ``between`` (384,) and
``inner`` (1536,), float32. The float model reads sentences of EWT train, WikiSplit, STSb train and
SNLI dev, words alone, as hybridsem encodes those too, and passages of as many word pieces as it
reads.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import torch
from torch import nn
from torch.nn import functional

from benchmarks.command import DATA, run
from hybridsem.embeddings.embedded import EmbeddedEncoder, equal_length_batches
from hybridsem.parsers.trees.conllu import read_conllu
from models.corpora import frequent_words, plain_texts
from models.encoder.build import EPSILON, LAYERS, TOPS, WIDTH, shipped_weights
from models.fit import Tops
from models.graph import Weights
from models.pair_reader.model import EMBEDDED
from models.recipe import save
from models.role_encoder.layers import Layer, UpperLayers

PASSAGE, PASSAGES = 18, 100
"""Sentences of a passage, and how many of those there are."""


PARTS = {"": "input", ".attended": "attended", ".up": "between", ".down": "inner"}
"""What goes into a layer of the encoder, and into the modules of it."""


def training_texts(data: Path, treebank: Path | None = None) -> list[str]:
    """What the largest values are taken from; the treebank is in ``data`` if it is not given."""
    draw = random.Random(0)
    ewt = [tree.text for tree in read_conllu((treebank or data / "ud-ewt") / "train.conllu")]
    plain = plain_texts(data)
    sources = [(1500, ewt), (1200, plain["WikiSplit"]), (1000, plain["STSb train"])]
    sources += [(500, plain["SNLI dev"]), (1500, frequent_words())]
    found: list[str] = []
    for count, texts in sources:
        found += draw.sample(sorted({text for text in texts if text.strip()}), count)
    starts = draw.sample(range(len(ewt) - PASSAGE), PASSAGES)
    return found + [" ".join(ewt[at : at + PASSAGE]) for at in starts]


def by_layer(found: Weights) -> Weights:
    """What was found of the encoder's ``layers``, by the number of each layer and its parts."""
    return {
        f"encoder.layer.{number}.{part}": found[f"layers.{number}{name}"]
        for number in range(LAYERS)
        for name, part in PARTS.items()
    }


@torch.no_grad()
def largest(weights: Weights, texts: Sequence[str]) -> Weights:
    """The largest values, by layer and part, of a float model with these weights."""
    layers = UpperLayers(LAYERS)
    layers.load(weights, 0)
    tops = Tops(layers, Layer, nn.Linear)
    own = {name: torch.tensor(weights[f"embeddings.{theirs}"]) for name, theirs in EMBEDDED.items()}
    rows = [encoding.ids for encoding in EmbeddedEncoder()._encodings(list(texts))]
    for batch in equal_length_batches([len(row) for row in rows], 2048, 1):
        ids = torch.tensor([rows[i] for i in batch])
        x = own["word"][ids] + own["position"][: ids.shape[1]] + own["token_type"][0]
        x = functional.layer_norm(x, (WIDTH,), own["scale"], own["shift"], EPSILON)
        layers(x, torch.full((len(batch),), ids.shape[1]))
    return by_layer(tops.close())


def main(
    data: Path = DATA,
    ewt: Annotated[Path | None, "the folder of UD_English-EWT, if it is not there"] = None,
) -> None:
    save(TOPS, largest(shipped_weights(), training_texts(data, ewt)))


if __name__ == "__main__":
    run(main)
