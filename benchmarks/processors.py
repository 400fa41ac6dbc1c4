"""Measure as if the processor had fewer instruction sets.

onnxruntime has no such switch, so a copy of it with changed machine code runs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from numpy._core import _multiarray_umath as numpy_core

XGETBV, AMX = b"\x0f\x01\xd0", b"\xbe\x23\x10\x00\x00\xbf\x9e"
"""Machine code of onnxruntime: the instruction for the enabled registers, and the request of the
kernel for those of AMX (``arch_prctl``).
"""
LESS: dict[str, tuple[bytes, bytes, dict[str, str]]] = {
    # The answer is 7, up to AVX: ``push 7; pop rax``.
    "--avx2": (
        XGETBV,
        b"\x6a\x07\x58",
        {
            "NPY_DISABLE_CPU_FEATURES": " ".join(
                name
                for name in numpy_core.__cpu_dispatch__
                if (name > "X86_V3" or "512" in name) and numpy_core.__cpu_features__[name]
            ),
            "OPENBLAS_CORETYPE": "Haswell",
            "ATEN_CPU_CAPABILITY": "avx2",
            "ONEDNN_MAX_CPU_ISA": "AVX2",
            "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        },
    ),
    # No such request is known, so it is refused.
    "--vnni": (
        AMX,
        AMX.replace(b"\x23", b"\x2f"),
        {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_VNNI"},
    ),
}
"""By option: code, code of the same length in its place, and variables of other libraries."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--avx2`` and ``--vnni``."""
    for option, sets in {"--avx2": "AVX2 alone", "--vnni": "AVX-512 VNNI, but not AMX"}.items():
        parser.add_argument(option, action="store_true", help=f"as if the processor had {sets}")


def as_if_with_less(option: str, module: str, arguments: Sequence[str]) -> int:
    """Run a module without ``option``, as if the processor had fewer instruction sets."""
    code, instead, variables = LESS[option]
    spec = find_spec("onnxruntime")
    if spec is None or spec.origin is None:
        raise SystemExit("onnxruntime is not installed")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "onnxruntime")
        shutil.copytree(Path(spec.origin).parent, copy)
        for file in copy.glob("capi/*.so*"):
            file.write_bytes(file.read_bytes().replace(code, instead))
        path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
        kept = [argument for argument in arguments if argument != option]
        return subprocess.run(
            [sys.executable, "-m", module, *kept],
            env=os.environ | variables | {"PYTHONPATH": path},
            check=False,
        ).returncode


def leave_if_with_less(options: argparse.Namespace, module: str, arguments: Sequence[str]) -> None:
    """Run the module as asked for, and exit with its status; return if nothing is asked for."""
    for option in LESS:
        if vars(options)[option.removeprefix("--")]:
            sys.exit(as_if_with_less(option, module, arguments))
