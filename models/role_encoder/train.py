"""Train the upper layers of the encoder so that one vector holds structure.

    python -m models.role_encoder.train --data ../shared/data --work runs/role/first
        [--terms runs/terms.npz] [--pairs runs/role/pairs] [--structure 8] [--steps 1200] …

``runs/terms.npz`` is what ``models.hybrid.features`` wrote: the comparison of development pairs.
The lower layers are frozen and their states kept. Each step learns from some groups of a sentence
and its variants, and from development pairs with ratings and labels:

    structure   the cosines of a group go to the comparison's scores; of recast sentences to
                ``SAME`` at least; variants that mean the same lie above those that do not
    human       STSb train and SICK train by CoSENT and by the comparison's scores; PAWS-Wiki,
                SugarCrepe++ and minimal pairs (the parts that are learned from) by order
    keep        sentences of different groups keep the cosine that they had at first, and every
                source its vector, more or less

Writes ``weights.npz`` (by their published names) and ``log.jsonl``, with the figures of the part
that is measured by. Nothing is chosen on a test set, and none is read but to bar its sentences.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from hybridsem import Pipeline
from hybridsem._typing import Float64Array, IntArray
from hybridsem.combiners.hybrid import HybridCombiner
from models.encoder.build import LAYERS, shipped_weights
from models.hybrid.data import Development, Task, development
from models.hybrid.features import load
from models.hybrid.figures import figures
from models.hybrid.shapes import scored
from models.recipe import parse
from models.role_encoder.layers import UpperLayers
from models.role_encoder.sentences import parts
from models.role_encoder.states import States, lower_states
from models.role_encoder.variants import GARBLED, RECAST

__all__ = ["Group", "Settings", "endless", "read_groups", "set_rate", "train"]

SAME = 0.97
"""What sentences that mean the same by the way they were made have at least."""
GARBLED_SHARE = 0.75
"""Of the plain cosine, for sentences of which words were torn out or moved anyhow."""
TEMPERATURE = 0.05
HELD_OUT = 9
WRITTEN = ("neighbour", "natural")
"""Pairs of sentences that people wrote: the goal is between the plain cosine and the score."""
NOT_LEARNED = ("SNLI dev",)
"""Every tenth part of the groups is measured by."""


@dataclass(frozen=True)
class Settings:
    """How it is trained."""

    layers: int = 3
    structure: float = 1.0
    human: float = 1.0
    keep: float = 1.0
    written: float = 1.0
    """What a pair that people wrote counts among those of ``structure``."""
    stay: float = 0.05
    depth: float = 1.0
    """How far the goal goes from the plain cosine to the comparison's score."""
    rate: float = 1e-4
    groups: int = 20
    rated: int = 20
    labelled: int = 12
    triples: int = 8
    minutes: float = 600
    steps: int = 1000
    stop: int = 0
    """The step after which it ends although the rate is not 0 yet; 0: at the last."""
    seed: int = 0


@dataclass(frozen=True)
class Group:
    """A sentence and its variants: rows of the states, and (i, j, kind, score) of its pairs."""

    rows: IntArray
    pairs: tuple[tuple[int, int, str, float | None], ...]
    source: str


@dataclass(frozen=True)
class Data:
    """What is learned from, the sentences as rows of the states."""

    states: States
    groups: Sequence[Group]
    held: Sequence[Group]
    pair_rows: IntArray  # (development pairs, 2)
    teacher: Float64Array  # (development pairs,)
    learned: Mapping[str, Task]
    measured: Sequence[Task]


