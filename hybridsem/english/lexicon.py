"""Relations of meaning between English words, from Open English WordNet.

    buy ~ purchase  SYNONYM      vehicle ~ car  HYPERNYM      snore ~ sleep     ENTAILS
    buy ~ sell      ANTONYM      cat ~ dog      CO_HYPONYM    moist ~ arid      ANTONYM (indirect)
    buy ~ buyer     DERIVED      damp ~ wet     SIMILAR

Words have senses, most frequent first; senses are members of synsets; synsets are linked. The asset
``hybridsem/data/lexicon.npz`` (made by ``models/lexicon``) holds arrays:

    lemmas (bytes, a line each, sorted), pos (bits n v a r)    -> words: lemmas by parts of speech
    sense_counts (words), senses (their synsets, in a row), usual (the weight of each)
    hypernyms, heads (of clusters of adjectives), entailed     -> synsets: counts, then targets
    specificity (synsets)                  1 without hyponyms, 0 at the top
    opposites                              pairs of synsets
    antonyms, derived                      pairs of words, with levels: the weight of their senses
    opposed                                pairs of words, with levels: the probability of opposites
    converses, symmetric                   rows of text, see ``predicate_forms.py``

Integers are stored as differences in four planes of bytes, which compress better.
"""

from __future__ import annotations

import io
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from itertools import combinations, permutations, product
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Int32Array, UInt8Array
from hybridsem._utils.weights import FOLDER, weight_file
from hybridsem.english import predicate_forms as forms
from hybridsem.english.predicate_forms import Converse, Symmetry, Word

POS_LETTERS = "nvar"
POS = MappingProxyType(
    {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r", "NUM": "n"}
)
"""WordNet's parts of speech by UPOS tag."""
LEVELS = 255
DEPTH = MappingProxyType({"n": 3, "v": 2})
"""The number of steps up within which a synset is a hypernym."""
STEP = 0.7
"""The factor of a further step up, and of a step from a cluster's head to a similar adjective."""
INDIRECT = 0.8
"""The factor of an opposition of synsets for members that are not antonyms themselves."""
LEAST_OPPOSED = 0.3
"""The least strength of opposites by family or kind, which displace co-hyponyms."""
WIDE = 185
"""The greatest specificity, of 255, of a wide kind. Of pairs of nouns one step apart whose second
is a thing, it keeps 105 of 117 from MED and MoNLI, where the first entails the second, and 26 of 70
that a thesaurus has as synonyms.
"""
NEGATIVE_PREFIXES = ("un", "non", "non-")
"""Others ("in", "dis", "de") have another meaning about as often."""
PREFIXED = ("re-", "un-")
"""Beginnings whose hyphen matters: "re-sign" and "resign"."""
LEAST_STEM = 4
THINGS = ("physical entity", "social group", "people", "citizenry")
"""Nouns whose hyponyms are concrete."""
CACHED_PAIRS = 65_536
CACHED_WORDS = 16_384


class LexicalRelation(StrEnum):
    """The relation of one word to another."""

    SAME = "same"
    SYNONYM = "synonym"
    HYPERNYM = "hypernym"
    """The first is more general."""
    HYPONYM = "hyponym"
    """The first is more specific."""
    ANTONYM = "antonym"
    CO_HYPONYM = "sibling"
    """Kinds of the same thing: "cat" and "dog"."""
    DERIVED = "derived"
    """The same family, another part of speech: "buy" and "buyer"."""
    SIMILAR = "similar"
    """Adjectives of the same cluster."""
    ENTAILS = "entails"
    """The first cannot happen without the second: "snore" and "sleep"."""
    ENTAILED = "entailed"
    CONVERSE = "converse"
    """One meaning, with the participants exchanged; only of phrases."""
    NONE = "none"


REVERSED = MappingProxyType(
    {
        LexicalRelation.HYPERNYM: LexicalRelation.HYPONYM,
        LexicalRelation.HYPONYM: LexicalRelation.HYPERNYM,
        LexicalRelation.ENTAILS: LexicalRelation.ENTAILED,
        LexicalRelation.ENTAILED: LexicalRelation.ENTAILS,
    }
)

CLOSE = frozenset(
    {LexicalRelation.ANTONYM, LexicalRelation.SYNONYM, LexicalRelation.ENTAILS}
    | {LexicalRelation.HYPERNYM, LexicalRelation.HYPONYM, LexicalRelation.ENTAILED}
    | {LexicalRelation.SIMILAR}
)
"""If one of these holds, relations through other words are not considered."""


class Opposites(NamedTuple):
    """The places of words by number, and the opposites of those that have any, by probability."""

    places: Mapping[int, Sequence[int]]
    opposed: Sequence[tuple[int, Mapping[int, float]]]

    def among(self, others: Opposites) -> list[tuple[int, int, float]]:
        """Return the opposites in another list as (place, place, probability)."""
        return [
            (i, j, opposed[number])
            for i, opposed in self.opposed
            for number in opposed.keys() & others.places.keys()
            for j in others.places[number]
        ]


Related = tuple[LexicalRelation, float]
UNRELATED: Related = (LexicalRelation.NONE, 0.0)


def _integers(planes: UInt8Array) -> Int32Array:
    return np.ascontiguousarray(planes.T).view("<i4").ravel()


def _lines(text: UInt8Array) -> list[str]:
    return text.tobytes().decode().split("\n")


class _Lines:
    """Sorted lines of text, decoded on access."""

    def __init__(self, text: UInt8Array) -> None:
        self._text = text.tobytes()
        ends = np.flatnonzero(text == ord("\n"))
        self._starts = np.concatenate([[0], ends + 1]).data
        self._ends = np.append(ends, len(text)).data

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, place: int) -> bytes:
        return self._text[self._starts[place] : self._ends[place]]

    def place(self, line: str) -> int | None:
        """Return the place of a line, or None."""
        sought = line.encode(errors="surrogatepass")  # UTF-8 sorts as the strings do
        place = bisect_left(self, sought)
        return place if place < len(self) and self[place] == sought else None


