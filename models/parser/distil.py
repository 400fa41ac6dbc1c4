"""Train the parser's heads that ship, on UD English EWT and on what larger parsers make of more
text.

    python -m models.parser.distil --ewt UD_English-EWT --data DIR --model mpnet --work runs/parser

The parsers of ``teacher.py`` are a fine-tuned encoder of 12 layers; the heads of ``model.py`` read
the frozen embedded one. They learn the treebank's own trees, and the mean of the teachers'
distributions of heads, labels and tags in sentences that nobody annotated. What is kept is an
exponential moving average of the weights, and the largest inputs of each layer on the treebank,
which ``export.py`` makes 8-bit scales of.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
from torch import nn

from benchmarks.command import run
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from models.fit import Fit, Log, Tops, averaged
from models.parser.corpus import Corpus, groups, plain
from models.parser.model import Batch, Parser
from models.parser.teacher import PIECES, Given, Teacher, accuracy, loss_of_trees, lower_cased
from models.recipe import save

DROPOUT, LAST_DROPOUT = (0.056, 0.105, 0.035), (0.035, 0.056, 0.021)
"""Of what goes in, of the heads and of the blocks; in the last part of the training less."""
LAST = 0.85
"""When that part begins."""
SHARES = (0.175, 0.075, 0.75)
"""How many batches are of the treebank, of it without final stops, and of text without trees."""
RATE, WARM, WORDS = 2e-3, 500, 4000
KEPT = 0.992
"""Of the moving average, every fourth step."""


class Soft:
    """What teachers together say of a corpus: probabilities of heads, of the relations to the best
    head, and of tags, by word.
    """

    @torch.no_grad()
    def __init__(self, teachers: Sequence[Teacher], data: Corpus) -> None:
        device, words = data.lengths.device, int(data.starts[-1])
        self.lengths = data.lengths
        self.starts = nn.functional.pad((self.lengths * (self.lengths + 1)).cumsum(0), (1, 0))
        sizes = [len(layer) for layer in (teachers[0].label, teachers[0].tag.weight)]
        self.heads = torch.zeros(int(self.starts[-1]), dtype=torch.float16, device=device)
        self.best = torch.zeros(words, dtype=torch.long, device=device)
        self.relations, self.tags = (
            torch.zeros(words, size, dtype=torch.float16, device=device) for size in sizes
        )
        sizes = data.piece_lengths.cpu().numpy()
        for rows in groups(sizes, 8 * PIECES, np.random.default_rng(0)):
            batch = data.batch(rows)
            with torch.autocast(device.type, torch.bfloat16):
                found = [teacher(batch) for teacher in teachers]
            tags, heads = (mean([each[k] for each in found]) for k in (0, 1))
            best, each = heads.argmax(-1), zip(teachers, found, strict=True)
            labels = [teacher.labels(*parts[2:], best) for teacher, parts in each]
            mask, place = batch["mask"], batch["place"][batch["mask"]]
            at, there = self._at(batch)
            self.heads[at[there]] = heads[there].half()
            self.best[place] = best[mask]
            self.relations[place] = mean(labels)[mask].half()
            self.tags[place] = tags[mask].half()

    def _at(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """Where the probability of each word and head stands, and which there are."""
        lengths, mask = self.lengths[batch["rows"]][:, None, None], batch["mask"]
        steps = torch.arange(mask.shape[1] + 1, device=mask.device)
        there = mask[:, :, None] & (steps <= lengths)
        row = self.starts[batch["rows"]][:, None, None] + steps[:-1, None] * (lengths + 1)
        return (row + steps) * there, there

    def losses(
        self, model: Parser, found: tuple[torch.Tensor, ...], batch: Batch
    ) -> list[torch.Tensor]:
        """The cross entropies of heads, relations and tags with what the teachers say."""
        at, there = self._at(batch)
        mask, place = batch["mask"], batch["place"]
        labels = model.labels(*found[2:], self.best[place])
        pairs = [(found[1], self.heads[at] * there)]
        pairs += [(labels, self.relations[place]), (found[0], self.tags[place])]
        losses = (-wanted[mask].float() * scores[mask].log_softmax(-1) for scores, wanted in pairs)
        return [loss.sum(-1).mean() for loss in losses]


def mean(scores: Sequence[torch.Tensor]) -> torch.Tensor:
    """The mean probabilities of some scores."""
    return torch.stack([each.softmax(-1) for each in scores]).mean(0)


def endless(data: Corpus, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Batches of a half of the sentences, then of another, without end."""
    sizes = data.lengths.cpu().numpy()
    while True:
        some = rng.permutation(len(sizes))[: (len(sizes) + 1) // 2]
        for rows in groups(sizes[some], WORDS, rng):
            yield some[rows]


def train(
    model: Parser,
    corpora: Sequence[Corpus],
    soft: Soft,
    dev: Corpus,
    steps: int,
    rng: np.random.Generator,
    say: Log,
) -> None:
    """Train in place; the average of the weights is what the model has at the end.

    Args:
        model: The heads.
        corpora: The treebank, it without final stops, and text without trees.
        soft: What the teachers say of the last.
        dev: What is measured on, now and then.
        steps: How many batches.
        rng: Draws.
        say: Logs.
    """
    device = next(model.parameters()).device.type
    average = averaged(model, KEPT)

    def rate(step: int, done: float) -> float:
        return RATE * min(1, (step + 1) / WARM) * (0.505 + 0.495 * math.cos(math.pi * done))

    fit = Fit(model.parameters(), rate, clip=5.0, betas=(0.9, 0.98), weight_decay=1e-2)
    batches = [endless(data, rng) for data in corpora]
    for step in range(steps):
        done = step / steps
        model.train()
        model.set_dropout(*(LAST_DROPOUT if done >= LAST else DROPOUT))
        which = int(rng.choice(len(corpora), p=SHARES))
        batch = lower_cased(corpora[which].batch(next(batches[which])), rng)
        with torch.autocast(device, torch.bfloat16):
            found = model(batch)
            if which == len(corpora) - 1:
                losses = soft.losses(model, found, batch)
            else:
                gold = model.labels(*found[2:], batch["heads"].clamp(min=0))
                losses = loss_of_trees(found, gold, batch)
        fit.step(sum(losses), done)
        if step % 4 == 0:
            average.update_parameters(model)
        if step % 2000 == 1999 or step + 1 == steps:
            say(step=step + 1, **accuracy(average.module, dev))
    model.load_state_dict(average.module.state_dict())


def main(
    given: Given,
    *,
    data: Annotated[Path, "the folder with sts, sage, …"],
    frames: Annotated[Path, "PropBank's frame examples"],
    steps: int = 11000,
    seed: int = 3,
) -> None:
    torch.manual_seed(seed)
    rng, device = np.random.default_rng(seed), given.device
    trees = EmbeddedTrees()
    treebank_, shorter, dev = given.treebanks(trees)
    text = plain(trees, data, frames).to(device)
    sizes = [len(trees._inventory[name]) for name in ("tags", "relations")]
    teachers = []
    for file in sorted(given.work.glob("teacher*.pt")):
        teachers.append(Teacher(given.model, *sizes).to(device).eval())
        teachers[-1].load_state_dict(torch.load(file, map_location=device))
    soft = Soft(teachers, text)
    del teachers
    model = Parser(*sizes).to(device)
    train(model, (treebank_, shorter, text), soft, dev, steps, rng, Log(given.work))
    tops = Tops(model)
    accuracy(model, treebank_)
    save(given.work / "parser-tops.npz", tops.close())
    save(given.work / "parser.npz", model.state_dict())
    (given.work / "labels.json").write_text(json.dumps(trees._inventory))


if __name__ == "__main__":
    run(main)
