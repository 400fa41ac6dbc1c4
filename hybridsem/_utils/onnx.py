"""The one place that imports onnxruntime, and keeps it quiet.

Its wheels (1.29 and later) have telemetry that is on by default. At the first import they write a
device id and a database of events under the user's cache folder, some ten seconds later they
connect to Microsoft. ``ORT_DISABLE_TELEMETRY``, read once at that import, prevents all of it; the
API that follows stops only what comes after the event of the import.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

from hybridsem.errors import AssetError


def quiet_onnxruntime() -> ModuleType:
    """The module onnxruntime with its telemetry switched off.

    The variable stays set, so that processes started from here are quiet too. Where the program has
    imported onnxruntime before, it comes too late, and the API does what can still be done.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    module: ModuleType = onnxruntime
    return module


def session(graph: bytes | Path) -> Any:
    """An onnxruntime session over a serialised graph that uses one thread a run.

    A graph whose tensors are in another file is given as a path, and they lie beside it. That file
    is mapped into memory: pages that no run needs are never read, and processes share the others.
    """
    onnxruntime = quiet_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # To plan which results may share memory takes a third of the start, and saves none here.
    options.enable_mem_reuse = False
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own exceptions share no public base class
        raise AssetError(f"onnxruntime cannot load the embedded weights: {error}") from error
