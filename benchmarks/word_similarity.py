"""Spearman correlation of word vectors with human word-similarity ratings, and how many of the
pairs they cover.

    python -m benchmarks.word_similarity ../shared/data/words/word-sim --vectors embedded --vectors
    glove:FILE

A file has a pair and its rating on each line (``word1 word2 rating``); a folder stands for its .txt
files. Only pairs both of whose words have a vector count.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hybridsem import registry
from hybridsem.embeddings.embedded import normalised
from hybridsem.embeddings.words import WordVectors, coverage


class Result(NamedTuple):
    rho: float
    covered: int
    pairs: int


def correlation(vectors: WordVectors, path: Path) -> Result:
    """Spearman's rho over the covered pairs of a file; NaN for fewer than two."""
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    found = [
        row
        for row, one in zip(rows, coverage(vectors, [row[:2] for row in rows]), strict=True)
        if not one.unknown
    ]
    from scipy.stats import spearmanr

    if len(found) < 2:
        return Result(float("nan"), len(found), len(rows))
    left, right = (normalised(vectors.embed([row[side] for row in found])) for side in (0, 1))
    cosines = np.einsum("nd,nd->n", left, right)
    return Result(
        float(spearmanr(cosines, [float(row[2]) for row in found]).statistic), len(found), len(rows)
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument(
        "--vectors", action="append", help="as in Pipeline(vectors=…); can be given several times"
    )
    options = parser.parse_args(arguments)
    names = options.vectors or ["embedded"]
    tables = [registry.vectors(name, None) for name in names]
    print(f"{'':22}" + "".join(f"{name[-24:]:>26}" for name in names))
    for path in [
        file for given in options.files for file in (sorted(given.glob("*.txt")) or [given])
    ]:
        results = [correlation(table, path) for table in tables]
        print(
            f"{path.stem:22}"
            + "".join(f"{r.rho:>9.3f}  ({r.covered:4d} of {r.pairs:4d})" for r in results)
        )


if __name__ == "__main__":
    main()
