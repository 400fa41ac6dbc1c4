"""How recipes read data sets: labelled and rated pairs, tables of pairs with a label, texts, JSON
lines, and folds of them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from hybridsem._typing import IntArray, Record
from hybridsem._utils.weights import weight_file
from hybridsem.datasets.labelled_pairs import inference, labelled_set, paws
from hybridsem.datasets.settings import Settings
from hybridsem.english.sentences import sentences
from hybridsem.errors import FormatError
from hybridsem.judge.labels import Label
from hybridsem.tables import read_pairs
from hybridsem.tables.records import records

SPLITS = ("dev", "test")
Row = TypeVar("Row")
Pair = tuple[str, str]


class Item(NamedTuple):
    """A pair with its label, its rating as it stands, and the kind that its set gives it."""

    pair: Pair
    label: str = ""
    rating: float | None = None
    kind: str = ""


def _rated(file: Path) -> Iterator[Item]:
    for row in read_pairs(file, delimiter=";" if file.name.startswith("STS3k") else None):
        yield Item((row.text1, row.text2), rating=row.gold)


def _labelled(read: Callable[[Path, Settings], Any], file: Path) -> Iterator[Item]:
    found = read(file, Settings())
    kinds = found.kinds or ((),) * len(found.labels)
    for pair, label, kind in zip(found.pairs, found.labels, kinds, strict=True):
        yield Item(pair, label, kind=next(iter(kind), ""))


def _sick(file: Path) -> Iterator[Item]:
    for item, rated in zip(_labelled(inference, file), _rated(file), strict=True):
        yield item._replace(rating=rated.rating)


def _plain(file: Path) -> Iterator[Item]:
    for row in table(file):
        yield Item((row["sentence1"], row["sentence2"]), row["label"])


_READERS: Mapping[str, Callable[[Path], Iterator[Item]]] = {
    "rated": _rated,
    "sick": _sick,
    "columns": _plain,
    "inference": lambda file: _labelled(inference, file),
    "paws": lambda file: _labelled(paws, file),
}


def read(how: str, file: Path) -> list[Item]:
    """Return the pairs of a file: ``rated`` (STS, STS3k), ``sick``, ``inference``, ``paws``,
    ``columns`` (as they stand under sentence1, sentence2, label), or as a set of
    ``hybridsem/datasets/labelled_sets.toml`` is read.
    """
    if how in _READERS:
        return [*_READERS[how](file)]
    return [*_labelled(labelled_set(how), file)]


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two sentences with their label, in a split of a table; ``kind`` is what sets them apart."""

    id: str
    split: str
    kind: str
    label: Label
    sentence1: str
    sentence2: str


def made_of(table: Path, make: Callable[[Record], Row]) -> Iterator[Row]:
    """Yield what ``make`` returns for each record; errors name the line."""
    for line, record in records(table):
        try:
            yield make(record)
        except (ValueError, TypeError, KeyError) as error:
            raise FormatError(str(error), table, line) from None


def table(file: Path) -> list[dict[str, str]]:
    """Return the rows of a file with tabs and a head."""
    with file.open(encoding="utf-8", newline="") as stream:
        return [*csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)]


def json_lines(file: Path) -> list[dict[str, Any]]:
    """Return the records of a file, one a line."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


def sentences_of(file: Path) -> Iterator[str]:
    """Yield the sentences of the documents of a file, the ``text`` of each row or record."""
    csv.field_size_limit(1 << 30)
    if file.suffix == ".csv":
        with file.open(encoding="utf-8", newline="") as stream:
            documents = [row["text"] for row in csv.DictReader(stream)]
    else:
        documents = [row["text"] for row in json_lines(file)]
    for text in documents:
        yield from (" ".join(text[start:end].split()) for start, end in sentences(text))


def cells(file: Path, count: int) -> list[str]:
    """Return the first columns of a file with tabs, row by row, without its head."""
    rows = file.read_text(encoding="utf-8").splitlines()[1:]
    return [text for row in rows for text in row.split("\t")[:count]]


def plain_texts(data: Path) -> dict[str, list[str]]:
    """Return the sentences of STSb train, SNLI dev and WikiSplit, in the order of the files."""
    rated = read("rated", data / "sts/stsb-en-train.csv")
    return {
        "STSb train": [text for item in rated for text in item.pair],
        "SNLI dev": cells(data / "analogies/snli-dev.tsv", 2),
        "WikiSplit": cells(data / "setops/wikisplit-validation.tsv", 3),
    }


def frequent_words() -> list[str]:
    """The words of the encoder's vocabulary, the most frequent first."""
    vocabulary = json.loads(weight_file("tokenizer.json"))["model"]["vocab"]
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    return [piece for piece in pieces if piece.isascii() and piece.isalnum()]


def folds(groups: IntArray, count: int, seed: int = 0, tasks: IntArray | None = None) -> IntArray:
    """Return the fold of each pair, (n,): whole groups, the largest first, each to the fold that
    has the fewest pairs of its task.

    Args:
        groups: The group of each pair, (n,).
        count: The number of folds.
        seed: Of the order of groups of one size.
        tasks: The task of each pair, (n,); None: all are of one.
    """
    tasks = np.zeros(len(groups), int) if tasks is None else tasks
    sizes = np.bincount(groups)
    first = np.unique(groups, return_index=True)[1]
    loads, fold_of = np.zeros((tasks.max() + 1, count), int), np.zeros(len(sizes), int)
    order = np.random.default_rng(seed).permutation(len(sizes))
    for group in order[np.argsort(-sizes[order], kind="stable")]:
        load = loads[tasks[first[group]]]
        fold_of[group] = load.argmin()
        load[fold_of[group]] += sizes[group]
    return fold_of[groups]
