"""Train the upper layers of the encoder so that one vector holds structure.

    python -m models.role_encoder.train --data ../shared/data --work runs/role/small --run small
        [--terms runs/terms.npz] [--pairs runs/role/pairs] [--start runs/distil/small.npz]

``runs/terms.npz`` is what ``models.hybrid.features`` wrote: the comparison of development pairs.
The lower layers are frozen and their states kept. Each step learns from some groups of a sentence
and its variants, and from development pairs with ratings and labels:

    structure   the cosines of a group go to the comparison's scores; of recast sentences to
                ``SAME`` at least; variants that mean the same lie above those that do not
    human       STSb train and SICK train by CoSENT and by the comparison's scores; PAWS-Wiki,
                SugarCrepe++ and minimal pairs (the parts that are learned from) by order
    keep        sentences of different groups keep the cosine that they had at first, and every
                source its vector, more or less

Writes ``weights.npz`` (by their published names) and ``log.jsonl``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch.nn import functional

from benchmarks.command import DATA, run
from hybridsem._typing import Float64Array, IntArray
from hybridsem.combiners.hybrid import shipped_weighting
from models.corpora import json_lines
from models.encoder.build import LAYERS, shipped_weights
from models.fit import Fit, Log, endless, warm_cosine
from models.hybrid.data import Development, Task, development
from models.hybrid.features import load
from models.hybrid.shapes import scored
from models.recipe import read, save
from models.role_encoder.layers import UpperLayers
from models.role_encoder.sentences import parts
from models.role_encoder.states import States, lower_states
from models.role_encoder.variants import GARBLED, RECAST

SAME = 0.97
"""What sentences that mean the same by the way they were made have at least."""
GARBLED_SHARE = 0.75
"""Of the plain cosine, for sentences of which words were torn out or moved anyhow."""
TEMPERATURE = 0.05
HELD_OUT = 9
"""Every tenth file of groups, which was measured by."""
WRITTEN = ("neighbour", "natural")
"""Pairs of sentences that people wrote: the goal is between the plain cosine and the score."""
NOT_LEARNED = "SNLI dev"


@dataclass(frozen=True)
class Settings:
    """How it is trained: weights of the losses, the rate, and how many items a step has."""

    layers: int = 3
    structure: float = 1.0
    human: float = 1.0
    keep: float = 1.0
    written: float = 1.0
    """What a pair that people wrote counts among those of ``structure``."""
    stay: float = 0.05
    rate: float = 1e-4
    groups: int = 20
    rated: int = 20
    labelled: int = 12
    triples: int = 8
    steps: int = 1000
    seed: int = 0


@dataclass(frozen=True)
class Group:
    """A sentence and its variants: rows of the states, and (i, j, kind, score) of its pairs."""

    rows: IntArray
    pairs: tuple[tuple[int, int, str, float | None], ...]


@dataclass(frozen=True)
class Data:
    """What is learned from, the sentences as rows of the states."""

    states: States
    groups: Sequence[Group]
    pair_rows: IntArray  # (development pairs, 2)
    teacher: Float64Array  # (development pairs,)
    learned: Mapping[str, Task]


def read_groups(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The groups of each file."""
    return {file.stem: json_lines(file) for file in sorted(folder.glob("groups.*.jsonl"))}


def gathered(
    data: Development,
    teacher: Float64Array,
    files: Mapping[str, Sequence[Mapping[str, Any]]],
    folder: Path,
) -> Data:
    """The data with the states of all sentences.

    Args:
        data: Development pairs.
        teacher: Their scores by the comparison.
        files: Groups by the name of their file; every tenth file is not learned from.
        folder: Where the states are kept.
    """
    tasks = {name: task for name, (task, _) in parts(data).items() if name != NOT_LEARNED}
    learned = {name: task for name, task in tasks.items() if len(task.rows)}
    used = np.unique(np.concatenate([task.rows.ravel() for task in learned.values()]))
    texts = {"development": [text for row in used for text in data.pairs[row]]}
    written: list[Mapping[str, Any]] = []
    for name, some in files.items():
        if int(name.rpartition(".")[2]) % 10 != HELD_OUT:
            texts[name] = [text for group in some for text in group["sentences"]]
            written += some
    each = (lower_states(some, folder / f"{name}.npy") for name, some in texts.items())
    states = States.joined([*each])
    rows = np.zeros((len(data.pairs), 2), int)
    for row in used:
        rows[row] = [states.row[text] for text in data.pairs[row]]
    groups = []
    for group in written:
        places = np.array([states.row[text] for text in group["sentences"]])
        groups.append(Group(places, tuple(map(tuple, group["pairs"]))))
    return Data(states, groups, rows, teacher, learned)


