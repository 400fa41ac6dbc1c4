"""Converses and symmetric predicates: values by hand, both directions, and well-formed tables."""

from itertools import product

import pytest
from support.commands import ROOT

from hybridsem._utils.tables import word_set
from hybridsem.english.lexicon import Lexicon, lexicon
from hybridsem.english.predicate_forms import Converse, Symmetry

TABLES = ROOT / "models/lexicon"
PLACES = word_set(
    "subject object iobj than about against at by for from in of on over to upon with"
)


@pytest.fixture(scope="module")
def words() -> Lexicon:
    return lexicon()


UNLISTED = {"licensor", "superset", "coworker", "soulmate", "tangent", "associated"}
"""Words of the tables that WordNet lacks, at least with that tag."""


def known(words: Lexicon, lemma: str, pos: str) -> bool:
    return pos == "ADP" or lemma in UNLISTED or (lemma.replace("_", " "), pos) in words


def place(*names: str) -> frozenset[str]:
    return frozenset(names)


def test_places_of_buying_and_selling(words: Lexicon) -> None:
    form = words.converse("buy", "VERB", "sell", "VERB")
    assert form == Converse(
        (
            (place("subject"), place("to", "iobj")),
            (place("object"), place("object")),
            (place("from"), place("subject")),
        )
    )
    assert words.converse("sell", "VERB", "buy", "VERB") == form.reversed
    assert form.reversed.reversed == form
    assert form.reversed.places[0] == (place("to", "iobj"), place("subject"))


CONVERSES = """
    lend VERB borrow VERB from, give VERB receive VERB from, defeat VERB lose VERB to,
    follow VERB precede VERB object, employ VERB work VERB for, frighten VERB fear VERB object,
    cause VERB result VERB from, pupil NOUN teacher NOUN of, husband PROPN wife NOUN of,
    before SCONJ after ADP object, above ADP below ADP object, contain VERB in ADP object,
    big ADJ small ADJ than, more ADV less ADV than
"""


@pytest.mark.parametrize("row", CONVERSES.split(","))
def test_converses(words: Lexicon, row: str) -> None:
    lemma1, pos1, lemma2, pos2, from_subject = row.split()
    form = words.converse(lemma1, pos1, lemma2, pos2)
    [reached] = [second for first, second in form.places if "subject" in first]
    assert from_subject in reached
    back = words.converse(lemma2, pos2, lemma1, pos1)
    assert set(back.places) == set(form.reversed.places)


# The first three are another event, not the same one from another side.
OTHERS = (
    "rise fall VERB, love hate VERB, open close VERB, buy eat VERB, tall red ADJ, man woman NOUN"
)


def test_what_is_no_converse(words: Lexicon) -> None:
    for row in OTHERS.split(","):
        first, second, pos = row.split()
        assert words.converse(first, pos, second, pos) is None


SYMMETRIC = """
    meet VERB, marry VERB, border VERB, differ VERB, collide VERB, cousin NOUN, neighbour NOUN,
    marriage NOUN, similar ADJ, equal ADJ, different ADJ, next to ADP
"""
ASYMMETRIC = "kiss VERB, love VERB, defeat VERB, parent NOUN, tall ADJ, xyzzy VERB"


@pytest.mark.parametrize(("rows", "symmetric"), [(SYMMETRIC, True), (ASYMMETRIC, False)])
def test_symmetric(words: Lexicon, rows: str, symmetric: bool) -> None:
    for row in rows.split(","):
        lemma, pos = row.strip().rsplit(" ", 1)
        assert words.symmetric(lemma, pos) == words.symmetric(lemma.upper(), pos) == symmetric
        assert bool(words.symmetries(lemma, pos)) == symmetric
        assert all(form.first != form.second for form in words.symmetries(lemma, pos))


def test_places_of_symmetric_predicates(words: Lexicon) -> None:
    assert set(words.symmetries("mix", "VERB")) == {
        Symmetry(place("subject"), place("with")),
        Symmetry(place("object"), place("with")),
    }
    assert words.symmetries("border", "VERB") == (Symmetry(place("subject"), place("object")),)


def test_tables_are_well_formed(words: Lexicon) -> None:
    """Places are known, and words are in the lexicon where their class is open."""
    seen = set()
    for line in (TABLES / "converses.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        pos1, words1, pos2, words2, places, evidence = line.split("\t")
        assert {name for pair in places.replace("=", " ").split() for name in pair.split("|")} <= (
            PLACES
        )
        assert evidence
        for lemma1, lemma2 in product(words1.split(), words2.split()):
            assert (lemma1, pos1, lemma2, pos2) not in seen, "given twice"
            seen.add((lemma1, pos1, lemma2, pos2))
            assert known(words, lemma1, pos1), lemma1
            assert known(words, lemma2, pos2), lemma2
            form = words.converse(lemma1.replace("_", " "), pos1, lemma2.replace("_", " "), pos2)
            assert len(form.places) == len(places.split())
    for line in (TABLES / "symmetric.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        pos, lemmas, places, evidence = line.split("\t")
        assert evidence
        assert {name for pair in places.split() for name in pair.split("|")} <= PLACES
        for lemma in lemmas.split():
            assert known(words, lemma, pos), lemma
            assert words.symmetric(lemma.replace("_", " "), pos)
