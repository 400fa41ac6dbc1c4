"""Choose the constants of ``hybrid-0.1`` on the STS3k pilot, STSb dev and SICK train, and on
nothing else.

    python -m models.hybrid.choose --data ../shared/data

The mean of the three Spearman correlations is flat near its top, and only SICK has sentences whose
words change roles, so SICK decides between the grid points that are within .001 of the best mean.
Prints that point, and what each constant is worth beside the others. No test set is read.
``--data`` holds ``sts/``.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from hybridsem import Pipeline
from hybridsem.tables import read_pairs
from models.held_out import usable

GRID = {
    "roles": (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3),
    "swap": (0.0, 0.25, 0.5, 0.75, 1.0),
    "moved": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3),
    "polarity": (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3),
}

TOLERANCE = 0.001


def pairs(data: Path) -> dict[str, list[tuple[str, str, float]]]:
    """The three development sets, without rows that share a sentence with a test set."""
    files = {
        "pilot": "Fodor_pilot_2022.txt",
        "STSb dev": "stsb-en-dev.csv",
        "SICK train": "SICK_train.txt",
    }
    found = {}
    for name, file in files.items():
        rated = [pair for pair in read_pairs(data / "sts" / file) if pair.gold is not None]
        rows = usable(name, [(pair.text1, pair.text2) for pair in rated], data)
        found[name] = [(rated[row].text1, rated[row].text2, rated[row].gold) for row in rows]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Choose the constants of the fusion.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    sets = pairs(parser.parse_args().data)
    nlp = Pipeline("hybrid-0.1")
    columns, gold = {}, {}
    for name, rows in sets.items():
        details = [e.details for e in nlp.explain([(one, two) for one, two, _ in rows])]
        columns[name] = {key: np.array([detail[key] for detail in details]) for key in details[0]}
        ranks = rankdata([score for *_, score in rows])
        gold[name] = (ranks - ranks.mean()) / ranks.std()

    def correlations(roles: float, swap: float, moved: float, polarity: float) -> list[float]:
        found = []
        for name, c in columns.items():
            flows = swap * c["exchanged"] + moved * c["moved"] + polarity * c["polarity_differs"]
            score = (1 - roles) * c["cosine"] + np.maximum(c["cosine"], 0) * (
                roles * c["role_similarity"] - flows
            )
            ranks = rankdata(score)
            found.append(float(gold[name] @ (ranks - ranks.mean()) / ranks.std() / len(ranks)))
        return found

    def show(label: str, point: dict[str, float]) -> None:
        found = correlations(**point)
        cells = "  ".join(f"{name} {rho:.4f}" for name, rho in zip(columns, found, strict=True))
        print(f"{label:34} mean {np.mean(found):.4f}   {cells}")

    nothing = dict.fromkeys(GRID, 0.0)
    show("cosine alone", nothing)
    grid = [dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())]
    found = np.array([correlations(**point) for point in grid])
    near = found.mean(1) >= found.mean(1).max() - TOLERANCE
    best = grid[int(np.argmax(np.where(near, found[:, list(columns).index("SICK train")], -1)))]
    for name, values in GRID.items():
        for value in values:
            show(f"best but {name} {value}", best | {name: value})
    show(f"best {best}", best)


if __name__ == "__main__":
    main()
