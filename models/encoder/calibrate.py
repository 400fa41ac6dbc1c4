"""The largest values of what goes into the encoder's products, which its 8-bit levels are made of.

    python -m models.encoder.calibrate --data ../shared/data [--ewt UD_English-EWT]

Writes ``models/encoder/tops.npz``: for each layer, ``input``, ``attended``, ``between`` (384,) and
``inner`` (1536,), float32. The float model reads sentences of EWT train, WikiSplit, STSb train and
SNLI dev, words alone, as hybridsem encodes those too, and passages of as many word pieces as it
reads.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from hybridsem.embeddings.embedded import EmbeddedEncoder, equal_length_batches
from hybridsem.pairs import read_pairs
from hybridsem.parsers.trees.conllu import read_conllu
from models.encoder.build import EPSILON, LAYERS, TOPS, WIDTH, float_weights, source_folder
from models.encoder.word_table import frequent_words
from models.graph import Weights
from models.role_encoder.layers import UpperLayers

__all__ = ["largest", "training_texts"]

PASSAGE, PASSAGES = 18, 100
"""Sentences of a passage, and how many of those there are."""


def _cells(file: Path, count: int) -> list[str]:
    rows = file.read_text(encoding="utf-8").splitlines()[1:]
    return [text for row in rows for text in row.split("\t")[:count]]


def training_texts(data: Path, treebank: Path | None = None, seed: int = 0) -> list[str]:
    """What the largest values are taken from; the treebank is in ``data`` if it is not given."""
    draw = random.Random(seed)
    ewt = [tree.text for tree in read_conllu((treebank or data / "ud-ewt") / "train.conllu")]
    pairs = read_pairs(data / "sts/stsb-en-train.csv")
    sources = [
        (1500, ewt),
        (1200, _cells(data / "setops/wikisplit-validation.tsv", 3)),
        (1000, [text for pair in pairs for text in (pair.text1, pair.text2)]),
        (500, _cells(data / "analogies/snli-dev.tsv", 2)),
        (1500, frequent_words()),
    ]
    found = [
        text
        for count, texts in sources
        for text in draw.sample(sorted({text for text in texts if text.strip()}), count)
    ]
    starts = draw.sample(range(len(ewt) - PASSAGE), PASSAGES)
    return found + [" ".join(ewt[at : at + PASSAGE]) for at in starts]


@torch.no_grad()
def largest(weights: Weights, texts: Sequence[str]) -> Weights:
    """The largest values, by layer and part, of a float model with these weights."""
    layers = UpperLayers(LAYERS)
    layers.load(weights, 0)
    found: dict[str, torch.Tensor] = {}
    for number, layer in enumerate(layers.layers):
        parts = {"input": layer, "attended": layer.attended, "between": layer.up}
        for part, module in (parts | {"inner": layer.down}).items():

            def note(_module, given, name=f"encoder.layer.{number}.{part}") -> None:
                top = given[0].abs().flatten(0, -2).amax(0)
                found[name] = torch.maximum(found.get(name, top), top)

            module.register_forward_pre_hook(note)
    words, positions, kinds = (
        torch.tensor(weights[f"embeddings.{name}_embeddings.weight"])
        for name in ("word", "position", "token_type")
    )
    norm = [torch.tensor(weights[f"embeddings.LayerNorm.{part}"]) for part in ("weight", "bias")]
    rows = [encoding.ids for encoding in EmbeddedEncoder()._encodings(list(texts))]
    for batch in equal_length_batches([len(row) for row in rows], 2048, 1):
        ids = torch.tensor([rows[i] for i in batch])
        x = words[ids] + positions[: ids.shape[1]] + kinds[0]
        x = functional.layer_norm(x, (WIDTH,), *norm, EPSILON)
        layers(x, torch.full((len(batch),), ids.shape[1]))
    return {name: top.numpy() for name, top in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--ewt", type=Path, help="the folder of UD_English-EWT, if it is not there")
    options = parser.parse_args()
    texts = training_texts(options.data, options.ewt)
    np.savez(TOPS, **largest(float_weights(source_folder()), texts))


if __name__ == "__main__":
    main()
