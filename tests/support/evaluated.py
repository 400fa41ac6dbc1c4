"""Models that are functions of texts, and files of data, for tests of benchmarks."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from hybridsem.evaluation import Card, Measured


def part(**methods: Callable[..., Any]) -> Any:
    """An encoder, parser or whatever has those methods."""
    return SimpleNamespace(**methods)


def value(card: Card | Measured, measure: str, group: str = "all") -> float | None:
    """The value of a statistic of a card."""
    return card.scores[group][measure].value


def share(one: str, two: str) -> float:
    """The share of words that two sentences have in common."""
    words = {*one.split()}, {*two.split()}
    return len(words[0] & words[1]) / len(words[0] | words[1])


class ByPair:
    """A model with a score for each pair of texts; ``asked`` are the pairs so far."""

    def __init__(self, score: Callable[[str, str], float], name: str = "by pair") -> None:
        self.score, self.name, self.asked = score, name, list[tuple[str, str]]()

    def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.asked += pairs
        return [self.score(one, two) for one, two in pairs]


class ByText:
    """An encoder with a vector for each text; ``seen`` are the texts so far."""

    def __init__(self, vector: Callable[[str], Sequence[float]], name: str = "by text") -> None:
        self.vector, self.name, self.seen = vector, name, list[str]()

    def encode(self, sentences: Sequence[str]) -> np.ndarray[Any, Any]:
        self.seen += sentences
        return np.array([self.vector(text) for text in sentences], float)


def bags(name: str, parts_of: Callable[[str], Sequence[str]]) -> ByText:
    """An encoder of how often the parts of a text occur."""

    def vector(text: str) -> list[int]:
        hashes = (sum(ord(c) * (7 + at) for at, c in enumerate(part)) for part in parts_of(text))
        return np.bincount([number % 97 for number in hashes], minlength=97).tolist()

    return ByText(vector, name)


def written(path: Path, *lines: object) -> Path:
    """Write lines to a file, in a folder that need not be there: texts as they are, others as
    JSON.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def beir(
    folder: Path,
    documents: Mapping[str, tuple[str, str]],
    queries: Mapping[str, str],
    judgements: Iterable[tuple[str, str, int]],
    split: str = "test",
) -> Path:
    """Write a collection in BEIR's layout, of documents by id with their titles."""
    found = ({"_id": name, "title": a, "text": b} for name, (a, b) in documents.items())
    written(folder / "corpus.jsonl", *found)
    written(folder / "queries.jsonl", *({"_id": n, "text": text} for n, text in queries.items()))
    rows = ("\t".join(map(str, row)) for row in judgements)
    written(folder / f"qrels/{split}.tsv", "query-id\tcorpus-id\tscore", *rows)
    return folder
