"""The vectors of frequent words, so that they need not be encoded one by one.

    python -m models.encoder.word_table

Writes ``hybridsem/data/words.npz``: ``words`` (n,), UTF-8 bytes, a word a line; ``levels`` (n, 384)
int8 and ``scale`` (n,) float32, whose products are unit vectors. They are those of
:class:`~hybridsem.embeddings.words.EmbeddedWords` in 8 bit. The words are all
that are whole pieces of the tokeniser's vocabulary; inflected ones too, for a name ("United
States") is looked up as it stands.
"""

from __future__ import annotations

import json

import numpy as np

from hybridsem._utils.weights import weight_file
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.embeddings.words import word_centre
from models.recipe import SHIPPED

TARGET = SHIPPED / "words.npz"


def frequent_words() -> list[str]:
    """The words of the vocabulary, the most frequent first."""
    vocabulary = json.loads(weight_file("tokenizer.json"))["model"]["vocab"]
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    return [piece for piece in pieces if piece.isascii() and piece.isalnum()]


def main() -> None:
    encoder = EmbeddedEncoder()
    words = frequent_words()
    rows = normalised(encoder.encode(words) - word_centre(encoder.folder))
    levels = np.round(rows * (127 / np.abs(rows).max(axis=1, keepdims=True))).astype(np.int8)
    scale = 1 / np.linalg.norm(levels.astype(np.float64), axis=1)
    lines = np.frombuffer("\n".join(words).encode(), np.uint8)
    np.savez(TARGET, words=lines, levels=levels, scale=scale.astype(np.float32))
    alike = (rows * levels * scale[:, None]).sum(axis=1)
    print(f"{len(words)} words; cosine with the encoded ones at least {alike.min():.5f}")


if __name__ == "__main__":
    main()
