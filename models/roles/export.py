"""Turn a training run into what ships: ``roles.onnx``, ``arguments.onnx``, ``senses.npz``,
``roles.json``.

    python -m models.roles.export --work runs/roles
    python -m models.manifest

``roles.onnx`` reads sentences of equal length: ``words`` (batch, length, 384) and the parser's
``states`` (batch, length, 400), and by word the integers ``tags``, ``relations``, ``marker``,
``shapes``, the bag ``below`` and ``prior`` (batch, length, 3). It gives, a row a word of the batch,
``hidden``, ``left`` (what a word brings into a pair), ``query`` (what senses are compared with) and
the log odds ``predicate``. ``arguments.onnx`` reads the pairs: ``left`` (pairs, d) of the word, the
number ``predicate`` of the predicate, ``path``, ``reach`` and ``far`` (pairs,), and of the
predicates ``hidden``, ``sense`` and ``frame``; it gives the probabilities of ``labels`` and
``roles``. Weights are stored in 16 bit, those of the rolesets in 8.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from models.graph import Graph, Weights, model

ROOT = Path(__file__).parents[2]

FLOAT, INT = TensorProto.FLOAT, TensorProto.INT64
info = helper.make_tensor_value_info
TABLES = {
    "tag": "tags",
    "relation": "relations",
    "marker": "marker",
    "shape": "shapes",
}  # embeddings of what


def words_graph(w: Weights) -> onnx.ModelProto:
    """From the parser's vectors and the tree to what is known of each word."""
    g = Graph()
    tables = [
        g.add("Gather", g.matrix(name, w[f"{name}.weight"]), source)
        for name, source in TABLES.items()
    ]
    x = g.add("Concat", "states", "words", *tables, "below", axis=2)
    x = g.add("Relu", g.linear("word", x, w))
    y = g.add("Transpose", g.lstm("lstm", g.add("Transpose", x, perm=[1, 0, 2]), w), perm=[1, 0, 2])
    width = w["left.weight"].shape[1]
    rows = g.constant("rows", np.array([-1, width], np.int64))
    g.add("Reshape", g.add("Concat", x, y, axis=2), rows, name="hidden")
    g.linear("left", "hidden", w, result="left")
    g.linear("to_sense", "hidden", w, result="query")
    three = g.constant("three", np.array([-1, 3], np.int64))
    z = g.add("Concat", "hidden", g.add("Reshape", "prior", three), axis=1)
    z = g.linear("is_predicate.2", g.add("Relu", g.linear("is_predicate.0", z, w)), w)
    g.add("Squeeze", z, g.constant("last", np.array([1], np.int64)), name="predicate")
    inputs = [
        info("words", FLOAT, ["batch", "length", 384]),
        info("states", FLOAT, ["batch", "length", 400]),
        *(info(name, INT, ["batch", "length"]) for name in TABLES.values()),
        info("below", FLOAT, ["batch", "length", len(w["relation.weight"])]),
        info("prior", FLOAT, ["batch", "length", 3]),
    ]
    outputs = [
        info("hidden", FLOAT, ["n", width]),
        info("left", FLOAT, ["n", len(w["left.weight"])]),
        info("query", FLOAT, ["n", len(w["to_sense.weight"])]),
        info("predicate", FLOAT, ["n"]),
    ]
    return model(g, "words", inputs, outputs)


def arguments_graph(w: Weights) -> onnx.ModelProto:
    """From pairs of a predicate and a word to labels and general roles."""
    g = Graph()
    right = g.linear("right", g.add("Concat", "hidden", "sense", "frame", axis=1), w)
    ways = [
        g.add("Gather", g.matrix(name, w[f"{name}.weight"]), name)
        for name in ("path", "reach", "far")
    ]
    way = g.add("Concat", *ways, axis=1)
    way = g.add("MatMul", way, g.add("Transpose", g.matrix("way", w["way.weight"]), perm=[1, 0]))
    u = g.add("Relu", g.add("Add", g.add("Add", "left", g.add("Gather", right, "predicate")), way))
    # What the predicate's other pairs are like: the largest value of each unit; units are never
    # below zero.
    column = g.add("Unsqueeze", "predicate", g.constant("one", np.array([1], np.int64)))
    top = g.add(
        "ScatterND",
        g.add("Mul", right, g.constant("zero", np.float32(0))),
        column,
        u,
        reduction="max",
    )
    context = g.add("Gather", g.linear("context", top, w), "predicate")
    v = g.add("Relu", g.add("Add", g.linear("second", u, w), context))
    v = g.add("Add", v, u)
    g.add("Softmax", g.linear("label", v, w), name="labels", axis=1)
    g.add("Softmax", g.linear("role", v, w), name="roles", axis=1)
    width = len(w["left.weight"])
    sense = w["sense.weight"].shape[1]
    hidden = w["left.weight"].shape[1]
    inputs = [
        info("left", FLOAT, ["pairs", width]),
        info("hidden", FLOAT, ["predicates", hidden]),
        info("sense", FLOAT, ["predicates", sense]),
        info("frame", FLOAT, ["predicates", w["right.weight"].shape[1] - hidden - sense]),
        *(info(name, INT, ["pairs"]) for name in ("predicate", "path", "reach", "far")),
    ]
    outputs = [
        info("labels", FLOAT, ["pairs", len(w["label.weight"])]),
        info("roles", FLOAT, ["pairs", len(w["role.weight"])]),
    ]
    return model(g, "arguments", inputs, outputs)


def main() -> None:
    parser = argparse.ArgumentParser(description="Turn a training run into the files that ship.")
    parser.add_argument("--work", type=Path, required=True, help="the folder that train.py wrote")
    parser.add_argument("--out", type=Path, default=ROOT / "hybridsem/data")
    options = parser.parse_args()
    w = dict(np.load(options.work / "roles.npz"))
    onnx.save(words_graph(w), options.out / "roles.onnx")
    onnx.save(arguments_graph(w), options.out / "arguments.onnx")
    scale = np.maximum(np.abs(w["sense.weight"]).max(1), 1e-6) / 127
    levels = np.round(w["sense.weight"] / scale[:, None]).astype(np.int8)
    bias = w["sense_bias.weight"][:, 0]
    # Not packed, for the wheel is: a quick start.
    np.savez(options.out / "senses.npz", levels=levels, scale=scale, bias=bias)
    content = json.loads((options.work / "roles.json").read_text())
    content["evidence"] = [round(float(x), 4) for x in w["prior"]]
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    (options.out / "roles.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
