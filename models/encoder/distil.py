"""Train the upper two layers so that cosines follow those of all-mpnet-base-v2.

    python -m models.encoder.distil --data ../shared/data --large FOLDER --work runs/distil

``FOLDER`` is the unpacked larger encoder (:mod:`models.encoder.large`), ``runs/distil/pairs`` what
``models.role_encoder.pairs`` wrote. The lower four layers are frozen. Each step takes some groups
of a sentence and its variants, and some development pairs. The cosine of every two sentences of the
step goes to the teacher's, which is put on the scale of the published encoder first, quantile by
quantile, so that a cosine keeps its meaning. No rating or label is read, and no test set.

Writes ``models/encoder/upper.npz``, the layers by their published names, in 16 bit, and prints the
figures of the development data on the way.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from torch.nn import functional

from hybridsem._typing import Float32Array, IntArray
from hybridsem.embeddings.role_encoder import LargeEncoder
from models.encoder.build import (
    LAYERS,
    ROOT,
    build,
    float_weights,
    read_tops,
    shipped_weights,
    source_folder,
)
from models.hybrid.data import Development, development
from models.hybrid.figures import figures
from models.role_encoder.layers import UpperLayers, pooled, within
from models.role_encoder.states import States, lower_states
from models.role_encoder.train import endless, read_groups, set_rate

__all__ = ["Settings", "Teacher", "train"]

UPPER = Path(__file__).with_name("upper.npz")
FROZEN = 4
"""The lower layers, which stay as they are."""
MIX = json.loads((ROOT / "models/parser/layer_mix.json").read_text("utf-8"))[-(LAYERS - FROZEN) :]
"""The shares of the upper layers in what the parser reads."""


@dataclass(frozen=True)
class Settings:
    """How it is trained; ``within`` and ``pairs`` weigh the cosines within a group and those of
    development pairs, beside those of all other sentences of a step.
    """

    steps: int = 1600
    rate: float = 2e-4
    groups: int = 24
    rated: int = 48
    within: float = 3.0
    pairs: float = 3.0
    mix: float = 100.0
    seed: int = 0


@dataclass(frozen=True)
class Teacher:
    """Unit vectors (n, d) of sentences, and its cosines beside those of the published encoder at
    the same quantiles.
    """

    vectors: Float32Array
    own: Float32Array
    published: Float32Array

    @classmethod
    def of(
        cls, vectors: Float32Array, published: Float32Array, pairs: IntArray, seed: int
    ) -> Teacher:
        """With the quantiles over ``pairs`` (n, 2) of rows, and over 60,000 of their rows drawn at
        random; ``published`` are the vectors of the published encoder.
        """
        drawn = np.random.default_rng(seed).choice(np.unique(pairs), (60_000, 2))
        first, second = np.concatenate([pairs, drawn]).T
        share = np.linspace(0, 1, 201)
        quantiles = (
            np.quantile((rows[first].astype(np.float32) * rows[second]).sum(1), share)
            for rows in (vectors, published)
        )
        own, of_published = (np.append(found, 1).astype(np.float32) for found in quantiles)
        return cls(vectors, own, of_published)

    def cosines(self, rows: IntArray) -> torch.Tensor:
        """Of all pairs of some rows, (n, n), on the published encoder's scale."""
        found = self.vectors[rows].astype(np.float32)
        return torch.from_numpy(
            np.interp(found @ found.T, self.own, self.published).astype(np.float32)
        )


