"""Turn a training run into what ships: ``roles.onnx``, ``arguments.onnx``, ``senses.npz``,
``roles.json``.

    python -m models.roles.export --work runs/roles
    python -m models.manifest

``roles.onnx`` reads sentences of equal length: ``words`` (batch, length, 384) and the parser's
``states`` (batch, length, 256), and by word the integers ``tags``, ``relations``, ``marker``,
``shapes``, the bag ``below`` and ``prior`` (batch, length, 3). It gives, a row a word of the batch,
``hidden`` (levels in 8 bit), ``left`` (what a word brings into a pair), ``query`` (what senses are
compared with) and the log odds ``predicate``. ``arguments.onnx`` reads the pairs: ``left`` (pairs,
d) of the word, the number ``predicate`` of the predicate, ``path``, ``reach`` and ``far``
(pairs,), and of the predicates ``hidden``, ``sense`` and ``frame``; it gives the probabilities of
``labels`` and ``roles``. Large products and the rolesets' vectors are in 8 bit, other weights in
16.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from models.graph import POSITIVE, SIGNED, Graph, Weights, model, steps
from models.recipe import SHIPPED, read

FLOAT, INT, BYTE = TensorProto.FLOAT, TensorProto.INT64, TensorProto.UINT8
info = helper.make_tensor_value_info
TABLES = {
    "tag": "tags",
    "relation": "relations",
    "marker": "marker",
    "shape": "shapes",
}  # embeddings of what


def words_graph(w: Weights, tops: Weights) -> onnx.ModelProto:
    """From the parser's vectors and the tree to what is known of each word."""
    g = Graph()
    first, hidden, units = steps(tops["word"]), steps(tops["left"], POSITIVE), _units(tops)
    at = len(first)
    for name in ("norm", *TABLES):
        at -= w[f"{name}.weight"].shape[-1]
    below = len(w["relation.weight"])
    widths = [at - below, len(w["norm.weight"])]  # of the states and the words

    def levelled(given: str, step: np.ndarray) -> str:
        per_level = g.constant(f"{given}.per_level", (1 / step).astype(np.float32))
        return g.levels(g.add("Mul", given, per_level))

    parts = [
        levelled("states", first[: widths[0]]),
        g.levels(g.norm("norm", "words", w, first[widths[0] : sum(widths)])),
    ]
    at = sum(widths)
    for name, source in TABLES.items():
        table = w[f"{name}.weight"]
        step = first[at : at + table.shape[1]]
        parts.append(g.table(name, table / step, source))
        at += table.shape[1]
    parts.append(levelled("below", first[at:]))
    word, rest = np.split(hidden, [len(w["word.bias"])])

    def layer(name: str, levels: str, scale: np.ndarray, step: np.ndarray, zero: int) -> str:
        weight, bias = w[f"{name}.weight"], w[f"{name}.bias"]
        y = g.product(name, levels, weight * scale / step[:, None], bias / step, zero)
        return g.levels(y, POSITIVE)

    x = layer("word", g.add("Concat", *parts, axis=2), first, word, SIGNED)
    width = len(w["around.weight"][0]) // len(word)
    seen = g.window(x, width, POSITIVE, axis=1)
    y = layer("around", seen, np.tile(word, width), rest, POSITIVE)
    rows = g.constant("rows", np.array([-1, len(hidden)], np.int64))
    g.add("Reshape", g.add("Concat", x, y, axis=2), rows, name="hidden")

    weights = {
        "left": (w["left.weight"] * hidden / units[:, None], w["left.bias"] / units),
        "query": (w["to_sense.weight"] * hidden, w["to_sense.bias"]),
        "asked": (
            w["is_predicate.0.weight"][:, : len(hidden)] * hidden,
            w["is_predicate.0.bias"],
        ),
    }
    asked = ""
    for name, (weight, bias) in weights.items():
        asked = g.product(f"sides.{name}", "hidden", weight, bias, POSITIVE, result=name)
    prior = g.add("Reshape", "prior", g.constant("three", np.array([-1, 3], np.int64)))
    known = np.ascontiguousarray(w["is_predicate.0.weight"][:, len(hidden) :].T)
    known = g.add("MatMul", prior, g.matrix("is_predicate.prior", known))
    z = g.add("Relu", g.add("Add", asked, known))
    z = g.linear("is_predicate.2", z, w)
    g.add("Squeeze", z, g.constant("axis_1", np.array([1], np.int64)), name="predicate")
    inputs = [
        info("words", FLOAT, ["batch", "length", widths[1]]),
        info("states", FLOAT, ["batch", "length", widths[0]]),
        *(info(name, INT, ["batch", "length"]) for name in TABLES.values()),
        info("below", FLOAT, ["batch", "length", below]),
        info("prior", FLOAT, ["batch", "length", 3]),
    ]
    outputs = [
        info("hidden", BYTE, ["n", len(hidden)]),
        info("left", FLOAT, ["n", len(w["left.weight"])]),
        info("query", FLOAT, ["n", len(w["to_sense.weight"])]),
        info("predicate", FLOAT, ["n"]),
    ]
    return model(g, "words", inputs, outputs)


