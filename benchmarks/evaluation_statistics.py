"""How long the statistics take on as many pairs as STS3k has: 10,000 resamples of 2,800 pairs.

python benchmarks/evaluation_statistics.py [--rows 2800] [--resamples 10000]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from hybridsem.evaluation.statistics.model_tests import paired_bootstrap, williams
from hybridsem.evaluation.statistics.rating_correlations import MEASURES, correlations, split_half


def main() -> None:
    parser = argparse.ArgumentParser(description="Seconds that the statistics take.")
    parser.add_argument("--rows", type=int, default=2_800)
    parser.add_argument("--resamples", type=int, default=10_000)
    options = parser.parse_args()
    random = np.random.default_rng(0)
    gold = random.random(options.rows).round(3)  # ties, as ratings have
    first, second = gold + 0.3 * random.normal(size=(2, options.rows))
    ratings = gold + random.normal(size=(60, options.rows))
    n = options.resamples
    tasks: dict[str, Callable[[], object]] = {
        f"correlations, {name}": lambda name=name: correlations(first, gold, [name], n)
        for name in MEASURES
    }
    tasks |= {
        "correlations, all three together": lambda: correlations(first, gold, resamples=n),
        "paired bootstrap, spearman": lambda: paired_bootstrap(first, second, gold, resamples=n),
        "williams": lambda: williams(first, second, gold),
        "split half, 60 raters, 1,000 splits": lambda: split_half(ratings),
    }
    correlations(first[:100], gold[:100], resamples=10)
    print(f"{options.rows} pairs, {n} resamples")
    for name, task in tasks.items():
        began, worked = time.perf_counter(), time.process_time()
        task()
        seconds, processor = time.perf_counter() - began, time.process_time() - worked
        print(f"{name:<36} {seconds:6.2f} s {processor:6.2f} s of processor time")


if __name__ == "__main__":
    main()
