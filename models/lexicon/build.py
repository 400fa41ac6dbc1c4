"""Make ``hybridsem/data/lexicon.npz``: lexical relations of English words, from Open English
WordNet.

    python -m models.lexicon.build --data ../shared/data

The arrays are described in ``hybridsem/english/lexicon.py``, which reads them.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hybridsem.english.lexicon import LEVELS, POS_LETTERS, usualness

TARGET = Path(__file__).parents[2] / "hybridsem/data/lexicon.npz"

Word = tuple[str, str]
"""A lemma and its part of speech: n, v, a or r."""
Sense = tuple[str, str, int]
"""A word and the number of its sense, from 1."""


@dataclass
class WordNet:
    """The three tables: synsets by their keys, pairs of senses."""

    members: dict[str, list[str]]
    hypernyms: dict[str, list[str]]
    heads: dict[str, list[str]]
    """The clusters of adjectives: a satellite's heads."""
    entailed: dict[str, list[str]]
    caused: dict[str, list[str]]
    antonyms: list[tuple[Sense, Sense]]
    derivations: list[tuple[Sense, Sense]]

    def of_words(self) -> dict[Word, list[str]]:
        """The synsets of every word, in the order of their keys."""
        synsets = defaultdict(list)
        for key, lemmas in self.members.items():
            for lemma in dict.fromkeys(lemmas):
                synsets[lemma, pos_of(key)].append(key)
        return dict(synsets)


def pos_of(key: str) -> str:
    """The part of speech of a synset; satellites are adjectives."""
    return key[-1].replace("s", "a")


def read(folder: Path) -> WordNet:
    """The tables of a folder."""
    tables = {
        name: list(
            csv.DictReader(
                (folder / f"{name}.tsv").open(encoding="utf-8"),
                delimiter="\t",
                quoting=csv.QUOTE_NONE,
            )
        )
        for name in ("synsets", "antonyms", "derivations")
    }
    synsets = {row["synset"]: row for row in tables["synsets"]}
    return WordNet(
        {key: row["members"].split("|") for key, row in synsets.items()},
        {key: row["hypernyms"].split() for key, row in synsets.items()},
        {key: row["similar"].split() for key, row in synsets.items() if key.endswith("s")},
        {key: (row["entails"] or "").split() for key, row in synsets.items()},
        {key: (row["causes"] or "").split() for key, row in synsets.items()},
        [
            (
                (row["lemma1"], row["pos"], int(row["sense1"])),
                (row["lemma2"], row["pos"], int(row["sense2"])),
            )
            for row in tables["antonyms"]
        ],
        [
            (
                (row["lemma1"], row["pos1"], int(row["sense1"])),
                (row["lemma2"], row["pos2"], int(row["sense2"])),
            )
            for row in tables["derivations"]
        ],
    )


def descendants(hypernyms: dict[str, list[str]]) -> dict[str, int]:
    """How many synsets lie below each."""
    below: dict[str, set[str]] = defaultdict(set)
    for key in hypernyms:
        stack = list(hypernyms[key])
        while stack:
            above = stack.pop()
            if key not in below[above]:
                below[above].add(key)
                stack += hypernyms[above]
    return {key: len(below.get(key, ())) for key in hypernyms}


def opposed(
    net: WordNet, synsets: dict[Word, list[str]]
) -> Iterator[tuple[Sense, Sense, str, str]]:
    """Pairs of antonyms and the synsets in which they are that.

    The tables number senses without naming their synsets. Of the two words' synsets those belong
    together that share a hypernym; of adjectives, that are heads of clusters; among these the
    nearest in WordNet's order, where opposites follow each other.
    """
    for first, second in net.antonyms:
        candidates = itertools.product(synsets.get(first[:2], ()), synsets.get(second[:2], ()))
        ranked = sorted(
            (
                -len(set(net.hypernyms[a]) & set(net.hypernyms[b]))
                or (a[-1] == "s") + (b[-1] == "s"),
                abs(int(a[:-2]) - int(b[:-2])),
                a,
                b,
            )
            for a, b in candidates
            if a != b
        )
        if ranked:
            yield first, second, *ranked[0][2:]


