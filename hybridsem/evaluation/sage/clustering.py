"""Clustering: complete linkage on a model's distances, compared with labels by the V-measure.

label,text                           a text in each row
{"sentences": […], "labels": […]}    a set of texts in each line (MTEB)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.progress import in_chunks
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.model import EvaluatedModel, count_flagged
from hybridsem.evaluation.sage import parts
from hybridsem.evaluation.sage.datasets import DataSet
from hybridsem.evaluation.sage.document_models import Compared, compared, prepared
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.task import Measured
from hybridsem.strings import OkapiOfTexts
from hybridsem.tables.records import records

TEXT_COLUMNS = ("text", "sentence", "sentences", "texts", "title")
LABEL_COLUMNS = ("label", "labels", "class", "cluster", "category")
MAX_TEXTS = 30_000  # the most texts of one set: their distances take 7.2 GB
ROWS = 512  # rows in a block of distances
MEASURES = (parts.SCORE, "homogeneity", "completeness")


class Labelled(NamedTuple):
    """Texts and their labels; at least two distinct labels."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class LabelledSets(DataSet):
    """The sets of a file; the items are their texts."""

    sets: tuple[Labelled, ...]


def read_labelled(path: Path, settings: Settings) -> LabelledSets:
    """Read the sets of a file with columns ``text`` and ``label``, whose cells may be lists."""
    single: tuple[list[str], list[object]] = [], []
    given = [single]
    for line, record in records(path):
        text = record[parts.column(record, TEXT_COLUMNS, path, line)]
        label = record[parts.column(record, LABEL_COLUMNS, path, line)]
        lists = isinstance(text, list), isinstance(label, list)
        if lists[0] != lists[1] or (all(lists) and len(text) != len(label)):
            why = "texts and labels must be two values, or two lists of one length"
            raise FormatError(why, path, line)
        texts, labels = (text, label) if all(lists) else ([text], [label])
        for cell in labels:
            if cell is None or isinstance(cell, (list, dict)) or str(cell).strip() == "":
                raise FormatError(f"expected a label, got {cell!r:.80}", path, line)
        for cell in texts:
            if not (cell is None or isinstance(cell, str)):
                raise FormatError(f"expected a text, got {cell!r:.80}", path, line)
        if all(lists):
            given.append((texts, labels))
        else:
            single[0].append(text)
            single[1].append(label)
    excluded = Counter({"empty": 0, "sets of one label": 0})
    sets = []
    for texts, labels in [*given[1:], *given[: bool(single[0])]]:
        usable = [row for row, text in enumerate(texts) if problem(text) is None]
        excluded["empty"] += len(texts) - len(usable)
        rows = [usable[i] for i in parts.sampled(len(usable), settings)] if usable else []
        one = Labelled(tuple(texts[row] for row in rows), tuple(str(labels[row]) for row in rows))
        if len(one.texts) > MAX_TEXTS:
            why = f"a set of {path.name} has {len(one.texts)} texts; at most {MAX_TEXTS} are"
            raise InputError(f"{why} clustered together, so draw a sample: --sample N")
        if len(set(one.labels)) < 2:
            excluded["sets of one label"] += 1
        else:
            sets.append(one)
    if not sets:
        raise InputError(f"{str(path)!r} has no set with two labels: there is nothing to cluster")
    digest = parts.digest_of(chain.from_iterable((*one.texts, "", *one.labels, "") for one in sets))
    return LabelledSets(sum(len(one.texts) for one in sets), digest, +excluded, tuple(sets))


