"""Sentences with a phrase, each with a paraphrase and a distractor that looks alike.

The card is README.md, the table pairs.tsv.
"""

from __future__ import annotations

from pathlib import Path

from hybridsem._typing import Record
from hybridsem.judge.labels import Label
from models.corpora import LabelledPair, made_of

TABLE = Path(__file__).parent / "pairs.tsv"


def phrase_pairs(split: str | None = None) -> list[LabelledPair]:
    """Return two pairs of each sentence of a split (None: both), the paraphrase first.

    >>> paraphrase, distractor = phrase_pairs("dev")[:2]
    >>> paraphrase.label.value, paraphrase.sentence1 == distractor.sentence1
    ('same', True)
    """
    pairs = [pair for both in made_of(TABLE, _pairs) for pair in both]
    return [pair for pair in pairs if split in (None, pair.split)]


def _pairs(row: Record) -> tuple[LabelledPair, LabelledPair]:
    item, part, kind, sentence = (row[name] for name in ("id", "part", "kind", "sentence"))
    return (
        LabelledPair(f"{item}/1", part, kind, Label.SAME, sentence, row["paraphrase"]),
        LabelledPair(f"{item}/2", part, kind, Label(row["label"]), sentence, row["distractor"]),
    )
