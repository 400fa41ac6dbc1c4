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

from models.role_encoder.layers import HEADS, NAMES, Layer, published_names

DEPTH, HIDDEN = 6, 256
DROPOUT = 0.1
EMBEDDED = {
    "word": "word_embeddings.weight",
    "position": "position_embeddings.weight",
    "token_type": "token_type_embeddings.weight",
    "scale": "LayerNorm.weight",
    "shift": "LayerNorm.bias",
}
"""What goes into the first layer, by its published names. It is the encoder's, and not saved."""


class Reading(nn.Module):
    """Layers from published weights, and what a pair's last states say of it; what goes into the
    first layer is not trained.

    A direction is read from the means u and v of both sentences, from |u - v| and from u · v, value
    by value (Conneau et al. 2017, section 3); similarity and paraphrase from both directions added
    up, and from the cosine of u and v.

    Args:
        weights: By their published names, for which ``names`` has those here.
        depth: Layers.
        heads: Of attention.
    """

    def __init__(
        self,
        weights: Mapping[str, np.ndarray],
        depth: int,
        heads: int,
        names: Mapping[str, str] = NAMES,
    ) -> None:
        super().__init__()
        inner, width = weights["encoder.layer.0.intermediate.dense.weight"].shape
        self.hidden = nn.Linear(4 * width, HIDDEN)
        self.relation = nn.Linear(HIDDEN, 3)
        self.graded = nn.Linear(HIDDEN, 2)
        self.cosine = nn.Parameter(torch.tensor([8.0, 8.0]))
        with torch.no_grad():
            self.graded.bias.fill_(-4.0)
        for name, published in EMBEDDED.items():
            if f"embeddings.{published}" in weights:
                table = torch.tensor(weights[f"embeddings.{published}"])
                self.register_buffer(name, table, persistent=False)
        self.layers = nn.ModuleList(Layer(width, inner, heads, DROPOUT) for _ in range(depth))
        both = published_names(depth, 0, names)
        state = {ours: torch.tensor(weights[theirs]) for ours, theirs in both}
        self.load_state_dict(state, strict=False)

    def read(
        self, x: torch.Tensor, first: torch.Tensor, second: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Scores (n, 3) of the relations of the first sentence to the second and of the second to
        the first, and (n, 2) of similarity and paraphrase.

        ``x`` (n, length, width) are states; ``first`` and ``second`` (n, length) are 1 for those of
        each sentence.
        """
        x = x.float()
        u, v = (_mean(x, side) for side in (first, second))
        both = [(u - v).abs(), u * v]
        forward = functional.gelu(self.hidden(torch.cat([u, v, *both], 1)))
        backward = functional.gelu(self.hidden(torch.cat([v, u, *both], 1)))
        cosine = functional.cosine_similarity(u, v)[:, None]
        graded = self.graded(forward + backward) + self.cosine * cosine
        return self.relation(forward), self.relation(backward), graded


class Reader(Reading):
    """Six layers, from the encoder's published weights."""

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        super().__init__(weights, DEPTH, HEADS)

    def forward(
        self, ids: torch.Tensor, first: torch.Tensor, second: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """What ``read`` finds in the pairs with the word pieces ``ids`` (n, length)."""
        x = functional.embedding(ids, self.word) + self.position[: ids.shape[1]]
        x = x + functional.embedding(second.long(), self.token_type)
        x = functional.layer_norm(x, x.shape[-1:], self.scale, self.shift, 1e-12)
        words = (first + second).bool()[:, None, None]
        for layer in self.layers:
            x = layer(x, words)
        return self.read(x, first, second)


def _mean(x: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
    return (x * side[..., None]).sum(1) / side.sum(1, keepdim=True)
