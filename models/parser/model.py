"""The parser's heads as a torch module: what ships, learned from what ``teacher.py`` makes.

    words, shapes, suffixes --into--> x --blocks--> states --> tags, arcs, two sides of labels

A block adds to each word what it reads from the five words around it, or from all of them
(attention). There is no recurrence, and every large product can be in 8 bit (``export.py``).
"""

from __future__ import annotations

import torch
from torch import nn

from hybridsem.parsers.trees.embedded import N_SUFFIXES, SHAPES
from models.parser.export import ATTENDING

F = nn.functional
WIDTH = 384  # of the encoder
WINDOW = 5  # words that a block reads, the word itself in the middle
STATES, ARC, LABEL = 256, 256, 128  # widths of the states, and of the sides of arcs and labels
Batch = dict[str, torch.Tensor]


class SharedDropout(nn.Module):
    """Dropout with one mask for all positions of a sentence."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return x
        keep = torch.rand(x.shape[0], 1, x.shape[2], device=x.device) > self.p
        return x * keep / (1 - self.p)


def around(x: torch.Tensor) -> torch.Tensor:
    """Each word's row beside those of the words around it; zero beyond the sentence."""
    padded = F.pad(x, (0, 0, WINDOW // 2, WINDOW // 2))
    return torch.cat([padded[:, place : place + x.shape[1]] for place in range(WINDOW)], -1)


class Window(nn.Module):
    """What the words around tell of each."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.a, self.b = nn.Linear(WINDOW * d, d), nn.Linear(d, d)
        self.drop = SharedDropout(0.0)
        nn.init.zeros_(self.b.weight)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        seen = around(self.norm(x) * mask)
        return x + self.drop(self.b(self.drop(F.relu(self.a(seen)))))


class Attention(nn.Module):
    """What all the words tell of each."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.drop = SharedDropout(0.0)
        nn.init.zeros_(self.o.weight)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, length, d = x.shape
        q, k, v = (
            part.view(batch, length, ATTENDING, -1).transpose(1, 2)
            for part in self.qkv(self.norm(x)).split(d, -1)
        )
        real = mask[:, None, None, :, 0] > 0
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=real)
        return x + self.drop(self.o(y.transpose(1, 2).reshape(batch, length, d)))


class Parser(nn.Module):
    """Tags, arcs and labels of a batch (:meth:`models.parser.corpus.Corpus.batch`)."""

    def __init__(self, tags: int, relations: int) -> None:
        super().__init__()
        d, arc, label = STATES, ARC, LABEL
        self.norm_in = nn.LayerNorm(WIDTH)
        self.shape, self.suffix = nn.Embedding(len(SHAPES), 16), nn.Embedding(N_SUFFIXES, 32)
        self.into = nn.Linear(WIDTH + 48, d)
        self.blocks = nn.ModuleList(block(d) for block in (Window, Attention) * 2)
        self.norm = nn.LayerNorm(d)
        self.tag = nn.Linear(d, tags)
        self.arc_dep, self.arc_head = nn.Linear(d, arc), nn.Linear(d, arc)
        self.label_dep, self.label_head = nn.Linear(d, label), nn.Linear(d, label)
        self.root_arc = nn.Parameter(torch.randn(arc) * 0.1)
        self.root_label = nn.Parameter(torch.randn(label) * 0.1)
        self.arc, self.label = nn.Linear(arc, arc), nn.Linear(2 * label, relations)
        nn.init.normal_(self.arc.weight, std=0.02)
        self.drop_in, self.drop = SharedDropout(0.0), SharedDropout(0.0)

    def set_dropout(self, given: float, heads: float, blocks: float) -> None:
        """How much is left out of what goes in, of what the heads read, and of the blocks."""
        self.drop_in.p, self.drop.p = given, heads
        for block in self.blocks:
            block.drop.p = blocks

    def states(self, batch: Batch) -> torch.Tensor:
        """What the heads read of each word (batch, words, d)."""
        tables = [self.shape(batch["shapes"]), self.suffix(batch["suffixes"])]
        seen = self.drop(torch.cat(tables, -1))
        x = self.into(torch.cat([self.drop_in(self.norm_in(batch["words"])), seen], -1))
        for block in self.blocks:
            x = block(x, batch["mask"][..., None].to(x.dtype))
        return self.norm(x)

    def forward(
        self, batch: Batch
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Tag scores (b, t, tags), arc scores (b, t, 1 + t), and what labels are computed from."""
        x = self.drop(self.states(batch))

        def rooted(side: torch.Tensor, root: torch.Tensor) -> torch.Tensor:
            return torch.cat([root.to(side.dtype).expand(len(x), 1, -1), side], 1)

        dep = self.arc(F.leaky_relu(self.drop(self.arc_dep(x)), 0.1))
        head = rooted(self.drop(F.leaky_relu(self.arc_head(x), 0.1)), self.root_arc)
        arcs = (dep @ head.transpose(1, 2)).float() / head.shape[-1] ** 0.5
        arcs = arcs.masked_fill(batch["impossible"], -1e4)
        label_head = rooted(self.drop(self.label_head(x)), self.root_label)
        return self.tag(x).float(), arcs, self.drop(self.label_dep(x)), label_head

    def labels(
        self, label_dep: torch.Tensor, label_head: torch.Tensor, heads: torch.Tensor
    ) -> torch.Tensor:
        """Label scores (b, t, relations) of every word with the head given for it."""
        wide = heads.unsqueeze(-1).expand(-1, -1, label_head.shape[-1])
        chosen = torch.gather(label_head, 1, wide)
        both = torch.cat([label_dep * chosen, F.relu(label_dep + chosen)], -1)
        return self.label(both).float()
