"""Content words that differ: partners with other words, numbers, words without a partner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from operator import ge, gt, le, lt
from types import MappingProxyType
from typing import Any

from hybridsem._utils.exact import ROUNDING
from hybridsem.comparison.edits import SURE, Kind, Words
from hybridsem.comparison.flows import is_thing
from hybridsem.comparison.pair import Draft
from hybridsem.comparison.sentence import Sentence
from hybridsem.english.lexicon import LexicalRelation
from hybridsem.facts.identifiers import Identifier
from hybridsem.facts.names import Name
from hybridsem.facts.quantities import Age, Money, Ordinal, Quantity, Rate, Share
from hybridsem.facts.times import Date, Duration, Recurrence, Time
from hybridsem.facts.values import Fact, FactRelation, compare

UNALIGNED = {
    "PROPN": (Kind.REPLACED_NAMES, Kind.ADDED_NAMES),
    "NOUN": (Kind.REPLACED_NOUNS, Kind.ADDED_NOUNS),
    "VERB": (Kind.REPLACED_VERBS, Kind.ADDED_VERBS),
    "AUX": (Kind.REPLACED_VERBS, Kind.ADDED_VERBS),
    "ADJ": (Kind.REPLACED_ADJECTIVES, Kind.ADDED_ADJECTIVES),
}
"""The kinds of words without a partner, by their tags."""
REPLACEABLE = UNALIGNED.keys() - {"ADJ"}
"""Tags of words whose unlike partners cost nothing."""
OTHERS = (Kind.REPLACED_OTHERS, Kind.ADDED_OTHERS)
Alone = tuple[list[int], list[int]]
"""The positions of the words of each sentence without a partner."""
VALUES: tuple[tuple[tuple[type[Fact], ...], Kind], ...] = (
    ((Quantity, Money, Share, Rate, Age), Kind.AMOUNT),
    ((Date, Time, Duration, Recurrence), Kind.TIME),
    ((Ordinal,), Kind.NUMBER),
    ((Identifier,), Kind.IDENTIFIER),
    ((Name,), Kind.NAME),
)
"""The kinds of other values, by their type."""
LEAST_VALUE = 0.1
"""The least mass of another value or number: in a long sentence it counts for more than one word.
"""
MULTIPLE = "time"
"""The unit of "twice" and "threefold", which "half" may answer."""
BOUNDED: Mapping[str | None, Callable[[Any, Any], bool]] = MappingProxyType(
    {"at least": ge, "more than": gt, "at most": le, "fewer than": lt}
)
"""Bounds, and the test if a number keeps one."""
UNSURE = SURE / 2
"""The confidence of values that may be the same."""
COUNTS = frozenset(range(1, 100))
"""Numbers that are compared with an article."""


def unlike_partners(draft: Draft) -> None:
    """Add partners that are not the same word."""
    pair = draft.pair
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        first, second, similarity, relation, strength = one
        tags = pair.first.sentence.word_tags[first], pair.second.sentence.word_tags[second]
        if tags[0] != tags[1] and "VERB" in tags and "NOUN" in tags:
            this, at = (pair.first, first) if tags[0] == "NOUN" else (pair.second, second)
            if is_thing(pair, this.sentence.word_lemmas[at]):
                draft.add(Kind.CONVERSION, 1.0, pair.words(n))
        if relation is LexicalRelation.SAME or n in pair.converses:
            continue
        facts = pair.first.sentence.value(first), pair.second.sentence.value(second)
        known = first in pair.first.sentence.facts or second in pair.second.sentence.facts
        if known and (found := _kind_of_values(*facts)) is not None:
            kind, sure = found
            mass = share if kind in (Kind.NAME, Kind.PRECISION) else max(share, LEAST_VALUE)
            draft.change(kind, n, mass, pair.words(n), sure, counts=True)
            continue
        numbers = pair.first.sentence.numbers[first], pair.second.sentence.numbers[second]
        if relation is LexicalRelation.CO_HYPONYM:
            draft.change(Kind.CO_HYPONYM, n, share * strength, pair.words(n), strength)
        elif None not in numbers and numbers[0] != numbers[1]:
            bounds = (side.sentence.quantifiers[side.tokens[n]] for side, _ in pair.sides)
            kept = zip(bounds, numbers[::-1], numbers, strict=True)  # "at least five" and "seven"
            open_ = any(mark in BOUNDED and BOUNDED[mark](one, two) for mark, one, two in kept)
            mass, sure = max(share, LEAST_VALUE), UNSURE if open_ else 1.0
            draft.change(Kind.NUMBER, n, mass, pair.words(n), sure, counts=True)
        elif relation is not LexicalRelation.ANTONYM and tags[0] not in REPLACEABLE:
            kind = Kind.UNLIKE_ADJECTIVES if tags[0] == "ADJ" else Kind.UNLIKE_OTHERS
            draft.change(kind, n, share * (1 - similarity), pair.words(n))


def _kind_of_values(first: Fact | None, second: Fact | None) -> tuple[Kind, float] | None:
    """Return the kind of two values that are not equal, with its confidence, or None for names that
    may be the same. A word without a value is given as None.
    """
    relation = None if first is None or second is None else compare(first, second)
    if relation is FactRelation.DISJOINT:
        return next(kind for types, kind in VALUES if isinstance(first, types)), 1.0
    known = first or second
    multiple = relation is None and isinstance(known, Quantity) and known.unit == MULTIPLE
    if multiple or isinstance(known, Name):
        return None
    nested = relation in (FactRelation.CONTAINS, FactRelation.WITHIN)
    return Kind.PRECISION, 1.0 if nested else UNSURE


def numerals_and_articles(draft: Draft, alone: Alone) -> tuple[set[int], set[int]]:
    """Add numerals where the other sentence has an article: "two dogs", "a dog". Return them."""
    pair = draft.pair
    numerals: tuple[set[int], set[int]] = set(), set()
    for side, (this, other) in enumerate(pair.sides):
        for i in alone[side] if this.sentence.numbered else ():
            number, places = this.sentence.numbers[i], this.sentence.places[i]
            if number is None or number not in COUNTS:
                continue
            if not places or places[0].relation != "nummod":
                continue
            n = this.number.get(places[0].governor)
            if n is None or pair.aligned[n].relation is not LexicalRelation.SAME:
                continue
            noun = other.tokens[n]
            article = _indefinite_article(other.sentence, noun)
            if (
                article is not None
                and other.lemmas.count(other.lemmas[noun]) == 1
                and not other.sentence.coordinated[other.positions[n]]
                and other.sentence.quantifiers[noun] is None
            ):
                numerals[side].add(i)
                words = Words((this.words[i],)), Words((article,))
                more = this.sentence.word_weights[i] / pair.size * (1 - 1 / number)
                draft.add(Kind.NUMBER, more, words if this is pair.first else words[::-1])
    return numerals


def _indefinite_article(sentence: Sentence, token: int) -> int | None:
    """Return the indefinite article of a noun."""
    before = sentence.tokens_before(token)
    return next((at for at in before if sentence.lemmas[at] in ("a", "an")), None)


def unaligned_words(draft: Draft, alone: Alone) -> None:
    """Add words without a partner (``alone``), all in one event, and unlike main verbs.

    They are replaced, as far as the other sentence has unaligned words, of the same part of speech
    first, and added beyond that.
    """
    pair = draft.pair
    first, second = pair.first, pair.second
    pools: defaultdict[tuple[Kind, Kind], tuple[list[int], list[int]]]
    pools = defaultdict(lambda: ([], []))
    for side, this in enumerate((first, second)):
        for i in alone[side]:
            pools[UNALIGNED.get(this.sentence.word_tags[i], OTHERS)][side].append(i)
    event = (Kind.REPLACED,)
    left: list[tuple[Kind, tuple[Words, Words], float]] = []
    for (replaced, added), (words1, words2) in pools.items():
        weight1 = sum([first.sentence.word_weights[i] for i in words1]) / pair.size
        weight2 = sum([second.sentence.word_weights[j] for j in words2]) / pair.size
        before = Words(tuple([first.words[i] for i in words1]))
        after = Words(tuple([second.words[j] for j in words2]))
        if words1 and words2:
            draft.add(replaced, min(weight1, weight2), (before, after), event=event)
        left.append((added, (before, after), weight1 - weight2))
    more1 = sum([more for _, _, more in left if more > 0])
    more2 = sum([-more for _, _, more in left if more < 0])
    share = 1.0
    if more1 > ROUNDING and more2 > ROUNDING:
        tokens1 = [token for _, (before, _), more in left if more > 0 for token in before.tokens]
        tokens2 = [token for _, (_, after), more in left if more < 0 for token in after.tokens]
        crossed = Words(tuple(tokens1)), Words(tuple(tokens2))
        draft.add(Kind.REPLACED, min(more1, more2), crossed, event=event)
        share = abs(more1 - more2) / (more1 + more2)
    for added, words, more in left:
        draft.add(added, abs(more) * share, words, event=event)
    _main_verbs(draft, event, alone)


def _main_verbs(draft: Draft, event: tuple[Kind], alone: Alone) -> None:
    """Add main verbs without a similar word; they belong to ``event`` if both are unaligned."""
    pair = draft.pair
    main1, main2 = pair.first.sentence.main_verb, pair.second.sentence.main_verb
    if main1 is not None and main2 is not None and pair.similarities.item(main1, main2) < 1:
        lemmas = pair.first.sentence.word_lemmas[main1], pair.second.sentence.word_lemmas[main2]
        for n in pair.balanced | pair.converses:
            if pair.aligned[n][:2] == (main1, main2) and (
                n in pair.balanced or pair.lexicon.converse(lemmas[0], "VERB", lemmas[1], "VERB")
            ):
                return
        nearest1, nearest2 = pair.nearest
        similarity = (nearest1.item(main1) + nearest2.item(main2)) / 2
        words = Words((pair.first.words[main1],)), Words((pair.second.words[main2],))
        both = main1 in alone[0] and main2 in alone[1]
        draft.add(Kind.MAIN_VERB, 1 - similarity, words, event=event if both else None)
