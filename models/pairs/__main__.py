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
from typing import Annotated, Any

from benchmarks.command import DATA, run
from benchmarks.corpora.clause import is_plain
from benchmarks.corpora.sources import closed_up
from hybridsem._utils.lines import LineReader
from hybridsem.datasets.splits import words_of
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.english.tokenise import detokenise
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree
from models.corpora import json_lines, sentences_of
from models.held_out import test_sets
from models.pairs import clauses, frames, phrases, verbs
from models.pairs.base import FEWEST, base_of, whole_of
from models.pairs.base import MOST as LONGEST
from models.pairs.frames import Made
from models.pairs.kinds import KINDS, Pair

MOST = 16_000
"""Pairs of a kind."""
SHORT = 13
"""Words of a sentence that is joined with another."""
CHUNK = 512

Edits = Mapping[str, Callable[[Any], Iterator[Made]]]


def _edits(*modules: ModuleType) -> Edits:
    used = {kind.edit for kind in KINDS.values()}
    return {name: getattr(one, name) for one in modules for name in one.__all__ if name in used}


OF_WHOLE, OF_PARTS = _edits(frames), _edits(verbs, phrases, clauses)


def barred(data: Path) -> set[str]:
    """The words of all sentences of the test sets, those of the trees and roles too."""
    found = [text for test in test_sets(data).values() for pair in test for text in pair]
    found += [tree.text for tree in read_conllu(data / "ud-ewt/test.conllu")]
    found += _of_tokens(data / "propbank-ewt/test.jsonl")
    return set(map(words_of, found))


def texts(data: Path) -> dict[str, Iterator[str]]:
    """The texts without a tree, by source; people wrote "hypotheses" to MNLI's premises."""
    return {
        "frames": _of_tokens(data / "propbank-ewt/frame-examples.jsonl"),
        "propbank": _of_tokens(data / "propbank-ewt/train.jsonl"),
        "mnli": _cells(data / "everyday/mnli-train.tsv", 1),
        "cnn": sentences_of(data / "sage/cnn_dailymail-300.jsonl"),
        "billsum": sentences_of(data / "sage/billsum-100.jsonl"),
        "hypotheses": _cells(data / "everyday/mnli-train.tsv", 2),
        "essays": sentences_of(data / "sage/paul_graham_essays.csv"),
    }


def trees(
    data: Path, parser: EmbeddedTrees, unseen: Iterable[str]
) -> Iterator[tuple[str, DependencyTree]]:
    """(source, tree) of each distinct plain sentence that is not among those unseen."""
    seen = set(unseen)
    for tree in read_conllu(data / "ud-ewt/train.conllu"):
        if _is_new(tree.text, seen):
            yield "ewt", tree
    for source, some in texts(data).items():
        usable = [text for text in map(closed_up, some) if _is_new(text, seen)]
        for start in range(0, len(usable), CHUNK):
            for tree in parser.trees(usable[start : start + CHUNK]):
                yield source, tree


def _is_new(text: str, seen: set[str]) -> bool:
    """Test if a sentence is plain and new, and remember it."""
    key = words_of(text)
    if key in seen or not is_plain(text, LONGEST) or len(text.split()) < FEWEST:
        return False
    seen.add(key)
    return True


def _cells(file: Path, column: int) -> Iterator[str]:
    """A column of a file with tabs, without its head."""
    for number, (_, line) in enumerate(LineReader(file)):
        if number:
            yield line.split("\t")[column]


def _of_tokens(file: Path) -> Iterator[str]:
    return (detokenise(" ".join(row["tokens"])) for row in json_lines(file))


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
                heads = _number(f"{made}\0{first}\0{second}") < 0.5
                yield pair.exchanged() if heads else pair


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


def main(
    data: Path = DATA,
    to: Path = Path("runs/pairs.jsonl"),
    seed: int = 1,
    most: Annotated[int, "pairs of a kind"] = MOST,
) -> None:
    unseen, parser = barred(data), EmbeddedTrees(EmbeddedEncoder(threads=1))
    found = shuffled(trees(data, parser, unseen), seed)
    kinds, labels, bases = Counter[str](), Counter[str](), set[str]()
    to.parent.mkdir(parents=True, exist_ok=True)
    with to.open("w", encoding="utf-8") as file:
        for pair in pairs(found, seed, most, unseen):
            file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
            kinds[pair.kind] += 1
            labels[pair.label] += 1
            bases.add(pair.base)
    total = kinds.total()
    for title, counts in (("kind", kinds), ("label", labels)):
        for name, count in counts.most_common():
            print(f"{title}\t{name}\t{count}\t{count / total:.1%}")
    print(f"{total} pairs of {len(kinds)} kinds from {len(bases)} different sentences")


if __name__ == "__main__":
    run(main)
