"""The role heads as a torch module, and their loss.

    words, states, columns --word--> --around--> hidden --is_predicate--> predicates
                                                 hidden --to_sense · sense--> rolesets
    left(hidden[word]) + right(hidden[predicate], sense, frame) + way(path, reach, far) --> label,
    role

A pair also sees the largest values of all pairs of its predicate (``context``), so that it knows
what else there is.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from hybridsem.parsers.srl.features import FUNCTION_WORDS, PATHS, REACH
from hybridsem.parsers.trees.embedded import SHAPES
from models.parser.model import WIDTH, WINDOW, around
from models.roles.batches import Batch
from models.roles.data import RELATIONS, TAGS

F = nn.functional
WEIGHTS = {"predicate": 1.0, "sense": 0.4, "label": 1.0, "role": 0.3}


@dataclass(frozen=True)
class Settings:
    """How they are trained: ``size`` sentences a batch, ``examples`` the share of the frame
    examples that an epoch has, and widths.
    """

    epochs: int = 12
    lr: float = 1.5e-3
    size: int = 24
    examples: float = 1.0
    seed: int = 1
    word: int = 320
    around: int = 256
    pair: int = 256
    sense: int = 48
    path: int = 48


class Model(nn.Module):
    """Heads for so many argument labels, rolesets and roles, over states and frames so wide."""

    def __init__(
        self, labels: int, rolesets: int, roles: int, states: int, frame: int, settings: Settings
    ) -> None:
        super().__init__()
        word, pair, sense, path = settings.word, settings.pair, settings.sense, settings.path
        self.tag, self.relation = nn.Embedding(len(TAGS), 16), nn.Embedding(len(RELATIONS), 24)
        self.marker, self.shape = nn.Embedding(FUNCTION_WORDS, 32), nn.Embedding(len(SHAPES), 8)
        self.norm = nn.LayerNorm(WIDTH)
        self.word = nn.Linear(states + WIDTH + 16 + 24 + 32 + 8 + len(RELATIONS), word)
        self.around = nn.Linear(WINDOW * word, settings.around)
        width = word + settings.around
        self.is_predicate = nn.Sequential(nn.Linear(width + 3, 96), nn.ReLU(), nn.Linear(96, 1))
        self.sense, self.sense_bias = nn.Embedding(rolesets, sense), nn.Embedding(rolesets, 1)
        nn.init.normal_(self.sense.weight, std=0.05)
        nn.init.zeros_(self.sense_bias.weight)
        self.to_sense = nn.Linear(width, sense)
        self.prior = nn.Parameter(torch.tensor([0.7, 1.0]))
        self.left, self.right = nn.Linear(width, pair), nn.Linear(width + sense + frame, pair)
        self.path, self.reach = nn.Embedding(PATHS, path), nn.Embedding(len(REACH), 16)
        self.far = nn.Embedding(16, 16)
        self.way = nn.Linear(path + 32, pair, bias=False)
        self.context, self.second = nn.Linear(pair, pair), nn.Linear(pair, pair)
        self.label, self.role = nn.Linear(pair, labels), nn.Linear(pair, 1 + roles)
        self.drop_in, self.drop = nn.Dropout(0.25), nn.Dropout(0.3)
        self.drop_pair = nn.Dropout(0.3)

    def words(self, b: Batch) -> torch.Tensor:
        """What is known of each word (n, width)."""
        table = [self.tag(b.tags), self.relation(b.relations)]
        table += [self.marker(b.marker), self.shape(b.shapes), b.below]
        table = self.drop(torch.cat(table, -1))
        words = self.drop_in(self.norm(b.words))
        x = self.drop(F.relu(self.word(torch.cat([self.drop_in(b.states), words, table], -1))))
        padded = nn.utils.rnn.pad_sequence(x.split(b.lengths), batch_first=True)
        y = F.relu(self.around(around(padded)))
        y = torch.cat([row[:n] for row, n in zip(y, b.lengths, strict=True)])
        return torch.cat([x, self.drop(y)], -1)

    def predicates(self, h: torch.Tensor, b: Batch) -> torch.Tensor:
        """Log odds of each word (n,)."""
        return self.is_predicate(torch.cat([h, b.prior], -1))[:, 0]

    def senses(self, h: torch.Tensor, b: Batch) -> torch.Tensor:
        """Scores of every predicate's candidates (p, c); those beyond are -1e4."""
        query = self.to_sense(h[b.predicates])
        scores = torch.einsum("pd,pcd->pc", query, self.sense(b.candidates))
        scores = scores + self.sense_bias(b.candidates)[..., 0]
        scores = scores + (b.candidate_features * self.prior).sum(-1)
        return scores.masked_fill(b.candidate_mask, -1e4)

    def pairs(
        self, h: torch.Tensor, b: Batch, sense: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Label and role scores of every pair; ``sense`` (p, d) embeds the rolesets."""
        right = self.right(torch.cat([h[b.predicates], sense, b.frame], -1))
        way = torch.cat([self.path(b.path), self.reach(b.reach), self.far(b.far)], -1)
        way = self.way(self.drop(way))
        u = self.drop_pair(F.relu(self.left(h)[b.pair_word] + right[b.pair_predicate] + way))
        v = self.second(u)
        top = u.new_zeros(len(right), u.shape[1])
        top = top.scatter_reduce(0, b.pair_predicate[:, None].expand_as(u), u, "amax")
        v = self.drop_pair(F.relu(v + self.context(top)[b.pair_predicate])) + u
        return self.label(v), self.role(v)


def loss_of(model: Model, b: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    """The loss of a batch and its parts; the roleset is the gold one, now and then none."""
    h = model.words(b)
    found = model.predicates(h, b)
    parts = {"predicate": found.sum() * 0}
    if b.counted.any():
        known = found[b.counted], b.marked[b.counted]
        parts["predicate"] = F.binary_cross_entropy_with_logits(*known)
    if len(b.predicates):
        several = b.sense_target >= 0
        scores = model.senses(h, b)
        parts["sense"] = scores.sum() * 0
        if several.any():
            parts["sense"] = F.cross_entropy(scores[several], b.sense_target[several])
        known = (b.gold_sense >= 0) & (torch.rand(len(b.gold_sense)) < 0.85)
        sense = model.sense(b.gold_sense.clamp(min=0)) * known[:, None]
        labels, roles = model.pairs(h, b, sense)
        n = len(b.predicates)
        parts["label"] = F.cross_entropy(labels, b.label, reduction="sum") / n / 3
        parts["role"] = F.cross_entropy(roles, b.role, reduction="sum") / n / 3
    return sum(WEIGHTS[k] * v for k, v in parts.items()), {k: v.item() for k, v in parts.items()}
