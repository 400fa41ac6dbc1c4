"""Facts are units of a sentence: aligned, charged, judged and quoted by their values."""

import pytest

from hybridsem import Pipeline
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.comparison.edits import Kind
from hybridsem.comparison.sentence import Sentence
from hybridsem.search.storage import Vocabulary, pack, unpack
from hybridsem.structures import RoleStructure

EQUAL = [
    ("The walk is 2 km long.", "The walk is 2,000 metres long.", "amount"),
    ("The film lasts 90 minutes.", "The film lasts an hour and a half.", "duration"),
    ("The shop opens at 15:30.", "The shop opens at half past three in the afternoon.", "time"),
    ("The ticket costs $5.", "The ticket costs five dollars.", "amount"),
    ("Three quarters of the seats are free.", "75 percent of the seats are free.", "share"),
    ("They met on 2021-05-03.", "They met on 3 May 2021.", "date"),
]
OTHER = [
    ("The firm paid $3 million.", "The firm paid $3 billion.", Kind.AMOUNT),
    ("The walk is 2 km long.", "The walk is 3 km long.", Kind.AMOUNT),
    ("The lesson starts at 9 a.m.", "The lesson starts at 9 p.m.", Kind.TIME),
    ("They met on 3 May 2021.", "They met on 3 May 2022.", Kind.TIME),
    ("We need Python 3.10 here.", "We need Python 3.1 here.", Kind.IDENTIFIER),
    ("Anna praised Berlin.", "Anna praised London.", Kind.NAME),
]


@pytest.fixture(scope="module")
def nlp(structure: Pipeline) -> Pipeline:
    """Without a pair reader."""
    return structure


def read(nlp: Pipeline, text: str) -> Sentence:
    parsed = nlp.parse(text)
    assert isinstance(parsed, RoleStructure)
    assert isinstance(nlp.combiner, HybridCombiner)
    return nlp.combiner.sentence(parsed)


@pytest.mark.parametrize(("one", "other", "kind"), EQUAL)
def test_an_equal_value_costs_nothing(nlp: Pipeline, one: str, other: str, kind: str) -> None:
    explanation, judgement = nlp.explain(one, other), nlp.judge(one, other)
    assert [match.label for match in explanation.matches] == ["whole sentence"]
    assert judgement.label == "same"
    assert any(reason.endswith(f"are the same {kind}.") for reason in judgement.reasons)


@pytest.mark.parametrize(("one", "other", "kind"), OTHER)
def test_another_value_is_charged_by_its_type(
    nlp: Pipeline, one: str, other: str, kind: Kind
) -> None:
    explanation = nlp.explain(one, other)
    assert kind in {edit.kind for match in explanation.matches for edit in match.edits}
    assert nlp.judge(one, other).label in ("contradicts", "differs")


@pytest.mark.parametrize(
    ("one", "other", "label"),
    [
        ("The bag weighs 7 kg.", "The bag weighs at least 5 kg.", "entails"),
        ("No bag weighs 7 kg.", "No bag weighs at least 5 kg.", "entailed"),
        ("The bag weighs 7 kg.", "The bag weighs at least 8 kg.", "contradicts"),
        ("They met on 3 May 2021.", "They met in May 2021.", "entails"),
        ("The walk is not 2 km long.", "The walk is not 2,000 metres long.", "same"),
    ],
)
def test_values_take_part_in_natural_logic(nlp: Pipeline, one: str, other: str, label: str) -> None:
    assert nlp.judge(one, other).label == label


def test_a_value_is_quoted_whole(nlp: Pipeline) -> None:
    judgement = nlp.judge("It took at least two hours.", "It took one hour.")
    assert 'Sentence 1 says "at least two hours", sentence 2 "one hour".' in judgement.reasons


def test_a_stored_sentence_keeps_its_values(nlp: Pipeline) -> None:
    vocabulary = Vocabulary()
    for text in (*(pair[0] for pair in EQUAL + OTHER), "Forty-five thousand people came."):
        sentence = read(nlp, text)
        again = unpack(pack(sentence, vocabulary), vocabulary)
        assert again.units == sentence.units
        assert again.weights.tolist() == sentence.weights.tolist()


def test_a_parse_has_facts_with_their_places(nlp: Pipeline) -> None:
    text = "The ticket cost $5 on 3 May 2021."
    parsed = nlp.parse(text)
    assert isinstance(parsed, RoleStructure)
    assert [text[fact.start : fact.end] for fact in parsed.facts] == ["$5", "3 May 2021"]
    assert [fact["type"] for fact in parsed.to_dict()["facts"]] == ["Money", "Date"]
