"""Sentence analogies: the data made, the models beside each other, and the speed at the paper's
size.

    python -m benchmarks.analogies build [--data DIR]               data, by seed 0
    python -m benchmarks.analogies models [--models embedded …]     cards and tables
    python -m benchmarks.analogies speed                            Table 3's sizes, random vectors
    python -m benchmarks.analogies memory [--pairs 4000]            pairs with own distractors

Whole cards, with the answers to single questions, go to runs/analogies/; what is committed are
cards without them.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora.analogies import build
from benchmarks.corpora.sources import (
    read_entailments,
    read_sentences,
    read_word_pairs,
)
from hybridsem import Pipeline
from hybridsem.datasets.analogies import DISTRACTORS, Category, Pair, write
from hybridsem.documents import sentences_of
from hybridsem.evaluation import (
    Card,
    EvaluatedModel,
    Settings,
    evaluate,
    evaluated_model,
    load_card,
)
from hybridsem.evaluation.analogies.geometry import among_all, among_own
from hybridsem.evaluation.analogies.task import _counts, accuracies
from hybridsem.evaluation.card import figure
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.report.plots import plot, save
from hybridsem.evaluation.report.tables import LAYOUTS
from hybridsem.tables import open_pairs
from hybridsem.tables.records import records

ROOT = Path(__file__).parents[1]
RUNS, RESULTS = ROOT / "runs" / "analogies", Path(__file__).parent / "results" / "analogies"
FILE = RUNS / "analogies.jsonl"

WORDS, NLI = "analogies/questions-words.txt", "analogies/snli-dev.tsv"
SENTENCES = (
    NLI,
    "ud-ewt/train.conllu",
    "sts/stsb-en-train.csv",
    "sts/stsb-en-dev.csv",
    "sts12/MSRpar.tsv",
    "sts12/SMTnews.tsv",
    "paws/paws-wiki-dev.tsv",
    "setops/wikisplit-validation.tsv",
    "setops/cnndm-fusion.tsv",
)
DOCUMENTS = (
    "sage/cnn_dailymail-300.jsonl",
    "sage/paul_graham_essays.csv",
    "sage/billsum-100.jsonl",
)
EXAMPLES, OPPOSITES = "propbank-ewt/frame-examples.jsonl", "analogies/opposites_sent_pairs.csv"
"""Captions hardly report, and have few auxiliaries; the other texts are for these."""
GLOVE = "glove:{}/words/glove.6B.50d.first9k.txt"
MINI = "transformer:sentence-transformers/all-MiniLM-L6-v2"

# Rows of the table, and the parts of each pipeline; {} is the folder of the data. The best k of the
# transform is seen on these data, as in the paper.
MODELS: dict[str, dict[str, str]] = {
    "mean, GloVe-9k": {"model": "mean", "vectors": GLOVE},
    **{f"dct-{k}, GloVe-9k": {"model": f"dct:k={k}", "vectors": GLOVE} for k in range(7)},
    "power-means, GloVe-9k": {"model": "power-means", "vectors": GLOVE},
    "mean": {"model": "mean"},
    **{f"dct-{k}": {"model": f"dct:k={k}"} for k in range(7)},
    "power-means": {"model": "power-means"},
    "embedded": {"model": "embedded"},
    "role-encoder": {"model": "role-encoder"},
    "MiniLM, mean": {"model": f"{MINI},pooling=mean"},
    "MiniLM, cls": {"model": f"{MINI},pooling=cls"},
    **{
        f"MiniLM, layer {layer}": {"model": f"{MINI},pooling=mean,layers={layer}"}
        for layer in (0, 2, 4)
    },
    "MiniLM, all layers": {"model": f"{MINI},pooling=mean,layers=all"},
    "mpnet, mean": {"model": "sbert-mpnet"},
    "verbnet-cn, role slots": {"model": "verbnet-cn"},
    "role-slots": {"model": "role-slots"},
}
JOINED = {"verbnet-cn + embedded": "verbnet-cn", "role-slots + embedded": "role-slots"}
SHOWN = tuple(f"{group}, micro" for group in ("lexical", "semantic", "syntactic", "relational"))
TESTED = 5_000
"""Resamples of the comparison: with fewer nothing can be told apart in a hundred tests."""
SIZES = (138, 928, 150, 402, 126, 205, 512, 466, 513, 451)
"""Of the ten lexical categories, in the paper's Table 3: 1,032,106 questions."""