def _units(tops: Weights) -> np.ndarray:
    """How much a level of a pair's values is."""
    return steps(np.maximum(tops["second"], tops["context"]), POSITIVE)


def arguments_graph(w: Weights, tops: Weights) -> onnx.ModelProto:
    """From pairs of a predicate and a word to labels and general roles; a pair's values are in
    levels throughout.
    """
    g = Graph()
    hidden, units = steps(tops["left"], POSITIVE), _units(tops)
    own, known = np.split(w["right.weight"] / units[:, None], [len(hidden)], axis=1)
    right = g.product("right.hidden", "hidden", own * hidden, zero=POSITIVE)
    rest = {"right.weight": known, "right.bias": w["right.bias"] / units}
    right = g.add("Add", right, g.linear("right", g.add("Concat", "sense", "frame", axis=1), rest))
    ways = [
        g.add("Gather", g.matrix(name, w[f"{name}.weight"]), name)
        for name in ("path", "reach", "far")
    ]
    way = g.matrix("way", (w["way.weight"] / units[:, None]).T)
    way = g.add("MatMul", g.add("Concat", *ways, axis=1), way)
    u = g.add("Relu", g.add("Add", g.add("Add", "left", g.add("Gather", right, "predicate")), way))
    # What the predicate's other pairs are like: the largest value of each unit; units are never
    # below zero.
    column = g.add("Unsqueeze", "predicate", g.constant("one_axis", np.array([1], np.int64)))
    top = g.add(
        "ScatterND",
        g.add("Mul", right, g.constant("zero", np.float32(0))),
        column,
        u,
        reduction="max",
    )

    def layer(name: str, x: str) -> str:
        weight = w[f"{name}.weight"] * units / units[:, None]
        return g.product(name, g.levels(x, POSITIVE), weight, w[f"{name}.bias"] / units, POSITIVE)

    context = g.add("Gather", layer("context", top), "predicate")
    v = g.add("Relu", g.add("Add", layer("second", u), context))
    v = g.add("Add", v, u)
    last = {f"{name}.weight": w[f"{name}.weight"] * units for name in ("label", "role")}
    last |= {f"{name}.bias": w[f"{name}.bias"] for name in ("label", "role")}
    for name in ("label", "role"):
        g.softmax(g.linear(name, v, last), len(w[f"{name}.weight"]), f"{name}s")
    sense = w["sense.weight"].shape[1]
    inputs = [
        info("left", FLOAT, ["pairs", len(units)]),
        info("hidden", BYTE, ["predicates", len(hidden)]),
        info("sense", FLOAT, ["predicates", sense]),
        info("frame", FLOAT, ["predicates", known.shape[1] - sense]),
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
    parser.add_argument("--out", type=Path, default=SHIPPED)
    options = parser.parse_args()
    w, tops = (read(options.work / name) for name in ("roles.npz", "roles-tops.npz"))
    onnx.save(words_graph(w, tops), options.out / "roles.onnx")
    onnx.save(arguments_graph(w, tops), options.out / "arguments.onnx")
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
