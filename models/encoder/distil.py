"""Train the upper three layers so that cosines follow those of all-mpnet-base-v2.

    python -m models.encoder.distil --data ../shared/data --teacher transformer:FOLDER --run small
        --to runs/distil/small.npz

``runs/role/pairs`` is what ``models.role_encoder.pairs`` wrote. The lower three layers are frozen.
Each step takes some groups of a sentence and its variants, or of neighbours in a text, and some
development pairs. The cosine of every two sentences of the step goes to the teacher's, which is put
on the scale of the published encoder first, quantile by quantile, so that a cosine keeps its
meaning. No rating or label is read, and no test set. Writes the layers by their published names, in
16 bit.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
from torch.nn import functional

from benchmarks.command import DATA, run
from hybridsem import registry
from hybridsem._typing import Float32Array, IntArray
from hybridsem.datasets.splits import words_of
from models.encoder.build import LAYERS, SHARED, float_weights, layer_mix
from models.fit import Fit, Log, endless, warm_cosine
from models.hybrid.data import development
from models.parser.corpus import raw_texts
from models.recipe import save
from models.role_encoder.layers import UpperLayers, pooled, within
from models.role_encoder.sentences import kept
from models.role_encoder.states import States, lower_states
from models.role_encoder.train import read_groups

MIX = layer_mix()[SHARED - LAYERS :]
"""The shares of the upper layers in what the parser reads."""
MIN_WORDS, LONGEST = 3, 200
"""Of the sentences that nobody changed: words, and characters."""


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

        def quantiles(rows: Float32Array) -> Float32Array:
            cosines = (rows[first].astype(np.float32) * rows[second]).sum(1)
            return np.append(np.quantile(cosines, np.linspace(0, 1, 201)), 1).astype(np.float32)

        return cls(vectors, quantiles(vectors), quantiles(published))

    def cosines(self, rows: IntArray) -> torch.Tensor:
        """Of all pairs of some rows, (n, n), on the published encoder's scale."""
        found = self.vectors[rows].astype(np.float32)
        goals = np.interp(found @ found.T, self.own, self.published)
        return torch.from_numpy(goals.astype(np.float32))


def read(
    model: UpperLayers, states: torch.Tensor, lengths: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Unit vectors (n, 384), and the part of the upper layers in the parser's mix (tokens, 384)."""
    outputs = model.outputs(states, lengths)
    upper = outputs[-len(MIX) :]
    mixed = sum((share * x.float() for share, x in zip(MIX, upper, strict=True)), torch.zeros(()))
    return pooled(outputs[-1], lengths), mixed[within(states, lengths)]


def moved(
    model: UpperLayers, before: UpperLayers, states: States, rows: IntArray
) -> tuple[torch.Tensor, torch.Tensor]:
    """Unit vectors of rows of the states, (n, 384), and how far the parser's mix is from that of
    ``before``, as a mean square.
    """
    batches, back = model.batches(states, rows)
    found, away = [], []
    for batch in batches:
        with torch.autocast(model.device.type, torch.bfloat16):
            vectors, mixed = read(model, *batch)
            with torch.no_grad():
                _, own = read(before, *batch)
            away.append(((mixed - own) ** 2).mean() * len(vectors) / len(rows))
        found.append(vectors)
    return torch.cat(found)[back].float(), torch.stack(away).sum()


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
    fit = Fit(model.parameters(), warm_cosine(settings.rate), clip=1.0, weight_decay=0.01)
    for step in range(settings.steps):
        parts = [groups[next(of_groups)] for _ in range(settings.groups)]
        parts += [pairs[next(of_pairs)] for _ in range(settings.rated)]
        rows, places = np.unique(np.concatenate(parts), return_inverse=True)
        at = np.split(places, np.cumsum([len(part) for part in parts])[:-1])
        vectors, mix = moved(model, before, states, rows)
        found, goal = vectors @ vectors.T, teacher.cosines(rows).to(model.device)
        inside = torch.zeros(found.shape, dtype=torch.bool)
        for of_group in at[: settings.groups]:
            inside[np.ix_(of_group, of_group)] = True
        inside = inside.to(model.device)
        other = ~torch.eye(len(rows), dtype=torch.bool, device=model.device)
        first, second = torch.from_numpy(np.stack(at[settings.groups :]).T)
        losses = {
            "others": _away(found[~inside & other], goal[~inside & other]),
            "within": _away(found[inside & other], goal[inside & other]) * settings.within,
            "pairs": _away(found[first, second], goal[first, second]) * settings.pairs,
            "mix": mix * settings.mix,
        }
        fit.step(torch.stack([*losses.values()]).sum(), step / settings.steps)
        yield {name: float(loss.detach()) for name, loss in losses.items()}


def _away(found: torch.Tensor, goal: torch.Tensor) -> torch.Tensor:
    return functional.smooth_l1_loss(found, goal, beta=0.05) * 10


def encoded(model: UpperLayers, states: States, rows: IntArray) -> Float32Array:
    """Unit vectors of some rows, (sentences, 384), zeros of the others."""
    found = np.zeros((len(states.sentences), 384), np.float32)
    with torch.inference_mode():
        for some in np.array_split(rows, max(1, len(rows) // 960)):
            found[some] = model.vectors(states, some).float().cpu().numpy()
    return found


def neighbours(texts: Iterable[str], barred: Set[str]) -> list[list[str]]:
    """Groups of six sentences that follow one another, without those of test sets."""
    distinct = dict.fromkeys(text.strip() for text in texts)
    usable = [t for t in distinct if len(t.split()) >= MIN_WORDS and len(t) <= LONGEST]
    chosen = [text for text in usable if words_of(text) not in barred]
    return [chosen[at : at + 6] for at in range(0, len(chosen) - 5, 6)]


def main(
    settings: Settings,
    data: Path = DATA,
    *,
    teacher: Annotated[str, "an encoder: transformer:FOLDER"],
    variants: Path = Path("runs/role/pairs"),
    work: Path = Path("runs/distil"),
    to: Path,
) -> None:
    known, encoder = development(data), registry.encoder(teacher)
    written = read_groups(variants)
    files = {name: [group["sentences"] for group in some] for name, some in written.items()}
    files["raw"] = neighbours(raw_texts(data), kept(data, known))
    parts, vectors = [], []
    for name, groups in (files | {"development": known.pairs}).items():
        file = work / f"{name}.npy"
        parts.append(lower_states([text for group in groups for text in group], file))
        of_teacher = file.with_suffix(".teacher.npy")
        if not of_teacher.is_file():
            np.save(of_teacher, encoder.encode(parts[-1].sentences).astype(np.float16))
        vectors.append(np.load(of_teacher))
    states = States.joined(parts)
    pairs = np.array([[states.row[text] for text in pair] for pair in known.pairs])
    every = [group for groups in files.values() for group in groups]
    rows = [np.array([states.row[text] for text in group]) for group in every]
    torch.manual_seed(settings.seed)
    model = UpperLayers.of(float_weights(), SHARED, LAYERS - SHARED)
    published = encoded(model, states, np.unique(pairs))
    goal = Teacher.of(np.concatenate(vectors), published, pairs, settings.seed)
    say = Log(to.with_suffix(""))
    for step, losses in enumerate(train(model, states, goal, rows, pairs, settings), 1):
        if step % 50 == 0:
            say(step=step, **losses)
    save(to, model.published(SHARED), half=True)


if __name__ == "__main__":
    run(main)