class Joined(EvaluatedModel):
    """Role slots and the sentence vector, one after the other, each of length 1."""

    offers = frozenset({"vectors"})

    def __init__(self, name: str) -> None:
        self.name, self.parts = name, [evaluated_model(JOINED[name]), evaluated_model("embedded")]

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "kind": "joined", "parts": [part.name for part in self.parts]}

    def vectors(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        found = [part.vectors(texts) for part in self.parts]
        return np.hstack(
            [
                rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
                for rows in found
            ]
        )


def make(data: Path, seed: int) -> None:
    """The categories from the shared files, said where there are fewer pairs than asked for."""
    began = time.process_time()
    split = RUNS / "sentences.txt"
    texts = (row["text"] for name in DOCUMENTS for _, row in records(data / name))
    lines = [" ".join(one.split()) for text in texts for one in sentences_of(text)]
    lines += [" ".join(row["tokens"]) for _, row in records(data / EXAMPLES)]
    lines += [
        pair.text1 for pair in open_pairs(data / OPPOSITES, columns=("1", "2"))
    ]  # the other is no found sentence
    split.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sentences = read_sentences([*(data / name for name in SENTENCES), split])
    built = build(
        read_word_pairs(data / WORDS),
        sentences,
        read_entailments(data / NLI),
        seed=seed,
        progress=True,
    )
    print(
        f"{write(FILE, built.analogies)} pairs in {FILE}, {time.process_time() - began:.0f} s "
        "of processor time"
    )
    for category in built.analogies.categories:
        asked = f" of {built.short[category.name][1]}" if category.name in built.short else ""
        print(f"  {category.group:<11} {category.name:<22} {len(category.pairs)}{asked}")


def card_file(folder: Path, name: str) -> Path:
    return folder / f"{name.lower().replace(', ', '.').replace(' + ', '.').replace(' ', '-')}.json"


def models(data: Path, chosen: Sequence[str], resamples: int) -> None:
    for name in chosen:
        began = time.perf_counter()
        if name in JOINED:
            tested: EvaluatedModel = Joined(name)
        else:
            tested = evaluated_model(
                Pipeline(**{part: value.format(data) for part, value in MODELS[name].items()})
            )
        card = evaluate("analogies", tested, FILE, name=name, resamples=resamples)
        about = {
            key: value.replace(f"{data}/", "") if isinstance(value, str) else value
            for key, value in card.model.items()
        }
        card = replace(card, model=about | {"name": name})
        card.save(card_file(RUNS, name))
        replace(card, columns={}, groups={}).save(card_file(RESULTS, name))
        figures = "  ".join(
            f"{group} {one.value:.3f}"
            for group in SHOWN
            if (one := card.headline[group]).value is not None
        )
        print(f"{name:<24} {figures}  {time.perf_counter() - began:.1f} s", flush=True)
    tables()


def tables() -> None:
    """The guide's tables and picture, from the cards of all models that have been run."""
    cards: list[Card] = [
        load_card(file) for name in (*MODELS, *JOINED) if (file := card_file(RUNS, name)).is_file()
    ]
    table = LAYOUTS["markdown"](compare(cards, groups=SHOWN, resamples=TESTED), False)
    kinds = ["answer", "negation", "deletion", "masking", "span", "reordering"]
    lines = ["| relational | 3CosAdd | tied | " + " | ".join(kinds) + " |", "| --- " * 9 + "|"]
    for card in cards:
        found = card.scores["relational"]
        row = [
            figure(replace(found[one], low=None)).removeprefix("0") if one in found else "–"
            for one in (card.task["headline"], "tied", *kinds)
        ]
        lines.append(f"| {card.name} | " + " | ".join(row) + " |")
    (RESULTS / "comparison.md").write_text(table + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    print((RESULTS / "comparison.md").read_text(encoding="utf-8"))
    named = [card for card in cards if "dct" not in card.name and "layer " not in card.name]
    save(plot(named, "heat"), ROOT / "docs" / "analogies-heat.svg")


def speed(dimensions: int) -> None:
    """All four methods over the ten lexical categories, from vectors that are there."""
    random = np.random.default_rng(0)
    total, questions = 0.0, 0
    for pairs in sorted(SIZES, reverse=True):
        vectors = random.normal(size=(2 * pairs, dimensions)).astype(np.float32)
        began, busy = time.perf_counter(), time.process_time()
        among_all(vectors, np.arange(pairs), np.arange(pairs, 2 * pairs))
        taken, busy = time.perf_counter() - began, time.process_time() - busy
        total, questions = total + taken, questions + pairs * (pairs - 1) // 2
        print(
            f"{pairs:>4} pairs, {pairs * (pairs - 1) // 2:>7,} questions: {taken:.2f} s, "
            f"{busy:.2f} s of processor time"
        )
    print(f"all {questions:,} questions: {total:.1f} s; {peak():.2f} GB at most")


def memory(pairs: int, dimensions: int, resamples: int) -> None:
    """A category of pairs with all kinds of distractors, from random vectors, with intervals."""
    random = np.random.default_rng(0)
    vectors = random.normal(size=((2 + len(DISTRACTORS)) * pairs, dimensions)).astype(np.float32)
    a, b, *own = np.arange(len(vectors)).reshape(-1, pairs)
    began, busy = time.perf_counter(), time.process_time()
    given = _counts(among_own(vectors, a, b, dict(zip(DISTRACTORS, own, strict=True))))
    print(
        f"answered: {time.process_time() - busy:.0f} s of processor time, {peak():.2f} GB at most"
    )
    category = Category("random", "syntactic", tuple(Pair(str(k), f"{k}b") for k in range(pairs)))
    found = accuracies([category], [given], Settings(resamples=resamples))["random"]["3CosAdd"]
    print(
        f"{pairs:,} pairs, {pairs * (pairs - 1) // 2:,} questions, {resamples} resamples: "
        f"{time.perf_counter() - began:.0f} s, {time.process_time() - busy:.0f} s of processor "
        f"time, {peak():.2f} GB at most; 3CosAdd {found.value:.4f} [{found.low:.4f}, "
        f"{found.high:.4f}]"
    )


def peak() -> float:
    """The most memory that was used, GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description="Sentence analogies.")
    parser.add_argument("what", choices=["build", "models", "tables", "speed", "memory"])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--models", nargs="*", default=[*MODELS, *JOINED], help="rows")
    parser.add_argument("--resamples", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--pairs", type=int, help="memory: in all")
    options = parser.parse_args()
    for folder in (RUNS, RESULTS):
        folder.mkdir(parents=True, exist_ok=True)
    if options.what == "build":
        make(options.data, options.seed)
    elif options.what == "models":
        models(options.data, options.models, options.resamples)
    elif options.what == "tables":
        tables()
    elif options.what == "memory":
        memory(options.pairs or 4_000, options.dimensions, options.resamples)
    else:
        speed(options.dimensions)


if __name__ == "__main__":
    main()
