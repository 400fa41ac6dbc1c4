"""Agreement of authors and second readers, and what words alone give away.

    python -m models.plain_english.agreement

Prints Cohen's kappa by part and by phenomenon, and the accuracy of classifiers that read one
sentence alone, or the share of common words alone; they need scikit-learn.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hybridsem.datasets.plain_english import PlainPair, plain_pairs
from models.plain_english.build import SITUATION, overlap

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


def print_shortcuts(pairs: Sequence[PlainPair]) -> None:
    """Print the accuracy on the test part of classifiers that cannot know the label."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    some = [pair for pair in pairs if pair.label in SITUATION]
    parts = [[p for p in some if (p.part == "test") is test] for test in (False, True)]
    gold = [[str(pair.label) for pair in part] for part in parts]
    chance = max(Counter(gold[1]).values()) / len(gold[1])
    print(f"five labels, chance {chance:.3f}")

    def accuracy(model: Any, inputs: Sequence[Any]) -> float:
        model.fit(inputs[0], gold[0])
        return float(np.mean(model.predict(inputs[1]) == np.array(gold[1])))

    for name in ("sentence1", "sentence2"):
        words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
        model = make_pipeline(words, LogisticRegression(max_iter=1000))
        texts = [[getattr(pair, name) for pair in part] for part in parts]
        print(f"{name} alone {accuracy(model, texts):.3f}")
    shares = [[[overlap(pair.sentence1, pair.sentence2)] for pair in part] for part in parts]
    print(f"overlap alone {accuracy(LogisticRegression(max_iter=1000), shares):.3f}")
    lengths = [
        [[*row, len(pair.sentence1), len(pair.sentence2)] for row, pair in zip(*both, strict=True)]
        for both in zip(shares, parts, strict=True)
    ]
    model = HistGradientBoostingClassifier(max_depth=3, max_iter=80, random_state=0)
    print(f"overlap and lengths {accuracy(model, lengths):.3f}")


def counts(pairs: Sequence[PlainPair]) -> Mapping[str, int]:
    """Return the number of pairs by part and label."""
    return Counter(f"{pair.part} {pair.label}" for pair in pairs)


if __name__ == "__main__":
    found = plain_pairs()
    print(dict(counts(found)))
    print_agreement([*found, *plain_pairs("passages")])
    print_shortcuts(found)
