"""Lexical relations: values by hand, symmetry, spelling, and a damaged file."""

import pytest

from hybridsem.english.lexicon import LEAST_OPPOSED, LexicalRelation, Lexicon, lexicon

REVERSED = {"hyponym": "hypernym", "hypernym": "hyponym"} | {
    "entails": "entailed",
    "entailed": "entails",
}


@pytest.fixture(scope="module")
def words() -> Lexicon:
    return lexicon()


# antonyms: "moist" is similar to "wet" and "dry"; "glad" is a synonym of "happy"; the adjectives of
# the adverbs; "limit" is a kind of "decrease".
RELATIONS = {
    "same": "buy VERB buy VERB, Dog PROPN dog NOUN",
    "synonym": "buy VERB purchase VERB, physician NOUN doctor NOUN, e-mail NOUN email NOUN",
    "hyponym": "car NOUN vehicle NOUN",
    "antonym": "buy VERB sell VERB, man NOUN woman NOUN, quickly ADV slowly ADV, "
    "careful ADJ careless ADJ, moist ADJ arid ADJ, happy ADJ sad ADJ, "
    "jointly ADV separately ADV, increase VERB limit VERB",
    "sibling": "red ADJ blue ADJ, cat NOUN dog NOUN, guitar NOUN piano NOUN",
    "derived": "buy VERB buyer NOUN, run NOUN run VERB, quick ADJ quickly ADV",
    "entails": "snore VERB sleep VERB",
    "entailed": "sleep VERB snore VERB",
    "none": "dog NOUN theory NOUN, zzyzx NOUN dog NOUN, of ADP dog NOUN",
}


@pytest.mark.parametrize("expected", RELATIONS)
def test_relations(words: Lexicon, expected: str) -> None:
    for row in RELATIONS[expected].split(","):
        lemma1, pos1, lemma2, pos2 = row.split()
        kind, strength = words.relation(lemma1, pos1, lemma2, pos2)
        assert kind == expected, row
        assert strength == 0 if expected == "none" else 0 < strength <= 1
        back, equally = words.relation(lemma2, pos2, lemma1, pos1)
        assert back == REVERSED.get(expected, expected)
        assert equally == strength


def test_indirect_opposites_count_less(words: Lexicon) -> None:
    for first, direct, indirect in (
        ("large ADJ", "small", "little"),
        ("increase VERB", "decrease", "limit"),
    ):
        lemma, pos = first.split()
        near, far = (words.relation(lemma, pos, other, pos) for other in (direct, indirect))
        assert near[0] is far[0] is LexicalRelation.ANTONYM
        assert 0 < far[1] < near[1]
    assert words.relation("increase", "VERB", "limit", "VERB")[1] >= LEAST_OPPOSED


def test_relations_of_first_senses_count_most(words: Lexicon) -> None:
    assert words.relation("buy", "VERB", "sell", "VERB") == (LexicalRelation.ANTONYM, 1)
    common = words.relation("physician", "NOUN", "doctor", "NOUN")
    rare = words.relation("physician", "NOUN", "medico", "NOUN")
    assert common[1] >= rare[1] > words.relation("dog", "NOUN", "frank", "NOUN")[1] > 0


def test_words_of_a_family(words: Lexicon) -> None:
    assert words.derived("buyer", "NOUN") == {("buy", "v"): 1}
    assert words.derived("zzyzx", "NOUN") == {}


def test_opposites_that_were_learned(words: Lexicon) -> None:
    ours = [("cat", "NOUN"), ("build", "VERB"), ("deny", "VERB")]
    theirs = [("allow", "VERB"), ("destroy", "VERB"), ("dog", "NOUN"), ("construct", "VERB")]
    found = words.opposites(ours).among(words.opposites(theirs))
    assert sorted((i, j) for i, j, _ in found) == [(1, 1), (2, 0)]
    assert all(words.relation(*ours[i], *theirs[j]) == ("antonym", p) for i, j, p in found)


def test_concreteness(words: Lexicon) -> None:
    things, others = (
        [words.concreteness(noun) for noun in nouns.split()]
        for nouns in ("nurse hammer bear company", "hope increase control contest")
    )
    assert all(value is not None and value > 0.35 for value in things)
    assert all(value is not None and value < 0.35 for value in others)
    assert words.concreteness("nosuchword") is None


def test_kinds_at_any_depth() -> None:
    known = lexicon()
    assert known.kind_of("poodle", "NOUN", "animal", "NOUN") > 0.5
    assert known.kind_of("animal", "NOUN", "poodle", "NOUN") == 0
    assert known.kind_of("whisper", "VERB", "talk", "VERB") > 0
    assert known.kind_of("xyzzy", "NOUN", "animal", "NOUN") == 0
