"""The rules of natural logic: their examples are their tests, and a wrong row is named."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hybridsem import Pipeline
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.comparison.logic import Relation, direction
from hybridsem.comparison.reading import read_sentence
from hybridsem.errors import FormatError
from hybridsem.judge import rules
from hybridsem.judge.contexts import LogicalSentence, logical
from hybridsem.judge.derivation import Derivation, derive
from hybridsem.structures import RoleStructure

SIGNS = {1: "+", -1: "-", 0: "0"}
CONTEXTS = [*rules.quantifiers().values(), *rules.makers()]


def read(nlp: Pipeline, text: str) -> LogicalSentence:
    parsed = nlp.parse(text)
    assert isinstance(parsed, RoleStructure)
    sentence = logical(read_sentence(parsed))
    assert sentence is not None
    return sentence


def derived(nlp: Pipeline, example: str) -> Derivation:
    first, second = example.split(" | ")[:2]
    batch = nlp.read([(first, second)])
    assert isinstance(nlp.combiner, HybridCombiner)
    (compared,) = nlp.combiner.compared(batch)
    assert compared is not None
    derivation = derive(compared)
    assert derivation is not None
    return derivation if compared.first == batch.pairs[0][0] else derivation.inverted


def rules_of(sentence: LogicalSentence) -> Iterator[str]:
    yield from (quantified.name for quantified in sentence.quantifiers)
    yield from (within.rule for around in sentence.contexts for within in around)


@pytest.mark.parametrize("rule", CONTEXTS, ids=lambda rule: rule.id)
def test_contexts_have_the_directions_of_their_examples(nlp: Pipeline, rule: rules.Row) -> None:
    for marked in rule.positive:
        text = " ".join(word[:-1] for word in marked.split()).replace(" ,", ",")
        sentence = read(nlp, text)
        found = [
            token.text + SIGNS[direction([each.context for each in around])]
            for token, around in zip(sentence.tree, sentence.contexts, strict=True)
        ]
        assert " ".join(found) == marked
        assert rule.id in rules_of(sentence)
    for text in rule.negative:
        assert rule.id not in rules_of(read(nlp, text)), text


@pytest.mark.parametrize("rule", rules.relations().values(), ids=lambda rule: rule.id)
def test_relations_hold_for_their_examples(nlp: Pipeline, rule: rules.RelationRule) -> None:
    for example in rule.positive:
        found, expected = derived(nlp, example), Relation(example.split(" | ", 2)[2])
        assert (found.relation, rule.id in {edit.rule for edit in found.edits}) == (
            expected,
            True,
        ), example
    for example in rule.negative:
        assert rule.id not in {edit.rule for edit in derived(nlp, example).edits}, example


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ('kind = "MODAL"', 'kind = "MOOD"', "key 'kind': one of .*, got 'MOOD'"),
        ('relation = "<"', 'relation = "<<"', "key 'relation': one of .*, got '<<'"),
        ("confidence = 0.6", "certainty = 0.6", "key '(certainty|confidence)': (unknown|missing)"),
        ('id = "hedge"', 'id = "head"', "rule 'head', key 'id': an id that no other rule has"),
    ],
)
def test_a_wrong_row_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str, why: str
) -> None:
    path = tmp_path / "relations.toml"
    path.write_text(rules.RELATIONS.read_text(encoding="utf-8").replace(before, after), "utf-8")
    monkeypatch.setattr(rules, "RELATIONS", path)
    with pytest.raises(FormatError, match=why):
        rules.relations.__wrapped__()
