"""The development data of the comparison, of all kinds at once, as tasks over distinct pairs.

    rated      pairs with a rating each      STSb train and dev, SICK train, STS12, STS3k's pilot
                                         and the part of STS3k for development
    labelled   pairs that mean the same (1)  PAWS-Wiki dev; SNLI dev, where a contradiction is 0
               or do not (0)                 some questions and news of everyday/
    triples    a pair of a sentence and its  SugarCrepe++ by kind, minimal pairs by phenomenon
               paraphrase, and the pairs
               with an altered sentence

A row that shares a sentence with a test set is left out (``models.held_out``), so that what is
reported on them stays unseen. Folds never part two pairs that share a
sentence: the captions of an image, the rewritings of one sentence in SICK, a premise of SNLI.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem.datasets.plain_english import PlainTriple, plain_pairs, plain_triples
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.splits import components, words_of
from hybridsem.datasets.triples import (
    DEVELOPMENT,
    Triple,
    minimal_pairs,
    packaged_minimal_pairs,
    sugarcrepe_pp,
)
from models.corpora import folds, read
from models.held_out import usable
from models.recipe import table

Pair = tuple[str, str]
Kind = Literal["rated", "labelled", "triples"]

TASKS: Mapping[str, Mapping[str, Any]] = table(__file__)["tasks"]
SUGARCREPE, CHECKED = "sugarcrepe-pp", "check"


@dataclass(frozen=True)
class Task:
    """Items of one kind.

    ``rows`` are rows of the distinct pairs: (n,) of rated and labelled pairs, (n, 2) or (n, 3) of
    triples, the paraphrase first. ``target`` is (n,), a rating or 1 and 0; empty for triples.
    ``types`` are the phenomena of triples, if there are several.
    """

    name: str
    kind: Kind
    rows: IntArray
    target: Float64Array = field(default_factory=lambda: np.empty(0))
    types: tuple[str, ...] = ()

    def within(self, pairs: IntArray) -> Task:
        """The items all of whose pairs are among these rows; ``pairs`` is (pairs,) of booleans."""
        return self.take(np.flatnonzero(pairs[self.rows].reshape(len(self.rows), -1).all(axis=1)))

    def take(self, items: IntArray) -> Task:
        """Some of the items, by their numbers."""
        target = self.target[items] if len(self.target) else self.target
        types = tuple(self.types[item] for item in items) if self.types else ()
        return replace(self, rows=self.rows[items], target=target, types=types)


@dataclass(frozen=True)
class Development:
    """Tasks, the distinct pairs that they are about, and the group of each pair, (pairs,)."""

    pairs: tuple[Pair, ...]
    tasks: tuple[Task, ...]
    groups: IntArray

    @property
    def sha256(self) -> str:
        """Of the pairs, in their order."""
        return hashlib.sha256(json.dumps(self.pairs, ensure_ascii=False).encode()).hexdigest()

    @property
    def keys(self) -> IntArray:
        """A number for each pair, whichever sentence is first, (pairs,) int64."""
        digests = (
            hashlib.blake2b(json.dumps(sorted(pair)).encode(), digest_size=8).digest()
            for pair in self.pairs
        )
        return np.array([int.from_bytes(one, "big", signed=True) for one in digests], np.int64)

    def sample(self, most: int, seed: int = 0) -> Development:
        """At most so many items of each task, drawn at random, and their pairs."""
        random = np.random.default_rng(seed)
        chosen = [
            task.take(np.sort(random.permutation(len(task.rows))[:most])) for task in self.tasks
        ]
        used = np.unique(np.concatenate([task.rows.ravel() for task in chosen]))
        place = np.full(len(self.pairs), -1)
        place[used] = np.arange(len(used))
        tasks = tuple(replace(task, rows=place[task.rows]) for task in chosen)
        groups = np.unique(self.groups[used], return_inverse=True)[1]
        return Development(tuple(self.pairs[row] for row in used), tasks, groups)

    def folds(self, count: int, seed: int = 0) -> IntArray:
        """The fold of each pair: whole groups, the largest first, each to the fold that has the
        fewest pairs of its task.
        """
        task_of = np.zeros(len(self.pairs), int)
        for number, task in enumerate(self.tasks):
            task_of[task.rows.ravel()] = number
        return folds(self.groups, count, seed, task_of)


def development(data: Path, most: int | None = None) -> Development:
    """All development sets, or at most so many items of each, drawn at random; ``data`` is the
    folder that holds ``sts/``, ``paws/`` and so on.
    """
    pairs = _Pairs(data)
    tasks = [_task(name, row, pairs) for name, row in TASKS.items() if "file" in row]
    tasks += [*_sugarcrepe(data / SUGARCREPE, pairs), _minimal_pairs(pairs), *_plain_english(pairs)]
    # What makes a group are sentences in other case or punctuation, too.
    groups = components([(words_of(one), words_of(two)) for one, two in pairs.listed])
    every = Development(tuple(pairs.listed), tuple(tasks), groups)
    return every if most is None else every.sample(most)


class _Pairs:
    """Distinct pairs in the order in which they came, whichever sentence was first."""

    def __init__(self, data: Path) -> None:
        self.listed: list[Pair] = []
        self.data = data
        self._rows: dict[frozenset[str], int] = {}

    def row(self, pair: Pair) -> int:
        """Its row, which is new if the pair is."""
        key = frozenset(pair)
        if key not in self._rows:
            self._rows[key] = len(self.listed)
            self.listed.append(pair)
        return self._rows[key]

    def items(self, name: str, items: Sequence[Sequence[Pair]]) -> list[int]:
        """The numbers of the items that share no sentence with a test set."""
        owners = [number for number, item in enumerate(items) for _ in item]
        allowed = usable(name, [pair for item in items for pair in item], self.data)
        counts = Counter(owners[row] for row in allowed.tolist())
        return [number for number, item in enumerate(items) if counts[number] == len(item)]


def _task(name: str, row: Mapping[str, Any], pairs: _Pairs) -> Task:
    """A task of a file."""
    items, same = read(row["read"], pairs.data / row["file"])[: row.get("first")], row.get("same")
    if "drawn" in row:
        order = np.random.default_rng(0).permutation(len(items))
        items = [items[i] for i in np.sort(order[: row["drawn"]])]
    if same is None:
        rated = [(item.pair, item.rating) for item in items if item.rating is not None]
        return _labelled_task(name, "rated", rated, pairs)
    labelled = [(item.pair, float(item.label in same)) for item in items]
    return _labelled_task(name, "labelled", labelled, pairs)


def _labelled_task(
    name: str, kind: Kind, found: Iterable[tuple[Pair, float]], pairs: _Pairs
) -> Task:
    every = list(found)
    kept = [every[item] for item in pairs.items(name, [[pair] for pair, _ in every])]
    rows = np.array([pairs.row(pair) for pair, _ in kept])
    return Task(name, kind, rows, np.array([target for _, target in kept]))


def _sugarcrepe(folder: Path, pairs: _Pairs) -> Iterator[Task]:
    by_kind: dict[str, list[list[Pair]]] = {}
    for kind, first, second, negative in sugarcrepe_pp(folder, Settings()).items:
        compared = [(first, second), (first, negative), (second, negative)]
        by_kind.setdefault(kind, []).append(compared)
    for kind, items in by_kind.items():
        yield _triples_task(f"SugarCrepe++ {kind}", items, pairs)


def _triples_task(
    name: str, items: Sequence[Sequence[Pair]], pairs: _Pairs, types: Sequence[str] = ()
) -> Task:
    kept = pairs.items(name, items)
    rows = [[pairs.row(pair) for pair in items[number]] for number in kept]
    own = tuple(types[number] for number in kept) if types else ()
    return Task(name, "triples", np.array(rows), types=own)


def _minimal_pairs(pairs: _Pairs) -> Task:
    data = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": DEVELOPMENT}))
    kinds = [item.kind for item in data.items]
    return _triples_task("minimal pairs", _compared(data.items), pairs, kinds)


def _compared(triples: Iterable[Triple | PlainTriple]) -> list[list[Pair]]:
    """The sentence of each with its paraphrase, and with its alteration."""
    return [[(one.sentence, one.paraphrase), (one.sentence, one.alteration)] for one in triples]


def _plain_english(pairs: _Pairs) -> Iterator[Task]:
    """The half that the pair reader does not learn from."""
    name = "plain-english"
    some, passages = (plain_pairs(w, CHECKED, disputed=False) for w in ("pairs", "passages"))
    texts = [(row.sentence1, row.sentence2) for row in some]
    rated = zip(texts, (row.similarity for row in some), strict=True)
    yield _labelled_task(name, "rated", rated, pairs)
    for title, rows in (("same", some), ("passages", passages)):
        labelled = [((row.sentence1, row.sentence2), float(row.label == "same")) for row in rows]
        yield _labelled_task(f"{name} {title}", "labelled", labelled, pairs)
    yield _triples_task(f"{name} triples", _compared(plain_triples(CHECKED)), pairs)
