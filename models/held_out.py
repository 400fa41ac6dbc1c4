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
from hybridsem.datasets.splits import unshared
from models.corpora import read

TESTS = {
    "STSb test": ("rated", "sts/stsb-en-test.csv"),
    "SICK test": ("rated", "sts/SICK_test_annotated.txt"),
    "STS3k-dev": ("rated", "sts3k-dev/Data-experiment/STS3k_all.txt"),
    "MNLI matched": ("mnli", "everyday/mnli-matched.tsv"),
}
MRPC_TRAIN = "everyday/mrpc-train.tsv"
MSRPAR = {
    "sts/stsb-en-train.csv": slice(2450, 3450),
    "sts/stsb-en-dev.csv": slice(1000, 1250),
}
"""The rows of STSb that are from MRPC."""


@cache
def test_sets(data: Path) -> Mapping[str, SentencePairs]:
    """The pairs of each test set; ``data`` is the folder that holds ``sts/`` and so on."""
    found = {name: _pairs(how, data / file) for name, (how, file) in TESTS.items()}
    copied = [pair for file, rows in MSRPAR.items() for pair in _pairs("rated", data / file)[rows]]
    unknown = unshared(copied, [_pairs("mrpc", data / MRPC_TRAIN)])
    return found | {"MRPC test": [copied[row] for row in unknown]}


def usable(name: str, pairs: SentencePairs, data: Path) -> IntArray:
    """The rows of a set that share no sentence with a test set, (m,); between SICK's own parts,
    which share their sentences by design, only a whole pair counts.
    """
    tests = dict(test_sets(data))
    by_pair = [tests.pop("SICK test")] if name.startswith("SICK") else []
    return np.asarray(unshared(pairs, tests.values(), by_pair=by_pair))


def _pairs(how: str, file: Path) -> SentencePairs:
    return [item.pair for item in read(how, file)]
