"""Roles from a labeller's predicates and the tables together: one construction a test, then what
holds for all.
"""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.trees import any_tree, roles, tree

from hybridsem import Pipeline
from hybridsem._utils.store import Store
from hybridsem.combiners.role_swaps import word_roles
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.parsers.memory import Memory
from hybridsem.parsers.trees.conllu import format_conllu, read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.parsers.verbnet import rules as verbnet
from hybridsem.render import parsed_as_text
from hybridsem.structures import Argument, DependencyTree, Frame, Predicate, Role, RoleStructure


def labelled(text: str, *predicates: str) -> DependencyTree:
    """A tree with predicates ``word roleset label=head-or-span[:Role] …``, words counted from 1."""
    of = tree(text)
    found = []
    for written in predicates:
        word, roleset, *arguments = written.split()
        at = int(word) - 1
        found.append(
            Predicate(at, of[at].lemma, roleset, tuple(_argument(of, at, a) for a in arguments))
        )
    return replace(of, predicates=tuple(found))


def _argument(of: DependencyTree, predicate: int, written: str) -> Argument:
    label, _, rest = written.partition("=")
    word, _, role = rest.partition(":")
    head = int(word) - 1
    below = of.subtree(head)
    inside = (
        below if predicate not in below else [t for t in below if t not in of.subtree(predicate)]
    )
    return Argument(
        label, tuple(inside), head, (role.lower(),) if role else (), Role(role) if role else None
    )


def frames(text: str, *predicates: str) -> list[tuple[str, str | None, dict[str, str]]]:
    return [(f.predicate, f.roleset, roles(f)) for f in verbnet.frames(labelled(text, *predicates))]


BROKE = "The/DET/det/2 handle/NOUN/nsubj/3 broke|break/VERB/root/0"
SNAGGED = "The/DET/det/2 sleeve/NOUN/nsubj/3 snagged|snag/VERB/root/0"
WALK = (
    "He/PRON/nsubj/2 took|take/VERB/root/0 a/DET/det/5 long/ADJ/amod/5 walk/NOUN/obj/2 "
    "in/ADP/case/8 the/DET/det/8 "
    "park/NOUN/nmod/5"
)


def test_a_subject_that_the_list_of_verbs_does_not_know() -> None:
    assert frames(SNAGGED) == [("snag", None, {"Verb": "snagged", "Agent": "The sleeve"})]
    assert frames(SNAGGED, "3 snag.01 ARG1=2:Patient") == [
        ("snag", "snag.01", {"Verb": "snagged", "Patient": "The sleeve"})
    ]


def test_without_predicates_nothing_changes() -> None:
    for text in (BROKE, WALK):
        assert verbnet.frames(labelled(text)) == verbnet.frames(tree(text))
        assert verbnet.structure(labelled(text)).tree == labelled(text)


def test_what_has_no_role_keeps_that_of_the_tables() -> None:
    (frame,) = verbnet.frames(labelled(BROKE, "3 break.01 ARG1=2"))
    assert roles(frame) == {"Verb": "broke", "Patient": "The handle"}
    assert [(a.label, a.head) for a in frame.arguments] == [("ARG1", 1)]


def test_the_subject_of_an_infinitive_beside_an_adjective() -> None:
    text = (
        "Ann/PROPN/nsubj/3 is|be/AUX/cop/3 eager/ADJ/root/0 for/ADP/case/5 "
        "months|month/NOUN/obl/3 to/PART/mark/7 "
        "sing/VERB/acl/5"
    )
    assert frames(text)[1] == ("sing", None, {"Verb": "sing"})
    assert frames(text, "7 sing.01 ARG0=1:Agent")[1] == (
        "sing",
        "sing.01",
        {"Verb": "sing", "Agent": "Ann"},
    )


def test_a_subject_that_the_labeller_has_found_replaces_a_shared_one() -> None:
    text = (
        "Ann/PROPN/nsubj/2 pays|pay/VERB/root/0 Bob/PROPN/obj/2 to/PART/mark/5 "
        "keep/VERB/advcl/2 pigs|pig/NOUN/obj/5"
    )
    assert frames(text)[1][2]["Agent"] == "Ann"
    assert frames(text, "5 keep.01 ARG0=3:Agent ARG1=6:Theme")[1][2] == {
        "Verb": "keep",
        "Agent": "Bob",
        "Theme": "pigs",
    }


