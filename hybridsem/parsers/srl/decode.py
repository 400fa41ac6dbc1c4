"""From scores of (predicate, word) pairs to arguments: what the roleset licenses, a core label
once, nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridsem._typing import Float32Array
from hybridsem.parsers.srl.lexicon import CORE

__all__ = ["choose_labels"]


def choose_labels(scores: Float32Array, labels: Sequence[str]) -> list[tuple[int, int]]:
    """The arguments among a predicate's candidates, as (row, label) in the order of the rows.

    ``scores`` (candidates, labels) are probabilities; column 0 is no argument. The surest candidate
    chooses first; a core label that is taken is no longer chosen, and a part that continues an
    argument (C-) needs one.
    """
    best, surest = scores.argmax(1).tolist(), scores.max(1).tolist()
    order = sorted((row for row, label in enumerate(best) if label), key=lambda row: -surest[row])
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for row in order:
        label: int = best[row]
        if label in taken:
            free = scores[row].copy()
            free[list(taken)] = 0
            label = int(free.argmax())
        if label:
            chosen[row] = label
            if labels[label] in CORE:
                taken.add(label)
    present = {labels[label] for label in chosen.values()}
    return sorted(
        (row, label)
        for row, label in chosen.items()
        if not labels[label].startswith("C-") or labels[label].removeprefix("C-") in present
    )
