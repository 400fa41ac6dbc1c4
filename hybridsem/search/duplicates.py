"""Records that say the same as one that is kept.

    texts --the same text--> distinct --words that may be like those of another (wording.py)-->
          --close, not apart as written (surface.py)--> candidates
          --compared--> doubles --rounds--> groups

Whether two records are doubles is not told by a score alone. They must score the threshold, the
judge must hold them for the same, and nothing that the comparison finds may speak against it:
exchanged roles, another number or name, a negation, opposites, another quantity, modality or
condition. Unless ``reworded`` is asked for, they must besides have the same words in the same
order, but for articles, contractions, spelling and synonyms: where words are in another order, a
parse that is wrong can hide an exchange.

Each dropped record is the double of one that is kept, never of one that is dropped: meaning does
not drift along a chain. A record is kept if it is no double of one that is kept before it in the
order of the policy.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import BoolArray, IntArray
from hybridsem.combiners.base import Batch
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import Compared, HybridCombiner
from hybridsem.english.lexicon import LexicalRelation
from hybridsem.english.words import ARTICLES
from hybridsem.judge.derivation import derivations
from hybridsem.judge.features import observe_batch
from hybridsem.judge.judgement import probabilities_of
from hybridsem.judge.labels import LABELS, Label
from hybridsem.judge.reasons import reasons

__all__ = [
    "AS_THEY_STAND",
    "KEEP",
    "REWORDED",
    "Double",
    "Dropped",
    "Duplicates",
    "Group",
    "Part",
    "Ruling",
    "collected",
    "difference_between",
    "doubles_in",
    "grouped",
    "plain",
    "preferred",
]

KEEP = ("first", "longest")
"""Which record of a group is kept."""

AS_THEY_STAND, REWORDED = 0.5, 0.9
"""The least probability of ``same``, and that where other words and another order are allowed; both
chosen on development pairs (``benchmarks/rank.py``).
"""

ALIKE = frozenset(
    {
        *(LexicalRelation.SAME, LexicalRelation.SYNONYM),
        *(LexicalRelation.DERIVED, LexicalRelation.SIMILAR),
    }
)
SPELLED = 0.85
"""The similarity from which words without a relation are the same one, spelled otherwise."""

SPELT_OUT = {"n't": "not", "n’t": "not", "'re": "are", "’re": "are", "'m": "am", "’m": "am"}
SPELT_OUT |= {"'ll": "will", "’ll": "will", "'ve": "have", "’ve": "have", "ca": "can", "wo": "will"}
CIRCUMSTANCES = frozenset(
    {
        *("if", "unless", "whether", "until", "till", "although", "though", "because", "while"),
        *("when", "before", "after", "since", "where", "why", "how"),
    }
)
"""Words of which one that stands in one record alone tells the two apart."""
NOTHING = ARTICLES | {"that"}
"""Function words whose presence says nothing."""

TOGETHER = 4096
"""Records of as many whole components as have so many are decided together."""

PAIRS = 1024
"""Pairs that are compared together."""


class Ruling(NamedTuple):
    """What makes doubles: the least score, the least probability of ``same``, and whether other
    words and another order are allowed.
    """

    threshold: float
    probability: float
    reworded: bool


class Double(NamedTuple):
    """What is said of a pair of doubles: the score, the probability that they are the same, why."""

    score: float
    probability: float
    reason: str


@dataclass(frozen=True)
class Dropped:
    """A record that is left out, by its ``number`` from 0: a double of ``partner``, which is kept.

    ``probability`` is the judge's, of the label ``same``; ``reason`` is what the two differ in.
    """

    number: int
    partner: int
    score: float
    probability: float
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True)
class Group:
    """A record that is kept, and those that are dropped for it."""

    kept: int
    dropped: tuple[Dropped, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"kept": self.kept, "dropped": [one.to_dict() for one in self.dropped]}


@dataclass(frozen=True)
class Duplicates:
    """The numbers of the records that are ``kept``, ascending, and the ``groups`` of those for
    which others are dropped. ``unread`` are kept because they could not be compared.
    """

    kept: tuple[int, ...]
    groups: tuple[Group, ...]
    unread: tuple[int, ...] = ()

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """All that are dropped, by their numbers."""
        found = [one for group in self.groups for one in group.dropped]
        return tuple(sorted(found, key=lambda one: one.number))


def plain(text: str) -> str:
    """A text as it is told from others: composed, and with single blanks."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def preferred(texts: Sequence[str], keep: str) -> list[int]:
    """The numbers of the texts in the order in which they are kept."""
    if keep == "first":
        return list(range(len(texts)))
    return sorted(range(len(texts)), key=lambda number: (-len(plain(texts[number])), number))