@pytest.mark.parametrize(
    ("verbnet_roles", "role", "kept"),
    [
        (("patient",), Role.PATIENT, "Patient"),
        (("patient", "experiencer"), Role.PATIENT, "Patient"),
        (("patient", "theme"), Role.PATIENT, "Agent"),  # "the ball rolled"
        ((), Role.PATIENT, "Agent"),
        (("theme",), Role.THEME, "Agent"),  # "she left"
        (("instrument",), Role.MANNER, "Agent"),
    ],
)
def test_when_an_agent_of_the_tables_is_none(
    verbnet_roles: tuple[str, ...], role: Role, kept: str
) -> None:
    subject = Argument("ARG1", (0, 1), 1, verbnet_roles, role)
    of = replace(tree(SNAGGED), predicates=(Predicate(2, "snag", "snag.01", (subject,)),))
    assert roles(verbnet.frames(of)[0]) == {"Verb": "snagged", kept: "The sleeve"}


def test_a_light_verb_and_its_noun_are_one_verb() -> None:
    assert frames(WALK)[0][2] == {
        "Verb": "took",
        "Agent": "He",
        "Theme": "a long walk in the park",
    }
    light = frames(
        WALK, "2 take.LV ARGM-PRR=5", "5 walk.01 ARG0=1:Agent ARGM-LVB=2 ARGM-LOC=8:Location"
    )
    assert light == [
        (
            "take walk",
            "walk.01",
            {"Verb": "took walk", "Agent": "He", "Manner": "long", "Location": "in the park"},
        )
    ]


def test_a_light_verb_elsewhere_is_no_light_verb_here() -> None:
    assert frames(WALK, "5 walk.01 ARGM-LVB=1")[0][2] == frames(WALK)[0][2]


def test_a_verb_with_a_particle_is_no_light_verb() -> None:
    text = "He/PRON/nsubj/2 gave|give/VERB/root/0 up/ADP/compound:prt/2 smoking/NOUN/obj/2"
    found = frames(
        text, "2 give_up.07 ARG0=1:Agent ARG1=4:Theme", "4 smoke.01 ARG0=1:Agent ARGM-LVB=2"
    )
    assert found == [
        ("give up", "give_up.07", {"Verb": "gave up", "Agent": "He", "Theme": "smoking"}),
        ("smoking", "smoke.01", {"Verb": "smoking", "Agent": "He"}),
    ]


def test_where_when_and_how_are_the_labellers() -> None:
    text = (
        "Ice/NOUN/nsubj/2 melts|melt/VERB/root/0 at/ADP/case/4 degrees|degree/NOUN/obl/2 "
        "at/ADP/case/6 end/NOUN/obl/2"
    )
    assert frames(text)[0][2] == {
        "Verb": "melts",
        "Patient": "Ice",
        "Location": "at degrees",
        "Time": "at end",
    }
    ((_, _, found),) = frames(text, "2 melt.01 ARGM-MNR=4:Manner ARGM-LOC=6:Location")
    assert found == {
        "Verb": "melts",
        "Patient": "Ice",
        "Manner": "at degrees",
        "Location": "at end",
    }


def test_adjectives_have_frames_beside_that_of_their_copula_and_auxiliaries_have_none() -> None:
    text = (
        "Ann/PROPN/nsubj/3 is|be/AUX/cop/3 afraid/ADJ/root/0 of/ADP/case/5 ghosts|ghost/NOUN/obl/3"
    )
    found = frames(text, "2 be.01 ARG1=1:Theme ARG2=3:Theme", "3 fear.01 ARG0=1:Agent ARG1=5:Theme")
    assert found == [
        ("be", "be.01", {"Verb": "is", "Patient": "Ann", "Theme": "afraid of ghosts"}),
        ("afraid", "fear.01", {"Verb": "afraid", "Agent": "Ann", "Theme": "of ghosts"}),
    ]
    text = "Ann/PROPN/nsubj:pass/3 got|get/AUX/aux:pass/3 hurt/VERB/root/0"
    assert (
        len(frames(text, "2 get.03 ARG1=1:Patient ARG2=3:Theme", "3 hurt.01 ARG1=1:Patient")) == 1
    )


def test_nouns_have_frames_after_those_of_clauses() -> None:
    text = (
        "The/DET/det/2 sale/NOUN/nsubj/6 of/ADP/case/5 the/DET/det/5 farm/NOUN/nmod/2 "
        "pleased|please/VERB/root/0 "
        "Ann/PROPN/obj/6 who/PRON/nsubj/9 left|leave/VERB/acl:relcl/7"
    )
    found = frames(text, "2 sell.01 ARG1=5:Theme", "6 please.01 ARG0=2:Agent ARG1=7:Patient")
    assert [(predicate, roleset) for predicate, roleset, _ in found] == [
        ("please", "please.01"),
        ("leave", None),
        ("sale", "sell.01"),
    ]
    assert found[2][2] == {"Verb": "sale", "Theme": "of the farm"}


