"""ONNX graphs of heads on the encoder, operator by operator, for the recipes beside it."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Weights = dict[str, np.ndarray]


class Graph:
    """ONNX nodes and weights; a weight matrix is stored in 16 bit."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def matrix(self, name: str, value: np.ndarray) -> str:
        """A weight in 16 bit, made float32 once, when the file is loaded."""
        return self.add(
            "Cast", self.constant(f"{name}.half", value.astype(np.float16)), to=TensorProto.FLOAT
        )

    def add(self, op: str, *inputs: str, name: str = "", **attributes) -> str:
        name = name or f"{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def linear(self, name: str, x: str, w: Weights, result: str = "") -> str:
        """A layer with the weights ``name.weight`` (out, in) and ``name.bias``."""
        product = self.add(
            "MatMul",
            x,
            self.add("Transpose", self.matrix(f"{name}.w", w[f"{name}.weight"]), perm=[1, 0]),
        )
        return self.add("Add", product, self.constant(f"{name}.b", w[f"{name}.bias"]), name=result)

    def lstm(self, name: str, x: str, w: Weights) -> str:
        """A bidirectional LSTM of torch over ``x`` (length, batch, in); (length, batch, 2 ·
        hidden).
        """

        # ONNX orders the gates i, o, f, c; torch i, f, g, o.
        def gates(part: str, side: str) -> np.ndarray:
            i, f, c, o = np.split(w[f"{name}.{part}_l0{side}"], 4)
            return np.concatenate([i, o, f, c])

        sides = ("", "_reverse")
        both = {
            part: np.stack([gates(part, side) for side in sides])
            for part in ("weight_ih", "weight_hh")
        }
        bias = np.stack(
            [np.concatenate([gates("bias_ih", side), gates("bias_hh", side)]) for side in sides]
        )
        weights = [self.matrix(f"{name}.{part}", value) for part, value in both.items()]
        hidden = both["weight_hh"].shape[-1]
        biases = self.constant(f"{name}.bias", bias)
        y = self.add("LSTM", x, *weights, biases, direction="bidirectional", hidden_size=hidden)
        y = self.add("Transpose", y, perm=[0, 2, 1, 3])  # (length, directions, batch, hidden)
        return self.add("Reshape", y, self.constant(f"{name}.join", np.array([0, 0, -1], np.int64)))


def model(
    g: Graph, name: str, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]
) -> onnx.ModelProto:
    graph = helper.make_graph(g.nodes, name, inputs, outputs, g.constants)
    opsets = [helper.make_opsetid("", 20)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="hybridsem")
