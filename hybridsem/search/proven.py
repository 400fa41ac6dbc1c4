"""The pairs of texts that say the same by their wording, among many texts.

Texts that match (``english/harmless.py``) have the same number of units, the same figures and signs
in order, and at each place the same or a matching word. So texts are put
into groups by what must be equal, and within a group each text is compared with those that have a
matching word at its rarest place. No text is parsed or encoded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from hybridsem._typing import IntArray
from hybridsem._utils.progress import tracked
from hybridsem.english.harmless import (
    AGREEING,
    SYNONYMS,
    Statement,
    bases,
    joined,
    matched,
    statement,
    word_match,
)
from hybridsem.english.lexicon import lexicon
from hybridsem.english.written import UnitKind
from hybridsem.search.close_pairs import gathered


def proven_pairs(texts: Sequence[str], progress: bool = False) -> IntArray:
    """Return the pairs of texts that differ in harmless ways alone, (p, 2), the lower number first.

    Raises :class:`InputError` for more than can be held in memory.
    """
    read = [statement(text) for text in texts]
    groups: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    words = [_joined_keys(one) for one in read]
    for at, one in enumerate(read):
        if one.units:
            groups[(len(words[at]), *key_of_figures(one))].append(at)
    shared = [group for group in groups.values() if len(group) > 1]
    like = _matching_words({word for group in shared for at in group for word in words[at]})

    def found() -> Iterator[IntArray]:
        for group in tracked(shared, len(shared), "Comparing", progress):
            pairs = [
                (group[i], group[j])
                for i, j in _alike([words[at] for at in group], like)
                if matched(read[group[i]], read[group[j]]) is not None
            ]
            yield np.array(pairs, np.int64).reshape(-1, 2)

    pairs = gathered(found())
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def key_of_figures(read: Statement) -> tuple[object, ...]:
    """Return what the wording of two texts with the same statement must share: whether they ask,
    and their figures and signs in order.
    """
    return read.question, *(unit.key for unit in read.units if unit.kind is not UnitKind.WORD)


def _joined_keys(read: Statement) -> list[str]:
    """Return the keys of units, those that are one word ("web site") as one."""
    keys, at = [], 0
    while at < len(read.units):
        whole = joined(read.units, at)
        keys.append(whole or read.units[at].key)
        at += 2 if whole else 1
    return keys


def _matching_words(words: Iterable[str]) -> dict[str, set[str]]:
    """Return the words that may match each word; words without a match are left out."""
    like: defaultdict[str, set[str]] = defaultdict(set)
    of_base: defaultdict[str, list[str]] = defaultdict(list)
    known = set(words)
    for word in known:
        for base in bases(word):
            of_base[base].append(word)
    pairs = {pair for group in of_base.values() for pair in combinations(sorted(group), 2)}
    lemmas = list(of_base)
    for one, two in lexicon().alike(lemmas, SYNONYMS):
        pairs |= {
            (min(word1, word2), max(word1, word2))
            for word1 in of_base[lemmas[one]]
            for word2 in of_base[lemmas[two]]
            if word1 != word2
        }
    agreeing = {tuple(sorted(pair)) for pair in AGREEING if len(pair) == 2 and pair <= known}
    for word1, word2 in pairs | agreeing:
        if word_match(word1, word2) is not None:
            like[word1].add(word2)
            like[word2].add(word1)
    return dict(like)


def _alike(rows: Sequence[Sequence[str]], like: dict[str, set[str]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of equally long rows whose words match at every place."""
    at_place: list[defaultdict[str, list[int]]] = [defaultdict(list) for _ in range(len(rows[0]))]
    for at, row in enumerate(rows):
        for place, word in enumerate(row):
            at_place[place][word].append(at)
    nothing: set[str] = set()
    for at, row in enumerate(rows):
        rarest, least = 0, len(rows) + 1
        for place, word in enumerate(row):
            there = at_place[place]
            reach = sum(len(there.get(one, ())) for one in (word, *like.get(word, nothing)))
            if reach < least:
                rarest, least = place, reach
        there, word = at_place[rarest], row[rarest]
        for form in (word, *like.get(word, nothing)):
            for other in there.get(form, ()):
                if other > at and all(
                    one == two or two in like.get(one, nothing)
                    for one, two in zip(row, rows[other], strict=True)
                ):
                    yield at, other
