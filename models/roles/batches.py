"""Sentences as batches of tensors.

Words, predicates and pairs of all sentences of a batch stand one after the other; nothing is padded
but candidates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from hybridsem.parsers.srl.features import distance
from hybridsem.parsers.srl.labeller import FOLLOWING
from hybridsem.parsers.srl.lexicon import RoleLexicon
from models.roles.data import TAGS, Corpus, Sentence, Tree


@dataclass
class Batch:
    """A batch: words (n, …), predicates (p, …), pairs (m, …); a target of -100 is none."""

    lengths: list[int]
    words: torch.Tensor
    states: torch.Tensor
    tags: torch.Tensor
    relations: torch.Tensor
    marker: torch.Tensor
    below: torch.Tensor
    shapes: torch.Tensor
    prior: torch.Tensor
    marked: torch.Tensor  # whether a word is a predicate
    counted: torch.Tensor  # whether that is annotated
    predicates: torch.Tensor  # their words
    candidates: torch.Tensor  # (p, c) rolesets
    candidate_mask: torch.Tensor  # those that only fill the row
    candidate_features: torch.Tensor
    sense_target: torch.Tensor  # a column of the candidates
    gold_sense: torch.Tensor  # a roleset, -1 if unknown
    frame: torch.Tensor
    pair_predicate: torch.Tensor
    pair_word: torch.Tensor
    path: torch.Tensor
    reach: torch.Tensor
    far: torch.Tensor
    label: torch.Tensor
    role: torch.Tensor


class Batches:
    """Makes batches."""

    def __init__(self, lexicon: RoleLexicon) -> None:
        self.lexicon = lexicon
        self._labels = {name: k for k, name in enumerate(lexicon.labels)}
        self._rolesets = {name: k for k, name in enumerate(lexicon.rolesets)}

    def batch(
        self, corpus: Corpus, sentences: list[Sentence], variants: list[str], own: bool
    ) -> Batch:
        """The sentences with one of their trees each; ``own`` takes a sentence off the counts that
        it is in.
        """
        trees = [s.trees[v] for s, v in zip(sentences, variants, strict=True)]
        lengths = [len(s) for s in sentences]
        take = np.concatenate([np.arange(s.start, s.start + len(s)) for s in sentences])
        tags, relations, marker, below = (
            torch.from_numpy(np.concatenate([getattr(tree, name) for tree in trees]))
            for name in ("tags", "relations", "marker", "below")
        )
        prior: list[tuple[float, float, float]] = []
        found: list[_Predicate] = []
        for s, tree in zip(sentences, trees, strict=True):
            found += self._predicates(s, tree, len(prior), own)
            prior += self._prior(s, tree, own)
        counted = np.repeat([s.whole for s in sentences], lengths)
        where = np.array([one.word for one in found], np.int64)
        marked = np.zeros(len(prior), np.float32)
        marked[where] = 1
        pairs = np.concatenate([np.zeros((0, 3), np.int64), *(one.pairs for one in found)])
        number = np.repeat(np.arange(len(found)), np.array([len(one.pairs) for one in found], int))
        word, path, reach = (np.ascontiguousarray(column) for column in pairs.T)
        frame = np.array([one.frame for one in found], np.float32)
        frame = frame.reshape(-1, self.lexicon.frame_width)
        return Batch(
            lengths,
            torch.from_numpy(corpus.words[take]).float(),
            torch.from_numpy(corpus.states[take]).float(),
            tags,
            relations,
            marker,
            below.float(),
            torch.from_numpy(np.concatenate([s.shapes for s in sentences])),
            torch.from_numpy(np.array(prior, np.float32)),
            *map(torch.from_numpy, (marked, counted, where, *_filled(found))),
            torch.tensor([one.target for one in found], dtype=torch.long),
            torch.tensor([one.gold for one in found], dtype=torch.long),
            *map(
                torch.from_numpy, (frame, number, word, path, reach, distance(word, where[number]))
            ),
            torch.tensor([label for one in found for label in one.labels], dtype=torch.long),
            torch.tensor([role for one in found for role in one.roles], dtype=torch.long),
        )

    def _prior(self, s: Sentence, tree: Tree, own: bool) -> Iterator[tuple[float, float, float]]:
        """What is known of each word before its sentence is read, (3,)."""
        places, taken = {p.index for p in s.predicates}, own and s.whole
        for k, (form, tag) in enumerate(zip(s.forms, tree.tags, strict=True)):
            counts = (1, int(k in places)) if taken else (0, 0)
            yield self.lexicon.prior(form, TAGS[tag], counts)

    def _predicates(self, s: Sentence, tree: Tree, first: int, own: bool) -> Iterator[_Predicate]:
        """The predicates of a sentence whose words begin at ``first`` in the batch."""
        lex = self.lexicon
        for p, pairs in zip(s.predicates, tree.pairs, strict=True):
            gold = self._rolesets.get(p.roleset, -1)
            known = lex.rolesets_of(s.forms[p.index], TAGS[tree.tags[p.index]])
            following = s.forms[p.index + 1 : p.index + 1 + FOLLOWING]
            evidence = lex.evidence(known, following, gold if own and s.whole else None)
            words = pairs[:, 0].tolist()
            yield _Predicate(
                first + p.index,
                known,
                np.reshape(evidence, (-1, 2)),
                known.index(gold) if gold in known else -100,
                gold,
                lex.frame(
                    gold if gold >= 0 else None, frozenset(p.labels.values()) if own else None
                ),
                pairs + np.array([first, 0, 0]),
                [self._labels.get(p.labels.get(w, "_"), 0) for w in words],
                [1 + p.roles[w] if w in p.roles else -100 * (w in p.labels) for w in words],
            )


class _Predicate(NamedTuple):
    """A predicate: its word, candidates with their evidence, targets, and its pairs."""

    word: int
    candidates: tuple[int, ...]
    evidence: np.ndarray
    target: int
    gold: int
    frame: np.ndarray
    pairs: np.ndarray
    labels: list[int]
    roles: list[int]


def _filled(found: Sequence[_Predicate]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Candidates (p, c), where a row is only filled, and the evidence (p, c, 2)."""
    grid = np.zeros((len(found), max([1, *(len(one.candidates) for one in found)])), np.int64)
    features, mask = np.zeros((*grid.shape, 2), np.float32), np.ones(grid.shape, bool)
    for row, one in enumerate(found):
        count = len(one.candidates)
        grid[row, :count], features[row, :count] = one.candidates, one.evidence
        mask[row, :count] = False
    return grid, mask, features
