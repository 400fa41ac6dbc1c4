"""Words that move from one place to another; the balanced part of these flows are exchanges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from hybridsem._utils.assignment import assignment
from hybridsem.comparison.edits import SURE, Kind, Words
from hybridsem.comparison.pair import Cluster, Draft, Event, Pair
from hybridsem.comparison.role_alignment import align_roles
from hybridsem.english.lexicon import LexicalRelation

NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
CONCRETE = 0.33
"""A noun is a thing if this share of its senses is concrete; an unknown noun is one."""
PRONOUN_FACTOR = 2.5
"""The factor for exchanged pronouns, whose weight is low."""
ONE_WAY = 0.4
"""The share of its confidence that an exchange keeps if no word moves the opposite way."""
MAIN_CLAUSES, SAME_ORDER = 0.2, 1e-3
"""Bonuses for aligning the main clauses of two sentences, and clauses in the same order."""


_aligned_roles = lru_cache(1024)(align_roles)


class Flow(NamedTuple):
    """The pair ``n``, which leaves the place ``source`` and enters ``target``."""

    n: int
    source: object
    target: object
    amount: float
    anchors: tuple[int | None, int | None] = (None, None)
    roles: tuple[str, str] = ("", "")


def balanced_flow(draft: Draft, kinds: Sequence[Kind], flows: Sequence[Flow]) -> float:
    """Add the balanced part of the flows, which enters places that other words leave, as edits, and
    return the amount that is not balanced. ``kinds`` is one for all words, or three for the classes
    of :func:`word_class`.
    """
    if not flows:
        return 0.0
    pair = draft.pair
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
            pronouns = both_ways and pair.same_words and _are_pronouns(pair, n)
            confidence = pair.aligned[n].similarity * (1 if both_ways else ONE_WAY)
            kind = kinds[word_class(pair, n) if len(kinds) > 1 else 0]
            if kind.distinguishes and not pair.same_words:
                confidence = min(confidence, SURE)
            event: Event = (kinds[0],)
            if kind is not Kind.WORD_ORDER:
                event += (frozenset((flow.source, flow.target)),)
            amount = rate * flow.amount * (PRONOUN_FACTOR if pronouns else 1)
            draft.change(kind, n, amount, words, confidence, event, counts=pronouns)
    return total - balanced


def _are_pronouns(pair: Pair, n: int) -> bool:
    first, second = pair.first, pair.second
    return first.tags[first.tokens[n]] == second.tags[second.tokens[n]] == "PRON"


def word_class(pair: Pair, n: int) -> int:
    """Return 0 for things and people, 1 for abstract nouns, 2 for other words and mixed pairs."""
    token = pair.first.tokens[n]
    tags = {pair.first.tags[token], pair.second.tags[pair.second.tokens[n]]}
    if not tags <= NOMINAL:
        return 2
    return int(tags == {"NOUN"} and not is_thing(pair, pair.first.lemmas[token]))


def is_thing(pair: Pair, noun: str) -> bool:
    """Test if a noun names a thing rather than something abstract."""
    concreteness = pair.lexicon.concreteness(noun)
    return concreteness is None or concreteness >= CONCRETE


def clause_flows(pair: Pair, settled: set[int]) -> list[Flow]:
    """Return the flows of words between the roles of clauses, aligned by their predicates."""
    partners = _aligned_clauses(pair)
    if not partners:
        return []
    first, second = pair.first, pair.second
    aligned_roles = {
        (clause2, role2): role1
        for clause2, clause1 in partners.items()
        for role1, role2, _ in _aligned_roles(
            first.sentence.clauses[clause1], second.sentence.clauses[clause2]
        )
    }
    flows: list[Flow] = []
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        place1 = first.sentence.slots.get(one.first)
        place2 = second.sentence.slots.get(one.second)
        if place1 is None or place2 is None or n in settled:
            continue
        clause = partners.get(place2.governor, ("second", place2.governor))
        role1 = place1.relation
        role2 = aligned_roles.get((place2.governor, place2.relation), place2.relation)
        above = first.number.get(place1.governor)
        if above is not None and above == second.number.get(place2.governor):
            governor: Cluster = ("both", above)
            if above in pair.names:
                (role1,) = first.relations(governor, (place1,))
                (role2,) = second.relations(governor, (place2,))
            elif role1 != role2 and is_relabelled(pair, governor, place1.syntax, place2.syntax):
                role2 = role1
        if place1.governor != clause or role1 != role2:
            source, target = (place1.governor, role1), (clause, role2)
            anchors, roles = (place1.governor, place2.governor), (place1.relation, place2.relation)
            flows.append(Flow(n, source, target, share * one.similarity, anchors, roles))
    return flows


def is_relabelled(pair: Pair, governor: Cluster, syntax1: str, syntax2: str) -> bool:
    """Test if two roles are one position of the same verb, which the labeller named differently."""
    n = governor[1]
    if not isinstance(n, int) or n in pair.names or not syntax1 or syntax1 != syntax2:
        return False
    return pair.aligned[n].relation is LexicalRelation.SAME and all(
        this.sentence.syntax[this.tokens[n]].get(syntax1) == 1 for this, _ in pair.sides
    )


def _aligned_clauses(pair: Pair) -> dict[int, int]:
    """Map the clauses of the second sentence to those of the first, both by their predicates."""
    first, second = pair.first, pair.second
    clauses1, clauses2 = [*first.sentence.clauses], [*second.sentence.clauses]
    if not clauses1 or not clauses2:
        return {}
    if len(clauses1) == len(clauses2) == 1:
        return {clauses2[0]: clauses1[0]}
    gain = np.zeros((len(clauses1), len(clauses2)))
    for a, clause1 in enumerate(clauses1):
        for b, clause2 in enumerate(clauses2):
            i, j = first.sentence.position.get(clause1), second.sentence.position.get(clause2)
            if i is not None and j is not None:
                main = not first.sentence.places[i] and not second.sentence.places[j]
                gain[a, b] = pair.similarities[i, j]
                gain[a, b] += MAIN_CLAUSES * main
            gain[a, b] += SAME_ORDER * (a == b)
    return {clauses2[b]: clauses1[a] for a, b in assignment(gain)}
