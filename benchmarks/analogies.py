"""Sentence analogies: the data made, and the models beside each other.

    python -m benchmarks.analogies build [--data DIR]               data, by seed 0
    python -m benchmarks.analogies models [--models embedded …]     cards
    python -m benchmarks.analogies speed                            at the paper's size

The rows are in ``suite_models.toml``; cards go where those of ``benchmarks/suite.py`` go.
``hybridsem compare`` and ``hybridsem plot --kind heat`` show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from benchmarks.command import DATA, ROOT, run
from benchmarks.suite import TABLE, evaluated, model_of
from benchmarks.timing import machine, show
from hybridsem._utils.tables import read_table
from hybridsem.embeddings.embedded import normalised
from hybridsem.english.sentences import sentences_of
from hybridsem.evaluation import EvaluatedModel, evaluated_model
from hybridsem.evaluation.suite import QualitySet
from hybridsem.evaluation.task import task
from hybridsem.tables import open_pairs
from hybridsem.tables.records import records

FILE = ROOT / "runs" / "analogies" / "analogies.jsonl"

SOURCES = read_table(__file__)
JOINED = {"verbnet-cn + embedded": "verbnet-cn", "role-slots + embedded": "role-slots"}
ROWS = (*TABLE["analogies"], *JOINED)
CATEGORIES = (138, 928, 150, 402, 126, 205, 512, 466, 513, 451)
"""Pairs of the ten lexical categories, in Table 3 of Zhu & de Melo 2020."""


class Joined(EvaluatedModel):
    """Role slots and the sentence vector, one after the other, each of length 1."""

    offers = frozenset({"vectors"})

    def __init__(self, name: str) -> None:
        self.name, self.parts = name, [evaluated_model(JOINED[name]), evaluated_model("embedded")]

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "kind": "joined", "parts": [part.name for part in self.parts]}

    def vectors(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        return np.hstack([normalised(part.vectors(texts)) for part in self.parts])


def build(data: Path = DATA, seed: int = 0) -> None:
    """Make the categories from the shared files; say where pairs are fewer than asked for."""
    from benchmarks.corpora.analogies import main

    FILE.parent.mkdir(parents=True, exist_ok=True)
    split = FILE.with_name("sentences.txt")
    texts = (row["text"] for name in SOURCES["documents"] for _, row in records(data / name))
    lines = [" ".join(one.split()) for text in texts for one in sentences_of(text)]
    lines += [" ".join(row["tokens"]) for _, row in records(data / SOURCES["examples"])]
    lines += [
        pair.text1 for pair in open_pairs(data / SOURCES["opposites"], columns=("1", "2"))
    ]  # the other is no found sentence
    split.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sentences = [*(data / name for name in SOURCES["sentences"]), split]
    words, nli = (data / SOURCES[name] for name in ("words", "nli"))
    main(output=FILE, words=words, sentences=sentences, nli=nli, seed=seed)


def models(
    data: Path = DATA,
    models: Annotated[Sequence[str], ROWS] = ROWS,
    resamples: int = 2_000,
) -> None:
    """Evaluate the rows and write their cards."""
    sets = [QualitySet("analogies", task("analogies"), FILE, {})]
    for row in models:
        model = Joined(row) if row in JOINED else model_of(row, data)
        print(*evaluated(row, model, sets, data, resamples), sep="\n", flush=True)


def speed(size: Annotated[float, "multiplies the number of pairs"] = 1.0) -> None:
    """Time the answers to random questions of as many dimensions as the embedded encoder has."""
    from hybridsem.evaluation.analogies.geometry import among_all

    print(machine("numpy"))
    random = np.random.default_rng(0)
    for pairs in (max(3, round(pairs * size)) for pairs in sorted(CATEGORIES, reverse=True)):
        vectors = random.normal(size=(2 * pairs, 384)).astype(np.float32)
        run = partial(among_all, vectors, np.arange(pairs), np.arange(pairs, 2 * pairs))
        show(f"{pairs * (pairs - 1) // 2:,} analogies", run)


COMMANDS = {"build": build, "models": models, "speed": speed}

if __name__ == "__main__":
    run(COMMANDS)
