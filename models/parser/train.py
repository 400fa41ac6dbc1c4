"""Train the heads that the embedded parser's are learned from, and the mix of layers, on UD
English EWT.

    python -m models.encoder.build --layers layers.onnx
    python -m models.parser.train --ewt UD_English-EWT --layers layers.onnx --work runs/parser

The encoder stays frozen: its seven layers are computed once for every sentence. On top, trained
together: a scalar mix of the layers, embeddings of word shape and suffix, two bidirectional LSTMs,
a linear POS head, and biaffine heads for arcs and labels (Dozat & Manning 2017). The model that is
kept is an exponential moving average of the weights, from the epoch that is best on dev. The mix
goes into the encoder (``models/parser/layer_mix.json``); ``distil.py`` makes the heads that ship.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from hybridsem._utils.onnx import session
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import N_SUFFIXES, SHAPES, pool, shape, suffix
from hybridsem.structures import DependencyTree

WIDTH, DEPTH = 384, 7
MIX = Path(__file__).with_name("layer_mix.json")


@dataclass
class Sample:
    """A sentence: ``layers`` (words, 7, 384) float16 and integer rows, one a word."""

    layers: np.ndarray
    shapes: np.ndarray
    suffixes: np.ndarray
    heads: np.ndarray
    relations: np.ndarray
    tags: np.ndarray

    def __len__(self) -> int:
        return len(self.heads)


def without_final_stop(tree: DependencyTree) -> DependencyTree | None:
    """The sentence without its closing full stop, as people often write single sentences."""
    last = len(tree) - 1
    if last < 2 or tree[last].pos != "PUNCT" or tree.children(last) or tree[last].head < 0:
        return None
    return DependencyTree(tree.text[: tree[last].start].rstrip(), tree.tokens[:-1])


def encode(
    trees: list[DependencyTree], layers_onnx: Path, tags: list[str], relations: list[str]
) -> list[Sample]:
    """The trees as samples, in order."""
    tokenizer = EmbeddedEncoder()._tokenizer
    graph = session(layers_onnx.read_bytes())
    encodings = tokenizer.encode_batch([tree.text for tree in trees])
    order = sorted(range(len(trees)), key=lambda i: len(encodings[i].ids))
    samples: list[Any] = [None] * len(trees)
    at = 0
    while at < len(order):
        length = len(encodings[order[at]].ids)
        batch = [
            i for i in order[at : at + max(1, 512 // length)] if len(encodings[i].ids) == length
        ]
        at += len(batch)
        (outputs,) = graph.run(
            ["layers"], {"input_ids": np.array([encodings[i].ids for i in batch], np.int64)}
        )
        for i, output in zip(batch, outputs, strict=True):
            tree = trees[i]
            spans = [(token.start, token.end) for token in tree]
            flat = output[1:-1].reshape(length - 2, DEPTH * WIDTH)
            words = pool(flat, encodings[i].offsets[1:-1], spans).reshape(len(tree), DEPTH, WIDTH)
            samples[i] = Sample(
                words.astype(np.float16),
                np.array([shape(token.text, k == 0) for k, token in enumerate(tree)]),
                np.array([suffix(token.text) for token in tree]),
                np.array([token.head + 1 for token in tree]),
                np.array(
                    [
                        relations.index(token.relation) if token.relation in relations else 0
                        for token in tree
                    ]
                ),
                np.array([tags.index(token.pos) if token.pos in tags else 0 for token in tree]),
            )
    return samples


class SharedDropout(nn.Module):
    """Dropout with one mask for all positions of a sentence."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return x
        keep = torch.rand(x.shape[0], 1, x.shape[2]) > self.p
        return x * keep / (1 - self.p)


