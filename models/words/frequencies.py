"""Make ``hybridsem/data/word_counts.tsv``: how often words occur, for weighting by smooth inverse
frequency.

    python -m models.words.frequencies --ewt ../shared/data/ud-ewt

Words are those of ``hybridsem.embeddings.arithmetic.words_of`` over the sentences' text. A weight a
/ (a + p) with a = 0.001 differs from 1 by less than 3 % for a word that occurs less than 5 times in
200,000, so those are left out, but counted in the total, which stands under the empty word.
"""

from __future__ import annotations

import argparse
import collections
from pathlib import Path

from hybridsem.embeddings.arithmetic import words_of
from models.recipe import SHIPPED

FEWEST = 5
TARGET = SHIPPED / "word_counts.tsv"

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--ewt", type=Path, required=True, help="the folder of UD_English-EWT, with train.conllu"
    )
    lines = (parser.parse_args().ewt / "train.conllu").read_text(encoding="utf-8").splitlines()
    texts = [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")]
    counts = collections.Counter(word for text in texts for word in words_of(text))
    kept = sorted(
        (word for word, n in counts.items() if n >= FEWEST), key=lambda word: (-counts[word], word)
    )
    rows = [
        ("", counts.total() - sum(counts[word] for word in kept)),
        *((word, counts[word]) for word in kept),
    ]
    TARGET.write_text("".join(f"{word}\t{n}\n" for word, n in rows), encoding="utf-8")
    print(
        f"{len(texts)} sentences, {counts.total()} words; kept {len(kept)} of {len(counts)} "
        "distinct ones"
    )
