"""From scores of (predicate, word) pairs to arguments: what the roleset licenses, a core label
once, nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hybridsem._typing import Float32Array
from hybridsem.parsers.srl.lexicon import CORE


def choose_labels(scores: Float32Array, labels: Sequence[str]) -> list[tuple[int, int]]:
    """The arguments among a predicate's candidates, as (row, label) in the order of the rows.

    ``scores`` (candidates, labels) are probabilities; column 0 is no argument. The surest candidate
    chooses first; a core label that is taken is no longer chosen, and a part that continues an
    argument (C-) needs one.
    """
    return next(choose_labels_of(scores, [len(scores)], labels))


def choose_labels_of(
    scores: Float32Array, counts: Sequence[int], labels: Sequence[str]
) -> Iterator[list[tuple[int, int]]]:
    """As :func:`choose_labels` for several predicates, ``counts`` of the rows each; rows are
    numbered within a predicate.
    """
    best, surest = scores.argmax(1).tolist(), scores.max(1).tolist()
    core = {label for label, name in enumerate(labels) if name in CORE}
    continued = {
        label: name.removeprefix("C-") for label, name in enumerate(labels) if name[:2] == "C-"
    }
    end = 0
    for count in counts:
        begin, end = end, end + count
        rows = [row for row in range(begin, end) if best[row]]
        rows.sort(key=surest.__getitem__, reverse=True)
        chosen: dict[int, int] = {}
        taken: set[int] = set()
        for row in rows:
            label: int = best[row]
            if label in taken:
                free = scores[row].copy()
                free[list(taken)] = 0
                label = int(free.argmax())
            if label:
                chosen[row - begin] = label
                if label in core:
                    taken.add(label)
        if not continued.keys().isdisjoint(chosen.values()):
            present = {labels[label] for label in chosen.values()}
            chosen = {
                row: label
                for row, label in chosen.items()
                if label not in continued or continued[label] in present
            }
        yield sorted(chosen.items())
