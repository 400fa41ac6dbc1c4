"""How many phrases are found in text, and how fast.

    python -m benchmarks.phrase_reading ../shared/data/ud-ewt/dev.conllu

The sentences are read with the tags and heads of the treebank, so only the phrases are measured.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.phrases import PhraseLexicon

ROUNDS = 5

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("treebank", type=Path)
    trees = list(read_conllu(parser.parse_args().treebank))
    sentences = [
        tuple(zip(*((t.lemma, t.text, t.pos, t.head) for t in tree), strict=True)) for tree in trees
    ]
    start = time.process_time()
    lexicon = PhraseLexicon.standard()
    print(f"loaded in {1e3 * (time.process_time() - start):.0f} ms of CPU time")
    seconds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        units = [lexicon.phrases(*sentence) for sentence in sentences]
        seconds.append(time.process_time() - start)
    print(f"{1e6 * min(seconds) / len(sentences):.1f} µs a sentence of {len(sentences):,}")
    print(f"{sum(map(len, units)) / len(units):.2f} phrases a sentence")
    keys = Counter((unit.category, unit.key) for found in units for unit in found)
    print(
        *(f"{count} {key} ({category})" for (category, key), count in keys.most_common(60)),
        sep=", ",
    )