class Trainer:
    """The layers, and the loss of a step."""

    def __init__(self, data: Data, settings: Settings, model: UpperLayers) -> None:
        self.data, self.settings, self.model = data, settings, model
        self.random = np.random.default_rng(settings.seed)
        self._orders: dict[str, Iterator[int]] = {}

    @cached_property
    def plain(self) -> np.ndarray:
        """Unit vectors of all sentences by the weights that it starts from: the first step asks."""
        rows = np.arange(len(self.data.states.sentences))
        with torch.inference_mode():
            parts = (rows[at : at + 480] for at in range(0, len(rows), 480))
            found = [self.model.vectors(self.data.states, part) for part in parts]
        return torch.cat(found).float().cpu().numpy()

    def _there(self, values: np.ndarray) -> torch.Tensor:
        """An array where the model is."""
        return torch.from_numpy(values).to(self.model.device)

    def _next(self, name: str, size: int, count: int) -> list[int]:
        """The next items of an order that is drawn anew when all have come."""
        order = self._orders.setdefault(name, endless(size, self.random))
        return [next(order) for _ in range(count)]

    def step(self) -> dict[str, torch.Tensor]:
        """The losses of a step."""
        data, settings = self.data, self.settings
        groups = [data.groups[i] for i in self._next("groups", len(data.groups), settings.groups)]
        drawn = {name: self._drawn(name, task) for name, task in data.learned.items()}
        chosen = {name: data.learned[name].rows[items] for name, items in drawn.items() if items}
        pairs = {name: rows.reshape(len(rows), -1) for name, rows in chosen.items()}
        parts = [group.rows for group in groups]
        parts += [data.pair_rows[rows].reshape(-1) for rows in pairs.values()]
        rows, places = np.unique(np.concatenate(parts), return_inverse=True)
        plain, vectors = self._there(self.plain[rows]), self.model.vectors(data.states, rows)
        cosines = vectors @ vectors.T
        before = plain @ plain.T
        at = np.split(places, np.cumsum([len(part) for part in parts])[:-1])
        losses = {
            "structure": self._structure(groups, at, cosines, before),
            "stay": (1 - (vectors * plain).sum(1)).mean(),
            "keep": self._kept(at, cosines, before),
        }
        human = cosines.new_zeros(())
        for (name, of_task), where in zip(pairs.items(), at[len(groups) :], strict=True):
            ends = where.reshape(*of_task.shape, 2)
            found = cosines[ends[..., 0], ends[..., 1]]
            human = human + self._human(name, drawn[name], of_task, found)
        losses["human"] = human
        return losses

    def _drawn(self, name: str, task: Task) -> list[int]:
        count = getattr(self.settings, task.kind)
        if task.kind == "triples":
            count = count / 6 * (4 if name == "minimal pairs" else 1)
            # The few of each kind come in turn.
            count = int(count) + int(self.random.random() < count % 1)
        return self._next(name, len(task.rows), count)

    def _structure(
        self,
        groups: Sequence[Group],
        at: Sequence[IntArray],
        cosines: torch.Tensor,
        before: torch.Tensor,
    ) -> torch.Tensor:
        first, second, goals, weights, orders = [], [], [], [], []
        known = before.cpu()
        for group, places in zip(groups, at, strict=False):
            same, other = [], []
            for i, j, kind, score in group.pairs:
                a, b = int(places[i]), int(places[j])
                was = float(known[a, b])
                if kind in GARBLED:
                    goal = GARBLED_SHARE * was
                elif score is None:
                    continue
                elif kind in RECAST:
                    goal = max(score, SAME)
                else:
                    goal = (was + score) / 2 if kind in WRITTEN else score
                (same if kind in RECAST else other).append((a, b, goal))
                first.append(a)
                second.append(b)
                goals.append(goal)
                weights.append(self.settings.written if kind in WRITTEN else 1.0)
            orders += [(*x[:2], *y[:2]) for x in same for y in other if y[2] < SAME - 0.05]
        found = cosines[first, second]
        weight, goal = found.new_tensor(weights), found.new_tensor(goals)
        away = functional.smooth_l1_loss(found, goal, beta=0.1, reduction="none")
        loss = 10 * (away * weight).sum() / weight.sum()
        if orders:
            a, b, c, d = torch.tensor(orders).T
            lead = cosines[a, b] - cosines[c, d]
            loss = loss + 0.2 * functional.softplus((0.05 - lead) / TEMPERATURE).mean()
        return loss

    def _kept(
        self, at: Sequence[IntArray], cosines: torch.Tensor, before: torch.Tensor
    ) -> torch.Tensor:
        first = [places[0] for places in at]
        first += [place for places in at[self.settings.groups :] for place in places[::2]]
        one_each = self._there(np.unique(first))
        now, then = (some[one_each][:, one_each] for some in (cosines, before))
        apart = (then < 0.9) & ~torch.eye(len(now), dtype=torch.bool, device=now.device)
        return (now - then)[apart].square().mean() * 100

    def _human(
        self, name: str, items: Sequence[int], rows: IntArray, found: torch.Tensor
    ) -> torch.Tensor:
        task = self.data.learned[name]
        if task.kind == "triples":
            lead = found[:, 0] - found[:, 1:].max(1).values
            return 0.5 * functional.softplus((0.03 - lead) / TEMPERATURE).mean()
        found = found[:, 0]
        gold = self._there(task.target[items])
        # CoSENT: log(1 + sum of exp((lower - higher) / temperature)) of pairs whose order is known.
        lead = ((found[None] - found[:, None]) / TEMPERATURE)[gold[:, None] > gold[None]]
        loss = torch.logsumexp(torch.cat([lead.new_zeros(1), lead]), 0)
        if task.kind == "rated":
            goal = self._there(self.data.teacher[rows[:, 0]]).float()
            loss = loss + 5 * functional.smooth_l1_loss(found, goal, beta=0.1)
        return 0.5 * loss


