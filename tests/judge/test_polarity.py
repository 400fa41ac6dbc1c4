"""Polarity: the direction of every word of a tree."""

from __future__ import annotations

import pytest
from support.blocks import cases, rows

from hybridsem import Pipeline
from hybridsem.judge.polarity import (
    Context,
    Relation,
    contexts,
    direction,
    negators,
    project,
    quantifiers,
)
from hybridsem.structures import DependencyTree

SIGNS = {1: "+", -1: "-", 0: "0"}


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return Pipeline()


def tree_of(nlp: Pipeline, text: str) -> DependencyTree:
    tree = nlp.parse([text])[0].tree
    assert tree is not None
    return tree


@pytest.mark.parametrize("marked", *cases(__file__, "polarity.txt")[0].values)
def test_words_have_the_direction_of_their_contexts(nlp: Pipeline, marked: str) -> None:
    words = [token[:-1] for token in marked.split()]
    tree = tree_of(nlp, " ".join(words).replace(" ,", ",").replace(" n't", "n't"))
    found = [
        token.text + SIGNS[direction([one.context for one in within])]
        for token, within in zip(tree, contexts(tree), strict=True)
    ]
    # Of "to" and the auxiliaries no more is asked than that they are marked.
    loose = {"to", "is", "are", "did", "do", "will", ","}
    pairs = zip(found, marked.split(), strict=True)
    assert not [(one, two) for one, two in pairs if one != two and two[:-1] not in loose]


@pytest.mark.parametrize(
    ("relation", "within", "expected"), rows(__file__, "projections", "polarity.txt")
)
def test_relations_are_projected(relation: str, within: str, expected: str) -> None:
    assert project(Relation(relation), [Context[name] for name in within.split()]) == expected


@pytest.mark.parametrize("row", rows(__file__, "sentences and their quantifiers", "polarity.txt"))
def test_quantifiers_are_found_whole(nlp: Pipeline, row: list[str]) -> None:
    text, *names = row
    assert [one.name for one in quantifiers(tree_of(nlp, text))] == names


def test_not_only_denies_nothing(nlp: Pipeline) -> None:
    assert not negators(tree_of(nlp, "The soup is not only hot but good."))
    tree = tree_of(nlp, "He is no longer here.")
    assert [tree[at].text for at in negators(tree).values()] == ["here"]


def test_any_is_every_where_nothing_licenses_it(nlp: Pipeline) -> None:
    for text, expected in (("Any boy sings.", -1), ("He saw no boy or any girl.", -1)):
        tree = tree_of(nlp, text)
        word = next(at for at, token in enumerate(tree) if token.text in ("boy", "girl"))
        assert direction([one.context for one in contexts(tree)[word]]) == expected
