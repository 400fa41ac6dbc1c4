"""ONNX graphs of heads on the encoder, operator by operator, for the recipes beside it.

Large products are in 8 bit. What goes into them is in *levels*: each column was divided beforehand,
in the weights of what gives it, by its largest value on training text, so that a fixed scale of one
is left, and a word's levels cannot depend on what is read beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Weights = dict[str, np.ndarray]

MICROSOFT = "com.microsoft"
SIGNED, POSITIVE = 128, 0
"""The level that stands for zero: of values of both signs, and of those that are never below."""


LIMIT = 60
"""Where scores of attention are cut off: far beyond what they are, and their exponential fits."""
LARGEST = range(64, 128, 3)
"""The levels that the largest weight of a row may get."""
PAIR = 128
"""The largest sum of two neighbouring weights of one sign: 255 · 128 fits in 16 bits."""


def quantise(weight: np.ndarray, largest: int = 127) -> tuple[np.ndarray, np.ndarray]:
    """8-bit rows of ``weight`` (n, d) and their scales (n,)."""
    scale = np.maximum(np.abs(weight).max(1), 1e-12) / largest
    return np.round(weight / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def quantise_factor(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """8-bit rows of the ``weight`` (n, d) of a product, and their scales (n,).

    Without VNNI, x86-64 processors add the products of two neighbouring inputs (unsigned 8 bits)
    and weights in 16 bits, which saturates. No two neighbours here are large enough for that, so
    every processor gets the same sums. Of the scales that allow it, the one with the smallest
    squared error is taken, row by row.
    """
    best = np.full(len(weight), np.inf)
    rows, scales = np.zeros(weight.shape, np.int8), np.zeros(len(weight), np.float32)
    for largest in LARGEST:
        levels, scale = quantise(weight, largest)
        levels = _pairs_fit(levels)
        error = ((levels * scale[:, None] - weight) ** 2).sum(1)
        better = error < best
        best[better], rows[better], scales[better] = error[better], levels[better], scale[better]
    return rows, scales


def _pairs_fit(levels: np.ndarray) -> np.ndarray:
    """``levels`` (n, d) with neighbours of one sign reduced until they add up to :data:`PAIR`."""
    n, d = levels.shape
    pairs = np.pad(levels.astype(np.int16), ((0, 0), (0, d % 2))).reshape(n, -1, 2)
    excess = np.maximum(np.abs(pairs.sum(2)) - PAIR, 0)
    half = excess // 2
    # Neighbours of opposite signs never add up to more than one of them, at most 127.
    fitting = pairs - np.sign(pairs) * np.stack([half, excess - half], 2)
    return fitting.reshape(n, -1)[:, :d].astype(np.int8)


def steps(top: np.ndarray, zero: int = SIGNED, share: float = 1.0) -> np.ndarray:
    """How much a level is, column by column, if the largest values are ``top`` (d,).

    With a ``share`` below one, columns of small values do not use all levels, so that the weights,
    which take the steps over, are less unequal (as SmoothQuant, Xiao et al. 2023, equation 4).
    """
    # A column that is hardly ever in use would else be so much enlarged that it overflows 16 bit.
    top = np.maximum(top, top.max() / 100)
    raised = _power(top, share) * _power(top.max(keepdims=True), 1 - share)
    return raised / (255 - zero if zero < SIGNED else 127)


def _power(values: np.ndarray, exponent: float) -> np.ndarray:
    """Powers, one by one by the C library: those of whole arrays depend on the processor."""
    return np.array([value**exponent for value in values], values.dtype)


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
        array = np.ascontiguousarray(value).reshape(value.shape)
        self.constants.setdefault(name, numpy_helper.from_array(array, name))
        return name

    def matrix(self, name: str, value: np.ndarray) -> str:
        """A weight in 16 bit, made float32 once, when the file is loaded."""
        half = self.constant(f"{name}.half", value.astype(np.float16))
        return self.add("Cast", half, to=TensorProto.FLOAT)

    def add(self, op: str, *inputs: str, name: str = "", outputs: int = 1, **attributes):
        """A node; its result's name, or a list of them where there are several."""
        base = name or f"{self.prefix}{op}_{len(self.nodes)}"
        names = [base] if outputs == 1 else [f"{base}_{k}" for k in range(outputs)]
        attributes = {"domain": ""} | attributes
        self.nodes.append(helper.make_node(op, inputs, names, name=base, **attributes))
        return names[0] if outputs == 1 else names

    def linear(self, name: str, x: str, w: Weights) -> str:
        """A layer with the weights ``name.weight`` (out, in) and ``name.bias``."""
        turned = self.add("Transpose", self.matrix(f"{name}.w", w[f"{name}.weight"]), perm=[1, 0])
        product = self.add("MatMul", x, turned)
        return self.add("Add", product, self.constant(f"{name}.b", w[f"{name}.bias"]))

    def one(self) -> str:
        return self.constant("one", np.float32(1))

    def zero(self, level: int) -> str:
        return self.constant(f"level_{level}", np.uint8(level))

    def whole(self, *numbers: int) -> str:
        """A constant of whole numbers (n,)."""
        name = "_".join(map(str, ("whole", *numbers)))
        return self.constant(name, np.array(numbers, np.int64))

    def levels(self, x: str, zero: int = SIGNED) -> str:
        """``x``, which is in levels, as whole numbers; below zero is cut where it is
        :data:`POSITIVE`.
        """
        return self.add("QuantizeLinear", x, self.one(), self.zero(zero))

    def product(
        self,
        name: str,
        levels: str,
        weight: np.ndarray,
        bias: np.ndarray | None = None,
        zero: int = SIGNED,
        result: str = "",
    ) -> str:
        """``levels @ weight.T + bias`` in 8 bit, as float; ``weight`` (out, in)."""
        rows, scale = quantise_factor(weight)
        added = () if bias is None else (self.constant(f"{name}.b", bias.astype(np.float32)),)
        return self.add(
            "MatMulIntegerToFloat",
            levels,
            self.constant(f"{name}.levels", rows.T),
            self.one(),
            self.constant(f"{name}.scale", scale),
            self.zero(zero),
            self.constant(f"zeros_{len(rows)}", np.zeros(len(rows), np.int8)),
            *added,
            name=result,
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
        heads: int,
    ) -> list[str]:
        """Queries, keys and values (…, d each) of ``levels`` in steps of ``seen``; ``weight``
        (3 · d, d). Queries are divided by the square root of a head's width. The values are in
        steps of ``given``, and so is what attention makes of them, as it is their mean.
        """
        ones = np.ones_like(given)
        units = [ones * (len(given) / heads) ** 0.5, ones, given]
        each = zip("qkv", np.split(weight, 3), np.split(bias, 3), units, strict=True)
        # Three products, for a split of one is a copy.
        return [
            self.product(f"{name}.{part}", levels, rows / unit[:, None] * seen, added / unit)
            for part, rows, added, unit in each
        ]

    def attention(self, qkv: Sequence[str], shape: str, heads: int, width: int) -> str:
        """Attention (length, batch, heads · width) of queries, keys and values, the queries scaled;
        ``shape`` is (length, batch).

        With the words in front, products read the heads where they lie. onnxruntime's fused
        operators of attention add up in an order that depends on the processor and on its cache;
        plain products do not.
        """
        form = self.add("Concat", shape, self.whole(heads, width), axis=0)
        q, k, v = (self.add("Reshape", part, form) for part in qkv)
        apart = {"domain": MICROSOFT, "transBatchB": 1}
        scores = self.add("FusedMatMul", q, k, transBatchA=1, transB=1, **apart)
        shares = self._exponentials(scores)
        length = self.add("Slice", shape, self.whole(0), self.whole(1))
        column = self.add("Concat", length, self.whole(1), axis=0)
        total = self.add("MatMul", shares, self.add("Expand", self.one(), column))
        given = self.add("Div", self.add("FusedMatMul", shares, v, **apart), total)
        given = self.add("Transpose", given, perm=[2, 0, 1, 3])
        return self.add("Reshape", given, self.add("Concat", shape, self.whole(-1), axis=0))

    def softmax(self, scores: str, width: int, name: str) -> str:
        """The probabilities of ``width`` scores a row, of plain operators as :meth:`attention`."""
        shares = self._exponentials(scores)
        ones = self.constant(f"ones_{width}", np.ones((width, 1), np.float32))
        return self.add("Div", shares, self.add("MatMul", shares, ones), name=name)

    def _exponentials(self, scores: str) -> str:
        limits = [self.constant(f"limit_{x}", np.float32(x)) for x in (-LIMIT, LIMIT)]
        return self.add("Exp", self.add("Clip", scores, *limits))

    def gelu(self, x: str) -> str:
        """√2 times the GELU of √2 · ``x``, of plain operators as :meth:`attention`."""
        spread = self.add("Add", self.add("Erf", x), self.one())
        return self.add("Mul", spread, x)

    def norm(
        self, layer: str, x: str, w: Weights, step: np.ndarray | float = 1.0, **attributes
    ) -> str:
        """A normalisation over columns, of ``step`` (d,) as the unit."""
        parts = []
        for part in (f"{layer}.weight", f"{layer}.bias"):
            value = (w[part] / step).astype(np.float32)
            parts.append(self.constant(f"{self.prefix}{part}", value))
        attributes = {"epsilon": 1e-5} | attributes
        return self.add("LayerNormalization", x, *parts, axis=-1, **attributes)

    def table(self, name: str, rows: np.ndarray, given: str) -> str:
        """The rows, which are in levels, of the numbers ``given``, as whole numbers."""
        # Rounded to 16 bit before, as the weights that are stored so.
        levels = np.rint(rows.astype(np.float16).astype(np.float32)) + SIGNED
        stored = self.constant(f"{name}.levels", levels.clip(0, 255).astype(np.uint8))
        return self.add("Gather", stored, given)

    def window(self, levels: str, width: int, zero: int = SIGNED, axis: int = 0) -> str:
        """The levels (length, batch, d) of each word and of those around it (length, batch, width ·
        d), zero beyond the sentence; ``axis`` is that of the words.
        """
        far = [0, 0, 0]
        far[axis] = width // 2
        pads = self.whole(*far, *far)
        padded = self.add("Pad", levels, pads, self.zero(zero))
        parts = []
        for place in range(width):
            bounds = place, place - width + 1 or np.iinfo(np.int64).max, axis
            parts.append(self.add("Slice", padded, *map(self.whole, bounds)))
        return self.add("Concat", *parts, axis=2)


def infos(
    forms: Mapping[str, Sequence[str | int]], kind: int = TensorProto.FLOAT
) -> list[onnx.ValueInfoProto]:
    """Inputs or outputs of some forms, in 32 bit, or of another kind."""
    return [helper.make_tensor_value_info(name, kind, form) for name, form in forms.items()]


def model(
    g: Graph, name: str, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]
) -> onnx.ModelProto:
    graph = helper.make_graph(g.nodes, name, inputs, outputs, list(g.constants.values()))
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="hybridsem")