class _Pairs:
    """Weighted pairs of numbers, searched by either member."""

    def __init__(self, packed: UInt8Array, levels: UInt8Array | None = None) -> None:
        steps, distances = _integers(packed).reshape(2, -1)
        first = np.cumsum(steps, dtype=np.int32)
        numbers = np.column_stack([first, first + distances])
        order = np.argsort(numbers.ravel(), kind="stable")
        self._numbers = numbers.ravel()[order].data
        self._others = numbers[:, ::-1].ravel()[order].data
        if levels is None:
            levels = np.full(len(first), LEVELS, np.uint8)
        self._levels = levels.repeat(2)[order].data

    def of(self, number: int) -> dict[int, float]:
        """Return the partners of a number, with their weights."""
        start = bisect_left(self._numbers, number)
        if start == len(self._numbers) or self._numbers[start] != number:  # usual, and quick
            return {}
        here = slice(start, bisect_right(self._numbers, number, start))
        values = [level / LEVELS for level in self._levels[here]]
        return dict(zip(self._others[here].tolist(), values, strict=True))


class _Links:
    """Links from each synset to others."""

    def __init__(self, counts: UInt8Array, targets: UInt8Array) -> None:
        sources = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        self._targets = (_integers(targets) + sources).data
        self._starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int32)]).data

    def of(self, synset: int) -> list[int]:
        """Return the synsets that a synset is linked to."""
        return self._targets[self._starts[synset] : self._starts[synset + 1]].tolist()


def word_of(lemma: str, pos: str) -> Word:
    """Return the key of a word in the tables."""
    return lemma.lower(), forms.KINDS.get(pos, pos)


