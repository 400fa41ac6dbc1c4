"""Spearman correlations of the models with human ratings: STS3k, STSb and SICK.

    python benchmarks/sts.py --data ../shared/data [--models hybrid verbnet-cn …] [--json FILE]

``--data`` holds ``sts3k-dev/`` in the layout of the STS3k release and ``sts/`` with the STSb csv files and SICK. STS3k
is a test set: nothing in hybridsem is tuned on it.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from hybridsem import Pipeline
from hybridsem.pairs import read_pairs

Rated = list[tuple[str, str, float]]

RELEASE = "Data-experiment/STS3k_{}.txt"


def rated(path: Path) -> Rated:
    """The pairs of a file and their ratings."""
    return [(pair.text1, pair.text2, pair.gold) for pair in read_pairs(path) if pair.gold is not None]


def tests(data: Path) -> dict[str, tuple[Rated, dict[str, np.ndarray]]]:
    """The test sets: their pairs, and the rows of each group that is reported."""
    sts3k = rated(data / "sts3k-dev" / RELEASE.format("all"))
    groups = {"all": np.arange(len(sts3k))}
    for group, name in (("non-adversarial", "non_adv_indices"), ("adversarial", "adv_noneg_indices")):
        groups[group] = np.loadtxt(data / "sts3k-dev" / RELEASE.format(name), dtype=int)
    found = {"sts3k-dev": (sts3k, groups)}
    for name, file in (("STSb test", "stsb-en-test.csv"), ("SICK test", "SICK_test_annotated.txt")):
        pairs = rated(data / "sts" / file)
        found[name] = (pairs, {"all": np.arange(len(pairs))})
    return found


def correlations(pipeline: Pipeline, sets: dict[str, tuple[Rated, dict[str, np.ndarray]]]) -> dict[str, float]:
    """Spearman's rho by set and group."""
    result = {}
    for name, (pairs, groups) in sets.items():
        scores = pipeline.score([(one, two) for one, two, _ in pairs])
        gold = np.array([rating for *_, rating in pairs])
        for group, rows in groups.items():
            result[f"{name} {group}"] = round(float(spearmanr(scores[rows], gold[rows]).statistic), 4)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="Correlations of the models with human ratings.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--models", nargs="+", default=["hybrid", "verbnet-cn", "dependency-cn", "embedded"])
    parser.add_argument("--json", type=Path, help="also write the figures, with versions, here")
    options = parser.parse_args()
    sets = tests(options.data)
    names = [f"{name} {group}" for name, (_, groups) in sets.items() for group in groups]
    print(" | ".join(["model".ljust(14), *names]))
    figures = {}
    for model in options.models:
        began = time.perf_counter()
        figures[model] = correlations(Pipeline(model), sets)
        cells = [f"{figures[model][name]:.3f}".ljust(len(name)) for name in names]
        print(" | ".join([model.ljust(14), *cells]), f"  {time.perf_counter() - began:.1f} s", flush=True)
    if options.json:
        versions = {name: version(name) for name in ("hybridsem", "onnxruntime", "tokenizers", "numpy", "scipy")}
        card = {"date": time.strftime("%Y-%m-%d"), "versions": versions, "machine": platform.machine()}
        options.json.write_text(json.dumps({**card, "spearman": figures}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
