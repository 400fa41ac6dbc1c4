"""The reader's teacher: the same heads over all-mpnet-base-v2, and what it has read in pairs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file
from torch import nn
from torch.nn import functional
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

from hybridsem._typing import Float32Array
from models.pair_reader.model import Reading
from models.role_encoder.layers import NAMES, mpnet_numbers

TAUGHT = Path(__file__).with_name("taught.npz")
FIRST = 2
"""The number of the first position."""
OWN_NAMES = NAMES | {
    "query": "attention.attn.q",
    "key": "attention.attn.k",
    "value": "attention.attn.v",
    "attended": "attention.attn.o",
    "norm": "attention.LayerNorm",
}


class Teacher(Reading):
    """Called as ``model.Reader`` is; what tells the second sentence from the first is trained."""

    def __init__(self, folder: Path) -> None:
        published = load_file(folder / "model.safetensors")
        distances = torch.tensor(published["encoder.relative_attention_bias.weight"])
        depth = sum(name.endswith("attn.q.weight") for name in published)
        super().__init__(published, depth, distances.shape[1], OWN_NAMES)
        self.distance = nn.Embedding(*distances.shape)
        self.side = nn.Parameter(torch.zeros(2, self.word.shape[1]))
        self.load_state_dict({"distance.weight": distances}, strict=False)

    def forward(
        self, ids: torch.Tensor, first: torch.Tensor, second: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """What ``read`` finds in the pairs with the word pieces ``ids`` (n, length) of BERT."""
        return self.read(self.states(ids, first, second), first, second)

    def states(self, ids: torch.Tensor, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        """The last states (n, length, width)."""
        length = ids.shape[1]
        x = functional.embedding(mpnet_numbers(ids), self.word)
        x = x + self.position[FIRST : FIRST + length]
        x = functional.layer_norm(x, x.shape[-1:], self.scale, self.shift, 1e-5)
        x = x + functional.embedding(second.long(), self.side)
        places = torch.arange(length)
        near = MPNetEncoder.relative_position_bucket(places[None] - places[:, None])
        bias = self.distance(near).permute(2, 0, 1)[None].float()
        bias = bias.masked_fill(~(first + second).bool()[:, None, None], -1e4)
        for layer in self.layers:
            x = layer(x, bias)
        return x


def digests(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """(n,) uint64: a number for each pair."""
    texts = ["\0".join(pair).encode() for pair in pairs]
    return np.array([int.from_bytes(hashlib.sha256(text).digest()[:8]) for text in texts], "uint64")


def taught(file: Path, pairs: Sequence[tuple[str, str]]) -> Float32Array:
    """(n, 8) what the teacher reads in pairs, as ``train.read_pairs`` gives it; not a number where
    the file has no such pair.
    """
    with np.load(file) as kept:
        known = dict(zip(kept["pairs"].tolist(), kept["read"], strict=True))
    nothing = np.full(8, np.nan)
    found = [known.get(number, nothing) for number in digests(pairs).tolist()]
    return np.array(found, np.float32).reshape(-1, 8)
