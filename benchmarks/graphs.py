"""The comparisons of AMR graphs: correlation with people's ratings, speed, memory, and the smatch
package beside ours.

    python benchmarks/graphs.py [--data DIR] [--json FILE]

Graphs are the SPRING parses of the STS3k release (840 pairs of sts3k-dev, 120 of the pilot) and of
the STSb captions (624). Nothing is fitted or chosen on any of them. Speed is that of 2,800 pairs,
sts3k-dev over and over, with what an explanation needs; ``package`` is the smatch package on the
same triples with its own five starts. Rematch and Smatch take turns, ROUNDS times, so that the
ratio of their shortest times does not depend on what else the machine does.

Role confusion is of the pairs that people rate at ALIKE or more, on a scale from 0 to 1: how many
foils, in which two arguments of a frame have changed places, are scored lower than their pair.
"""

from __future__ import annotations

import argparse
import json
import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import smatch as package
from scipy.stats import spearmanr

from hybridsem import Pipeline
from hybridsem.amr import AmrGraph
from hybridsem.embeddings.words import EmbeddedWords
from hybridsem.graphs.combiner import GraphMetric
from hybridsem.graphs.role_confusion import TOLERANCE, foils_of, rated_alike
from hybridsem.graphs.smatch import _as_package, without_mod
from hybridsem.graphs.triples import Triples
from hybridsem.parsers.adapters.penman import read_graphs
from hybridsem.registry.named import METRICS
from hybridsem.tables import read_pairs

STS3K = Path("sts3k-dev")
PARSES = STS3K / "Data-model/Sentence Parses/AMR Parsing/STS3k_all_AMR_parse.json"
SETS = {
    "sts3k-dev": (PARSES, STS3K / "Data-experiment/STS3k_all.txt"),
    "pilot": (Path("amr/Fodor_pilot_2022_AMR_parse.json"), Path("sts/Fodor_pilot_2022.txt")),
    "captions": (Path("amr/STSb_captions_test_AMR_parse.json"), Path("sts/STSb_captions_test.txt")),
}
GROUPS = {
    "non-adversarial": "STS3k_non_adv_indices.txt",
    "adversarial": "STS3k_adv_noneg_indices.txt",
}
RELEASED = {"smatch": "smatch", "wwlk": "WLK_Wasser"}
PAIRS = 2_800
ROUNDS = 3
ALIKE = 0.8


def scored(metric: GraphMetric, rows: Sequence[tuple[Any, ...]]) -> list[float]:
    """The scores of the two graphs at the end of each row."""
    triples = [Triples.of(graph) for row in rows for graph in row[-2:]]
    pairs = [(2 * at, 2 * at + 1) for at in range(len(rows))]
    return [found.score for found in metric.compare(triples, pairs)]


def read(parses: Path) -> tuple[list[AmrGraph], list[tuple[int, int]]]:
    """The graphs of a file, two a pair, and the pairs of their indices."""
    graphs = [graph for graph in read_graphs(parses) if isinstance(graph, AmrGraph)]
    return graphs, [(i, i + 1) for i in range(0, len(graphs), 2)]


def numbers(path: Path) -> list[float]:
    return [float(line) for line in path.read_text(encoding="utf-8").split()]


def of_the_package(graphs: list[Triples], pairs: list[tuple[int, int]]) -> list[float]:
    """The F1 of every pair as the package finds it: another one in each run."""
    graphs, found = [*map(without_mod, graphs)], []
    for i, j in pairs:
        _, matched = package.get_best_match(
            *_as_package(graphs[i], "a"), *_as_package(graphs[j], "b"), "a", "b"
        )
        package.match_triple_dict.clear()
        found.append(2 * matched / (len(graphs[i]) + len(graphs[j])))
    return found


