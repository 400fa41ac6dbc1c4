"""The sentences that pairs are made from, the development pairs with their ratings and labels, and
which of them are kept to measure by.

Folds are of whole groups of pairs that share a sentence (``models.hybrid.data``). To measure by are
kept: half of PAWS-Wiki dev, of the given half of SugarCrepe++ and of the minimal pairs' development
part, a fifth of SICK train, and all of STSb dev, STS12 and the pilot. No sentence of these, nor of
a test set, is a source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from hybridsem.datasets.settings import Settings
from hybridsem.datasets.splits import words_of
from hybridsem.datasets.triples import HELD_OUT, minimal_pairs, packaged_minimal_pairs
from hybridsem.english.tokenise import detokenise
from hybridsem.parsers.trees.conllu import read_conllu
from models.corpora import cells, json_lines
from models.held_out import test_sets
from models.hybrid.data import Development, Task
from models.recipe import table

FOLDS = 10
MEASURED: Mapping[str, int] = table(__file__)["measured"]
"""How many of ten folds are kept to measure by."""
SOURCES: Mapping[str, int] = table(__file__)["sources"]
"""How many sentences of each are changed."""
MIN_WORDS, MAX_WORDS = 4, 32
WIKISPLIT = "setops/wikisplit-validation.tsv"


def parts(data: Development) -> dict[str, tuple[Task, Task]]:
    """What is learned from and what is measured by, of each task; no pair is in both."""
    folds = data.folds(FOLDS)
    tasks = [task for task in data.tasks if task.name in MEASURED]
    measured = {task.name: task.within(folds < MEASURED[task.name]) for task in tasks}
    free = folds >= 0
    for held in measured.values():
        free[held.rows] = False
    return {
        task.name: (task.within(free & (folds >= MEASURED[task.name])), measured[task.name])
        for task in tasks
    }


def kept(folder: Path, data: Development) -> frozenset[str]:
    """The words of all sentences that are measured by, or in a test set of ``models.held_out``."""
    held = np.concatenate([held.rows.ravel() for _, held in parts(data).values()])
    pairs = [data.pairs[row] for row in np.unique(held)]
    pairs += [pair for test in test_sets(folder).values() for pair in test]
    unseen = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": HELD_OUT}))
    pairs += [(one.sentence, one.paraphrase, one.alteration) for one in unseen.items]
    return frozenset(words_of(text) for texts in pairs for text in texts)


def sources(folder: Path, data: Development, seed: int = 0) -> list[tuple[str, str]]:
    """(where it is from, sentence), shuffled."""
    random = np.random.default_rng(seed)
    barred = set(kept(folder, data))
    chosen: list[tuple[str, str]] = []
    for name, texts in _pools(folder, data).items():
        usable = []
        for text in texts:
            key = words_of(text)
            if key not in barred and MIN_WORDS <= len(text.split()) <= MAX_WORDS:
                barred.add(key)
                usable.append(text)
        order = random.permutation(len(usable))[: SOURCES[name]]
        chosen += [(name, usable[i]) for i in order]
    return [chosen[i] for i in random.permutation(len(chosen))]


def natural(
    folder: Path, data: Development, count: int, seed: int = 0
) -> list[tuple[str, tuple[str, ...]]]:
    """Sentences that people have written about the same: (where from, sentences), ``count`` each of
    a sentence and the two that it was split into, and of a caption and what was said of it.
    """
    random = np.random.default_rng(seed)
    barred = kept(folder, data)
    found: list[tuple[str, tuple[str, ...]]] = []
    each = iter(map(detokenise, cells(folder / WIKISPLIT, 3)))
    split = [(whole, one, two) for one, two, whole in zip(each, each, each, strict=True)]
    said: dict[str, dict[str, None]] = {}
    both = iter(cells(folder / "analogies/snli-dev.tsv", 2))
    for premise, hypothesis in zip(both, both, strict=True):
        said.setdefault(premise, {})[hypothesis] = None
    captions = [(premise, *others) for premise, others in said.items()]
    for name, groups in (("wikisplit", split), ("snli", captions)):
        usable = [one for one in groups if not any(words_of(text) in barred for text in one)]
        order = random.permutation(len(usable))[:count]
        found += [(name, usable[i]) for i in order]
    return found


def _pools(folder: Path, data: Development) -> dict[str, Iterable[str]]:
    learned = {name: train for name, (train, _) in parts(data).items()}

    def of(*tasks: str) -> Iterator[str]:
        for task in tasks:
            for row in np.unique(learned[task].rows):
                yield from data.pairs[row]

    captions = [name for name in learned if name.startswith("SugarCrepe")]
    return {
        "minimal": of("minimal pairs"),
        "sugarcrepe": of(*captions),
        "paws": of("PAWS-Wiki dev"),
        "sick": of("SICK train"),
        "stsb": of("STSb train"),
        "snli": of("SNLI dev"),
        "ewt": (tree.text for tree in read_conllu(folder / "ud-ewt/train.conllu")),
        "frames": (
            detokenise(" ".join(row["tokens"]))
            for row in json_lines(folder / "propbank-ewt/frame-examples.jsonl")
        ),
        "wikisplit": map(detokenise, cells(folder / WIKISPLIT, 2)),
    }
