"""The five distractors beside a true answer (Zhu & de Melo 2020, section 3.2.2).

    answer       A boy in a red hat is riding his bike.
    negation     A boy in a red hat is not riding his bike.
    deletion     A in a red hat is riding his.                  20 % of the words, rounded up
    masking      A boy [MASK] a red hat [MASK] riding his bike. 20 % of the words, rounded up
    span         A boy in riding his bike.                      so many words, drawn from Poisson(3)
    reordering   Is riding his bike a boy in a red hat.         the parts round a pivot, swapped

Deletion spares adjectives, adverbs ("not" too), determiners and auxiliaries; signs are never
deleted, masked or moved away from the end. Each draw goes by the seed, the kind and the sentence
alone, so it depends on no other item.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence

import numpy as np

from hybridsem.corpora.analogies.clause import clause_of
from hybridsem.corpora.analogies.relations import with_not
from hybridsem.corpora.analogies.writing import Piece, lowered, written
from hybridsem.datasets.analogies import MASK
from hybridsem.english.words import NOT
from hybridsem.structures import DependencyTree

__all__ = ["MEAN_SPAN", "SHARE", "distractors", "negation"]

SHARE = 0.2
MEAN_SPAN = 3.0
SPARED = frozenset({"ADJ", "ADV", "DET", "AUX"})
TRIES = 50

Draw = Callable[[DependencyTree, Sequence[int], np.random.Generator], list[Piece] | None]


def distractors(tree: DependencyTree, seed: int, taken: Sequence[str] = ()) -> dict[str, str]:
    """The distractors of the sentence of ``tree`` by kind; a kind that there is none of is left
    out.

    A draw that gives the sentence itself, one of ``taken``, or another distractor is drawn again,
    ``TRIES`` times at most.
    """
    found: dict[str, str] = {}
    used = {tree.text, *taken}
    if (text := negation(tree)) is not None and text not in used:
        found["negation"] = text
        used.add(text)
    end = [len(tree) - 1] if tree[len(tree) - 1].pos == "PUNCT" else []
    words = range(len(tree) - len(end))
    for kind, draw in DRAWS.items():
        random = _generator(seed, kind, tree.text)
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
    """The sentence with "not", or behind "It is not true that" if negative or without a place."""
    clause = clause_of(tree)
    if clause is None:
        return None
    made = with_not(clause)
    return (
        made.text
        if made is not None
        else f"It is not true that {lowered(tree)}{tree.text[tree[0].end :]}"
    )


def _deletion(
    tree: DependencyTree, words: Sequence[int], random: np.random.Generator
) -> list[Piece] | None:
    free = [
        i
        for i in words
        if tree[i].pos not in (*SPARED, "PUNCT") and tree[i].text.lower() not in NOT
    ]
    gone = _chosen(free, min(math.ceil(SHARE * len(words)), len(words) - 1), random)
    return [i for i in words if i not in gone] if gone else None


def _masking(
    tree: DependencyTree, words: Sequence[int], random: np.random.Generator
) -> list[Piece] | None:
    masked = _chosen(
        [i for i in words if tree[i].pos != "PUNCT"], math.ceil(SHARE * len(words)), random
    )
    return [MASK if i in masked else i for i in words]


def _span(
    tree: DependencyTree, words: Sequence[int], random: np.random.Generator
) -> list[Piece] | None:
    if len(words) < 2:
        return None
    length = 0
    while not 0 < length < len(words):
        length = int(random.poisson(MEAN_SPAN))
    start = int(random.integers(len(words) - length + 1))
    return [*words[:start], *words[start + length :]]


def _reordering(
    tree: DependencyTree, words: Sequence[int], random: np.random.Generator
) -> list[Piece] | None:
    if len(words) < 2:
        return None
    pivot = int(random.integers(1, len(words)))
    return [*words[pivot:], *words[:pivot]]


def _chosen(places: Sequence[int], count: int, random: np.random.Generator) -> set[int]:
    return {places[int(i)] for i in random.permutation(len(places))[:count]}


def _generator(seed: int, kind: str, text: str) -> np.random.Generator:
    digest = hashlib.sha256(f"{seed}\0{kind}\0{text}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


DRAWS: dict[str, Draw] = {
    "deletion": _deletion,
    "masking": _masking,
    "span": _span,
    "reordering": _reordering,
}
