"""Write the trained pair reader as an 8-bit ONNX graph, ``hybridsem/data/pair_reader.onnx``.

    python -m models.pair_reader.export

Inputs, for pairs of which both sentences together have *equally many* word pieces, so that nothing
is padded: ``states`` (batch, length, 384), what the encoder's lower layers make of the first
sentence and, behind it, of the second; ``second`` (batch, length), 1 for the words of the second;
``shares`` (batch, 2, length), the weights of the words in the mean of each sentence.

Outputs: ``relation`` (batch, 6), the chances of entailment, neutral and contradiction from the
first to the second and from the second to the first; ``graded`` (batch, 2), log odds of similarity
and paraphrase without the share of the cosine of the ``means`` (batch, 2, 384), whose weights are
``cosine`` (2,). The cosine is left to numpy, whose sums are the same on every processor.

Quantised like the encoder (``models/encoder/build.py``). Run ``python -m models.manifest``
afterwards.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import onnx
from torch import nn

from hybridsem.embeddings.embedded import EmbeddedEncoder
from models.encoder.build import HEADS, SHARED, WIDTH, EncoderGraph, save
from models.fit import load
from models.graph import Weights, infos, model, steps
from models.pair_reader.data import ROWS, kept_rows
from models.pair_reader.model import HIDDEN, JOINT, JointLayer, Reader
from models.pair_reader.train import read_pairs
from models.recipe import SHIPPED, command
from models.role_encoder.layers import published_names
from models.tops import Tops, by_layer

__all__ = ["build", "tops_of"]

MEASURED = 6000
"""Pairs whose largest values make the levels."""


class JointGraph(EncoderGraph):
    """The joint layers' graph."""

    other: Weights
    """The additions to the scores of words of the other sentence, by layer, (heads, width)."""

    def attention_bias(self, name: str, levels: str, w: Weights, seen: np.ndarray) -> str:
        """The product of queries and what marks the other sentence, where it is another."""
        mark = self.other[f"{name}.other"]
        width = mark.shape[1]
        weight = (w[f"{name}.attention.self.query.weight"]).reshape(HEADS, width, WIDTH)
        bias = w[f"{name}.attention.self.query.bias"].reshape(HEADS, width)
        root = width**0.5
        across = np.einsum("hd,hdi->hi", mark, weight) / root * seen
        added = (mark * bias).sum(1) / root
        scores = self.product(f"{name}.other", levels, across, added)
        form = self.add("Concat", "shape", self.whole(HEADS, 1), axis=0)
        scores = self.add("Transpose", self.add("Reshape", scores, form), perm=[1, 2, 0, 3])
        return self.add("Mul", scores, "apart")


def build(weights: Weights, other: Weights, heads: Weights, tops: Weights) -> onnx.ModelProto:
    """The graph.

    Args:
        weights: Of the layers, by their published names.
        other: As :attr:`JointGraph.other`.
        heads: Weight and bias of ``hidden``, ``relation`` and ``graded``.
        tops: The largest values of what goes into products, of layers and heads.
    """
    g = JointGraph()
    g.other = other
    x = g.add("Transpose", "states", perm=[1, 0, 2])
    shape = g.add("Shape", x, end=2, name="shape")
    g.add("Concat", shape, g.whole(-1), axis=0, name="grid")
    x = g.add("Reshape", x, g.constant("rows", np.array([-1, WIDTH], np.int64)))
    two, one = g.whole(2), g.whole(1)
    column, row = g.add("Unsqueeze", "second", two), g.add("Unsqueeze", "second", one)
    difference = g.add("Abs", g.add("Sub", column, row))
    g.add("Unsqueeze", difference, one, name="apart")
    for layer in range(SHARED, SHARED + JOINT):
        x = g.layer(f"encoder.layer.{layer}", weights, tops, x)
    pooled = g.add("MatMul", "shares", g.by_sentence(x, "last"), name="means")
    u, v = g.add("Split", pooled, axis=1, num_outputs=2, outputs=2)
    alike = [g.add("Abs", g.add("Sub", u, v)), g.add("Mul", u, v)]
    directions = [g.add("Concat", *pair, *alike, axis=2) for pair in ((u, v), (v, u))]
    flat = g.add("Concat", *directions, axis=1)
    seen = steps(tops["hidden"])
    levels = g.levels(g.scaled("hidden.seen", flat, seen))
    half = 0.5**0.5
    weight, bias = heads["hidden.weight"], heads["hidden.bias"]
    hidden = g.gelu(g.product("hidden", levels, weight * seen * half, bias * half))
    seen = steps(tops["relation"]) / half
    levels = g.levels(g.scaled("relation.seen", hidden, seen))
    weight = heads["relation.weight"] * seen * half
    relation = g.softmax(g.product("relation", levels, weight, heads["relation.bias"]), 3, "")
    g.add("Reshape", relation, g.whole(0, 6), name="relation")
    parts = g.add("Split", hidden, axis=1, num_outputs=2, outputs=2)
    both = g.add("Reshape", g.add("Add", *parts), g.whole(0, HIDDEN))
    seen = steps(tops["graded"]) / half
    levels = g.levels(g.scaled("graded.seen", both, seen))
    weight = heads["graded.weight"] * seen * half
    g.product("graded", levels, weight, heads["graded.bias"], result="graded")
    g.add("Identity", g.constant("cosine.weights", heads["cosine"]), name="cosine")
    inputs = {"states": ["batch", "length", WIDTH], "second": ["batch", "length"]}
    inputs["shares"] = ["batch", 2, "length"]
    outputs = {"relation": ["batch", 6], "graded": ["batch", 2], "means": ["batch", 2, WIDTH]}
    outputs["cosine"] = [2]
    return model(g, "pair reader", infos(inputs), infos(outputs))


def tops_of(reader: Reader, pairs: list[tuple[str, str]]) -> Weights:
    """The largest values, by layer and part, and of the heads."""
    tops = Tops(reader, JointLayer, nn.Linear)
    read_pairs(reader, EmbeddedEncoder(), pairs)
    found = tops.close()
    layers = by_layer(found, JOINT, SHARED)
    return layers | {name: found[name] for name in ("hidden", "relation", "graded")}


def published(reader: Reader) -> tuple[Weights, Weights, Weights]:
    """The layers by their published names, what marks the other sentence, and the heads."""
    state = {name: value.float().numpy() for name, value in reader.state_dict().items()}
    names = published_names(JOINT, SHARED)
    layers = {theirs: state[ours] for ours, theirs in names}
    other = {f"encoder.layer.{SHARED + i}.other": state[f"layers.{i}.other"] for i in range(JOINT)}
    heads = {name: value for name, value in state.items() if not name.startswith("layers")}
    return layers, other, heads


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("--made", type=Path, help="what models.pairs wrote")
    parser.add_argument("--rows", type=Path, default=ROWS)
    parser.add_argument("--weights", type=Path, default=Path(__file__).with_name("reader.npz"))
    parser.add_argument("--out", type=Path, default=SHIPPED / "pair_reader.onnx")
    options = parser.parse_args()
    reader = Reader()
    load(reader, options.weights)
    rows = kept_rows(options.data, options.made, options.rows)
    rows = random.Random(0).sample(rows, MEASURED)
    tops = tops_of(reader, [(row.first, row.second) for row in rows])
    graph = build(*published(reader), tops)
    onnx.checker.check_model(graph)
    save(graph, options.out)


if __name__ == "__main__":
    main()
