"""Write what the teacher reads in pairs of the training.

    python -m models.pair_reader.train --mpnet FOLDER --work runs/teacher --threads 2 …
    python -m models.pair_reader.teach --mpnet FOLDER --start runs/teacher/reader.npz --minutes 20

``FOLDER`` is that of all-mpnet-base-v2, which the first command fine-tunes. The second writes
``taught.npz``: eight chances by the digest of each pair, in 16 bit. Of pairs without a label they
are the means of the teacher's and of the reader's. ``train --taught`` learns from it (Hinton et al.
2015). ``sources.toml`` says how much of each set is read.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Annotated

import numpy as np
import torch

from benchmarks.command import run
from hybridsem.embeddings.embedded import EmbeddedEncoder
from models.fit import load
from models.pair_reader.data import Kept, Row, sources
from models.pair_reader.teacher import TAUGHT, digests
from models.pair_reader.train import READER, model_of, read_pairs

AT_ONCE = 4096
"""Pairs that are read before the clock is looked at."""


def chosen(rows: list[Row], draw: random.Random) -> list[Row]:
    """The rows that the teacher reads, in the order in which it does."""
    shares = {name: settings.get("taught", 0) for name, settings in sources().items()}
    some = [row for row in rows if not row.held and draw.random() < shares[row.source]]
    draw.shuffle(some)
    return some


def main(
    kept: Kept,
    *,
    mpnet: Path,
    start: Annotated[Path, "the teacher's weights"],
    reader: Annotated[Path, "the reader so far"] = READER,
    minutes: float = 20,
    threads: int = 2,
    to: Path = TAUGHT,
) -> None:
    torch.set_num_threads(threads)
    rows = chosen(kept.read(), random.Random(0))
    new = {(row.first, row.second): not row.says for row in rows}
    pairs = [*new]
    encoder, models = EmbeddedEncoder(threads=threads), []
    for folder, weights in ((mpnet, start), (None, reader)):
        models.append(model_of(folder))
        load(models[-1], weights)
    found: list[np.ndarray] = []
    began = time.perf_counter()
    for at in range(0, len(pairs), AT_ONCE):
        if time.perf_counter() - began > minutes * 60:
            break
        some = pairs[at : at + AT_ONCE]
        with torch.autocast("cpu", torch.bfloat16):
            of_both = [read_pairs(model, encoder, some) for model in models]
        unseen = np.array([[new[pair]] for pair in some])
        found.append(np.where(unseen, np.mean(of_both, 0), of_both[0]))
        print(at + len(found[-1]), round(time.perf_counter() - began), flush=True)
    read = np.concatenate(found).astype(np.float16)
    np.savez_compressed(to, pairs=digests(pairs[: len(read)]), read=read)


if __name__ == "__main__":
    run(main)
