"""Make labelled pairs by rule from real sentences.

    python -m models.pairs --data ../shared/data --to runs/pairs.jsonl --seed 1

Writes a pair a line, as JSON: ``label``, ``sentence1``, ``sentence2``, ``kind``,
``source``, ``similarity``, ``base``. Prints the pairs by kind and label.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

from hybridsem.datasets.splits import words_of
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree
from models.pairs import clauses, frames, phrases, verbs
from models.pairs.base import base_of, whole_of
from models.pairs.frames import Made
from models.pairs.kinds import KINDS, Pair
from models.pairs.sources import barred, trees
from models.recipe import command

MOST = 16_000
"""Pairs of a kind."""
SHORT = 13
"""Words of a sentence that is joined with another."""

Edits = Mapping[str, Callable[[Any], Iterator[Made]]]


def _edits(*modules: ModuleType) -> Edits:
    used = {kind.edit for kind in KINDS.values()}
    return {name: getattr(one, name) for one in modules for name in one.__all__ if name in used}


OF_WHOLE, OF_PARTS = _edits(frames), _edits(verbs, phrases, clauses)


def pairs_of(
    tree: DependencyTree, seed: int, other: str = "", source: str = "", number: str = ""
) -> Iterator[Pair]:
    """The pairs of a sentence; half of them have the sentences the other way about.

    Args:
        tree: The sentence.
        seed: Of what is drawn.
        other: A sentence without capital and full stop, to be joined with this one.
        source: Where it is from.
        number: What it is known by.
    """
    taken: Counter[str] = Counter()
    for one, edits in ((whole_of(tree, seed, other), OF_WHOLE), (base_of(tree, seed), OF_PARTS)):
        for name in edits if one is not None else ():
            for made, first, second in edits[name](one):
                kind = KINDS[made]
                taken[made] += 1
                if taken[made] > kind.most or first == second:
                    continue
                pair = Pair(kind.label, first, second, made, source, kind.similarity, number)
                yield pair.exchanged() if _is_heads(f"{made}\0{first}\0{second}") else pair


def _is_heads(text: str) -> bool:
    return _number(text) < 0.5


def _number(text: str) -> float:
    """A number from 0 to 1 that goes by a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32


def pairs(
    found: Iterable[tuple[str, DependencyTree]],
    seed: int,
    most: int = MOST,
    unseen: Set[str] = frozenset(),
) -> Iterator[Pair]:
    """Pairs of all sentences, at most so many of a kind and each only once.

    Args:
        found: (source, tree) of each sentence.
        seed: Of what is drawn.
        most: Pairs of a kind.
        unseen: Sentences, as their words, that no pair may have.
    """
    counts: Counter[str] = Counter()
    seen: set[frozenset[str]] = set()
    other = ""
    for number, (source, tree) in enumerate(found):
        for pair in pairs_of(tree, seed, other, source, f"{source}-{number}"):
            if _number(f"{seed}\0{pair.kind}\0{tree.text}") >= KINDS[pair.kind].share:
                continue
            key = frozenset((pair.sentence1, pair.sentence2))
            new = key not in seen and unseen.isdisjoint(map(words_of, key))
            if new and counts[pair.kind] < most:
                counts[pair.kind] += 1
                seen.add(key)
                yield pair
        whole = whole_of(tree, seed) if len(tree) <= SHORT else None
        other = whole.body if whole and whole.begins_plainly and "," not in whole.body else other


def shuffled(
    found: Iterable[tuple[str, DependencyTree]], seed: int
) -> list[tuple[str, DependencyTree]]:
    """Sentences in an order that depends on the seed and each text alone."""
    return sorted(found, key=lambda one: hashlib.sha256(f"{seed}\0{one[1].text}".encode()).digest())


def main() -> None:
    arguments = command(__doc__)
    arguments.add_argument("--to", type=Path, default=Path("runs/pairs.jsonl"))
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--most", type=int, default=MOST, help="pairs of a kind")
    options = arguments.parse_args()
    unseen, parser = barred(options.data), EmbeddedTrees(EmbeddedEncoder(threads=1))
    found = shuffled(trees(options.data, parser, unseen), options.seed)
    counts: Counter[tuple[str, str]] = Counter()
    bases: set[str] = set()
    options.to.parent.mkdir(parents=True, exist_ok=True)
    with options.to.open("w", encoding="utf-8") as file:
        for pair in pairs(found, options.seed, options.most, unseen):
            file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
            counts[pair.kind, pair.label] += 1
            bases.add(pair.base)
    report(counts, len(bases))


def report(counts: Counter[tuple[str, str]], bases: int) -> None:
    """Print the pairs by kind and by label, and the number of different sentences."""
    total = sum(counts.values())
    by_kind, by_label = Counter[str](), Counter[str]()
    for (kind, label), count in counts.items():
        by_kind[kind] += count
        by_label[label] += count
    for title, some in (("kind", by_kind), ("label", by_label)):
        for name, count in some.most_common():
            print(f"{title}\t{name}\t{count}\t{count / total:.1%}")
    print(f"{total} pairs of {len(by_kind)} kinds from {bases} different sentences")


if __name__ == "__main__":
    main()
