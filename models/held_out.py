"""What no recipe learns from: rows that share a sentence with a test set.

    STSb test, SICK test, STS3k-dev, MNLI matched
    MRPC test, as far as STSb's training and development parts hold it: their rows of MSRpar that
    MRPC's training set lacks

Each recipe that learns or chooses from rated or labelled pairs asks :func:`usable`. The sets that
are held out altogether (``../shared/data/README.md``) are not at hand. Of texts without rating or
label, which teach the parser and the 8-bit scales, nothing is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from hybridsem._typing import IntArray, SentencePairs
from hybridsem.datasets.labelled_pairs import labelled_set
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.splits import unshared
from hybridsem.tables import read_pairs

__all__ = ["test_sets", "usable"]

RATED = {
    "STSb test": "sts/stsb-en-test.csv",
    "SICK test": "sts/SICK_test_annotated.txt",
    "STS3k-dev": "sts3k-dev/Data-experiment/STS3k_all.txt",
}
LABELLED = {"MNLI matched": ("mnli", "everyday/mnli-matched.tsv")}
MRPC_TRAIN = "everyday/mrpc-train.tsv"
MSRPAR = {
    "sts/stsb-en-train.csv": slice(2450, 3450),
    "sts/stsb-en-dev.csv": slice(1000, 1250),
}
"""The rows of STSb that are from MRPC."""


@cache
def test_sets(data: Path) -> Mapping[str, SentencePairs]:
    """The pairs of each test set; ``data`` is the folder that holds ``sts/`` and so on."""
    found = {name: _rated(data / file) for name, file in RATED.items()}
    found |= {name: _labelled(set_, data / file) for name, (set_, file) in LABELLED.items()}
    copied = [pair for file, rows in MSRPAR.items() for pair in _rated(data / file)[rows]]
    unknown = unshared(copied, [_labelled("mrpc", data / MRPC_TRAIN)])
    return found | {"MRPC test": [copied[row] for row in unknown]}


def usable(name: str, pairs: SentencePairs, data: Path) -> IntArray:
    """The rows of a set that share no sentence with a test set, (m,); between SICK's own parts,
    which share their sentences by design, only a whole pair counts.
    """
    tests = dict(test_sets(data))
    by_pair = [tests.pop("SICK test")] if name.startswith("SICK") else []
    return np.asarray(unshared(pairs, tests.values(), by_pair=by_pair))


def _rated(file: Path) -> SentencePairs:
    delimiter = ";" if file.name.startswith("STS3k") else None
    return [(pair.text1, pair.text2) for pair in read_pairs(file, delimiter=delimiter)]


def _labelled(name: str, file: Path) -> SentencePairs:
    return labelled_set(name)(file, Settings()).pairs