def read(
    model: UpperLayers, states: torch.Tensor, lengths: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Unit vectors (n, 384), and the part of the upper layers in the parser's mix (tokens, 384)."""
    outputs = model.outputs(states, lengths)
    upper = outputs[-len(MIX) :]
    mixed = sum((share * x.float() for share, x in zip(MIX, upper, strict=True)), torch.zeros(()))
    return pooled(outputs[-1], lengths), mixed[within(states, lengths)]


def vectors_of(
    model: UpperLayers,
    states: States,
    rows: IntArray,
    size: int = 48,
    before: UpperLayers | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Unit vectors of rows of the states, (n, 384), and how far the parser's mix is from that of
    ``before``, as a mean square; sentences of like length run together.
    """
    order = np.argsort(states.lengths[rows], kind="stable")
    found, moved = [], []
    for some in np.array_split(order, max(1, len(order) // size)):
        padded, lengths = (torch.from_numpy(part) for part in states.padded(rows[some]))
        with torch.autocast("cpu", torch.bfloat16):
            vectors, mixed = read(model, padded.float(), lengths)
            if before is not None:
                with torch.no_grad():
                    _, own = read(before, padded.float(), lengths)
                moved.append(((mixed - own) ** 2).mean() * len(some) / len(rows))
        found.append(vectors)
    back = torch.from_numpy(np.argsort(order))
    return torch.cat(found)[back].float(), torch.stack(moved).sum() if moved else torch.zeros(())


def train(
    model: UpperLayers,
    states: States,
    teacher: Teacher,
    groups: Sequence[IntArray],
    pairs: IntArray,
    settings: Settings,
) -> Iterator[dict[str, float]]:
    """Train in place; give the losses of each step.

    Args:
        model: The upper layers, with weights to start from.
        states: Of all sentences.
        teacher: Of the same sentences.
        groups: Rows of sentences that are variants of one another.
        pairs: (n, 2), rows of pairs that people wrote.
        settings: How.
    """
    random = np.random.default_rng(settings.seed)
    before = copy.deepcopy(model).requires_grad_(False)
    of_groups, of_pairs = endless(len(groups), random), endless(len(pairs), random)
    optimiser = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=0.01)
    for step in range(settings.steps):
        set_rate(optimiser, settings.rate, step, step / settings.steps)
        parts = [groups[next(of_groups)] for _ in range(settings.groups)]
        parts += [pairs[next(of_pairs)] for _ in range(settings.rated)]
        rows, places = np.unique(np.concatenate(parts), return_inverse=True)
        at = np.split(places, np.cumsum([len(part) for part in parts])[:-1])
        vectors, moved = vectors_of(model, states, rows, before=before)
        found, goal = vectors @ vectors.T, teacher.cosines(rows)
        within = torch.zeros_like(found, dtype=torch.bool)
        for of_group in at[: settings.groups]:
            within[np.ix_(of_group, of_group)] = True
        same = torch.eye(len(rows), dtype=torch.bool)
        first, second = torch.from_numpy(np.stack(at[settings.groups :]).T)
        losses = {
            "others": _away(found[~within & ~same], goal[~within & ~same]),
            "within": _away(found[within & ~same], goal[within & ~same]) * settings.within,
            "pairs": _away(found[first, second], goal[first, second]) * settings.pairs,
            "mix": moved * settings.mix,
        }
        optimiser.zero_grad()
        torch.stack([*losses.values()]).sum().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        yield {name: float(loss.detach()) for name, loss in losses.items()}


def _away(found: torch.Tensor, goal: torch.Tensor) -> torch.Tensor:
    return functional.smooth_l1_loss(found, goal, beta=0.05) * 10


def _encoded(model: UpperLayers, states: States, rows: IntArray) -> Float32Array:
    """Unit vectors of some rows, (sentences, 384), zeros of the others."""
    found = np.zeros((len(states.sentences), 384), np.float32)
    with torch.inference_mode():
        for some in np.array_split(rows, max(1, len(rows) // 960)):
            found[some] = vectors_of(model, states, some)[0].numpy()
    return found


def _measured(model: UpperLayers, states: States, data: Development, pairs: IntArray) -> str:
    vectors = _encoded(model, states, np.unique(pairs))
    cosines = (vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum(1)
    found = figures(data.tasks, cosines.astype(float), 0)
    return "\n".join(f"{' '.join(name)}: {one.value:.3f}" for name, one in found.items())


def _states(texts: Sequence[str], teacher: LargeEncoder, file: Path) -> tuple[States, Float32Array]:
    """What the student starts from and the teacher's vectors, both kept on disk."""
    layers = file.with_name("layers.onnx")  # the shipped graph has the fourth layer in a branch
    if not layers.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(build(shipped_weights(), read_tops(), None), layers)
    states = lower_states(texts, FROZEN, file, layers)
    vectors = file.with_suffix(".teacher.npy")
    if not vectors.is_file():
        np.save(vectors, teacher.encode(states.sentences).astype(np.float16))
    return states, np.load(vectors)


def save(model: UpperLayers) -> None:
    """Write ``upper.npz``."""
    layers = model.published(FROZEN)
    np.savez_compressed(UPPER, **{name: one.astype(np.float16) for name, one in layers.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--large", type=Path, required=True, help="the unpacked teacher")
    parser.add_argument("--work", type=Path, default=Path("runs/distil"))
    options = parser.parse_args()
    data, teacher = development(options.data), LargeEncoder(options.large)
    files = read_groups(options.work / "pairs")
    texts = {
        "development": [text for pair in data.pairs for text in pair],
        **{
            name: [text for group in groups for text in group["sentences"]]
            for name, groups in files.items()
        },
    }
    work = options.work / "states"
    found = [_states(own, teacher, work / f"{name}.npy") for name, own in texts.items()]
    states = States.joined([own for own, _ in found])
    pairs = np.array([[states.row[text] for text in pair] for pair in data.pairs])
    groups = [
        np.array([states.row[text] for text in group["sentences"]])
        for groups in files.values()
        for group in groups
    ]
    settings, model = Settings(), UpperLayers(LAYERS - FROZEN)
    torch.manual_seed(settings.seed)
    model.load(float_weights(source_folder()), FROZEN)
    vectors = np.concatenate([own for _, own in found])
    began = time.perf_counter()
    published = _encoded(model, states, np.unique(pairs))
    of_teacher = Teacher.of(vectors, published, pairs, settings.seed)
    for step, losses in enumerate(train(model, states, of_teacher, groups, pairs, settings), 1):
        if step % 50 == 0:
            print(step, f"{time.perf_counter() - began:.0f} s", losses, flush=True)
        if step % 200 == 0:
            save(model)
            print(_measured(model, states, data, pairs), flush=True)
    save(model)


if __name__ == "__main__":
    main()