class Lexicon:
    """Relations between words, given as lemmas, also of several words, with UPOS tags. ``arrays``
    are those of the asset, see the module. A lemma is tried as is, in lower case, with a capital,
    and with hyphens as blanks or removed.
    """

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._lemmas = _Lines(arrays["lemmas"])
        # Reading few numbers is faster from a memory view than from an array.
        self._pos = arrays["pos"].data
        bits = np.array([number.bit_count() for number in range(1 << len(POS_LETTERS))], np.int32)
        self._first_word = np.concatenate([[0], np.cumsum(bits[arrays["pos"]], dtype=np.int32)])
        self._first = self._first_word.data
        senses = np.cumsum(arrays["sense_counts"], dtype=np.int32)
        self._sense_start = np.concatenate([[0], senses]).data
        self._senses = _integers(arrays["senses"]).data
        self._usual = arrays["usual"].data
        self._hypernyms = _Links(arrays["hypernym_counts"], arrays["hypernyms"]).of
        self._heads = _Links(arrays["head_counts"], arrays["heads"]).of
        self._entailed = _Links(arrays["entailed_counts"], arrays["entailed"]).of
        self._specificity = arrays["specificity"]
        self._opposites = lru_cache(CACHED_PAIRS)(_Pairs(arrays["opposites"]).of)
        antonyms = _Pairs(arrays["antonyms"], arrays["antonym_levels"])
        self._antonyms = lru_cache(CACHED_PAIRS)(antonyms.of)
        opposed = _Pairs(arrays["opposed"], arrays["opposed_levels"])
        self._opposed = lru_cache(CACHED_PAIRS)(opposed.of)
        derived = _Pairs(arrays["derived"], arrays["derived_levels"])
        self._family = lru_cache(CACHED_PAIRS)(derived.of)
        self._converses = forms.read_converses(_lines(arrays["converses"]))
        self._symmetries = forms.read_symmetries(_lines(arrays["symmetric"]))
        pairs: tuple[Callable[..., Any], ...] = (self._related, self._word, self.converse)
        words: tuple[Callable[..., Any], ...] = (
            *(self._opposites_of, self._senses_of, self._near, self._kinds, self._within),
            *(self._entails, self._opposite, self._opposite_kinds, self._concrete, self._above),
        )
        for size, methods in ((CACHED_PAIRS, pairs), (CACHED_WORDS, words)):
            for method in methods:
                setattr(self, method.__name__, lru_cache(size)(method))

    def relation(self, lemma1: str, pos1: str, lemma2: str, pos2: str) -> Related:
        """Return the relation of the first word to the second, and its strength in (0, 1]. The
        strength is 1 between first senses. It falls with the rank of the senses, with further steps
        up, and with the generality of the hypernym that co-hyponyms share. Of several relations the
        strongest wins, an antonym always over a co-hyponym. Without any, they are ``NONE`` and 0.
        """
        if (lemma1, pos1) <= (lemma2, pos2):
            return self._related(lemma1, pos1, lemma2, pos2)
        kind, strength = self._related(lemma2, pos2, lemma1, pos1)
        return REVERSED.get(kind, kind), strength

    def kind_of(self, lemma1: str, pos1: str, lemma2: str, pos2: str) -> float:
        """Return the weight of the senses in which the first word is a kind of the second, or 0."""
        first, second = self._word(lemma1, pos1), self._word(lemma2, pos2)
        if first is None or second is None:
            return 0.0
        return _most(self._above(first), self._senses_of(second))

    def is_clear_kind(self, noun1: str, noun2: str) -> bool:
        """Test if the first noun is a kind of the second also in usage: several steps below it, or
        one below a wide kind of things. "Warehouse" is a hyponym of "depot", but names the same.
        """
        first, second = self._word(noun1, "NOUN"), self._word(noun2, "NOUN")
        if first is None or second is None:
            return False
        senses, (near,) = self._senses_of(second).keys(), self._kinds(first, 1)
        return bool(senses & self._above(first).keys() - near.keys()) or any(
            self._specificity[kind] <= WIDE and self._concrete(kind)
            for kind in senses & near.keys()
        )

    def opposites(self, words: Sequence[tuple[str, str]]) -> Opposites:
        """Return the learned opposites of (lemma, UPOS), not those of other relations."""
        found = [(i, *self._opposites_of(word)) for i, word in enumerate(words)]
        places: dict[int, list[int]] = {}
        for i, number, _ in found:
            places.setdefault(number, []).append(i)
        return Opposites(places, [(i, opposed) for i, _, opposed in found if opposed])

    def _opposites_of(self, word: tuple[str, str]) -> tuple[int, dict[int, float]]:
        """Return the number of a word, or -1, and those of its learned opposites."""
        number = self._word(*word)
        return (-1, {}) if number is None else (number, self._opposed(number))

    def derived(self, lemma: str, pos: str) -> dict[tuple[str, str], float]:
        """Return words of the same family by part of speech (n, v, a, r), with strengths."""
        word = self._word(lemma, pos)
        found = {} if word is None else self._family(word)
        return {self._spelled(other): value for other, value in found.items()}

    def alike(self, lemmas: Sequence[str], least: float) -> Iterator[tuple[int, int]]:
        """Yield the places of pairs of lemmas that may be SAME, SYNONYM, SIMILAR or DERIVED. It
        yields all pairs with a strength of at least ``least`` in any parts of speech.
        """
        plain: defaultdict[str, list[int]] = defaultdict(list)
        of_word: defaultdict[int, list[int]] = defaultdict(list)
        members: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        for place, lemma in enumerate(lemmas):
            plain[_plain(lemma)].append(place)
            for pos in ("NOUN", "VERB", "ADJ", "ADV"):
                if (word := self._word(lemma, pos)) is not None:
                    of_word[word].append(place)
                    for synset, value in self._near(word).items():
                        if value >= least:
                            members[synset].append((place, value))
        for same in plain.values():
            yield from permutations(same, 2)
        for alike in members.values():
            for (one, value), (two, other) in combinations(alike, 2):
                if one != two and value * other >= least:
                    yield one, two
        for word, places in of_word.items():
            for other_word, value in self._family(word).items():
                if value >= least:
                    yield from product(places, of_word.get(other_word, ()))

    def converse(self, lemma1: str, pos1: str, lemma2: str, pos2: str) -> Converse | None:
        """Return how the participants of two converses correspond ("buy" and "sell"), or None.
        Antonymous adjectives and adverbs are converses in the comparative: "taller than".
        """
        word1, word2 = word_of(lemma1, pos1), word_of(lemma2, pos2)
        form = self._converses.get(word1, {}).get(word2)
        if form is None and pos1 == pos2 and pos1 in ("ADJ", "ADV"):
            kind, _ = self.relation(lemma1, pos1, lemma2, pos2)
            return forms.COMPARISON if kind is LexicalRelation.ANTONYM else None
        return form

    def converses(self, lemma: str, pos: str) -> dict[str, Converse]:
        """Return the converses of a predicate with its part of speech, except comparatives."""
        word = word_of(lemma, pos)
        found = self._converses.get(word, {})
        return {other: form for (other, kind), form in found.items() if kind == word[1]}

    def symmetric(self, lemma: str, pos: str) -> bool:
        """Test if participants of a predicate may be swapped: "marry", "cousin", "similar"."""
        return bool(self.symmetries(lemma, pos))

    def symmetries(self, lemma: str, pos: str) -> tuple[Symmetry, ...]:
        """Return the places that may be swapped: subject and "with" of "mix"."""
        return self._symmetries.get(word_of(lemma, pos), ())

    def concreteness(self, noun: str) -> float | None:
        """Return the share of a noun's senses that are things or people; None if unknown."""
        word = self._word(noun, "NOUN")
        if word is None:
            return None
        senses = self._senses_of(word)
        concrete = sum(value for synset, value in senses.items() if self._concrete(synset))
        return concrete / sum(senses.values())

    def _concrete(self, synset: int) -> bool:
        return synset in self._things or any(map(self._concrete, self._hypernyms(synset)))

    @cached_property
    def _things(self) -> frozenset[int]:
        """The first sense of each of :data:`THINGS`."""
        words = [self._word(noun, "NOUN") for noun in THINGS]
        senses = [self._senses_of(word) for word in words if word is not None]
        return frozenset(max(synsets, key=synsets.__getitem__) for synsets in senses)

    def _spelled(self, word: int) -> tuple[str, str]:
        """Return the lemma and part of speech of a word by number."""
        place = int(np.searchsorted(self._first_word, word, side="right")) - 1
        parts = [pos for n, pos in enumerate(POS_LETTERS) if self._pos[place] >> n & 1]
        return self._lemmas[place].decode(), parts[word - int(self._first_word[place])]

    def lemmas(self) -> Iterator[str]:
        """Yield all lemmas, sorted."""
        return (self._lemmas[at].decode() for at in range(len(self._lemmas)))

    def __contains__(self, word: tuple[str, str]) -> bool:
        """Test if a lemma with its UPOS tag is known."""
        return self._word(*word) is not None

    def _word(self, lemma: str, pos: str) -> int | None:
        part = POS.get(pos)
        if part is None:
            return None
        bit = POS_LETTERS.index(part)
        for spelling in _spellings(lemma):
            if (place := self._lemmas.place(spelling)) is not None:
                parts = self._pos[place]
                if parts >> bit & 1:
                    below = parts & ((1 << bit) - 1)
                    return int(self._first[place]) + int(below.bit_count())
        return None

    def _senses_of(self, word: int) -> dict[int, float]:
        """Return the synsets of a word, with their weights."""
        start, end = self._sense_start[word], self._sense_start[word + 1]
        usual = [level / LEVELS for level in self._usual[start:end]]
        return dict(zip(self._senses[start:end].tolist(), usual, strict=True))

    def _related(self, lemma1: str, pos1: str, lemma2: str, pos2: str) -> Related:
        part1, part2 = POS.get(pos1, pos1), POS.get(pos2, pos2)
        if _plain(lemma1) == _plain(lemma2):
            if part1 == part2:
                return LexicalRelation.SAME, 1.0
            if part1 in POS_LETTERS and part2 in POS_LETTERS:
                return LexicalRelation.DERIVED, 1.0
        word1, word2 = self._word(lemma1, pos1), self._word(lemma2, pos2)
        if word1 is None or word2 is None:
            return UNRELATED
        if part1 == part2 and (level := self._opposed(word1).get(word2)) is not None:
            return LexicalRelation.ANTONYM, level
        found = list(self._candidates(word1, word2, part1, part2))
        kinds = {kind for kind, _ in found}
        if kinds.isdisjoint(CLOSE):
            found += self._through_synonyms(word1, word2)
            if part1 == part2:
                most = STEP * max(self._indirectly_opposed(word1, word2, part1), default=0.0)
                if most >= LEAST_OPPOSED:
                    found.append((LexicalRelation.ANTONYM, most))
                if _spelt_as_opposites(lemma1.lower(), lemma2.lower()):
                    found.append((LexicalRelation.ANTONYM, STEP))
            if part1 == part2 == "a":  # "red" and "blue" are in one cluster, but exclude each other
                noun1, noun2 = self._word(lemma1, "NOUN"), self._word(lemma2, "NOUN")
                kinds2 = () if noun1 is None or noun2 is None else self._by_kind(noun1, noun2, 2)
                siblings: list[Related] = [
                    (k, STEP * value) for k, value in kinds2 if k is LexicalRelation.CO_HYPONYM
                ]
                if not siblings and (most := _most(self._near(word1), self._near(word2))):
                    siblings = [(LexicalRelation.SIMILAR, most)]
                found += siblings
        if any(kind is LexicalRelation.ANTONYM for kind, _ in found):
            found = [row for row in found if row[0] is not LexicalRelation.CO_HYPONYM]
        if not found and part1 == part2 == "r":  # "fast" and "slow"
            return self._related(lemma1, "ADJ", lemma2, "ADJ")
        return max(found, key=lambda row: row[1], default=UNRELATED)

    def _through_synonyms(self, word1: int, word2: int) -> Iterator[Related]:
        """Yield opposites through a synonym: "happy", glad, "sad"."""
        for word, other in ((word1, word2), (word2, word1)):
            senses = self._senses_of(other)
            for antonym, value in self._antonyms(word).items():
                if most := _most(senses, self._senses_of(antonym)):
                    yield LexicalRelation.ANTONYM, STEP * value * most

    def _indirectly_opposed(self, word1: int, word2: int, part: str) -> Iterator[float]:
        """Yield the oppositions of families ("buyer", buy, sell, "seller") and of kinds."""
        family1, family2 = self._family(word1), self._family(word2)
        for base, value in family1.items():
            opposed = self._antonyms(base)
            for other in opposed.keys() & family2.keys():
                yield value * opposed[other] * family2[other]
        if part in DEPTH and (opposed := self._opposite_kinds(word1)):
            yield _most(opposed, self._with_kinds(word2))

    def _opposite(self, word: int) -> dict[int, float]:
        return _linked(self._near(word), self._opposites, INDIRECT)

    def _opposite_kinds(self, word: int) -> dict[int, float]:
        return _linked(self._with_kinds(word), self._opposites, INDIRECT)

    def _entails(self, word: int) -> dict[int, float]:
        """Return the synsets that those of a word entail."""
        return _linked(self._senses_of(word), self._entailed)

    def _candidates(self, word1: int, word2: int, part1: str, part2: str) -> Iterator[Related]:
        """Yield every relation that holds; of equally strong ones, the first wins."""
        level = self._family(word1).get(word2)
        derived = [] if level is None else [(LexicalRelation.DERIVED, level)]
        if part1 != part2:
            yield from derived
            return
        direct = self._antonyms(word1).get(word2)
        if direct is not None:
            yield LexicalRelation.ANTONYM, direct
        first, second = self._senses_of(word1), self._senses_of(word2)
        shared = first.keys() & second.keys()
        if shared:
            yield LexicalRelation.SYNONYM, _most(first, second)
        near1, near2 = self._near(word1), self._near(word2)
        if most := _most(self._opposite(word1), near2):
            yield LexicalRelation.ANTONYM, most
        if part1 in DEPTH:
            yield from self._by_kind(word1, word2, DEPTH[part1])
        similar = (first.keys() & near2.keys() | near1.keys() & second.keys()) - shared
        if similar:
            yield LexicalRelation.SIMILAR, max(near1[key] * near2[key] for key in similar)
        for kind, entailed, other in (
            (LexicalRelation.ENTAILS, self._entails(word1), second),
            (LexicalRelation.ENTAILED, self._entails(word2), first),
        ):
            if most := _most(entailed, other):
                yield kind, most
        yield from derived

    def _with_kinds(self, word: int) -> dict[int, float]:
        """Return the synsets of a word, and with less weight their hypernyms."""
        senses = self._senses_of(word)
        kinds = _linked(senses, self._hypernyms, STEP)
        return _strongest([*kinds.items(), *senses.items()])

    def _near(self, word: int) -> dict[int, float]:
        """Return the synsets of a word, and with less weight the heads of their clusters."""
        senses = self._senses_of(word)
        return _strongest([*senses.items(), *_linked(senses, self._heads, STEP).items()])

    def _kinds(self, word: int, depth: int) -> list[dict[int, float]]:
        """Return the synsets one, two, ... steps above those of a word, with their weights."""
        steps = [_linked(self._senses_of(word), self._hypernyms)]
        for _ in range(depth - 1):
            steps.append(_linked(steps[-1], self._hypernyms, STEP))
        return steps

    def _within(self, word: int, depth: int) -> dict[int, float]:
        """Return the synsets up to ``depth`` steps above those of a word, with their weights."""
        return _strongest(row for step in self._kinds(word, depth) for row in step.items())

    def _above(self, word: int) -> dict[int, float]:
        """Return all synsets above those of a word, with the weight of the sense below."""
        found: dict[int, float] = {}
        for synset, value in self._senses_of(word).items():
            todo = self._hypernyms(synset)
            for above in todo:  # grows in the loop
                if found.get(above, 0.0) < value:
                    found[above] = value
                    todo += self._hypernyms(above)
        return found

    def _by_kind(self, word1: int, word2: int, depth: int) -> Iterator[Related]:
        """Yield hypernyms, hyponyms, and co-hyponyms, which share a kind at most two steps up."""
        if held := _most(self._senses_of(word1), self._within(word2, depth)):
            yield LexicalRelation.HYPERNYM, held
        if held := _most(self._senses_of(word2), self._within(word1, depth)):
            yield LexicalRelation.HYPONYM, held
        above1, above2 = self._within(word1, 2), self._within(word2, 2)
        if shared := above1.keys() & above2.keys():
            values = [above1[key] * above2[key] * float(self._specificity[key]) for key in shared]
            yield LexicalRelation.CO_HYPONYM, max(values) / LEVELS