def shortest(
    metrics: Sequence[GraphMetric], graphs: list[Triples], pairs: list[tuple[int, int]]
) -> list[float]:
    """Seconds of each metric, the shortest of several rounds in which they take turns."""
    rounds = []
    for _ in range(ROUNDS):
        spent = []
        for metric in metrics:
            began = time.perf_counter()
            metric.compare(graphs, pairs)
            spent.append(time.perf_counter() - began)
        rounds.append(spent)
    return [min(times) for times in zip(*rounds, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--json", type=Path, help="write the figures to a file as well")
    options = parser.parse_args()
    data: Path = options.data
    words = EmbeddedWords()
    metrics = {name: metric(words) for name, metric in METRICS.items()}
    figures: dict[str, Any] = {}

    for name, (parses, ratings) in SETS.items():
        graphs, pairs = read(data / parses)
        triples = [Triples.of(graph) for graph in graphs]
        gold = np.array([pair.gold for pair in read_pairs(data / ratings)])
        groups = {"all": np.arange(len(gold))}
        if name == "sts3k-dev":
            folder = data / STS3K / "Data-experiment"
            groups |= {
                group: np.array(numbers(folder / file), int) for group, file in GROUPS.items()
            }
        for metric, compare in metrics.items():
            scores = np.array([found.score for found in compare.compare(triples, pairs)])
            row = {
                group: round(spearmanr(scores[at], gold[at]).statistic, 3)
                for group, at in groups.items()
            }
            if name == "sts3k-dev" and metric in RELEASED:
                file = (
                    data
                    / STS3K
                    / (
                        "Data-model/Sentence "
                        f"Similarities/STS3k_all_{RELEASED[metric]}_similarities.txt"
                    )
                )
                released = numbers(file)
                row["with the released file"] = round(spearmanr(scores, released).statistic, 3)
                row["the released file's range"] = [min(released), max(released)]
            figures[f"{name}, {metric}"] = row
            first, second = ([graphs[pair[k]] for pair in pairs] for k in (0, 1))
            alike = rated_alike(first, second, gold.tolist(), ALIKE)
            foils = foils_of(alike)
            before = dict(zip([pair for pair, *_ in alike], scored(compare, alike), strict=True))
            drops = np.array([before[pair] for pair, *_ in foils]) - scored(compare, foils)
            figures[f"{name}, {metric}, role confusion"] = {
                "noticed": round(float(np.mean(drops > TOLERANCE)), 3),
                "mean drop": round(float(np.mean(drops)), 3),
                "foils": len(foils),
                "pairs": len(alike),
            }
        searched = [found.score for found in metrics["smatch"].compare(triples, pairs)]
        proven = [found.score for found in metrics["smatch-exact"].compare(triples, pairs)]
        own = of_the_package(triples, pairs)
        figures[f"{name}, Smatch"] = {
            "not the best": sum(a < b - 1e-9 for a, b in zip(searched, proven, strict=True)),
            "not the best, package": sum(a < b - 1e-9 for a, b in zip(own, proven, strict=True)),
            "pairs": len(pairs),
            "mean": [round(float(np.mean(scores)), 4) for scores in (searched, own, proven)],
        }

    graphs, pairs = read(data / PARSES)
    triples = [Triples.of(graph) for graph in graphs]
    pairs = (pairs * (PAIRS // len(pairs) + 1))[:PAIRS]
    for metric, compare in metrics.items():
        compare.compare(triples[:200], pairs[:100])  # words are encoded, modules imported
        began = time.perf_counter()
        compare.compare(triples, pairs)
        spent = time.perf_counter() - began
        figures[f"speed, {metric}"] = {
            "seconds": round(spent, 2),
            "pairs a second": round(PAIRS / spent),
        }
    smatch, rematch = shortest([metrics["smatch"], metrics["rematch"]], triples, pairs)
    figures["speed, rematch beside smatch"] = {
        "smatch, seconds": round(smatch, 2),
        "rematch, seconds": round(rematch, 2),
        "times as fast": round(smatch / rematch, 1),
    }
    began = time.perf_counter()
    of_the_package(triples, pairs)
    figures["speed, smatch, package"] = {"seconds": round(time.perf_counter() - began, 2)}

    distinct = {graph.text: graph for graph in graphs}
    texts = [(graphs[i].text, graphs[j].text) for i, j in pairs]
    nlp = Pipeline("amr-smatch", parser=distinct)
    began = time.perf_counter()
    nlp.score(texts)
    figures["speed, amr-smatch as a pipeline over given graphs"] = {
        "seconds": round(time.perf_counter() - began, 2)
    }
    peaks = []
    for times in (1, 3):
        tracemalloc.start()
        nlp.score(texts * times)
        peaks.append(round(tracemalloc.get_traced_memory()[1] / 1e6, 1))
        tracemalloc.stop()
    figures["memory, amr-smatch, MB at the most for 2,800 and 8,400 pairs"] = peaks
    text = "\n".join(f"{name}: {json.dumps(row)}" for name, row in figures.items())
    print(text)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
