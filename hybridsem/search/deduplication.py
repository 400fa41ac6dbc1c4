"""Dropping records that say the same as one that is kept: from texts to groups (duplicates.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from hybridsem._typing import IntArray
from hybridsem._utils.progress import tracked
from hybridsem._utils.validation import check_threshold, usable_texts
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.lexicon import lexicon
from hybridsem.errors import InputError
from hybridsem.judge.judgement import comparison_of
from hybridsem.reader import Reader
from hybridsem.search.duplicates import (
    AS_THEY_STAND,
    KEEP,
    REWORDED,
    Double,
    Duplicates,
    Ruling,
    collected,
    doubles_in,
    grouped,
    plain,
    preferred,
)
from hybridsem.search.mining import close, gathered, least_cosine
from hybridsem.search.surface import Surfaces

__all__ = ["deduplicate"]


def deduplicate(
    reader: Reader,
    sentences: Iterable[str],
    threshold: float,
    probability: float | None,
    keep: str,
    reworded: bool,
    on_error: str,
    progress: bool,
) -> Duplicates:
    """The duplicates of :meth:`hybridsem.Pipeline.deduplicate`, whose arguments these are."""
    check_threshold(threshold)
    if probability is None:
        probability = REWORDED if reworded else AS_THEY_STAND
    if not isinstance(probability, (int, float)) or not 0 <= probability <= 1:
        raise InputError(f"a probability is a number in [0, 1], got {probability!r:.80}")
    if keep not in KEEP:
        raise InputError(f"keep is one of {', '.join(KEEP)}; got {keep!r:.80}")
    combiner = comparison_of(reader)
    texts, numbers = usable_texts(sentences, "sentence", on_error)
    first: dict[str, int] = {}
    dropped: list[tuple[int, int, Double]] = []
    for at in preferred(texts, keep):
        kept = first.setdefault(plain(texts[at]), at)
        if kept != at:
            dropped.append((numbers[at], numbers[kept], Double(1.0, 1.0, "the same text")))
    places = list(first.values())
    ruling = Ruling(threshold, probability, reworded)

    def compare(pairs: Sequence[tuple[int, int]]) -> tuple[list[Double | None], list[int]]:
        given = [(texts[places[one]], texts[places[two]]) for one, two in pairs]
        found, failed = doubles_in(combiner, own.batch(given), ruling)
        if failed and on_error == "fail":
            one, two = (numbers[places[at]] for at in pairs[failed[0]])
            raise own.failure(given[failed[0]], f"sentences {one} and {two}: ", (one, two))
        return found, failed

    own, unread = reader.for_call(), list[int]()
    distinct = [texts[at] for at in places]
    chosen = np.arange(len(places))
    surfaces = None
    if reader.trees is not None:  # whose words are those of every parse
        surfaces = Surfaces(distinct, reader.truncated, reworded)
        lemma = lemmatiser(reader.trees.encoder.folder)
        chosen = surfaces.with_partners(combiner.vectors, lemma, lexicon())
    vectors = own.near([distinct[at] for at in chosen.tolist()], progress)
    assert vectors is not None  # as comparison_of has told
    blocks = close(vectors, None, least_cosine(combiner, threshold, reader.scale))
    tracked_blocks = tracked(blocks, len(chosen), "Comparing", progress)
    candidates: Iterable[IntArray] = (chosen[block.pairs] for block in tracked_blocks)
    if surfaces is not None:
        candidates = map(surfaces.not_apart, candidates)
    pairs = gathered(candidates)
    del vectors, blocks, tracked_blocks, candidates, surfaces
    parts = grouped(len(places), pairs, compare)
    total = len(np.unique(pairs))
    for part in tracked(parts, total, "Judging", progress):
        dropped += [
            (numbers[places[two]], numbers[places[one]], double)
            for two, one, double in part.dropped
        ]
        unread += [numbers[places[at]] for at in part.unread]
    return collected(numbers, _followed(dropped), unread)


def _followed(dropped: list[tuple[int, int, Double]]) -> list[tuple[int, int, Double]]:
    """What is dropped, with a partner that is kept: the copy of a text that is dropped itself has
    the partner of that text.
    """
    partner = {number: (kept, double) for number, kept, double in dropped}
    return [
        (number, *partner[kept]) if kept in partner else (number, kept, double)
        for number, kept, double in dropped
    ]
