"""The edits between two aligned sentences.

Collectors find the edits of one or a few kinds, and use up the mass of the words. They run in the
order in which they may take it; word order comes last, for what no relation covers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hybridsem.combiners.base import ROUNDING
from hybridsem.combiners.comparison import function_words, order, relations, words
from hybridsem.combiners.comparison.alignment import AlignedWords, Alignment
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.comparison.sentence_pair import SentencePair
from hybridsem.edits import Edit
from hybridsem.english.lexicon import Lexicon


class Differences(NamedTuple):
    """The edits between two sentences, the certainty of the relations, 0 to 1, and 0 without
    edits, and the partners that are converses.
    """

    edits: Sequence[Edit] = ()
    certainty: float = 0.0
    converses: tuple[AlignedWords, ...] = ()


COLLECTORS: list[Callable[[SentencePair], None]] = [
    order.crossed_conjuncts,
    order.crossed_lists,
    relations.relations,
    relations.exchanged_subjects,
    relations.infinitive_subjects,
    function_words.marked_words,
    words.unlike_partners,
    function_words.unaligned_function_words,
    function_words.negations,
    function_words.particles,
    function_words.focused_subjects,
    function_words.dual_words,
    words.numerals_and_articles,
    words.unaligned_words,
    order.crossed_words,
    order.crossed_numbers,
    order.exchanged_parts,
    order.neighbours,
]
"""The functions that find edits, in the order in which they run."""


def differences(
    first: SentenceWords, second: SentenceWords, alignment: Alignment, lexicon: Lexicon
) -> Differences:
    """Return all edits between two aligned sentences; none between a sentence and itself."""
    pair = SentencePair(first, second, alignment, lexicon)
    for collect in COLLECTORS:
        collect(pair)
    converses = tuple([pair.aligned[n] for n in sorted(pair.converses)])
    if not pair.edits:
        return Differences((), 0.0, converses)
    certainty = _certainty(pair)
    edits = [
        edit._replace(mass=edit.mass * certainty) if edit.kind.scaled else edit
        for edit in pair.edits
    ]
    return Differences(edits, certainty, converses)


def _certainty(pair: SentencePair) -> float:
    """Return the certainty of the relations. It is lower if words have no similar word, and if
    relations changed without an exchange, because then the sentence is recast or a parse is wrong.
    """
    (nearest1, nearest2), first, second = pair.nearest, pair.first, pair.second
    similar1 = float(np.add.reduce(first.sentence.weights * nearest1)) / first.content.weight
    similar2 = float(np.add.reduce(second.sentence.weights * nearest2)) / second.content.weight
    certainty = (similar1 + similar2) / 2 * max(0.0, 1 - pair.changed)
    return certainty if certainty > ROUNDING else 0.0
