"""The scales that ship, of encoders whose weights are at hand (``hybridsem/data/scales.json``).

    python -m models.encoder.scales --large FOLDER --mpnet FOLDER

Of all pairs of the sentences that ``hybridsem fit-encoder`` takes, as it takes them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from hybridsem import registry
from hybridsem.datasets.triples import development_sentences
from hybridsem.embeddings.role_encoder import LargeEncoder
from hybridsem.embeddings.scale import fit_scale
from models.encoder.build import ROOT


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--large", type=Path, required=True, help="the unpacked asset")
    parser.add_argument("--mpnet", required=True, help="the float all-mpnet-base-v2")
    options = parser.parse_args()
    encoders = {
        "sbert-mini": registry.encoder("sbert-mini"),
        "sbert-mpnet": registry.encoder(f"transformer:{options.mpnet}"),
        "large": LargeEncoder(options.large),
    }
    texts = development_sentences()
    found = [fit_scale(encoder, name, texts).to_dict() for name, encoder in encoders.items()]
    file = ROOT / "hybridsem/data/scales.json"
    file.write_text("[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n")


if __name__ == "__main__":
    main()