class Heads(nn.Module):
    """Layer mix, two BiLSTMs, POS, biaffine arcs and labels; inputs are padded, ``lengths`` tells
    by how much.
    """

    def __init__(self, n_tags: int, n_relations: int, hidden: int, arc: int, label: int) -> None:
        super().__init__()
        self.mix = nn.Parameter(torch.zeros(DEPTH))
        self.scale = nn.Parameter(torch.ones(1))
        self.shape = nn.Embedding(len(SHAPES), 16)
        self.suffix = nn.Embedding(N_SUFFIXES, 32)
        self.lstm1 = nn.LSTM(WIDTH + 48, hidden, batch_first=True, bidirectional=True)
        self.lstm2 = nn.LSTM(2 * hidden, hidden, batch_first=True, bidirectional=True)
        self.tag = nn.Linear(2 * hidden, n_tags)
        self.root = nn.Parameter(torch.randn(2 * hidden) * 0.1)
        self.arc_dep, self.arc_head = nn.Linear(2 * hidden, arc), nn.Linear(2 * hidden, arc)
        self.label_dep, self.label_head = nn.Linear(2 * hidden, label), nn.Linear(2 * hidden, label)
        self.arc = nn.Parameter(torch.zeros(arc + 1, arc))
        self.label = nn.Parameter(torch.zeros(n_relations, label + 1, label + 1))
        self.drop_in, self.drop = SharedDropout(0.2), SharedDropout(0.33)

    def layer_weights(self) -> torch.Tensor:
        """The seven weights of the mix, the common scale included."""
        return torch.softmax(self.mix, 0) * self.scale

    def states(
        self,
        layers: torch.Tensor,
        shapes: torch.Tensor,
        suffixes: torch.Tensor,
        lengths: torch.Tensor,
    ):
        """BiLSTM states (batch, words, 2·hidden)."""
        words = torch.einsum("btld,l->btd", layers, self.layer_weights())
        return self.read(words, shapes, suffixes, lengths)

    def read(
        self,
        words: torch.Tensor,
        shapes: torch.Tensor,
        suffixes: torch.Tensor,
        lengths: torch.Tensor,
    ) -> torch.Tensor:
        """As :meth:`states`, of layers that are mixed (batch, words, 384)."""
        x = torch.cat(
            [
                self.drop_in(words),
                self.drop(torch.cat([self.shape(shapes), self.suffix(suffixes)], -1)),
            ],
            -1,
        )
        for lstm in (self.lstm1, self.lstm2):
            packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
            x = self.drop(pad_packed_sequence(lstm(packed)[0], batch_first=True)[0])
        return x

    def forward(
        self,
        layers: torch.Tensor,
        shapes: torch.Tensor,
        suffixes: torch.Tensor,
        lengths: torch.Tensor,
    ):
        """Tag scores (b, t, tags), arc scores (b, t, 1 + t), and what labels are computed from."""
        return self.scores(self.states(layers, shapes, suffixes, lengths))

    def scores(self, x: torch.Tensor):
        """As :meth:`forward`, of states."""
        with_root = torch.cat([self.root.expand(len(x), 1, -1), x], 1)
        act = nn.functional.leaky_relu
        dep, head = (
            self.drop(act(self.arc_dep(x), 0.1)),
            self.drop(act(self.arc_head(with_root), 0.1)),
        )
        arcs = nn.functional.pad(dep, (0, 1), value=1.0) @ self.arc @ head.transpose(1, 2)
        arcs = arcs / self.arc.shape[1] ** 0.25
        label_dep = nn.functional.pad(self.drop(act(self.label_dep(x), 0.1)), (0, 1), value=1.0)
        label_head = nn.functional.pad(
            self.drop(act(self.label_head(with_root), 0.1)), (0, 1), value=1.0
        )
        return self.tag(x), arcs, label_dep, label_head

    def labels(
        self, label_dep: torch.Tensor, label_head: torch.Tensor, heads: torch.Tensor
    ) -> torch.Tensor:
        """Label scores (b, t, relations) of every word with the head given for it."""
        chosen = torch.gather(
            label_head, 1, heads.unsqueeze(-1).expand(-1, -1, label_head.shape[-1])
        )
        left = torch.einsum("bti,rij->btrj", label_dep, self.label)
        return torch.einsum("btrj,btj->btr", left, chosen)


