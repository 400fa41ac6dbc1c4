"""The upper layers of the encoder as a torch module, from the published weights on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from hybridsem._typing import IntArray
from models.fit import in_order
from models.role_encoder.states import States

HEADS = 12


class Layer(nn.Module):
    """A layer of BERT; its parameters have the published names.

    In training a share ``dropout`` of the values that it adds is left out, the same values at all
    tokens of a sentence (Gal and Ghahramani 2016, section 4).
    """

    def __init__(self, width: int, inner: int, heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.attended = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.last_norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(n, length, width) from the same; ``mask`` (n, 1, 1, length) is True for words."""
        n, length, width = x.shape
        weight = torch.cat([self.query.weight, self.key.weight, self.value.weight])
        bias = torch.cat([self.query.bias, self.key.bias, self.value.bias])
        parts = functional.linear(x, weight, bias).view(n, length, 3, self.heads, -1)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        # In 32 bit: on a CPU the gradient of attention in bfloat16 takes longer than all the rest.
        with torch.autocast(x.device.type, enabled=False):
            found = functional.scaled_dot_product_attention(
                q.float(), k.float(), v.float(), attn_mask=mask
            )
        attended = self.attended(found.transpose(1, 2).reshape(n, length, width))
        x = self.norm(x + self._thinned(attended))
        return self.last_norm(x + self._thinned(self.down(functional.gelu(self.up(x)))))

    def _thinned(self, x: torch.Tensor) -> torch.Tensor:
        if not (self.training and self.dropout):
            return x
        kept = torch.rand(len(x), 1, x.shape[-1], device=x.device) >= self.dropout
        return x * (kept / (1 - self.dropout)).to(x.dtype)


NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "last_norm": "output.LayerNorm",
}


MARKS = {0: 1, 101: 0, 102: 2, 103: 30526}
"""BERT's numbers of [PAD], [CLS], [SEP] and [MASK], and MPNet's; all others are 4 apart."""


def mpnet_numbers(pieces: torch.Tensor) -> torch.Tensor:
    """MPNet's numbers of word pieces that have BERT's."""
    numbers = pieces + 4
    for bert, mpnet in MARKS.items():
        numbers = numbers.masked_fill(pieces == bert, mpnet)
    return numbers


def within(states: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """(n, length), True for the tokens that are read."""
    return torch.arange(states.shape[1], device=states.device)[None] < lengths[:, None]


def pooled(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Unit vectors (n, width): the means over the tokens that are read."""
    mean = (x.float() * within(x, lengths)[..., None]).sum(1) / lengths[:, None]
    return functional.normalize(mean, dim=-1)


class UpperLayers(nn.Module):
    """The last ``count`` layers and the mean over the tokens."""

    def __init__(self, count: int, width: int = 384, inner: int = 1536) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(width, inner, HEADS) for _ in range(count))

    def forward(self, states: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Unit vectors (n, width) of states (n, length, width) of which the first so many are
        read.
        """
        return pooled(self.outputs(states, lengths)[-1], lengths)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.layers[0].up.weight.device

    @classmethod
    def of(cls, weights: Mapping[str, np.ndarray], first: int, count: int) -> UpperLayers:
        """The layers from number ``first`` on of published weights, on a graphics card if any."""
        name = f"encoder.layer.{first}"
        sizes = (len(weights[f"{name}.{one}.dense.bias"]) for one in ("output", "intermediate"))
        made = cls(count, *sizes)
        made.load(weights, first)
        return made.cuda() if torch.cuda.is_available() else made

    def batches(
        self, states: States, rows: IntArray
    ) -> tuple[list[tuple[torch.Tensor, torch.Tensor]], torch.Tensor]:
        """States and lengths of sentences of like length, and the order that puts results back."""
        parts, back = in_order(states.lengths[rows], 384 if self.device.type == "cuda" else 48)
        found = (states.padded(rows[some]) for some in parts)
        there = [[torch.from_numpy(one).to(self.device) for one in both] for both in found]
        return [(padded.float(), lengths) for padded, lengths in there], back

    def vectors(self, states: States, rows: IntArray) -> torch.Tensor:
        """Unit vectors of sentences, (n, d); those of like length run together."""
        batches, back = self.batches(states, rows)
        with torch.autocast(self.device.type, torch.bfloat16):
            return torch.cat([self(*batch) for batch in batches])[back]

    def outputs(self, states: torch.Tensor, lengths: torch.Tensor) -> list[torch.Tensor]:
        """The output of each layer, (n, length, width)."""
        words = within(states, lengths)[:, None, None]
        found, x = [], states
        for layer in self.layers:
            x = layer(x, words)
            found.append(x)
        return found

    def load(self, weights: Mapping[str, np.ndarray], first: int) -> None:
        """Take weights by their published names; the lowest layer is number ``first`` there."""
        names = published_names(len(self.layers), first)
        self.load_state_dict({ours: torch.tensor(weights[theirs]) for ours, theirs in names})

    def published(self, first: int) -> dict[str, np.ndarray]:
        """The weights, by their published names."""
        state, names = self.state_dict(), published_names(len(self.layers), first)
        return {theirs: state[ours].float().cpu().numpy() for ours, theirs in names}


def published_names(
    count: int, first: int, names: Mapping[str, str] = NAMES
) -> Iterator[tuple[str, str]]:
    """Yield the name of each weight of ``layers``, and the published one."""
    for i in range(count):
        for ours, theirs in names.items():
            for part in ("weight", "bias"):
                yield f"layers.{i}.{ours}.{part}", f"encoder.layer.{first + i}.{theirs}.{part}"
