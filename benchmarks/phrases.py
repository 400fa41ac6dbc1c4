"""Phrases: labels, probabilities and scores of paraphrases, and of sentences that look alike.

    python -m benchmarks.phrases [--split dev|test] [--errors]

The table is ``models/phrases/pairs.tsv``. The figures, explained in ``benchmarks/judged_pairs.py``,
are of all pairs and of each label and kind. Triples: the share of sentences whose paraphrase has a
higher score than the distractor; a tie counts half. ``--errors`` lists what is decided wrongly in
dev, the most probable first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np

from benchmarks.command import run
from benchmarks.judged_pairs import RESAMPLES, JudgedPairs, check
from hybridsem._typing import Float64Array, IntArray
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.statistics.summaries import Column, summaries
from models.labelled import SPLITS, LabelledPair
from models.phrases import phrase_pairs


class JudgedPhrases(JudgedPairs[LabelledPair]):
    """Paraphrases in even rows, each before the distractor of its sentence."""

    compared = "triples"

    def compare(self, scores: Float64Array, rows: IntArray) -> Estimate:
        """Return the share of triples won, of the sentences with a pair in rows."""
        paraphrases = np.unique(rows // 2) * 2
        wins = (1 + np.sign(scores[paraphrases] - scores[paraphrases + 1])) / 2
        return summaries({"wins": Column(wins)}, RESAMPLES)["wins"]

    def columns(self) -> Mapping[str, Sequence[str]]:
        return {
            "label": [str(pair.label) for pair in self.pairs],
            "kind": [pair.kind for pair in self.pairs],
        }


def main(split: Annotated[str, SPLITS] = "dev", errors: bool = False) -> None:
    check(split, errors)
    JudgedPhrases(phrase_pairs(split)).print_table(errors)


if __name__ == "__main__":
    run(main)