def collate(samples: list[Sample], augment: random.Random | None = None) -> dict[str, torch.Tensor]:
    """A padded batch; ``augment`` lower-cases some sentences as far as shape and suffix go."""
    longest = max(map(len, samples))
    batch = {"layers": torch.zeros(len(samples), longest, DEPTH, WIDTH)}
    batch |= {
        k: torch.zeros(len(samples), longest, dtype=torch.long) for k in ("shapes", "suffixes")
    }
    batch |= {k: torch.full((len(samples), longest), -100) for k in ("heads", "relations", "tags")}
    for row, sample in enumerate(samples):
        n = len(sample)
        batch["layers"][row, :n] = torch.from_numpy(sample.layers).float()
        for name in ("suffixes", "heads", "relations", "tags"):
            batch[name][row, :n] = torch.from_numpy(getattr(sample, name))
        shapes = sample.shapes
        if augment and augment.random() < 0.15:
            lower = [SHAPES.index(s) for s in ("Title", "UPPER", "Mixed", "Title first")]
            shapes = np.where(np.isin(shapes, lower), SHAPES.index("lower"), shapes)
        batch["shapes"][row, :n] = torch.from_numpy(shapes)
    batch["lengths"] = torch.tensor([len(sample) for sample in samples])
    return batch


def run(model: Heads, batch: dict[str, torch.Tensor]):
    """The model on a batch, arcs to padding and to oneself ruled out."""
    tags, arcs, dep, head = model(
        batch["layers"], batch["shapes"], batch["suffixes"], batch["lengths"]
    )
    width = arcs.shape[2]
    beyond = torch.arange(width)[None, None] > batch["lengths"][:, None, None]
    itself = torch.arange(width)[None, None] == torch.arange(1, width)[None, :, None]
    return tags, arcs.masked_fill(beyond | itself, -1e4), dep, head


