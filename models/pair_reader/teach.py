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

import numpy as np
import torch

from hybridsem.embeddings.embedded import EmbeddedEncoder
from models.fit import load
from models.pair_reader.data import ROWS, Row, kept_rows, sources
from models.pair_reader.teacher import TAUGHT, digests
from models.pair_reader.train import model_of, read_pairs
from models.recipe import command

READER = Path(__file__).with_name("reader.npz")
AT_ONCE = 4096
"""Pairs that are read before the clock is looked at."""


def chosen(rows: list[Row], draw: random.Random) -> list[Row]:
    """The rows that the teacher reads, in the order in which it does."""
    shares = {name: settings.get("taught", 0) for name, settings in sources().items()}
    some = [row for row in rows if not row.held and draw.random() < shares[row.source]]
    draw.shuffle(some)
    return some


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("--made", type=Path)
    parser.add_argument("--rows", type=Path, default=ROWS)
    parser.add_argument("--mpnet", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True, help="the teacher's weights")
    parser.add_argument("--reader", type=Path, default=READER, help="the reader so far")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--to", type=Path, default=TAUGHT)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    rows = chosen(kept_rows(options.data, options.made, options.rows), random.Random(0))
    new = {(row.first, row.second): not row.says for row in rows}
    pairs = [*new]
    encoder, models = EmbeddedEncoder(threads=options.threads), []
    for folder, weights in ((options.mpnet, options.start), (None, options.reader)):
        models.append(model_of(folder))
        load(models[-1], weights)
    found: list[np.ndarray] = []
    began = time.perf_counter()
    for start in range(0, len(pairs), AT_ONCE):
        if time.perf_counter() - began > options.minutes * 60:
            break
        some = pairs[start : start + AT_ONCE]
        with torch.autocast("cpu", torch.bfloat16):
            of_both = [read_pairs(model, encoder, some) for model in models]
        unseen = np.array([[new[pair]] for pair in some])
        found.append(np.where(unseen, np.mean(of_both, 0), of_both[0]))
        print(start + len(found[-1]), round(time.perf_counter() - began), flush=True)
    read = np.concatenate(found).astype(np.float16)
    np.savez_compressed(options.to, pairs=digests(pairs[: len(read)]), read=read)


if __name__ == "__main__":
    main()
