"""What two sentences differ in is data, which every reader takes fields of; reasons are true."""

import json
import re

import pytest

from hybridsem import Pipeline
from hybridsem.comparison.edits import Words
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.triples import minimal_pairs, packaged_minimal_pairs
from hybridsem.judge import Label

QUOTED = re.compile(r'(?<![^ (])"(?P<text>.*?)"(?=[ ,.)]|$)')
WRITTEN_OUT = {"not", "ca", "wo", "sha"}
"""Tokens of contractions, that the texts have in another form."""


def test_an_edit_knows_its_tokens(structure: Pipeline) -> None:
    found = structure.explain("Ann flew from Paris.", "Ann flew to Paris.")
    data = json.loads(json.dumps(found.to_dict()))
    (line,) = (line for line in data["matches"] if line["term"] == "preposition opposed")
    (edit,) = line["edits"]
    assert (edit["kind"], edit["before"]["marker"]) == ("preposition opposed", "from")
    assert [found.structure1.tree[at].text for at in edit["before"]["tokens"]] == ["Paris"]
    assert found.matches[1].edits[0].inverted.after == Words((3,), marker="from", marks=(2,))


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    """Every seventh of the minimal pairs that are for development, with both partners."""
    items = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": "development"})).items
    found = []
    for item in items[::7]:
        found += [(item.sentence, item.paraphrase), (item.sentence, item.alteration)]
    return found


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def test_reasons_are_sentences_that_quote_the_texts(
    nlp: Pipeline, pairs: list[tuple[str, str]]
) -> None:
    judged = nlp.judge(pairs)
    assert sum(bool(one.reasons) for one in judged) > 0.9 * len(judged)
    for one in judged:
        first, second = words_of(one.sentence1), words_of(one.sentence2)
        for reason in one.reasons:
            quoted = [words_of(match["text"]) - WRITTEN_OUT for match in QUOTED.finditer(reason)]
            assert reason.endswith(".")
            assert reason.count('"') == 2 * len(quoted), reason
            assert set().union(*quoted) <= first | second, (one.sentence1, one.sentence2, reason)
            if reason.startswith("Only sentence 1 says") and "n't" not in one.sentence1:
                assert quoted[0] <= first, reason
                assert not quoted[0] <= second, reason


def test_the_same_words_are_the_same_words(nlp: Pipeline, pairs: list[tuple[str, str]]) -> None:
    for one in nlp.judge(pairs):
        if "The words are the same." in one.reasons:
            first, second = (
                sorted(re.findall(r"[\w']+", text.lower()))
                for text in (one.sentence1, one.sentence2)
            )
            assert first == second
            assert one.best is Label.SAME
