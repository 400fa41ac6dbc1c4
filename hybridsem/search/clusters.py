"""Groups of sentences that say much the same as one of them.

The communities of ``community_detection`` of sentence-transformers, by scores instead of cosines: a
community is a sentence, its centre, with all that score the threshold or more with it. Of
communities that overlap the largest keeps what they share (of equals that whose centre stands
first), and what is left of the others counts if it is large enough and has its centre.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem._utils.validation import check_count, check_threshold, usable_texts
from hybridsem.reader import Reader
from hybridsem.search.mining import mined, together

__all__ = ["cluster", "communities"]


def cluster(
    reader: Reader,
    sentences: Iterable[str],
    threshold: float,
    min_size: int,
    on_error: str,
    progress: bool,
) -> list[list[int]]:
    """The groups of :meth:`hybridsem.Pipeline.cluster`, whose arguments these are."""
    check_threshold(threshold)
    check_count(min_size, "min_size")
    texts, numbers = usable_texts(sentences, "sentence", on_error)
    pairs, scores = together(mined(reader, texts, None, threshold, on_error, progress))
    found = communities(len(texts), pairs, scores, min_size)
    return [[numbers[place] for place in group] for group in found]


def communities(
    sentences: int, pairs: IntArray, scores: Float64Array, least: int
) -> list[list[int]]:
    """The communities, the largest first; of each the centre first, then by falling score.

    Args:
        sentences: How many there are.
        pairs: Those that reach the threshold, (p, 2), each once.
        scores: Theirs, (p,).
        least: How many sentences a community has at least.
    """
    centres = np.concatenate([pairs[:, 0], pairs[:, 1]])
    members = np.concatenate([pairs[:, 1], pairs[:, 0]])
    order = np.lexsort((members, -np.tile(scores, 2), centres))
    members = members[order]
    sizes = np.bincount(centres, minlength=sentences)
    ends = np.cumsum(sizes)
    used: BoolArray = np.zeros(sentences, bool)
    found = []
    for centre in np.argsort(-sizes, kind="stable").tolist():
        if sizes[centre] + 1 < least:
            break
        if used[centre]:
            continue
        others = members[ends[centre] - sizes[centre] : ends[centre]]
        community = [centre, *others[~used[others]].tolist()]
        if len(community) >= least:
            used[community] = True
            found.append(community)
    return sorted(found, key=len, reverse=True)
