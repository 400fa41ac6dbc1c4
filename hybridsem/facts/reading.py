"""Reads the facts of a text, and writes those of two texts alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from hybridsem.english.harmless import form_of
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.numbers import FALLING, MULTIPLES, RISING
from hybridsem.english.words import BE_FORMS
from hybridsem.facts import amounts, identifiers, time_words
from hybridsem.facts.amounts import read_amounts
from hybridsem.facts.clues import SIGN, clue_words
from hybridsem.facts.identifiers import read_identifiers
from hybridsem.facts.name_reading import read_names
from hybridsem.facts.names import Name, NameKind
from hybridsem.facts.quantities import Share
from hybridsem.facts.times import read_times
from hybridsem.facts.values import Fact, FactRelation, compare
from hybridsem.structures import Token

__all__ = ["EqualValues", "canonical", "read_facts", "read_values", "written_as"]

_DENYING = ("not exceed", "never exceed")
"""The beginnings of bounds with a verb, which need another auxiliary."""
_DENIED = MappingProxyType(
    {"be ": "", "were ": "did ", "was ": "did ", "are ": "do ", "is ": "does "}
)
"""The auxiliary of such a verb for that of a value."""
_LAST_WORD = re.compile(r"\b[a-z]+ $")
_UNKNOWN = NameKind.UNKNOWN
_ZERO = re.compile(r"\b(no|zero|0)(?= ([a-z]+))", re.IGNORECASE)
_MULTIPLE = re.compile(rf"\b({'|'.join(verb[:-1] for verb in MULTIPLES)})(e|ed|es|ing)\b", re.I)
_CHANGE = re.compile(rf"\b((?:{'|'.join(BE_FORMS)}) |)([a-z]+)( up| down|) (?:by )?$")
_OF = re.compile(r"( of|) (\w+)")
_CLUES = amounts.CLUES | identifiers.CLUES | time_words.CLUES


@lru_cache(4096)
def read_facts(text: str, day_first: bool | None = None) -> tuple[Fact, ...]:
    """Return the facts of a text, in order. Of several that overlap, the longest counts, then the
    first. ``day_first`` says whether 3/5/2021 is in May; None leaves it open.

    >>> [str(fact) for fact in read_facts("Pay $5.50 on 3 May 2021, in two hours.")]
    ['5.5 dollars', '3 May 2021', '2 hours']
    """
    if _CLUES.isdisjoint(clue_words(text)) and not SIGN.search(text):
        return ()
    return _apart([*read_times(text, day_first), *read_identifiers(text), *read_amounts(text)])


@lru_cache(4096)
def canonical(text: str) -> str:
    """Return a text with its values in their plain form.

    >>> canonical("Pay five dollars at half past three in the afternoon.")
    'Pay 5 dollars at 15:30.'
    """
    parts, at = [], 0
    for fact in read_facts(text):
        parts += [text[at : fact.start], str(fact)]
        at = fact.end
    return "".join([*parts, text[at:]])


CALLED = MappingProxyType({"Money": "amount", "Quantity": "amount", "Recurrence": "frequency"})
"""Types that have another name in a sentence."""


class EqualValues(NamedTuple):
    """Two equal values that are written in two ways, and what they are."""

    text1: str
    text2: str
    kind: str


def written_as(text: str, other: str) -> tuple[str, tuple[EqualValues, ...]]:
    """Return ``text`` with its values as ``other`` writes equal ones, and these values, in its
    order; the first of each is that of ``other``.

    >>> written_as("It takes 90 minutes.", "It takes an hour and a half.")[0]
    'It takes an hour and a half.'
    >>> written_as("Sales fell by half.", "Sales halved.")[0]
    'Sales halved.'
    >>> written_as("It must be at most 2 km.", "It must not exceed 2 km.")[0]
    'It must not exceed 2 km.'
    """
    text, equal = _with_zeros(text, other)
    text = _with_changes(text, other, equal)
    facts, others = _named_values(text, other), _named_values(other, text)
    parts, at = [], 0
    for fact in facts if others else ():
        partner = _partner(fact, facts, others)
        if partner is None:
            continue
        others.remove(partner)
        ways = other[partner.start : partner.end], text[fact.start : fact.end]
        if ways[0] != ways[1]:
            parts += [_led(text[at : fact.start], *ways), ways[0]]
            at = fact.end
            if isinstance(fact, Share):  # "20 % of voters", "one in five voters"
                of, of2 = _OF.match(text, fact.end), _OF.match(other, partner.end)
                if of and of2 and of[2] == of2[2]:
                    parts.append(of2[1])
                    at = of.end(1)
            name = type(fact).__name__
            equal.append(EqualValues(*ways, CALLED.get(name, name.lower())))
    return "".join([*parts, text[at:]]), tuple(equal)


def _led(before: str, way: str, own: str) -> str:
    """Return the text before a value, with the auxiliary that it needs as another is written:
    "must be" at most 5, "must" not exceed 5.
    """
    denies = way.lower().startswith(_DENYING), own.lower().startswith(_DENYING)
    last = _LAST_WORD.search(before)
    if last is None or denies[0] == denies[1]:
        return before
    if denies[0]:
        return before[: last.start()] + _DENIED.get(last[0], last[0])
    stated = {verb: being for being, verb in _DENIED.items()}
    return before[: last.start()] + stated.get(last[0], f"{last[0]}be ")


def _named_values(text: str, other: str) -> list[Fact]:
    """Return the facts and all names of a text; those that another text has begin a sentence."""
    known = {word for name in read_names(other) for word in name.text.split()}
    return read_values(text, every_name=True, known=known)


def _partner(fact: Fact, facts: Sequence[Fact], others: Sequence[Fact]) -> Fact | None:
    """Return the first equal value of another text; of a name, without one, the only name that may
    be of the same person, if that may be of no other here.
    """
    for other in others:
        if compare(other, fact) is FactRelation.EQUAL:
            return other
    likely = [other for other in others if _may_be(fact, other)]
    alone = len(likely) == 1 and sum(_may_be(each, likely[0]) for each in facts) == 1
    return likely[0] if alone else None


def _may_be(first: Fact, second: Fact) -> bool:
    return isinstance(first, Name) and isinstance(second, Name) and first.may_be(second)


def _with_zeros(text: str, other: str) -> tuple[str, list[EqualValues]]:
    """Return a text with "no" for "zero" where ``other`` has that before the same noun, or the
    reverse, and what was replaced.
    """
    ways = {match[2].lower(): match[1].lower() for match in _ZERO.finditer(other)}
    replaced: list[EqualValues] = []

    def written(match: re.Match[str]) -> str:
        way = ways.get(match[2].lower(), match[1].lower())
        if way == match[1].lower():
            return match[1]
        replaced.append(EqualValues(way, match[1], "number"))
        return way if match.start() else way.capitalize()

    return _ZERO.sub(written, text) if ways else text, replaced


class _Change(NamedTuple):
    """A change by a share: where its words begin and end, its percentage, its verb's form."""

    start: int
    end: int
    percent: float
    form: str


