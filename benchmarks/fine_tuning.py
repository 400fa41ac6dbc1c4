"""all-mpnet-base-v2 fine-tuned on rated pairs, beside the similarities of STS3k's release.

    python benchmarks/fine_tuning.py --data ../shared/data [--splits adversarial folds stsb]

With the published settings (four epochs, warm-up), in bfloat16, on a GPU where there is one. A fold
takes four minutes of one core. The weights come from the hub or its cache
(``models/encoder/large.py --float``).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.reproduction.fodor import release, released, rho  # noqa: E402
from hybridsem._typing import Float64Array, IntArray  # noqa: E402
from hybridsem.datasets.splits import Fold, kfold  # noqa: E402
from hybridsem.datasets.sts_files import ADVERSARIAL, NON_ADVERSARIAL  # noqa: E402
from hybridsem.tables import read_pairs  # noqa: E402
from hybridsem.training.dataset import TrainingPairs, rated  # noqa: E402
from hybridsem.training.finetune import PUBLISHED, fine_tune  # noqa: E402

MODEL = "sentence-transformers/all-mpnet-base-v2"
RELEASED = {
    "adversarial": "sentbert_mpnet_ft_adversarial_4_epochs",
    "folds": "sentbert_mpnet_ft_10fold_4_epochs",
    "stsb": "sentbert_ft_STSb_trainset_4_epochs",
}
"""The release's similarities; with ``_norml``, of standardised vectors."""


def splits(name: str, data: Path) -> Iterator[tuple[TrainingPairs, Fold]]:
    """The pairs, those that are trained on, and the rows of the release that are scored then."""
    here = release(data)
    rows = np.arange(len(here.pairs))
    if name == "stsb":
        pairs = rated(read_pairs(data / "sts/stsb-en-train.csv"))
        yield pairs, (np.arange(len(pairs.pairs)), rows)
        return
    pairs = rated([(*pair, rating) for pair, rating in zip(here.pairs, here.gold, strict=True)])
    for fold in kfold(len(rows)) if name == "folds" else [(here.groups[NON_ADVERSARIAL], rows)]:
        yield pairs, fold


def cosines(vectors: Float64Array, pairs: IntArray) -> Float64Array:
    """Return the cosines of pairs of rows, (n,)."""
    first, second = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True))[pairs.T]
    return np.einsum("nd,nd->n", first, second)


def scores(name: str, pairs: Sequence[tuple[str, str]], data: Path) -> list[Float64Array]:
    """The cosines of held-out pairs, of vectors as they are and standardised, (n,) each."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    row = {text: i for i, text in enumerate(texts)}
    ends = np.array([[row[text] for text in pair] for pair in pairs])
    found = [np.full(len(pairs), np.nan) for _ in range(2)]
    for learned, (rows, tested) in splits(name, data):
        model = fine_tune(MODEL, learned, rows, PUBLISHED)
        vectors = np.asarray(model.encode(texts, show_progress_bar=False), float)
        scaled = (vectors - vectors.mean(0)) / vectors.std(0)
        for of_all, some in zip(found, (vectors, scaled), strict=True):
            of_all[tested] = cosines(some, ends[tested])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--splits", nargs="+", choices=RELEASED, default=list(RELEASED))
    options = parser.parse_args()
    here = release(options.data)
    for name in options.splits:
        plain, standardised = scores(name, here.pairs, options.data)
        rows = {"fine-tuned": plain, "fine-tuned, standardised": standardised}
        for kind, suffix in {"release": "", "release, standardised": "_norml"}.items():
            try:
                rows[kind] = released(options.data, RELEASED[name] + suffix)
            except FileNotFoundError:
                continue
        for kind, found in rows.items():
            figures = (
                f"{group} {rho(found[of_group], here.gold[of_group]):.3f}"
                for group in ("all", NON_ADVERSARIAL, ADVERSARIAL)
                for of_group in [here.groups[group]]
            )
            print(f"{name:<12} {kind:<26}", *figures, flush=True)


if __name__ == "__main__":
    main()
