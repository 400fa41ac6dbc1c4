"""The only place that imports onnxruntime, with its telemetry off.

Its wheels from 1.29 on have telemetry. When imported, they write a device id and a database to the
user's cache folder, and ten seconds later they connect to Microsoft. ``ORT_DISABLE_TELEMETRY`` is
read at that import and prevents all of it; the API stops only later events.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

from hybridsem._utils.extras import extra
from hybridsem.errors import AssetError, InputError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Session: TypeAlias = "InferenceSession"

CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"


def quiet_onnxruntime() -> ModuleType:
    """Return the module onnxruntime with telemetry off. The variable stays set for child processes.
    If the program imported onnxruntime earlier, only the API's later switch has an effect.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    module: ModuleType = onnxruntime
    return module


class DropCached:
    """Leave cached properties (sessions, tokenisers, tables) out of copies and pickles."""

    def __getstate__(self) -> dict[str, object]:
        kind = type(self)
        return {
            name: value
            for name, value in self.__dict__.items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }


def session(graph: bytes | Path, providers: Sequence[object] = (CPU,)) -> Session:
    """Return an onnxruntime session over a serialised graph, with one thread per run. Give a path
    if the tensors are in another file next to it. That file is mapped into memory: only the pages
    in use are read, and processes share them.
    """
    onnxruntime = quiet_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Planning which results may share memory takes a third of the start and saves none here.
    options.enable_mem_reuse = False
    try:
        return onnxruntime.InferenceSession(graph, options, providers=list(providers))
    except Exception as error:  # onnxruntime's own exceptions share no public base class
        raise AssetError(f"onnxruntime cannot load the embedded weights: {error}") from error


PRODUCT = """
<domain: "hybridsem", opset_import: ["" : 20]>
MatMulIntegerToFloat (levels, weights, one, scale, zero, zeros, bias) => (result) {
    numbers = Cast <to = 1> (levels)
    middle = Cast <to = 1> (zero)
    factor1 = Sub (numbers, middle)
    factor2 = Cast <to = 1> (weights)
    sums = MatMul (factor1, factor2)
    scaled = Mul (sums, scale)
    result = Add (scaled, bias)
}
"""
"""A product of 8-bit numbers for CUDA, which has no kernel for it; exact for sums up to 2²⁴."""


def encoder_session(path: Path) -> Session:
    """Return a session of the encoder on the device that ``HYBRIDSEM_DEVICE`` names: ``cpu`` (the
    default) or ``cuda``. Raises :class:`InputError` for another name, or without CUDA.
    """
    device = os.environ.get("HYBRIDSEM_DEVICE", "cpu")
    if device == "cpu":
        return session(path)
    if device == "cuda" and CUDA in quiet_onnxruntime().get_available_providers():
        with extra("onnx", "cuda"):
            import onnx
        model = onnx.load(str(path))
        graphs = [model.graph]
        for node in (node for graph in graphs for node in graph.node):
            graphs += [part.g for part in node.attribute if part.HasField("g")]
            if node.op_type == "MatMulIntegerToFloat":
                node.domain = "hybridsem"
        model.functions.append(onnx.parser.parse_function(PRODUCT))
        model.opset_import.append(onnx.helper.make_opsetid("hybridsem", 1))
        # The CUDA libraries that pip installs are not where the loader looks.
        if preload := getattr(quiet_onnxruntime(), "preload_dlls", None):
            with redirect_stdout(sys.stderr):  # it prints what is missing
                preload()
        # TF32, the default, would round the factors of attention to 11 bits.
        made = session(model.SerializeToString(), [(CUDA, {"use_tf32": "0"}), CPU])
        if CUDA in made.get_providers():
            return made
    raise InputError(
        f"HYBRIDSEM_DEVICE is 'cpu' or 'cuda', got {device!r}; 'cuda' needs an NVIDIA GPU, and "
        "onnxruntime-gpu[cuda,cudnn] in place of onnxruntime"
    )
