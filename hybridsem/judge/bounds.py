"""Bounds of probabilities by the wording of two texts, which need no parse.

Without a proof that every difference is harmless, a detail that nothing has read may decide. So the
network and the derivation are trusted up to a bound. Figures, signs and the unread end of a long
text are such details.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from hybridsem._typing import Float64Array
from hybridsem.english.questions import asks, has_tag
from hybridsem.english.wording import Wording, states_bound, wording
from hybridsem.facts.reading import written_as
from hybridsem.judge.labels import CONTRADICTS, DIFFERS, ENTAILED, ENTAILS, LABELS, SAME

PROVEN = 0.95
"""The least probability of ``same`` of texts with harmless differences alone. Of 142 development
pairs that differ in one synonym of WordNet, that share is labelled as the same.
"""
MOST: Mapping[Wording, float] = MappingProxyType(
    {Wording.UNKNOWN: 0.84, Wording.OTHER_FIGURES: 0.5, Wording.OTHER_VALUE: 0.02}
)
"""The highest probabilities of ``same`` without a proof."""
ASKED = 0.02
"""The highest probability of ``contradicts`` of two questions: of 760 such pairs of the groups of
``plain-english`` for learning, 2 have that label, both requests.
"""


def only_in_wording(text1: str, text2: str) -> bool:
    """Test if the differences of two texts are harmless."""
    return wording(text1, written_as(text2, text1)[0]) is Wording.PROVEN


def bounded(probabilities: Float64Array, text1: str, text2: str, cut: bool) -> Float64Array:
    """Return the probabilities of the labels, (labels,), within the bounds of the wording. ``cut``
    means that a text was not read to its end.
    """
    found = wording(text1, written_as(text2, text1)[0])
    if found is Wording.PROVEN:
        return limited(probabilities, {SAME: (PROVEN, 1.0)})
    most = MOST.get(found, 1.0)
    if cut:
        most = min(most, MOST[Wording.OTHER_FIGURES])
    limits = {SAME: (0.0, most)}
    if found is Wording.OTHER_VALUE and not (states_bound(text1) or states_bound(text2)):
        limits |= dict.fromkeys((ENTAILS, ENTAILED), (0.0, most))
    probabilities = limited(probabilities, limits)
    if asks(text1) and asks(text2) and not (has_tag(text1) or has_tag(text2)):
        moved = max(0.0, float(probabilities[CONTRADICTS]) - ASKED)
        probabilities = probabilities.copy()
        probabilities[[CONTRADICTS, DIFFERS]] += -moved, moved
    return probabilities


def limited(probabilities: Float64Array, limits: Mapping[int, tuple[float, float]]) -> Float64Array:
    """Return probabilities of which some are within limits; the others keep their proportions."""
    within = {
        at: min(max(float(probabilities[at]), low), high) for at, (low, high) in limits.items()
    }
    if all(value == probabilities[at] for at, value in within.items()):
        return probabilities
    found = probabilities.copy()
    free = [at for at in range(len(LABELS)) if at not in within]
    rest, left = math.fsum(found[free]), 1 - math.fsum(within.values())
    found[free] = left / len(free) if rest == 0 else found[free] / rest * left
    for at, value in within.items():
        found[at] = value
    return found
