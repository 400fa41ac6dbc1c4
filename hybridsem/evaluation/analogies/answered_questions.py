"""Cards of analogies side by side: which questions each model answered, as a card holds it, and the
paired bootstrap.

A card has a text for each pair i, a character for each question (i, i + 1), (i, i + 2), …: a
hexadecimal digit whose bits say which of the four methods answered it, the first the lowest, or "-"
where the question was not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.evaluation.analogies.geometry import METHODS, RIGHT, Answers
from hybridsem.evaluation.analogies.summaries import apart, groups_of
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.comparison import CardComparison, PairedTest
from hybridsem.evaluation.statistics import Difference

_DIGITS = np.frombuffer(b"0123456789abcdef-", np.uint8)
_VALUE_OF = np.full(256, -1)
_VALUE_OF[_DIGITS[:-1]] = np.arange(16)


def packed(answers: Answers) -> list[str]:
    """The texts of a category's pairs."""
    outcomes = [answers.outcome[method][:] for method in METHODS]
    values = sum((outcome == RIGHT).astype(np.uint8) << bit for bit, outcome in enumerate(outcomes))
    digits = _DIGITS[np.where(outcomes[0] >= 0, values, len(_DIGITS) - 1)]
    return [bytes(row[i + 1 :]).decode() for i, row in enumerate(digits)]


def unpacked(texts: Sequence[str], method: str) -> Float64Array:
    """(n, n): 1 where the question was answered, 0 where not, NaN where it was not asked."""
    n = len(texts)
    found = np.full((n, n), np.nan)
    for i, text in enumerate(texts):
        values = _VALUE_OF[np.frombuffer(text.encode(), np.uint8)]
        found[i, i + 1 :] = np.where(values < 0, np.nan, values >> METHODS.index(method) & 1)
    return found


class OverQuestions(CardComparison):
    """The difference of two models' accuracies, over the questions that both were asked."""

    tested = METHODS
    lacks = "does not hold which questions were answered"

    def holds(self, card: Card, test: PairedTest) -> bool:
        """Whether there are the answers."""
        return "answers" in card.columns

    def difference(self, card: Card, base: Card, test: PairedTest) -> Difference:
        """The first card's accuracy minus the second's, by a paired bootstrap over pairs."""
        categories = dict(zip(base.columns["category"], base.columns["kind"], strict=True))
        chosen = groups_of([(str(name), str(kind)) for name, kind in categories.items()])[
            test.group
        ]
        given = {
            place: (
                _answers(card, str(name), test.measure),
                _answers(base, str(name), test.measure),
            )
            for place, name in enumerate(categories)
            if place in chosen.categories
        }
        return apart(chosen, given, **test.drawing)


def _answers(card: Card, category: str, method: str) -> Float64Array:
    texts = card.columns["answers"]
    return unpacked([str(texts[row]) for row in card.groups[category]], method)
