"""Which records may be doubles at all, by their words alone, before anything is encoded.

    texts --tokens--> forms --lemmas, vectors, WordNet--> which forms may stand for each other
    a record's rarest form --records with one that may stand for it--> those all of whose words may

Unless other words are allowed, doubles have the same content words in the same order but for
synonyms and spelling, and the same function words (duplicates.py). What is a content word, and
which lemma it has, the parse says; here each word may be either, with any of the lemmas that it can
have. So two records that are told apart here are told apart by the comparison, whatever their
parses are, and most records need no vector.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations, zip_longest
from typing import Any

import numpy as np

from hybridsem._typing import BoolArray, IntArray
from hybridsem.combiners.comparison.alignment import WEAK
from hybridsem.combiners.hybrid import word_rows
from hybridsem.embeddings.words import WordVectors
from hybridsem.english.lemmas import Lemmatiser
from hybridsem.english.lexicon import Lexicon
from hybridsem.english.numbers import number_value
from hybridsem.english.tokenise import tokenise
from hybridsem.search.duplicates import NOTHING, SPELLED, SPELT_OUT
from hybridsem.search.mining import close

__all__ = ["Lists", "Wording", "forms_of", "like_forms"]

TAGS = (
    *("NOUN", "PROPN", "VERB", "AUX", "ADJ", "ADV", "NUM", "PRON", "DET", "ADP"),
    *("CCONJ", "SCONJ", "PART", "INTJ", "SYM", "PUNCT", "X"),
)
MARGIN = 1e-5
"""Cosines of words may be rounded otherwise here."""
WORDS = 4096
"""Words whose vectors are worked out together."""
LONGEST = 64
"""Figures that are longer are not read whole."""
TRIED = 4096
"""Records that are looked at for one record at most; if none of them will do, others may."""
MOST = 2
"""Lemmas a record whose vectors are still worked out: they take a part of what records do."""
CERTAIN = 200
"""Characters of which a record that is cut is read at least, if they are of ASCII."""


class Lists:
    """Lists of numbers, one behind the other: ``all``, where each begins, ``starts``, and their
    ``sizes``.
    """

    def __init__(self, numbers: IntArray, sizes: IntArray) -> None:
        self.all, self.sizes = numbers, sizes
        self.starts = np.concatenate([[0], np.cumsum(sizes)])

    @classmethod
    def of(cls, rows: IntArray, numbers: IntArray, count: int) -> Lists:
        """The numbers of each of so many rows, rising, each once."""
        order = np.lexsort((numbers, rows))
        rows, numbers = rows[order], numbers[order]
        new = np.ones(len(rows), bool)
        new[1:] = (rows[1:] != rows[:-1]) | (numbers[1:] != numbers[:-1])
        return cls(numbers[new], np.bincount(rows[new], minlength=count))

    def __getitem__(self, row: int) -> IntArray:
        return self.all[self.starts[row] : self.starts[row + 1]]

    def of_each(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """The lists of some rows, one behind the other, and where each of them ends."""
        sizes = self.sizes[rows]
        ends = np.cumsum(sizes)
        places = np.arange(ends[-1] if len(ends) else 0)
        places += np.repeat(self.starts[rows] - (ends - sizes), sizes)
        return self.all[places], ends


class Wording:
    """The words of records, and which records may be doubles of any.

    Args:
        texts: The records.
        cut: Whether each is not read to its end: its words say nothing.
    """

    def __init__(self, texts: Sequence[str], cut: Sequence[bool]) -> None:
        number: dict[str, int] = {}
        found: list[int] = []
        sizes, words = np.zeros(len(texts), np.int64), np.zeros(len(texts), np.int64)
        for row, text in enumerate(texts):
            written = forms_of(text)
            forms = dict.fromkeys(written)
            found += [number.setdefault(form, len(number)) for form in forms]
            sizes[row], words[row] = len(forms), len(written)
        self.forms = list(number)
        self.cut = np.array(cut, bool)
        self._has = Lists(np.array(found, np.int64), sizes)
        says = np.array(list(map(_says, self.forms)), bool)[self._has.all]
        rows = np.repeat(np.arange(len(texts)), sizes)
        self._says = Lists(self._has.all[says], np.bincount(rows[says], minlength=len(texts)))
        # What is cut has at least these words, and doubles have as many.
        certain = [_certain(texts[row]) for row in np.flatnonzero(self.cut).tolist()]
        self._any = self.cut | (words >= min(certain, default=np.inf))
        self._like: Lists | None = None

    def look_up(self, vectors: WordVectors, lemma: Lemmatiser, lexicon: Lexicon) -> None:
        """Find out which words may stand for each other, unless that takes as long as to encode the
        records.

        Args:
            vectors: Of words.
            lemma: The lemmas of words.
            lexicon: Knows how words are related.
        """
        lemmas = _lemmas(self.forms, lemma)
        if 0 < len({one for some in lemmas for one in some}) <= MOST * len(self.cut):
            self._like = like_forms(self.forms, lemmas, vectors, lexicon)

    def apart(self, one: int, two: int) -> bool:
        """Whether two records are told apart by their words."""
        like = self._like
        if like is None or self.cut[one] or self.cut[two]:
            return False
        for first, second in ((one, two), (two, one)):
            there = set(self._has[second].tolist())
            for form in self._says[first].tolist():
                if form not in there and there.isdisjoint(like[form].tolist()):
                    return True
        return False

    def with_partners(self, apart: Callable[[int, int], bool]) -> BoolArray:
        """Which records may be doubles of another one.

        Args:
            apart: What else tells two records apart.
        """
        like, has, says = self._like, self._has, self._says
        count = len(self.cut)
        if like is None:
            return np.ones(count, bool)
        found: BoolArray = self._any | (says.sizes == 0)
        rows = np.repeat(np.arange(count), has.sizes)
        where = Lists(rows[np.argsort(has.all, kind="stable")], np.bincount(has.all))
        weights = np.add.reduceat(where.sizes[like.all], like.starts[:-1])
        here = np.zeros(len(self.forms), bool)
        for row in range(count):
            if found[row]:
                continue
            own = says[row]
            rarest = int(own[np.argmin(weights[own])])
            if weights[rarest] == 1:  # its own
                continue
            others = np.unique(where.of_each(like[rarest])[0])
            if len(others) == 1:  # itself
                continue
            marked = like.of_each(has[row])[0]
            here[marked] = True
            words, ends = says.of_each(others[:TRIED])
            there = np.cumsum(here[words])[ends - 1]
            here[marked] = False
            likely = others[:TRIED][np.diff(there, prepend=0) == np.diff(ends, prepend=0)].tolist()
            other = next(
                (o for o in likely if o != row and not (self.apart(row, o) or apart(row, o))), None
            )
            found[row] = other is not None or len(others) > TRIED
            if other is not None:
                found[other] = True
        return found


def forms_of(text: str) -> list[str]:
    """The words of a text, as :func:`~hybridsem.english.tokenise.tokenise` has them, in lower case;
    each run of characters between blanks is split once, however often it occurs.
    """
    runs = text.split()
    found: list[str] = []
    last = "" if text[-1:].strip() else " "
    for run, after in zip_longest(runs, runs[1:], fillvalue=last):
        # Where a full stop belongs says the character that follows.
        found += _split(run, after[:1] if "." in run else "")
    return found


@lru_cache(65_536)
def _split(run: str, after: str) -> tuple[str, ...]:
    text = f"{run} {after}" if after else run
    return tuple(text[start:end].lower() for start, end in tokenise(text) if start < len(run))


def _says(form: str) -> bool:
    """Whether a word must have one that is like it in a double."""
    return form not in NOTHING and any(map(str.isalnum, form))


def _certain(text: str) -> int:
    """The words at least that are read of a text that is cut."""
    if not text.isascii():
        return 0
    return sum(map(_says, forms_of(text.lstrip()[:CERTAIN])[:-1]))


def _lemmas(forms: Sequence[str], lemma: Lemmatiser) -> list[set[str]]:
    """All lemmas that each form can have."""
    return [{lemma(form, tag).lower() for tag in TAGS} for form in forms]


def like_forms(
    forms: Sequence[str],
    lemmas: Sequence[Iterable[str]],
    vectors: WordVectors,
    lexicon: Lexicon,
) -> Lists:
    """For each form those that may stand for it in a double, itself among them: the same number or
    contraction, and those one of whose lemmas is a synonym or the like, or has nearly its vector.

    Args:
        forms: In lower case, each once.
        lemmas: Of each form.
        vectors: Of words.
        lexicon: Knows how words are related.
    """
    from scipy.sparse import coo_array

    number: dict[str, int] = {}
    pairs = [
        (form, number.setdefault(one, len(number)))
        for form, some in enumerate(lemmas)
        for one in some
    ]
    units = list(number)
    table = np.concatenate(
        [
            word_rows(vectors, [(unit, unit) for unit in units[at : at + WORDS]])
            for at in range(0, len(units), WORDS)
        ]
    )
    near = [block.pairs for block in close(table, None, SPELLED - MARGIN)]
    near.append(np.array(list(lexicon.alike(units, WEAK)), np.int64).reshape(-1, 2))

    def matrix(ones: IntArray, others: IntArray, shape: tuple[int, int]) -> Any:
        return coo_array((np.ones(len(ones), np.int32), (ones, others)), shape=shape).tocsr()

    ones, others = np.concatenate(near).T
    forms_of_units, units_of_forms = np.array(pairs, np.int64).T
    of_form = matrix(forms_of_units, units_of_forms, (len(forms), len(units)))
    related = matrix(np.append(ones, others), np.append(others, ones), (len(units), len(units)))
    found = (of_form @ related @ of_form.T).tocoo()
    same = np.array(list(_same(forms)), np.int64).reshape(-1, 2)
    values = np.array([_figure(form) for form in forms])
    ones, others = np.concatenate([np.stack([found.row, found.col], axis=1), same]).T
    # Figures of other values are another number.
    kept = np.isnan(values[ones]) | np.isnan(values[others]) | (values[ones] == values[others])
    return Lists.of(ones[kept], others[kept], len(forms))


def _same(forms: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Each form with itself, with what has its value, and with what it is a contraction of."""
    groups: defaultdict[object, list[int]] = defaultdict(list)
    for place, form in enumerate(forms):
        yield place, place
        groups[SPELT_OUT.get(form, form)].append(place)
        if (value := number_value(form)) is not None:
            groups[value].append(place)
    for group in groups.values():
        yield from permutations(group, 2)


def _figure(form: str) -> float:
    """The value of figures; NaN of what is none, or what may be read otherwise."""
    value = number_value(form) if form[0].isdigit() else None
    return np.nan if value is None or not form.isascii() or len(form) > LONGEST else value
