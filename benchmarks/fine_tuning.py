"""all-mpnet-base-v2 fine-tuned on STS3k's non-adversarial pairs, beside the release's similarities.

    python benchmarks/fine_tuning.py --data ../shared/data

With the published settings (four epochs, warm-up) on the rows at hand; about half an hour on a busy
core. The weights come from the hub or its cache (``models/encoder/large.py --float``).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.reproduction.fodor import release, released, rho  # noqa: E402
from hybridsem._typing import Float64Array, IntArray  # noqa: E402
from hybridsem.datasets.sts_files import ADVERSARIAL, NON_ADVERSARIAL  # noqa: E402
from hybridsem.training.dataset import rated  # noqa: E402
from hybridsem.training.finetune import PUBLISHED, fine_tune  # noqa: E402

MODEL = "sentence-transformers/all-mpnet-base-v2"
FILE = "sentbert_mpnet_ft_adversarial_4_epochs"


def cosines(vectors: Float64Array, pairs: IntArray) -> Float64Array:
    """Return the cosines of pairs of rows, (n,)."""
    first, second = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True))[pairs.T]
    return np.einsum("nd,nd->n", first, second)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    options = parser.parse_args()
    here = release(options.data)
    data = rated([(*pair, rating) for pair, rating in zip(here.pairs, here.gold, strict=True)])
    model = fine_tune(MODEL, data, here.groups[NON_ADVERSARIAL], PUBLISHED)
    texts = list(dict.fromkeys(text for pair in here.pairs for text in pair))
    row = {text: i for i, text in enumerate(texts)}
    pairs = np.array([[row[text] for text in pair] for pair in here.pairs])
    vectors = np.asarray(model.encode(texts, show_progress_bar=False), float)
    scaled = (vectors - vectors.mean(0)) / vectors.std(0)
    for name, scores in {
        "fine-tuned": cosines(vectors, pairs),
        "fine-tuned, standardised": cosines(scaled, pairs),
        "release": released(options.data, FILE),
        "release, standardised": released(options.data, f"{FILE}_norml"),
    }.items():
        groups = ("all", NON_ADVERSARIAL, ADVERSARIAL)
        found = (
            f"{group} {rho(scores[rows], here.gold[rows]):.3f}"
            for group in groups
            for rows in [here.groups[group]]
        )
        print(f"{name:<26}", *found)


if __name__ == "__main__":
    main()