def difference_between(compared: Compared, reworded: bool) -> str | None:
    """What tells two records apart, in a word or two; None for nothing.

    Args:
        compared: The two.
        reworded: Whether other words and another order may say the same.
    """
    for edit in compared.edits:
        if edit.kind.separates:
            return edit.kind.value
    first, second = compared.words1, compared.words2
    if CIRCUMSTANCES & (set(first.forms) ^ set(second.forms)):
        return "a condition or circumstance"
    for pair in compared.aligned:
        token1, token2 = first.words[pair.first], second.words[pair.second]
        names = "PROPN" in (first.tags[token1], second.tags[token2])
        if pair.relation != LexicalRelation.SAME and names and pair.similarity < SPELLED:
            return "another name"
    if reworded:
        return None
    if len(first.words) != len(second.words) or len(compared.aligned) != len(first.words):
        return "other words"
    for pair in compared.aligned:
        token1, token2 = first.words[pair.first], second.words[pair.second]
        same_form = first.forms[token1] == second.forms[token2]
        if pair.relation == LexicalRelation.SAME:
            if not same_form and first.lemmas[token1] == second.lemmas[token2]:
                return "another form"
        elif pair.relation not in ALIKE and pair.similarity < SPELLED:
            return "other words"
    places = [pair.second for pair in sorted(compared.aligned)]
    if places != sorted(places):
        return "another order"
    if _said(first) != _said(second):
        return "other function words"
    return None


def _said(words: SentenceWords) -> Counter[str]:
    """The function words that say something, contractions spelt out."""
    content = set(words.words)
    forms = (
        SPELT_OUT.get(form, form)
        for at, form in enumerate(words.forms)
        if at not in content and any(map(str.isalnum, form))
    )
    return Counter(form for form in forms if form not in NOTHING)


def doubles_in(
    combiner: HybridCombiner, batch: Batch, ruling: Ruling
) -> tuple[list[Double | None], list[int]]:
    """Which pairs of a batch are doubles, and the places of those that cannot be compared.

    Args:
        combiner: Compares.
        batch: The pairs; the first sentence of each is the one that would be kept.
        ruling: What makes doubles.
    """
    compared = combiner.compared(batch)
    scores = combiner.scores_of(batch, compared)
    found: list[Double | None] = [None] * len(compared)
    places = [
        at
        for at, one in enumerate(compared)
        if one is not None
        and scores[at] >= ruling.threshold
        and difference_between(one, ruling.reworded) is None
    ]
    left = replace(batch, pairs=[batch.pairs[at] for at in places])
    chosen = [compared[at] for at in places]
    derived = derivations(left, chosen)
    features = observe_batch(left, chosen, derived)
    found_same = probabilities_of(left, chosen, None, features) if places else None
    same = () if found_same is None else found_same[:, LABELS.index(Label.SAME)]
    for at, one, made, probability in zip(places, chosen, derived, same, strict=True):
        if one is not None and probability >= ruling.probability:
            ordered = one.in_order(batch.pairs[at])
            if made is not None and one.first != batch.pairs[at][0]:
                made = made.turned
            why = reasons(Label.SAME, ordered, made, ordered.spellers(batch, batch.pairs[at]))
            found[at] = Double(float(scores[at]), float(probability), " ".join(why))
    return found, [at for at, one in enumerate(compared) if one is None]


