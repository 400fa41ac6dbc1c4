"""Candidates for the roles of a frame, and which role each of them gets.

The cat was chased by the dog today.

rank   head     roles, from best to last   tokens
  -1   chased   Verb                       chased
   0   cat      Theme, Patient             The cat
   0   dog      Agent, Patient, Theme      by the dog
   7   today    Time                       today
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from hybridsem.parsers.trees.phrases import Phrases
from hybridsem.parsers.verbnet.tables import Preferences
from hybridsem.structures import Filler, Role

VERB_RANK = -1
SUBJECT_RANK = 0
RANKS = {
    "nsubj": SUBJECT_RANK,
    "csubj": 1,
    "iobj": 2,
    "obj": 3,
    "xcomp": 4,
    "ccomp": 5,
    "advmod": 7,
    "advcl": 8,
    "vocative": 9,
}
"""The order in which dependents choose their roles, by relation; within one, that of the text."""
OBLIQUE_RANK = 6
"""The rank of relations that are not in :data:`RANKS`."""
ELSEWHERE = -1
"""The head of a candidate that the predicate shares with another clause."""

_ROLES = tuple(Role)
_RANK_AND_HEAD = itemgetter(0, 1)


class Candidate(NamedTuple):
    """A phrase that is to stand in a role; the one of lowest ``rank`` chooses first."""

    rank: int
    head: int
    roles: Preferences
    tokens: Sequence[int]

    def without(self, clause: int, phrases: Phrases) -> Candidate:
        """The candidate without the subtree of a clause inside it."""
        return self._replace(tokens=phrases.without(self.tokens, clause))


def fill(candidates: Iterable[Candidate], phrases: Phrases) -> dict[str, Filler]:
    """The fillers by role: each candidate gets the first of its roles that is free, or shares the
    last. A word is in one filler only.
    """
    tokens_of: dict[str, list[int]] = {}
    heads: dict[str, int] = {}
    used: set[int] = set()
    for _, head, roles, tokens in sorted(candidates, key=_RANK_AND_HEAD):
        if not used.isdisjoint(tokens):
            tokens = [t for t in tokens if t not in used]
        if not tokens:
            continue
        used.update(tokens)
        for role in roles:
            if role not in tokens_of:
                break
        tokens_of.setdefault(role, []).extend(tokens)
        heads.setdefault(role, head if head in tokens else phrases.head_of(tokens))
    return {
        role: phrases.filler(tokens_of[role], heads[role]) for role in _ROLES if role in tokens_of
    }
