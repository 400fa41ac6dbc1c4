"""Over development pairs: a label agrees with the edits, and reasons are true of the texts."""

import re
from collections.abc import Iterator
from itertools import islice

import pytest
from support.blocks import rows
from support.commands import ROOT

from hybridsem import Pipeline
from hybridsem.comparison.edits import Edit, Kind
from hybridsem.comparison.logic import Relation, join
from hybridsem.datasets.plain_english import FOLDER
from hybridsem.english.harmless import proof
from hybridsem.facts.reading import read_facts
from hybridsem.facts.values import FactRelation, compare
from hybridsem.judge import Judgement, Label
from hybridsem.judge.derivation import derivations
from hybridsem.tables.records import records

PHRASES = ROOT / "models/phrases/pairs.tsv"
EVERY = 12
"""One of so many pairs of ``plain-english`` is judged."""
BOTH = re.compile(
    r'Sentence 1 says "(?P<first>.*)", sentence 2 "(?P<second>.*)"(?:, where .* applies)?\.'
)
JOINTS = re.compile('" and "|", "| … ')


def development() -> Iterator[tuple[str, str]]:
    for _, row in records(PHRASES):
        if row["part"] == "dev":
            yield str(row["sentence"]), str(row["paraphrase"])
            yield str(row["sentence"]), str(row["distractor"])
    plain = (row for _, row in records(FOLDER / "pairs.tsv") if row["part"] == "choose")
    for row in islice(plain, 0, None, EVERY):
        yield str(row["sentence1"]), str(row["sentence2"])


@pytest.fixture(scope="module")
def nlp(structure: Pipeline) -> Pipeline:
    """Without a pair reader."""
    return structure


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    return list(development())


@pytest.fixture(scope="module")
def judgements(nlp: Pipeline, pairs: list[tuple[str, str]]) -> list[Judgement]:
    """The most probable labels: all that a caller may ask for."""
    return nlp.judge(pairs, precision=0)


def edits(nlp: Pipeline, pairs: list[tuple[str, str]]) -> Iterator[tuple[Edit, ...]]:
    batch = nlp.reader.batch(pairs)
    for derived in derivations(nlp.combiner.compared(batch)):
        yield derived.edits


def test_same_has_no_open_edit(
    nlp: Pipeline, pairs: list[tuple[str, str]], judgements: list[Judgement]
) -> None:
    for judgement, between in zip(judgements, edits(nlp, pairs), strict=True):
        if (
            judgement.label is not Label.SAME
            or proof(judgement.sentence1, judgement.sentence2) is not None
        ):
            continue
        assert not any(edit.kind in (Kind.UNKNOWN, Kind.SIBLING) for edit in between), judgement
        assert join(edit.projected for edit in between) is Relation.EQUIVALENT, judgement


def test_no_judgement_is_without_a_reason(judgements: list[Judgement]) -> None:
    for judgement in judgements:
        assert judgement.reasons, judgement
        assert all(reason.strip() for reason in judgement.reasons), judgement


def test_what_each_sentence_says_is_in_its_text(judgements: list[Judgement]) -> None:
    replaced = 0
    for judgement in judgements:
        for match in filter(None, map(BOTH.fullmatch, judgement.reasons)):
            sides = match["first"], match["second"]
            sentences = judgement.sentence1, judgement.sentence2
            for side, sentence in zip(sides, sentences, strict=True):
                text = " ".join(sentence.replace('"', "").split()).casefold()
                assert all(part.casefold() in text for part in JOINTS.split(side)), judgement
            assert sides[0].casefold() != sides[1].casefold(), judgement
            values = [read_facts(side) for side in sides]
            short = max(len(side.split()) for side in sides) <= 4
            if short and len(values[0]) == len(values[1]) == 1:
                assert compare(values[0][0], values[1][0]) is not FactRelation.EQUAL, judgement
            replaced += 1
    assert replaced > len(judgements) / 10


@pytest.mark.parametrize(("one", "two"), rows(__file__, "differences that the label follows"))
def test_the_label_follows_the_edits(nlp: Pipeline, one: str, two: str) -> None:
    for judgement in (nlp.judge(one, two), nlp.judge(two, one)):
        assert judgement.label is not Label.SAME, judgement
        assert judgement.probabilities[Label.SAME] <= 1 / 2, judgement
        assert not any("words are the same" in reason for reason in judgement.reasons), judgement
