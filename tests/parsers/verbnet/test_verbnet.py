"""VerbNet-style roles from dependency trees: a table of constructions, then what holds for every
tree.
"""

from pathlib import Path

import pytest
from support.blocks import cases
from support.trees import labelled, tree

from hybridsem import Pipeline
from hybridsem.english.words import ASPECTUAL_VERBS, SEMI_MODALS
from hybridsem.parsers.trees.clauses import Phrases
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.verbnet import rules as verbnet
from hybridsem.structures import DependencyTree, Frame, Role


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
    frames = Pipeline("verbnet-cn").parse([text])[0].frames  # type: ignore[union-attr]
    assert all(filler.text for frame in frames for filler in frame.fillers.values())