def test_the_hybrid_asks_for_places_in_clauses() -> None:
    text = (
        "The/DET/det/2 sale/NOUN/nsubj/6 of/ADP/case/5 the/DET/det/5 farm/NOUN/nmod/2 "
        "pleased|please/VERB/root/0 "
        "Ann/PROPN/obj/6"
    )
    with_frame_of_noun = verbnet.structure(labelled(text, "2 sell.01 ARG1=5:Theme"))
    assert len(with_frame_of_noun.frames) == 2
    assert word_roles(with_frame_of_noun) == word_roles(verbnet.structure(tree(text)))


def test_copulas_are_left_to_the_tables() -> None:
    text = (
        "It/PRON/expl/3 is|be/AUX/cop/3 clear/ADJ/root/0 that/SCONJ/mark/6 Ann/PROPN/nsubj/6 "
        "left|leave/VERB/csubj/3"
    )
    assert frames(text, "2 be.01 ARG1=1:Theme ARG2=3:Theme")[0][2] == frames(text)[0][2]


def test_an_empty_it_has_no_role() -> None:
    text = "It/PRON/expl/2 rained|rain/VERB/root/0"
    assert frames(text, "2 rain.01 ARG1=1:Theme") == [("rain", "rain.01", {"Verb": "rained"})]


def test_reference_by_a_pronoun_adds_nothing() -> None:
    text = "cats|cat/NOUN/root/0 that/PRON/nsubj/3 purr/VERB/acl:relcl/1"
    assert frames(text, "3 purr.01 ARG0=1:Agent R-ARG0=2:Agent")[-1][2] == {
        "Verb": "purr",
        "Agent": "cats",
    }


# Both inventories, in every form.


def test_plain_data_holds_both_inventories() -> None:
    structure = verbnet.structure(labelled(SNAGGED, "3 snag.01 ARG1=2:Patient"))
    (frame,) = structure.to_dict()["frames"]
    assert json.loads(json.dumps(frame)) == frame
    assert frame["roleset"] == "snag.01"
    assert frame["arguments"][0] == {
        "label": "ARG1",
        "verbnet": ["patient"],
        "role": "Patient",
        "text": "The sleeve",
    }
    assert "roleset" not in verbnet.structure(tree(SNAGGED)).to_dict()["frames"][0]


def test_frames_can_be_copied_and_sent() -> None:
    (frame,) = verbnet.frames(labelled(SNAGGED, "3 snag.01 ARG1=2:Patient"))
    assert pickle.loads(pickle.dumps(frame)) == copy.deepcopy(frame) == frame
    assert frame.roleset == "snag.01"


def test_the_text_form_names_labels() -> None:
    assert parsed_as_text(
        verbnet.structure(labelled(SNAGGED, "3 snag.01 ARG1=2:Patient ARGM-DIS=1"))
    ) == (
        "The sleeve snagged\n  snag  (snag.01)\n    Verb     snagged\n"
        "    Patient  The sleeve  ARG1 (patient), ARGM-DIS\n"
    )


def test_conllu_has_them_in_the_last_column(tmp_path: Path) -> None:
    of = labelled(SNAGGED, "3 snag.01 ARG1=2:Patient")
    text = format_conllu([of])
    assert text.splitlines()[4].split("\t")[-1] == "Roleset=snag.01|ArgSpans=ARG1:1-2"
    (tmp_path / "one.conllu").write_text(text, encoding="utf-8")
    assert list(read_conllu(tmp_path / "one.conllu")) == [tree(SNAGGED)]


def structures(trees: list[DependencyTree]) -> list[RoleStructure]:
    return [verbnet.structure(of) for of in trees]


def test_what_is_remembered_has_them(tmp_path: Path) -> None:
    of = labelled(SNAGGED, "3 snag.01 ARG1=2:Patient ARGM-MOD=1")
    read = [
        verbnet.structure(of),
        verbnet.structure(labelled(BROKE)),
        verbnet.structure(tree(WALK)),
    ]
    with closing(Store(tmp_path / "store.sqlite", ["sentences"])) as store:
        Memory(9, store, structures).keep({structure.text: (structure, None) for structure in read})
        again = Memory(9, store, structures).recall([structure.text for structure in read])
    assert [again[structure.text][0] for structure in read] == read


# The labeller's place in a pipeline.


class Subjects:
    """Calls every verb a predicate of which its subject is the Patient."""

    def read(
        self, trees: Sequence[DependencyTree], words: Any, states: Any
    ) -> list[list[Predicate]]:
        assert words.shape[:2] == states.shape[:2] == (len(trees), len(trees[0]))
        return [
            [
                Predicate(
                    at,
                    token.lemma,
                    f"{token.lemma}.01",
                    tuple(
                        Argument("ARG1", of.subtree(c), c, ("patient",), Role.PATIENT)
                        for c in of.children(at)
                        if of[c].relation == "nsubj"
                    ),
                )
                for at, token in enumerate(of)
                if token.pos == "VERB"
            ]
            for of in trees
        ]


