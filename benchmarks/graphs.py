"""The comparisons of AMR graphs: how often Smatch is the best one, speed, and the smatch package
beside ours.

    python -m benchmarks.graphs [--data DIR] [--pairs 2800] [--rounds 3]

Graphs are the SPRING parses of the STS3k release (840 pairs of sts3k-dev, 120 of the pilot) and of
the STSb captions (624). Speed is that of 2,800 pairs, sts3k-dev over and over, with what an
explanation needs; the package has the same triples and its own five starts. Correlations with
people's ratings are those of ``hybridsem evaluate sts -m amr-smatch --parser penman:PARSES``, role
confusion is that of ``hybridsem evaluate role-confusion``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.command import DATA, run
from benchmarks.timing import Run, each, show_compared
from hybridsem.amr import AmrGraph
from hybridsem.embeddings.words import EmbeddedWords
from hybridsem.graphs.smatch import _as_package, without_mod
from hybridsem.graphs.triples import Triples
from hybridsem.parsers.adapters.penman import read_graphs
from hybridsem.registry.named import METRICS

PARSES = "sts3k-dev/Data-model/Sentence Parses/AMR Parsing/STS3k_all_AMR_parse.json"
SETS = {
    "sts3k-dev": PARSES,
    "pilot": "amr/Fodor_pilot_2022_AMR_parse.json",
    "captions": "amr/STSb_captions_test_AMR_parse.json",
}
Pairs = list[tuple[int, int]]


def read(parses: Path) -> tuple[list[Triples], Pairs]:
    """Return the graphs of a file, two a pair, and the pairs of their indices."""
    found = [Triples.of(graph) for graph in read_graphs(parses) if isinstance(graph, AmrGraph)]
    return found, [(i, i + 1) for i in range(0, len(found), 2)]


def of_the_package(graphs: Sequence[Triples], pairs: Pairs) -> list[float]:
    """Return the F1 of every pair as the package finds it: another one in each run."""
    import smatch as package

    graphs, scores = [*map(without_mod, graphs)], []
    for i, j in pairs:
        _, matched = package.get_best_match(
            *_as_package(graphs[i], "a"), *_as_package(graphs[j], "b"), "a", "b"
        )
        package.match_triple_dict.clear()
        scores.append(2 * matched / (len(graphs[i]) + len(graphs[j])))
    return scores


def searched(graphs: Sequence[Triples], pairs: Pairs) -> dict[str, object]:
    """Return how often a search for the best mapping misses it, here and in the package."""
    words = EmbeddedWords()
    ours, proven = (
        [one.score for one in METRICS[name](words).compare(graphs, pairs)]
        for name in ("smatch", "smatch-exact")
    )
    scores = {"searched": ours, "package": of_the_package(graphs, pairs), "proven": proven}
    missed = {
        f"not the best, {name}": sum(a < b - 1e-9 for a, b in zip(values, proven, strict=True))
        for name, values in scores.items()
    }
    means = {f"mean, {name}": round(sum(v) / max(1, len(v)), 4) for name, v in scores.items()}
    return {"pairs": len(pairs), **missed, **means}


def main(data: Path = DATA, pairs: int = 2_800, rounds: int = 3) -> None:
    for name, parses in SETS.items():
        graphs, known = read(data / parses)
        print(f"{name}: {json.dumps(searched(graphs, known))}", flush=True)
    triples, known = read(data / PARSES)
    chosen = (known * (pairs // len(known) + 1))[:pairs]
    words = EmbeddedWords()
    runs: dict[str, Run] = {
        name: partial(metric(words).compare, triples, chosen) for name, metric in METRICS.items()
    }
    runs["smatch, package"] = partial(of_the_package, triples, chosen)
    show_compared(each(runs), rounds, len(chosen), "pair")


if __name__ == "__main__":
    run(main)
