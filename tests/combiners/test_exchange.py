"""Parts that exchange their places, by the words alone: 208 swaps of eight kinds."""

import csv
from pathlib import Path

import pytest

from hybridsem import Pipeline
from hybridsem.comparison.exchange import exchange
from hybridsem.comparison.reading import read_sentence
from hybridsem.english.lexicon import lexicon
from hybridsem.judge import Label

with Path(__file__).with_name("swaps.tsv").open(encoding="utf-8") as _file:
    SWAPS = list(csv.DictReader(_file, delimiter="\t", quoting=csv.QUOTE_NONE))
LOWER = 0.85
"""The least share of swaps that score below a paraphrase in other words."""


def test_swaps_score_lower_and_are_never_the_same(nlp: Pipeline) -> None:
    swapped = nlp.judge([(row["base"], row["swap"]) for row in SWAPS])
    paraphrases = nlp.similarity([(row["base"], row["paraphrase"]) for row in SWAPS])
    same = [one.sentence2 for one in swapped if one.label is Label.SAME]
    assert same == []
    lower = [one.score < other for one, other in zip(swapped, paraphrases, strict=True)]
    assert sum(lower) >= LOWER * len(SWAPS)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Yesterday he left.", "He left yesterday."),
        ("In May the shop opens at nine.", "At nine the shop opens in May."),
        ("Ann and Ben left.", "Ben and Ann left."),
        ("Cats, dogs and birds came.", "Dogs, cats and birds came."),
        ("The winner is Ann.", "Ann is the winner."),
        ("Ann married Ben.", "Ben married Ann."),
        ("The house is near the park.", "The park is near the house."),
        ("If it rains, we stay.", "We stay if it rains."),
        ("They put off the match.", "They put the match off."),
        ("The river Olt is long.", "The Olt river is long."),
        ("He was born in 1943 in Oakland.", "He was born in Oakland in 1943."),
    ],
)
def test_what_moves_without_another_meaning(one: str, two: str, nlp: Pipeline) -> None:
    first, second = (read_sentence(parsed) for parsed in nlp.parse([one, two]))
    assert exchange(first, second, lexicon()) is None
    assert exchange(second, first, lexicon()) is None
