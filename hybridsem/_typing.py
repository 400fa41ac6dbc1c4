"""Types of arrays and texts, shared by all signatures.

Shapes are given in the docstrings, as in ``(n, d)``: ``n`` sentences, pairs or words of ``d``
dimensions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

# numpy.typing's NDArray, without importing that, which takes its time.
AnyArray = np.ndarray[tuple[Any, ...], np.dtype[Any]]
BoolArray = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
Float32Array = np.ndarray[tuple[Any, ...], np.dtype[np.float32]]
"""Vectors, as encoders give them."""
Float64Array = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
"""Scores and what is computed from them."""
Int32Array = np.ndarray[tuple[Any, ...], np.dtype[np.int32]]
Int8Array = np.ndarray[tuple[Any, ...], np.dtype[np.int8]]
IntArray = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
"""Indices and counts."""
UInt8Array = np.ndarray[tuple[Any, ...], np.dtype[np.uint8]]

SentencePairs = Sequence[tuple[str, str]]

Record = Mapping[str, Any]
"""A row of a table, or an object of JSON or TOML."""
Plain = dict[str, Any]
"""The same, to be written."""
