"""Splits of rated pairs: random, k-fold, grouped by sentence, adversarial.

Each is a list of (rows to train on, rows to test on), from a seed, whatever the order of the
threads. Grouped by sentence means that no sentence stands in both sides: pairs that share a
sentence, directly or through others, form a component, and components are dealt whole. It is the
default for reporting: data sets that use a sentence in several pairs would otherwise let a
regressor see half of a test pair while it is trained.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hybridsem._typing import IntArray, SentencePairs
from hybridsem.errors import InputError, UnknownNameError

Fold = tuple[IntArray, IntArray]

SPLITS = ("grouped", "kfold", "random", "adversarial")


def split(
    name: str,
    pairs: SentencePairs,
    *,
    folds: int = 10,
    seed: int = 0,
    train: npt.ArrayLike | None = None,
    test: npt.ArrayLike | None = None,
) -> list[Fold]:
    """The split of that name.

    Args:
        name: One of the splits' names.
        pairs: All pairs, of which the folds hold rows.
        folds: How many.
        seed: Of what is drawn.
        train: ``adversarial``: the rows that are trained on.
        test: ``adversarial``: the rows that are tested on.

    Raises:
        InputError: Too few pairs or sentences, or (:class:`UnknownNameError`) no such split.

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
    if name == "random":
        return random(len(pairs), seed=seed)
    if train is None or test is None:
        raise InputError(
            "the adversarial split needs to know which pairs are which: the folder of the "
            "STS3k release, "
            "or the rows to train on and to test on"
        )
    return adversarial(len(pairs), train, test)


def random(rows: int, share: float = 0.2, seed: int = 0) -> list[Fold]:
    """One split at random of so many rows, with this ``share``, between 0 and 1, to test on.

    Raises :class:`InputError` for another share, and where one side would be empty.

    >>> ((train, test),) = random(10, share=0.2)
    >>> len(train), len(test)
    (8, 2)
    """
    if not 0 < share < 1:
        raise InputError(f"the share to test on lies between 0 and 1, got {share!r}")
    held = round(rows * share)
    if held < 1 or held >= rows:
        raise InputError(
            f"a split needs a pair on each side, got {rows} pairs and the share {share!r}"
        )
    order = np.random.default_rng(seed).permutation(rows)
    return [(np.sort(order[held:]), np.sort(order[:held]))]


def kfold(rows: int, folds: int = 10, seed: int = 0) -> list[Fold]:
    """Splits of so many rows by chance; each row is tested on once.

    Raises :class:`InputError` for fewer than two folds, or more than there are rows.

    >>> [test.tolist() for _, test in kfold(6, folds=3)]
    [[3, 4], [0, 2], [1, 5]]
    """
    _check_folds(folds, rows, "pairs")
    fold_of = np.empty(rows, np.int64)
    fold_of[np.random.default_rng(seed).permutation(rows)] = np.arange(rows) % folds
    return _folds(fold_of, folds)


def grouped(pairs: SentencePairs, folds: int = 10, seed: int = 0) -> list[Fold]:
    """Splits in which no sentence stands in both sides; each pair is tested on once.

    Components go, the largest first, to the fold that has the fewest pairs. Raises
    :class:`InputError` for fewer than two folds, or more than there are components.

    >>> pairs = [("It rains.", "It pours."), ("It rains.", "We left."), ("He reads.", "He eats.")]
    >>> sorted(sorted(test.tolist()) for _, test in grouped(pairs, folds=2))
    [[0, 1], [2]]
    """
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
    """One fold that trains on some rows and tests on others: STS3k's non-adversarial and
    adversarial, no negatives.

    Raises :class:`InputError` for an empty side, a row that there is not, and a row on both sides.

    >>> ((train, test),) = adversarial(4, [0, 1, 2], [3])
    >>> train.tolist(), test.tolist()
    ([0, 1, 2], [3])
    """
    sides = []
    for side in (train, test):
        chosen = np.unique(np.asarray(side, np.int64))
        if not len(chosen) or chosen[0] < 0 or chosen[-1] >= rows:
            raise InputError(
                f"the sides of a split hold rows from 0 to {rows - 1}, got "
                f"{chosen[[0, -1][: len(chosen)]]}"
            )
        sides.append(chosen)
    if len(both := np.intersect1d(sides[0], sides[1])):
        raise InputError(f"row {both[0]} is on both sides of the split")
    return [(sides[0], sides[1])]


def components(pairs: SentencePairs) -> IntArray:
    """For each pair the number of its component, (n,): pairs are connected where they share a
    sentence, whatever its capitals and blanks.

    >>> components([("a", "b"), ("c", "d"), ("b", "e")]).tolist()
    [0, 1, 0]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not pairs:
        return np.empty(0, np.int64)
    number: dict[str, int] = {}
    ends = np.array(
        [[number.setdefault(_plain(text), len(number)) for text in pair] for pair in pairs]
    )
    edges = coo_array(
        (np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(len(number), len(number))
    )
    _, label = connected_components(edges, directed=False)
    _, first, numbered = np.unique(label[ends[:, 0]], return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))  # numbered in the order of the pairs
    return np.asarray(rank[numbered], np.int64)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _folds(fold_of: IntArray, folds: int) -> list[Fold]:
    return [
        (np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)) for fold in range(folds)
    ]


def _check_folds(folds: int, units: int, what: str) -> None:
    if folds < 2:
        raise InputError(f"at least 2 folds are needed, got {folds!r}")
    if units < folds:
        fewer = "use fewer folds" if units > 1 else "use another split"
        raise InputError(f"{folds} folds need as many {what}, got {units}; {fewer}")
