"""What ranking and deduplication take.

    python -m benchmarks.rank --data ../shared/data [--records 100000] [--rounds 5]

100 documents are ranked for a query, read anew and remembered, all of them and the best ten. Then
distinct records are deduplicated (``benchmarks/records.py``), with and without rewording: seconds
and memory. ``benchmarks/duplicates.py`` counts what is found and what is wrongly merged.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.records import numbered_lines
from benchmarks.timing import machine, peak, show_compared, spent
from hybridsem import Pipeline
from hybridsem.tables import read_pairs

HELD = 1000
"""Sentences that are remembered."""


def rankings(data: Path, rounds: int) -> None:
    """Print the milliseconds of ranking."""
    nlp = Pipeline()
    pairs = read_pairs(data / "sts/stsb-en-train.csv")
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.text1, pair.text2)))
    query, documents = texts[0], texts[-100:]

    def prepared(top_k: int | None, held: int) -> Callable[[], object]:
        nlp.remember(held)
        rank = partial(nlp.rank, query, documents, top_k=top_k)
        if held:
            rank()
        return rank

    names = {0: "read anew", HELD: "remembered"}
    show_compared(
        {
            f"top_k={top_k}, texts {name}": partial(prepared, top_k, held)
            for held, name in names.items()
            for top_k in (None, 10)
        },
        rounds,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    print(machine("onnxruntime", "numpy"))
    rankings(options.data, options.rounds)
    texts = [record.text for record in numbered_lines(options.records)]
    for reworded in (False, True):
        seconds = spent(partial(Pipeline().deduplicate, texts, reworded=reworded))
        print(
            f"{len(texts):,} records, reworded={reworded}: {seconds.clock:.1f} s, "
            f"{seconds.processor:.1f} s of the processor, {peak():.0f} MB at most so far"
        )


if __name__ == "__main__":
    main()
