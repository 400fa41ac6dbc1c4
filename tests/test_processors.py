"""The same bits on every processor: on this one, and with its instruction sets hidden; and in every
process, whatever the order of its sets.
"""

import json
import os
import platform

import pytest
from numpy._core import _multiarray_umath as numpy_core
from support.commands import ROOT, python
from support.outputs import STORED, differing, outputs

pytestmark = pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64")
    or not numpy_core.__cpu_features__.get("AVX2"),
    reason="promised for x86-64 with AVX2",
)


@pytest.mark.slow
def test_outputs_are_those_that_are_stored() -> None:
    """When weights or models change: ``python -m support.outputs --write``."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert differing(outputs(), stored) == {}
    changed = {**stored, "parses": ["0" * 8, *stored["parses"][1:]]}
    assert differing(changed, stored) == {"parses": [0]}


@pytest.mark.slow
def test_blas_and_numpy_without_vector_instructions() -> None:
    """OpenBLAS and numpy use their oldest code (onnxruntime has no such switch), and sets another
    order than in the process of the tests.
    """
    dispatched = [name for name in numpy_core.__cpu_dispatch__ if numpy_core.__cpu_features__[name]]
    environment = {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": " ".join(dispatched),
        "PYTHONHASHSEED": "3" if os.environ.get("PYTHONHASHSEED") == "0" else "0",
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}",
    }
    python("-m", "support.outputs", **environment)
