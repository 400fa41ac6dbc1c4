"""The edits between two aligned sentences.

Collectors find the edits of one or a few kinds, and use up the mass of the words. They run in the
order in which they may take it; word order comes last, for what no relation covers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._utils.exact import ROUNDING
from hybridsem.comparison import function_words, order, relations, words
from hybridsem.comparison.alignment import AlignedWords, Alignment
from hybridsem.comparison.edits import Edit, Kind
from hybridsem.comparison.pair import Draft, Pair
from hybridsem.comparison.sentence import Sentence
from hybridsem.english.lexicon import Lexicon

EXPLAINED = frozenset({"if", "unless"})

COLLECTORS: list[Callable[[Draft], None]] = [
    function_words.negations,
    function_words.particles,
    function_words.focused_subjects,
]
"""The functions that need nothing of what others found."""


class Differences(NamedTuple):
    """The edits between two sentences, the confidence in the relations, 0 to 1, and 0 without
    edits, and the partners that are converses.
    """

    edits: Sequence[Edit] = ()
    confidence: float = 0.0
    converses: tuple[AlignedWords, ...] = ()


def differences(
    first: Sentence, second: Sentence, alignment: Alignment, lexicon: Lexicon
) -> Differences:
    """Return all edits between two aligned sentences; none between a sentence and itself."""
    pair = Pair(first, second, alignment, lexicon)
    draft = Draft(pair)
    conjuncts = order.conjuncts(pair)
    for n in conjuncts.crossed:
        draft.change(Kind.CROSSED, n, pair.shares[n], event=(Kind.CROSSED,))
    order.crossed_lists(draft)
    places = relations.Places()
    if not conjuncts.reordered:
        places = relations.relations(draft)
        relations.exchanged_subjects(draft, places.settled)
        relations.infinitive_subjects(draft, places.settled)
    explained = EXPLAINED | places.explained | function_words.marked_words(draft)
    words.unlike_partners(draft)
    function_words.unaligned_function_words(draft, explained)
    for collect in COLLECTORS:
        collect(draft)
    alone = _without((pair.first.alone, pair.second.alone), function_words.dual_words(pair))
    words.unaligned_words(draft, _without(alone, words.numerals_and_articles(draft, alone)))
    if not conjuncts.reordered:
        order.crossed_words(draft)
    order.crossed_numbers(draft)
    if not conjuncts.reordered:
        order.exchanged_parts(draft)
        order.neighbours(draft, places.kept)
    converses = tuple([pair.aligned[n] for n in sorted(pair.converses)])
    if not draft.edits:
        return Differences((), 0.0, converses)
    confidence = _confidence(pair, places.changed)
    edits = [
        edit._replace(mass=edit.mass * confidence) if edit.kind.scaled else edit
        for edit in draft.edits
    ]
    return Differences(edits, confidence, converses)


def _without(alone: words.Alone, explained: tuple[set[int], set[int]]) -> words.Alone:
    first, second = ([i for i in own if i not in explained[at]] for at, own in enumerate(alone))
    return first, second


def _confidence(pair: Pair, changed: float) -> float:
    """Return the confidence in the relations. It is lower if words have no similar word, and if
    relations changed without an exchange, because then one sentence was rephrased or a parse is
    wrong.
    """
    (nearest1, nearest2), first, second = pair.nearest, pair.first.sentence, pair.second.sentence
    similar1 = float(np.add.reduce(first.weights * nearest1)) / first.weight
    similar2 = float(np.add.reduce(second.weights * nearest2)) / second.weight
    confidence = (similar1 + similar2) / 2 * max(0.0, 1 - changed)
    return confidence if confidence > ROUNDING else 0.0
