"""The sentences that pairs are made from, with their trees, without those of test sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.corpora.clause import is_plain
from benchmarks.corpora.sources import closed_up
from hybridsem._utils.lines import LineReader
from hybridsem.datasets.splits import words_of
from hybridsem.english.tokenise import detokenise
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree
from models.corpora import json_lines, sentences_of
from models.held_out import test_sets
from models.pairs.base import FEWEST, MOST

CHUNK = 512


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
    if key in seen or not is_plain(text, MOST) or len(text.split()) < FEWEST:
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
