"""AMR-CN: what its constants were chosen on.

    python -m benchmarks.amr_cn [--data DIR] [--rows 1000]

How much a node counts per level (``decay``) and by what the sum is divided, on the first pairs of
SICK train and of STSb train (embedded graphs) and on the pilot (SPRING's): Spearman correlations
with ratings. ``benchmarks/suite.py`` has the rows of STS3k, which nothing was chosen on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from hybridsem import Pipeline
from hybridsem.combiners.base import Batch
from hybridsem.tables import read_pairs

DECAYS = (1.0, 0.8, 2 / 3, 0.5, 0.35, 0.2)
SETS = {
    "SICK train": ("sts/SICK_train.txt", "embedded"),
    "STSb train": ("sts/stsb-en-train.csv", "embedded"),
    "pilot": ("sts/Fodor_pilot_2022.txt", "penman:{}/amr/Fodor_pilot_2022_AMR_parse.json"),
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rows", type=int, default=1000, help="of each set, the first so many")
    options = parser.parse_args(arguments)
    from scipy.stats import spearmanr

    from hybridsem.combiners.paths import PathCombiner

    print("decay                    ", *(f"{decay:5.2f}" for decay in DECAYS))
    for name, (file, graphs) in SETS.items():
        rated = [pair for pair in read_pairs(options.data / file) if pair.gold is not None]
        rows = rated[: options.rows]
        nlp = Pipeline("amr-cn", parser=graphs.format(options.data))
        sentences = list(dict.fromkeys(text for row in rows for text in (row.text1, row.text2)))
        index = {text: i for i, text in enumerate(sentences)}
        places = [(index[row.text1], index[row.text2]) for row in rows]
        batch = Batch(sentences, places, nlp.parse(sentences))
        gold = [row.gold for row in rows]
        for normalise in ("dice", "union"):
            cells = []
            for decay in DECAYS:
                explained = PathCombiner("amr-cn", nlp.vectors, normalise, decay).explain(batch)
                scores = [explanation.score for explanation in explained]
                cells.append(f"{spearmanr(scores, gold).statistic:.3f}")
            print(f"{name:12} {len(rows):5} {normalise:5} ", *cells)


if __name__ == "__main__":
    main()
