"""Combiners: what two sentences have become, to a score that explains itself.

base.py         the batch, the Protocol of combiners
alignment.py    which roles are compared, and their weights
roles.py        fillers compared role by role: VerbNet-CN, Dependency-CN
published.py    VerbNet-CN with its words looked up as the paper's release does
sentence.py     the cosine of sentence vectors; similarities of two texts
frames.py       several predicates a sentence
slots.py        role structures as vectors
paths.py        AMR-CN: words on the same paths of two graphs
weighting.py    terms of a comparison, weighted into one score
role_swaps.py   the hybrid of 0.1.0 and its formula
role_scores.py  scores of very many pairs, without explanations
"""

from __future__ import annotations

from hybridsem.combiners.alignment import (
    PAIRINGS,
    VERBNET_WEIGHTS,
    Normalise,
    align_roles,
    relative_weights,
    weighted_score,
)
from hybridsem.combiners.base import Batch, Combiner
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.combiners.sentence import PairCombiner, PairSimilarity, SentenceCombiner

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
