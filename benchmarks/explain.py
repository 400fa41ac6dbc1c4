"""The cosine opened by words: how exact the split is, and what it adds to the time of ``explain``.

    python benchmarks/explain.py --data ../shared/data [--models hybrid embedded] [--rounds 5]

Over the pairs of STSb dev: the largest difference between the sum of a cosine's parts and the line
that they open, and the processor time of explanations with and without them, side by side in one
run. ``explain`` of all pairs is timed with a new Pipeline each time, so that nothing is cached;
``explain`` pair by pair on one that is warm. Rounds alternate and the median is kept; what counts
is the ratio.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from hybridsem import Pipeline
from hybridsem.explanations import Explanation, Term
from hybridsem.tables import read_pairs

Pairs = Sequence[tuple[str, str]]


def seconds(run: Callable[[], object]) -> float:
    """Processor time: other work on the machine does not count."""
    began = time.process_time()
    run()
    return time.process_time() - began


def error(explanation: Explanation) -> float:
    """How far the parts of the cosine are from the line that they open."""
    (line,) = (match for match in explanation.matches if match.term == Term.SENTENCE)
    if explanation.cosine_parts is None:
        raise SystemExit("the encoder of this model cannot be split")
    return abs(explanation.cosine_parts.cosine - line.similarity)


def warm(model: str) -> Pipeline:
    """A new pipeline whose weights are read."""
    nlp = Pipeline(model)
    nlp.explain("The weights are read.", "Nothing else is cached.")
    return nlp


def together(model: str, pairs: Pairs, rounds: int) -> dict[bool, float]:
    """Seconds of ``explain`` for all pairs, by whether the cosine is opened."""
    taken: dict[bool, list[float]] = {False: [], True: []}
    for round_ in range(rounds):
        for words in (False, True) if round_ % 2 else (True, False):
            taken[words].append(seconds(partial(warm(model).explain, pairs, words=words)))
    return {words: statistics.median(times) for words, times in taken.items()}


def one_by_one(nlp: Pipeline, pairs: Pairs) -> dict[bool, float]:
    """Seconds of ``explain`` for a pair, likewise."""
    taken: dict[bool, list[float]] = {False: [], True: []}
    for row, pair in enumerate(pairs):
        for words in (False, True) if row % 2 else (True, False):
            taken[words].append(seconds(partial(nlp.explain, *pair, words=words)))
    return {words: statistics.median(times) for words, times in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="The cosine opened by words: error and time.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--models", nargs="+", default=["hybrid", "embedded"])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rows = read_pairs(options.data / "sts/stsb-en-dev.csv")
    pairs = [(row.text1, row.text2) for row in rows]
    for model in options.models:
        nlp = warm(model)
        errors = [error(explanation) for explanation in nlp.explain(pairs)]
        print(f"{model}: STSb dev, {len(pairs)} pairs; largest error {max(errors):.1e}")
        for name, taken in (
            ("explain, all pairs", together(model, pairs, options.rounds)),
            ("explain, a pair", one_by_one(nlp, pairs)),
        ):
            unit, scale = ("s", 1) if taken[False] > 1 else ("ms", 1000)
            print(
                f"  {name:18}{scale * taken[False]:8.2f} {unit}   with words "
                f"{scale * taken[True]:8.2f} {unit}   x {taken[True] / taken[False]:.2f}"
            )


if __name__ == "__main__":
    main()
