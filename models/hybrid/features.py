"""The terms of all development pairs, in one file.

    python -m models.hybrid.features --data ../shared/data --to runs/terms.npz
        [--most 500]

The terms are the cosine and those of ``hybrid``. A chunk that is finished is kept beside the file,
so that a run that was cut off goes on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from benchmarks.command import DATA, run
from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem._utils.progress import in_chunks
from hybridsem.combiners.hybrid import TERMS
from models.hybrid.data import Development, development

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
    parts = to.with_suffix(".parts")
    parts.mkdir(parents=True, exist_ok=True)
    matrices = []
    for number, some in enumerate(in_chunks(data.pairs, CHUNK, "pairs", True)):
        part = parts / f"{data.sha256[:12]}.{number * CHUNK}.npz"
        if not part.is_file():
            batch = nlp.read(some)
            found = nlp.combiner.compared(batch)
            amounts = [[0.0] * len(TERMS) if one is None else one.row() for one in found]
            values = np.column_stack([batch.cosines(), amounts]).astype(np.float32)
            np.savez_compressed(part, values=values)
        with np.load(part) as kept:
            matrices.append(kept["values"])
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


def main(
    data: Path = DATA,
    *,
    to: Path,
    most: Annotated[int | None, "items of each task, drawn at random; all if not"] = None,
) -> None:
    terms = extract(development(data, most), to)
    print(f"{terms.values.shape[0]} pairs, {len(terms.names)} terms: {', '.join(terms.names)}")


if __name__ == "__main__":
    run(main)
