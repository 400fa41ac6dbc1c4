"""Which roles are compared, and what each counts (Fodor, De Deyne & Suzuki 2024, Eq. 2 and 3)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from hybridsem.structures import Role

__all__ = [
    "PAIRINGS",
    "VERBNET_WEIGHTS",
    "Normalise",
    "align_roles",
    "relative_weights",
    "weighted_score",
]

Normalise = Literal["matched", "total", "union", "dice"]
"""By what role similarity is divided: the weights of the matched roles, of all there are, of those
that either sentence has, or the mean of the two sentences' own.
"""

VERBNET_WEIGHTS: Mapping[str, float] = {
    Role.VERB: 3.0,
    Role.AGENT: 2.0,
    Role.PATIENT: 2.0,
    Role.THEME: 2.0,
    Role.TIME: 0.5,
    Role.MANNER: 0.5,
    Role.LOCATION: 0.5,
    Role.TRAJECTORY: 0.5,
}
"""What each role counts (Fodor, De Deyne & Suzuki 2024)."""

PAIRINGS: tuple[tuple[str, str], ...] = (
    (Role.LOCATION, Role.TRAJECTORY),
    (Role.THEME, Role.PATIENT),
    (Role.THEME, Role.MANNER),
    (Role.MANNER, Role.TRAJECTORY),
    (Role.PATIENT, Role.LOCATION),
    (Role.PATIENT, Role.MANNER),
)
"""Roles compared where a sentence lacks the other's, best first; the first gives the weight."""


def align_roles(
    roles1: Collection[str], roles2: Collection[str], pairings: Sequence[tuple[str, str]] = PAIRINGS
) -> list[tuple[str, str, str]]:
    """Which roles of two structures are compared.

    Equal roles are; then a role that only one has is paired with a compatible one that only the
    other has.

    Args:
        roles1: Of the one structure.
        roles2: Of the other; which comes first changes nothing.
        pairings: Compatible roles, (the role whose weight counts, the other), in the order in which
            they are tried.

    Returns:
        A triple each: role1, role2, the role whose weight counts.

    >>> align_roles(["Verb", "Patient"], ["Verb", "Theme"])
    [('Verb', 'Verb', 'Verb'), (<Role.PATIENT: 'Patient'>, <Role.THEME: 'Theme'>, <Role.THEME:
    'Theme'>)]
    """
    aligned = [(role, role, role) for role in roles1 if role in roles2]
    only1 = [role for role in roles1 if role not in roles2]
    only2 = [role for role in roles2 if role not in roles1]
    for slot, other in pairings:
        for role1, role2 in ((slot, other), (other, slot)):
            if role1 in only1 and role2 in only2:
                only1.remove(role1)
                only2.remove(role2)
                aligned.append((role1, role2, slot))
    return aligned


def relative_weights(
    similarities: Mapping[str, float], weights: Mapping[str, float], normalise: Normalise
) -> dict[str, float]:
    """What each role's similarity is multiplied with: its weight over the normaliser.

    Args:
        similarities: Of the roles of two sentences: the cosine of those that were compared, NaN for
            those that only one sentence has.
        weights: Of roles; 1 for one that is not there.
        normalise: The normaliser: the sum of the weights of the compared roles (``matched``), of
            all roles of the sentences (``union``), half the sum of these two (``dice``), or of all
            ``weights`` (``total``).

    Returns:
        The compared roles' shares, 0 where the normaliser is 0.

    >>> weights = {"Verb": 3.0, "Agent": 2.0}
    >>> relative_weights({"Verb": 1.0, "Agent": 0.5}, weights, "matched")
    {'Verb': 0.6, 'Agent': 0.4}
    """
    compared = {
        role: weights.get(role, 1.0)
        for role, cosine in similarities.items()
        if not math.isnan(cosine)
    }
    matched = math.fsum(compared.values())
    union = math.fsum(weights.get(role, 1.0) for role in similarities)
    divisor = {
        "matched": matched,
        "total": math.fsum(weights.values()),
        "union": union,
        "dice": (matched + union) / 2,
    }[normalise]
    return {role: weight / divisor if divisor else 0.0 for role, weight in compared.items()}


def weighted_score(
    similarities: Mapping[str, float],
    weights: Mapping[str, float] = VERBNET_WEIGHTS,
    normalise: Normalise = "matched",
) -> float:
    """The score of role-wise similarities: Eq. 2 of Fodor, De Deyne & Suzuki 2024.

    Args:
        similarities: As for :func:`relative_weights`.
        weights: Of roles, the paper's if not others.
        normalise: As for :func:`relative_weights`.

    Returns:
        The sum of the similarities by their relative weights.

    >>> weighted_score({"Verb": 1.0, "Agent": 0.5, "Theme": float("nan")}, normalise="matched")
    0.8
    """
    shares = relative_weights(similarities, weights, normalise)
    return math.fsum(share * similarities[role] for role, share in shares.items())
