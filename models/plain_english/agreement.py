"""Agreement of authors and second readers: Cohen's kappa by part and by phenomenon.

python -m models.plain_english.agreement
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from benchmarks.audit import kappa
from hybridsem.datasets.plain_english import PlainPair, plain_pairs

LEAST = 20
"""The fewest pairs of a phenomenon with a kappa of its own."""


def print_agreement(pairs: Sequence[PlainPair]) -> None:
    """Print kappa and the share that agrees, by part, label and phenomenon; kappa is not a number
    if authors give one label.
    """
    groups: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair in pairs:
        if not pair.second:
            continue
        part = "test" if pair.part == "test" else "development"
        phenomena = (f"phenomenon {one}" for one in set(pair.phenomenon.split("+")))
        for name in ("all", f"part {part}", f"domain {pair.domain}", *phenomena):
            groups[name].append((str(pair.label), str(pair.second)))
    for name, some in sorted(groups.items()):
        if len(some) >= LEAST:
            same = np.mean([author == reader for author, reader in some])
            value = kappa(some) if len({author for author, _ in some}) > 1 else math.nan
            print(f"{name:34} {len(some):5} agreed {same:.3f} kappa {value:.3f}")
    for (author, reader), count in Counter(groups["all"]).most_common():
        if author != reader:
            print(f"author {author:12} reader {reader:12} {count}")


if __name__ == "__main__":
    found = plain_pairs()
    print(Counter(f"{pair.part} {pair.label}" for pair in found))
    print_agreement([*found, *plain_pairs("passages")])
