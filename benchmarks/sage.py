"""SAGE: figures beside the paper's, and speed.

python benchmarks/sage.py perturb                                    1,000 articles changed in eighteen ways, seconds
python benchmarks/sage.py levenshtein                                documents of 5,000 words, milliseconds a pair
python benchmarks/sage.py changes [--models rouge …] [--sample N]    robustness and sensitivity; cards in runs/sage/
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hybridsem.evaluation import Card, evaluate
from hybridsem.perturbations import PERTURBATIONS, RETRIEVAL
from hybridsem.strings import METRICS

ROOT = Path(__file__).parents[1]
RUNS = ROOT / "runs" / "sage"
MODELS = ("levenshtein", "jaccard", "rouge", "bm25", "embedded", "verbnet-cn", "hybrid")
ARTICLES, BILLS, ESSAYS = "cnn_dailymail-300.jsonl", "billsum-100.jsonl", "paul_graham_essays.csv"
CHANGES = (("sage-robustness", ARTICLES), ("sage-robustness", BILLS), ("sage-sensitivity", ESSAYS))
PAPER = {
    ("sage-robustness", ARTICLES, "score"): {"levenshtein": 0.333},
    ("sage-sensitivity", ESSAYS, "insertion"): {"rouge": 0.881, "levenshtein": 0.844, "jaccard": 0.963},
    ("sage-sensitivity", ESSAYS, "removal"): {"rouge": 0.868, "levenshtein": 0.865, "jaccard": 0.864},
}
"""The paper's figures that are known here."""


def perturb(options: argparse.Namespace) -> None:
    lines = (options.data / ARTICLES).read_text(encoding="utf-8").splitlines()
    articles = [json.loads(line)["text"] for line in lines]
    texts = [f"{article} {number}" for number in range(4) for article in articles][:1000]
    words = np.mean([len(text.split()) for text in texts])
    total = busy = 0.0
    for change in RETRIEVAL:
        began, began_busy = time.perf_counter(), time.process_time()
        for text in texts:
            change(text)
        seconds, own = time.perf_counter() - began, time.process_time() - began_busy
        total, busy = total + seconds, busy + own
        print(f"{change.name:<20} {seconds:6.2f} s")
    print(
        f"{len(texts)} documents of {words:.0f} words, {len(RETRIEVAL)} ways: {total:.1f} s ({busy:.1f} s of processor)"
    )


def levenshtein(options: argparse.Namespace) -> None:
    article = " ".join(json.loads(line)["text"] for line in (options.data / ARTICLES).read_text("utf-8").splitlines())
    words = article.split()
    texts = [" ".join(words[at : at + 5000]) for at in range(0, 100_000, 5000)]
    texts += [PERTURBATIONS["word-shuffle"](text) for text in texts]
    metric = METRICS["levenshtein"](texts)
    half = np.arange(len(texts) // 2)
    for name, others in (("shuffled", half + len(half)), ("another", np.roll(half, 1))):
        began = time.perf_counter()
        found = metric.pairs(half, others)
        each = (time.perf_counter() - began) / len(half)
        print(f"5,000 words with {name:<8} {1000 * each:6.1f} ms a pair, mean similarity {found.mean():.3f}")


def changes(options: argparse.Namespace) -> None:
    RUNS.mkdir(parents=True, exist_ok=True)
    for task, file in CHANGES:
        for model in options.models:
            began = time.perf_counter()
            card = evaluate(
                task, model, options.data / file, resamples=options.resamples, sample=options.sample, progress=True
            )
            card.save(RUNS / f"{task}-{Path(file).stem}-{model}.json")
            print(f"{task} {file} {model}: {dict(card.counts)}, {time.perf_counter() - began:.0f} s")
            _print(card, task, file, model)


def _print(card: Card, task: str, file: str, model: str) -> None:
    for name, one in card.scores["all"].items():
        paper = PAPER.get((task, file, name), {}).get(model)
        beside = "" if paper is None else f"   paper {paper:.3f}, {(one.value or np.nan) - paper:+.3f}"
        print(f"    {name:<24} {one.value or np.nan:6.3f}{beside}", flush=True)


COMMANDS: dict[str, Callable[[argparse.Namespace], None]] = {
    "perturb": perturb,
    "levenshtein": levenshtein,
    "changes": changes,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="SAGE: figures and speed.")
    parser.add_argument("what", choices=list(COMMANDS))
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "sage")
    parser.add_argument("--models", nargs="*", default=list(MODELS))
    parser.add_argument("--sample", type=int, help="documents of each data set; all if not given")
    parser.add_argument("--resamples", type=int, default=1000)
    options = parser.parse_args()
    COMMANDS[options.what](options)


if __name__ == "__main__":
    main()
