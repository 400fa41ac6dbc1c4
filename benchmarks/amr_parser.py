"""How well the embedded AMR agrees with gold graphs and with another parser's, relation by
relation, and what it costs.

    python -m benchmarks.amr_parser [--data DIR] [--json FILE] [--relations N]

Smatch (Cai & Knight 2013) through the ``smatch`` package with four restarts, over all triples of a
set:

* Little Prince dev and Bio dev: gold AMR. Little Prince train is what the table of frames was
  counted on, so that its figure says how well the table fits and nothing more. Of the dev sentences
  a few short ones ("I said .") are in train as well; the figure without them is a set of its own.
* STSb captions: SPRING's graphs, which are no gold. The rules were worked out on the first half (by
  pairs). The second half is given apart, but is not quite unseen: models/amr/README.md says what
  was looked at.

The cost is that of sentences to graphs against that of sentences to VerbNet-style roles, side by
side in this run.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import smatch

from benchmarks.timing import each, show_compared
from hybridsem.amr import AmrGraph
from hybridsem.parsers.amr_rules.parser import EmbeddedAmr
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.parsers.verbnet.rules import VerbNetParser
from hybridsem.structures import ParseFailure

RESTARTS = 4
ROUNDS = 5

Pair = tuple[str, str]  # a sentence and its graph


def gold(path: Path) -> list[Pair]:
    """The graphs of a file of the AMR release."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    found = []
    for block in blocks:
        sentence = re.search(r"^# ::snt (.*)$", block, re.MULTILINE)
        if sentence:
            found.append((sentence[1], re.sub(r"^#.*\n", "", block, flags=re.MULTILINE)))
    return found


def parsed(path: Path) -> list[Pair]:
    """The distinct sentences of the release's JSON, in its order, with their graphs."""
    found: dict[str, str] = {}
    for first, second, *graphs in json.loads(path.read_text(encoding="utf-8")).values():
        for sentence, graph in zip((first, second), graphs, strict=True):
            found.setdefault(sentence, re.sub(r"^#.*\n", "", graph, flags=re.MULTILINE))
    return list(found.items())


def triples(notation: str, prefix: str) -> tuple[Any, Any, Any]:
    graph = smatch.amr.AMR.parse_AMR_line(" ".join(notation.split()))
    graph.rename_node(prefix)
    found: tuple[Any, Any, Any] = graph.get_triples()
    return found


def compare(ours: str, theirs: str, counts: dict[str, Counter[str]]) -> None:
    """Add what two graphs share under Smatch's best mapping, by kind of triple."""
    mine, other = triples(ours, "a"), triples(theirs, "b")
    random.seed(0)
    smatch.match_triple_dict.clear()
    mapping, _ = smatch.get_best_match(*mine, *other, "a", "b")
    smatch.match_triple_dict.clear()
    to = {f"a{i}": f"b{j}" for i, j in enumerate(mapping) if j >= 0}
    wanted = {(role, a, b) for kind in other for role, a, b in kind}
    for kind in mine:
        for role, a, b in kind:
            name = "concept" if role == "instance" else role
            counts["ours"][name] += 1
            target = to.get(b, "") if kind is mine[2] else b
            counts["match"][name] += (role, to.get(a), target) in wanted
    for kind in other:
        for role, *_ in kind:
            counts["theirs"]["concept" if role == "instance" else role] += 1


def f1(match: int, ours: int, theirs: int) -> dict[str, Any]:
    return {
        "P": round(match / max(1, ours), 3),
        "R": round(match / max(1, theirs), 3),
        "F": round(2 * match / max(1, ours + theirs), 3),
        "n": theirs,
    }


def measure(parser: EmbeddedAmr, pairs: list[Pair], relations: int) -> dict[str, Any]:
    smatch.iteration_num = RESTARTS
    counts = {name: Counter[str]() for name in ("ours", "theirs", "match")}
    for graph, (_, theirs) in zip(
        parser.graphs([sentence for sentence, _ in pairs]), pairs, strict=True
    ):
        if isinstance(graph, AmrGraph):
            compare(graph.to_penman(metadata=False, indent=None), theirs, counts)
    total = f1(*(counts[name].total() for name in ("match", "ours", "theirs")))
    by = {
        name: f1(counts["match"][name], counts["ours"][name], n)
        for name, n in counts["theirs"].most_common(relations)
    }
    return {"sentences": len(pairs), "smatch": total, "by relation": by}


def cost(sentences: list[str]) -> None:
    """Print the time of the graphs beside that of the roles, and of the graphs from trees."""
    trees = EmbeddedTrees()
    graphs, roles = EmbeddedAmr(trees), VerbNetParser(trees)
    given = [tree for tree in trees.trees(sentences) if not isinstance(tree, ParseFailure)]
    runs = {
        "roles": lambda: list(roles.parse(sentences)),
        "graphs": lambda: list(graphs.graphs(sentences)),
        "graphs from trees": lambda: graphs.read(given),
    }
    show_compared(each(runs), ROUNDS, len(sentences), "sentence")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=Path("../shared/data"), help="the folder with amr"
    )
    parser.add_argument("--relations", type=int, default=24, help="how many relations to list")
    parser.add_argument("--json", type=Path, help="write the figures to a file as well")
    options = parser.parse_args(arguments)
    folder: Path = options.data / "amr"
    train, dev = (
        gold(folder / "little-prince-v3.0-train.txt"),
        gold(folder / "little-prince-v3.0-dev.txt"),
    )
    seen = {sentence for sentence, _ in train}
    captions = parsed(folder / "STSb_captions_test_AMR_parse.json")
    half = len(captions) // 2
    sets = {
        "Little Prince dev": dev,
        "Little Prince dev, without sentences of train": [
            pair for pair in dev if pair[0] not in seen
        ],
        "Bio dev": gold(folder / "bio-dev.txt"),
        "STSb captions against SPRING": captions,
        "STSb captions, first half (looked at)": captions[:half],
        "STSb captions, second half": captions[half:],
        "Little Prince train (counted on)": train,
    }
    embedded = EmbeddedAmr(EmbeddedTrees())
    figures: dict[str, Any] = {}
    for name, pairs in sets.items():
        figures[name] = found = measure(embedded, pairs, options.relations)
        print(
            f"{name}: {found['sentences']} sentences, Smatch",
            *(f"{k} {found['smatch'][k]:.3f}" for k in "PRF"),
        )
    for name in ("Little Prince dev", "Bio dev", "STSb captions against SPRING"):
        print(f"\n{name}\n{'':14}{'P':>6}{'R':>6}{'F':>6}{'n':>7}")
        for relation, row in figures[name]["by relation"].items():
            print(f"{relation:14}{row['P']:6.2f}{row['R']:6.2f}{row['F']:6.2f}{row['n']:7}")
    cost([sentence for sentence, _ in captions])
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
