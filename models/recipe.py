"""What recipes share: the folder of what they make, their tables, and files of weights."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
SHIPPED = ROOT / "hybridsem/data"
"""The folder of what recipes make."""


def table(module: str) -> dict[str, Any]:
    """Return ``recipe.toml`` beside a module, whose ``__file__`` is given."""
    return tomllib.loads(Path(module).with_name("recipe.toml").read_text(encoding="utf-8"))


def save(file: Path, weights: Mapping[str, Any], half: bool = False) -> None:
    """Write weights, arrays or tensors of torch; ``half``: packed, in 16 bit."""
    file.parent.mkdir(parents=True, exist_ok=True)
    here = {name: one.cpu() if hasattr(one, "cpu") else one for name, one in weights.items()}
    arrays = {name: np.asarray(one) for name, one in here.items()}
    if half:
        np.savez_compressed(file, **{k: value.astype(np.float16) for k, value in arrays.items()})
    else:
        np.savez(file, **arrays)


def read(file: Path) -> dict[str, np.ndarray]:
    """Return the weights of a file, those in 16 bit as float32."""
    with np.load(file) as kept:
        arrays = {name: kept[name] for name in kept}
    return {k: v.astype(np.float32) if v.dtype == np.float16 else v for k, v in arrays.items()}
