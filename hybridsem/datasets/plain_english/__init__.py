"""``plain-english``: pairs, triples and passages of everyday English, written for this package.

    pairs.tsv       two sentences, their label and similarity, domain, phenomenon, author
    passages.tsv    the same for passages of two to five sentences
    triples.tsv     a sentence, a paraphrase in other words, an alteration in nearly the same words

The label is one of :data:`~hybridsem.judge.labels.LABELS`, as both texts speak of one situation.
``part`` is "choose" or "check", halves of the development part by situation, or "test", which other
hands wrote. ``second`` is the label of a second, blind reader, where there was one. Licence: CC BY
4.0; the card is ``models/plain_english/README.md``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hybridsem.errors import InputError
from hybridsem.judge.labels import Label

PARTS = ("choose", "check", "development", "test")
"""The parts; "development" is both halves."""
TEXTS = ("id", "part", "domain", "author", "phenomenon")
FOLDER = Path(__file__).parent


class PlainPair(NamedTuple):
    """Two texts with their label and their similarity, in [0, 1]."""

    id: str
    part: str
    domain: str
    author: str
    phenomenon: str
    label: Label
    similarity: float
    second: Label | None
    sentence1: str
    sentence2: str

    @property
    def disputed(self) -> bool:
        """True if a second reader gave another label."""
        return self.second is not None and self.second is not self.label


class PlainTriple(NamedTuple):
    """A sentence, its paraphrase and an alteration; the label is that of (sentence, alteration)."""

    id: str
    part: str
    domain: str
    author: str
    phenomenon: str
    label: Label
    sentence: str
    paraphrase: str
    alteration: str


def plain_pairs(
    which: str = "pairs", part: str | None = None, disputed: bool = True
) -> list[PlainPair]:
    """Return the ``pairs`` or ``passages`` of a part, or all; without ``disputed`` those on which a
    second reader disagrees are left out.

    >>> pairs = plain_pairs(part="test", disputed=False)
    >>> len(pairs) > 1500, sorted({str(pair.label) for pair in pairs})[:3]
    (True, ['contradicts', 'differs', 'entailed'])
    """
    if which not in ("pairs", "passages"):
        raise InputError(f"which is 'pairs' or 'passages', got {which!r:.80}")
    found = [
        PlainPair(
            **{name: row[name] for name in TEXTS},
            label=Label(row["label"]),
            similarity=float(row["similarity"]),
            second=Label(row["second"]) if row["second"] else None,
            sentence1=row["sentence1"],
            sentence2=row["sentence2"],
        )
        for row in _rows(which, part)
    ]
    return [pair for pair in found if disputed or not pair.disputed]


def plain_triples(part: str | None = None) -> list[PlainTriple]:
    """Return the triples of a part, or all.

    >>> len(plain_triples()) >= 1500
    True
    """
    return [
        PlainTriple(
            **{name: row[name] for name in TEXTS},
            label=Label(row["label"]),
            sentence=row["sentence"],
            paraphrase=row["paraphrase"],
            alteration=row["alteration"],
        )
        for row in _rows("triples", part)
    ]


def _rows(which: str, part: str | None) -> Iterator[dict[str, str]]:
    if part is not None and part not in PARTS:
        raise InputError(f"part is one of {', '.join(PARTS)}; got {part!r:.80}")
    with (FOLDER / f"{which}.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if part in (None, row["part"]) or (part == "development" and row["part"] != "test"):
                yield row
