"""The encoder on a GPU beside the CPU: its speed, and how much vectors and scores differ.

    python -m benchmarks.gpu FILE [--device cuda]

FILE has a sentence on each line; the first 4,000 are read. 200 pairs are made of them: two
sentences, or one and itself with two words exchanged. docs/performance.md names the packages.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.timing import show_compared
from hybridsem import Pipeline
from hybridsem._typing import AnyArray
from hybridsem.embeddings.embedded import EmbeddedEncoder

Measured = tuple[AnyArray, AnyArray, AnyArray]


def exchanged(sentence: str, draw: random.Random) -> str:
    """Exchange two words."""
    words = sentence.split()
    i, j = draw.sample(range(len(words)), 2) if len(words) > 1 else (0, 0)
    words[i], words[j] = words[j], words[i]
    return " ".join(words)


def measured(device: str, texts: list[str], pairs: list[tuple[str, str]]) -> Measured:
    """Return vectors in batches and alone, and scores."""
    os.environ["HYBRIDSEM_DEVICE"] = device
    encoder = EmbeddedEncoder()
    show_compared({device: lambda: partial(encoder.encode, texts)}, 3, len(texts), "sentence")
    alone = np.concatenate([encoder.encode([text]) for text in texts[:200]])
    return encoder.encode(texts), alone, np.array(Pipeline().score(pairs))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args(arguments)
    draw = random.Random(3)
    lines = options.file.read_text(encoding="utf-8").splitlines()
    texts = list(dict.fromkeys(line for line in lines if line.strip()))[:4000]
    others = [exchanged(a, draw) if k % 2 else texts[-k - 1] for k, a in enumerate(texts[:200])]
    pairs = list(zip(texts[:200], others, strict=True))
    cpu, _, cpu_scores = measured("cpu", texts, pairs)
    gpu, alone, scores = measured(options.device, texts, pairs)
    cosines = np.einsum("nd,nd->n", cpu, gpu)
    print(f"vectors, GPU and CPU: cosine at least {cosines.min():.4f}, mean {cosines.mean():.5f}")
    print(f"numbers of vectors, alone and in a batch: within {np.abs(alone - gpu[:200]).max():.1e}")
    gaps = np.abs(scores - cpu_scores)
    counts = ", ".join(f"{(gaps > most).sum()} over {most}" for most in (0.001, 0.01))
    print(f"{len(gaps)} scores: within {gaps.max():.4f}; {counts}")


if __name__ == "__main__":
    main()
