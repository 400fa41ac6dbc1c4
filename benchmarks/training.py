"""What learning from rated pairs gains: held-out Spearman correlations on STS3k and the STS
benchmark.

    python benchmarks/training.py --data ../shared/data [--seeds 5] [--only "hybrid-0.1 ridge" …]

``--data`` holds ``sts3k-dev/`` (or a folder in the layout of the whole release, with ``--sts3k``)
and ``sts/``. On STS3k: grouped ten-fold, mean over the seeds and the range of the 95% bootstrap
intervals, for all, non-adversarial and adversarial pairs; and the adversarial split, trained on
non-adversarial pairs and tested on adversarial ones. On STSb: trained on train, tested on test.
What ``hybrid`` forgets when trained on 300 pairs of STSb train, with minimal pairs beside them
and without (``--forgetting`` for this alone): STSb dev, STS3k's adversarial pairs, the probe.
Then the seconds for features, scores and a fit.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline

from hybridsem import Pipeline
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.splits import adversarial, grouped
from hybridsem.datasets.sts_files import ADVERSARIAL, NON_ADVERSARIAL, sts3k
from hybridsem.evaluation.statistics.model_tests import paired_bootstrap
from hybridsem.evaluation.statistics.rating_correlations import correlations
from hybridsem.learned.features import FeatureSet
from hybridsem.tables import read_pairs
from hybridsem.training import regressors
from hybridsem.training.dataset import TrainingPairs, extract, rated, table_of
from hybridsem.training.run import held_out, make_regressor
from hybridsem.training.run import train as run

ROOT = Path(__file__).parents[1]
MODELS = ("hybrid-0.1", "verbnet-cn", "dependency-cn", "amr-cn")
REGRESSORS = ("linear", "ridge", "mlp:none", "mlp:10", "mlp:60-100", "mlp:100-100-10", "boosting")
EMBEDDINGS = (("ridge", None), ("ridge", 50), ("mlp:60-100", 50))
"""Over concatenated sentence vectors, by principal components (Fodor et al. 2024, 4.7)."""


def row(label: str, cells: Sequence[str]) -> None:
    print(f"{label:36}" + "  ".join(f"{cell:>22}" for cell in cells), flush=True)


def measured(found: Sequence[tuple[np.ndarray, np.ndarray]]) -> str:
    """Mean over the seeds, and the least and the greatest end of their intervals."""
    estimates = [
        correlations(one, gold, ["spearman"], resamples=1000)["spearman"] for one, gold in found
    ]
    values, lows, highs = zip(*((one.value, one.low, one.high) for one in estimates), strict=True)
    return f"{np.mean(values):.3f} [{min(lows):.3f}, {max(highs):.3f}]"


def made(name: str, features: FeatureSet | None, seed: int, k: int | None) -> Any:
    """A regressor over features, or over vectors or their first k principal components."""
    if features is not None:
        return make_regressor(name, features, {"random_state": seed})
    over_vectors = regressors.regressor(name, random_state=seed)
    return make_pipeline(PCA(k, svd_solver="full"), over_vectors) if k else over_vectors


def on_sts3k(folder: Path, seeds: int, only: Sequence[str]) -> None:
    data = sts3k(folder, Settings())
    given = rated(data.pairs)
    groups = {
        "all": np.arange(len(given.pairs)),
        **{name: data.groups[name] for name in (NON_ADVERSARIAL, ADVERSARIAL)},
    }
    split = adversarial(len(given.pairs), groups[NON_ADVERSARIAL], groups[ADVERSARIAL])
    print(
        f"{folder.name}: {len(given.pairs)} pairs; grouped 10-fold over {seeds} seeds, and the "
        "adversarial split"
    )
    row("", [*groups, "adversarial split"])
    runs: list[tuple[str, str, str, int | None]] = [
        (model, "roles", regressor, None) for model in MODELS for regressor in REGRESSORS
    ]
    runs += [("embedded", "embedding", regressor, k) for regressor, k in EMBEDDINGS]
    tables: dict[str, Any] = {}
    for model, kind, name, k in runs:
        label = f"{model} {name}" + (f", {k or 'no'} components" if kind != "roles" else "")
        if not label.startswith(tuple(only)):
            continue
        if model not in tables:
            tables.clear()
            nlp = Pipeline(model)
            if kind != "roles":
                sides = zip(*given.pairs, strict=True)
                tables[model] = (
                    None,
                    np.hstack([nlp.encode(texts) for texts in sides]).astype(float),
                )
            else:
                tables[model] = extract(nlp, given.pairs)
                own = tables[model][1][:, 0]
                cells = [measured([(own[rows], given.ratings[rows])]) for rows in groups.values()]
                row(
                    f"{model}, its own score",
                    [*cells, measured([(own[split[0][1]], given.ratings[split[0][1]])])],
                )
        features, X = tables[model]

        def predicted(folds: Any, seed: int, features: Any = features, X: Any = X) -> np.ndarray:
            make = partial(made, name, features, seed, k)  # noqa: B023
            return held_out(make, X, given.ratings, folds)

        tenfold = [predicted(grouped(given.pairs, seed=seed), seed) for seed in range(seeds)]
        cells = [
            measured([(one[rows], given.ratings[rows]) for one in tenfold])
            for rows in groups.values()
        ]
        held = [predicted(split, seed) for seed in range(seeds)]
        row(
            label,
            [*cells, measured([(one[split[0][1]], given.ratings[split[0][1]]) for one in held])],
        )


def on_stsb(folder: Path, only: Sequence[str]) -> None:
    sets: dict[str, TrainingPairs] = {
        name: rated(read_pairs(folder / f"stsb-en-{name}.csv", columns=("1", "2", "3")))
        for name in ("train", "test")
    }
    print("\nSTSb: trained on train, tested on test")
    row("", ["test"])
    for model in ("hybrid-0.1",):
        nlp = Pipeline(model)
        tables = {name: extract(nlp, one.pairs) for name, one in sets.items()}
        row(
            f"{model}, its own score", [measured([(tables["test"][1][:, 0], sets["test"].ratings)])]
        )
        for regressor in REGRESSORS:
            if not f"{model} {regressor}".startswith(tuple(only)):
                continue
            features, X = tables["train"]
            fitted = make_regressor(regressor, features, {"random_state": 0}).fit(
                X, sets["train"].ratings
            )
            row(
                f"{model} {regressor}",
                [measured([(fitted.predict(tables["test"][1]), sets["test"].ratings)])],
            )


def forgetting(folder: Path, release: Path) -> None:
    train = rated(read_pairs(folder / "stsb-en-train.csv", columns=("1", "2", "3")))
    rows = np.random.default_rng(0).permutation(len(train.pairs))[:300]
    few = replace(
        train,
        pairs=tuple(train.pairs[row] for row in rows.tolist()),
        ratings=train.ratings[rows],
        rows=train.rows[rows],
    )
    dev = rated(read_pairs(folder / "stsb-en-dev.csv", columns=("1", "2", "3")))
    sts3k_data = sts3k(release, Settings())
    adversarial_rows = sts3k_data.groups[ADVERSARIAL]
    hard = rated(sts3k_data.pairs)
    nlp = Pipeline("hybrid")
    print("\nhybrid trained on 300 pairs of STSb train, less its own score: with intervals of 95 %")
    row("", ["STSb dev", "STS3k adversarial", "probe"])
    tables: dict[str, Any] = {}
    for regressor, keep in product(("ridge", "mlp", "boosting"), (True, False)):
        trained = run(nlp, few, regressor, keep=keep)
        names = trained.weights.features
        cells = []
        for name, data, chosen in (
            ("dev", dev, np.arange(len(dev.pairs))),
            ("hard", hard, adversarial_rows),
        ):
            if name not in tables:
                tables[name] = table_of(nlp, data.pairs, names)
            X, gold = tables[name][chosen], data.ratings[chosen]
            found = paired_bootstrap(trained.weights.predict(X), X[:, 0], gold, resamples=1000)
            cells.append(f"{found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}]")
        found = trained.probe
        assert found is not None
        cells.append(f"{-found.loss:+.3f} [{-found.high:+.3f}, {-found.low:+.3f}]")
        row(f"{regressor}, {'minimal pairs beside' if keep else 'alone'}", cells)


def speed(folder: Path) -> None:
    pairs = rated(sts3k(folder, Settings()).pairs)
    print("\nSeconds")
    began = time.perf_counter()
    Pipeline().score(pairs.pairs[:50])
    row("start", [f"{time.perf_counter() - began:.2f}"])
    for label, work in (
        ("scoring the pairs", lambda: Pipeline().score(pairs.pairs)),
        ("extracting their features", lambda: extract(Pipeline(), pairs.pairs)),
    ):
        began = time.perf_counter()
        work()
        row(label, [f"{time.perf_counter() - began:.2f}"])
    features, X = extract(Pipeline(), pairs.pairs)
    for regressor in ("ridge", "mlp", "boosting"):
        began = time.perf_counter()
        make_regressor(regressor, features).fit(X, pairs.ratings)
        row(f"a fit: {regressor}", [f"{time.perf_counter() - began:.2f}"])


def main() -> None:
    parser = argparse.ArgumentParser(description="Held-out correlations of learned weights.")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--sts3k", type=Path, help="folder in the layout of the STS3k release")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[""], help="rows whose name begins so")
    parser.add_argument("--forgetting", action="store_true", help="what is forgotten, alone")
    options = parser.parse_args()
    folder = options.sts3k or options.data / "sts3k-dev"
    if options.forgetting:
        forgetting(options.data / "sts", folder)
        return
    on_sts3k(folder, options.seeds, options.only)
    on_stsb(options.data / "sts", options.only)
    forgetting(options.data / "sts", folder)
    speed(folder)


if __name__ == "__main__":
    main()
