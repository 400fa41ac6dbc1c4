"""What the judge learns from: pairs, each with the labels that it may have.

No data set has all six labels. What an annotation leaves open stays open: an entailment of SICK
says that the second sentence follows from the first, so the pair is "same" or "entails".

    SICK train           entailment: same or entails; contradiction: contradicts; neutral: unrelated
                         (rated below 2), entailed or differs (from 3), or any of the three
    SNLI dev             the same; a contradiction may also be unrelated, as SNLI calls two things a
    (5,000 pairs)        contradiction that cannot be seen in one picture
    PAWS-Wiki dev        a paraphrase: same; else neither same nor unrelated
    (every other group of pairs that share a sentence)
    STSb train           by rating: same (from 4.8), not unrelated (from 3), not same, unrelated
                         (up to .6)
    SugarCrepe++         an altered caption is neither same nor unrelated, two captions of one
                         picture do not contradict each other
    minimal pairs        a paraphrase: same; an alteration: neither same nor unrelated
    MED, MoNLI, ConjNLI  entailment: same or entails; else any of the others but unrelated
    (halves by first sentence)

The rest of SNLI dev and PAWS-Wiki dev, SICK trial, the held-out minimal pairs and the test sets of
``models.held_out`` are not learned from; nor is a pair of which they hold a sentence, or between
SICK's parts the pair itself. STSb dev is not learned from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem.datasets.labelled_pairs import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    PARAPHRASE,
)
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.splits import components, unshared
from hybridsem.datasets.triples import DEVELOPMENT, packaged_minimal_pairs, sugarcrepe_pp
from hybridsem.judge.labels import LABELS, Label
from models.corpora import folds, read, table
from models.held_out import usable

Pair = tuple[str, str]
SNLI_LEARNED = 5000
SAME, ENTAILS, ENTAILED, DIFFERS, CONTRADICTS, UNRELATED = LABELS
RELATED = (ENTAILS, ENTAILED, DIFFERS, CONTRADICTS)
CLASSES = (ENTAILMENT, NEUTRAL, CONTRADICTION)
LABELS_OF: Mapping[str, Sequence[Label]] = {
    ENTAILMENT: (SAME, ENTAILS),
    NEUTRAL: (ENTAILED, DIFFERS, UNRELATED),
    CONTRADICTION: (CONTRADICTS,),
}
"""What a pair with a label of an inference set may be."""

LEARNED_FROM = {
    "SICK train": 1.0,
    "SNLI dev, 1st part": 0.5,
    "PAWS-Wiki dev, 1st part": 0.3,
    "STSb train": 0.3,
    "SugarCrepe++": 0.1,
    "minimal pairs, development": 0.5,
    "MED, half": 0.5,
    "MoNLI, half": 0.4,
    "ConjNLI, half": 1.0,
}
"""What a pair of each set counts."""
HELD_OUT = (
    "SICK trial",
    "SICK test",
    "SNLI dev, 2nd part",
    "PAWS-Wiki dev, 2nd part",
    "minimal pairs, held-out",
)


@dataclass(frozen=True)
class Part:
    """Pairs of one data set, the labels that each may have, (n, 6), and its own label as a number:
    of an inference set 0 entailment, 1 neutral, 2 contradiction; of others 1 the same, 0 not; -1
    unknown.
    """

    name: str
    pairs: Sequence[Pair]
    allowed: BoolArray
    gold: IntArray

    def take(self, rows: IntArray) -> Part:
        """Some of the pairs."""
        chosen = [self.pairs[row] for row in rows.tolist()]
        return Part(self.name, chosen, self.allowed[rows], self.gold[rows])


def part(name: str, data: Path) -> Part:
    """A data set by its name here; ``data`` is the folder with ``sts/``, ``paws/`` and so on."""
    rows = list(READERS[name.partition(",")[0].split()[0]](name, data))
    allowed = np.array([[label in labels for label in LABELS] for _, labels, _ in rows])
    return Part(name, [pair for pair, _, _ in rows], allowed, np.array([gold for *_, gold in rows]))


Row = tuple[Pair, Sequence[Label], int]


def _sick(name: str, data: Path) -> Iterator[Row]:
    file = {"train": "SICK_train", "trial": "SICK_trial", "test": "SICK_test_annotated"}
    for item in read("sick", data / "sts" / f"{file[name.split()[1]]}.txt"):
        labels: Sequence[Label] = LABELS_OF[item.label]
        if item.label == NEUTRAL:
            rating = item.rating or 0.0
            others = (ENTAILED, DIFFERS) if rating >= 3 else (DIFFERS, UNRELATED)
            labels = (UNRELATED,) if rating < 2 else others
        yield item.pair, labels, CLASSES.index(item.label)


def _snli(name: str, data: Path) -> Iterator[Row]:
    found = read("inference", data / "analogies/snli-dev.tsv")
    # The hypotheses of a premise stand together, and stay so.
    premises = [item.pair[0] for item in found]
    cut = next(at for at in range(SNLI_LEARNED, len(premises)) if premises[at] != premises[at - 1])
    labels = {**LABELS_OF, CONTRADICTION: (CONTRADICTS, UNRELATED)}
    for item in found[:cut] if "1st" in name else found[cut:]:
        yield item.pair, labels[item.label], CLASSES.index(item.label)


def _paws(name: str, data: Path) -> Iterator[Row]:
    found = read("paws", data / "paws/paws-wiki-dev.tsv")
    side = 0 if "1st" in name else 1
    groups = components([item.pair for item in found]).tolist()
    for item, group in zip(found, groups, strict=True):
        if group % 2 == side:
            same = item.label == PARAPHRASE
            yield item.pair, (SAME,) if same else RELATED, int(same)


def _stsb(name: str, data: Path) -> Iterator[Row]:
    for item in read("rated", data / "sts/stsb-en-train.csv"):
        rating = item.rating or 0.0
        alike = (SAME,) if rating >= 4.8 else (SAME, *RELATED)
        unlike = (*RELATED, UNRELATED) if rating > 0.6 else (UNRELATED,)
        yield item.pair, alike if rating >= 3 else unlike, -1


def _sugarcrepe(name: str, data: Path) -> Iterator[Row]:
    for _, first, second, altered in sugarcrepe_pp(data / "sugarcrepe-pp", Settings()).items:
        yield (first, second), (SAME, ENTAILS, ENTAILED, DIFFERS), 1
        for caption in (first, second):
            yield (caption, altered), RELATED, 0


def _minimal(name: str, data: Path) -> Iterator[Row]:
    wanted = DEVELOPMENT if "development" in name else "held-out"
    for row in table(packaged_minimal_pairs()):
        if row["part"] == wanted:
            yield (row["sentence"], row["paraphrase"]), (SAME,), 1
            yield (row["sentence"], row["alteration"]), RELATED, 0


def _halves(name: str, data: Path) -> Iterator[Row]:
    for item in read("columns", data / "inference" / f"{name.partition(',')[0].lower()}.tsv"):
        may = (SAME, ENTAILS) if item.label == ENTAILMENT else (ENTAILED, DIFFERS, CONTRADICTS)
        yield item.pair, may, CLASSES.index(item.label)


READERS = {
    "SICK": _sick,
    "SNLI": _snli,
    "PAWS-Wiki": _paws,
    "STSb": _stsb,
    "SugarCrepe++": _sugarcrepe,
    "minimal": _minimal,
    "MED": _halves,
    "MoNLI": _halves,
    "ConjNLI": _halves,
}


@dataclass(frozen=True)
class Learned:
    """All pairs that are learned from, what each counts, and its group: no sentence is in two."""

    pairs: Sequence[Pair]
    allowed: BoolArray
    gold: IntArray
    weights: Float64Array
    sources: Sequence[str]
    groups: IntArray

    def take(self, rows: IntArray) -> Learned:
        """Some of the pairs."""
        arrays = (one[rows] for one in (self.allowed, self.gold, self.weights, self.groups))
        allowed, gold, weights, groups = arrays
        pairs, sources = ([some[r] for r in rows.tolist()] for some in (self.pairs, self.sources))
        return Learned(pairs, allowed, gold, weights, sources, groups)

    def folds(self, count: int) -> IntArray:
        """The fold of each pair, (n,): whole groups, the largest first, to the emptiest fold."""
        return folds(self.groups, count)


def joined(parts: Sequence[Part]) -> Learned:
    """The parts of :data:`LEARNED_FROM` as one."""
    pairs = [pair for one in parts for pair in one.pairs]
    sources = [one.name for one in parts for _ in one.pairs]
    allowed, gold = (np.concatenate([getattr(p, a) for p in parts]) for a in ("allowed", "gold"))
    weights = np.array([LEARNED_FROM[source] for source in sources])
    return Learned(pairs, allowed, gold, weights, sources, components(pairs))


def unseen(part: Part, held_out: Sequence[Part], data: Path) -> IntArray:
    """The rows that may be learned from: no sentence of a test set (``models.held_out``) or of what
    is held out, and within SICK no pair.
    """
    by_pair, sentences = [], []
    for one in held_out:
        both = part.name.startswith("SICK") and one.name.startswith("SICK")
        (by_pair if both else sentences).append(one.pairs)
    rows = unshared(part.pairs, sentences, by_pair=by_pair)
    return np.intersect1d(rows, usable(part.name, part.pairs, data))
