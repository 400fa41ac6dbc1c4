"""Splits of pairs into (training rows, test rows): k-fold, grouped by sentence, adversarial.

``grouped`` is the default for figures: pairs that share a sentence, directly or through others, are
not divided. Otherwise a regressor could see half of a test pair during training.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from hybridsem._typing import IntArray, SentencePairs
from hybridsem.errors import InputError, UnknownNameError

Fold = tuple[IntArray, IntArray]
_WORDS = re.compile(r"\w+")
SPLITS = ("grouped", "kfold", "adversarial")


def split(
    name: str,
    pairs: SentencePairs,
    *,
    folds: int = 10,
    seed: int = 0,
    sides: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
) -> list[Fold]:
    """Return the folds of a split: ``grouped``, ``kfold``, or ``adversarial`` with its two
    ``sides``.

    >>> pairs = [("It rains.", "It pours."), ("It rains.", "We left."), ("He reads.", "He eats.")]
    >>> for train, test in split("grouped", pairs, folds=2):
    ...     print(sorted(train.tolist()), sorted(test.tolist()))
    [2] [0, 1]
    [0, 1] [2]
    """
    if name not in SPLITS:
        raise UnknownNameError("split", name, SPLITS)
    if name == "grouped":
        return grouped(pairs, folds, seed)
    if name == "kfold":
        return kfold(len(pairs), folds, seed)
    if sides is None:
        why = "the adversarial split needs the folder of the STS3k release, or the rows"
        raise InputError(f"{why} to train and to test on")
    return adversarial(len(pairs), *sides)


def kfold(rows: int, folds: int = 10, seed: int = 0) -> list[Fold]:
    """Return random folds that test each row once."""
    _check_folds(folds, rows, "pairs")
    fold_of = np.empty(rows, np.int64)
    fold_of[np.random.default_rng(seed).permutation(rows)] = np.arange(rows) % folds
    return _folds(fold_of, folds)


def grouped(pairs: SentencePairs, folds: int = 10, seed: int = 0) -> list[Fold]:
    """Return folds that share no sentence; large components are dealt first."""
    groups = components(pairs)
    sizes = np.bincount(groups) if len(groups) else np.empty(0, np.int64)
    _check_folds(folds, len(sizes), "groups of pairs that share no sentence")
    generator = np.random.default_rng(seed)
    order = generator.permutation(len(sizes))
    order = order[np.argsort(-sizes[order], kind="stable")]
    filled, fold_of_group = np.zeros(folds, np.int64), np.empty(len(sizes), np.int64)
    for group in order:
        fold = int(filled.argmin())
        fold_of_group[group] = fold
        filled[fold] += sizes[group]
    return _folds(fold_of_group[groups], folds)


def adversarial(rows: int, train: npt.ArrayLike, test: npt.ArrayLike) -> list[Fold]:
    """Return one fold of given training and test rows, such as those of STS3k.

    >>> ((train, test),) = adversarial(4, [0, 1, 2], [3])
    >>> train.tolist(), test.tolist()
    ([0, 1, 2], [3])
    """
    sides = []
    for side in (train, test):
        chosen = np.unique(np.asarray(side, np.int64))
        if not len(chosen) or chosen[0] < 0 or chosen[-1] >= rows:
            given = chosen[[0, -1][: len(chosen)]]
            raise InputError(f"the sides of a split hold rows from 0 to {rows - 1}, got {given}")
        sides.append(chosen)
    if len(both := np.intersect1d(sides[0], sides[1])):
        raise InputError(f"row {both[0]} is on both sides of the split")
    return [(sides[0], sides[1])]


def components(pairs: SentencePairs) -> IntArray:
    """Return the number of each pair's component, (n,): pairs that share a sentence are connected.

    >>> components([("a", "b"), ("c", "d"), ("b", "e")]).tolist()
    [0, 1, 0]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not pairs:
        return np.empty(0, np.int64)
    number: dict[str, int] = {}
    texts = ([plain(text) for text in pair] for pair in pairs)
    ends = np.array([[number.setdefault(text, len(number)) for text in pair] for pair in texts])
    size = len(number)
    edges = coo_array((np.ones(len(ends)), ends.T), shape=(size, size))
    _, label = connected_components(edges, directed=False)
    _, first, numbered = np.unique(label[ends[:, 0]], return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # components are numbered in the order of the pairs
    return np.asarray(rank[numbered], np.int64)


def plain(text: str) -> str:
    """Return a text without differences of case and white space."""
    return " ".join(text.split()).casefold()


def words_of(text: str) -> str:
    """Return a text without case, white space and punctuation; as it is if it has nothing else.

    >>> words_of("A man's dog, *barking*.")
    'a man s dog barking'
    """
    return " ".join(_WORDS.findall(text.casefold())) or plain(text)


def unshared(
    pairs: SentencePairs, tests: Iterable[SentencePairs], *, by_pair: Iterable[SentencePairs] = ()
) -> IntArray:
    """Return the rows of pairs that share no sentence with a test set, (m,). Of the sets
    ``by_pair`` only a whole pair counts: SICK's parts share their sentences by design.

    >>> pairs = [("It rains.", "It pours."), ("A dog ran.", "A dog sat."), ("He ran.", "He ate.")]
    >>> unshared(pairs, [[("it rains", "We left.")]]).tolist()
    [1, 2]
    """
    sentences = {words_of(text) for test in tests for pair in test for text in pair}
    whole = {frozenset(map(words_of, pair)) for test in by_pair for pair in test}
    keys = [frozenset(map(words_of, pair)) for pair in pairs]
    return np.array([r for r, k in enumerate(keys) if not k & sentences and k not in whole], int)


def _folds(fold_of: IntArray, folds: int) -> list[Fold]:
    tested = (fold_of == fold for fold in range(folds))
    return [(np.flatnonzero(~is_tested), np.flatnonzero(is_tested)) for is_tested in tested]


def _check_folds(folds: int, units: int, what: str) -> None:
    if folds < 2:
        raise InputError(f"at least 2 folds are needed, got {folds!r}")
    if units < folds:
        fewer = "use fewer folds" if units > 1 else "use another split"
        raise InputError(f"{folds} folds need as many {what}, got {units}; {fewer}")
