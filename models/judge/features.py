"""The features of all pairs that the judge learns from.

    python -m models.judge.features --data ../shared/data --to runs/judge

A file for each data set; one that is there already for the same pairs and features is kept.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.command import DATA, run
from hybridsem import Pipeline
from hybridsem._typing import Float64Array
from hybridsem._utils.progress import in_chunks
from hybridsem.judge.features import DIRECTED, SYMMETRIC, observe_batch
from models.judge.data import LEARNED_FROM, Part, part

CHUNK = 1000


class Table(NamedTuple):
    """Of pairs: symmetric features (n, s), directed ones (n, 2, d), rules (n, r), and scores (n,).

    NaN where a sentence has no parse.
    """

    symmetric: Float64Array
    directed: Float64Array
    rules: Float64Array
    scores: Float64Array


def extract(nlp: Pipeline, pairs: Part) -> Table:
    """The features of a data set."""
    tables = []
    for some in in_chunks(pairs.pairs, CHUNK, pairs.name, True):
        batch = nlp.read(some)
        compared = nlp.combiner.compared(batch)
        scores = nlp.combiner.scores_of(batch, compared)
        tables.append(Table(*observe_batch(batch, compared), scores))
    return Table(*map(np.concatenate, zip(*tables, strict=True)))


def file_of(folder: Path, pairs: Part) -> Path:
    """Where the features of these pairs are kept."""
    about = json.dumps([pairs.pairs, SYMMETRIC, DIRECTED]).encode()
    slug = "".join(one if one.isalnum() else "-" for one in pairs.name)
    return folder / f"{slug}.{hashlib.sha256(about).hexdigest()[:12]}.npz"


def load(folder: Path, pairs: Part) -> Table:
    """The features of a data set, extracted before; FileNotFoundError says how."""
    file = file_of(folder, pairs)
    if not file.is_file():
        raise FileNotFoundError(f"{file} is missing; run python -m models.judge.features")
    with np.load(file) as kept:
        return Table(*(kept[name] for name in Table._fields))


def main(data: Path = DATA, to: Path = Path("runs/judge")) -> None:
    to.mkdir(parents=True, exist_ok=True)
    nlp = Pipeline("hybrid")
    for name in LEARNED_FROM:
        pairs = part(name, data)
        np.savez_compressed(file_of(to, pairs), **extract(nlp, pairs)._asdict())


if __name__ == "__main__":
    run(main)
