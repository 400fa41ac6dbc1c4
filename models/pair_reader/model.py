"""The pair reader as a torch module: upper layers that read the words of both sentences together.

The lower layers are the encoder's and read each sentence by itself, as in DeFormer (Cao et al.
2020) and PreTTR (MacAvaney et al. 2020). A word tells those of its own sentence from those of the
other by a learned addition to the score of attention, q · e, per head and layer, as the relative
segment encodings of XLNet (Yang et al. 2019, section 2.5) do. There is no first and no second
sentence: exchanging the two exchanges what is read, exactly, and one pass serves both directions.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from models.role_encoder.layers import Layer, published_names

__all__ = ["JOINT", "Reader"]

JOINT, WIDTH, INNER, HEADS, HIDDEN = 3, 384, 1536, 12, 256


class JointLayer(Layer):
    """A layer of BERT over two sentences."""

    def __init__(self) -> None:
        super().__init__(WIDTH, INNER, HEADS)
        self.other = nn.Parameter(torch.zeros(HEADS, WIDTH // HEADS))

    def forward(self, x: torch.Tensor, mask: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        """(n, length, width) from the same; ``mask`` (n, 1, 1, length) is 0 for words, else far
        below zero; ``other`` (n, 1, length, length) is 1 for words of two sentences, else 0.
        """
        n, length, width = x.shape
        weight = torch.cat([self.query.weight, self.key.weight, self.value.weight])
        bias = torch.cat([self.query.bias, self.key.bias, self.value.bias])
        parts = functional.linear(x, weight, bias).view(n, length, 3, self.heads, -1)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        q = q * (width // self.heads) ** -0.5
        with torch.autocast(x.device.type, enabled=False):
            across = (q.float() * self.other[:, None]).sum(-1, keepdim=True)
            scores = q.float() @ k.float().transpose(2, 3) + across * other + mask
            found = scores.softmax(-1) @ v.float()
        x = self.norm(x + self.attended(found.transpose(1, 2).reshape(n, length, width)))
        return self.last_norm(x + self.down(functional.gelu(self.up(x))))


class Reader(nn.Module):
    """The joint layers and the heads.

    A direction is read from the means u and v of both sentences, from |u - v| and from u · v, value
    by value (Conneau et al. 2017, section 3); similarity and paraphrase from both directions added
    up, and from the cosine of u and v.
    """

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(JointLayer() for _ in range(JOINT))
        self.hidden = nn.Linear(4 * WIDTH, HIDDEN)
        self.relation = nn.Linear(HIDDEN, 3)
        self.graded = nn.Linear(HIDDEN, 2)
        self.cosine = nn.Parameter(torch.tensor([8.0, 8.0]))
        with torch.no_grad():
            self.graded.bias.fill_(-4.0)

    def forward(
        self, states: torch.Tensor, first: torch.Tensor, second: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Scores (n, 3) of the relations of the first sentence to the second and of the second to
        the first, and (n, 2) of similarity and paraphrase.

        ``states`` (n, length, width) are those of both sentences, one behind the other; ``first``
        and ``second`` (n, length) are 1 for the words of each.
        """
        mask = (first + second - 1)[:, None, None] * 1e4
        other = (first[:, :, None] * second[:, None] + second[:, :, None] * first[:, None])[:, None]
        x = states
        for layer in self.layers:
            x = layer(x, mask, other)
        x = x.float()
        u, v = (_mean(x, side) for side in (first, second))
        both = [(u - v).abs(), u * v]
        forward = functional.gelu(self.hidden(torch.cat([u, v, *both], 1)))
        backward = functional.gelu(self.hidden(torch.cat([v, u, *both], 1)))
        cosine = functional.cosine_similarity(u, v)[:, None]
        graded = self.graded(forward + backward) + self.cosine * cosine
        return self.relation(forward), self.relation(backward), graded

    def load_layers(self, weights: dict[str, np.ndarray], first: int) -> None:
        """Take layers by their published names; the lowest one is number ``first`` there."""
        names = published_names(JOINT, first)
        state = {ours: torch.tensor(weights[theirs]) for ours, theirs in names}
        self.load_state_dict(state, strict=False)


def _mean(x: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
    return (x * side[..., None]).sum(1) / side.sum(1, keepdim=True)
