"""Make ``hybridsem/data/lexicon.npz``: lexical relations of English words, from Open English
WordNet.

    python -m models.lexicon.build --data ../shared/data

The arrays are described in ``hybridsem/english/lexicon.py``, which reads them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.command import DATA, run
from hybridsem.english.lexicon import LEVELS, POS_LETTERS
from models.lexicon.senses import opposed, usual
from models.lexicon.tables import Sense, Word, WordNet, descendants, pos_of, read, usualness
from models.recipe import SHIPPED

TARGET = SHIPPED / "lexicon.npz"


def level(value: float) -> int:
    """A value in (0, 1] as a byte."""
    return max(1, round(value * LEVELS))


def pair_levels(
    pairs: Iterable[tuple[Sense, Sense]], numbers: dict[Word, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of words (n, 2), the lower number first, and how usual they are together (n,)."""
    best: dict[tuple[int, int], int] = {}
    for first, second in pairs:
        words = {numbers[sense[:2]] for sense in (first, second) if sense[:2] in numbers}
        if len(words) == 2:
            value = level(usualness(first[2]) * usualness(second[2]))
            pair = min(words), max(words)
            best[pair] = max(value, best.get(pair, 0))
    rows = sorted(best)
    return np.array(rows, np.int32).reshape(-1, 2), np.array([best[row] for row in rows], np.uint8)


def planes(values: np.ndarray) -> np.ndarray:
    """The bytes of int32 values, all lowest bytes first: (4, n), which compresses better."""
    return np.ascontiguousarray(values.astype("<i4").view(np.uint8).reshape(-1, 4).T)


def packed_pairs(pairs: np.ndarray) -> np.ndarray:
    """Sorted pairs (n, 2) as steps of the first and distances to the second, in planes (4, 2n)."""
    return planes(np.concatenate([np.diff(pairs[:, 0], prepend=0), pairs[:, 1] - pairs[:, 0]]))


def rows(table: str) -> np.ndarray:
    """The rows of a table of this folder as bytes, without its head and its last column."""
    lines = (Path(__file__).parent / table).read_text(encoding="utf-8").splitlines()[1:]
    return np.frombuffer("\n".join(line.rpartition("\t")[0] for line in lines).encode(), np.uint8)


def arrays(net: WordNet) -> dict[str, np.ndarray]:
    """What the asset holds."""
    synsets = net.of_words()
    lemmas = sorted({lemma for lemma, _ in synsets})
    words = [(lemma, pos) for lemma in lemmas for pos in POS_LETTERS if (lemma, pos) in synsets]
    numbers = {word: number for number, word in enumerate(words)}

    def place(key: str) -> tuple[int, int]:
        pos = pos_of(key)
        return POS_LETTERS.index(pos), numbers[net.members[key][0], pos]

    index = {key: number for number, key in enumerate(sorted(net.members, key=place))}
    opposites = sorted({tuple(sorted((index[a], index[b]))) for *_, a, b in opposed(net)})
    pos = [sum(1 << n for n, p in enumerate(POS_LETTERS) if (one, p) in synsets) for one in lemmas]
    antonyms, antonym_levels = pair_levels(net.antonyms, numbers)
    derived, derived_levels = pair_levels(net.derivations, numbers)
    return {
        "lemmas": np.frombuffer("\n".join(lemmas).encode(), np.uint8),
        "pos": np.array(pos, np.uint8),
        **of_senses(net, [(word, synsets[word]) for word in words], index),
        **of_synsets(net, index),
        "opposites": packed_pairs(np.array(opposites, np.int32)),
        "antonyms": packed_pairs(antonyms),
        "antonym_levels": antonym_levels,
        "opposed": packed_pairs(np.zeros((0, 2), np.int32)),  # see opposition.py
        "opposed_levels": np.zeros(0, np.uint8),
        "derived": packed_pairs(derived),
        "derived_levels": derived_levels,
        "converses": rows("converses.tsv"),
        "symmetric": rows("symmetric.tsv"),
    }


def of_senses(
    net: WordNet, words: Sequence[tuple[Word, list[str]]], index: Mapping[str, int]
) -> dict[str, np.ndarray]:
    """The senses of each word, the most usual ones first."""
    values, figures = usual(net)
    print("senses:", {name: round(value, 3) for name, value in figures.items()})
    senses = []
    for word, keys in words:
        senses += sorted(((word, key) for key in keys), key=lambda one: (-values[one], one[1]))
    return {
        "sense_counts": np.array([len(keys) for _, keys in words], np.uint8),
        "senses": planes(np.array([index[key] for _, key in senses], np.int32)),
        "usual": np.array([level(values[sense]) for sense in senses], np.uint8),
    }


def of_synsets(net: WordNet, index: Mapping[str, int]) -> dict[str, np.ndarray]:
    """What synsets lead to, and how special they are."""
    below = descendants(net.hypernyms)
    most = math.log1p(max(below.values()))

    def links(counted: str, name: str, table: dict[str, list[str]]) -> dict[str, np.ndarray]:
        counts = np.array([len(table.get(key, ())) for key in index], np.uint8)
        targets = [index[above] for key in index for above in table.get(key, ())]
        sources = np.repeat(np.arange(len(index)), counts)
        return {counted: counts, name: planes(np.array(targets, np.int32) - sources)}

    special = [level(1 - math.log1p(below[key]) / most) for key in index]
    return {
        **links("hypernym_counts", "hypernyms", net.hypernyms),
        "specificity": np.array(special, np.uint8),
        **links("head_counts", "heads", net.heads),
        **links("entailed_counts", "entailed", net.entailed),
    }


def main(data: Path = DATA) -> None:
    content = arrays(read(data / "lexicon"))
    np.savez(TARGET, **content)  # not packed, for the wheel is: a quick start
    print({name: array.shape[-1] for name, array in content.items()})
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    run(main)
