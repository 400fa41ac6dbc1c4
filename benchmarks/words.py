"""Spearman correlation of word vectors with human word-similarity ratings.

    python benchmarks/words.py ../shared/data/words/word-sim/*.txt

A file has a pair and its rating on each line (``word1 word2 rating``).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords, WordVectors


def correlation(vectors: WordVectors, path: Path) -> tuple[float, int]:
    """Spearman's rho and the number of pairs."""
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    left, right = (vectors.embed([row[side].lower() for row in rows]) for side in (0, 1))
    return float(spearmanr(np.einsum("nd,nd->n", left, right), [float(row[2]) for row in rows]).statistic), len(rows)


if __name__ == "__main__":
    embedded = EmbeddedWords(EmbeddedEncoder())
    for name in sys.argv[1:]:
        rho, pairs = correlation(embedded, Path(name))
        print(f"{Path(name).stem:24}{pairs:6d} pairs  rho {rho:.3f}")
