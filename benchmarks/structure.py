"""The models on the benchmarks of structure: result cards; and how long the default model takes for
all benchmarks.

    python benchmarks/structure.py models [--data ../shared/data] [--models hybrid …]
    python benchmarks/structure.py time [--data ../shared/data]

``models`` writes cards without the scores of single pairs to ``benchmarks/results/``, whole ones to
``runs/structure/``. PAWS-Wiki dev, the given half of SugarCrepe++, SNLI dev and STS12 are
development data, SICK test is not; the minimal pairs are the package's own, both parts. ``time``
prints the seconds that each benchmark takes with the default model and intervals of 10,000
resamples; the goal for all of them together is ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sts import MODELS as RATED_MODELS
from sts import RESULTS, ROOT, card_file

from hybridsem import Pipeline
from hybridsem.evaluation import Card, evaluate

RUNS = ROOT / "runs" / "structure"


class Set(NamedTuple):
    """A benchmark, its data, and the folder of its cards."""

    task: str
    data: str | None
    folder: str
    options: Mapping[str, str] = {}


SETS = (
    Set("minimal-pairs", None, "minimal-pairs"),
    Set("sugarcrepe-pp", "sugarcrepe-pp", "sugarcrepe-pp"),
    Set("paws", "paws/paws-wiki-dev.tsv", "paws"),
    Set("entailment", "sts/SICK_test_annotated.txt", "entailment-sick"),
    Set("entailment", "analogies/snli-dev.tsv", "entailment-snli"),
    Set("relatedness", "sts12", "sts12"),
)
# Graphs of long sentences take long: models of AMR are on the minimal pairs alone.
SHORT = ("minimal-pairs",)
GLOVE = "glove:{}/words/glove.6B.50d.first9k.txt"
MODELS: Mapping[str, Mapping[str, str]] = {
    **{name: parts for name, parts in RATED_MODELS.items() if "SPRING" not in name},
    **{
        name: {"model": name}
        for name in (
            "role-slots",
            "amr-cn-depth",
            "amr-wlk",
            "amr-sembleu",
            "amr-rematch",
            "levenshtein",
            "jaccard",
            "rouge",
            "bm25",
            "sif",
            "power",
        )
    },
    "dct, GloVe-9k": {"model": "dct", "vectors": GLOVE},
}
# What else stands in ../shared/data, for the time of all benchmarks together.
OTHERS = (
    Set("sts3k", "sts3k-dev", "sts3k"),
    Set("stsb", "sts/stsb-en-test.csv", "stsb"),
    Set("sick", "sts/SICK_test_annotated.txt", "sick"),
)


def run(name: str, benchmark: Set, data: Path, resamples: int = 10_000) -> Card:
    """The card of a model on a benchmark, by the name of its row."""
    parts = {part: value.format(data) for part, value in MODELS[name].items()}
    file = None if benchmark.data is None else data / benchmark.data
    card = evaluate(
        benchmark.task, Pipeline(**parts), file, resamples=resamples, **benchmark.options
    )
    about = {key: str(value).replace(f"{data}/", "") for key, value in card.model.items()}
    return replace(card, model=about | {"name": name})


def models(data: Path, chosen: list[str]) -> None:
    for name in chosen:
        for benchmark in SETS:
            if name.startswith("amr") and benchmark.task not in SHORT:
                continue
            for folder in (RUNS, RESULTS):
                (folder / benchmark.folder).mkdir(parents=True, exist_ok=True)
            card = run(name, benchmark, data)
            card.save(card_file(RUNS, benchmark.folder, name))
            replace(card, columns={}, groups={}).save(card_file(RESULTS, benchmark.folder, name))
            value = next(iter(card.headline.values())).value
            said = f"{card.task['headline']} {value:.3f}  {card.cost['seconds']} s"
            print(f"{name:<24} {benchmark.folder:<16} {said}", flush=True)


def timed(data: Path) -> None:
    total = 0.0
    for benchmark in (*SETS, *OTHERS):
        began, busy = time.perf_counter(), time.process_time()
        run("hybrid", benchmark, data)
        seconds = time.perf_counter() - began
        total += seconds
        busy = time.process_time() - busy
        print(f"{benchmark.folder:<16} {seconds:6.1f} s  {busy:6.1f} s of processor", flush=True)
    print(f"{'together':<16} {total:6.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("part", choices=("models", "time"))
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--models", nargs="+", default=[*MODELS], choices=[*MODELS], metavar="ROW")
    options = parser.parse_args()
    if options.part == "models":
        models(options.data, options.models)
    else:
        timed(options.data)


if __name__ == "__main__":
    main()
