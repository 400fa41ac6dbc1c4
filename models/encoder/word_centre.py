"""The point round which single words lie in the encoder's space; word vectors are taken relative to
it.

    python -m models.encoder.word_centre --ewt UD_English-EWT

Writes ``hybridsem/data/word_centre.npy`` (384,): the mean unit vector of EWT train's content words
seen at least twice.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.parsers.trees.conllu import read_conllu
from models.recipe import SHIPPED

CONTENT = {"NOUN", "VERB", "ADJ", "ADV", "PROPN"}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the centre of single words.")
    parser.add_argument("--ewt", type=Path, required=True, help="folder with train.conllu")
    options = parser.parse_args()
    counts = Counter(
        token.text.lower()
        for tree in read_conllu(options.ewt / "train.conllu")
        for token in tree
        if token.pos in CONTENT and token.text.isalpha()
    )
    vectors = EmbeddedEncoder().encode(sorted(word for word, count in counts.items() if count > 1))
    np.save(SHIPPED / "word_centre.npy", vectors.mean(0))


if __name__ == "__main__":
    main()
