"""Turn a training run into what ships: ``parser.onnx``, ``labels.onnx``, ``parser.json``, the
encoder's layer mix.

    python -m models.parser.export --work runs/parser
    python -m models.encoder.build          # once more: the encoder's second output is that mix
    python -m models.manifest               # the checksums that are verified at run time

``parser.json`` holds the tags and the relations (the lemmas are made by ``lemmas.py``).
``parser.onnx`` takes ``words`` (batch, length, 384), ``shapes`` and ``suffixes`` (batch, length),
sentences of equal length, and gives ``tags`` (batch, length) as indices, ``arcs`` (batch, length, 1
+ length), the two sides of the label classifier, and the ``states`` of the second BiLSTM (batch,
length, 2 · hidden), which the role heads read; ``labels.onnx`` takes those sides for n chosen arcs,
(n, k) each, and gives ``relations`` (n,) as indices. Weights are stored in 16 bit.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from models.graph import Graph, model

ROOT = Path(__file__).parents[2]


def build(w: dict[str, np.ndarray]) -> onnx.ModelProto:
    """The heads as a graph."""
    g = Graph()
    hidden = w["lstm1.weight_hh_l0"].shape[1]

    shape = g.add("Gather", g.matrix("shape", w["shape.weight"]), "shapes")
    suffix = g.add("Gather", g.matrix("suffix", w["suffix.weight"]), "suffixes")
    x = g.add("Transpose", g.add("Concat", "words", shape, suffix, axis=2), perm=[1, 0, 2])
    x = g.add("Transpose", g.lstm("lstm2", g.lstm("lstm1", x, w), w), name="states", perm=[1, 0, 2])
    g.add("ArgMax", g.linear("tag", x, w), name="tags", axis=-1, keepdims=0)

    batch = g.add("Shape", x, start=0, end=1)
    one_row = g.constant("one_row", np.array([1, 2 * hidden], np.int64))
    root = g.add("Expand", g.constant("root", w["root"]), g.add("Concat", batch, one_row, axis=0))
    with_root = g.add("Concat", root, x, axis=1)
    one = g.constant("one", np.float32(1))
    pads = g.constant("pads", np.array([0, 0, 0, 0, 0, 1], np.int64))

    def side(name: str, states: str, biased: bool) -> str:
        active = g.add("LeakyRelu", g.linear(name, states, w), alpha=0.1)
        return g.add("Pad", active, pads, one) if biased else active

    heads = g.add("Transpose", side("arc_head", with_root, False), perm=[0, 2, 1])
    scale = np.float32(w["arc"].shape[1] ** -0.25)
    g.add(
        "MatMul",
        g.add("MatMul", side("arc_dep", x, True), g.matrix("arc", w["arc"] * scale)),
        heads,
        name="arcs",
    )
    g.add("Identity", side("label_dep", x, True), name="label_dep")
    g.add("Identity", side("label_head", with_root, True), name="label_head")

    f, i = TensorProto.FLOAT, TensorProto.INT64
    inputs = [
        helper.make_tensor_value_info(
            "words", f, ["batch", "length", w["lstm1.weight_ih_l0"].shape[1] - 48]
        ),
        helper.make_tensor_value_info("shapes", i, ["batch", "length"]),
        helper.make_tensor_value_info("suffixes", i, ["batch", "length"]),
    ]
    label = w["label"].shape[1]
    outputs = [
        helper.make_tensor_value_info("tags", i, ["batch", "length"]),
        helper.make_tensor_value_info("arcs", f, ["batch", "length", "heads"]),
        helper.make_tensor_value_info("label_dep", f, ["batch", "length", label]),
        helper.make_tensor_value_info("label_head", f, ["batch", "heads", label]),
        helper.make_tensor_value_info("states", f, ["batch", "length", 2 * hidden]),
    ]
    return model(g, "parser heads", inputs, outputs)


def build_labels(w: dict[str, np.ndarray]) -> onnx.ModelProto:
    """The label classifier as a graph: argmax over relations of dep · label · head."""
    g = Graph()
    n, k, _ = w["label"].shape
    weight = g.add(
        "Transpose", g.matrix("label", w["label"].transpose(0, 2, 1).reshape(n * k, k)), perm=[1, 0]
    )
    left = g.add(
        "Reshape",
        g.add("MatMul", "dep", weight),
        g.constant("split", np.array([-1, n, k], np.int64)),
    )
    last = g.constant("last", np.array([2], np.int64))
    scores = g.add("Squeeze", g.add("MatMul", left, g.add("Unsqueeze", "head", last)), last)
    g.add("ArgMax", scores, name="relations", axis=1, keepdims=0)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", k]) for name in ("dep", "head")
    ]
    return model(
        g, "labels", inputs, [helper.make_tensor_value_info("relations", TensorProto.INT64, ["n"])]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Turn a training run into the files that ship.")
    parser.add_argument("--work", type=Path, required=True, help="the folder that train.py wrote")
    parser.add_argument("--out", type=Path, default=ROOT / "hybridsem/data")
    options = parser.parse_args()
    weights = dict(np.load(options.work / "heads.npz"))
    onnx.save(build(weights), options.out / "parser.onnx")
    onnx.save(build_labels(weights), options.out / "labels.onnx")
    labels = json.loads((options.work / "labels.json").read_text())
    (options.out / "parser.json").write_text(
        json.dumps(labels, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
    )
    mix = np.exp(weights["mix"] - weights["mix"].max())
    mix = mix / mix.sum() * weights["scale"]
    (ROOT / "models/parser/layer_mix.json").write_text(
        json.dumps([round(float(m), 6) for m in mix]) + "\n"
    )


if __name__ == "__main__":
    main()
