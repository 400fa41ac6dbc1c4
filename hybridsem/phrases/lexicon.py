"""Relations of meaning between phrases and words.

    call off ~ cancel         equivalent        turn on ~ turn off     opposite
    jog ~ run slowly          more specific     have surgery ~ operate on   converse

The asset ``hybridsem/data/phrases.tsv.gz`` (made by ``models/phrases``) has two kinds of rows:

    source, name, precision
    relation, category, source, phrases or words (separated by "|"), and those on the other side

A row of equivalents has one side. In a row with the relation "abbreviation" they are equivalent
too, and single words are phrases, except the last. ``matching.py`` describes how a phrase is
written.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, cast

from hybridsem._utils.weights import FOLDER, weight_file
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.phrases.matching import Matcher, key_of
from hybridsem.structures import Phrase

Relation = Literal["equivalent", "more specific", "more general", "opposite", "converse"]
REVERSED: Mapping[Relation, Relation] = {
    "equivalent": "equivalent",
    "more specific": "more general",
    "more general": "more specific",
    "opposite": "opposite",
    "converse": "converse",
}

SHOWN = 80
"""The most characters of a faulty line in a message."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The relation of one phrase or word to another, and the precision of the rows of its
    source.
    """

    relation: Relation
    source: str
    precision: float


class Row(NamedTuple):
    """Phrases and words with the relation of the first side to the second; the members of a side
    are equivalent.
    """

    relation: Relation | Literal["abbreviation"]
    category: str
    source: str
    sides: tuple[tuple[str, ...], ...]


class PhraseLexicon:
    """Phrases, and how their meanings are related; never changed."""

    def __init__(self, rows: Iterable[Row], precisions: Iterable[tuple[str, float]]) -> None:
        self._rows = tuple(rows)
        self._precisions = dict(precisions)
        self._places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        phrases: list[tuple[str, str]] = []
        for number, row in enumerate(self._rows):
            for side, members in enumerate(row.sides):
                alone = len(members) - 1 if row.relation == "abbreviation" else 0
                for place, member in enumerate(members):
                    key = key_of(member, row.category)
                    self._places[key].append((number, side))
                    if place < alone or " " in key or not key.isalpha():
                        phrases.append((member, row.category))
        self._matcher = Matcher(phrases)

    @classmethod
    def standard(cls, folder: Path = FOLDER) -> PhraseLexicon:
        """Return the lexicon of a folder of weight files, loaded once.

        Raises :class:`AssetError` if it is missing or damaged.
        """
        return _standard(folder)

    def extended(self, path: str | Path) -> PhraseLexicon:
        """Return a lexicon with the rows of a file as well, which take precedence.

        The file has tab separated columns: a phrase, its meaning, and the relation of the first to
        the second, "equivalent" if it is missing. Raises :class:`InputError` if it cannot be read.
        """
        rows = (*_user_rows(Path(path)), *self._rows)
        return PhraseLexicon(rows, {**self._precisions, Path(path).name: 1.0}.items())

    def phrases(
        self, lemmas: Sequence[str], forms: Sequence[str], tags: Sequence[str], heads: Sequence[int]
    ) -> list[Phrase]:
        """Return the phrases of a sentence, from its tokens' lemmas, forms, UPOS tags and heads
        (-1 for the root). Of phrases that overlap, only the longest is returned.
        """
        return self._matcher.phrases(lemmas, forms, tags, heads)

    def meaning(self, first: str, second: str, category: str = "") -> Meaning | None:
        """Return the relation of a phrase's key or a lemma to another, or None.

        With a ``category``, only rows of this category count.
        """
        places = self._of(second)
        for number, side in self._of(first) if places else ():
            for other, other_side in places:
                row = self._rows[number]
                if other == number and (not category or row.category in ("", category)):
                    if side == other_side or row.relation == "abbreviation":
                        relation: Relation = "equivalent"
                    else:
                        relation = row.relation if side < other_side else REVERSED[row.relation]
                    return Meaning(relation, row.source, self._precisions[row.source])
        return None

    def equivalents(self, key: str, category: str = "") -> tuple[str, ...]:
        """Return the keys of phrases and words that mean the same as a phrase's key or a lemma."""
        keys = {
            key_of(member, self._rows[number].category): None
            for number, side in self._of(key)
            if not category or self._rows[number].category in ("", category)
            for member in self._rows[number].sides[side]
        }
        return tuple(other for other in keys if other not in (key, key_of(key)))

    def _of(self, key: str) -> Sequence[tuple[int, int]]:
        return self._places.get(key, ()) or self._places.get(key_of(key).lower(), ())


@cache
def _standard(folder: Path) -> PhraseLexicon:
    text = gzip.decompress(weight_file("phrases.tsv.gz", folder)).decode()
    lines = [line.split("\t") for line in text.splitlines()]
    return PhraseLexicon(
        (row for line in lines if line[0] != "source" for row in [_row(*line)]),
        ((line[1], float(line[2])) for line in lines if line[0] == "source"),
    )


def _row(relation: str, category: str, source: str, *sides: str) -> Row:
    members = tuple(tuple(side.split("|")) for side in sides)
    return Row(cast(Relation, relation), category, source, members)


def _user_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a user's file."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the file of phrases {path} cannot be read ({error})") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        phrase, meaning, relation = [*cells, "", ""][:3]
        relation = relation or "equivalent"
        if not (phrase and meaning) or len(cells) > 3:
            reason = f"expected a phrase, a tab and its meaning, got {line[:SHOWN]!r}"
            raise FormatError(reason, path, number)
        if relation == "equivalent":
            yield Row("abbreviation", "", path.name, ((phrase, meaning),))
        elif relation in REVERSED:
            yield Row(cast(Relation, relation), "", path.name, ((phrase,), (meaning,)))
        else:
            reason = f"unknown relation {relation[:SHOWN]!r}; write one of {listed(REVERSED)}"
            raise FormatError(reason, path, number)
