"""Train the parser's heads that ship, on UD English EWT and on what slower heads make of more text.

    python -m models.parser.train --ewt UD_English-EWT --layers layers.onnx --work runs/parser
    python -m models.encoder.build
    python -m models.parser.distil --ewt UD_English-EWT --data DIR --work runs/parser

The heads of ``train.py`` have two bidirectional LSTMs, which take most of a reading's time. Those
of ``model.py`` have none. They learn the treebank's own trees, and from the other heads the
distributions of heads, labels and tags in sentences that nobody annotated: of STSb train, SNLI dev,
WikiSplit and the examples of PropBank's frame files; first with much dropout, then with little.
What is kept is an exponential moving average of the weights after the last epoch, and the largest
inputs of each layer on the treebank, which
``export.py`` makes 8-bit scales of.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from hybridsem.embeddings.embedded import equal_length_batches, in_parallel
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import SHAPES, EmbeddedTrees
from hybridsem.structures import DependencyTree
from models.parser.model import Parser
from models.parser.train import WIDTH, Heads, without_final_stop
from models.roles.encode import examples
from models.texts import plain_texts
from models.tops import Tops

F = nn.functional
Span = tuple[int, int]
LOWER = [SHAPES.index(name) for name in ("Title", "UPPER", "Mixed", "Title first")]
MUCH, LITTLE = (0.15, 0.3, 0.1), (0.05, 0.1, 0.03)
"""Dropout of what goes in, of the heads, and of the blocks."""
LONGEST = 80  # words of a sentence without a tree


@dataclass
class Sentence:
    """A sentence: ``words`` (n, 384) float16, integers by word, and either a tree's columns (heads,
    relations, tags) or the teacher's ``states``.
    """

    words: np.ndarray
    shapes: np.ndarray
    suffixes: np.ndarray
    tree: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
    states: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.words)


def encode(parser: EmbeddedTrees, texts: Sequence[str], spans: Sequence[Sequence[Span]]):
    """The sentences as the heads read them, in order."""
    found: list[Sentence | None] = [None] * len(texts)
    for at in range(0, len(texts), 2048):
        here = slice(at, at + 2048)
        some, places, encoded = texts[here], spans[here], parser.encoder.analyse(texts[here])

        def run(batch: list[int], at=at, some=some, places=places, encoded=encoded) -> None:
            forms = [[some[i][a:b] for a, b in places[i]] for i in batch]
            columns = parser._inputs(forms, [encoded[i] for i in batch], [places[i] for i in batch])
            for row, i in enumerate(batch):
                found[at + i] = Sentence(
                    columns["words"][row].astype(np.float16),
                    columns["shapes"][row],
                    columns["suffixes"][row],
                )

        batches = equal_length_batches(list(map(len, places)), 512, parser.encoder.workers)
        in_parallel(run, batches, parser.encoder.workers)
    return [one for one in found if one is not None]


def treebank(parser: EmbeddedTrees, trees: Sequence[DependencyTree]) -> list[Sentence]:
    """Annotated sentences."""
    names, tags = parser._inventory["relations"], parser._inventory["tags"]
    spans = [[(token.start, token.end) for token in tree] for tree in trees]
    found = encode(parser, [tree.text for tree in trees], spans)
    for sentence, tree in zip(found, trees, strict=True):
        sentence.tree = (
            np.array([token.head + 1 for token in tree]),
            np.array([names.index(t.relation) if t.relation in names else 0 for t in tree]),
            np.array([tags.index(t.pos) if t.pos in tags else 0 for t in tree]),
        )
    return found


def plain(parser: EmbeddedTrees, texts: Iterable[str]) -> list[Sentence]:
    """Sentences of which only the text is known."""
    some = list(dict.fromkeys(text.strip() for text in texts if text.strip()))
    encoded = parser.encoder.analyse(some)
    spans = [parser._spans(text, one) for text, one in zip(some, encoded, strict=True)]
    kept = [row for row, each in enumerate(spans) if 1 < len(each) < LONGEST]
    return encode(parser, [some[row] for row in kept], [spans[row] for row in kept])


def raw_texts(data: Path) -> dict[str, list[str]]:
    """Sentences without trees, by source."""
    found = plain_texts(data)
    wiki = found["WikiSplit"]
    random.Random(1).shuffle(wiki)
    return found | {"WikiSplit": [text for text in wiki if len(text) > 20][:5000]}


class Teacher:
    """The heads of ``train.py``: what they make of sentences."""

    def __init__(self, file: Path) -> None:
        weights = np.load(file)
        tags, relations, arc, label = (
            len(weights[name])
            for name in ("tag.weight", "label", "arc_dep.weight", "label_dep.weight")
        )
        hidden = weights["lstm1.weight_hh_l0"].shape[1]
        self.heads = Heads(tags, relations, hidden, arc, label).eval()
        self.heads.load_state_dict({k: torch.from_numpy(weights[k]) for k in weights.files})

    @torch.no_grad()
    def read(self, sentences: Sequence[Sentence]) -> None:
        """Give the sentences their states."""
        order = sorted(sentences, key=len)
        for at in range(0, len(order), 64):
            some = order[at : at + 64]
            batch = collate(some)
            states = self.heads.read(
                batch["words"], batch["shapes"], batch["suffixes"], batch["lengths"]
            )
            for sentence, row in zip(some, states, strict=True):
                sentence.states = row[: len(sentence)].numpy().astype(np.float16)


def collate(
    sentences: Sequence[Sentence], augment: random.Random | None = None
) -> dict[str, torch.Tensor]:
    """A padded batch; ``augment`` lower-cases some sentences as far as their shapes go."""
    size = (len(sentences), max(map(len, sentences)))
    batch = {"words": torch.zeros(*size, WIDTH), "mask": torch.zeros(size)}
    batch |= {name: torch.zeros(size, dtype=torch.long) for name in ("shapes", "suffixes")}
    if sentences[0].tree is not None:
        batch |= {name: torch.full(size, -100) for name in ("heads", "relations", "tags")}
    elif sentences[0].states is not None:
        batch["states"] = torch.zeros(*size, sentences[0].states.shape[1])
    for row, sentence in enumerate(sentences):
        n = len(sentence)
        batch["words"][row, :n] = torch.from_numpy(sentence.words).float()
        batch["mask"][row, :n] = 1
        shapes = sentence.shapes
        if augment and sentence.tree is not None and augment.random() < 0.15:
            shapes = np.where(np.isin(shapes, LOWER), SHAPES.index("lower"), shapes)
        batch["shapes"][row, :n] = torch.from_numpy(shapes)
        batch["suffixes"][row, :n] = torch.from_numpy(sentence.suffixes)
        if sentence.tree is not None:
            for name, column in zip(("heads", "relations", "tags"), sentence.tree, strict=True):
                batch[name][row, :n] = torch.from_numpy(column)
        elif sentence.states is not None:
            batch["states"][row, :n] = torch.from_numpy(sentence.states).float()
    batch["lengths"] = torch.tensor([len(sentence) for sentence in sentences])
    return batch


def possible(arcs: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Arc scores, those to padding and to oneself ruled out."""
    beyond = F.pad(mask, (1, 0), value=1.0)[:, None] == 0
    words = torch.arange(arcs.shape[2])
    itself = words[None, None] == words[None, 1:, None]
    return arcs.masked_fill(beyond | itself, -1e4)


