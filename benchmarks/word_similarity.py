"""Spearman correlation of word vectors with human word-similarity ratings, and how many of the
pairs they cover.

    python -m benchmarks.word_similarity ../shared/data/words/word-sim --vectors embedded glove:FILE

A file has a pair and its rating on each line (``word1 word2 rating``); a folder stands for its .txt
files. Only pairs both of whose words have a vector count.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np

from benchmarks.command import run
from hybridsem import registry
from hybridsem.embeddings.embedded import normalised
from hybridsem.embeddings.words import WordVectors, coverage


def correlation(vectors: WordVectors, path: Path) -> str:
    """Spearman's rho over the covered pairs of a file, and their number."""
    from scipy.stats import spearmanr

    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    covered = coverage(vectors, [row[:2] for row in rows])
    known = [row for row, one in zip(rows, covered, strict=True) if not one.unknown]
    left, right = (normalised(vectors.embed([row[side] for row in known])) for side in (0, 1))
    cosines = np.einsum("nd,nd->n", left, right)
    rho = spearmanr(cosines, [float(row[2]) for row in known]).statistic
    return f"{rho:>9.3f}  ({len(known):4d} of {len(rows):4d})"


def main(
    files: Path, vectors: Annotated[Sequence[str], "as in Pipeline(vectors=…)"] = ("embedded",)
) -> None:
    tables = [registry.vectors(name, None) for name in vectors]
    print(f"{'':22}", *(f"{name[-24:]:>25}" for name in vectors))
    for path in sorted(files.glob("*.txt")) or [files]:
        print(f"{path.stem:22}", *(f"{correlation(table, path):>25}" for table in tables))


if __name__ == "__main__":
    run(main)
