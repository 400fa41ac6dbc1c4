"""VerbNet-style roles: general roles, a table of constructions, and what holds for every tree."""

import itertools
from pathlib import Path

import pytest
from support.blocks import cases
from support.trees import labelled, tree

from hybridsem import Pipeline
from hybridsem.english.words import ASPECTUAL_VERBS, SEMI_MODALS
from hybridsem.parsers.trees.clauses import Phrases
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.verbnet import rules as verbnet
from hybridsem.parsers.verbnet.general_roles import (
    MODIFIERS,
    ROLESETS,
    VERBNET,
    general_role,
    of_verbnet,
)
from hybridsem.structures import DependencyTree, Frame, Role


@pytest.mark.parametrize(
    ("label", "verbnet", "roleset", "role"),
    [
        ("ARG0", ["agent"], None, Role.AGENT),
        ("ARG0", ["experiencer"], "like.01", Role.AGENT),
        ("ARG0", ["stimulus"], "scare.01", Role.AGENT),
        ("ARG1", ["stimulus", "theme"], "see.01", Role.THEME),
        ("ARG2", ["attribute", "theme"], "be.01", Role.THEME),
        ("ARG2", ["recipient"], "give.01", Role.PATIENT),
        ("ARG1", ["initial_location", "source"], "leave.11", Role.LOCATION),
        ("ARG2", ["source"], "hear.01", Role.THEME),
        ("ARG4", ["Destination"], "go.02", Role.LOCATION),
        ("ARGM-TMP", [], "go.02", Role.TIME),
        ("ARGM-CAU", [], "go.02", None),
        ("R-ARGM-TMP", [], "go.02", None),
        ("ARG1", ["nm"], "go.02", None),
        ("ARG1", ["nm", "theme"], "go.02", Role.THEME),
    ],
)
def test_general_role(
    label: str, verbnet: list[str], roleset: str | None, role: Role | None
) -> None:
    assert general_role(label, verbnet, roleset) == role


def test_the_order_of_several_does_not_matter() -> None:
    for names in itertools.combinations(VERBNET, 2):
        for label in ("ARG0", "ARG1"):
            assert general_role(label, names) == general_role(label, names[::-1]) is not None


@pytest.mark.parametrize(
    "name", ["Initial-Location", "initial location", "initial_location", "intial_location"]
)
def test_spellings(name: str) -> None:
    assert of_verbnet(name) == "initial_location"
    assert of_verbnet("experiencer??") == "experiencer"


def test_no_table_makes_a_verb() -> None:
    assert {*VERBNET.values(), *MODIFIERS.values(), *ROLESETS.values()} == set(Role) - {Role.VERB}


def written(frame: Frame) -> str:
    """A frame as in the file."""
    marks = [frame.predicate, frame.roleset and f"({frame.roleset})", frame.voice]
    marks += ["not" if frame.negated else None, frame.modality]
    fillers = (
        f"{role} {filler.text} [{' '.join(filler.words)}]" for role, filler in frame.fillers.items()
    )
    return f"{' '.join(filter(None, marks))}: {' | '.join(fillers)}"


@pytest.mark.parametrize("lines", cases(__file__))
def test_constructions(lines: list[str]) -> None:
    text, *rest = lines
    predicates = [line.removeprefix("+ ") for line in rest if line.startswith("+")]
    expected = [line.strip() for line in rest if not line.startswith("+")]
    assert [written(frame) for frame in verbnet.frames(labelled(text, *predicates))] == expected


def test_a_split_phrasal_verb_is_one_filler() -> None:
    words = "She/PRON/nsubj/2 tore|tear/VERB/root/0 the/DET/det/4 list/NOUN/obj/2"
    (frame,) = verbnet.frames(tree(f"{words} up/ADP/compound:prt/2"))
    assert (frame.fillers[Role.VERB].tokens, frame.fillers[Role.VERB].head) == ((1, 4), 1)


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


def test_every_tree_of_a_treebank(shared_data: Path) -> None:
    for of in read_conllu(shared_data / "ud-ewt/dev.conllu"):
        found = verbnet.frames(of)
        check(found, of)
        assert found == verbnet.frames(of)


def test_a_light_verbs_noun_within_another_phrase() -> None:
    text = (
        "The proposal of both the Boards have been given clearance "
        "by the Department of Personnel and Training ."
    )
    frames = Pipeline("verbnet-cn").parse([text])[0].frames
    assert all(filler.text for frame in frames for filler in frame.fillers.values())
