"""A filter by words: the records that may have a duplicate, before anything is encoded.

Unless rewording is allowed, duplicates have the same content words except for synonyms and
spelling, and the same function words (duplicates.py). The parse decides which words are content
words, and their lemmas; here a word may be either, with any possible lemma. So the comparison also
separates all records that are separated here, whatever their parses, and most records need no
vector.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from hybridsem._typing import IntArray
from hybridsem.combiners.comparison.alignment import WEAK
from hybridsem.combiners.hybrid import word_rows
from hybridsem.embeddings.words import WordVectors
from hybridsem.english.lemmas import Lemmatiser
from hybridsem.english.lexicon import lexicon
from hybridsem.english.numbers import number_value
from hybridsem.english.tokenise import tokenise
from hybridsem.english.words import ARTICLES
from hybridsem.search.mining import close

SPELLED = 0.85  # the least similarity of two spellings of one word, for words without a relation
SPELT_OUT = {"n't": "not", "n’t": "not", "'re": "are", "’re": "are", "'m": "am", "’m": "am"}
SPELT_OUT |= {"'ll": "will", "’ll": "will", "'ve": "have", "’ve": "have", "ca": "can", "wo": "will"}
UNINFORMATIVE = ARTICLES | {"that"}
"""Function words whose presence has no effect."""

TAGS = (
    *("NOUN", "PROPN", "VERB", "AUX", "ADJ", "ADV", "NUM", "PRON", "DET", "ADP"),
    *("CCONJ", "SCONJ", "PART", "INTJ", "SYM", "PUNCT", "X"),
)
MARGIN = 1e-5  # the margin for cosines of words, which may be rounded differently here
WORDS = 4096  # words whose vectors are computed together
LONGEST = 64  # the most digits of a number that is read
TRIED = 4096  # the most records that are examined for one; if none matches, others may
MOST = 2
"""The most lemmas for each record; with more, their vectors would take as long as those of the
records.
"""
CERTAIN = 200  # the least number of ASCII characters that are read of a truncated record


class LexicalFilter:
    """The words of records, and the records that may be duplicates; the words of truncated records
    exclude nothing.
    """

    def __init__(
        self, texts: Sequence[str], cut: Sequence[bool], vectors: WordVectors, lemma: Lemmatiser
    ) -> None:
        number: dict[str, int] = {}
        written = [_forms(text) for text in texts]
        found = [
            [number.setdefault(form, len(number)) for form in dict.fromkeys(one)] for one in written
        ]
        forms = list(number)
        self.cut = np.array(cut, bool)
        ends = np.cumsum([0, *map(len, found)])
        numbers = np.array([form for one in found for form in one], np.int64)
        shape = len(texts), len(forms)
        self._has = csr_array((np.ones(len(numbers), np.int32), numbers, ends), shape=shape)
        self._says = self._has.copy()
        self._says.data = np.array(list(map(_informative, forms)), np.int32)[numbers]
        self._says.eliminate_zeros()
        # A duplicate of a truncated record has at least the words that are certainly read of it.
        read = (texts[row] for row in np.flatnonzero(self.cut).tolist())
        least = min(map(_certain, read), default=np.inf)
        self._open = self.cut | (np.array(list(map(len, written))) >= least)
        lemmas = [{lemma(form, tag).lower() for tag in TAGS} for form in forms]
        few = 0 < len({one for some in lemmas for one in some}) <= MOST * len(texts)
        self._like = _like_forms(forms, lemmas, vectors) if few else None

    def apart(self, one: int, two: int) -> bool:
        """Test if two records differ by their words."""
        if self._like is None or self.cut[one] or self.cut[two]:
            return False
        return not (self._covered(one, two) and self._covered(two, one))

    def _covered(self, one: int, two: int) -> bool:
        """Test if each word of a record has a match in the other."""
        there = set(_row(self._has, two))
        return not any(there.isdisjoint(_row(self._like, form)) for form in _row(self._says, one))

    def candidates(self) -> IntArray:
        """Return the records that may be duplicates, ascending."""
        like, has, says = self._like, self._has, self._says
        if like is None:
            return np.arange(len(self.cut))
        found = self._open | (np.diff(says.indptr) == 0)
        where = has.T.tocsr()
        reach = like @ np.diff(where.indptr)
        marked = np.zeros(has.shape[1], bool)
        for row in np.flatnonzero(~found).tolist():
            own = _row(says, row)
            rarest = min(own, key=reach.__getitem__)
            if found[row] or reach[rarest] == 1:  # its own
                continue
            others = np.unique(_rows(where, _row(like, rarest))[0])
            if len(others) == 1:  # itself
                continue
            covered, _ = _rows(like, _row(has, row))
            marked[covered] = True
            theirs, ends = _rows(says, others[:TRIED])
            there = np.append(0, np.cumsum(marked[theirs]))[ends]
            marked[covered] = False
            likely = others[:TRIED][np.diff(there) == np.diff(ends)].tolist()
            other = next((o for o in likely if o != row and not self.apart(row, o)), None)
            found[row] = other is not None or len(others) > TRIED
            if other is not None:
                found[other] = True
        return np.flatnonzero(found)


def _row(table: Any, row: int) -> list[int]:
    found: list[int] = table.indices[table.indptr[row] : table.indptr[row + 1]].tolist()
    return found


def _rows(table: Any, rows: Any) -> tuple[IntArray, IntArray]:
    """Return the columns of some rows, one row after the other, and where each begins and ends. For
    few rows this is faster than ``table[rows]``.
    """
    starts = table.indptr[rows]
    sizes = table.indptr[np.add(rows, 1)] - starts
    ends = np.append(0, np.cumsum(sizes))
    places = np.arange(ends[-1]) + np.repeat(starts - ends[:-1], sizes)
    return table.indices[places], ends


def _forms(text: str) -> list[str]:
    return [text[start:end].lower() for start, end in tokenise(text)]


def _informative(form: str) -> bool:
    """Test if duplicates must share this word."""
    return form not in UNINFORMATIVE and any(map(str.isalnum, form))


def _certain(text: str) -> int:
    """Return the least number of words that are read of a truncated text."""
    return sum(map(_informative, _forms(text.lstrip()[:CERTAIN])[:-1])) if text.isascii() else 0


def _like_forms(forms: Sequence[str], lemmas: Sequence[set[str]], vectors: WordVectors) -> Any:
    """Return a sparse table of forms that match in duplicates: the same number or contraction,
    related words such as synonyms, or lemmas with nearly the same vector.
    """
    number: dict[str, int] = {}
    pairs = [
        (i, number.setdefault(one, len(number))) for i, some in enumerate(lemmas) for one in some
    ]
    units = list(number)
    some = [units[at : at + WORDS] for at in range(0, len(units), WORDS)]
    table = np.concatenate([word_rows(vectors, [(unit, unit) for unit in part]) for part in some])
    near = [block.pairs for block in close(table, None, SPELLED - MARGIN)]
    near.append(np.array(list(lexicon().alike(units, WEAK)), np.int64).reshape(-1, 2))
    ones, others = np.concatenate(near).T
    rows, columns = np.array(pairs, np.int64).T
    of_form = _table(rows, columns, (len(forms), len(units)))
    related = _table(ones, others, (len(units), len(units)))
    found = (of_form @ (related + related.T) @ of_form.T).tocoo()
    same = np.array(list(_same(forms)), np.int64).reshape(-1, 2)
    ones, others = np.concatenate([np.stack([found.row, found.col], axis=1), same]).T
    # Digits of another value are another number.
    values = np.array([_figure(form) for form in forms])
    kept = np.isnan(values[ones]) | np.isnan(values[others]) | (values[ones] == values[others])
    like = _table(ones[kept], others[kept], (len(forms), len(forms)))
    like.data[:] = 1
    return like


def _table(rows: IntArray, columns: IntArray, shape: tuple[int, int]) -> Any:
    return coo_array((np.ones(len(rows), np.int32), (rows, columns)), shape=shape).tocsr()


def _same(forms: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Return the matches of each form with itself, with numbers of the same value, and with its
    expansion.
    """
    groups: defaultdict[object, list[int]] = defaultdict(list)
    for place, form in enumerate(forms):
        yield place, place
        groups[SPELT_OUT.get(form, form)].append(place)
        if (value := number_value(form)) is not None:
            groups[value].append(place)
    for group in groups.values():
        yield from permutations(group, 2)


def _figure(form: str) -> float:
    """Return the value of digits; NaN for anything else, or for an ambiguous form."""
    value = number_value(form) if form[0].isdigit() else None
    return np.nan if value is None or not form.isascii() or len(form) > LONGEST else value
