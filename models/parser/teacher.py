"""Fine-tune all-mpnet-base-v2 as a parser, on UD English EWT; ``distil.py`` learns from several.

    python -m models.parser.teacher --ewt UD_English-EWT --model mpnet --work runs/parser --seed 1

A word is the mean of its pieces in a mix of five layers, with embeddings of word shape and suffix;
on top a tagger and biaffine arcs and labels (Dozat & Manning 2017). A graphics card takes two
minutes, two CPU cores would take a day.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
from torch import nn
from transformers import MPNetModel

from benchmarks.command import run
from hybridsem.parsers.trees.embedded import N_SUFFIXES, SHAPES, EmbeddedTrees
from models.fit import Fit, Log
from models.parser.corpus import Corpus, groups, treebank
from models.parser.model import Batch, SharedDropout
from models.role_encoder.layers import mpnet_numbers

F = nn.functional
LAYERS = (4, 6, 8, 10, 12)
ARC, LABEL = 512, 128
RATES = (4e-5, 1e-3)
"""Learning rates of the encoder and of what is on top."""
PIECES = 1900
"""Word pieces of a batch."""
LOWER, *CASED = map(SHAPES.index, ("lower", "Title", "UPPER", "Mixed", "Title first"))


class Teacher(nn.Module):
    """Tags, arcs and labels of a batch; the outputs are those of ``model.Parser``."""

    def __init__(self, folder: Path, tags: int, relations: int) -> None:
        super().__init__()
        self.encoder = MPNetModel.from_pretrained(folder, add_pooling_layer=False)
        width = self.encoder.config.hidden_size
        self.mix = nn.Parameter(torch.zeros(len(LAYERS)))
        self.shape, self.suffix = nn.Embedding(len(SHAPES), 32), nn.Embedding(N_SUFFIXES, 64)
        self.into, self.tag = nn.Linear(width + 96, width), nn.Linear(width, tags)
        self.root = nn.Parameter(torch.randn(width) * 0.1)
        self.arc_dep, self.arc_head = nn.Linear(width, ARC), nn.Linear(width, ARC)
        self.label_dep, self.label_head = nn.Linear(width, LABEL), nn.Linear(width, LABEL)
        self.arc = nn.Parameter(torch.zeros(ARC + 1, ARC))
        self.label = nn.Parameter(torch.zeros(relations, LABEL + 1, LABEL + 1))
        self.drop = SharedDropout(0.33)

    def forward(self, batch: Batch) -> tuple[torch.Tensor, ...]:
        """Tag scores, arc scores, and what labels are computed from."""
        pieces = mpnet_numbers(batch["pieces"])
        layers = self.encoder(pieces, batch["piece_mask"], output_hidden_states=True).hidden_states
        chosen = torch.stack([layers[k] for k in LAYERS])
        mixed = torch.einsum("k,kbpd->bpd", self.mix.softmax(0), chosen)
        # The mean of the pieces of each word, through the sums of all that come before.
        sums = F.pad(mixed.float().cumsum(1), (0, 0, 1, 0))
        begin = (1 + batch["first"])[..., None].expand(-1, -1, sums.shape[-1])
        count = batch["count"][..., None]
        words = (sums.gather(1, begin + count) - sums.gather(1, begin)) / count.clamp(min=1)
        tables = [self.shape(batch["shapes"]), self.suffix(batch["suffixes"])]
        seen = self.drop(torch.cat(tables, -1))
        x = self.drop(F.gelu(self.into(torch.cat([words, seen], -1))))
        rooted = torch.cat([self.root.to(x.dtype).expand(len(x), 1, -1), x], 1)

        def side(layer: nn.Linear, of: torch.Tensor) -> torch.Tensor:
            return self.drop(F.leaky_relu(layer(of), 0.1))

        def with_one(of: torch.Tensor) -> torch.Tensor:
            return F.pad(of, (0, 1), value=1.0)

        heads = side(self.arc_head, rooted).transpose(1, 2)
        arcs = with_one(side(self.arc_dep, x)) @ self.arc.to(x.dtype) @ heads / ARC**0.25
        arcs = arcs.float().masked_fill(batch["impossible"], -1e4)
        sides = (with_one(side(self.label_dep, x)), with_one(side(self.label_head, rooted)))
        return self.tag(x).float(), arcs, *sides

    def labels(
        self, label_dep: torch.Tensor, label_head: torch.Tensor, heads: torch.Tensor
    ) -> torch.Tensor:
        """As :meth:`model.Parser.labels`."""
        wide = heads[..., None].expand(-1, -1, label_head.shape[-1])
        left = torch.einsum("bti,rij->btrj", label_dep, self.label.to(label_dep.dtype))
        return torch.einsum("btrj,btj->btr", left, torch.gather(label_head, 1, wide)).float()


def lower_cased(batch: Batch, rng: np.random.Generator) -> Batch:
    """The batch with some sentences as if written in lower case, as far as their shapes go."""
    some = torch.from_numpy(rng.random(len(batch["mask"])) < 0.15).to(batch["mask"].device)
    shapes = batch["shapes"]
    cased = torch.isin(shapes, torch.tensor(CASED, device=some.device)) & some[:, None]
    return batch | {"shapes": shapes.masked_fill(cased, LOWER)}


def loss_of_trees(found: tuple[torch.Tensor, ...], labels: torch.Tensor, batch: Batch):
    """The cross entropies of heads, relations and tags."""
    pairs = ((found[1], "heads", 0.0), (labels, "relations", 0.0), (found[0], "tags", 0.03))
    return [
        F.cross_entropy(scores.flatten(0, 1), batch[name].flatten(), label_smoothing=smooth)
        for scores, name, smooth in pairs
    ]


@torch.no_grad()
def accuracy(model: nn.Module, data: Corpus) -> dict[str, float]:
    """Greedy UAS, LAS and POS (trees are enforced at run time, see ``benchmarks/parser.py``)."""
    model.eval()
    counts = np.zeros(4)
    for rows in groups(data.piece_lengths.cpu().numpy(), 8000, np.random.default_rng(0)):
        batch = data.batch(rows)
        tags, arcs, *sides = model(batch)
        heads = arcs.argmax(-1)
        right = (heads == batch["heads"]) & batch["mask"]
        both = right & (model.labels(*sides, heads).argmax(-1) == batch["relations"])
        tagged = (tags.argmax(-1) == batch["tags"]) & batch["mask"]
        counts += [float(count.sum()) for count in (batch["mask"], right, both, tagged)]
    shares = (counts[1:] / counts[0] * 100).round(2).tolist()
    return dict(zip(("UAS", "LAS", "POS"), shares, strict=True))


@dataclass(frozen=True, kw_only=True)
class Given:
    """The options of this recipe and of ``distil.py``."""

    ewt: Annotated[Path, "the folder of UD_English-EWT"]
    model: Annotated[Path, "all-mpnet-base-v2"]
    work: Annotated[Path, "where the weights go"]
    device: str = "cuda" if torch.cuda.is_available() else "cpu"

    def treebanks(self, trees: EmbeddedTrees) -> list[Corpus]:
        """The part train, the same without final stops, and dev."""
        return [
            treebank(trees, self.ewt / f"{split}.conllu", stop=stop).to(self.device)
            for split, stop in (("train", True), ("train", False), ("dev", True))
        ]


def main(given: Given, epochs: int = 8, seed: int = 1) -> None:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    trees = EmbeddedTrees()
    train, shorter, dev = given.treebanks(trees)
    sizes = (len(trees._inventory[name]) for name in ("tags", "relations"))
    model = Teacher(given.model, *sizes).to(given.device)
    plan = planned(train, shorter, epochs, rng)
    on_top = [p for name, p in model.named_parameters() if not name.startswith("encoder.")]
    parts = (model.encoder.parameters(), RATES[0], 0.01), (on_top, RATES[1], 1e-4)

    def rate(step: int, done: float) -> float:
        warm = min(1.0, (step + 1) / (0.08 * len(plan)))
        return warm * (0.51 + 0.49 * math.cos(math.pi * done))

    tuned = [{"params": p, "scale": rate, "weight_decay": decay} for p, rate, decay in parts]
    fit = Fit(tuned, rate, clip=2.0, betas=(0.9, 0.98))
    model.train()
    for step, (data, rows) in enumerate(plan):
        batch = lower_cased(data.batch(rows), rng)
        with torch.autocast(given.device, torch.bfloat16):
            found = model(batch)
            labels = model.labels(*found[2:], batch["heads"].clamp(min=0))
        of_heads, of_relations, of_tags = loss_of_trees(found, labels, batch)
        fit.step(of_heads + of_relations + 0.5 * of_tags, step / len(plan))
    options = asdict(given) | {"seed": seed, "epochs": epochs}
    Log(given.work)(**accuracy(model, dev), options=options)
    torch.save(model.state_dict(), given.work / f"teacher{seed}.pt")


def planned(
    train: Corpus, shorter: Corpus, epochs: int, rng: np.random.Generator
) -> list[tuple[Corpus, np.ndarray]]:
    """The batches of all epochs: the treebank, and a quarter of it without final stops."""
    plan: list[tuple[Corpus, np.ndarray]] = []
    for _ in range(epochs):
        some = rng.permutation(len(shorter))[: max(1, len(shorter) // 4)]
        sizes = shorter.piece_lengths.cpu().numpy()[some]
        epoch = [(train, rows) for rows in groups(train.piece_lengths.cpu().numpy(), PIECES, rng)]
        epoch += [(shorter, some[rows]) for rows in groups(sizes, PIECES, rng)]
        plan += [epoch[k] for k in rng.permutation(len(epoch))]
    return plan


if __name__ == "__main__":
    run(main)
