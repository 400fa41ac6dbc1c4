"""The terms of all development pairs, in one file.

    python -m models.hybrid.features --data ../shared/data --to runs/terms.npz
        [--most 500]

The terms are the cosine and those of ``hybrid``. A chunk that is finished is kept beside the file,
so that a run that was cut off goes on.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem.combiners.hybrid import TERMS, HybridCombiner
from models.hybrid.data import Development, development
from models.recipe import command

CHUNK = 1000


class Terms(NamedTuple):
    """The terms of pairs: their names, and (pairs, terms) values."""

    names: tuple[str, ...]
    values: Float32Array

    def column(self, name: str) -> Float32Array:
        """The values of a term, (pairs,)."""
        return self.values[:, self.names.index(name)]


def extract(data: Development, to: Path) -> Terms:
    """The terms of all pairs, by chunks that are kept in a folder beside ``to`` until the end."""
    nlp, names = Pipeline("hybrid"), ("cosine", *TERMS)
    assert isinstance(nlp.combiner, HybridCombiner)
    parts = to.with_suffix(".parts")
    parts.mkdir(parents=True, exist_ok=True)
    matrices = []
    began = time.perf_counter()
    for start in range(0, len(data.pairs), CHUNK):
        part = parts / f"{data.sha256[:12]}.{start}.npz"
        if not part.is_file():
            batch = nlp.read(data.pairs[start : start + CHUNK])
            found = nlp.combiner.compared(batch)
            amounts = [[0.0] * len(TERMS) if one is None else one.row() for one in found]
            values = np.column_stack([batch.cosines(), amounts]).astype(np.float32)
            np.savez_compressed(part, values=values)
        with np.load(part) as kept:
            matrices.append(kept["values"])
        seconds = time.perf_counter() - began
        print(f"{start + len(matrices[-1]):>6} of {len(data.pairs)}, {seconds:.0f} s", flush=True)
    terms = Terms(names, np.concatenate(matrices).astype(np.float32))
    np.savez_compressed(to, names=np.array(names), values=terms.values, keys=data.keys)
    for part in parts.glob("*.npz"):
        part.unlink()
    parts.rmdir()
    return terms


def load(file: Path, data: Development) -> Terms:
    """The terms of these pairs, from a file that may hold those of others, too."""
    with np.load(file) as kept:
        names, values, keys = tuple(map(str, kept["names"])), kept["values"], kept["keys"]
    order = np.argsort(keys)
    rows = order[np.searchsorted(keys[order], data.keys).clip(max=len(keys) - 1)]
    if missing := int((keys[rows] != data.keys).sum()):
        raise ValueError(f"{file} lacks {missing} of {len(rows)} pairs; extract them again")
    return Terms(names, values[rows])


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--most", type=int, help="items of each task, drawn at random; all if not")
    options = parser.parse_args()
    terms = extract(development(options.data, options.most), options.to)
    print(f"{terms.values.shape[0]} pairs, {len(terms.names)} terms: {', '.join(terms.names)}")


if __name__ == "__main__":
    main()