def read_groups(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The groups of each file."""
    return {
        file.stem: [*map(json.loads, file.read_text("utf-8").splitlines())]
        for file in sorted(folder.glob("groups.*.jsonl"))
    }


def held_out(files: Mapping[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The files that are measured by, every tenth."""
    return {name: groups for name, groups in files.items() if _is_held_out(name)}


def _is_held_out(file: str) -> bool:
    return int(file.split(".")[1]) % 10 == HELD_OUT


def gathered(
    data: Development,
    teacher: Float64Array,
    files: Mapping[str, Sequence[Mapping[str, Any]]],
    layer: int,
    folder: Path,
) -> Data:
    """The data with the states of all sentences.

    Args:
        data: Development pairs.
        teacher: Their scores by the comparison.
        files: Groups by the name of their file; every tenth file is measured by.
        layer: How many layers are frozen.
        folder: Where the states are kept.
    """
    split = parts(data)
    learned = {name: one for name, (one, _) in split.items() if name not in NOT_LEARNED}
    measured = [held for _, held in split.values() if len(held.rows)]
    used = np.unique(np.concatenate([task.rows.ravel() for task in (*learned.values(), *measured)]))
    texts = [text for row in used for text in data.pairs[row]]
    found = [lower_states(texts, layer, folder / "development.npy")]
    for name, groups in files.items():
        texts = [text for group in groups for text in group["sentences"]]
        found.append(lower_states(texts, layer, folder / f"{name}.npy"))
    states = States.joined(found)
    rows = np.zeros((len(data.pairs), 2), int)
    for row in used:
        rows[row] = [states.row[text] for text in data.pairs[row]]
    made: tuple[list[Group], list[Group]] = [], []
    for name, groups in files.items():
        made[_is_held_out(name)].extend(
            Group(
                np.array([states.row[text] for text in group["sentences"]]),
                tuple(map(tuple, group["pairs"])),
                group["from"],
            )
            for group in groups
        )
    return Data(
        states,
        *made,
        rows,
        teacher,
        {name: task for name, task in learned.items() if len(task.rows)},
        measured,
    )


class Trainer:
    """The layers, and the loss of a step."""

    def __init__(self, data: Data, settings: Settings, model: UpperLayers) -> None:
        self.data, self.settings, self.model = data, settings, model
        self.random = np.random.default_rng(settings.seed)
        self._orders: dict[str, Iterator[int]] = {}

    def vectors(self, rows: IntArray) -> torch.Tensor:
        """Unit vectors of sentences, (n, d); those of like length run together."""
        order = np.argsort(self.data.states.lengths[rows], kind="stable")
        found = [
            self._run(rows[some])
            for some in np.array_split(order, max(1, len(order) // self.model.batch))
        ]
        return torch.cat(found)[torch.from_numpy(np.argsort(order))]

    def _run(self, rows: IntArray) -> torch.Tensor:
        states, lengths = self.data.states.padded(rows)
        with torch.autocast(self.model.device.type, torch.bfloat16):
            return self.model(self._there(states).float(), self._there(lengths))

    @cached_property
    def plain(self) -> np.ndarray:
        """Unit vectors of all sentences by the weights that it starts from: the first step asks."""
        return self.encoded(np.arange(len(self.data.states.sentences)))

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
        pairs = {
            name: data.learned[name].rows[items].reshape(len(items), -1)
            for name, items in drawn.items()
            if items
        }
        parts = [group.rows for group in groups]
        parts += [data.pair_rows[rows].reshape(-1) for rows in pairs.values()]
        rows, places = np.unique(np.concatenate(parts), return_inverse=True)
        plain, vectors = self._there(self.plain[rows]), self.vectors(rows)
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
        if task.kind == "triples":
            count = self.settings.triples / 6 * (4 if name == "minimal pairs" else 1)
            # The few of each kind come in turn.
            count = int(count) + int(self.random.random() < count % 1)
        elif task.kind == "labelled":
            count = self.settings.labelled
        else:
            count = self.settings.rated
        return self._next(name, len(task.rows), count)

    def _structure(
        self,
        groups: Sequence[Group],
        at: Sequence[IntArray],
        cosines: torch.Tensor,
        before: torch.Tensor,
    ) -> torch.Tensor:
        first, second, goals, weights, orders = [], [], [], [], []
        depth, known = self.settings.depth, before.cpu()
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
                    half = 0.5 if kind in WRITTEN else 1.0
                    goal = was + half * depth * (score - was)
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
        one_each = self._there(
            np.unique(
                [places[0] for places in at]
                + [place for places in at[self.settings.groups :] for place in places[::2]]
            )
        )
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
        loss = _cosent(found, gold)
        if task.kind == "rated":
            goal = self._there(self.data.teacher[rows[:, 0]]).float()
            loss = loss + 5 * functional.smooth_l1_loss(found, goal, beta=0.1)
        return 0.5 * loss

    def scores(self) -> Float64Array:
        """The cosines of all development pairs that are measured by; elsewhere nan."""
        wanted = np.unique(np.concatenate([task.rows.ravel() for task in self.data.measured]))
        rows, places = np.unique(self.data.pair_rows[wanted], return_inverse=True)
        vectors = self.encoded(rows)
        ends = places.reshape(-1, 2)
        found = np.full(len(self.data.pair_rows), np.nan)
        found[wanted] = (vectors[ends[:, 0]] * vectors[ends[:, 1]]).sum(1)
        return found

    def encoded(self, rows: IntArray) -> np.ndarray:
        """Unit vectors, without gradients."""
        with torch.inference_mode():
            some = [self.vectors(rows[at : at + 480]) for at in range(0, len(rows), 480)]
        return torch.cat(some).float().cpu().numpy()

    def measured(self) -> dict[str, float]:
        """The figures by which runs are compared."""
        found = {
            f"{task} {measure}": round(float(one.value), 4)
            for (task, measure), one in figures(
                self.data.measured, self.scores(), 0, by_type=False
            ).items()
            if one.value is not None and measure != "average precision"
        }
        means = [value for name, value in found.items() if name.startswith("STS12")]
        if means:
            found["STS12 mean"] = round(float(np.mean(means)), 4)
        return found | self._measured_groups()

    def _measured_groups(self) -> dict[str, float]:
        """Of the groups kept to measure by: the mean cosine of each kind, and how often what means
        the same is above what does not.
        """
        if not self.data.held:
            return {}
        rows, places = np.unique(
            np.concatenate([group.rows for group in self.data.held]), return_inverse=True
        )
        vectors = self.encoded(rows)
        at = np.split(places, np.cumsum([len(group.rows) for group in self.data.held])[:-1])
        by_kind: dict[str, list[tuple[float, float]]] = {}
        above = []
        for group, where in zip(self.data.held, at, strict=True):
            same, other = [], []
            for i, j, kind, score in group.pairs:
                value = float(vectors[where[i]] @ vectors[where[j]])
                by_kind.setdefault(kind, []).append((value, np.nan if score is None else score))
                if kind in RECAST:
                    same.append(value)
                elif score is not None and score < 0.85:
                    other.append(value)
            above += [x > y for x in same for y in other]
        found = {
            f"held {kind}": round(float(np.mean([value for value, _ in pairs])), 4)
            for kind, pairs in by_kind.items()
        }
        everything = np.array([pair for pairs in by_kind.values() for pair in pairs])
        known = everything[~np.isnan(everything[:, 1])]
        found["held correlation"] = round(float(np.corrcoef(known.T)[0, 1]), 4)
        found["held order"] = round(float(np.mean(above)), 4)
        return found


def set_rate(optimiser: torch.optim.Optimizer, rate: float, step: int, done: float) -> None:
    """Set the learning rate: it rises over 60 steps and falls by a cosine over the share ``done``
    of the training.
    """
    share = min(1.0, step / 60) * max(0.02, 0.5 * (1 + np.cos(np.pi * min(1, done))))
    for group in optimiser.param_groups:
        group["lr"] = rate * share


def endless(size: int, random: np.random.Generator) -> Iterator[int]:
    """Yield the numbers below ``size`` in a random order, then in another, without end."""
    while size:
        yield from random.permutation(size).tolist()


def _cosent(found: torch.Tensor, gold: torch.Tensor) -> torch.Tensor:
    """log(1 + sum of exp((lower - higher) / temperature)) over pairs whose order is known."""
    lead = (found[None] - found[:, None]) / TEMPERATURE
    lead = lead[gold[:, None] > gold[None]]
    return torch.logsumexp(torch.cat([lead.new_zeros(1), lead]), 0)


def train(
    data: Data,
    settings: Settings,
    start: Mapping[str, np.ndarray],
    work: Path,
    every: float = 5,
) -> UpperLayers:
    """Train, and write the weights and the log.

    Args:
        data: What is learned from.
        settings: How.
        start: Weights to start from, by their published names.
        work: Where weights and log go.
        every: Minutes between two measurements.
    """
    work.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(settings.seed)
    first = LAYERS - settings.layers
    width = len(start[f"encoder.layer.{first}.output.dense.bias"])
    inner = len(start[f"encoder.layer.{first}.intermediate.dense.bias"])
    model = UpperLayers(settings.layers, width, inner)
    model.load(dict(start), first)
    if torch.cuda.is_available():
        model.cuda()
    trainer = Trainer(data, settings, model)
    log = work / "log.jsonl"
    log.unlink(missing_ok=True)

    def say(**about: Any) -> None:
        line = json.dumps(about)
        print(line, flush=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    say(settings=asdict(settings), groups=len(data.groups), sentences=len(data.states.sentences))
    say(step=0, **trainer.measured())
    optimiser = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=0.01)
    began = measured = time.monotonic()
    done, step, sums = 0.0, 0, {}
    while done < 1:
        done = max((time.monotonic() - began) / 60 / settings.minutes, (step + 1) / settings.steps)
        set_rate(optimiser, settings.rate, step, done)
        losses = trainer.step()
        total = sum(getattr(settings, name) * loss for name, loss in losses.items())
        optimiser.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        for name, loss in losses.items():
            sums[name] = sums.get(name, 0.0) + float(loss.detach())
        if step % 50 == 0:
            seconds = time.monotonic() - began
            means = {name: round(value / 50, 4) for name, value in sums.items()}
            say(step=step, seconds=round(seconds), epoch=_epochs(step, settings, data), **means)
            sums = {}
        if step == settings.stop:
            done = 1.0
        if time.monotonic() - measured > 60 * every or done >= 1:
            say(step=step, **trainer.measured())
            np.savez(work / "weights.npz", **model.published(first))
            measured = time.monotonic()
    return model


def _epochs(step: int, settings: Settings, data: Data) -> float:
    return round(step * settings.groups / max(1, len(data.groups)), 2)


def teacher_scores(file: Path, data: Development) -> Float64Array:
    """The comparison's scores of the development pairs, from their terms."""
    combiner = Pipeline("hybrid").combiner
    assert isinstance(combiner, HybridCombiner)
    return scored(combiner.weighting, load(file, data))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--terms", type=Path, default=Path("runs/terms.npz"))
    parser.add_argument("--pairs", type=Path, default=Path("runs/role/pairs"))
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--states", type=Path, default=Path("runs/role/states"))
    parser.add_argument("--start", type=Path, help="weights.npz of an earlier run")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=float, default=5, help="minutes between measurements")
    for name, value in asdict(Settings()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    options = parse(parser, __file__)
    torch.set_num_threads(options.threads)
    settings = Settings(**{name: getattr(options, name) for name in asdict(Settings())})
    held = development(options.data)
    data = gathered(
        held,
        teacher_scores(options.terms, held),
        read_groups(options.pairs),
        LAYERS - settings.layers,
        options.states / str(settings.layers),
    )
    start = dict(np.load(options.start)) if options.start else shipped_weights()
    train(data, settings, start, options.work, options.every)


if __name__ == "__main__":
    main()
