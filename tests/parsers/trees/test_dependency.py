"""Dependency structures: paths of relations, the same across constructions."""

import pytest
from support.evaluated import part
from support.trees import tree

from hybridsem.parsers.trees.dependency import DependencyParser, structure
from hybridsem.structures import ParseFailure


def words(text: str) -> dict[str, tuple[str, ...]]:
    return {path: filler.words for path, filler in structure(tree(text)).roles.items()}


ACTIVE = (
    "A/DET/det/3 tiny/ADJ/amod/3 cat/NOUN/nsubj/4 chased/VERB/root/0 the/DET/det/6 dog/NOUN/obj/4"
)
PASSIVE = (
    "the/DET/det/2 dog/NOUN/nsubj:pass/4 was/AUX/aux:pass/4 chased/VERB/root/0 by/ADP/case/8 "
    "a/DET/det/8 tiny/ADJ/amod/8 cat/NOUN/obl:agent/4"
)


def test_paths_are_those_of_the_active_in_a_passive() -> None:
    expected = {"root": ("chased",), "nsubj": ("cat",), "nsubj:amod": ("tiny",), "obj": ("dog",)}
    assert words(ACTIVE) == words(PASSIVE) == expected
    assert structure(tree(PASSIVE)).main.voice == "passive"


@pytest.mark.parametrize(
    "sentence",
    [
        "Ann/PROPN/nsubj/2 gave/VERB/root/0 Bob/PROPN/iobj/2 coats/NOUN/obj/2",
        "Ann/PROPN/nsubj/2 gave/VERB/root/0 coats/NOUN/obj/2 to/ADP/case/5 Bob/PROPN/obl/2",
        (
            "Bob/PROPN/nsubj:pass/3 was/AUX/aux:pass/3 gave/VERB/root/0 coats/NOUN/obj/3 "
            "by/ADP/case/6 Ann/PROPN/obl/3"
        ),
        "coats/NOUN/nsubj:pass/3 were/AUX/aux:pass/3 gave/VERB/root/0 to/ADP/case/5 "
        "Bob/PROPN/obl/3 by/ADP/case/7 Ann/PROPN/obl:agent/3",
    ],
)
def test_dative_shift(sentence: str) -> None:
    expected = {"root": "gave", "nsubj": "ann", "iobj": "bob", "obj": "coats"}
    assert words(sentence) == {path: (word,) for path, word in expected.items()}


def test_conjuncts_share_a_path() -> None:
    of = tree("Owls/NOUN/nsubj/4 and/CCONJ/cc/3 bats/NOUN/conj/1 fly/VERB/root/0")
    found = structure(of).roles["nsubj"]
    assert found.words == ("owls", "bats")
    assert (found.text, found.tokens, found.head) == ("Owls bats", (0, 2), 0)


def test_pronouns_count_where_they_are_arguments() -> None:
    found = words("He/PRON/nsubj/2 saw/VERB/root/0 her/PRON/nmod:poss/4 aunt/NOUN/obj/2")
    assert found == {"root": ("saw",), "nsubj": ("he",), "obj": ("aunt",)}


def test_polarity_and_modality() -> None:
    of = tree("I/PRON/nsubj/4 could/AUX/aux/4 not/PART/advmod/4 sleep/VERB/root/0")
    main = structure(of).main
    assert (main.negated, main.modality, main.voice) == (True, "can", "active")
    of = tree("I/PRON/nsubj/4 do/AUX/aux/4 nt|not/PART/advmod/4 sleep/VERB/root/0")
    assert structure(of).main.negated
    of = tree("They/PRON/nsubj/3 'd|have/AUX/aux/3 sold|sell/VERB/root/0 NT|NT/PROPN/obj/3")
    assert (structure(of).main.negated, structure(of).main.modality) == (False, None)


def test_parser_keeps_failures_in_place() -> None:
    trees = part(trees=lambda sentences: [ParseFailure("", "blank"), tree(ACTIVE)])
    first, second = DependencyParser(trees).parse(["", ACTIVE])
    assert first == ParseFailure("", "blank")
    assert second.formalism == "dependency"
