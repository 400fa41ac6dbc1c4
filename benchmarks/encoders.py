"""Speed of every encoder that can run here, side by side with sentence-transformers.

    python -m benchmarks.encoders --data ../shared/data [--sentences 1000] [--rounds 3]
        [--encoder NAME]… [--peer PYTHON]

The sentences are distinct ones of STSb test. Every encoder is new in each round, so that nothing is
cached, except ``sif``, which has seen the words in its fit. ``--peer`` is the Python that runs
sentence-transformers (``benchmarks/peers.py``). Needs the extra ``transformers``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.peers import peers, runs
from benchmarks.timing import machine, show_compared
from hybridsem.tables import read_pairs

MINI = "transformer:sentence-transformers/all-MiniLM-L6-v2,pooling=mean"
ENCODERS = (
    *("embedded", "sbert-mini", f"{MINI},max_length=256"),
    f"{MINI}-sqrt,layers=all,max_length=256",
    *("standardised:embedded", "mean", "mult-cn", "conv-cn", "dct-6", "sif"),
)


def fresh(name: str, sentences: list[str]) -> Callable[[], object]:
    """Return a run of a new encoder that is read, and fitted where it must be."""
    from hybridsem import registry

    encoder = registry.encoder(name, vectors=registry.vectors("embedded", None))
    if isinstance(encoder, registry.FittedEncoder) and not encoder.fitted:
        encoder.fit(sentences)
    encoder.encode(["The weights are read."])
    return partial(encoder.encode, sentences)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--encoder", action="append", help="instead of the list; may be repeated")
    parser.add_argument("--peer", default=sys.executable, help="interpreter; '' for none")
    options = parser.parse_args(arguments)
    pairs = read_pairs(options.data / "sts" / "stsb-en-test.csv")
    distinct = dict.fromkeys(text for pair in pairs for text in (pair.text1, pair.text2))
    sentences = list(distinct)[: options.sentences]
    print(machine("onnxruntime", "tokenizers"), f"; {len(sentences)} sentences")
    own = {name: partial(fresh, name, sentences) for name in options.encoder or ENCODERS}
    others = runs(peers(options.peer), sentences) if options.peer else {}
    show_compared({**others, **own}, options.rounds, len(sentences), "sentence")


if __name__ == "__main__":
    main()