def loss_of(model: Heads, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    tags, arcs, dep, head = run(model, batch)
    labels = model.labels(dep, head, batch["heads"].clamp(min=0))
    cross = nn.functional.cross_entropy
    return (
        cross(arcs.flatten(0, 1), batch["heads"].flatten())
        + cross(labels.flatten(0, 1), batch["relations"].flatten())
        + 0.5 * cross(tags.flatten(0, 1), batch["tags"].flatten(), label_smoothing=0.03)
    )


@torch.no_grad()
def accuracy(model: Heads, samples: list[Sample]) -> dict[str, float]:
    """Greedy UAS, LAS and POS (trees are enforced at run time, see ``benchmarks/parser.py``)."""
    model.eval()
    counts = np.zeros(4)
    for at in range(0, len(samples), 64):
        batch = collate(samples[at : at + 64])
        tags, arcs, dep, head = run(model, batch)
        heads = arcs.argmax(-1)
        labels = model.labels(dep, head, heads).argmax(-1)
        real = batch["heads"] >= 0
        right = heads == batch["heads"]
        both = right & (labels == batch["relations"])
        counts += [
            float(c.sum())
            for c in (real, right & real, both & real, (tags.argmax(-1) == batch["tags"]) & real)
        ]
    return dict(
        zip(("UAS", "LAS", "POS"), (counts[1:] / counts[0] * 100).round(2).tolist(), strict=True)
    )


def batches(samples: list[Sample], words: int, shuffle: random.Random | None) -> list[list[Sample]]:
    """Batches of about ``words`` words from sentences of similar length."""
    order = sorted(samples, key=lambda s: len(s) + (shuffle.random() * 4 if shuffle else 0))
    groups: list[list[Sample]] = [[]]
    for sample in order:
        if groups[-1] and (len(groups[-1]) + 1) * len(sample) > words:
            groups.append([])
        groups[-1].append(sample)
    if shuffle:
        shuffle.shuffle(groups)
    return groups


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the embedded parser's heads on UD EWT.")
    parser.add_argument(
        "--ewt", type=Path, required=True, help="folder with train.conllu and dev.conllu"
    )
    parser.add_argument(
        "--layers", type=Path, required=True, help="the encoder with every layer as output"
    )
    parser.add_argument("--work", type=Path, required=True, help="where the checkpoint goes")
    parser.add_argument("--mix", type=Path, default=MIX, help="where the mix of layers goes")
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--hidden", type=int, default=200)
    parser.add_argument("--arc", type=int, default=256)
    parser.add_argument("--label", type=int, default=96)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--words", type=int, default=1000, help="words a batch")
    parser.add_argument(
        "--limit", type=int, help="use only so many training sentences (to try things)"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    random.seed(options.seed)
    np.random.seed(options.seed)
    torch.manual_seed(options.seed)
    began = time.time()

    train_trees = list(read_conllu(options.ewt / "train.conllu"))[: options.limit]
    dev_trees = list(read_conllu(options.ewt / "dev.conllu"))
    relations = sorted({token.relation for tree in train_trees for token in tree})
    tags = sorted({token.pos for tree in train_trees for token in tree})
    train = encode(train_trees, options.layers, tags, relations)
    stripped_trees = [without_final_stop(tree) for tree in train_trees]
    some = [i for i, tree in enumerate(stripped_trees) if tree is not None]
    some = random.Random(options.seed).sample(some, len(some) // 3)
    stripped = dict(
        zip(
            some,
            encode([stripped_trees[i] for i in some], options.layers, tags, relations),
            strict=True,
        )
    )
    dev = encode(dev_trees, options.layers, tags, relations)
    print(f"encoded in {time.time() - began:.0f} s", file=sys.stderr)

    settings = {"hidden": options.hidden, "arc": options.arc, "label": options.label}
    model = Heads(len(tags), len(relations), **settings)
    moving = torch.optim.swa_utils.get_ema_multi_avg_fn(0.995)
    average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=moving)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters", file=sys.stderr)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=options.lr, betas=(0.9, 0.95), weight_decay=1e-4
    )
    shuffle = random.Random(options.seed)
    best, log = 0.0, []
    steps = len(batches(train, options.words, None)) * options.epochs
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, options.lr, total_steps=steps + 50, pct_start=0.06
    )
    for epoch in range(options.epochs):
        model.train()
        total, start = 0.0, time.time()
        pick = [
            stripped[i] if i in stripped and shuffle.random() < 0.6 else s
            for i, s in enumerate(train)
        ]
        for group in batches(pick, options.words, shuffle):
            loss = loss_of(model, collate(group, shuffle))
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            if schedule.last_epoch < steps + 49:
                schedule.step()
            average.update_parameters(model)
            total += loss.item()
        scores = accuracy(average.module, dev)
        mean_loss = round(total / steps * options.epochs, 4)
        log.append(
            {"epoch": epoch + 1, "loss": mean_loss, "seconds": round(time.time() - start), **scores}
        )
        print(json.dumps(log[-1]), file=sys.stderr, flush=True)
        if scores["LAS"] > best:
            best = scores["LAS"]
            state = average.module.state_dict()
            np.savez(
                options.work / "heads.npz",
                **{name: tensor.numpy() for name, tensor in state.items()},
            )
            (options.work / "labels.json").write_text(
                json.dumps({"tags": tags, "relations": relations}, indent=1)
            )
        (options.work / "log.json").write_text(
            json.dumps({"options": vars(options), "log": log}, default=str, indent=1)
        )
    kept = np.load(options.work / "heads.npz")
    mix = np.exp(kept["mix"] - kept["mix"].max())
    mix = mix / mix.sum() * kept["scale"]
    options.mix.write_text(json.dumps([round(float(m), 6) for m in mix]) + "\n")
    print(f"best dev LAS {best}, {(time.time() - began) / 60:.1f} minutes", file=sys.stderr)


if __name__ == "__main__":
    main()