def _with_changes(text: str, other: str, equal: list[EqualValues]) -> str:
    """Return a text with a change as ``other`` writes an equal one, which is added to ``equal``:
    "doubled" for "rose by 100 %".
    """
    if not (_MULTIPLE.search(text) or _MULTIPLE.search(other)):
        return text
    for one, two in product(_changes(text), _changes(other)):
        ways = other[two.start : two.end], text[one.start : one.end]
        if one[2:] == two[2:] and ways[0] != ways[1]:
            equal.append(EqualValues(*ways, "change"))
            return text[: one.start] + ways[0] + text[one.end :]
    return text


def _changes(text: str) -> Iterator[_Change]:
    """Yield the changes by a share that a text states."""
    for multiple in _MULTIPLE.finditer(text):
        lemma, written = multiple[1].lower() + "e", multiple[0].lower()
        yield _Change(*multiple.span(), MULTIPLES[lemma], form_of(written, lemma, "VERB"))
    for share in read_facts(text):
        words = _CHANGE.search(text, 0, share.start)
        if words and isinstance(share, Share) and share.interval.is_point and not share.points:
            being, verb, particle = words.groups()
            lemma = lemmatiser()(verb, "VERB")
            sign = (lemma + particle in RISING) - (lemma + particle in FALLING)
            form = "ed" if being and verb == lemma else form_of(verb, lemma, "VERB")  # "was cut"
            yield _Change(words.start(2), share.end, sign * share.interval.low, form)


def read_values(
    text: str,
    tokens: Iterable[Token] = (),
    every_name: bool = False,
    known: Set[str] = frozenset(),
) -> list[Fact]:
    """Return facts and names, in order; a name within another fact is left out. With ``tokens``
    names are proper nouns; without, only names of known kinds are read, unless ``every_name``.
    ``known``: see :func:`read_names`.
    """
    facts, tokens = read_facts(text), tuple(tokens)
    every_name = every_name or bool(tokens)
    names = read_names(text, tokens, known)
    named = [name for name in names if every_name or name.kind != _UNKNOWN]
    return sorted([*facts, *outside(named, facts)], key=lambda each: each.start)


def outside(facts: Iterable[Fact], others: Sequence[Fact]) -> list[Fact]:
    """Return the facts that overlap with no other."""
    return [
        fact
        for fact in facts
        if all(fact.end <= other.start or fact.start >= other.end for other in others)
    ]


def _apart(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return facts that do not overlap, in order."""
    if len(facts) < 2:
        return tuple(facts)
    kept: list[Fact] = []
    for fact in sorted(facts, key=lambda each: each.start - each.end):
        kept += outside([fact], kept)
    return tuple(sorted(kept, key=lambda each: each.start))
