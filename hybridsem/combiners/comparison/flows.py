"""Words that move from one place to another; the balanced part of these flows are exchanges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from hybridsem.combiners.comparison.constructions import NOMINAL
from hybridsem.combiners.comparison.sentence_pair import Event, SentencePair
from hybridsem.edits import SURE, Kind, Words

__all__ = ["Flow", "balanced_flow", "is_thing", "word_class"]

CONCRETE = 0.33
"""A noun is a thing if this share of its senses is concrete; an unknown noun is one."""
PRONOUN_FACTOR = 2.5
"""The factor for exchanged pronouns, whose weight is low."""
ONE_WAY = 0.4
"""The share of its confidence that an exchange keeps if no word moves the opposite way."""


class Flow(NamedTuple):
    """The pair ``n``, which leaves the place ``source`` and enters ``target``."""

    n: int
    source: object
    target: object
    amount: float
    anchors: tuple[int | None, int | None] = (None, None)
    roles: tuple[str, str] = ("", "")


def balanced_flow(pair: SentencePair, kinds: Sequence[Kind], flows: Sequence[Flow]) -> float:
    """Add the balanced part of the flows, which enters places that other words leave, as edits.

    Args:
        pair: The sentences.
        kinds: One for all words, or three for the classes of :func:`word_class`.
        flows: Of aligned pairs.

    Returns:
        The amount that is not balanced.
    """
    if not flows:
        return 0.0
    left: defaultdict[object, float] = defaultdict(float)
    for flow in flows:
        left[flow.source] += flow.amount
    total = sum(left.values())
    if left.keys().isdisjoint(flow.target for flow in flows):
        return total
    entered: defaultdict[object, float] = defaultdict(float)
    for flow in flows:
        entered[flow.target] += flow.amount
    balanced = sum(
        min(amount, entered[place]) for place, amount in left.items() if place in entered
    )
    if balanced:
        within = [flow for flow in flows if flow.target in left or flow.source in entered]
        ways = {(flow.source, flow.target) for flow in flows}
        rate = balanced / sum(flow.amount for flow in within)
        for flow in within:
            n = flow.n
            words = (
                Words((pair.first.tokens[n],), flow.roles[0], flow.anchors[0]),
                Words((pair.second.tokens[n],), flow.roles[1], flow.anchors[1]),
            )
            both_ways = (flow.target, flow.source) in ways
            confidence = pair.aligned[n].similarity * (1 if both_ways else ONE_WAY)
            kind = kinds[word_class(pair, n) if len(kinds) > 1 else 0]
            if kind.distinguishes and not pair.same_words:
                confidence = min(confidence, SURE)
            event: Event = (kinds[0],)
            if kind is not Kind.WORD_ORDER:
                event += (frozenset((flow.source, flow.target)),)
            amount = rate * flow.amount
            if both_ways and pair.same_words and _are_pronouns(pair, n):
                pair.change(kind, n, PRONOUN_FACTOR * amount, words, confidence, event, counts=True)
            else:
                pair.change(kind, n, amount, words, confidence, event)
    return total - balanced


def _are_pronouns(pair: SentencePair, n: int) -> bool:
    first, second = pair.first, pair.second
    return first.tags[first.tokens[n]] == second.tags[second.tokens[n]] == "PRON"


def word_class(pair: SentencePair, n: int) -> int:
    """Return 0 for things and people, 1 for abstract nouns, 2 for other words and mixed pairs."""
    token = pair.first.tokens[n]
    tags = {pair.first.tags[token], pair.second.tags[pair.second.tokens[n]]}
    if not tags <= NOMINAL:
        return 2
    return int(tags == {"NOUN"} and not is_thing(pair, pair.first.lemmas[token]))


def is_thing(pair: SentencePair, noun: str) -> bool:
    """Test if a noun names a thing rather than something abstract."""
    concreteness = pair.lexicon.concreteness(noun)
    return concreteness is None or concreteness >= CONCRETE
