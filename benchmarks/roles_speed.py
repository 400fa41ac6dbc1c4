"""What the semantic role heads cost: sentences/s with them as a ratio to those without, in one run.

    python benchmarks/roles_speed.py --data ../shared/data [--rounds 5]

For distinct sentences of STS3k-dev and for EWT test, raw text: the trees alone (``trees``), and what ``parse`` gives,
with the tables' frames on top (``parse``: ``verbnet`` beside ``verbnet:tables``). Rounds alternate; the medians are
compared.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from hybridsem import Pipeline
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.pairs import read_pairs
from hybridsem.parsers.conllu import read_conllu
from hybridsem.parsers.embedded import EmbeddedTrees
from hybridsem.parsers.semantic_roles import SemanticRoles


def seconds(run: Callable[[list[str]], object], sentences: list[str]) -> float:
    began = time.perf_counter()
    run(sentences)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description="Throughput with the role heads beside that without.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    pairs = read_pairs(options.data / "sts3k-dev/Data-experiment/STS3k_all.txt")
    texts = {
        "STS3k-dev": list(dict.fromkeys(s for pair in pairs for s in (pair.text1, pair.text2))),
        "EWT test": [tree.text for tree in read_conllu(options.data / "ud-ewt/test.conllu")],
    }
    encoder = EmbeddedEncoder()
    plain, labelled = EmbeddedTrees(encoder), EmbeddedTrees(encoder, SemanticRoles(encoder))
    tables, learned = (Pipeline("verbnet-cn", parser=name) for name in ("verbnet:tables", "verbnet"))
    for name, sentences in texts.items():
        kinds: dict[str, tuple[Callable[[list[str]], object], ...]] = {
            "trees": (plain.trees, labelled.trees),
            "parse": (tables.parse, learned.parse),
        }
        for kind, both in kinds.items():
            for each in both:
                each(sentences[:64])
            took = [[seconds(each, sentences) for each in both] for _ in range(options.rounds)]
            without, having = (statistics.median(column) for column in zip(*took, strict=True))
            rates = f"{len(sentences) / without:6.0f} without, {len(sentences) / having:6.0f} with the heads"
            print(f"{name:10} {kind:6} {len(sentences)} sentences: {rates}; ratio {without / having:.3f}")


if __name__ == "__main__":
    main()
