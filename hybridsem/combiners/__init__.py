"""Combiners: from two sentences that were read to a score that explains itself.

base.py         the batch, and the protocols of combiners
roles.py        fillers compared role by role: VerbNet-CN, Dependency-CN, role slots
sentence.py     the cosine of sentence vectors; similarities of two texts
frames.py       several predicates in a sentence
paths.py        AMR-CN: words on the same paths of two graphs
weighting.py    the amounts of edits, weighted into one score
hybrid.py       the hybrid: a cosine minus the weighted edits between words
passages.py     texts of several sentences, aligned by aligned_sentences.py
role_swaps.py   the hybrid of 0.1.0 and its formula
cosine_attribution.py   the pairs of words whose parts add up to a cosine
"""

from hybridsem.combiners.base import Batch, Combiner
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.combiners.sentence import PairCombiner, PairSimilarity, SentenceCombiner
from hybridsem.comparison.role_alignment import (
    PAIRINGS,
    VERBNET_WEIGHTS,
    Normalise,
    align_roles,
    relative_weights,
    weighted_score,
)

__all__ = [
    "PAIRINGS",
    "VERBNET_WEIGHTS",
    "Batch",
    "Combiner",
    "Normalise",
    "PairCombiner",
    "PairSimilarity",
    "RoleCombiner",
    "SentenceCombiner",
    "align_roles",
    "relative_weights",
    "weighted_score",
]
