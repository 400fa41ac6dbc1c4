"""Sentences as batches of tensors.

Words, predicates and pairs of all sentences of a batch stand one after the other; nothing is padded
but candidates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from hybridsem.parsers.srl.features import distance
from hybridsem.parsers.srl.labeller import FOLLOWING
from hybridsem.parsers.srl.lexicon import RoleLexicon
from models.roles.data import TAGS, Corpus, Sentence


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
        firsts = np.concatenate([[0], np.cumsum(lengths)])
        take = [slice(s.start, s.start + len(s)) for s in sentences]
        columns = {
            name: torch.from_numpy(np.concatenate([getattr(tree, name) for tree in trees]))
            for name in ("tags", "relations", "marker", "below")
        }
        n = int(firsts[-1])
        marked, prior, counted = (
            np.zeros(n, np.float32),
            np.zeros((n, 3), np.float32),
            np.zeros(n, bool),
        )
        predicates, candidates, evidence, target, senses, frames = [], [], [], [], [], []
        rows, labels, roles = [np.zeros((0, 4), np.int64)], [], []
        lex = self.lexicon
        for s, tree, first in zip(sentences, trees, firsts[:-1], strict=True):
            counted[first : first + len(s)] = s.whole
            places = {p.index for p in s.predicates}
            for k, (form, tag) in enumerate(zip(s.forms, tree.tags, strict=True)):
                prior[first + k] = lex.prior(
                    form, TAGS[tag], (1, int(k in places)) if own and s.whole else (0, 0)
                )
            for p, pairs in zip(s.predicates, tree.pairs, strict=True):
                marked[first + p.index] = 1
                gold = self._rolesets.get(p.roleset, -1)
                known = lex.rolesets_of(s.forms[p.index], TAGS[tree.tags[p.index]])
                following = s.forms[p.index + 1 : p.index + 1 + FOLLOWING]
                candidates.append(known)
                taken_off = gold if own and s.whole else None
                evidence.append(np.reshape(lex.evidence(known, following, taken_off), (-1, 2)))
                target.append(known.index(gold) if gold in known else -100)
                senses.append(gold)
                frames.append(
                    lex.frame(gold if gold >= 0 else None, set(p.labels.values()) if own else None)
                )
                number = np.full((len(pairs), 1), len(predicates))
                rows.append(np.concatenate([number, pairs[:, :1] + first, pairs[:, 1:]], 1))
                predicates.append(first + p.index)
                for w in pairs[:, 0].tolist():
                    labels.append(self._labels.get(p.labels.get(w, "_"), 0))
                    roles.append(1 + p.roles[w] if w in p.roles else (-100 if w in p.labels else 0))
        width = max([1, *map(len, candidates)])
        grid = np.zeros((len(candidates), width), np.int64)
        features, mask = np.zeros((*grid.shape, 2), np.float32), np.ones(grid.shape, bool)
        for row, (known, each) in enumerate(zip(candidates, evidence, strict=True)):
            grid[row, : len(known)], features[row, : len(known)], mask[row, : len(known)] = (
                known,
                each,
                False,
            )
        number, word, path, reach = (
            np.ascontiguousarray(column) for column in np.concatenate(rows).T
        )
        where = np.array(predicates, np.int64)
        frame = np.stack(frames) if frames else np.zeros((0, lex.frame_width), np.float32)
        return Batch(
            lengths,
            torch.from_numpy(np.concatenate([corpus.words[t] for t in take])).float(),
            torch.from_numpy(np.concatenate([corpus.states[t] for t in take])).float(),
            columns["tags"],
            columns["relations"],
            columns["marker"],
            columns["below"].float(),
            torch.from_numpy(np.concatenate([s.shapes for s in sentences])),
            *map(torch.from_numpy, (prior, marked, counted, where, grid, mask, features)),
            torch.tensor(target, dtype=torch.long),
            torch.tensor(senses, dtype=torch.long),
            *map(
                torch.from_numpy, (frame, number, word, path, reach, distance(word, where[number]))
            ),
            torch.tensor(labels, dtype=torch.long),
            torch.tensor(roles, dtype=torch.long),
        )