def ordered(net: WordNet, synsets: dict[Word, list[str]]) -> dict[Word, list[str]]:
    """The synsets of every word, the most usual first."""
    below = descendants(net.hypernyms)
    known: dict[tuple[Word, str], int] = {}
    for first, second, a, b in opposed(net, synsets):
        for sense, key in ((first, a), (second, b)):
            place = sense[:2], key
            known[place] = min(sense[2], known.get(place, sense[2]))
    order = {}
    for word, keys in synsets.items():
        expected = sorted(
            keys,
            key=lambda key: (
                net.members[key].index(word[0]) - 0.3 * math.log1p(below[key]),
                key,
            ),
        )
        order[word] = sorted(
            keys,
            key=lambda key: (known.get((word, key), 1 + expected.index(key)), expected.index(key)),
        )
    return order


def level(value: float) -> int:
    """A value in (0, 1] as a byte."""
    return max(1, round(value * LEVELS))


def pair_levels(
    pairs: Iterable[tuple[Sense, Sense]], numbers: dict[Word, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of words (n, 2), the lower number first, and how usual they are together (n,)."""
    best: dict[tuple[int, int], int] = {}
    for first, second in pairs:
        if first[:2] in numbers and second[:2] in numbers:
            pair = tuple(sorted((numbers[first[:2]], numbers[second[:2]])))
            value = level(usualness(first[2]) * usualness(second[2]))
            if pair[0] != pair[1]:
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
    order = ordered(net, synsets)
    lemmas = sorted({lemma for lemma, _ in synsets})
    words = [(lemma, pos) for lemma in lemmas for pos in POS_LETTERS if (lemma, pos) in synsets]
    numbers = {word: number for number, word in enumerate(words)}
    keys = sorted(
        net.members,
        key=lambda key: (POS_LETTERS.index(pos_of(key)), numbers[net.members[key][0], pos_of(key)]),
    )
    index = {key: number for number, key in enumerate(keys)}
    below = descendants(net.hypernyms)
    most = math.log1p(max(below.values()))

    def links(table: dict[str, list[str]]) -> tuple[np.ndarray, np.ndarray]:
        counts = np.array([len(table.get(key, ())) for key in keys], np.uint8)
        targets = [index[above] for key in keys for above in table.get(key, ())]
        sources = np.repeat(np.arange(len(keys)), counts)
        return counts, planes(np.array(targets, np.int32) - sources)

    hypernym_counts, hypernyms = links(net.hypernyms)
    head_counts, heads = links(net.heads)
    entailed_counts, entailed = links(net.entailed)
    antonyms, antonym_levels = pair_levels(net.antonyms, numbers)
    derived, derived_levels = pair_levels(net.derivations, numbers)
    opposites = sorted({tuple(sorted((index[a], index[b]))) for *_, a, b in opposed(net, synsets)})
    return {
        "lemmas": np.frombuffer("\n".join(lemmas).encode(), np.uint8),
        "pos": np.array(
            [
                sum(1 << n for n, pos in enumerate(POS_LETTERS) if (lemma, pos) in synsets)
                for lemma in lemmas
            ],
            np.uint8,
        ),
        "sense_counts": np.array([len(order[word]) for word in words], np.uint8),
        "senses": planes(np.array([index[key] for word in words for key in order[word]], np.int32)),
        "hypernym_counts": hypernym_counts,
        "hypernyms": hypernyms,
        "specificity": np.array(
            [level(1 - math.log1p(below[key]) / most) for key in keys], np.uint8
        ),
        "head_counts": head_counts,
        "heads": heads,
        "entailed_counts": entailed_counts,
        "entailed": entailed,
        "opposites": packed_pairs(np.array(opposites, np.int32)),
        "antonyms": packed_pairs(antonyms),
        "antonym_levels": antonym_levels,
        "derived": packed_pairs(derived),
        "derived_levels": derived_levels,
        "converses": rows("converses.tsv"),
        "symmetric": rows("symmetric.tsv"),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--data", type=Path, required=True, help="a folder with lexicon/ (synsets, antonyms, ...)"
    )
    content = arrays(read(parser.parse_args().data / "lexicon"))
    np.savez_compressed(TARGET, **content)
    print({name: array.shape[-1] for name, array in content.items()})
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")
