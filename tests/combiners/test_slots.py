"""Role structures as vectors, with their polarity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from support.generated import StubVectors, batch_of, structures

from hybridsem import Pipeline
from hybridsem.combiners.slots import POLARITY, WEIGHTS, SlotCombiner
from hybridsem.errors import InputError
from hybridsem.structures import RoleStructure

SLOTS = SlotCombiner("m", StubVectors(), WEIGHTS, "total")


def denied(structure: RoleStructure) -> RoleStructure:
    main = structure.main
    return replace(
        structure, frames=(replace(main, negated=not main.negated), *structure.frames[1:])
    )


@given(structures(), structures())
def test_the_score_is_the_cosine_of_the_vectors(
    first: RoleStructure, second: RoleStructure
) -> None:
    same, _, forth, back, *_ = SLOTS.explain(batch_of(first, second))
    assert same.score == pytest.approx(1)
    assert forth.score == pytest.approx(back.score, abs=1e-6)
    assert sum(match.contribution for match in forth.matches) == pytest.approx(
        forth.score, abs=1e-9
    )
    # A filler none of whose words has a vector is like itself, and that no vector can say.
    if all(
        set(filler.words) - {"nowhere"} for one in (first, second) for filler in one.roles.values()
    ):
        one, two = SLOTS.vectors_of([first, second])
        assert forth.score == pytest.approx(
            one @ two / np.linalg.norm(one) / np.linalg.norm(two), abs=1e-5
        )


@given(structures())
def test_a_denied_sentence_differs_in_polarity_alone(structure: RoleStructure) -> None:
    one, two = SLOTS.vectors_of([structure, denied(structure)])
    assert np.flatnonzero(one - two).tolist() == [len(one) - len(one) // len(WEIGHTS)]
    assert (one - two) @ (one - two) == pytest.approx(4 * WEIGHTS[POLARITY])
    assert SLOTS.explain(batch_of(structure, denied(structure)))[2].score < 1


def test_the_model(pipelines: dict[str, Pipeline]) -> None:
    nlp = pipelines["role-slots"]
    found = nlp.explain("The owl did not sleep.", "The owl slept.")
    assert [found.matches[-1].filler1, found.matches[-1].filler2] == ["negative", "affirmative"]
    with pytest.raises(
        InputError, match="a cosine of vectors, so normalise= is 'total'; got 'union'"
    ):
        Pipeline("role-slots", normalise="union")
    with pytest.raises(
        InputError, match="of the main predicates alone, so frames= is 'main'; got 'all'"
    ):
        Pipeline("role-slots", frames="all")
    assert nlp.encode(["The owl slept."]).shape == (1, 9 * 384)
    assert nlp.encode([]).size == 0