Compare = Callable[[Sequence[tuple[int, int]]], tuple[list[Double | None], list[int]]]


@dataclass(frozen=True)
class Part:
    """What has been decided of so many ``records``: (record, kept record, why) of each that is
    ``dropped``, and those that could not be compared; as long as the records.
    """

    records: int
    dropped: list[tuple[int, int, Double]]
    unread: list[int]

    def __len__(self) -> int:
        return self.records


def grouped(count: int, pairs: IntArray, compare: Compare) -> Iterator[Part]:
    """What is dropped, component by component.

    Args:
        count: Records, in the order in which they are kept.
        pairs: Candidates, (p, 2), the lower number first.
        compare: Which of some pairs are doubles, and which cannot be compared.
    """
    for records, some in _components(count, pairs):
        dropped, unread = _decided(some, compare)
        yield Part(records, dropped, unread)


def _components(count: int, pairs: IntArray) -> Iterator[tuple[int, IntArray]]:
    """The pairs, in parts that share no record: so each record is read once. With how many records
    a part has.
    """
    if not len(pairs):
        return
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(pairs), bool)
    graph = coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    _, labels = connected_components(graph, directed=False)
    sizes = np.bincount(labels)
    sizes[sizes == 1] = 0  # records without a candidate
    part = (np.cumsum(sizes) - sizes) // TOGETHER
    of_pairs = part[labels[pairs[:, 0]]]
    order = np.argsort(of_pairs, kind="stable")
    ends = np.flatnonzero(np.diff(of_pairs[order])) + 1
    totals = np.bincount(part, weights=sizes)
    for some in np.split(order, ends):
        yield int(totals[of_pairs[some[0]]]), pairs[some]


def _decided(pairs: IntArray, compare: Compare) -> tuple[list[tuple[int, int, Double]], list[int]]:
    """What is dropped of the records of some pairs, round by round: those that nothing stands
    before are kept, and compared with their candidates.
    """
    records = np.unique(pairs)
    edges = np.searchsorted(records, pairs)
    kept: BoolArray = np.zeros(len(records), bool)
    gone: BoolArray = np.zeros(len(records), bool)
    dropped: list[tuple[int, int, Double]] = []
    unread: set[int] = set()
    while len(edges):
        waits = np.zeros(len(records), bool)
        waits[edges[:, 1]] = True
        kept |= ~waits & ~gone
        now = kept[edges[:, 0]]
        best: dict[int, tuple[float, int, Double]] = {}
        tested, edges = edges[now], edges[~now]
        for at in range(0, len(tested), PAIRS):
            some = tested[at : at + PAIRS].tolist()
            found, failed = compare([(int(records[a]), int(records[b])) for a, b in some])
            unread.update(int(records[end]) for place in failed for end in some[place])
            for (one, two), double in zip(some, found, strict=True):
                if double is not None and (two not in best or (-double.score, one) < best[two][:2]):
                    best[two] = -double.score, one, double
        for two, (_, one, double) in best.items():
            gone[two] = True
            dropped.append((int(records[two]), int(records[one]), double))
        edges = edges[~gone[edges].any(axis=1)]
    return dropped, sorted(unread)


def collected(
    numbers: Sequence[int],
    dropped: Iterable[tuple[int, int, Double]],
    unread: Iterable[int],
) -> Duplicates:
    """The groups of dropped records.

    Args:
        numbers: Of all records.
        dropped: The number of each that is dropped and of the one it is the double of, and why.
        unread: The numbers of those that could not be compared.
    """
    groups: dict[int, list[Dropped]] = {}
    gone = set()
    for number, partner, double in dropped:
        groups.setdefault(partner, []).append(Dropped(number, partner, *double))
        gone.add(number)
    return Duplicates(
        tuple(number for number in numbers if number not in gone),
        tuple(
            Group(kept, tuple(sorted(groups[kept], key=lambda one: one.number)))
            for kept in sorted(groups)
        ),
        tuple(sorted(unread)),
    )
