"""Measure as if the processor had fewer instruction sets.

onnxruntime has no such switch, so a copy of it with changed machine code runs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from numpy._core import _multiarray_umath as numpy_core

XGETBV, AMX = b"\x0f\x01\xd0", b"\xbe\x23\x10\x00\x00\xbf\x9e"
"""Machine code of onnxruntime: the instruction for the enabled registers, and the request of the
kernel for those of AMX (``arch_prctl``).
"""


class Less(NamedTuple):
    """Code, code of the same length in its place, and variables of other libraries."""

    about: str
    code: bytes
    instead: bytes
    variables: dict[str, str]


BEYOND = (name for name in numpy_core.__cpu_dispatch__ if name > "X86_V3" or "512" in name)
LESS = {
    # The answer is 7, up to AVX: ``push 7; pop rax``.
    "avx2": Less(
        "as if the processor had AVX2 alone",
        XGETBV,
        b"\x6a\x07\x58",
        {
            "NPY_DISABLE_CPU_FEATURES": " ".join(filter(numpy_core.__cpu_features__.get, BEYOND)),
            "OPENBLAS_CORETYPE": "Haswell",
            "ATEN_CPU_CAPABILITY": "avx2",
            "ONEDNN_MAX_CPU_ISA": "AVX2",
            "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        },
    ),
    # No such request is known, so it is refused.
    "vnni": Less(
        "as if the processor had AVX-512 VNNI, but not AMX",
        AMX,
        AMX.replace(b"\x23", b"\x2f"),
        {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_VNNI"},
    ),
}


def leave_if_with_less(**chosen: bool) -> None:
    """Run the program again with less and exit with its status; return if nothing is chosen."""
    for name in (name for name, asked in chosen.items() if asked):
        sys.exit(_again(f"--{name}", LESS[name]))


def _again(option: str, less: Less) -> int:
    spec, program = find_spec("onnxruntime"), sys.modules["__main__"].__spec__
    if spec is None or spec.origin is None:
        raise SystemExit("onnxruntime is not installed")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "onnxruntime")
        shutil.copytree(Path(spec.origin).parent, copy)
        for file in copy.glob("capi/*.so*"):
            file.write_bytes(file.read_bytes().replace(less.code, less.instead))
        path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
        kept = [argument for argument in sys.argv[1:] if argument != option]
        return subprocess.run(
            [sys.executable, "-m", str(program and program.name), *kept],
            env=os.environ | less.variables | {"PYTHONPATH": path},
            check=False,
        ).returncode
