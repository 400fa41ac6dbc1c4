"""The embedded parser: the tree of highest score, for anything, at the places of its words."""

from functools import cache
from itertools import pairwise, product
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.generated import sentences, some_sentences
from support.texts import ODD

from benchmarks.parser import f1
from hybridsem._typing import Float32Array
from hybridsem._utils.validation import problem
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.parsers.trees.conllu import format_conllu, read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees, best_trees
from hybridsem.structures import DependencyTree


def is_tree(heads: tuple[int, ...]) -> bool:
    """Whether one word hangs on the root (head 0) and every other word reaches it."""
    if heads.count(0) != 1:
        return False
    for word in range(1, len(heads) + 1):
        at, steps = word, 0
        while at and steps <= len(heads):
            at, steps = heads[at - 1], steps + 1
        if at:
            return False
    return True


@cache
def all_trees(n: int) -> list[tuple[int, ...]]:
    return [heads for heads in product(range(n + 1), repeat=n) if is_tree(heads)]


def total(scores: Float32Array, heads: tuple[int, ...]) -> float:
    return float(sum(scores[word, head] for word, head in enumerate(heads)))


SIZES = st.integers(1, 5)
REAL = st.floats(-8, 8, width=32)
FEW = st.integers(0, 2).map(np.float32)  # many ties


@given(SIZES.flatmap(lambda n: arrays(np.float32, (n, n + 1), elements=st.one_of(REAL, FEW))))
def test_no_tree_scores_higher(scores: Float32Array) -> None:
    heads = tuple(best_trees(scores[None])[0])
    assert is_tree(heads)
    best = max(total(scores, other) for other in all_trees(len(scores)))
    assert total(scores, heads) == pytest.approx(best, abs=1e-4)


def check(text: str, tree: DependencyTree) -> None:
    """What holds of every tree."""
    assert tree.text == text
    assert len(tree) >= 1
    assert tree.is_tree()
    assert [token.relation == "root" for token in tree] == [token.head < 0 for token in tree]
    assert all(text[token.start : token.end] == token.text for token in tree)
    assert all(before.end <= after.start for before, after in pairwise(tree))
    assert all(token.text and token.lemma and token.pos and token.relation for token in tree)


def test_a_tree_with_everything(parser: EmbeddedTrees) -> None:
    (tree,) = parser.trees(["The dogs were chased by a cat."])
    check(tree.text, tree)
    assert [token.lemma for token in tree] == ["the", "dog", "be", "chase", "by", "a", "cat", "."]
    tags, relations = (
        "DET NOUN AUX VERB ADP DET NOUN PUNCT",
        "det nsubj:pass aux:pass root case det",
    )
    assert [token.pos for token in tree] == tags.split()
    assert [token.head for token in tree] == [1, 3, 3, -1, 6, 6, 3, 3]
    assert [token.relation for token in tree] == [*relations.split(), "obl:agent", "punct"]
    assert not tree.truncated


def test_odd_texts(parser: EmbeddedTrees) -> None:
    trees = parser.trees(ODD)
    assert len(trees) == len(ODD)
    for text, tree in zip(ODD, trees, strict=True):
        check(text, tree)
        assert tree.truncated == parser.encoder.too_long([text])[0]


VISIBLE = st.text(max_size=60).filter(lambda text: problem(text) is None)
WRITTEN = "can't 🙂 שלום ( the Ann ran , 한국 ﬁ U.S."
PIECES = st.lists(st.sampled_from([*WRITTEN.split(), "\x00", "\u202e", "\n"]), max_size=30)


@settings(max_examples=60)
@given(st.lists(st.one_of(VISIBLE, PIECES.map("".join), PIECES.map(" ".join)), max_size=5))
def test_any_text(parser: EmbeddedTrees, texts: list[str]) -> None:
    texts = [text for text in texts if problem(text) is None]
    trees = parser.trees(texts)
    assert len(trees) == len(texts)
    for text, tree in zip(texts, trees, strict=True):
        check(text, tree)


@settings(max_examples=30)
@given(st.lists(st.one_of(VISIBLE, sentences()), min_size=1, max_size=4))
def test_conllu_can_be_read_again(parser: EmbeddedTrees, texts: list[str]) -> None:
    trees = parser.trees([text.replace("\0", "?") for text in texts])  # which no file may hold
    with NamedTemporaryFile() as file:
        Path(file.name).write_text(format_conllu(trees), encoding="utf-8")
        again = list(read_conllu(file.name))
    assert len(again) == len(trees)
    for tree, copy in zip(trees, again, strict=True):
        assert copy.is_tree()
        first, second = ([(t.pos, t.head, t.relation) for t in each] for each in (tree, copy))
        assert first == second
        assert [" ".join(token.text.split()) for token in tree] == [token.text for token in copy]


def test_alone_as_in_a_batch(parser: EmbeddedTrees) -> None:
    texts = some_sentences(40) + ODD
    together = parser.trees(texts)
    assert together == [parser.trees([text])[0] for text in texts]
    assert together[::-1] == parser.trees(texts[::-1])
    assert together == EmbeddedTrees(EmbeddedEncoder(threads=3)).trees(texts)


def test_given_words(parser: EmbeddedTrees) -> None:
    text = "ice cream melts"
    (tree,) = parser.trees_of([text], parser.encoder.analyse([text]), [[(0, 9), (10, 15)]])
    check(text, tree)
    assert [token.text for token in tree] == ["ice cream", "melts"]


@pytest.mark.slow
def test_ewt(parser: EmbeddedTrees, shared_data: Path) -> None:
    gold = list(read_conllu(shared_data / "ud-ewt" / "test.conllu"))
    texts = [tree.text for tree in gold]
    encoded = parser.encoder.analyse(texts)
    words = [[(token.start, token.end) for token in tree] for tree in gold]
    trees = parser.trees_of(texts, encoded, words)
    assert all(tree.is_tree() for tree in trees)
    found = f1(gold, trees)
    assert found["words"] == 100
    floors = {"UAS": 90.0, "LAS": 87.5, "POS": 96.0, "lemma": 95.0}
    assert {name: found[name] for name in floors if found[name] < floors[name]} == {}
    from_text = f1(gold[::4], parser.trees_of(texts[::4], encoded[::4]))
    assert from_text["words"] > 97.5
    assert found["LAS"] - from_text["LAS"] < 3
