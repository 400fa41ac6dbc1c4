"""AMR-CN: agreement with the release's similarities and with people, and its speed over graphs that
are there already.

    python benchmarks/amr_cn.py [--data DIR] [--quick]

Three parts; each line is a Spearman correlation.

* STS3k (a report: nothing is chosen on it): from the release's SPRING parses with the released AMR
  similarities (``released``) and with people (all / non-adversarial / adversarial pairs), then with
  the embedded graphs.
* What the shipped constants were chosen on: how much a node counts per level (``decay``) and by
  what the sum is divided, on the first 1,000 pairs of SICK train and of STSb train (embedded
  graphs) and on the pilot (SPRING's). ``--quick`` leaves this out.
* Pairs a second over the SPRING graphs of STS3k and of the STSb captions, with the words' vectors
  still to be made and with those at hand. Reading the file of graphs is not counted.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from hybridsem import Pipeline
from hybridsem.combiners.base import Batch
from hybridsem.combiners.paths import PathCombiner

PARSES = Path("Data-model", "Sentence Parses", "AMR Parsing", "STS3k_all_AMR_parse.json")
RELEASED = Path("Data-model", "Sentence Similarities", "STS3k_all_AMR_similarities.txt")
MODELS = ("amr-cn", "amr-cn-depth", "amr-cn-collapsed")
Rows = list[tuple[str, str, float]]


def sentences_of(parses: Path) -> list[tuple[str, str]]:
    """The pairs as the parses have them: four of STS3k were corrected after parsing."""
    return [
        (entry[0], entry[1]) for entry in json.loads(parses.read_text(encoding="utf-8")).values()
    ]


def correlation(one: Sequence[float], two: Sequence[float]) -> float:
    return float(spearmanr(one, two).statistic)


def sts3k(folder: Path) -> None:
    pairs = sentences_of(folder / PARSES)
    lines = (folder / "Data-experiment" / "STS3k_all.txt").read_text(encoding="utf-8").splitlines()
    gold = np.array([float(line.split(";")[2]) for line in lines])
    released = np.loadtxt(folder / RELEASED)
    kinds = {"all": np.arange(len(gold))}
    for kind, name in (("non-adversarial", "non_adv"), ("adversarial", "adv_noneg")):
        kinds[kind] = np.loadtxt(
            folder / "Data-experiment" / f"STS3k_{name}_indices.txt", dtype=int
        )
    for parser, shown in ((f"penman:{folder / PARSES}", "SPRING"), ("embedded", "embedded")):
        for model, normalise in [(model, "dice") for model in MODELS] + [("amr-cn", "union")]:
            scores = Pipeline(model, parser=parser, normalise=normalise).score(pairs)
            people = " ".join(
                f"{kind} {correlation(scores[rows], gold[rows]):.3f}"
                for kind, rows in kinds.items()
            )
            print(
                f"{shown:8} {model:16} {normalise:5}  released "
                f"{correlation(scores, released):.3f}  {people}"
            )


def development(data: Path) -> dict[str, tuple[str, Rows]]:
    with (data / "sts" / "stsb-en-train.csv").open(encoding="utf-8", newline="") as stream:
        stsb = [(row[0], row[1], float(row[2])) for row in csv.reader(stream)][:1000]
    with (data / "sts" / "SICK_train.txt").open(encoding="utf-8", newline="") as stream:
        table = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        sick = [
            (row["sentence_A"], row["sentence_B"], float(row["relatedness_score"])) for row in table
        ][:1000]
    columns = [
        line.split(";")
        for line in (data / "sts" / "Fodor_pilot_2022.txt").read_text("utf-8").splitlines()
    ]
    pilot = [(row[0], row[1], float(row[2])) for row in columns if len(row) == 3]
    graphs = f"penman:{data / 'amr' / 'Fodor_pilot_2022_AMR_parse.json'}"
    return {
        "SICK train": ("embedded", sick),
        "STSb train": ("embedded", stsb),
        "pilot": (graphs, pilot),
    }


def constants(data: Path) -> None:
    decays = (1.0, 0.8, 2 / 3, 0.5, 0.35, 0.2)
    print("decay                    ", *(f"{decay:5.2f}" for decay in decays))
    for name, (parser, rows) in development(data).items():
        nlp = Pipeline("amr-cn", parser=parser)
        sentences = list(dict.fromkeys(text for row in rows for text in row[:2]))
        index = {text: i for i, text in enumerate(sentences)}
        batch = Batch(
            sentences, [(index[one], index[two]) for one, two, _ in rows], nlp.parse(sentences)
        )
        gold = [row[2] for row in rows]
        for normalise in ("dice", "union"):
            found = []
            for decay in decays:
                explained = PathCombiner("amr-cn", nlp.vectors, normalise, decay).explain(batch)
                found.append(correlation([explanation.score for explanation in explained], gold))
            print(f"{name:12} {len(rows):5} {normalise:5} ", *(f"{value:.3f}" for value in found))


def speed(data: Path) -> None:
    for name, parses in (
        ("STS3k", data / "sts3k-dev" / PARSES),
        ("STSb captions", data / "amr" / "STSb_captions_test_AMR_parse.json"),
    ):
        pairs = sentences_of(parses)
        nlp = Pipeline("amr-cn", parser=f"penman:{parses}")
        nlp.vectors.embed(["warm"])
        took = []
        for _ in range(4):
            began = time.perf_counter()
            nlp.score(pairs)
            took.append(time.perf_counter() - began)
        rates = (
            f"{len(pairs) / took[0]:.0f} pairs/s, {len(pairs) / min(took[1:]):.0f} once the "
            "words have vectors"
        )
        print(f"{name:14} {len(pairs)} pairs: {rates}")


def main() -> None:
    parser = argparse.ArgumentParser(description="AMR-CN: agreement and speed.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument(
        "--quick", action="store_true", help="without what the constants were chosen on"
    )
    options = parser.parse_args()
    sts3k(options.data / "sts3k-dev")
    if not options.quick:
        constants(options.data)
    speed(options.data)


if __name__ == "__main__":
    main()
