"""Do two versions of the comparison agree: scores, explanations, labels and reasons of 5,000 pairs.

    python -m benchmarks.agreement store --data ../shared/data      the outputs of this version
    python -m benchmarks.agreement compare --data ../shared/data    and against those stored

The pairs are of development data alone: those that the judge learns from and everyday pairs, drawn
with a seed. What is stored names no sentence of them.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hybridsem import Pipeline
from hybridsem.judge.labels import LABELS
from hybridsem.tables import read_pairs
from models.judge.data import LEARNED_FROM, part

STORED = Path(__file__).parent / "results" / "agreement.jsonl.gz"
SEED = 58
EVERYDAY = ("mnli-train", "lingnli-train", "mrpc-train", "qqp", "forum-questions", "rte", "help")
PER_SET = {"STSb dev": 300, "STS3k train": 300, "PAWS-Wiki dev, 1st part": 400, "SICK train": 400}
OTHERS = 282
CLOSE = 1e-6


class Outputs(NamedTuple):
    """What a pair's comparison and judgement say; ``reasons`` is a hash of their text."""

    name: str
    row: int
    score: float
    lines: list[tuple[str, float]]
    label: str
    probabilities: list[float]
    reasons: str


def pairs_of(data: Path) -> Iterator[tuple[str, int, tuple[str, str]]]:
    """Yield the pairs of each set, with their set and row."""
    rng = np.random.default_rng(SEED)
    sts3k = data / "sts3k-train/Data-experiment/STS3k_all.txt"
    sets: dict[str, list[tuple[str, str]]] = {
        "STSb dev": [(p.text1, p.text2) for p in read_pairs(data / "sts/stsb-en-dev.csv")],
        "STS3k train": [(p.text1, p.text2) for p in read_pairs(sts3k)],
    }
    sets |= {name: list(part(name, data).pairs) for name in LEARNED_FROM}
    for name in EVERYDAY:
        rows = (data / "everyday" / f"{name}.tsv").read_text(encoding="utf-8").split("\n")
        columns = rows[0].split("\t")
        at = columns.index("sentence1"), columns.index("sentence2")
        cells = (row.split("\t") for row in rows[1:] if row)
        sets[name] = [(one[at[0]], one[at[1]]) for one in cells]
    for name, pairs in sets.items():
        chosen = rng.permutation(len(pairs))[: PER_SET.get(name, OTHERS)]
        yield from ((name, row, pairs[row]) for row in sorted(chosen.tolist()))


def outputs(data: Path) -> list[Outputs]:
    """Compare and judge all pairs."""
    nlp = Pipeline()
    asked = list(pairs_of(data))
    pairs = [pair for *_, pair in asked]
    explained = nlp.explain(pairs, words=False)
    judged = nlp.judge(pairs)
    found = []
    for (name, row, _), why, made in zip(asked, explained, judged, strict=True):
        lines = [(line.term, round(line.contribution, 7)) for line in why.matches]
        reasons = hashlib.sha256("\n".join(made.reasons).encode()).hexdigest()[:12]
        shares = [round(made.probabilities.get(label, 0.0), 5) for label in LABELS]
        label = str(made.label)
        found.append(Outputs(name, row, round(why.score, 9), lines, label, shares, reasons))
    return found


def compare(before: list[Outputs], after: list[Outputs]) -> None:
    """Print how many of each set agree."""
    same: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one, two in zip(before, after, strict=True):
        assert one[:2] == two[:2], "the stored pairs are others"
        for name in (one.name, "all"):
            count = same[name]
            count["pairs"] += 1
            count["score"] += abs(one.score - two.score) <= CLOSE
            count["lines"] += [term for term, _ in one.lines] == [term for term, _ in two.lines]
            count["label"] += one.label == two.label
            best = [int(np.argmax(each.probabilities)) for each in (one, two)]
            count["most probable"] += best[0] == best[1]
            count["reasons"] += one.reasons == two.reasons
    names = ("score", "lines", "label", "most probable", "reasons")
    print("set".ljust(28), "pairs", *(name.rjust(13) for name in names))
    for name, count in same.items():
        shares = (f"{count[one] / count['pairs']:.4f}".rjust(13) for one in names)
        print(name.ljust(28), str(count["pairs"]).rjust(5), *shares)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("store", "compare"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--stored", type=Path, default=STORED)
    given = parser.parse_args(arguments)
    found = outputs(given.data)
    if given.what == "store":
        with gzip.open(given.stored, "wt", encoding="utf-8") as stream:
            stream.writelines(json.dumps(one) + "\n" for one in found)
        return
    with gzip.open(given.stored, "rt", encoding="utf-8") as stream:
        stored = [Outputs(*json.loads(line)) for line in stream]
    for at, one in enumerate(stored):
        stored[at] = one._replace(lines=[(str(term), float(added)) for term, added in one.lines])
    compare(stored, found)


if __name__ == "__main__":
    main()
