"""Figures on noisy text: does structure take away more than it gives where parses are doubtful?

    python -m benchmarks.noisy_text --data ../shared/data [--most 1500]

Development pairs as they are, in lower case, without punctuation too, and with two letters
exchanged in some words. Prints, for each task, the figure of the encoder's cosine and that of
`hybrid`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Annotated

import numpy as np

from benchmarks.command import DATA, print_head, print_row, run
from hybridsem import Pipeline
from models.hybrid.data import development
from models.hybrid.figures import figures

MISSPELLED = 0.12
"""The share of words of four letters or more that are misspelled."""


def without_marks(text: str) -> str:
    return re.sub(r"[^\w\s']", "", text.lower())


def misspelled(text: str) -> str:
    random = Random(text)
    words = text.split()
    for at, word in enumerate(words):
        if len(word) > 3 and word.isalpha() and random.random() < MISSPELLED:
            i = random.randrange(1, len(word) - 2)
            words[at] = word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    return " ".join(words)


NOISE: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "lower case": str.lower,
    "and no punctuation": without_marks,
    "misspelled": misspelled,
}


def main(data: Path = DATA, most: Annotated[int, "items of a task"] = 1500) -> None:
    known = development(data).sample(most)
    rows: dict[str, list[str]] = {}
    for noise in NOISE.values():
        pairs = [(noise(first), noise(second)) for first, second in known.pairs]
        scores = (np.asarray(Pipeline(model).score(pairs)) for model in ("embedded", "hybrid"))
        found = [figures(known.tasks, one, 0, by_type=False) for one in scores]
        for task, measure in found[0]:
            if measure != "average precision":
                cells = (f"{one[task, measure].value:.3f}" for one in found)
                rows.setdefault(task, []).append(" → ".join(cells))
    print_head("task", *NOISE)
    for task, row in rows.items():
        print_row(task, *row)


if __name__ == "__main__":
    run(main)
