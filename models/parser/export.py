"""Turn a training run into what ships: ``parser.onnx``, ``labels.onnx``, ``parser.json``.

    python -m models.parser.export --work runs/parser
    python -m models.manifest               # the checksums that are verified at run time

``parser.json`` holds the tags and the relations (the lemmas are made by ``lemmas.py``).
``parser.onnx`` takes ``words`` (batch, length, 384), ``shapes`` and ``suffixes`` (batch, length),
sentences of equal length, and gives ``tags`` (batch, length) as indices, ``arcs`` (batch, length, 1
+ length), the two sides of the label classifier, and the ``states`` (batch, length, 256), which the
role heads read; ``labels.onnx`` takes those sides for n chosen arcs, (n, k) each, and gives
``relations`` (n,) as indices. Products of words are in 8 bit, other weights are stored in 16.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import onnx
from onnx import TensorProto

from benchmarks.command import run
from models.graph import POSITIVE, Graph, Weights, infos, model, steps
from models.recipe import SHIPPED, read

INT = TensorProto.INT64
ATTENDING = 4  # heads of attention
AT = ["batch", "length"]


def _window(g: Graph, w: Weights, tops: Weights, name: str, x: str) -> str:
    d = w[f"{name}.b.weight"].shape[1]
    width = w[f"{name}.a.weight"].shape[1] // d
    seen = steps(tops[f"{name}.a"].reshape(width, d).max(0))
    inner = steps(tops[f"{name}.b"], POSITIVE)
    y = g.levels(g.norm(f"{name}.norm", x, w, seen))
    weight = w[f"{name}.a.weight"] * np.tile(seen, width) / inner[:, None]
    y = g.product(f"{name}.a", g.window(y, width), weight, w[f"{name}.a.bias"] / inner)
    y = g.levels(y, POSITIVE)
    y = g.product(f"{name}.b", y, w[f"{name}.b.weight"] * inner, w[f"{name}.b.bias"], POSITIVE)
    return g.add("Add", x, y)


def _attention(g: Graph, w: Weights, tops: Weights, name: str, x: str) -> str:
    seen, given = (steps(tops[f"{name}.{part}"]) for part in ("qkv", "o"))
    y = g.levels(g.norm(f"{name}.norm", x, w, seen))
    weight, bias = (w[f"{name}.qkv.{part}"] for part in ("weight", "bias"))
    y = g.attention_inputs(f"{name}.qkv", y, weight, bias, seen, given, ATTENDING)
    y = g.levels(g.attention(y, "shape", ATTENDING, len(given) // ATTENDING))
    y = g.product(f"{name}.o", y, w[f"{name}.o.weight"] * given, w[f"{name}.o.bias"])
    return g.add("Add", x, y)


def _states(g: Graph, w: Weights, tops: Weights) -> str:
    """The graph from words to their states; attention reads the words in front."""
    first, at = steps(tops["into"]), len(w["norm_in.weight"])
    parts = [g.levels(g.norm("norm_in", "words", w, first[:at]))]
    for name, given in {"shape": "shapes", "suffix": "suffixes"}.items():
        table = w[f"{name}.weight"]
        parts.append(g.table(name, table / first[at : at + table.shape[1]], given))
        at += table.shape[1]
    x = g.add("Transpose", g.add("Concat", *parts, axis=2), perm=[1, 0, 2])
    g.add("Slice", g.add("Shape", x), g.whole(0), g.whole(2), name="shape")
    x = g.product("into", x, w["into.weight"] * first, w["into.bias"])
    blocks = sorted({name.split(".")[1] for name in w if name.startswith("blocks.")}, key=int)
    for name in (f"blocks.{block}" for block in blocks):
        block = _attention if f"{name}.qkv.weight" in w else _window
        x = block(g, w, tops, name, x)
    return g.add("Transpose", g.norm("norm", x, w), perm=[1, 0, 2], name="states")


def build(w: Weights, tops: Weights) -> onnx.ModelProto:
    """The heads as a graph; ``tops`` has the largest inputs of the layers."""
    g = Graph()
    states = _states(g, w, tops)
    read, between = steps(tops["tag"]), steps(tops["arc"])
    levels = g.levels(g.add("Mul", states, g.constant("per_level", (1 / read).astype(np.float32))))

    def side(name: str) -> str:
        step = between if name == "arc_dep" else np.ones(len(w[f"{name}.bias"]), np.float32)
        weight = w[f"{name}.weight"] * read / step[:, None]
        return g.product(f"sides.{name}", levels, weight, w[f"{name}.bias"] / step)

    tag, dep, head, label_dep, label_head = map(
        side, ("tag", "arc_dep", "arc_head", "label_dep", "label_head")
    )
    g.add("ArgMax", tag, name="tags", axis=-1, keepdims=0)
    g.add("Identity", label_dep, name="label_dep")

    batch = g.add("Shape", "shapes", start=0, end=1)

    def rooted(name: str, side: str, result: str = "") -> str:
        root = w[name].astype(np.float32)
        one_row = g.constant(f"{name}.row", np.array([1, len(root)], np.int64))
        form = g.add("Concat", batch, one_row, axis=0)
        row = g.add("Expand", g.constant(name, root), form)
        return g.add("Concat", row, side, name=result, axis=1)

    rooted("root_label", label_head, "label_head")
    heads = rooted("root_arc", g.add("LeakyRelu", head, alpha=0.1))
    scale = w["arc.weight"].shape[0] ** -0.5
    dep = g.levels(g.add("LeakyRelu", dep, alpha=0.1))
    dep = g.product("arc", dep, w["arc.weight"] * between * scale, w["arc.bias"] * scale)
    g.add("MatMul", dep, g.add("Transpose", heads, perm=[0, 2, 1]), name="arcs")

    words, label = len(w["norm_in.weight"]), len(w["root_label"])
    inputs = infos({"words": [*AT, words]})
    inputs += infos({"shapes": AT, "suffixes": AT}, INT)
    outputs = infos({"tags": AT}, INT)
    outputs += infos({"arcs": [*AT, "heads"], "label_dep": [*AT, label]})
    outputs += infos({"label_head": ["batch", "heads", label], "states": [*AT, len(read)]})
    return model(g, "parser heads", inputs, outputs)


def build_labels(w: Weights) -> onnx.ModelProto:
    """The label classifier as a graph: of the two sides' product and sum, the best relation."""
    g = Graph()
    product, total = g.add("Mul", "dep", "head"), g.add("Relu", g.add("Add", "dep", "head"))
    both = g.add("Concat", product, total, axis=1)
    g.add("ArgMax", g.linear("label", both, w), name="relations", axis=1, keepdims=0)
    inputs = infos({key: ["n", len(w["root_label"])] for key in ("dep", "head")})
    return model(g, "labels", inputs, infos({"relations": ["n"]}, INT))


def main(*, work: Annotated[Path, "the folder that distil.py wrote"], out: Path = SHIPPED) -> None:
    weights, tops = (read(work / name) for name in ("parser.npz", "parser-tops.npz"))
    onnx.save(build(weights, tops), out / "parser.onnx")
    onnx.save(build_labels(weights), out / "labels.onnx")
    labels = json.loads((work / "labels.json").read_text())
    text = json.dumps(labels, ensure_ascii=False, indent=0) + "\n"
    (out / "parser.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    run(main)
