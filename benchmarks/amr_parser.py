"""How well the embedded AMR agrees with gold graphs and with another parser's, relation by
relation, and what it costs.

    python -m benchmarks.amr_parser [--data DIR] [--relations N]

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

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import smatch

from benchmarks.command import DATA, run
from benchmarks.role_agreement import Agreement
from benchmarks.timing import each, show_compared
from hybridsem._typing import AnyArray
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
    found = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        if sentence := re.search(r"^# ::snt (.*)$", block, re.MULTILINE):
            found.append((sentence[1], without_remarks(block)))
    return found


def without_remarks(graph: str) -> str:
    return re.sub(r"^#.*\n", "", graph, flags=re.MULTILINE)


def parsed(path: Path) -> list[Pair]:
    """The distinct sentences of the release's JSON, in its order, with their graphs."""
    found: dict[str, str] = {}
    for first, second, *graphs in json.loads(path.read_text(encoding="utf-8")).values():
        for sentence, graph in zip((first, second), graphs, strict=True):
            found.setdefault(sentence, without_remarks(graph))
    return list(found.items())


def triples(notation: str, prefix: str) -> tuple[Any, Any, Any]:
    graph = smatch.amr.AMR.parse_AMR_line(" ".join(notation.split()))
    graph.rename_node(prefix)
    found: tuple[Any, Any, Any] = graph.get_triples()
    return found


Counts = tuple[int, int, int]
"""Triples that match, ours and theirs."""


def compare(ours: str, theirs: str) -> Iterator[tuple[str, Counts]]:
    """Yield what two graphs share under Smatch's best mapping, by kind of triple."""
    mine, other = triples(ours, "a"), triples(theirs, "b")
    random.seed(0)
    smatch.match_triple_dict.clear()
    mapping, _ = smatch.get_best_match(*mine, *other, "a", "b")
    smatch.match_triple_dict.clear()
    to = {f"a{i}": f"b{j}" for i, j in enumerate(mapping) if j >= 0}
    wanted = {(role, a, b) for kind in other for role, a, b in kind}
    for kind in mine:
        for role, a, b in kind:
            target = to.get(b, "") if kind is mine[2] else b
            yield role, (int((role, to.get(a), target) in wanted), 1, 0)
    for kind in other:
        yield from ((role, (0, 0, 1)) for role, *_ in kind)


def measure(parser: EmbeddedAmr, pairs: list[Pair]) -> dict[str, Agreement]:
    """Return the agreement of all triples, then of each relation; concepts are ``instance``."""
    smatch.iteration_num = RESTARTS
    counts: defaultdict[str, AnyArray] = defaultdict(lambda: np.zeros(3, int))
    graphs = parser.graphs([sentence for sentence, _ in pairs])
    for graph, (_, theirs) in zip(graphs, pairs, strict=True):
        if isinstance(graph, AmrGraph):
            for role, more in compare(graph.to_penman(metadata=False, indent=None), theirs):
                counts[role] += more
                counts["Smatch"] += more
    found = {name: Agreement(*rows.tolist()) for name, rows in counts.items()}
    return dict(sorted(found.items(), key=lambda one: -one[1].gold))


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


def main(data: Path = DATA, relations: Annotated[int, "how many relations to list"] = 24) -> None:
    folder = data / "amr"
    train = gold(folder / "little-prince-v3.0-train.txt")
    dev = gold(folder / "little-prince-v3.0-dev.txt")
    seen = {sentence for sentence, _ in train}
    captions = parsed(folder / "STSb_captions_test_AMR_parse.json")
    half = len(captions) // 2
    sets = {
        "Little Prince dev": dev,
        "Little Prince dev, without sentences of train": [p for p in dev if p[0] not in seen],
        "Bio dev": gold(folder / "bio-dev.txt"),
        "STSb captions against SPRING": captions,
        "STSb captions, first half (looked at)": captions[:half],
        "STSb captions, second half": captions[half:],
        "Little Prince train (counted on)": train,
    }
    embedded = EmbeddedAmr(EmbeddedTrees())
    for title, pairs in sets.items():
        print(f"\n{title}: {len(pairs)} sentences\n{'':14}{'P':>6}{'R':>6}{'F':>6}{'n':>7}")
        for name, found in list(measure(embedded, pairs).items())[: 1 + relations]:
            shares = (found.precision or 0, found.recall or 0, found.f1 or 0)
            print(f"{name:14}{''.join(f'{one:6.3f}' for one in shares)}{found.gold:7}")
    cost([sentence for sentence, _ in captions])


if __name__ == "__main__":
    run(main)