def train(
    data: Data, settings: Settings, start: Mapping[str, np.ndarray], work: Path
) -> UpperLayers:
    """Train, and write the weights and the log.

    Args:
        data: What is learned from.
        settings: How.
        start: Weights to start from, by their published names.
        work: Where weights and log go.
    """
    torch.manual_seed(settings.seed)
    first = LAYERS - settings.layers
    model = UpperLayers.of(start, first, settings.layers)
    trainer, say = Trainer(data, settings, model), Log(work)
    say(settings=asdict(settings), groups=len(data.groups), sentences=len(data.states.sentences))
    fit = Fit(model.parameters(), warm_cosine(settings.rate), clip=1.0, weight_decay=0.01)
    for step in range(1, settings.steps + 1):
        losses = trainer.step()
        total = sum(getattr(settings, name) * loss for name, loss in losses.items())
        fit.step(total, step / settings.steps)
        if step % 50 == 0:
            told = {name: round(float(loss.detach()), 4) for name, loss in losses.items()}
            say(step=step, **told)
    save(work / "weights.npz", model.published(first))
    return model


def main(
    settings: Settings,
    data: Path = DATA,
    terms: Path = Path("runs/terms.npz"),
    pairs: Path = Path("runs/role/pairs"),
    states: Path = Path("runs/role/states"),
    start: Annotated[Path | None, "weights.npz of an earlier run"] = None,
    threads: int = 1,
    *,
    work: Path,
) -> None:
    torch.set_num_threads(threads)
    known = development(data)
    teacher = scored(shipped_weighting(), load(terms, known))
    learned = gathered(known, teacher, read_groups(pairs), states)
    train(learned, settings, read(start) if start else shipped_weights(), work)


if __name__ == "__main__":
    run(main)
