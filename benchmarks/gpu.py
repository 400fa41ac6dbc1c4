"""The encoder on a GPU beside the CPU: its speed, and how much vectors and scores differ.

    python benchmarks/gpu.py FILE

FILE has a sentence on each line; the first 4,000 are read. 200 pairs are made of them: two
sentences, or one and itself with two words exchanged. docs/performance.md names the packages.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

import numpy as np

from hybridsem import Pipeline
from hybridsem._typing import AnyArray
from hybridsem.embeddings.embedded import EmbeddedEncoder


def exchanged(sentence: str) -> str:
    words = sentence.split()
    i, j = random.sample(range(len(words)), 2) if len(words) > 1 else (0, 0)
    words[i], words[j] = words[j], words[i]
    return " ".join(words)


def measured(device: str, texts: list[str], pairs: list[tuple[str, str]]) -> list[AnyArray]:
    """Vectors in batches and alone, and scores."""
    os.environ["HYBRIDSEM_DEVICE"] = device
    encoder, seconds = EmbeddedEncoder(), []
    for _ in range(4):
        start = time.perf_counter()
        together = encoder.encode(texts)
        seconds.append(time.perf_counter() - start)
    # The first round warms everything up.
    print(f"{device}: {len(texts) / sorted(seconds[1:])[1]:,.0f} sentences/s")
    alone = np.concatenate([encoder.encode([text]) for text in texts[:200]])
    return [together, alone, np.array(Pipeline().score(pairs))]


if __name__ == "__main__":
    random.seed(3)
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    texts = list(dict.fromkeys(line for line in lines if line.strip()))[:4000]
    others = [exchanged(a) if k % 2 else texts[-k - 1] for k, a in enumerate(texts[:200])]
    pairs = list(zip(texts[:200], others, strict=True))
    cpu, _, cpu_scores = measured("cpu", texts, pairs)
    gpu, alone, scores = measured("cuda", texts, pairs)
    cosines = np.einsum("nd,nd->n", cpu, gpu)
    print(f"vectors, GPU and CPU: cosine at least {cosines.min():.4f}, mean {cosines.mean():.5f}")
    print(f"numbers of vectors, alone and in a batch: within {np.abs(alone - gpu[:200]).max():.1e}")
    gaps = np.abs(scores - cpu_scores)
    counts = ", ".join(f"{(gaps > most).sum()} over {most}" for most in (0.001, 0.01))
    print(f"{len(gaps)} scores: within {gaps.max():.4f}; {counts}")
