"""Write the trained pair reader as an 8-bit ONNX graph, ``hybridsem/data/pair_reader.onnx``.

    python -m models.pair_reader.export

Inputs, for pairs of which both sentences together have *equally many* word pieces, so that nothing
is padded: ``input_ids`` (batch, length), "[CLS] first [SEP] second [SEP]"; ``second`` (batch,
length), 1 for the pieces of the second; ``shares`` (batch, 2, length), the weights of the pieces in
the mean of each sentence.

Outputs: ``relation`` (batch, 6), the chances of entailment, neutral and contradiction from the
first to the second and from the second to the first; ``graded`` (batch, 2), log odds of similarity
and paraphrase without the share of the cosine of the ``means`` (batch, 2, 384), whose weights are
``cosine`` (2,). The cosine is left to numpy, whose sums are the same on every processor.

Quantised like the encoder (``models/encoder/build.py``), whose word vectors are not written again:
the graph refers to ``encoder.weights``. Run ``python -m models.manifest`` afterwards.
"""

from __future__ import annotations

import random
from pathlib import Path

import onnx
from onnx import TensorProto
from onnx.external_data_helper import ExternalDataInfo, set_external_data
from torch import nn

from benchmarks.command import run
from hybridsem.embeddings.embedded import EmbeddedEncoder
from models.encoder.build import WIDTH, EncoderGraph, float_weights, save
from models.encoder.calibrate import by_layer
from models.fit import Tops, load
from models.graph import Weights, infos, model, steps
from models.pair_reader.data import Kept
from models.pair_reader.model import DEPTH, HIDDEN, Reader
from models.pair_reader.train import READER, read_pairs
from models.recipe import SHIPPED
from models.role_encoder.layers import Layer, published_names

MEASURED = 6000
"""Pairs whose largest values make the levels."""
ENCODER = SHIPPED / "encoder.onnx"


def build(weights: Weights, heads: Weights, tops: Weights) -> onnx.ModelProto:
    """The graph.

    Args:
        weights: Of the embeddings and layers, by their published names.
        heads: Weight and bias of ``hidden``, ``relation`` and ``graded``.
        tops: The largest values of what goes into products, of layers and heads.
    """
    g = EncoderGraph()
    x = g.embedded(weights, "second")
    for layer in range(DEPTH):
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
    inputs = infos({"input_ids": ["batch", "length"]}, TensorProto.INT64)
    inputs += infos({"second": ["batch", "length"], "shares": ["batch", 2, "length"]})
    outputs = {"relation": ["batch", 6], "graded": ["batch", 2], "means": ["batch", 2, WIDTH]}
    outputs["cosine"] = [2]
    return model(g, "pair reader", inputs, infos(outputs))


def tops_of(reader: Reader, pairs: list[tuple[str, str]]) -> Weights:
    """The largest values, by layer and part, and of the heads."""
    tops = Tops(reader, Layer, nn.Linear)
    read_pairs(reader, EmbeddedEncoder(), pairs)
    found = tops.close()
    return by_layer(found) | {name: found[name] for name in ("hidden", "relation", "graded")}


def published(reader: Reader) -> tuple[Weights, Weights]:
    """Embeddings and layers by their published names, and the heads."""
    state = {name: value.float().numpy() for name, value in reader.state_dict().items()}
    layers = {theirs: state[ours] for ours, theirs in published_names(DEPTH, 0)}
    heads = {name: value for name, value in state.items() if not name.startswith("layers")}
    return float_weights() | layers, heads


def refer(graph: onnx.ModelProto, other: Path) -> None:
    """Let a graph refer to tensors that lie beside another one, where they are its own."""
    known: dict[tuple[int, bytes], ExternalDataInfo] = {}
    for tensor in onnx.load(other, load_external_data=False).graph.initializer:
        if tensor.data_location == TensorProto.EXTERNAL:
            place = ExternalDataInfo(tensor)
            with (other.parent / place.location).open("rb") as file:
                file.seek(place.offset)
                known[tensor.data_type, file.read(place.length)] = place
    for tensor in graph.graph.initializer:
        if (place := known.get((tensor.data_type, tensor.raw_data))) is not None:
            set_external_data(tensor, place.location, place.offset, place.length)
            tensor.ClearField("raw_data")


def main(kept: Kept, weights: Path = READER, out: Path = SHIPPED / "pair_reader.onnx") -> None:
    reader = Reader(float_weights())
    load(reader, weights)
    rows = random.Random(0).sample(kept.read(), MEASURED)
    tops = tops_of(reader, [(row.first, row.second) for row in rows])
    graph = build(*published(reader), tops)
    refer(graph, ENCODER)
    save(graph, out)
    onnx.checker.check_model(out)


if __name__ == "__main__":
    run(main)
