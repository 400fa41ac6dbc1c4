"""The table of phrases is well formed, and its triples are won by the score of the paraphrase."""

from collections import Counter

import numpy as np

from benchmarks.judged_pairs import triples_won
from hybridsem.judge.labels import Label
from hybridsem.tables.records import records
from models.corpora import SPLITS
from models.phrases import TABLE, phrase_pairs

ROWS = [row for _, row in records(TABLE)]
KINDS = {
    *("particle verb", "light verb", "idiom", "nominalisation", "derivation", "converse"),
    *("compound", "abbreviation", "definition", "copula", "preposition", "adverb", "polite"),
    "register",
}


def test_values_are_known_and_sentences_differ() -> None:
    assert len(ROWS) == len({row["id"] for row in ROWS}) == 300
    texts = [row[name] for row in ROWS for name in ("sentence", "paraphrase", "distractor")]
    assert len(set(texts)) == len(texts)
    assert all(text == text.strip() for text in texts)
    assert {row["kind"] for row in ROWS} == KINDS
    assert all(Label(row["label"]) is not Label.SAME for row in ROWS)


def test_parts_are_halves_of_each_kind() -> None:
    parts = Counter((row["kind"], row["part"]) for row in ROWS)
    assert all(parts[kind, "dev"] == parts[kind, "test"] >= 8 for kind in KINDS)
    assert sum(len(phrase_pairs(split)) for split in SPLITS) == 2 * len(ROWS)


def test_a_triple_is_won_by_the_paraphrase_and_a_tie_is_half() -> None:
    scores = np.array([0.9, 0.1, 0.5, 0.5, 0.2, 0.3])
    assert triples_won(scores, np.arange(6)).value == 0.5
    assert triples_won(scores, np.array([0, 1])).value == 1
