"""Pairs of sentences of which one fact is written in another way, changed, or more or less precise.

The card is README.md, the table pairs.tsv. Rows of CNN/DailyMail hold no text: their first sentence
is a file, record and sentence of ``../shared/data/sage``, the second an edit, ``old => new``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from hybridsem._typing import Record
from hybridsem.errors import FormatError
from hybridsem.facts.values import FactRelation
from hybridsem.judge.labels import Label
from models.corpora import LabelledPair, json_lines, made_of

TABLE = Path(__file__).parent / "pairs.tsv"
SOURCES = ("own", "ewt", "billsum", "cnn", "new")
REFERRED = "cnn"
"""The source whose rows refer to their text."""
EDIT = " => "
SENTENCE_END = re.compile(r"(?<=[.!?;]) +(?=[A-Z(\"])")


@dataclass(frozen=True, slots=True)
class FactPair(LabelledPair):
    """Two sentences, and the ``relation`` of the fact of the first to that of the second."""

    source: str
    relation: FactRelation

    @property
    def base(self) -> str:
        """The sentence that the pair was made from; all its pairs are in one split."""
        return self.id.rpartition("/")[0]


def fact_pairs(split: str | None = None, data: Path | None = None) -> list[FactPair]:
    """Return the pairs of a split (None: both); those that refer to text only with its folder.

    >>> pairs = fact_pairs("dev")
    >>> len(pairs) > 300, {pair.split for pair in pairs}
    (True, {'dev'})
    """
    chosen = [pair for pair in made_of(TABLE, _pair) if split in (None, pair.split)]
    if data is None:
        return [pair for pair in chosen if pair.source != REFERRED]
    texts: dict[str, list[str]] = {}
    return [_resolved(pair, data, texts) if pair.source == REFERRED else pair for pair in chosen]


def _pair(row: Record) -> FactPair:
    cells = {**row, "relation": FactRelation(row["relation"]), "label": Label(row["label"])}
    return FactPair(**cells)


def _resolved(pair: FactPair, data: Path, texts: dict[str, list[str]]) -> FactPair:
    """Return a pair with the sentences that it refers to."""
    file, place = pair.sentence1.split()
    record, number = map(int, place.split(":"))
    if file not in texts:
        texts[file] = [row["text"] for row in json_lines(data / "sage" / file)]
    first = SENTENCE_END.split(" ".join(texts[file][record].split()))[number]
    old, new = pair.sentence2.split(EDIT)
    if first.count(old) != 1:
        raise FormatError(f"{pair.id}: {old!r} is not once in the sentence", data / "sage" / file)
    return replace(pair, sentence1=first, sentence2=first.replace(old, new))
