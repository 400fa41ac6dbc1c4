"""The trade-off between similarity and retrieval: shares of the trained upper layers over the
published ones.

    python -m models.encoder.shares --data ../shared/data [--shares 0 .3 .6 .8 1]
        [--log models/encoder/shares.jsonl]

Prints, for each share, the figures of the cosine on all development data, a line of JSON.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from models.encoder.build import LAYERS, SHARED, float_weights, shipped_weights, source_folder
from models.encoder.distil import encoded
from models.hybrid.data import development
from models.hybrid.figures import figures
from models.role_encoder.blend import blended
from models.role_encoder.layers import UpperLayers
from models.role_encoder.states import lower_states


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--work", type=Path, default=Path("runs/shares"))
    parser.add_argument("--shares", type=float, nargs="+", default=[0, 0.3, 0.6, 0.8, 1])
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    data = development(options.data)
    texts = [text for pair in data.pairs for text in pair]
    states = lower_states(texts, SHARED, options.work / "development.npy")
    pairs = np.array([[states.row[text] for text in pair] for pair in data.pairs])
    published, trained = float_weights(source_folder()), shipped_weights()
    torch.set_num_threads(1)
    for share in options.shares:
        model = UpperLayers(LAYERS - SHARED)
        model.load(blended(published, trained, share), SHARED)
        vectors = encoded(model, states, np.unique(pairs))
        cosines = (vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum(1).astype(float)
        measured = {
            " ".join(name): round(one.value or 0.0, 4)
            for name, one in figures(data.tasks, cosines, 0, by_type=False).items()
        }
        line = json.dumps({"share": share, **measured})
        print(line, flush=True)
        if options.log:
            with options.log.open("a", encoding="utf-8") as log:
                log.write(line + "\n")


if __name__ == "__main__":
    main()