def measure(data: parts.Sets[LabelledSets], tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure the V-measure of each data set, a mean over its sets of texts, and their mean."""
    by_set: dict[str, parts.SetResult] = {}
    for name, labelled in data.sets.items():
        found: list[tuple[float, ...]] = []
        scored, progress = 0, settings.progress
        for one in labelled.sets:
            groups, known = clusters(compared(tested, one.texts, progress), one.labels, progress)
            scored += len(known)
            found.append(v_measure([one.labels[row] for row in known], groups))
        note = "" if len(found) == 1 else f"the mean of {len(found)} sets"
        means = np.mean(found, axis=0).tolist()
        estimates = [Estimate(value, None, None, labelled.rows, 0, note) for value in means]
        texts = ((text,) for one in labelled.sets for text in one.texts)
        cut = count_flagged(texts, tested.truncated)
        by_set[name] = parts.SetResult(dict(zip(MEASURES, estimates, strict=True)), scored, cut)
    return parts.measured(data, by_set)


def clusters(
    texts: Compared, labels: Sequence[str], progress: bool = False
) -> tuple[IntArray, list[int]]:
    """Return clusters of texts, as many as there are labels, and the texts that took part."""
    from scipy.cluster.hierarchy import linkage

    apart, known = distances(texts, len(labels), progress)
    if len(known) < 2:
        raise InputError("fewer than two texts have a distance from another: nothing to cluster")
    wanted = len({labels[row] for row in known})
    return _cut(linkage(apart, "complete"), wanted), known


def distances(
    texts: Compared, number: int, progress: bool = False
) -> tuple[Float64Array, list[int]]:
    """Return 1 - similarity of all pairs, condensed as in scipy, and the texts that have all."""
    apart = np.empty(number * (number - 1) // 2)
    at = 0
    for rows in in_chunks(range(number), ROWS, "comparing", progress):
        found = 1 - texts.block(np.array(rows), np.arange(rows[0], number))
        for place, line in enumerate(found, 1):
            beyond = line[place:]
            apart[at : at + len(beyond)] = beyond
            at += len(beyond)
    if not np.isnan(apart).any():
        return apart, list(range(number))
    return _complete(apart, number)


def _complete(apart: Float64Array, number: int) -> tuple[Float64Array, list[int]]:
    """Exclude texts that lack distances, the one that lacks most first."""
    from scipy.spatial.distance import squareform

    square = squareform(apart, checks=False)
    lacking = np.isnan(square)
    counts = lacking.sum(axis=1)
    kept = np.ones(number, bool)
    while counts[kept].any():
        worst = int(np.argmax(np.where(kept, counts, -1)))
        kept[worst] = False
        counts -= lacking[worst]
    return squareform(square[np.ix_(kept, kept)], checks=False), np.flatnonzero(kept).tolist()


def _cut(merges: Float64Array, wanted: int) -> IntArray:
    """Return the clusters that remain when the last ``wanted - 1`` merges are undone."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    number = len(merges) + 1
    done = merges[: number - wanted, :2].astype(np.int64)
    new = np.repeat(number + np.arange(len(done)), 2)
    size = 2 * number - 1
    links = coo_array((np.ones(len(new)), (new, done.ravel())), shape=(size, size))
    return np.asarray(connected_components(links, directed=False)[1][:number])


def v_measure(labels: Sequence[str], groups: Sequence[int] | IntArray) -> tuple[float, ...]:
    """Return V-measure, homogeneity, completeness in [0, 1] (Rosenberg & Hirschberg 2007, β = 1).

    >>> v_measure(["a", "a", "b", "b"], [0, 0, 1, 1])
    (1.0, 1.0, 1.0)
    """
    from scipy.stats import entropy

    _, rows = np.unique(np.asarray(labels, object).astype(str), return_inverse=True)
    _, columns = np.unique(np.asarray(groups), return_inverse=True)
    table = np.zeros((rows.max() + 1, columns.max() + 1))
    np.add.at(table, (rows, columns), 1)
    margins = table, table.sum(axis=1), table.sum(axis=0)
    joint, of_labels, of_groups = (float(entropy(counts.ravel())) for counts in margins)
    homogeneity = 1 - (joint - of_groups) / of_labels if of_labels else 1.0
    completeness = 1 - (joint - of_labels) / of_groups if of_groups else 1.0
    homogeneity, completeness = (min(1.0, max(0.0, one)) for one in (homogeneity, completeness))
    both = homogeneity + completeness
    return (2 * homogeneity * completeness / both if both else 0.0), homogeneity, completeness


_PREPARE = partial(prepared, printed=OkapiOfTexts)
TASK = parts.sage_task("sage-clustering", parts.reading(read_labelled), measure, prepare=_PREPARE)
