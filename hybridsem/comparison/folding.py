"""Facts as units: the words of a value become one word of the tree, its syntactic head.

    costs 3 million dollars      three million dollars: one unit with the head "dollars"
    at least 2 km                its bound belongs to the value, as "at" and "least" to it
    three dogs                   a number that counts stays a word of its own

The tokens keep their places. What is folded into a head has an empty text, so that nothing reads it
again as a number, quantifier or negation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from hybridsem.english.numbers import number_value
from hybridsem.facts.durations import Duration
from hybridsem.facts.names import Name
from hybridsem.facts.quantities import Amount, Quantity, Rate, Share
from hybridsem.facts.reading import read_facts, read_values
from hybridsem.facts.values import Fact, Interval
from hybridsem.structures import Token

FOLDED = "fixed"
"""The relation of a token to the head of its unit."""
AS_WORDS = MappingProxyType({"2 times": "twice"})
"""Values that the rules of rewriting know as words."""
BOUNDED = (Amount, Duration, Rate)
BOUND_VERBS = frozenset({"not", "never", "exceed"})
"""The first words of values with a verb that bounds them."""
AMOUNTS = frozenset({"NUM", "NOUN", "SYM"})
"""Tags of which an amount has one."""
NO_VALUES = frozenset({"VERB", "AUX", "ADP", "SCONJ", "CCONJ", "PRON"})
"""Tags of words that are no value: "fall" is a verb."""
LONGEST_CHAIN = 50


class Unit(NamedTuple):
    """The tokens of a value in order, and the value, without its place; None for a plain number,
    which is the text of the head, and for a ``phrase``, whose tokens may have gaps.
    """

    tokens: tuple[int, ...]
    fact: Fact | None
    phrase: bool = False


class Folded(NamedTuple):
    """The tokens of a tree with facts as units, and the units by their head."""

    tokens: Sequence[Token]
    units: Mapping[int, Unit]


NO_UNITS: Mapping[int, Unit] = {}


def placeless(fact: Fact) -> Fact:
    """Return a fact without its place in a text, as it is compared."""
    return replace(fact, start=0, end=0)


def as_fact(number: float) -> Quantity:
    """Return a plain number as a value."""
    return Quantity(0, 0, Interval.of(number))


def fold(tokens: Sequence[Token], text: str) -> Folded:
    """Return the tokens of a sentence with its facts as units."""
    folded, units = list(tokens), {}
    named = any(
        token.pos == "PROPN" or (at and token.text[:1].isupper()) for at, token in enumerate(tokens)
    )
    for fact in read_values(text, tokens) if named else read_facts(text):
        inside = [
            at
            for at, token in enumerate(tokens)
            if fact.start <= token.start and token.end <= fact.end
        ]
        number = None
        if isinstance(fact, Quantity) and _counts(fact):
            inside = [at for at in inside if tokens[at].pos == "NUM"]
            written = text[tokens[inside[0]].start : tokens[inside[-1]].end] if inside else ""
            number = number_value(written) if len(inside) > 1 else None
            if number is None:
                continue
        if isinstance(fact, Name) and inside and tokens[inside[-1]].text.islower():
            continue  # "Ann plays chess and Ben golf"
        if isinstance(fact, Share) and all(tokens[at].pos not in AMOUNTS for at in inside):
            continue  # "almost all" is a quantifier
        head = _head(tokens, inside)
        if head is None:
            continue
        if tokens[head].pos not in NO_VALUES or _is_denied_bound(fact, tokens[inside[0]]):
            units[head] = Unit(tuple(inside), None if number is not None else placeless(fact))
            name = f"{number:.15g}" if number is not None else AS_WORDS.get(str(fact), str(fact))
            own = tokens[head].text if len(inside) == 1 else name
            pos = "NOUN" if tokens[head].pos in NO_VALUES else tokens[head].pos
            folded[head] = replace(tokens[head], text=own, lemma=name, pos=pos)
    if not units:
        return Folded(tokens, NO_UNITS)
    heads = {at: head for head, unit in units.items() for at in unit.tokens}
    for at, token in enumerate(folded):
        if at in heads and at not in units:
            folded[at] = replace(token, text="", lemma="", pos="X", head=heads[at], relation=FOLDED)
        elif token.head in heads:
            folded[at] = replace(token, head=heads[token.head])
    return Folded(folded, units)


def _is_denied_bound(fact: Fact, first: Token) -> bool:
    """Test if a value is an amount with its verb, by its first word: "(must) not exceed $500"."""
    return isinstance(fact, BOUNDED) and first.lemma in BOUND_VERBS


def _counts(quantity: Quantity) -> bool:
    """Test if a quantity is a plain number, or has a bound, which is read as a quantifier."""
    ends = quantity.interval.low, quantity.interval.high
    bound = math.inf in ends or -math.inf in ends
    exact = quantity.interval.is_point and not quantity.approximate
    return not quantity.unit and (exact or bound)


def _head(tokens: Sequence[Token], inside: Sequence[int]) -> int | None:
    """Return the token whose head is outside; of several, that nearest the root, or the last."""
    tops = [at for at in inside if tokens[at].head not in inside]
    depths = {at: _depth(tokens, at) for at in tops}
    return min(tops, key=lambda at: (depths[at], -at), default=None)


def _depth(tokens: Sequence[Token], at: int) -> int:
    for depth in range(LONGEST_CHAIN):
        if at < 0:
            return depth
        at = tokens[at].head
    return LONGEST_CHAIN
