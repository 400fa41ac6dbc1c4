"""What is written beside made analogies: a manifest of what they depend on, and samples to read.

analogies.jsonl            the pairs
analogies.manifest.json    seed, versions, the sha256 of sources and pairs, counts by category
analogies.samples.md       some pairs of each category, for the eye
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hybridsem import __version__
from hybridsem._utils.disk import saving, sha256_of
from hybridsem.datasets.analogies import write
from hybridsem.evaluation.corpora.analogies.build import Built

SAMPLES = 50
"""How many pairs of a category are shown; the first few with their distractors."""

WITH_DISTRACTORS = 5


def save(path: Path, built: Built, sources: Mapping[str, Sequence[Path]], seed: int) -> int:
    """Write the pairs, and beside them the manifest and the samples; returns how many pairs.

    Each file appears when it is whole.

    Args:
        path: Of the pairs' file.
        built: The categories that were made.
        sources: The files that they were made from, by kind.
        seed: That they were drawn with.
    """
    count = write(path, built.analogies)
    about = {
        **manifest(built, sources, seed),
        "file": {"name": path.name, "sha256": sha256_of(path)},
    }
    for suffix, text in (
        (".manifest.json", json.dumps(about, ensure_ascii=False, indent=1) + "\n"),
        (".samples.md", samples(built, seed)),
    ):
        with saving(path.with_name(path.stem + suffix), "what is told of the analogies") as part:
            part.write_text(text, encoding="utf-8")
    return count


def manifest(built: Built, sources: Mapping[str, Sequence[Path]], seed: int) -> dict[str, Any]:
    """What the pairs depend on, and what became of what was tried."""
    inflections = {name: version(name) for name in ("lemminflect",) if name in sys.modules}
    return {
        "seed": seed,
        "versions": {"hybridsem": __version__, "numpy": version("numpy"), **inflections},
        "sources": {
            kind: [{"name": one.name, "sha256": sha256_of(one)} for one in some]
            for kind, some in sources.items()
            if some
        },
        "pairs sha256": built.analogies.sha256,
        "categories": {
            name: {
                "group": tally.kind.group,
                "pairs": len(tally.pairs),
                "asked for": tally.size,
                "tried": tally.tried,
                "left out": dict(sorted(tally.left_out.items())),
            }
            for name, tally in built.tallies.items()
        },
    }


def samples(built: Built, seed: int, count: int = SAMPLES) -> str:
    """Pairs of each category as Markdown, drawn by the seed; relational ones with distractors."""
    lines = ["# Samples of made analogies", ""]
    for name, tally in built.tallies.items():
        left_out = (
            ", ".join(f"{number} {why}" for why, number in sorted(tally.left_out.items())) or "none"
        )
        lines += [
            f"## {name}",
            "",
            f"{len(tally.pairs)} pairs of {tally.size} asked for; left out: {left_out}.",
            "",
        ]
        drawn = random.Random(f"{seed} {name}").sample(tally.pairs, min(count, len(tally.pairs)))
        for place, pair in enumerate(drawn):
            lines.append(f"- {pair.a} → {pair.b}")
            if place < WITH_DISTRACTORS:
                lines += [f"  - {kind}: {text}" for kind, text in pair.distractors.items()]
        lines.append("")
    return "\n".join(lines)
