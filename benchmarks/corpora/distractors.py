"""The five distractors of a true answer (Zhu & de Melo 2020, section 3.2.2): docs/analogies.md.

Negation adds "not" after the first auxiliary, or removes it if the sentence has it. Deletion spares
adjectives, adverbs (also "not"), determiners and auxiliaries; punctuation is never deleted, masked
or moved. Each draw depends on the seed, the kind and the sentence alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.corpora.clause import Piece, clause_of, lowered, written
from benchmarks.corpora.relations import with_not, without_not
from hybridsem.datasets.analogies import MASK
from hybridsem.english.words import NOT
from hybridsem.structures import DependencyTree

SHARE = 0.2
"""The probability that a word is deleted or masked."""

MEAN_SPAN, SPANS = 3.0, 2

SPARED = frozenset({"ADJ", "ADV", "DET", "AUX"})
TRIES = 50

Random, Pieces = np.random.Generator, list[Piece] | None
Draw = Callable[[DependencyTree, Sequence[int], Random], Pieces]


def distractors(tree: DependencyTree, seed: int, taken: Sequence[str] = ()) -> dict[str, str]:
    """Return the distinct distractors of a sentence by kind, none of them ``taken``."""
    found: dict[str, str] = {}
    used = {tree.text, *taken}
    if (text := negation(tree)) is not None and text not in used:
        found["negation"] = text
        used.add(text)
    end = [len(tree) - 1] if tree[len(tree) - 1].pos == "PUNCT" else []
    words = range(len(tree) - len(end))
    for kind, draw in DRAWS.items():
        random = generator(seed, kind, tree.text)
        for _ in range(TRIES):
            pieces = draw(tree, words, random)
            if not pieces:
                break
            text = written(tree, [*pieces, *end], articles=False)
            if text not in used:
                found[kind] = text
                used.add(text)
                break
    return found


def negation(tree: DependencyTree) -> str | None:
    """Return the sentence with "not", without it, or after "It is not true that"."""
    clause = clause_of(tree)
    if clause is None:
        return None
    if (made := with_not(clause) or without_not(clause)) is not None:
        return made.text
    return f"It is not true that {lowered(tree)}{tree.text[tree[0].end :]}"


def _deletion(tree: DependencyTree, words: Sequence[int], random: Random) -> Pieces:
    kinds = [i for i in words if tree[i].pos not in (*SPARED, "PUNCT")]
    free = [i for i in kinds if tree[i].text.lower() not in NOT]
    gone = _by_chance(free, random)
    return [i for i in words if i not in gone] if free and len(words) > 1 else None


def _masking(tree: DependencyTree, words: Sequence[int], random: Random) -> Pieces:
    masked = _by_chance([i for i in words if tree[i].pos != "PUNCT"], random)
    return [MASK if i in masked else i for i in words]


def _span(tree: DependencyTree, words: Sequence[int], random: Random) -> Pieces:
    most = len(words) // 2  # what is left is half a sentence at least
    count = min(SPANS, most, len(words) - most)
    if count < 1:
        return None
    lengths = random.poisson(MEAN_SPAN, count)
    while not lengths.all() or lengths.sum() > most:
        lengths = random.poisson(MEAN_SPAN, count)
    left = len(words) - int(lengths.sum())
    # The remaining word that follows each span: there is a word between two spans.
    places = np.sort(random.permutation(left + 1)[:count])
    starts = places + np.cumsum(lengths) - lengths
    spans = zip(starts.tolist(), lengths.tolist(), strict=True)
    gone = {place for start, length in spans for place in range(start, start + length)}
    return [word for i, word in enumerate(words) if i not in gone]


def _reordering(tree: DependencyTree, words: Sequence[int], random: Random) -> Pieces:
    if len(words) < 2:
        return None
    pivot = int(random.integers(1, len(words)))
    return [*words[pivot:], *words[:pivot]]


def _by_chance(places: Sequence[int], random: Random) -> set[int]:
    """Draw each place with the probability SHARE, but at least one, and not all of several."""
    chosen: set[int] = set(places[:1]) if len(places) == 1 else set()
    while len(places) > 1 and not 0 < len(chosen) < len(places):
        drawn = random.random(len(places)) < SHARE
        chosen = {place for place, is_drawn in zip(places, drawn, strict=True) if is_drawn}
    return chosen


def generator(*parts: object) -> Random:
    """Return a generator that depends on the parts alone."""
    digest = hashlib.sha256("\0".join(map(str, parts)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


DRAWS: dict[str, Draw] = {
    "deletion": _deletion,
    "masking": _masking,
    "span": _span,
    "reordering": _reordering,
}
