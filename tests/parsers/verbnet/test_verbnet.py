"""VerbNet-style roles from dependency trees: one construction a test, then what holds for every
tree.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from support.trees import any_tree, roles, tree

from hybridsem.english.words import ASPECTUAL_VERBS, SEMI_MODALS
from hybridsem.parsers.trees.clauses import Clauses
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.phrases import Phrases
from hybridsem.parsers.verbnet import rules as verbnet
from hybridsem.structures import DependencyTree, Frame, ParseFailure, Role, RoleStructure, Token

EWT = Path(__file__).parents[4] / "shared" / "data" / "ud-ewt" / "dev.conllu"


def main(text: str) -> Frame:
    return verbnet.frames(tree(text))[0]


def test_active_and_passive_have_the_same_roles() -> None:
    active = main(
        "The/DET/det/2 cat/NOUN/nsubj/3 chased|chase/VERB/root/0 a/DET/det/5 mouse/NOUN/obj/3"
    )
    passive = main(
        "A/DET/det/2 mouse/NOUN/nsubj:pass/4 was|be/AUX/aux:pass/4 chased|chase/VERB/root/0 "
        "by/ADP/case/7 the/DET/det/7 cat/NOUN/obl:agent/4"
    )
    assert roles(active) == {"Verb": "chased", "Agent": "The cat", "Patient": "a mouse"}
    assert roles(passive) == {"Verb": "chased", "Agent": "by the cat", "Patient": "A mouse"}
    assert passive.fillers[Role.AGENT].words == active.fillers[Role.AGENT].words == ("cat",)
    assert (active.voice, passive.voice) == ("active", "passive")


def test_passive_without_agent() -> None:
    frame = main(
        "The/DET/det/2 bridge/NOUN/nsubj:pass/4 was|be/AUX/aux:pass/4 "
        "destroyed|destroy/VERB/root/0 by/ADP/case/6 "
        "Monday/PROPN/obl/4"
    )
    assert roles(frame) == {"Verb": "destroyed", "Patient": "The bridge", "Time": "by Monday"}


def test_get_passive_and_by_phrase_on_the_wrong_noun() -> None:
    frame = main(
        "Tim/PROPN/nsubj:pass/3 got|get/AUX/aux:pass/3 handed|hand/VERB/root/0 a/DET/det/5 "
        "note/NOUN/obj/3 "
        "by/ADP/case/7 Sue/PROPN/nmod/5"
    )
    assert roles(frame) == {
        "Verb": "handed",
        "Agent": "by Sue",
        "Patient": "Tim",
        "Theme": "a note",
    }
    assert frame.voice == "passive"


@pytest.mark.parametrize(
    "sentence",
    [
        "Ann/PROPN/nsubj/2 gave|give/VERB/root/0 Bob/PROPN/iobj/2 a/DET/det/5 coat/NOUN/obj/2",
        "Ann/PROPN/nsubj/2 gave|give/VERB/root/0 Bob/PROPN/obj/2 a/DET/det/5 coat/NOUN/obj/2",
        (
            "Ann/PROPN/nsubj/2 gave|give/VERB/root/0 a/DET/det/4 coat/NOUN/obj/2 to/ADP/case/6 "
            "Bob/PROPN/obl/2"
        ),
        "a/DET/det/2 coat/NOUN/nsubj:pass/4 was|be/AUX/aux:pass/4 given|give/VERB/root/0 "
        "to/ADP/case/6 "
        "Bob/PROPN/obl/4 by/ADP/case/8 Ann/PROPN/obl:agent/4",
        "Bob/PROPN/nsubj:pass/3 was|be/AUX/aux:pass/3 given|give/VERB/root/0 a/DET/det/5 "
        "coat/NOUN/obj/3 "
        "by/ADP/case/7 Ann/PROPN/obl:agent/3",
    ],
)
def test_dative_shift(sentence: str) -> None:
    words = {str(role): filler.words for role, filler in main(sentence).fillers.items()}
    del words["Verb"]
    assert words == {"Agent": ("ann",), "Patient": ("bob",), "Theme": ("coat",)}


def test_phrasal_verb_is_one_verb_even_when_split() -> None:
    frame = main(
        "She/PRON/nsubj/2 tore|tear/VERB/root/0 the/DET/det/4 list/NOUN/obj/2 up/ADP/compound:prt/2"
    )
    assert frame.predicate == "tear up"
    verb = frame.fillers[Role.VERB]
    assert (verb.text, verb.words, verb.tokens, verb.head) == ("tore up", ("tore", "up"), (1, 4), 1)
    assert roles(frame)["Theme"] == "the list"


def test_copulas() -> None:
    was = main(
        "The/DET/det/2 soup/NOUN/nsubj/5 was|be/AUX/cop/5 very/ADV/advmod/5 salty/ADJ/root/0"
    )
    assert roles(was) == {"Verb": "was", "Patient": "The soup", "Theme": "very salty"}
    assert was.predicate == "be"
    became = main("The/DET/det/2 soup/NOUN/nsubj/3 became|become/VERB/root/0 cold/ADJ/xcomp/3")
    assert roles(became) == {"Verb": "became", "Patient": "The soup", "Theme": "cold"}
    place = main("Ann/PROPN/nsubj/5 is|be/AUX/cop/5 in/ADP/case/5 the/DET/det/5 garden/NOUN/root/0")
    assert roles(place) == {"Verb": "is", "Patient": "Ann", "Location": "in the garden"}
    day = main("The/DET/det/2 party/NOUN/nsubj/5 is|be/AUX/cop/5 on/ADP/case/5 Friday/PROPN/root/0")
    assert roles(day) == {"Verb": "is", "Patient": "The party", "Time": "on Friday"}


def test_existential_there() -> None:
    there = main(
        "There/PRON/expl/2 is|be/VERB/root/0 a/DET/det/4 spider/NOUN/nsubj/2 in/ADP/case/7 "
        "the/DET/det/7 "
        "bath/NOUN/obl/2"
    )
    assert roles(there) == {"Verb": "is", "Theme": "a spider", "Location": "in the bath"}
    seems = main(
        "There/PRON/expl/2 seems|seem/VERB/root/0 to/PART/mark/4 be/VERB/xcomp/2 a/DET/det/6 "
        "spider/NOUN/nsubj/4"
    )
    assert roles(seems) == {"Verb": "seems to be", "Theme": "a spider"}
    doing = main(
        "There/PRON/expl/2 is|be/VERB/root/0 a/DET/det/4 spider/NOUN/nsubj/2 "
        "eating|eat/VERB/acl/4 a/DET/det/7 "
        "fly/NOUN/obj/5"
    )
    assert roles(doing) == {"Verb": "eating", "Agent": "a spider", "Patient": "a fly"}


def test_obliques_and_adverbs_by_role() -> None:
    frame = main(
        "Yesterday/NOUN/obl:tmod/4 the/DET/det/3 child/NOUN/nsubj/4 walked|walk/VERB/root/0 "
        "slowly/ADV/advmod/4 "
        "through/ADP/case/8 the/DET/det/8 woods/NOUN/obl/4 to/ADP/case/11 the/DET/det/11 "
        "lake/NOUN/obl/4"
    )
    assert roles(frame) == {
        "Verb": "walked",
        "Agent": "the child",
        "Time": "Yesterday",
        "Manner": "slowly",
        "Location": "to the lake",
        "Trajectory": "through the woods",
    }


@pytest.mark.parametrize(
    ("verb", "preposition", "noun", "role"),
    [
        ("sit", "in", "chair", "Location"),
        ("sit", "in", "silence", "Manner"),
        ("sit", "in", "summer", "Time"),
        ("rely", "on", "luck", "Theme"),
        ("sleep", "on", "grass", "Location"),
        ("speak", "about", "art", "Theme"),
        ("talk", "with", "nurse", "Patient"),
        ("eat", "with", "fork", "Manner"),
        ("run", "across", "field", "Trajectory"),
        ("send", "to", "teacher", "Patient"),
        ("send", "to", "town", "Location"),
        ("sleep", "until", "sunrise", "Time"),
        ("wait", "for", "hour", "Time"),
        ("turn", "into", "frog", "Theme"),
        ("sit", "in", "sun", "Location"),
        ("drive", "to", "station", "Location"),
        ("eat", "w/", "fork", "Manner"),
        ("sell", "for", "$", "Manner"),
    ],
)
def test_prepositions(verb: str, preposition: str, noun: str, role: str) -> None:
    frame = main(f"We/PRON/nsubj/2 {verb}/VERB/root/0 {preposition}/ADP/case/4 {noun}/NOUN/obl/2")
    assert roles(frame)[role] == f"{preposition} {noun}"


def test_a_day_by_its_short_name() -> None:
    frame = main("We/PRON/nsubj/2 met|meet/VERB/root/0 on/ADP/case/4 Sun/PROPN/obl/2")
    assert roles(frame)["Time"] == "on Sun"


def test_what_parsers_call_a_passive() -> None:
    melted = main("The/DET/det/2 ice/NOUN/nsubj:pass/3 melted|melt/VERB/root/0")
    assert (melted.voice, roles(melted)["Patient"]) == ("active", "The ice")
    text = "Two/NUM/nsubj:pass/2 killed|kill/VERB/root/0 by/ADP/case/4 rebels|rebel/NOUN/obl/2"
    assert (main(text).voice, roles(main(text))["Agent"]) == ("passive", "by rebels")
    fell = "Prices/NOUN/nsubj:pass/2 cut/VERB/root/0 by/ADP/case/4 %/SYM/obl/2"
    assert roles(main(fell)) == {"Verb": "cut", "Patient": "Prices", "Manner": "by %"}


def test_two_phrases_of_a_role_share_it() -> None:
    frame = main(
        "Owls/NOUN/nsubj/2 sleep/VERB/root/0 in/ADP/case/4 barns/NOUN/obl/2 at/ADP/case/6 "
        "home/NOUN/obl/2 "
        "today/NOUN/obl:tmod/2"
    )
    assert frame.fillers[Role.LOCATION].text == "in barns at home"
    assert frame.fillers[Role.LOCATION].words == ("barns", "home")


def test_unaccusative_subject_is_a_patient() -> None:
    alone = main("The/DET/det/2 ice/NOUN/nsubj/3 melted|melt/VERB/root/0")
    caused = main("Salt/NOUN/nsubj/2 melted|melt/VERB/root/0 the/DET/det/4 ice/NOUN/obj/2")
    assert alone.fillers[Role.PATIENT].words == caused.fillers[Role.PATIENT].words == ("ice",)
    assert roles(caused)["Agent"] == "Salt"


def test_psych_verbs_keep_the_stimulus_as_agent() -> None:
    assert roles(main("Bats/NOUN/nsubj/2 frighten/VERB/root/0 Max/PROPN/obj/2")) == {
        "Verb": "frighten",
        "Agent": "Bats",
        "Patient": "Max",
    }


def test_negation_and_modality() -> None:
    frame = main("He/PRON/nsubj/4 ca|can/AUX/aux/4 n't|not/PART/advmod/4 swim/VERB/root/0")
    assert (frame.negated, frame.modality, roles(frame)) == (
        True,
        "can",
        {"Verb": "swim", "Agent": "He"},
    )
    assert main("No/DET/det/2 pupil/NOUN/nsubj/3 failed|fail/VERB/root/0").negated
    assert main("Nobody/PRON/nsubj/2 came|come/VERB/root/0").negated
    assert not main("Everybody/PRON/nsubj/2 came|come/VERB/root/0").negated
    assert main(
        "Neither/CCONJ/cc:preconj/2 boys|boy/NOUN/nsubj/4 nor/CCONJ/cc/2 won|win/VERB/root/0"
    ).negated
    assert main(
        "He/PRON/nsubj/4 no/ADV/advmod/3 longer/ADV/advmod/4 smokes|smoke/VERB/root/0"
    ).negated
    assert not main("No/INTJ/discourse/3 he/PRON/nsubj/3 came|come/VERB/root/0").negated
    assert not main("He/PRON/nsubj/2 said|say/VERB/root/0 no/INTJ/obj/2").negated
    never = main("She/PRON/nsubj/3 never/ADV/advmod/3 lies|lie/VERB/root/0")
    assert never.negated
    assert roles(never) == {"Verb": "lies", "Agent": "She"}


def test_have_to_and_start_to_are_part_of_the_predicate() -> None:
    has = verbnet.frames(
        tree(
            "Sue/PROPN/nsubj/2 has|have/VERB/root/0 to/PART/mark/4 sell/VERB/xcomp/2 "
            "the/DET/det/6 farm/NOUN/obj/4"
        )
    )
    assert len(has) == 1
    assert (has[0].predicate, has[0].modality) == ("sell", "have")
    assert roles(has[0]) == {"Verb": "sell", "Agent": "Sue", "Theme": "the farm"}
    began = main("Sue/PROPN/nsubj/2 began|begin/VERB/root/0 to/PART/mark/4 sing/VERB/xcomp/2")
    assert (began.predicate, began.fillers[Role.VERB].words) == ("sing", ("began", "sing"))


def test_clausal_complement_fills_a_role_and_has_a_frame() -> None:
    wants, paints = verbnet.frames(
        tree(
            "Sue/PROPN/nsubj/2 wants|want/VERB/root/0 to/PART/mark/4 paint/VERB/xcomp/2 "
            "walls|wall/NOUN/obj/4"
        )
    )
    assert roles(wants) == {"Verb": "wants", "Agent": "Sue", "Theme": "to paint walls"}
    assert wants.fillers[Role.THEME].words == ("paint", "walls")
    assert roles(paints) == {"Verb": "paint", "Agent": "Sue", "Theme": "walls"}


def test_object_controls_the_infinitive() -> None:
    asked, leave = verbnet.frames(
        tree(
            "Sue/PROPN/nsubj/2 asked|ask/VERB/root/0 Max/PROPN/obj/2 to/PART/mark/5 "
            "leave/VERB/xcomp/2"
        )
    )
    assert roles(asked) == {"Verb": "asked", "Agent": "Sue", "Patient": "Max", "Theme": "to leave"}
    assert roles(leave)["Agent"] == "Max"


def test_adverbial_clauses() -> None:
    frame = main(
        "When/ADV/advmod/3 it/PRON/nsubj/3 rains|rain/VERB/advcl/5 we/PRON/nsubj/5 "
        "read/VERB/root/0 "
        "to/PART/mark/7 relax/VERB/advcl/5"
    )
    assert roles(frame) == {
        "Verb": "read",
        "Agent": "we",
        "Time": "When it rains",
        "Manner": "to relax",
    }


def test_coordinated_verbs_share_their_subject_and_object() -> None:
    washed, ate = verbnet.frames(
        tree(
            "Max/PROPN/nsubj/2 washed|wash/VERB/root/0 and/CCONJ/cc/4 ate|eat/VERB/conj/2 "
            "two/NUM/nummod/6 "
            "pears|pear/NOUN/obj/2"
        )
    )
    assert roles(washed) == {"Verb": "washed", "Agent": "Max", "Theme": "two pears"}
    assert roles(ate) == {"Verb": "ate", "Agent": "Max", "Patient": "two pears"}


def test_coordinated_nouns_are_one_filler() -> None:
    frame = main(
        "Cats/NOUN/nsubj/4 and/CCONJ/cc/3 dogs/NOUN/conj/1 sleep/VERB/root/0 a/DET/det/6 "
        "lot/NOUN/obl:unmarked/4"
    )
    assert frame.fillers[Role.AGENT].words == ("cats", "dogs")


def test_relative_pronoun_stands_for_its_antecedent() -> None:
    main_frame, relative = verbnet.frames(
        tree(
            "The/DET/det/2 thief/NOUN/nsubj/7 who/PRON/nsubj/4 robbed|rob/VERB/acl:relcl/2 "
            "us/PRON/obj/4 "
            "has|have/AUX/aux/7 fled|flee/VERB/root/0"
        )
    )
    assert roles(main_frame)["Agent"] == "The thief who robbed us"
    assert roles(relative) == {"Verb": "robbed", "Agent": "The thief", "Patient": "us"}


@pytest.mark.parametrize(
    ("pronoun", "role", "antecedent"),
    [
        ("to/ADP/case/4 whom/PRON/obl/6", "Patient", "The guest"),
        ("with/ADP/case/4 which/PRON/obl/6", "Manner", "The guest"),
        ("there/ADV/discourse/6 where/ADV/advmod/6", "Location", "The guest"),
    ],
)
def test_relative_words_with_a_preposition_and_of_place(
    pronoun: str, role: str, antecedent: str
) -> None:
    written = (
        f"The/DET/det/2 guest/NOUN/nsubj/8 {pronoun} we/PRON/nsubj/6 sang|sing/VERB/acl:relcl/2 "
        "has|have/AUX/aux/8 left|leave/VERB/root/0"
    )
    relative = verbnet.frames(tree(written))[1]
    assert roles(relative)[role] == antecedent


def test_headlines_that_name_who_is_to_act_or_who_speaks() -> None:
    will = main("France/PROPN/root/0 to/PART/mark/3 ban/VERB/acl/1 shows|show/NOUN/obj/3")
    assert roles(will) == {"Verb": "ban", "Agent": "France", "Patient": "shows"}
    plan = main("A/DET/det/2 plan/NOUN/root/0 to/PART/mark/4 ban/VERB/acl/2 shows|show/NOUN/obj/4")
    assert roles(plan) == {"Verb": "A plan to ban shows"}
    for relation in ("parataxis", "appos"):
        text = (
            "Police/NOUN/root/0 :/PUNCT/punct/4 Man/NOUN/nsubj/4 "
            f"stole|steal/VERB/{relation}/1 car/NOUN/obj/4"
        )
        said, police = verbnet.frames(tree(text))
        assert roles(said) == {"Verb": "stole", "Agent": "Man", "Theme": "car"}
        assert roles(police) == {"Verb": "Police"}
    no_colon = "Police/NOUN/root/0 ,/PUNCT/punct/4 we/PRON/nsubj/4 think/VERB/parataxis/1"
    assert main(no_colon).predicate == "police"


def test_reduced_participles() -> None:
    playing = main("A/DET/det/2 girl/NOUN/root/0 playing|play/VERB/acl/2 chess/NOUN/obj/3")
    assert roles(playing) == {"Verb": "playing", "Agent": "A girl", "Theme": "chess"}
    shut = main(
        "A/DET/det/2 shop/NOUN/root/0 closed|close/VERB/acl/2 by/ADP/case/5 police/NOUN/obl/3"
    )
    assert roles(shut) == {"Verb": "closed", "Agent": "by police", "Patient": "A shop"}
    assert shut.voice == "passive"


def test_imperative_and_vocative() -> None:
    frame = main(
        "Max/PROPN/vocative/3 ,/PUNCT/punct/3 open/VERB/root/0 the/DET/det/5 gate/NOUN/obj/3 "
        "!/PUNCT/punct/3"
    )
    assert roles(frame) == {"Verb": "open", "Agent": "Max", "Patient": "the gate"}


def test_questions() -> None:
    where = main(
        "Where/ADV/advmod/4 did|do/AUX/aux/4 Sue/PROPN/nsubj/4 sleep/VERB/root/0 ?/PUNCT/punct/4"
    )
    assert roles(where) == {"Verb": "sleep", "Agent": "Sue", "Location": "Where"}
    what = main(
        "What/PRON/obj/4 did|do/AUX/aux/4 Sue/PROPN/nsubj/4 buy/VERB/root/0 ?/PUNCT/punct/4"
    )
    assert roles(what) == {"Verb": "buy", "Agent": "Sue", "Theme": "What"}


def test_fragments_have_a_verb() -> None:
    noun = main(
        "A/DET/det/3 small/ADJ/amod/3 boat/NOUN/root/0 on/ADP/case/6 the/DET/det/6 lake/NOUN/nmod/3"
    )
    assert roles(noun) == {"Verb": "A small boat", "Location": "on the lake"}
    assert noun.fillers[Role.VERB].words == ("small", "boat")
    assert roles(main("Yes/INTJ/root/0 !/PUNCT/punct/1")) == {"Verb": "Yes"}
    assert roles(main("?/PUNCT/root/0 !/PUNCT/punct/1")) == {"Verb": "?"}


def test_asides_have_frames() -> None:
    frames = verbnet.frames(
        tree(
            "It/PRON/nsubj/2 failed|fail/VERB/root/0 ,/PUNCT/punct/5 engineers/NOUN/nsubj/5 "
            "said|say/VERB/parataxis/2"
        )
    )
    assert [frame.predicate for frame in frames] == ["fail", "say"]


def test_parser_keeps_failures_in_place() -> None:
    class Trees:
        def trees(self, sentences: object) -> list[DependencyTree | ParseFailure]:
            return [tree("Run/VERB/root/0"), ParseFailure("", "blank")]

    first, second = verbnet.VerbNetParser(Trees()).parse(["Run", ""])
    assert isinstance(first, RoleStructure)
    assert roles(first.main) == {"Verb": "Run"}
    assert first.tree is not None
    assert first.formalism == "verbnet"
    assert second == ParseFailure("", "blank")


def check(found: tuple[Frame, ...], of: DependencyTree) -> None:
    """What holds for every tree: a verb in each frame, no word in two fillers, no content word
    lost.
    """
    phrases = Phrases(of)
    covered: set[int] = set()
    for frame in found:
        tokens = [t for filler in frame.fillers.values() for t in filler.tokens]
        assert Role.VERB in frame.fillers
        assert len(tokens) == len(set(tokens))
        covered.update(tokens)
        for filler in frame.fillers.values():
            assert filler.words
            assert filler.text
            assert filler.head in filler.tokens
    lost = [i for i in phrases.content(range(len(of))) if i not in covered]
    # Only verbs that colour a predicate, and "there is" before one, are in no filler.
    assert {phrases.lemma[i] for i in lost} <= SEMI_MODALS | ASPECTUAL_VERBS | {"be"}


@pytest.mark.skipif(not EWT.exists(), reason="needs ../shared/data/ud-ewt")
def test_every_tree_of_a_treebank() -> None:
    for of in read_conllu(EWT):
        found = verbnet.frames(of)
        check(found, of)
        assert found == verbnet.frames(of)


@given(any_tree())
def test_any_tree_gives_frames(of: DependencyTree) -> None:
    found = verbnet.frames(of)
    assert found
    assert found == verbnet.frames(of)
    for frame in found:
        tokens = [t for filler in frame.fillers.values() for t in filler.tokens]
        assert Role.VERB in frame.fillers
        assert len(tokens) == len(set(tokens))
        assert all(filler.words and filler.tokens for filler in frame.fillers.values())


def test_a_clause_deep_in_others_is_read_in_time() -> None:
    words = [f"try{i}" for i in range(800)]
    starts = [0, *itertools.accumulate(len(word) + 1 for word in words)]
    tokens = tuple(
        Token(
            word, "try", "VERB", i - 1, "xcomp" if i else "root", starts[i], starts[i] + len(word)
        )
        for i, word in enumerate(words)
    )
    clauses = Clauses(DependencyTree(" ".join(words), tokens))
    asked = 0

    def here(head: int, real: Callable[[int], Any] = clauses._shared_here) -> Any:
        nonlocal asked
        asked += 1
        return real(head)

    clauses._shared_here = here  # type: ignore[method-assign]
    assert all(clauses.shared_subject(i) == () for i in range(800))
    assert asked == 800  # it was every clause from every clause below it: 320,400
