"""The pair reader as a torch module: a cross-encoder, from the encoder's published weights.

The two sentences are one text, "[CLS] first [SEP] second [SEP]", as BERT reads pairs (Devlin et al.
2019, section 3). Which of them comes first is decided by their letters, so that exchanging them
exchanges what is read, exactly, and one pass serves both directions.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from models.role_encoder.layers import Layer, published_names

__all__ = ["DEPTH", "WIDTH", "Reader", "Words"]

DEPTH, WIDTH, INNER, HEADS, HIDDEN = 6, 384, 1536, 12, 256
EMBEDDINGS = "embeddings."


class Words(nn.Module):
    """What goes into the first layer; it is the encoder's, and stays as it is."""

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        super().__init__()
        for name in ("word", "position", "token_type"):
            table = torch.tensor(weights[f"{EMBEDDINGS}{name}_embeddings.weight"])
            self.register_buffer(name, table)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12).requires_grad_(False)
        for part in ("weight", "bias"):
            value = torch.tensor(weights[f"{EMBEDDINGS}LayerNorm.{part}"])
            getattr(self.norm, part).data.copy_(value)

    def forward(self, ids: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        """(n, length, width) from ids (n, length) and from 1 for the words of the second text."""
        places = self.position[: ids.shape[1]]
        found: torch.Tensor = self.norm(
            functional.embedding(ids, self.word)
            + places
            + functional.embedding(second, self.token_type)
        )
        return found


class Reader(nn.Module):
    """The layers and the heads.

    A direction is read from the means u and v of both sentences, from |u - v| and from u · v, value
    by value (Conneau et al. 2017, section 3); similarity and paraphrase from both directions added
    up, and from the cosine of u and v.
    """

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(WIDTH, INNER, HEADS) for _ in range(DEPTH))
        self.hidden = nn.Linear(4 * WIDTH, HIDDEN)
        self.relation = nn.Linear(HIDDEN, 3)
        self.graded = nn.Linear(HIDDEN, 2)
        self.cosine = nn.Parameter(torch.tensor([8.0, 8.0]))
        with torch.no_grad():
            self.graded.bias.fill_(-4.0)

    def forward(
        self, x: torch.Tensor, first: torch.Tensor, second: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Scores (n, 3) of the relations of the first sentence to the second and of the second to
        the first, and (n, 2) of similarity and paraphrase.

        ``x`` (n, length, width) is what :class:`Words` gives; ``first`` and ``second`` (n, length)
        are 1 for the words of each.
        """
        words = (first + second).bool()[:, None, None]
        for layer in self.layers:
            x = layer(x, words)
        x = x.float()
        u, v = (_mean(x, side) for side in (first, second))
        both = [(u - v).abs(), u * v]
        forward = functional.gelu(self.hidden(torch.cat([u, v, *both], 1)))
        backward = functional.gelu(self.hidden(torch.cat([v, u, *both], 1)))
        cosine = functional.cosine_similarity(u, v)[:, None]
        graded = self.graded(forward + backward) + self.cosine * cosine
        return self.relation(forward), self.relation(backward), graded

    def load_layers(self, weights: Mapping[str, np.ndarray]) -> None:
        """Take the layers by their published names."""
        names = published_names(DEPTH, 0)
        state = {ours: torch.tensor(weights[theirs]) for ours, theirs in names}
        self.load_state_dict(state, strict=False)


def _mean(x: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
    return (x * side[..., None]).sum(1) / side.sum(1, keepdim=True)
