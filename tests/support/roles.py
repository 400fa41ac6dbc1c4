"""Role structures of words whose cosines are known."""

from collections.abc import Sequence

import numpy as np
import pytest

from hybridsem._typing import Float32Array
from hybridsem.explanations import Explanation
from hybridsem.structures import Filler, Frame, Role, RoleStructure


class Compass:
    """Words in the plane, at other lengths than 1; others have no vector."""

    def embed(self, words: Sequence[str]) -> Float32Array:
        table = {"north": (0, 2), "south": (0, -1), "east": (3, 0), "west": (-2, 0)}
        table["northeast"] = (1, 1)
        return np.array([table.get(word, (0, 0)) for word in words], np.float32)


def structure(*, negated: bool = False, **roles: str) -> RoleStructure:
    fillers = {
        Role[name.upper()]: Filler(phrase, tuple(phrase.split())) for name, phrase in roles.items()
    }
    return RoleStructure(
        " ".join(roles.values()), (Frame(roles.get("verb", ""), fillers, negated),)
    )


def check(*explanations: Explanation, identity: bool = True, tolerance: float = 1e-9) -> None:
    """Identity, symmetry, range, and contributions that add up, for (a, a), (b, b), (a, b) and (b,
    a).
    """
    same1, same2, forth, back = explanations
    if identity:
        assert same1.score == pytest.approx(1, abs=tolerance)
        assert same2.score == pytest.approx(1, abs=tolerance)
    assert forth.score == pytest.approx(back.score, abs=1e-6)
    for explanation in explanations:
        assert -1 <= explanation.score <= 1
        assert sum(match.contribution for match in explanation.matches) == pytest.approx(
            explanation.score, abs=1e-9
        )
        for match in explanation.matches:
            # How much there is of a difference has no upper end.
            assert -1 <= match.similarity <= (np.inf if match.edits else 1)
        for match in explanation.matches:
            if match.term == "role" and not explanation.model.startswith("hybrid"):
                assert match.contribution == pytest.approx(match.weight * match.similarity)
