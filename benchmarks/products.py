"""Milliseconds of processor time of the product of 512 word pieces with a layer of 384 × 1,536, by
operator and type of number, in one thread.

    python -m benchmarks.products [--avx2 | --vnni]

Needs the package ``onnx``. The options measure as if the processor had fewer sets.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from functools import partial

import numpy as np

from benchmarks.processors import add_options, leave_if_with_less
from benchmarks.timing import processor, spent
from hybridsem._utils.onnx import session

ROWS, DEPTH, COLUMNS = 512, 384, 1536
ROUNDS = 25
DRAW = np.random.default_rng(0)


def milliseconds(op: str, left: np.ndarray, weights: list[np.ndarray], **attributes: int) -> float:
    """Return the median for one operator."""
    from onnx import TensorProto, helper, numpy_helper

    names = [f"w{place}" for place in range(len(weights))]
    domain = "" if op == "MatMul" else "com.microsoft"
    graph = helper.make_graph(
        [helper.make_node(op, ["left", *names], ["product"], domain=domain, **attributes)],
        "product",
        [
            helper.make_tensor_value_info(
                "left", helper.np_dtype_to_tensor_dtype(left.dtype), left.shape
            )
        ],
        [helper.make_tensor_value_info("product", TensorProto.FLOAT, [ROWS, COLUMNS])],
        [numpy_helper.from_array(*pair) for pair in zip(weights, names, strict=True)],
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=versions, ir_version=9)
    run = partial(session(model.SerializeToString()).run, None, {"left": left})
    times = [spent(run).processor for _ in range(ROUNDS + 1)][1:]
    return 1000 * statistics.median(times)


def whole(kind: type, shape: tuple[int, ...], largest: int = 128) -> np.ndarray:
    low = 0 if kind is np.uint8 else -largest
    return DRAW.integers(low, low + 2 * largest, shape).astype(kind)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_options(parser)
    given = sys.argv[1:] if arguments is None else arguments
    leave_if_with_less(parser.parse_args(given), "benchmarks.products", given)
    print(processor())
    u8, s8 = np.uint8, np.int8
    kinds = {"u8 x s8": (u8, s8, 128), "u8 x s8, 7 bit": (u8, s8, 64)}
    kinds |= {"u8 x u8": (u8, u8, 128), "s8 x s8": (s8, s8, 128)}
    for name, (kind1, kind2, largest) in kinds.items():
        weights = [whole(kind2, (DEPTH, COLUMNS), largest), np.float32(1), np.float32(1)]
        zeros = [kind1(128 if kind1 is u8 else 0), kind2(128 if kind2 is u8 else 0)]
        weights = [np.asarray(weight) for weight in (*weights, *zeros)]
        took = milliseconds("MatMulIntegerToFloat", whole(kind1, (ROWS, DEPTH)), weights)
        print(f"{name:24}{took:6.2f}")
    left = DRAW.normal(size=(ROWS, DEPTH)).astype(np.float32)
    plain = [DRAW.normal(size=(DEPTH, COLUMNS)).astype(np.float32)]
    print(f"{'float32':24}{milliseconds('MatMul', left, plain):6.2f}")
    blocks = DEPTH // 128
    packed = [whole(u8, (COLUMNS, blocks, 128)), np.ones(COLUMNS * blocks, np.float32)]
    how = {"K": DEPTH, "N": COLUMNS, "bits": 8, "block_size": 128, "accuracy_level": 4}
    took = milliseconds("MatMulNBits", left, packed, **how)
    print(f"{'MatMulNBits, 8 bit':24}{took:6.2f}")


if __name__ == "__main__":
    main()
