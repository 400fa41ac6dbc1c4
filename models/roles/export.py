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

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import onnx
from onnx import TensorProto

from benchmarks.command import run
from models.graph import POSITIVE, SIGNED, Graph, Weights, infos, model, steps
from models.recipe import SHIPPED, read

INT, BYTE = TensorProto.INT64, TensorProto.UINT8
AT = ["batch", "length"]
TABLES = {"tag": "tags", "relation": "relations", "marker": "marker", "shape": "shapes"}
"""Embeddings of what."""


def _levelled(g: Graph, given: str, step: np.ndarray) -> str:
    per_level = g.constant(f"{given}.per_level", (1 / step).astype(np.float32))
    return g.levels(g.add("Mul", given, per_level))


def _given(g: Graph, w: Weights, first: np.ndarray) -> tuple[str, dict[str, int]]:
    """All that is given of a word side by side, and the widths of what is no table."""
    tables = {name: w[f"{name}.weight"].shape[1] for name in TABLES}
    words, below = len(w["norm.weight"]), len(w["relation.weight"])
    states = len(first) - words - below - sum(tables.values())
    of_states, of_words, *of_tables, of_below = np.split(
        first, np.cumsum([states, words, *tables.values()])
    )
    parts = [_levelled(g, "states", of_states), g.levels(g.norm("norm", "words", w, of_words))]
    for (name, source), step in zip(TABLES.items(), of_tables, strict=True):
        parts.append(g.table(name, w[f"{name}.weight"] / step, source))
    parts.append(_levelled(g, "below", of_below))
    widths = {"words": words, "states": states, "below": below}
    return g.add("Concat", *parts, axis=2), widths


def words_graph(w: Weights, tops: Weights) -> onnx.ModelProto:
    """From the parser's vectors and the tree to what is known of each word."""
    g = Graph()
    first, hidden, units = steps(tops["word"]), steps(tops["left"], POSITIVE), _units(tops)
    word, rest = np.split(hidden, [len(w["word.bias"])])

    def layer(name: str, levels: str, scale: np.ndarray, step: np.ndarray, zero: int) -> str:
        weight, bias = w[f"{name}.weight"], w[f"{name}.bias"]
        y = g.product(name, levels, weight * scale / step[:, None], bias / step, zero)
        return g.levels(y, POSITIVE)

    given, widths = _given(g, w, first)
    x = layer("word", given, first, word, SIGNED)
    width = len(w["around.weight"][0]) // len(word)
    seen = g.window(x, width, POSITIVE, axis=1)
    y = layer("around", seen, np.tile(word, width), rest, POSITIVE)
    rows = g.constant("rows", np.array([-1, len(hidden)], np.int64))
    g.add("Reshape", g.add("Concat", x, y, axis=2), rows, name="hidden")
    _sides(g, w, hidden, units)
    inputs = infos({name: [*AT, widths[name]] for name in ("words", "states")})
    inputs += infos(dict.fromkeys(TABLES.values(), AT), INT)
    inputs += infos({"below": [*AT, widths["below"]], "prior": [*AT, 3]})
    outputs = infos({"hidden": ["n", len(hidden)]}, BYTE)
    outputs += infos({"left": ["n", len(units)], "query": ["n", len(w["to_sense.weight"])]})
    return model(g, "words", inputs, outputs + infos({"predicate": ["n"]}))


def _sides(g: Graph, w: Weights, hidden: np.ndarray, units: np.ndarray) -> None:
    """Add what words bring into pairs, what senses are compared with, and the log odds."""
    own, known = np.split(w["is_predicate.0.weight"], [len(hidden)], axis=1)
    weights = {
        "left": (w["left.weight"] * hidden / units[:, None], w["left.bias"] / units),
        "query": (w["to_sense.weight"] * hidden, w["to_sense.bias"]),
        "asked": (own * hidden, w["is_predicate.0.bias"]),
    }
    for name, (weight, bias) in weights.items():
        g.product(f"sides.{name}", "hidden", weight, bias, POSITIVE, result=name)
    prior = g.add("Reshape", "prior", g.constant("three", np.array([-1, 3], np.int64)))
    known = g.add("MatMul", prior, g.matrix("is_predicate.prior", np.ascontiguousarray(known.T)))
    z = g.linear("is_predicate.2", g.add("Relu", g.add("Add", "asked", known)), w)
    g.add("Squeeze", z, g.constant("axis_1", np.array([1], np.int64)), name="predicate")


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
    ways = []
    for name in ("path", "reach", "far"):
        ways.append(g.add("Gather", g.matrix(name, w[f"{name}.weight"]), name))
    way = g.matrix("way", (w["way.weight"] / units[:, None]).T)
    way = g.add("MatMul", g.add("Concat", *ways, axis=1), way)
    u = g.add("Relu", g.add("Add", g.add("Add", "left", g.add("Gather", right, "predicate")), way))
    # What the predicate's other pairs are like: the largest value of each unit; units are never
    # below zero.
    column = g.add("Unsqueeze", "predicate", g.constant("one_axis", np.array([1], np.int64)))
    nothing = g.add("Mul", right, g.constant("zero", np.float32(0)))
    top = g.add("ScatterND", nothing, column, u, reduction="max")

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
    of_predicates = {"sense": sense, "frame": known.shape[1] - sense}
    inputs = infos({"left": ["pairs", len(units)]})
    inputs += infos({"hidden": ["predicates", len(hidden)]}, BYTE)
    inputs += infos({name: ["predicates", width] for name, width in of_predicates.items()})
    inputs += infos({key: ["pairs"] for key in ("predicate", "path", "reach", "far")}, INT)
    outputs = {f"{name}s": ["pairs", len(w[f"{name}.weight"])] for name in ("label", "role")}
    return model(g, "arguments", inputs, infos(outputs))


def main(*, work: Annotated[Path, "the folder that train.py wrote"], out: Path = SHIPPED) -> None:
    w, tops = (read(work / name) for name in ("roles.npz", "roles-tops.npz"))
    onnx.save(words_graph(w, tops), out / "roles.onnx")
    onnx.save(arguments_graph(w, tops), out / "arguments.onnx")
    scale = np.maximum(np.abs(w["sense.weight"]).max(1), 1e-6) / 127
    levels = np.round(w["sense.weight"] / scale[:, None]).astype(np.int8)
    bias = w["sense_bias.weight"][:, 0]
    # Not packed, for the wheel is: a quick start.
    np.savez(out / "senses.npz", levels=levels, scale=scale, bias=bias)
    content = json.loads((work / "roles.json").read_text())
    content["evidence"] = [round(float(x), 4) for x in w["prior"]]
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    (out / "roles.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(main)
