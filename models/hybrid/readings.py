"""What the pair reader makes of all development pairs, and which of them it has not learned from.

python -m models.hybrid.readings --made runs/pairs.jsonl --to runs/readings.npz
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from hybridsem._typing import BoolArray
from hybridsem.pair_reader import EmbeddedPairReader, Readings
from models.hybrid.data import Development, development
from models.pair_reader.data import read

__all__ = ["load"]


def load(file: Path, data: Development) -> tuple[Readings, BoolArray]:
    """The readings of these pairs, and which were not learned from, (pairs,)."""
    with np.load(file) as kept:
        if (kept["keys"] != data.keys).any():
            raise ValueError(f"{file} is of other pairs; make it again")
        columns = kept["readings"].astype(np.float64)
        return Readings(*columns.T), kept["unseen"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--made", type=Path, help="what models.pairs wrote")
    parser.add_argument("--to", type=Path, default=Path("runs/readings.npz"))
    options = parser.parse_args()
    data = development(options.data)
    found = EmbeddedPairReader().read(data.pairs)
    rows = read(options.data, options.made)
    seen = {frozenset((row.first, row.second)) for row in rows if not row.held}
    unseen = np.array([frozenset(pair) not in seen for pair in data.pairs])
    columns = np.column_stack(found).astype(np.float32)
    np.savez_compressed(options.to, keys=data.keys, readings=columns, unseen=unseen)
    print(f"{len(unseen)} pairs, {int(unseen.sum())} of them not learned from")


if __name__ == "__main__":
    main()
