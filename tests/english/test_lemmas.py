"""Lemmas: spelling rules, the shipped table, and that nothing else is needed."""

import json
from pathlib import Path

import pytest
from support.blocks import cases

from hybridsem._utils.weights import weight_file
from hybridsem.english.lemmas import MAX_LENGTH, Lemmatiser, lemmatiser, rule_lemma
from hybridsem.parsers.trees.conllu import read_conllu


@pytest.fixture(scope="module")
def table() -> dict[str, dict[str, str]]:
    return json.loads(weight_file("lemmas.json"))


@pytest.fixture(scope="module")
def lemma() -> Lemmatiser:
    return lemmatiser()


@pytest.mark.parametrize("lines", cases(__file__, "lemmas.txt"))
def test_forms(lemma: Lemmatiser, lines: list[str], request: pytest.FixtureRequest) -> None:
    regular = "rules" in request.node.name
    for line in lines:
        pos, *pairs = line.split()
        for form, expected in (pair.split(":") for pair in pairs):
            assert (rule_lemma(form, pos) == expected) == regular, (pos, form)
            assert lemma(form, pos) == expected


def test_the_table_goes_before_the_rules() -> None:
    lemma = Lemmatiser(
        {"NOUN": {"gloss": "glosses glossae", "Swede": "swedes"}, "VERB": {"go": "wend"}}
    )
    found = [lemma(form, "NOUN") for form in ("glossae", "Glosses", "swedes", "dresses")]
    assert found == ["gloss", "gloss", "Swede", "dress"]
    assert lemma("wend", "VERB") == lemma("wend", "AUX") == "go"
    assert lemma("wend", "NOUN") == "wend"


def test_of_a_hyphenated_word_the_last_part_is_inflected(lemma: Lemmatiser) -> None:
    assert lemma("Co-Workers", "NOUN") == "co-worker"
    assert lemma("re-wrote", "VERB") == lemma("re-wrote", "AUX") == "re-write"
    assert lemma("mothers-in-law", "NOUN") == "mother-in-law"
    assert [lemma(form, "NOUN") for form in ("-", "--", "a-", "-s")] == ["-", "--", "a-", "-s"]


def test_the_table_holds_only_what_the_rules_get_wrong(table: dict[str, dict[str, str]]) -> None:
    rules = Lemmatiser({})
    entries = [
        (form, pos, lemma)
        for pos in table
        for lemma, forms in table[pos].items()
        for form in forms.split()
    ]
    assert len(entries) == len({(form, pos) for form, pos, _ in entries}) > 1500
    assert all(entry[0] == entry[0].lower() for entry in entries)
    assert not any(rules(*entry[:2]) == entry[2] for entry in entries)


def test_a_word_without_end_is_left_alone(lemma: Lemmatiser) -> None:
    long = "y" * 200_000 + "uses"
    assert lemma(long, "NOUN") == lemma(long, "VERB") == long
    assert lemma("x" * (MAX_LENGTH - 1) + "s", "NOUN") == "x" * (MAX_LENGTH - 1)


@pytest.mark.parametrize("part", ["dev", "test"])
def test_accuracy_on_the_treebank(lemma: Lemmatiser, shared_data: Path, part: str) -> None:
    tokens = [
        token for tree in read_conllu(shared_data / "ud-ewt" / f"{part}.conllu") for token in tree
    ]
    right = sum(lemma(token.text, token.pos).lower() == token.lemma.lower() for token in tokens)
    assert right / len(tokens) >= 0.985
