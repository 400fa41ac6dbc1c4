"""The scales that ship, of encoders whose weights are at hand (``hybridsem/data/scales.json``).

    python -m models.encoder.scales --mpnet FOLDER

Of all pairs of the sentences that ``hybridsem fit-encoder`` takes, as it takes them.
"""

from __future__ import annotations

import json
from typing import Annotated

from benchmarks.command import run
from hybridsem import registry
from hybridsem.datasets.triples import development_sentences
from hybridsem.embeddings.scale import fit_scale
from models.recipe import SHIPPED


def main(*, mpnet: Annotated[str, "the folder of all-mpnet-base-v2"]) -> None:
    encoders = {"sbert-mini": "sbert-mini", "sbert-mpnet": f"transformer:{mpnet}"}
    scales = [
        fit_scale(registry.encoder(encoder), name, development_sentences()).to_dict()
        for name, encoder in encoders.items()
    ]
    file = SHIPPED / "scales.json"
    file.write_text("[\n" + ",\n".join(map(json.dumps, scales)) + "\n]\n")


if __name__ == "__main__":
    run(main)
