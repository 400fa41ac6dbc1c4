"""The terms of all development pairs, in one file.

    python -m models.hybrid.features --data ../shared/data --to runs/terms.npz
        [--of models.hybrid.features:published] [--most 500]

``--of`` names a function of pairs that gives the names of the terms and a float32 matrix, a row a
pair; one of the names is ``cosine``. The default are those of ``hybrid``; ``published`` are those
of hybrid-0.1, which ``models.hybrid.learn`` compares its results with. A chunk that is finished is
kept beside the file, so that a run that was cut off goes on.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem.combiners.hybrid import TERMS, HybridCombiner
from models.hybrid.data import Development, Pair, development

CHUNK = 1000
COMPARED, PUBLISHED = "models.hybrid.features:compared", "models.hybrid.features:published"


class Terms(NamedTuple):
    """The terms of pairs: their names, and (pairs, terms) values."""

    names: tuple[str, ...]
    values: Float32Array

    def column(self, name: str) -> Float32Array:
        """The values of a term, (pairs,)."""
        return self.values[:, self.names.index(name)]


@cache
def _hybrid() -> Pipeline:
    return Pipeline("hybrid")


def compared(pairs: Sequence[Pair]) -> tuple[list[str], Float32Array]:
    """The cosine and the terms of the comparison."""
    nlp = _hybrid()
    assert isinstance(nlp.combiner, HybridCombiner)
    cosines, amounts = nlp.combiner.amounts(nlp.read(pairs))
    return ["cosine", *TERMS], np.column_stack([cosines, amounts]).astype(np.float32)


def published(pairs: Sequence[Pair]) -> tuple[list[str], Float32Array]:
    """The terms of hybrid-0.1, and its score."""
    names = ["cosine", "role_distance", "exchanged", "moved", "polarity_differs", "score"]
    rows = []
    for found in Pipeline("hybrid-0.1").explain(pairs):
        known = {**found.details, "score": found.score}
        known["role_distance"] = 1 - known["role_similarity"]
        rows.append([known[name] for name in names])
    return names, np.array(rows, np.float32)


def extract(
    data: Development,
    function: Callable[[Sequence[Pair]], tuple[Sequence[str], Float32Array]],
    to: Path,
) -> Terms:
    """The terms of all pairs, by chunks that are kept in a folder beside ``to`` until the end."""
    parts = to.with_suffix(".parts")
    parts.mkdir(parents=True, exist_ok=True)
    names: tuple[str, ...] = ()
    matrices = []
    began = time.perf_counter()
    for start in range(0, len(data.pairs), CHUNK):
        part = parts / f"{data.sha256[:12]}.{start}.npz"
        if not part.is_file():
            found, values = function(data.pairs[start : start + CHUNK])
            np.savez_compressed(part, names=np.array(found), values=values)
        with np.load(part) as kept:
            names = tuple(map(str, kept["names"]))
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
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--of", default=COMPARED, metavar="MODULE:FUNCTION")
    parser.add_argument("--most", type=int, help="items of each task, drawn at random; all if not")
    options = parser.parse_args()
    module, _, name = options.of.partition(":")
    data = development(options.data)
    if options.most is not None:
        data = data.sample(options.most)
    terms = extract(data, getattr(import_module(module), name), options.to)
    print(f"{terms.values.shape[0]} pairs, {len(terms.names)} terms: {', '.join(terms.names)}")


if __name__ == "__main__":
    main()
