"""Natural logic: contexts, the rules with their examples, relations of words and of sentences."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from support.blocks import cases, rows
from support.comparisons import derived, read_logical, signed

from hybridsem import Pipeline
from hybridsem.comparison.logic import JOINED, Context, Relation, direction, project
from hybridsem.english.signatures import SIGNATURES, Complement, signature
from hybridsem.errors import FormatError
from hybridsem.judge import rules
from hybridsem.judge.contexts import LogicalSentence
from hybridsem.judge.relations import of_quantifiers, of_words


@pytest.mark.parametrize("marked", *cases(__file__, "contexts.txt")[0].values)
def test_words_have_the_direction_of_their_contexts(nlp: Pipeline, marked: str) -> None:
    words = [token[:-1] for token in marked.split()]
    sentence = read_logical(nlp, " ".join(words).replace(" ,", ",").replace(" n't", "n't"))
    # Of "to" and the auxiliaries no more is asked than that they are marked.
    loose = {"to", "is", "are", "did", "do", "will", ","}
    pairs = zip(signed(sentence), marked.split(), strict=True)
    assert not [(one, two) for one, two in pairs if one != two and two[:-1] not in loose]


@pytest.mark.parametrize(
    ("relation", "within", "expected"), rows(__file__, "projections", "contexts.txt")
)
def test_relations_are_projected(relation: str, within: str, expected: str) -> None:
    assert project(Relation(relation), [Context[name] for name in within.split()]) == expected


@pytest.mark.parametrize("row", rows(__file__, "sentences and their quantifiers", "contexts.txt"))
def test_quantifiers_are_found_whole(nlp: Pipeline, row: list[str]) -> None:
    text, *names = row
    assert [one.name for one in read_logical(nlp, text).quantifiers] == names


def test_not_only_denies_nothing(nlp: Pipeline) -> None:
    assert not read_logical(nlp, "The soup is not only hot but good.").negators
    sentence = read_logical(nlp, "He is no longer here.")
    assert [sentence.forms[at] for at in sentence.negators.values()] == ["here"]


def test_any_is_every_where_nothing_licenses_it(nlp: Pipeline) -> None:
    for text, expected in (("Any boy sings.", -1), ("He saw no boy or any girl.", -1)):
        sentence = read_logical(nlp, text)
        word = next(at for at, form in enumerate(sentence.forms) if form in ("boy", "girl"))
        assert direction([one.context for one in sentence.contexts[word]]) == expected


CONTEXTS = [*rules.quantifiers().values(), *rules.makers()]


def rules_of(sentence: LogicalSentence) -> Iterator[str]:
    yield from (quantified.name for quantified in sentence.quantifiers)
    yield from (within.rule for around in sentence.contexts for within in around)


@pytest.mark.parametrize("rule", CONTEXTS, ids=lambda rule: rule.id)
def test_contexts_have_the_directions_of_their_examples(nlp: Pipeline, rule: rules.Row) -> None:
    for marked in rule.positive:
        text = " ".join(word[:-1] for word in marked.split()).replace(" ,", ",")
        sentence = read_logical(nlp, text)
        assert " ".join(signed(sentence)) == marked
        assert rule.id in rules_of(sentence)
    for text in rule.negative:
        assert rule.id not in rules_of(read_logical(nlp, text)), text


@pytest.mark.parametrize("rule", rules.relations().values(), ids=lambda rule: rule.id)
def test_relations_hold_for_their_examples(nlp: Pipeline, rule: rules.RelationRule) -> None:
    for example in rule.positive:
        one, two, relation = example.split(" | ", 2)
        found, expected = derived(nlp, one, two), Relation(relation)
        assert found.relation == expected, example
        assert rule.id in {edit.rule for edit in found.edits}, example
    for example in rule.negative:
        one, two = example.split(" | ")[:2]
        assert rule.id not in {edit.rule for edit in derived(nlp, one, two).edits}, example


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


EQ, FWD, REV, NEG, ALT, COV, IND = Relation


def test_joins_are_those_of_set_relations() -> None:
    """Against all sets over three things: of a, b and c every join that always holds is there."""
    sets = range(1, 7)  # neither empty nor all, as a relation of these says nothing

    def relation(a: int, b: int) -> Relation:
        if a == b:
            return EQ
        if a & b == a:
            return FWD
        if a & b == b:
            return REV
        if not a & b:
            return NEG if a | b == 7 else ALT
        return COV if a | b == 7 else IND

    found: dict[tuple[Relation, Relation], set[Relation]] = {}
    for a, b, c in product(sets, repeat=3):
        found.setdefault((relation(a, b), relation(b, c)), set()).add(relation(a, c))
    for (first, second), made in found.items():
        if JOINED[first][second] is not IND:
            assert made == {JOINED[first][second]} or len(made) < 3, (first, second, made)


def test_an_inverted_join_is_the_join_of_the_inverted() -> None:
    for first, second in product(Relation, repeat=2):
        assert JOINED[first][second].inverted == JOINED[second.inverted][first.inverted]


@pytest.mark.parametrize("row", rows(__file__, "words", "relations.txt"))
def test_words_are_related_by_wordnet(row: list[str]) -> None:
    word1, tag, word2, expected = row
    assert of_words(word1, tag, word2, tag)[0] == expected


@pytest.mark.parametrize(("one", "two", "expected"), rows(__file__, "quantifiers", "relations.txt"))
def test_quantifiers_are_related_by_what_they_are_true_of(
    one: str, two: str, expected: str
) -> None:
    (name1, number1), (name2, number2) = (
        (text.rstrip(" 0123456789"), float(text.split()[-1]) if text[-1].isdigit() else None)
        for text in (one, two)
    )
    assert of_quantifiers(name1, number1, name2, number2) == expected
    assert of_quantifiers(name2, number2, name1, number1) == Relation(expected).inverted


def test_signatures_have_two_signs() -> None:
    assert len({word for word, _ in SIGNATURES}) >= 200
    assert {sign for known in SIGNATURES.values() for sign in known} == {*"+-o"}
    assert signature("manage", Complement.TO) == "+-"
    assert signature("banana", Complement.TO) is None


@pytest.mark.parametrize(("one", "two", "expected"), rows(__file__, "sentences", "relations.txt"))
def test_sentences_are_related_by_their_edits(
    nlp: Pipeline, one: str, two: str, expected: str
) -> None:
    assert derived(nlp, one, two).relation == expected
    assert derived(nlp, two, one).relation == Relation(expected).inverted
