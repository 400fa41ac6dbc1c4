"""The cosine opened by words: how exact the split is, and what it adds to the time of ``explain``.

    python -m benchmarks.explain --data ../shared/data [--models hybrid embedded] [--rounds 5]

Over the pairs of STSb dev: the largest difference between the sum of a cosine's parts and the line
that they open, and the time of explanations without and with them, side by side. ``explain`` of all
pairs has a new pipeline each time, so that nothing is cached; pair by pair it is warm.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.timing import show_compared
from hybridsem import Pipeline
from hybridsem.explanations import Explanation, Term
from hybridsem.tables import read_pairs

Pairs = list[tuple[str, str]]


def error(explanation: Explanation) -> float:
    """Return how far the parts of the cosine are from the line that they open."""
    (line,) = (match for match in explanation.matches if match.term == Term.SENTENCE)
    if explanation.cosine_parts is None:
        raise SystemExit("the encoder of this model cannot be split")
    return abs(explanation.cosine_parts.cosine - line.similarity)


def warm(model: str) -> Pipeline:
    """Return a new pipeline whose weights are read."""
    nlp = Pipeline(model)
    nlp.explain("The weights are read.", "Nothing else is cached.")
    return nlp


def one_by_one(nlp: Pipeline, pairs: Pairs, words: bool) -> None:
    """Explain pair by pair."""
    for pair in pairs:
        nlp.explain(*pair, words=words)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="The cosine opened by words: error and time.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--models", nargs="+", default=["hybrid", "embedded"])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    rows = read_pairs(options.data / "sts/stsb-en-dev.csv")
    pairs = [(row.text1, row.text2) for row in rows]
    for model in options.models:
        nlp = warm(model)
        errors = [error(explanation) for explanation in nlp.explain(pairs)]
        print(f"{model}: STSb dev, {len(pairs)} pairs; largest error {max(errors):.1e}")

        def prepared(words: bool, model: str = model) -> Callable[[], object]:
            return partial(warm(model).explain, pairs, words=words)

        names = {False: "explain", True: "explain with words"}
        together = {f"{name}, all pairs": partial(prepared, on) for on, name in names.items()}
        show_compared(together, options.rounds, len(pairs), "pair")
        alone = {
            f"{name}, a pair": lambda on=on: partial(one_by_one, nlp, pairs, on)  # noqa: B023
            for on, name in names.items()
        }
        show_compared(alone, options.rounds, len(pairs), "pair")


if __name__ == "__main__":
    main()
