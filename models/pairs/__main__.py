"""Make labelled pairs by rule from real sentences.

    python -m models.pairs --data ../shared/data --to runs/pairs.jsonl --seed 1

Writes a pair a line, jsonl or tsv by the ending: ``label``, ``sentence1``, ``sentence2``, ``kind``,
``source``, ``similarity``, ``base``. Prints the pairs by kind and label.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree
from models.pairs import clauses, phrases, verbs
from models.pairs.base import Base, base_of
from models.pairs.kinds import KINDS, Kind, Pair
from models.pairs.sources import trees

SHARE = 0.08
"""The most pairs of a kind, as a share of all that are asked for."""

Edit = Callable[[Base], Iterator[verbs.Made]]
EDITS: Mapping[str, Edit] = {
    name: getattr(module, name)
    for module in (verbs, phrases, clauses)
    for name in {kind.edit for kind in KINDS.values()} & set(module.__all__)
}


def pairs_of(base: Base, source: str, number: str) -> Iterator[Pair]:
    """The pairs of a sentence; half of them have the sentences the other way about."""
    taken: Counter[str] = Counter()
    for name in sorted(EDITS):
        for made, first, second in EDITS[name](base):
            kind = KINDS[made]
            taken[made] += 1
            if taken[made] > kind.most or first == second:
                continue
            pair = Pair(kind.label, first, second, made, source, kind.similarity, number)
            yield pair.exchanged() if _is_heads(f"{made}\0{first}\0{second}") else pair


def _is_heads(text: str) -> bool:
    return bool(hashlib.sha256(text.encode()).digest()[0] & 1)


def made(found: Iterable[tuple[str, DependencyTree]], seed: int, most: int) -> Iterator[Pair]:
    """Pairs of all sentences, at most so many of a kind and each only once."""
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    other = ""
    for number, (source, tree) in enumerate(found):
        base = base_of(tree, seed, other)
        if base is None:
            continue
        for pair in pairs_of(base, source, f"{source}-{number}"):
            key = min((one := pair.sentence1), (two := pair.sentence2)), max(one, two)
            if counts[pair.kind] < most and key not in seen:
                counts[pair.kind] += 1
                seen.add(key)
                yield pair
        if base.is_affirmed and base.is_tight and len(tree) <= 14:
            other = base.body


def shuffled(found: Iterable[tuple[str, DependencyTree]], seed: int) -> list[tuple[str, DependencyTree]]:
    """Sentences in an order that depends on the seed and each text alone."""
    return sorted(found, key=lambda one: hashlib.sha256(f"{seed}\0{one[1].text}".encode()).digest())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--to", type=Path, default=Path("runs/pairs.jsonl"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=14_000, help="pairs of a kind")
    options = parser.parse_args()
    found = shuffled(trees(options.data, EmbeddedTrees(EmbeddedEncoder(threads=1))), options.seed)
    counts: Counter[tuple[str, str]] = Counter()
    bases: set[str] = set()
    options.to.parent.mkdir(parents=True, exist_ok=True)
    table = options.to.suffix == ".tsv"
    with options.to.open("w", encoding="utf-8") as file:
        if table:
            file.write("\t".join(field.name for field in fields(Pair)) + "\n")
        for pair in made(found, options.seed, options.most):
            row = asdict(pair)
            file.write(("\t".join(map(str, row.values())) if table else json.dumps(row, ensure_ascii=False)) + "\n")
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


_ = Kind
if __name__ == "__main__":
    main()
