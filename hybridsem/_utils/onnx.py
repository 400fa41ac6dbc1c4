"""The only place that imports onnxruntime, with its telemetry off.

Its wheels from 1.29 on have telemetry. When imported, they write a device id and a database to the
user's cache folder, and ten seconds later they connect to Microsoft. ``ORT_DISABLE_TELEMETRY`` is
read at that import and prevents all of it; the API stops only later events.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

from hybridsem.errors import AssetError


def quiet_onnxruntime() -> ModuleType:
    """Return the module onnxruntime with telemetry off. The variable stays set for child processes.
    If the program imported onnxruntime earlier, only the API's later switch has an effect.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    module: ModuleType = onnxruntime
    return module


def session(graph: bytes | Path) -> Any:
    """Return an onnxruntime session over a serialised graph, with one thread per run. Give a path
    if the tensors are in another file next to it. That file is mapped into memory: only the pages
    in use are read, and processes share them.
    """
    onnxruntime = quiet_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Planning which results may share memory takes a third of the start and saves none here.
    options.enable_mem_reuse = False
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own exceptions share no public base class
        raise AssetError(f"onnxruntime cannot load the embedded weights: {error}") from error