def _strongest(rows: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Return the largest weight of each synset."""
    found: dict[int, float] = {}
    for synset, value in rows:
        if value > found.get(synset, -1.0):
            found[synset] = value
    return found


def _linked(
    synsets: Mapping[int, float], links: Callable[[int], Iterable[int]], factor: float = 1.0
) -> dict[int, float]:
    """Return the synsets that given ones are linked to, with their largest weight, by a factor."""
    return _strongest(
        (other, factor * value) for synset, value in synsets.items() for other in links(synset)
    )


def _most(one: Mapping[int, float], two: Mapping[int, float]) -> float:
    """Return the largest product of the weights of a shared synset, or 0."""
    shared = one.keys() & two.keys()
    return max([one[key] * two[key] for key in shared]) if shared else 0.0


def _plain(lemma: str) -> str:
    return lemma.lower().replace("-", " ")


def _spelt_as_opposites(lemma1: str, lemma2: str) -> bool:
    """Test for "used" and "unused", "hopeful" and "hopeless"."""
    shorter, longer = sorted((lemma1, lemma2), key=len)
    if len(shorter) >= LEAST_STEM and longer in {prefix + shorter for prefix in NEGATIVE_PREFIXES}:
        return True
    stems = {lemma1.removesuffix("less"), lemma2.removesuffix("less")} - {lemma1, lemma2}
    return any(stem + "ful" in (lemma1, lemma2) for stem in stems)


def _spellings(lemma: str) -> Iterator[str]:
    """Yield a lemma and the spellings that the lexicon may have."""
    lower = lemma.lower()
    yield from dict.fromkeys((lemma, lower, lower.capitalize()))
    if "-" in lower:
        yield lower.replace("-", " ")
        if not lower.startswith(PREFIXED):
            yield lower.replace("-", "")


@cache
def lexicon(folder: Path = FOLDER) -> Lexicon:
    """Return the lexicon of a folder of weight files, loaded once. Raises :class:`AssetError` if it
    is missing or damaged.
    """
    with np.load(io.BytesIO(weight_file("lexicon.npz", folder)), allow_pickle=False) as file:
        return Lexicon(dict(file))
