"""Sentences as counts of groups of letters: ``letters`` counts pairs, ``letters:3`` triples."""

from __future__ import annotations

import zlib

import numpy as np

from hybridsem.errors import InputError

WIDTH = 512


class LetterEncoder:
    """Counts of groups of adjacent letters, hashed to 512 numbers."""

    def __init__(self, argument: str) -> None:
        self.size = int(argument or 2)  # the text after the colon
        if self.size < 1:
            raise InputError(f"a group has at least one letter, got {argument!r}")

    def encode(self, sentences: list[str]) -> np.ndarray:
        """Return (n, 512) float32, row i for sentence i."""
        counts = np.zeros((len(sentences), WIDTH), np.float32)
        for row, sentence in zip(counts, sentences, strict=True):
            text = f" {sentence.lower()} "
            for start in range(len(text) - self.size + 1):
                row[zlib.crc32(text[start : start + self.size].encode()) % WIDTH] += 1
        return counts
