"""Partners with different roles in a clause; clauses are aligned by their predicates."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from hybridsem._utils.assignment import assignment
from hybridsem.combiners.alignment import align_roles
from hybridsem.combiners.comparison.flows import Flow
from hybridsem.combiners.comparison.sentence_pair import Cluster, SentencePair
from hybridsem.english.lexicon import LexicalRelation

__all__ = ["clause_flows", "is_relabelled"]

MAIN_CLAUSES, SAME_ORDER = 0.2, 1e-3
"""Bonuses for aligning the main clauses of two sentences, and clauses in the same order."""


def clause_flows(pair: SentencePair) -> list[Flow]:
    """Return the flows of words between the roles of clauses."""
    partners = _aligned_clauses(pair)
    if not partners:
        return []
    first, second = pair.first, pair.second
    aligned_roles = {
        (clause2, role2): role1
        for clause2, clause1 in partners.items()
        for role1, role2 in _aligned_roles(
            first.content.clauses[clause1], second.content.clauses[clause2]
        )
    }
    flows: list[Flow] = []
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        place1 = first.content.slots.get(one.first)
        place2 = second.content.slots.get(one.second)
        if place1 is None or place2 is None or n in pair.settled:
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


def is_relabelled(pair: SentencePair, governor: Cluster, syntax1: str, syntax2: str) -> bool:
    """Test if two roles are one position of the same verb, which the labeller named
    differently.

    Args:
        pair: The sentences.
        governor: The verb.
        syntax1: The position in the first sentence.
        syntax2: The position in the second.
    """
    n = governor[1]
    if not isinstance(n, int) or n in pair.names or not syntax1 or syntax1 != syntax2:
        return False
    return pair.aligned[n].relation is LexicalRelation.SAME and all(
        this.content.syntax[this.tokens[n]].get(syntax1) == 1 for this in (pair.first, pair.second)
    )


@lru_cache(1024)
def _aligned_roles(roles1: tuple[str, ...], roles2: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(role1, role2) for role1, role2, _ in align_roles(roles1, roles2)]


def _aligned_clauses(pair: SentencePair) -> dict[int, int]:
    """Map the clauses of the second sentence to those of the first, both by their predicates."""
    first, second = pair.first, pair.second
    clauses1, clauses2 = [*first.content.clauses], [*second.content.clauses]
    if not clauses1 or not clauses2:
        return {}
    if len(clauses1) == len(clauses2) == 1:
        return {clauses2[0]: clauses1[0]}
    gain = np.zeros((len(clauses1), len(clauses2)))
    for a, clause1 in enumerate(clauses1):
        for b, clause2 in enumerate(clauses2):
            i, j = first.content.position.get(clause1), second.content.position.get(clause2)
            if i is not None and j is not None:
                main = not first.sentence.places[i] and not second.sentence.places[j]
                gain[a, b] = pair.similarities[i, j]
                gain[a, b] += MAIN_CLAUSES * main
            gain[a, b] += SAME_ORDER * (a == b)
    return {clauses2[b]: clauses1[a] for a, b in assignment(gain)}
