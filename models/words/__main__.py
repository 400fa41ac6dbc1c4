"""What is kept of single words: how often they occur, where they lie, and the vectors of many.

    python -m models.words counts --ewt ../shared/data/ud-ewt     # word_counts.tsv
    python -m models.words centre --ewt ../shared/data/ud-ewt     # word_centre.npy
    python -m models.words table                                  # words.npz

The counts are for weighting by smooth inverse frequency, of the words of
``hybridsem.embeddings.arithmetic.words_of`` over the sentences' text. A weight a / (a + p) with a =
0.001 differs from 1 by less than 3 % for a word that occurs less than 5 times in 200,000, so those
are left out, but counted in the total, which stands under the empty word.

The centre (384,) is the mean unit vector of EWT train's content words seen at least twice; word
vectors are taken relative to it.

The table has ``words`` (n,), UTF-8 bytes, a word a line; ``levels`` (n, 384) int8 and ``scale``
(n,) float32, whose products are unit vectors, those of
:class:`~hybridsem.embeddings.words.EmbeddedWords` in 8 bit. The words are all that are whole pieces
of the tokeniser's vocabulary; inflected ones too, for a name ("United States") is looked up as it
stands.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import numpy as np

from benchmarks.command import run
from hybridsem.embeddings.arithmetic import words_of
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.embeddings.words import word_centre
from hybridsem.parsers.trees.conllu import read_conllu
from models.corpora import frequent_words
from models.recipe import SHIPPED

FEWEST = 5
CONTENT = {"NOUN", "VERB", "ADJ", "ADV", "PROPN"}


Ewt = Annotated[Path, "the folder of UD_English-EWT"]


def counts(*, ewt: Ewt) -> None:
    """The words and their numbers, the most frequent first."""
    found = Counter(
        word for tree in read_conllu(ewt / "train.conllu") for word in words_of(tree.text)
    )
    kept = sorted((n for n in found if found[n] >= FEWEST), key=lambda word: (-found[word], word))
    rest = found.total() - sum(found[word] for word in kept)
    rows = [("", rest), *((word, found[word]) for word in kept)]
    text = "".join(f"{word}\t{n}\n" for word, n in rows)
    (SHIPPED / "word_counts.tsv").write_text(text, encoding="utf-8")


def centre(*, ewt: Ewt) -> None:
    """The mean of the content words."""
    seen = Counter(
        token.text.lower()
        for tree in read_conllu(ewt / "train.conllu")
        for token in tree
        if token.pos in CONTENT and token.text.isalpha()
    )
    words = sorted(word for word, count in seen.items() if count > 1)
    np.save(SHIPPED / "word_centre.npy", EmbeddedEncoder().encode(words).mean(0))


def table() -> None:
    """The vectors of words in 8 bit."""
    encoder, words = EmbeddedEncoder(), frequent_words()
    rows = normalised(encoder.encode(words) - word_centre(encoder.folder))
    levels = np.round(rows * (127 / np.abs(rows).max(axis=1, keepdims=True))).astype(np.int8)
    scale = (1 / np.linalg.norm(levels.astype(np.float64), axis=1)).astype(np.float32)
    lines = np.frombuffer("\n".join(words).encode(), np.uint8)
    np.savez(SHIPPED / "words.npz", words=lines, levels=levels, scale=scale)


if __name__ == "__main__":
    run({"counts": counts, "centre": centre, "table": table})
