"""Agreement of authors and second readers: Cohen's kappa by part and by phenomenon.

python -m models.plain_english.agreement
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from hybridsem.datasets.plain_english import PlainPair, plain_pairs

LEAST = 20
"""The fewest pairs of a phenomenon with a kappa of its own."""


def kappa(pairs: Sequence[PlainPair]) -> float:
    """Return Cohen's kappa of author and second reader (Cohen 1960); NaN if authors give one."""
    agreed = np.mean([pair.label == pair.second for pair in pairs])
    counts = [Counter(str(getattr(pair, name)) for pair in pairs) for name in ("label", "second")]
    chance = sum(counts[0][label] * counts[1][label] for label in counts[0]) / len(pairs) ** 2
    return float((agreed - chance) / (1 - chance)) if len(counts[0]) > 1 else math.nan


def print_agreement(pairs: Sequence[PlainPair]) -> None:
    """Print kappa and the share that agrees, by part, label and phenomenon."""
    read = [pair for pair in pairs if pair.second]
    groups: defaultdict[str, list[PlainPair]] = defaultdict(list)
    for pair in read:
        groups["all"].append(pair)
        groups[f"part {'test' if pair.part == 'test' else 'development'}"].append(pair)
        groups[f"domain {pair.domain}"].append(pair)
        for phenomenon in set(pair.phenomenon.split("+")):
            groups[f"phenomenon {phenomenon}"].append(pair)
    for name, some in sorted(groups.items()):
        if len(some) >= LEAST:
            same = np.mean([pair.label == pair.second for pair in some])
            print(f"{name:34} {len(some):5} agreed {same:.3f} kappa {kappa(some):.3f}")
    table = Counter((str(pair.label), str(pair.second)) for pair in read)
    for labels, count in table.most_common():
        if labels[0] != labels[1]:
            print(f"author {labels[0]:12} reader {labels[1]:12} {count}")


if __name__ == "__main__":
    found = plain_pairs()
    print(Counter(f"{pair.part} {pair.label}" for pair in found))
    print_agreement([*found, *plain_pairs("passages")])
