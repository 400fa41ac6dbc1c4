"""Write the weights that ship: between the distilled and the learned ones.

    python -m models.role_encoder.blend --distilled runs/distil/small.npz runs/distil/large.npz
        --weights runs/role/small/weights.npz runs/role/large/weights.npz
        --write runs/role/chosen.npz

The weights of several runs are averaged first (Wortsman et al. 2022). ``recipe.toml`` has the share
of the learned weights in the role encoder, and in the embedded encoder
(``models/encoder/upper.npz``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.command import run
from models.encoder.build import UPPER
from models.recipe import read, save, table


def blended(
    first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray], share: float
) -> dict[str, np.ndarray]:
    """``share`` of the second weights, the rest of the first ones."""
    return {
        name: ((1 - share) * first[name] + share * weight).astype(np.float32)
        for name, weight in second.items()
    }


def averaged(files: Sequence[Path]) -> dict[str, np.ndarray]:
    """The mean of the weights of some files."""
    runs = [read(file) for file in files]
    return {name: np.mean([run[name] for run in runs], 0) for name in runs[0]}


def main(*, distilled: Sequence[Path], weights: Sequence[Path], write: Path) -> None:
    both = averaged(distilled), averaged(weights)
    shares = table(__file__)["chosen"]
    save(write, blended(*both, shares["role"]))
    save(UPPER, blended(*both, shares["embedded"]), half=True)


if __name__ == "__main__":
    run(main)
