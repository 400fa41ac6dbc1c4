"""The types of arrays and texts that signatures share, once.

The shapes stand in the docstrings, as in ``(n, d)``: ``n`` sentences, pairs or words of ``d``
dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "AnyArray",
    "BoolArray",
    "Float32Array",
    "Float64Array",
    "Int8Array",
    "IntArray",
    "SentencePairs",
]

AnyArray = npt.NDArray[Any]
BoolArray = npt.NDArray[np.bool_]
Float32Array = npt.NDArray[np.float32]
"""Vectors, as encoders give them."""
Float64Array = npt.NDArray[np.float64]
"""Scores and what is computed from them."""
Int8Array = npt.NDArray[np.int8]
IntArray = npt.NDArray[np.int64]
"""Indices and counts."""

SentencePairs = Sequence[tuple[str, str]]
