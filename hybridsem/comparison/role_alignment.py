"""The compared roles and their weights (Fodor, De Deyne & Suzuki 2024, Eq. 2 and 3)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from hybridsem.structures import Role

Normalise = Literal["matched", "total", "union", "dice"]
"""The divisor of role similarity; see :func:`relative_weights`."""

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
"""The weight of each role (Fodor, De Deyne & Suzuki 2024)."""

POLARITY = "Polarity"
SLOT_WEIGHTS: Mapping[str, float] = {**VERBNET_WEIGHTS, POLARITY: 2.0}
"""Polarity weighs as much as Agent, Patient and Theme; this is not tuned."""

PAIRINGS: tuple[tuple[str, str], ...] = (
    (Role.LOCATION, Role.TRAJECTORY),
    (Role.THEME, Role.PATIENT),
    (Role.THEME, Role.MANNER),
    (Role.MANNER, Role.TRAJECTORY),
    (Role.PATIENT, Role.LOCATION),
    (Role.PATIENT, Role.MANNER),
)
"""Compatible roles, best first; the first of a pairing gives the weight."""


def align_roles(
    roles1: Collection[str], roles2: Collection[str], pairings: Sequence[tuple[str, str]] = PAIRINGS
) -> list[tuple[str, str, str]]:
    """Align the roles of two structures: equal roles, then compatible ones that only one has.

    Args:
        roles1: Of one structure.
        roles2: Of the other; the order of the two has no effect.
        pairings: Compatible roles, in the order in which they are tried; the weight of the first
            counts.

    Returns:
        Triples: role1, role2, the role whose weight counts.

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
    """Return the weight of each compared role over a divisor; 0 if the divisor is 0.

    Args:
        similarities: The cosines of compared roles; NaN for roles that only one sentence has.
        weights: Of roles; 1 for others.
        normalise: The divisor: the weights of the compared roles (``matched``), of all roles of the
            sentences (``union``), the mean of these two (``dice``), or all ``weights`` (``total``).

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
    """Return the weighted sum of role-wise similarities: Eq. 2 of Fodor, De Deyne & Suzuki 2024.

    For the arguments see :func:`relative_weights`.

    >>> weighted_score({"Verb": 1.0, "Agent": 0.5, "Theme": float("nan")}, normalise="matched")
    0.8
    """
    shares = relative_weights(similarities, weights, normalise)
    return math.fsum(share * similarities[role] for role, share in shares.items())
