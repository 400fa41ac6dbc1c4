"""The tables of Open English WordNet as they are read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.corpora import table

Word = tuple[str, str]
"""A lemma and its part of speech: n, v, a or r."""
Sense = tuple[str, str, int]
"""A word and the number of its sense, from 1."""


def usualness(rank: Any) -> Any:
    """The weight of a word's sense by rank: 1 for the first, then 2/3, 1/2, 2/5, ..."""
    return 2 / (1 + rank)


@dataclass
class WordNet:
    """The three tables: synsets by their keys, pairs of senses."""

    members: dict[str, list[str]]
    hypernyms: dict[str, list[str]]
    heads: dict[str, list[str]]
    """The clusters of adjectives: a satellite's heads."""
    entailed: dict[str, list[str]]
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
    synsets = {row["synset"]: row for row in table(folder / "synsets.tsv")}

    def senses(name: str, *parts: str) -> list[tuple[Sense, Sense]]:
        columns = [(f"lemma{n}", part, f"sense{n}") for n, part in enumerate(parts, 1)]
        rows = table(folder / f"{name}.tsv")
        return [tuple((row[a], row[b], int(row[c])) for a, b, c in columns) for row in rows]

    return WordNet(
        {key: row["members"].split("|") for key, row in synsets.items()},
        {key: row["hypernyms"].split() for key, row in synsets.items()},
        {key: row["similar"].split() for key, row in synsets.items() if key.endswith("s")},
        {key: (row["entails"] or "").split() for key, row in synsets.items()},
        senses("antonyms", "pos", "pos"),
        senses("derivations", "pos1", "pos2"),
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
