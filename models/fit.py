"""What the trainings of recipes share: steps at the rate of a schedule, averages, logs, weights,
and the largest values that go into layers (for :func:`models.graph.steps`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LRScheduler
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from models.recipe import read

Schedule = Callable[[int, float], float]
"""The rate at a step, and at a share of the training from 0 to 1."""


class Fit:
    """Steps of AdamW.

    Args:
        parameters: Parameters, or groups of them; ``scale`` multiplies the rate of a group.
        schedule: The rate, or a function that makes a scheduler of torch for the optimiser.
        clip: The largest norm of the gradient.
        between: What happens to the gradients of parameters between computing and following them.
        options: Of the optimiser.
    """

    def __init__(
        self,
        parameters: Iterable[Any],
        schedule: Schedule | None = None,
        clip: float = math.inf,
        scheduler: Callable[[torch.optim.Optimizer], LRScheduler] | None = None,
        between: Callable[[list[torch.Tensor]], object] = lambda _: None,
        optimiser: type[torch.optim.Optimizer] = torch.optim.AdamW,
        **options: Any,
    ) -> None:
        self.optimiser = optimiser(parameters, **options)
        self.schedule, self.clip, self.between, self.steps = schedule, clip, between, 0
        self.scheduler = scheduler(self.optimiser) if scheduler else None

    def step(self, loss: torch.Tensor, done: float = 0.0) -> None:
        """Follow the gradient of a loss when the share ``done`` of the training is over."""
        if self.schedule is not None:
            rate = self.schedule(self.steps, done)
            for group in self.optimiser.param_groups:
                group["lr"] = rate * group.get("scale", 1.0)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        parameters = [p for group in self.optimiser.param_groups for p in group["params"]]
        self.between(parameters)
        if self.clip < math.inf:
            nn.utils.clip_grad_norm_(parameters, self.clip)
        self.optimiser.step()
        if self.scheduler is not None:
            self.scheduler.step()
        self.steps += 1


def minimise(
    parameters: Iterable[torch.Tensor],
    losses: Iterable[Callable[[], torch.Tensor]],
    steps: int,
    rate: float,
    after: Callable[[], object] = lambda: None,
) -> None:
    """Adam with steps that shrink to 0 by a cosine; ``after`` runs behind each, without grad."""
    shrinking = partial(CosineAnnealingLR, T_max=steps)
    fit = Fit(parameters, scheduler=shrinking, optimiser=torch.optim.Adam, lr=rate)
    for loss in losses:
        fit.step(loss())
        with torch.no_grad():
            after()


def warm_cosine(rate: float) -> Schedule:
    """Return a rate that rises over 60 steps and falls by a cosine."""

    def schedule(step: int, done: float) -> float:
        share = min(1.0, step / 60) * max(0.02, 0.5 * (1 + np.cos(np.pi * min(1, done))))
        return float(rate * share)

    return schedule


def averaged(model: nn.Module, decay: float) -> AveragedModel:
    """Return an exponential moving average of a model's weights."""
    return AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(decay))


def endless(size: int, random: np.random.Generator) -> Iterator[int]:
    """Yield the numbers below ``size`` in a random order, then in another, without end."""
    while size:
        yield from random.permutation(size).tolist()


def in_order(lengths: np.ndarray, batch: int) -> tuple[list[np.ndarray], torch.Tensor]:
    """Return batches of rows (n,) of like length, and the order that puts their results back."""
    order = np.argsort(lengths, kind="stable")
    parts = np.array_split(order, max(1, len(order) // batch))
    return parts, torch.from_numpy(np.argsort(order))


class Log:
    """Prints lines of values, and keeps them in a file, ``log.jsonl`` of a folder; without one, is
    silent.
    """

    def __init__(self, folder: Path | None) -> None:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        self.file = folder and folder / "log.jsonl"

    def __call__(self, **values: object) -> None:
        if self.file is None:
            return
        line = json.dumps(values, default=str)
        print(line, flush=True)
        with self.file.open("a", encoding="utf-8") as lines:
            lines.write(line + "\n")


def load(model: nn.Module, file: Path) -> None:
    """Take the weights of a file."""
    model.load_state_dict({name: torch.from_numpy(value) for name, value in read(file).items()})


class Tops:
    """The largest input of each layer of some kinds, column by column, while it is in use.

    Args:
        model: Its layers are watched.
        kinds: The classes of those that are.
    """

    def __init__(self, model: nn.Module, *kinds: type[nn.Module]) -> None:
        self.found: dict[str, torch.Tensor] = {}
        self._hooks = [
            layer.register_forward_pre_hook(partial(self._note, name))
            for name, layer in model.named_modules()
            if isinstance(layer, kinds or nn.Linear)
        ]

    def _note(self, name: str, _: nn.Module, given: tuple[torch.Tensor, ...]) -> None:
        top = given[0].detach().abs().flatten(0, -2).amax(0)
        self.found[name] = torch.maximum(self.found.get(name, torch.zeros_like(top)), top)

    def close(self) -> dict[str, np.ndarray]:
        """Stop, and what was found, by the names of the layers."""
        for hook in self._hooks:
            hook.remove()
        return {name: top.cpu().numpy() for name, top in self.found.items()}
