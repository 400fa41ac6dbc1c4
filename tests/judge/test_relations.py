"""Natural logic: relations of words, quantifiers, edits, and of sentences by joining them."""

from itertools import product

import pytest
from support.blocks import rows

from hybridsem import Pipeline
from hybridsem.comparison.logic import JOINED, Relation
from hybridsem.english.signatures import SIGNATURES, Complement, signature
from hybridsem.judge.derivation import Derivation, derivations
from hybridsem.judge.relations import of_quantifiers, of_words

EQ, FWD, REV, NEG, ALT, COV, IND = Relation


def derived(nlp: Pipeline, pair: tuple[str, str]) -> Derivation:
    batch = nlp.reader.batch([pair])
    compared = nlp.combiner.compared(batch)  # type: ignore[attr-defined]
    (found,) = derivations(compared)
    assert found is not None
    return found if compared[0].first == batch.pairs[0][0] else found.inverted


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
    assert derived(nlp, (one, two)).relation == expected
    assert derived(nlp, (two, one)).relation == Relation(expected).inverted
