"""Sentence analogies: the data made, and the models beside each other.

    python -m benchmarks.analogies build [--data DIR]               data, by seed 0
    python -m benchmarks.analogies models [--models embedded …]     cards

Whole cards, with the answers to single questions, go to runs/analogies/; what is committed are
cards without them. ``hybridsem compare`` and ``hybridsem plot --kind heat`` show them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import spent
from hybridsem import Pipeline
from hybridsem.datasets.analogies import write
from hybridsem.english.sentences import sentences_of
from hybridsem.evaluation import EvaluatedModel, evaluate, evaluated_model
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
    from benchmarks.corpora.analogies import build
    from benchmarks.corpora.sources import read_entailments, read_sentences, read_word_pairs

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
    print(f"{write(FILE, built.analogies)} pairs in {FILE}")
    for category in built.analogies.categories:
        asked = f" of {built.short[category.name][1]}" if category.name in built.short else ""
        print(f"  {category.group:<11} {category.name:<22} {len(category.pairs)}{asked}")


def card_file(folder: Path, name: str) -> Path:
    """Return the file of a row's card."""
    return folder / f"{name.lower().replace(', ', '.').replace(' + ', '.').replace(' ', '-')}.json"


def evaluate_row(name: str, data: Path, resamples: int) -> str:
    """Write the cards of a row; return its figures."""
    if name in JOINED:
        tested: EvaluatedModel = Joined(name)
    else:
        parts = {part: value.format(data) for part, value in MODELS[name].items()}
        tested = evaluated_model(Pipeline(**parts))
    whole = evaluate("analogies", tested, FILE, name=name, resamples=resamples)
    about = {key: str(value).replace(f"{data}/", "") for key, value in whole.model.items()}
    card = replace(whole, model=about | {"name": name})
    card.save(card_file(RUNS, name))
    replace(card, columns={}, groups={}).save(card_file(RESULTS, name))
    return "  ".join(f"{group} {e.value:.3f}" for group, e in card.headline.items() if e.value)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Sentence analogies.")
    parser.add_argument("what", choices=["build", "models"])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--models", nargs="*", default=[*MODELS, *JOINED], help="rows")
    parser.add_argument("--resamples", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    for folder in (RUNS, RESULTS):
        folder.mkdir(parents=True, exist_ok=True)
    if options.what == "build":
        print(
            f"{spent(lambda: make(options.data, options.seed)).processor:.0f} s of processor time"
        )
        return
    for name in options.models:
        print(f"{name:<24} {evaluate_row(name, options.data, options.resamples)}", flush=True)


if __name__ == "__main__":
    main()
