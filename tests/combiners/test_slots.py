"""Role structures as vectors, with their polarity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from support.generated import StubVectors, batch_of, structures
from support.roles import check

from hybridsem import Pipeline
from hybridsem.combiners.alignment import POLARITY, SLOT_WEIGHTS
from hybridsem.combiners.roles import SlotCombiner
from hybridsem.errors import InputError
from hybridsem.structures import RoleStructure

SLOTS = SlotCombiner("m", StubVectors(), SLOT_WEIGHTS, "total")


def denied(structure: RoleStructure) -> RoleStructure:
    main = structure.main
    return replace(
        structure, frames=(replace(main, negated=not main.negated), *structure.frames[1:])
    )


@given(structures(), structures())
def test_the_score_is_the_cosine_of_the_vectors(
    first: RoleStructure, second: RoleStructure
) -> None:
    same, other, forth, back = SLOTS.explain(batch_of(first, second))
    check(same, other, forth, back, tolerance=1e-6)
    # A filler without any word vector is the same as itself, which no vector can show.
    if all(
        set(filler.words) - {"nowhere"} for one in (first, second) for filler in one.roles.values()
    ):
        one, two = SLOTS.vectors_of([first, second])
        cosine = one @ two / np.linalg.norm(one) / np.linalg.norm(two)
        assert forth.score == pytest.approx(cosine, abs=1e-5)


@given(structures())
def test_a_denied_sentence_differs_in_polarity_alone(structure: RoleStructure) -> None:
    one, two = SLOTS.vectors_of([structure, denied(structure)])
    assert np.flatnonzero(one - two).tolist() == [len(one) - len(one) // len(SLOT_WEIGHTS)]
    assert (one - two) @ (one - two) == pytest.approx(4 * SLOT_WEIGHTS[POLARITY])
    assert SLOTS.explain(batch_of(structure, denied(structure)))[2].score < 1


def test_the_model(pipelines: dict[str, Pipeline]) -> None:
    nlp = pipelines["role-slots"]
    found = nlp.explain("The owl did not sleep.", "The owl slept.")
    assert [found.matches[-1].filler1, found.matches[-1].filler2] == ["negative", "affirmative"]
    for option, message in (
        ({"normalise": "union"}, "normalise= is 'total'; got 'union'"),
        ({"frames": "all"}, "frames= is 'main'; got 'all'"),
    ):
        with pytest.raises(InputError, match=message):
            Pipeline("role-slots", **option)  # type: ignore[arg-type]
    assert nlp.encode(["The owl slept."]).shape == (1, 9 * 384)
    assert nlp.encode([]).size == 0
