"""Facts: labels, probabilities and scores of pairs that differ in a fact or in its notation.

    python -m benchmarks.facts [--split dev|test] [--data ../shared/data] [--errors]

The table is ``models/facts``; its rows of CNN/DailyMail need ``--data``. The figures, explained in
``benchmarks/judged_pairs.py``, are of all pairs and of each source, relation and kind. AUC: the
score of equal facts is above that of disjoint ones. ``--errors`` lists what is decided wrongly in
dev, the most probable first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np

from benchmarks.command import run
from benchmarks.judged_pairs import RESAMPLES, JudgedPairs, check
from hybridsem._typing import Float64Array, IntArray
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.facts.values import FactRelation
from models.facts import FactPair, fact_pairs
from models.labelled import SPLITS


class JudgedFacts(JudgedPairs[FactPair]):
    compared = "AUC"

    def compare(self, scores: Float64Array, rows: IntArray) -> Estimate:
        """Return the area under the curve of equal and disjoint facts."""
        relations = np.array([self.pairs[row].relation for row in rows])
        equal = relations == FactRelation.EQUAL
        ends = equal | (relations == FactRelation.DISJOINT)
        return classification(scores[rows[ends]], equal[ends], ("auc",), RESAMPLES)["auc"]

    def columns(self) -> Mapping[str, Sequence[str]]:
        return {
            "source": [pair.source for pair in self.pairs],
            "relation": [str(pair.relation) for pair in self.pairs],
            "kind": [pair.kind for pair in self.pairs],
        }


def main(
    split: Annotated[str, SPLITS] = "dev",
    data: Annotated[Path | None, "the folder that has sage/"] = None,
    errors: bool = False,
) -> None:
    check(split, errors)
    JudgedFacts(fact_pairs(split, data)).print_table(errors)


if __name__ == "__main__":
    run(main)
