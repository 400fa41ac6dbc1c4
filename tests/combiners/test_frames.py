"""Comparing all frames of two sentences: the best assignment of predicates."""

import random

import pytest
from hypothesis import given
from support.generated import StubVectors, batch_of, some_sentences, structures
from support.roles import Compass, check, structure

from hybridsem import Pipeline
from hybridsem.combiners.base import Batch
from hybridsem.combiners.frames import FrameCombiner
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.comparison.role_alignment import PAIRINGS, VERBNET_WEIGHTS, Normalise
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation
from hybridsem.structures import RoleStructure


def several(*parts: RoleStructure) -> RoleStructure:
    return RoleStructure(" ".join(part.text for part in parts), tuple(part.main for part in parts))


def compare(first: RoleStructure, second: RoleStructure) -> Explanation:
    combiner = FrameCombiner("m", Compass(), VERBNET_WEIGHTS, "matched", pairings=PAIRINGS)
    (explanation,) = combiner.explain(Batch(["1", "2"], [(0, 1)], [first, second]))
    return explanation


NORTH, EAST, SOUTH = (structure(verb=word) for word in ("north", "east", "south"))


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ((NORTH,), (NORTH,), 1),
        ((NORTH, EAST), (NORTH, EAST), 1),
        ((NORTH, EAST), (EAST, NORTH), 1),  # (1 + ½) for either pair, of 3
        ((NORTH, EAST), (NORTH,), 2 / 2.5),  # "east" is alone, with its ½
        ((EAST, NORTH), (NORTH,), 1.5 / 2.5),  # compared with a frame that is not the main one
        # The main frames are compared with "east", the others with "south": -1.5 / 3.
        ((NORTH, NORTH), (SOUTH, EAST), -1 / 2),
    ],
)
def test_by_hand(
    first: tuple[RoleStructure, ...], second: tuple[RoleStructure, ...], score: float
) -> None:
    one, two = several(*first), several(*second)
    assert compare(one, two).score == pytest.approx(score, abs=1e-9)
    assert compare(two, one).score == pytest.approx(score, abs=1e-9)


def test_a_line_for_every_role_of_every_frame() -> None:
    two = several(structure(verb="north", agent="east"), structure(verb="south", time="north"))
    found = compare(two, structure(verb="south", agent="east")).matches
    assert [(m.role1, m.role2, m.filler1, m.filler2) for m in found] == [
        ("Verb", "Verb", "south", "south"),
        ("Time", None, "north", None),
        (None, "Agent", None, "east"),
        ("Verb", None, "north", None),
        ("Agent", None, "east", None),
    ]


@pytest.mark.parametrize("normalise", ["matched", "total", "union", "dice"])
@given(structures(), structures())
def test_properties(normalise: Normalise, first: RoleStructure, second: RoleStructure) -> None:
    combiner = FrameCombiner("m", StubVectors(), VERBNET_WEIGHTS, normalise, pairings=PAIRINGS)
    batch = batch_of(first, second)
    check(*combiner.explain(batch), identity=normalise != "total")
    if len(first.frames) == len(second.frames) == 1:
        main = RoleCombiner("m", StubVectors(), VERBNET_WEIGHTS, normalise, pairings=PAIRINGS)
        assert [e.score for e in main.explain(batch)] == pytest.approx(
            [e.score for e in combiner.explain(batch)]
        )


@pytest.mark.parametrize("model", ["verbnet-cn", "hybrid", "hybrid-0.1"])
def test_scores_do_not_depend_on_the_batch(model: str, pipelines: dict[str, Pipeline]) -> None:
    nlp = Pipeline(
        model, frames="all", encoder=pipelines[model].encoder, vectors=pipelines[model].vectors
    )
    assert nlp.settings["frames"] == "all"
    found = some_sentences(24)
    pairs = list(zip(found, random.Random(1).sample(found, len(found)), strict=True))
    together = nlp.explain(pairs)
    assert [nlp.explain(*pair).score for pair in pairs[:8]] == [e.score for e in together[:8]]
    assert nlp.score([(two, one) for one, two in pairs]) == pytest.approx(
        [e.score for e in together], abs=1e-6
    )
    assert nlp.score([(one, one) for one, _ in pairs]) == pytest.approx(1)


def test_main_is_the_default() -> None:
    one, two = "She sang and he danced.", "He danced."
    default, main, every = (
        Pipeline("verbnet-cn", frames=f).similarity(one, two) for f in (None, "main", "all")
    )
    assert default == main < every


def test_errors() -> None:
    with pytest.raises(InputError, match="unknown frames, got 'most'; it is 'main' or 'all'"):
        Pipeline(frames="most")
    for model in ("embedded", "amr-cn", "dependency-cn"):
        with pytest.raises(
            InputError, match=f"for models that compare VerbNet-style roles, and '{model}' does not"
        ):
            Pipeline(model, frames="all")
    with pytest.raises(InputError, match="use frames='main'"):
        Pipeline("verbnet-cn", frames="all").encode(["Owls hoot."])