SENTENCES = [
    "The boy slept.",
    "A dog barked at the man.",
    "Yes!",
    "She said that he left.",
    "word " * 400,
]


def test_a_pipeline_with_a_labeller(encoder: EmbeddedEncoder) -> None:
    nlp = Pipeline("verbnet-cn", parser=EmbeddedTrees(encoder, Subjects()), encoder=encoder)  # type: ignore[arg-type]
    found = nlp.parse(SENTENCES)
    assert [nlp.parse([sentence])[0] for sentence in SENTENCES] == found
    assert found[0].main.roleset == "sleep.01"  # type: ignore[union-attr]
    assert roles(found[0].main) == {"Verb": "slept", "Patient": "The boy"}  # type: ignore[union-attr]
    assert [frame.roleset for frame in found[3].frames] == ["say.01", "leave.01"]  # type: ignore[union-attr]
    assert found[2].tree.predicates == ()  # type: ignore[union-attr]
    assert found[4].truncated  # type: ignore[union-attr]


def test_learned_roles_do_not_depend_on_the_batch(pipelines: dict[str, Pipeline]) -> None:
    nlp = Pipeline(
        parser="verbnet", encoder=pipelines["hybrid"].encoder, vectors=pipelines["hybrid"].vectors
    )
    sentences = [
        *SENTENCES,
        "Destruction!",
        "The window broke.",
        "They took a walk and wanted us to join them.",
    ]
    together = nlp.parse(sentences)
    assert (
        together
        == [nlp.parse([sentence])[0] for sentence in sentences]
        == nlp.parse(sentences[::-1])[::-1]
    )
    pairs = list(pairwise(sentences))
    assert nlp.score(pairs).tolist() == [nlp.similarity(*pair) for pair in pairs]
    structure = together[-1]
    assert [frame.roleset for frame in structure.frames[:2]] == ["walk.01", "want.01"]  # type: ignore[union-attr]
    assert structure.frames[-1].fillers[Role.AGENT].text == "us"  # type: ignore[union-attr]


def test_names() -> None:
    with pytest.raises(InputError, match="write verbnet or verbnet:tables"):
        Pipeline(parser="verbnet:rules")
    with pytest.raises(
        InputError, match="'verbnet' gives VerbNet-style roles, and this model reads amr structures"
    ):
        Pipeline("amr-cn", parser="verbnet")
    tables = Pipeline("verbnet-cn", parser="verbnet:tables")
    assert tables.parse(["It rained."])[0].tree.predicates is None  # type: ignore[union-attr]


# What holds for all trees and predicates.


@st.composite
def any_predicates(draw: st.DrawFn) -> DependencyTree:
    of = draw(any_tree())
    words = st.integers(0, len(of) - 1)
    found = []
    for at in sorted(draw(st.sets(words, max_size=4))):
        arguments = []
        for head in draw(st.lists(words, max_size=4)):
            label = draw(
                st.sampled_from(["ARG0", "ARG1", "R-ARG0", "C-ARG1", "ARGM-LVB", "ARGM-TMP"])
            )
            role = draw(st.sampled_from([None, *Role]))
            arguments.append(Argument(label, of.subtree(head), head, (), role))
        found.append(Predicate(at, of[at].lemma, None, tuple(arguments)))
    return replace(of, predicates=tuple(found))


@given(any_predicates())
def test_any_predicates_give_frames(of: DependencyTree) -> None:
    found, plain = verbnet.frames(of), verbnet.frames(replace(of, predicates=None))
    assert found == verbnet.frames(of)
    for frame in found:
        seen = [t for filler in frame.fillers.values() for t in filler.tokens]
        assert Role.VERB in frame.fillers
        assert len(seen) == len(set(seen))  # no word in two roles
        assert all(filler.words and filler.tokens for filler in frame.fillers.values())
    if not any(
        argument.label == "ARGM-LVB"
        for predicate in of.predicates or ()
        for argument in predicate.arguments
    ):
        assert _words(plain[0], of) <= _words(
            found[0], of
        )  # the labeller gives words other roles, and loses none
    assert parsed_as_text(verbnet.structure(of))
    assert json.dumps(verbnet.structure(of).to_dict())


def _words(frame: Frame, of: DependencyTree) -> set[int]:
    return {t for filler in frame.fillers.values() for t in filler.tokens if of[t].pos != "PUNCT"}
