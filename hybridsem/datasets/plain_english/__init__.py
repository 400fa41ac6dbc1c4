"""``plain-english``: pairs, triples and passages of everyday English, written for this package.

The label is that of the judge, as both texts speak of one situation. ``part`` is "choose" or
"check", halves of the development part, or "test", which other hands wrote. ``second`` is the label
of a second, blind reader. Licence: CC BY 4.0; the card is ``models/plain_english/README.md``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hybridsem._typing import Record, SentencePairs
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.tables.columns import number_in
from hybridsem.tables.records import records

LABELS = ("same", "entails", "entailed", "differs", "contradicts", "unrelated")  # as the judge has
PARTS = ("choose", "check", "development", "test")  # the parts; "development" is both halves
TEXTS = ("id", "part", "domain", "author", "phenomenon", "label")
FOLDER = Path(__file__).parent


class PlainPair(NamedTuple):
    """Two texts with their label and similarity in [0, 1]; ``second`` may be ""."""

    id: str
    part: str
    domain: str
    author: str
    phenomenon: str
    label: str
    similarity: float
    second: str
    sentence1: str
    sentence2: str

    @property
    def disputed(self) -> bool:
        """True if a second reader gave another label."""
        return self.second not in ("", self.label)


class PlainTriple(NamedTuple):
    """A sentence, its paraphrase and an alteration; the label is that of (sentence, alteration)."""

    id: str
    part: str
    domain: str
    author: str
    phenomenon: str
    label: str
    sentence: str
    paraphrase: str
    alteration: str


@dataclass(frozen=True)
class PlainEnglish:
    """A part of the set without disputed rows, whose number is ``disputed``. ``crossed`` are the
    reworded passages with the altered passages of the same group, both in other words.
    """

    source: str
    split: str
    sha256: str
    pairs: list[PlainPair]
    passages: list[PlainPair]
    crossed: list[PlainPair]
    triples: list[PlainTriple]
    disputed: int

    @property
    def labelled(self) -> list[PlainPair]:
        """The pairs, the passages and the crossed ones."""
        return [*self.pairs, *self.passages, *self.crossed]

    @property
    def rows(self) -> int:
        """The number of labelled pairs and triples."""
        return len(self.labelled) + len(self.triples)

    def text_pairs(self) -> SentencePairs:
        """Return the labelled pairs, and each sentence with its two others."""
        pairs = [(pair.sentence1, pair.sentence2) for pair in self.labelled]
        for triple in self.triples:
            pairs += [(triple.sentence, triple.paraphrase), (triple.sentence, triple.alteration)]
        return pairs


def plain_english(path: Path, settings: Settings) -> PlainEnglish:
    """Read the part that the option ``part`` says, "test" by default, from its folder."""
    part = settings.options.get("part", "test")
    read = [plain_pairs(which, part, folder=path) for which in ("pairs", "passages")]
    triples = plain_triples(part, path)
    pairs, passages = ([one for one in some if not one.disputed] for some in read)
    disputed = sum(map(len, read)) - len(pairs) - len(passages)
    if not (pairs or passages or triples):
        raise FormatError(f"no rows of the part {part!r}", path)
    same = {one.sentence1: one.sentence2 for one in passages if one.label == "same"}
    altered = [one for one in passages if one.label != "same" and one.sentence1 in same]
    crossed = [one._replace(sentence1=same[one.sentence1]) for one in altered]
    content = json.dumps([pairs, passages, crossed, triples], ensure_ascii=False)
    digest = hashlib.sha256(content.encode()).hexdigest()
    return PlainEnglish("plain-english", part, digest, pairs, passages, crossed, triples, disputed)


def plain_pairs(
    which: str = "pairs", part: str | None = None, disputed: bool = True, folder: Path = FOLDER
) -> list[PlainPair]:
    """Return the ``pairs`` or ``passages`` of one of :data:`PARTS` (None: all)."""
    if which not in ("pairs", "passages"):
        raise InputError(f"which is 'pairs' or 'passages', got {which!r:.80}")
    texts = ("second", "sentence1", "sentence2")
    found = [
        PlainPair(**{name: row[name] for name in (*TEXTS, *texts)}, similarity=row["similarity"])
        for row in _rows(folder / f"{which}.tsv", (*TEXTS, "similarity", *texts), part)
    ]
    return [pair for pair in found if disputed or not pair.disputed]


def plain_triples(part: str | None = None, folder: Path = FOLDER) -> list[PlainTriple]:
    """Return the triples of a part, or all."""
    names = (*TEXTS, "sentence", "paraphrase", "alteration")
    rows = _rows(folder / "triples.tsv", names, part)
    return [PlainTriple(**{name: row[name] for name in names}) for row in rows]


def _rows(file: Path, names: tuple[str, ...], part: str | None) -> Iterator[Record]:
    if part is not None and part not in PARTS:
        raise InputError(f"part is one of {', '.join(PARTS)}; got {part!r:.80}")
    for line, row in records(file):
        if missing := [name for name in names if name not in row]:
            raise FormatError(f"no column {missing[0]!r}, got {listed(row)}", file, line)
        if row["label"] not in LABELS:
            raise FormatError(f"unknown label, got {row['label']!r:.80}", file, line)
        if "similarity" in row:
            if (number := number_in(given := row["similarity"])) is None:
                raise FormatError(f"similarity is a number, got {given!r:.80}", file, line)
            row = {**row, "similarity": number}
        if part in (None, row["part"]) or (part == "development" and row["part"] != "test"):
            yield row
