"""ONNX graphs of heads on the encoder, operator by operator, for the recipes beside it.

Large products are in 8 bit. What goes into them is in *levels*: each column was divided beforehand,
in the weights of what gives it, by its largest value on training text, so that a fixed scale of one
is left, and a word's levels cannot depend on what is read beside it.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Weights = dict[str, np.ndarray]

MICROSOFT = "com.microsoft"
SIGNED, POSITIVE = 128, 0
"""The level that stands for zero: of values of both signs, and of those that are never below."""


def quantise(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """8-bit rows of ``weight`` (n, d) and their scales (n,)."""
    scale = np.maximum(np.abs(weight).max(1), 1e-12) / 127
    return np.round(weight / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def steps(top: np.ndarray, zero: int = SIGNED, share: float = 1.0) -> np.ndarray:
    """How much a level is, column by column, if the largest values are ``top`` (d,).

    With a ``share`` below one, columns of small values do not use all levels, so that the weights,
    which take the steps over, are less unequal (as SmoothQuant, Xiao et al. 2023, equation 4).
    """
    # A column that is hardly ever in use would else be so much enlarged that it overflows 16 bit.
    top = np.maximum(top, top.max() / 100)
    return top**share * top.max() ** (1 - share) / (255 - zero if zero < SIGNED else 127)


class Graph:
    """ONNX nodes and weights; what is not in 8 bit is stored in 16, where it is a matrix.

    Args:
        prefix: Stands before the names of nodes that are given none.
    """

    def __init__(self, prefix: str = "") -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}
        self.prefix = prefix

    def constant(self, name: str, value: np.ndarray | np.generic) -> str:
        self.constants.setdefault(
            name, numpy_helper.from_array(np.ascontiguousarray(value).reshape(value.shape), name)
        )
        return name

    def matrix(self, name: str, value: np.ndarray) -> str:
        """A weight in 16 bit, made float32 once, when the file is loaded."""
        return self.add(
            "Cast", self.constant(f"{name}.half", value.astype(np.float16)), to=TensorProto.FLOAT
        )

    def add(
        self,
        op: str,
        *inputs: str,
        name: str = "",
        outputs: int = 1,
        domain: str = "",
        **attributes,
    ):
        """A node; its result's name, or a list of them where there are several."""
        base = name or f"{self.prefix}{op}_{len(self.nodes)}"
        names = [base] if outputs == 1 else [f"{base}_{k}" for k in range(outputs)]
        self.nodes.append(
            helper.make_node(op, inputs, names, name=base, domain=domain, **attributes)
        )
        return names[0] if outputs == 1 else names

    def linear(self, name: str, x: str, w: Weights, result: str = "") -> str:
        """A layer with the weights ``name.weight`` (out, in) and ``name.bias``."""
        product = self.add(
            "MatMul",
            x,
            self.add("Transpose", self.matrix(f"{name}.w", w[f"{name}.weight"]), perm=[1, 0]),
        )
        return self.add("Add", product, self.constant(f"{name}.b", w[f"{name}.bias"]), name=result)

    def levels(self, x: str, zero: int = SIGNED) -> str:
        """``x``, which is in levels, as whole numbers; below zero is cut where it is
        :data:`POSITIVE`.
        """
        one = self.constant("one", np.float32(1))
        return self.add("QuantizeLinear", x, one, self.constant(f"level_{zero}", np.uint8(zero)))

    def product(
        self,
        name: str,
        levels: str,
        weight: np.ndarray,
        bias: np.ndarray | None = None,
        zero: int = SIGNED,
    ) -> str:
        """``levels @ weight.T + bias`` in 8 bit, as float; ``weight`` (out, in)."""
        rows, scale = quantise(weight)
        added = () if bias is None else (self.constant(f"{name}.b", bias.astype(np.float32)),)
        return self.add(
            "MatMulIntegerToFloat",
            levels,
            self.constant(f"{name}.levels", rows.T),
            self.constant("one", np.float32(1)),
            self.constant(f"{name}.scale", scale),
            self.constant(f"level_{zero}", np.uint8(zero)),
            self.constant(f"zeros_{len(rows)}", np.zeros(len(rows), np.int8)),
            *added,
            domain=MICROSOFT,
        )

    def attention_inputs(
        self,
        name: str,
        levels: str,
        weight: np.ndarray,
        bias: np.ndarray,
        seen: np.ndarray,
        given: np.ndarray,
    ) -> str:
        """Queries, keys and values (…, 3 · d) of ``levels`` in steps of ``seen``; ``weight``
        (3 · d, d). The values are in steps of ``given``, and so is what attention makes of them, as
        it is their mean.
        """
        units = np.concatenate([np.ones_like(given), np.ones_like(given), given])
        return self.product(name, levels, weight / units[:, None] * seen, bias / units)

    def norm(
        self,
        name: str,
        x: str,
        w: Weights,
        step: np.ndarray | float = 1.0,
        result: str = "",
        epsilon: float = 1e-5,
    ) -> str:
        """A normalisation over columns, of ``step`` (d,) as the unit."""
        parts = [
            self.constant(
                f"{self.prefix}{name}.{part}", (w[f"{name}.{part}"] / step).astype(np.float32)
            )
            for part in ("weight", "bias")
        ]
        return self.add("LayerNormalization", x, *parts, name=result, axis=-1, epsilon=epsilon)

    def window(self, levels: str, width: int, zero: int = SIGNED) -> str:
        """The levels (batch, length, d) of each word and of those around it (batch, length,
        width · d), zero beyond the sentence.
        """
        far = width // 2
        pads = self.constant(f"pads_{far}", np.array([0, far, 0, 0, far, 0], np.int64))
        padded = self.add("Pad", levels, pads, self.constant(f"level_{zero}", np.uint8(zero)))
        axis = self.constant("axis_1", np.array([1], np.int64))
        parts = []
        for place in range(width):
            stop = place - width + 1 or np.iinfo(np.int64).max
            limits = [
                self.constant(f"at_{limit}", np.array([limit], np.int64)) for limit in (place, stop)
            ]
            parts.append(self.add("Slice", padded, *limits, axis))
        return self.add("Concat", *parts, axis=2)


def model(
    g: Graph, name: str, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]
) -> onnx.ModelProto:
    graph = helper.make_graph(g.nodes, name, inputs, outputs, list(g.constants.values()))
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="hybridsem")