def run(model: Parser, batch: dict[str, torch.Tensor]):
    tags, arcs, dep, head = model(batch["words"], batch["shapes"], batch["suffixes"], batch["mask"])
    return tags, possible(arcs, batch["mask"]), dep, head


def loss_of_trees(model: Parser, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    tags, arcs, dep, head = run(model, batch)
    labels = model.labels(dep, head, batch["heads"].clamp(min=0))
    cross = F.cross_entropy
    return (
        cross(arcs.flatten(0, 1), batch["heads"].flatten())
        + cross(labels.flatten(0, 1), batch["relations"].flatten())
        + cross(tags.flatten(0, 1), batch["tags"].flatten(), label_smoothing=0.03)
    )


def loss_of_text(model: Parser, teacher: Teacher, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """How far the distributions are from the teacher's."""
    with torch.no_grad():
        tags, arcs, dep, head = teacher.heads.scores(batch["states"])
        arcs = possible(arcs, batch["mask"])
        heads = arcs.argmax(-1)
        wanted = (arcs, teacher.heads.labels(dep, head, heads), tags)
    tags, arcs, dep, head = run(model, batch)
    given = (arcs, model.labels(dep, head, heads), tags)
    real = batch["mask"] > 0
    far = [
        F.kl_div(
            mine[real].log_softmax(-1), theirs[real].float().softmax(-1), reduction="batchmean"
        )
        for mine, theirs in zip(given, wanted, strict=True)
    ]
    return sum(far)


@torch.no_grad()
def accuracy(model: Parser, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Greedy UAS, LAS and POS (trees are enforced at run time, see ``benchmarks/parser.py``)."""
    model.eval()
    counts = np.zeros(4)
    order = sorted(sentences, key=len)
    for at in range(0, len(order), 64):
        batch = collate(order[at : at + 64])
        tags, arcs, dep, head = run(model, batch)
        heads = arcs.argmax(-1)
        labels = model.labels(dep, head, heads).argmax(-1)
        real = batch["heads"] >= 0
        right = (heads == batch["heads"]) & real
        both = right & (labels == batch["relations"])
        tagged = (tags.argmax(-1) == batch["tags"]) & real
        counts += [float(c.sum()) for c in (real, right, both, tagged)]
    return dict(
        zip(("UAS", "LAS", "POS"), (counts[1:] / counts[0] * 100).round(2).tolist(), strict=True)
    )


def groups(
    corpora: Sequence[Sequence[Sentence]], words: int, shuffle: random.Random
) -> list[list[Sentence]]:
    """Batches of about ``words`` words, each from one corpus, of sentences of similar length."""
    found = []
    for corpus in corpora:
        group: list[Sentence] = []
        for sentence in sorted(corpus, key=lambda s: len(s) + shuffle.random() * 4):
            if group and (len(group) + 1) * len(sentence) > words:
                found.append(group)
                group = []
            group.append(sentence)
        if group:
            found.append(group)
    shuffle.shuffle(found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the parser's heads that ship.")
    parser.add_argument("--ewt", type=Path, required=True, help="the folder of UD_English-EWT")
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder with sts, analogies and setops"
    )
    parser.add_argument("--frames", type=Path, required=True, help="PropBank's frame examples")
    parser.add_argument("--work", type=Path, required=True, help="the folder that train.py wrote")
    parser.add_argument("--epochs", type=int, default=6, help="with much dropout")
    parser.add_argument("--last", type=int, default=4, help="epochs with little")
    parser.add_argument("--words", type=int, default=2000, help="words a batch")
    parser.add_argument("--share", type=float, default=0.7, help="of the text, in an epoch")
    parser.add_argument("--limit", type=int, help="use only so many sentences (to try things)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    shuffle, began = random.Random(options.seed), time.time()

    trees = EmbeddedTrees()
    labels = json.loads((options.work / "labels.json").read_text())
    trees._inventory = labels
    gold = list(read_conllu(options.ewt / "train.conllu"))[: options.limit]
    train = treebank(trees, gold)
    dev = treebank(trees, list(read_conllu(options.ewt / "dev.conllu"))[: options.limit])
    shorter = {row: tree for row, one in enumerate(gold) if (tree := without_final_stop(one))}
    some = shuffle.sample(sorted(shorter), len(shorter) // 3)
    stripped = dict(zip(some, treebank(trees, [shorter[row] for row in some]), strict=True))
    text = {
        name: plain(trees, texts[: options.limit])
        for name, texts in raw_texts(options.data).items()
    }
    rows = examples(options.frames)[: options.limit]
    text["examples"] = encode(trees, [row["text"] for row in rows], [row["spans"] for row in rows])
    teacher = Teacher(options.work / "heads.npz")
    for sentences in text.values():
        teacher.read(sentences)
    print(f"encoded in {time.time() - began:.0f} s", file=sys.stderr)

    model = Parser(len(labels["tags"]), len(labels["relations"]))
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters", file=sys.stderr)
    moving = torch.optim.swa_utils.get_ema_multi_avg_fn(0.998)

    def epoch() -> list[list[Sentence]]:
        annotated = [
            stripped[row] if row in stripped and shuffle.random() < 0.6 else sentence
            for row, sentence in enumerate(train)
        ]
        parts = [
            [one for one in sentences if shuffle.random() < options.share]
            for sentences in text.values()
        ]
        return groups([annotated, *parts], options.words, shuffle)

    log = []
    for epochs, rate, dropout in ((options.epochs, 2e-3, MUCH), (options.last, 1.2e-3, LITTLE)):
        model.set_dropout(*dropout)
        average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=moving)
        optimiser = torch.optim.AdamW(
            model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=1e-2
        )
        steps = len(epoch()) * epochs + 100  # an epoch more or less has a few more batches
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, rate, total_steps=steps, pct_start=0.1, div_factor=10
        )
        for number in range(epochs):
            model.train()
            losses: dict[str, list[float]] = {"trees": [], "text": []}
            start = time.time()
            for group in epoch():
                batch = collate(group, shuffle)
                kind = "text" if group[0].tree is None else "trees"
                with torch.autocast("cpu", torch.bfloat16):
                    loss = (
                        loss_of_trees(model, batch)
                        if kind == "trees"
                        else loss_of_text(model, teacher, batch)
                    )
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                optimiser.step()
                if schedule.last_epoch < steps - 1:
                    schedule.step()
                average.update_parameters(model)
                losses[kind].append(loss.item())
            means = {kind: round(float(np.mean(some)), 4) for kind, some in losses.items()}
            taken = round(time.time() - start)
            measured = accuracy(average.module, dev)
            log.append({"epoch": number + 1, **means, "seconds": taken, **measured})
            print(json.dumps(log[-1]), file=sys.stderr, flush=True)
        model.load_state_dict(average.module.state_dict())
    tops = Tops(model)
    accuracy(model, train)
    state = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    np.savez(options.work / "parser-tops.npz", **tops.close())
    np.savez(options.work / "parser.npz", **state)
    (options.work / "distil-log.json").write_text(
        json.dumps({"options": vars(options), "log": log}, default=str, indent=1)
    )
    print(f"{(time.time() - began) / 60:.1f} minutes", file=sys.stderr)


if __name__ == "__main__":
    main()
