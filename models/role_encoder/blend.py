"""Weights between the distilled and the learned ones, and what each share gains.

    python -m models.role_encoder.blend --data ../shared/data
        --distilled runs/distil/small.npz runs/distil/large.npz
        --weights runs/role/small/weights.npz runs/role/large/weights.npz
        [--shares 0 .25 .5 .75 1] [--log runs/role/blend.jsonl] [--write runs/role/chosen.npz]

The weights of several runs are averaged first (Wortsman et al. 2022). Prints, for each share, the
figures of the development data that are measured by, a line of JSON. ``--write`` saves the weights
of the last share; ``--embed SHARE`` gives the embedded encoder that share of the learned weights
(``models/encoder/upper.npz``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch

from models.encoder.build import LAYERS, SHARED, UPPER
from models.hybrid.data import development
from models.recipe import parse
from models.role_encoder.layers import UpperLayers
from models.role_encoder.train import (
    Settings,
    Trainer,
    gathered,
    held_out,
    read_groups,
    teacher_scores,
)

__all__ = ["averaged", "blended"]


def blended(
    first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray], share: float
) -> dict[str, np.ndarray]:
    """``share`` of the second weights, the rest of the first ones."""
    return {
        name: ((1 - share) * first[name] + share * weight).astype(np.float32)
        for name, weight in second.items()
    }


def averaged(files: Sequence[Path]) -> dict[str, np.ndarray]:
    """The mean of the weights of some files."""
    runs = [np.load(file) for file in files]
    return {name: np.mean([run[name].astype(np.float32) for run in runs], 0) for name in runs[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--terms", type=Path, default=Path("runs/terms.npz"))
    parser.add_argument("--pairs", type=Path, default=Path("runs/role/pairs"))
    parser.add_argument("--states", type=Path, default=Path("runs/role/states"))
    parser.add_argument("--distilled", type=Path, nargs="+", required=True)
    parser.add_argument("--weights", type=Path, nargs="+", required=True)
    parser.add_argument("--shares", type=float, nargs="+", default=[0, 0.25, 0.5, 0.75, 1])
    parser.add_argument("--log", type=Path)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--embed", type=float, metavar="SHARE")
    options = parse(parser, __file__)
    torch.set_num_threads(1)
    pairs = development(options.data)
    data = gathered(
        pairs,
        teacher_scores(options.terms, pairs),
        held_out(read_groups(options.pairs)),
        SHARED,
        options.states / str(LAYERS - SHARED),
    )
    distilled, learned = averaged(options.distilled), averaged(options.weights)
    weights: dict[str, np.ndarray] = {}
    for share in options.shares:
        weights = blended(distilled, learned, share)
        model = UpperLayers(LAYERS - SHARED)
        model.load(weights, SHARED)
        line = json.dumps({"share": share, **Trainer(data, Settings(), model).measured()})
        print(line, flush=True)
        if options.log:
            with options.log.open("a", encoding="utf-8") as log:
                log.write(line + "\n")
    if options.write:
        np.savez(options.write, **weights)
    if options.embed:
        weights = blended(distilled, learned, options.embed)
        np.savez_compressed(
            UPPER, **{name: one.astype(np.float16) for name, one in weights.items()}
        )


if __name__ == "__main__":
    main()
