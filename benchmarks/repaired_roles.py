"""How far the roles read from dependency trees agree with the hand-repaired ones of Fodor, De Deyne
& Suzuki 2024.

    python -m benchmarks.repaired_roles [--data DIR] [--json FILE]

Over raw text with the embedded parser, for the STS3k release and its pilot (a report only, nothing
is chosen on the release): for each role, precision and recall of the head word, and how often whole
phrases are the same but for articles. ``benchmarks/roles.py`` compares with PropBank.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hybridsem.parsers.adapters.precomputed import read_release
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.parsers.verbnet import rules as verbnet
from hybridsem.structures import DependencyTree, Filler, ParseFailure, Role, RoleStructure

STS3K = Path(
    "sts3k-dev",
    "Data-model",
    "Sentence Parses",
    "VerbNet Parsing",
    "full_VerbNet_pass_STS3k_all_mod.json",
)


def release(pairs: Iterable[tuple[Any, Any]], trees_of: Any) -> dict[str, Any]:
    """Agreement with hand-repaired roles, over distinct sentences."""
    gold = {s.text: s for pair in pairs for s in pair if isinstance(s, RoleStructure)}
    counts: dict[str, Counter[str]] = {role: Counter() for role in Role}
    sentences = 0
    for tree, wanted in zip(trees_of(list(gold)), gold.values(), strict=True):
        ours = verbnet.structure(tree).roles
        sentences += all(_same(ours.get(role), wanted.roles.get(role)) for role in Role)
        for role in Role:
            a, b, count = ours.get(role), wanted.roles.get(role), counts[role]
            count["ours"] += a is not None
            count["theirs"] += b is not None
            if a is not None and b is not None:
                head = tree[a.head].text.lower() if a.head is not None else a.words[-1]
                count["head"] += head in b.text.lower().replace("'s", " 's").split()
                count["phrase"] += _same(a, b)
    return {
        "sentences": len(gold),
        "all roles the same": round(sentences / len(gold), 3),
        "by role": {
            role: {
                "precision": round(c["head"] / max(1, c["ours"]), 3),
                "recall": round(c["head"] / max(1, c["theirs"]), 3),
                "phrase": round(c["phrase"] / max(1, c["theirs"]), 3),
                "n": c["theirs"],
            }
            for role, c in counts.items()
        },
    }


def _same(a: Filler | None, b: Filler | None) -> bool:
    if a is None or b is None:
        return a is b
    return set(a.words) == set(b.words)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("../shared/data"),
        help="the folder with sts and sts3k-dev",
    )
    parser.add_argument("--json", type=Path, help="write the figures to a file as well")
    options = parser.parse_args(arguments)
    data: Path = options.data
    embedded = EmbeddedTrees()

    def trees_of(sentences: Sequence[str]) -> list[DependencyTree]:
        return [tree for tree in embedded.trees(sentences) if not isinstance(tree, ParseFailure)]

    figures = {
        "pilot, raw text": release(
            read_release(
                data / "sts/full_VerbNet_pass_Fodor_pilot_2022_mod.json",
                data / "sts/Fodor_pilot_2022.txt",
            ),
            trees_of,
        ),
        "sts3k-dev, raw text": release(
            read_release(data / STS3K, data / "sts3k-dev/Data-experiment/STS3k_all.txt"), trees_of
        ),
    }
    text = json.dumps(figures, indent=1)
    print(text)
    if options.json:
        options.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
