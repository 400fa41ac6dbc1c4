"""Contexts: the direction of every word of a sentence."""

import pytest
from support.blocks import cases, rows

from hybridsem import Pipeline
from hybridsem.comparison.logic import Context, Relation, direction, project
from hybridsem.comparison.reading import read_sentence
from hybridsem.judge.contexts import LogicalSentence, logical

SIGNS = {1: "+", -1: "-", 0: "0"}


def read(nlp: Pipeline, text: str) -> LogicalSentence:
    sentence = logical(read_sentence(nlp.parse(text)))
    assert sentence is not None
    return sentence


@pytest.mark.parametrize("marked", *cases(__file__, "contexts.txt")[0].values)
def test_words_have_the_direction_of_their_contexts(nlp: Pipeline, marked: str) -> None:
    words = [token[:-1] for token in marked.split()]
    sentence = read(nlp, " ".join(words).replace(" ,", ",").replace(" n't", "n't"))
    found = [
        token.text + SIGNS[direction([one.context for one in within])]
        for token, within in zip(sentence.tree, sentence.contexts, strict=True)
    ]
    # Of "to" and the auxiliaries no more is asked than that they are marked.
    loose = {"to", "is", "are", "did", "do", "will", ","}
    pairs = zip(found, marked.split(), strict=True)
    assert not [(one, two) for one, two in pairs if one != two and two[:-1] not in loose]


@pytest.mark.parametrize(
    ("relation", "within", "expected"), rows(__file__, "projections", "contexts.txt")
)
def test_relations_are_projected(relation: str, within: str, expected: str) -> None:
    assert project(Relation(relation), [Context[name] for name in within.split()]) == expected


@pytest.mark.parametrize("row", rows(__file__, "sentences and their quantifiers", "contexts.txt"))
def test_quantifiers_are_found_whole(nlp: Pipeline, row: list[str]) -> None:
    text, *names = row
    assert [one.name for one in read(nlp, text).quantifiers] == names


def test_not_only_denies_nothing(nlp: Pipeline) -> None:
    assert not read(nlp, "The soup is not only hot but good.").negators
    sentence = read(nlp, "He is no longer here.")
    assert [sentence.forms[at] for at in sentence.negators.values()] == ["here"]


def test_any_is_every_where_nothing_licenses_it(nlp: Pipeline) -> None:
    for text, expected in (("Any boy sings.", -1), ("He saw no boy or any girl.", -1)):
        sentence = read(nlp, text)
        word = next(at for at, form in enumerate(sentence.forms) if form in ("boy", "girl"))
        assert direction([one.context for one in sentence.contexts[word]]) == expected
