"""Limits of what one must or may do, and the kinds that a clause is about.

The form must arrive by 14 June.    a limit: no other date is one
Children under five travel free.    a kind: those under three travel free, too

Other values contradict a limit, and what is said of a kind is said of a narrower one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from hybridsem.facts.durations import Duration
from hybridsem.facts.quantities import Amount
from hybridsem.facts.values import Fact
from hybridsem.judge.contexts import LogicalSentence
from hybridsem.judge.rules import relation_words
from hybridsem.judge.tenses import time_of


def bound_of(fact: Fact) -> str:
    """Return "at most" for a value that has an upper bound alone, "at least" for a lower one; "" if
    it is no bound.
    """
    if getattr(fact, "deadline", False):
        return "at most"
    if not isinstance(fact, (Amount, Duration)):
        return ""
    interval = fact.interval if isinstance(fact, Amount) else fact.length
    if interval.low <= 0 < interval.high < math.inf:
        return "at most"
    return "at least" if math.isinf(interval.high) else ""


def are_limits(places: Iterable[tuple[LogicalSentence, int]], bound1: str, bound2: str) -> bool:
    """Test if two bounds at these words are limits of one sort, of which there is one."""
    return bound1 == bound2 and all(_is_limit(side, at, bound1) for side, at in places)


def _is_limit(side: LogicalSentence, at: int, bound: str) -> bool:
    """Test if a bound is the limit of what one must or may do: "must reach us by 14 June", "may
    bring up to three guests".
    """
    words, upper = relation_words(), bound == "at most"
    for each in side.upward(at) if upper or bound == "at least" else ():
        if side.modality(each) in ("must", "should") or side.keys[each] in words["obliging"]:
            return True
        if side.keys_below(each, "aux") & words["permitting"]:
            return upper and each not in side.negators.values()
    return False


def is_of_kind(side: LogicalSentence, tokens: Sequence[int], ruled: bool = False) -> bool:
    """Test if words restrict a kind that a clause is about: "Children under five travel free"; if
    ``ruled``, only where a modal verb says that it is a rule.
    """
    subjects = (at for at in side.upward(tokens[0]) if side.bare[at] == "nsubj")
    at = next(subjects, side.tree.root)
    verb = side.tree[at].head
    bare = {"det", "nummod", "nmod:poss"}.isdisjoint(side.tree[c].relation for c in side.below[at])
    plural = side.tags[at] == "NOUN" and side.forms[at] != side.keys[at]
    if verb < 0 or at in tokens or not (bare and plural):
        return False
    if side.modality(verb):
        return True
    return not (ruled or verb in side.participles) and time_of(side, verb) == "present"
