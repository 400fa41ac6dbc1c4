"""Records with the same meaning as a kept one.

A score alone does not make a duplicate. The pair must reach the threshold, the judge must label it
``same``, and there must be no edit that separates records: exchanged roles, another number or name,
a negation, opposites, another quantity, modality or condition. Unless ``reworded`` is set, both
must have the same words in the same order, except for articles, contractions, spelling and
synonyms, because with another order a wrong parse can hide an exchange.

Each dropped record is a duplicate of a kept one, never of a dropped one, so meaning does not drift
along a chain. A record is kept if it is a duplicate of no record kept before it.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import IntArray
from hybridsem._utils.progress import counter, tracked
from hybridsem._utils.validation import check_threshold, usable_texts
from hybridsem.combiners.base import Batch
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import Compared, HybridCombiner
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.lexicon import LexicalRelation
from hybridsem.errors import InputError
from hybridsem.judge.derivation import derivations
from hybridsem.judge.features import observe_batch
from hybridsem.judge.judgement import comparison_of, probabilities_of
from hybridsem.judge.labels import LABELS, Label
from hybridsem.judge.reasons import reasons
from hybridsem.reader import Reader
from hybridsem.search.lexical import SPELLED, SPELT_OUT, UNINFORMATIVE, LexicalFilter
from hybridsem.search.mining import close, gathered, least_cosine

KEEP = ("first", "longest")  # the record of a group to keep
SAME_WORDS, REWORDED = 0.5, 0.9
"""The least probability of ``same``, without and with rewording, chosen on development pairs
(``benchmarks/rank.py``).
"""
RELATIONS = frozenset(
    {
        *(LexicalRelation.SAME, LexicalRelation.SYNONYM),
        *(LexicalRelation.DERIVED, LexicalRelation.SIMILAR),
    }
)
"""The relations that aligned words of duplicates may have."""
CIRCUMSTANCES = frozenset(
    {
        *("if", "unless", "whether", "until", "till", "although", "though", "because", "while"),
        *("when", "before", "after", "since", "where", "why", "how"),
    }
)
"""Words that distinguish records if only one has them."""
PAIRS = 1024  # pairs that are compared together


class DuplicatePair(NamedTuple):
    """The score of duplicates, the probability that they are the same, and the reason."""

    score: float
    probability: float
    reason: str


class Dropped(NamedTuple):
    """A dropped record, by its ``number`` from 0, and its kept ``partner``. The judge gives the
    ``probability`` of the label ``same``, and the ``reason``.
    """

    number: int
    partner: int
    score: float
    probability: float
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return self._asdict()


@dataclass(frozen=True)
class Group:
    """A kept record and its dropped duplicates."""

    kept: int
    dropped: tuple[Dropped, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"kept": self.kept, "dropped": [one.to_dict() for one in self.dropped]}


@dataclass(frozen=True)
class Duplicates:
    """The numbers of the ``kept`` records, ascending, and the ``groups`` of those with duplicates.
    ``unread`` are kept because they could not be compared.
    """

    kept: tuple[int, ...]
    groups: tuple[Group, ...]
    unread: tuple[int, ...] = ()

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """All dropped records, by number."""
        found = [one for group in self.groups for one in group.dropped]
        return tuple(sorted(found, key=lambda one: one.number))


def deduplicate(
    reader: Reader,
    sentences: Iterable[str],
    threshold: float,
    probability: float | None,
    keep: str,
    reworded: bool,
    on_error: str,
    progress: bool,
) -> Duplicates:
    """Implement :meth:`hybridsem.Pipeline.deduplicate`, with its arguments."""
    check_threshold(threshold)
    if probability is None:
        probability = REWORDED if reworded else SAME_WORDS
    if not isinstance(probability, (int, float)) or not 0 <= probability <= 1:
        raise InputError(f"a probability is a number in [0, 1], got {probability!r:.80}")
    if keep not in KEEP:
        raise InputError(f"keep is one of {', '.join(KEEP)}; got {keep!r:.80}")
    combiner = comparison_of(reader)
    texts, numbers = usable_texts(sentences, "sentence", on_error)
    plain = [" ".join(unicodedata.normalize("NFC", text).split()) for text in texts]
    order = sorted(range(len(texts)), key=lambda at: -len(plain[at]) if keep == "longest" else 0)
    first: dict[str, int] = {}
    pairs_of: dict[int, tuple[int, DuplicatePair]] = {}
    for at in order:
        kept = first.setdefault(plain[at], at)
        if kept != at:
            pairs_of[numbers[at]] = numbers[kept], DuplicatePair(1.0, 1.0, "the same text")
    places = list(first.values())
    distinct, own = [texts[at] for at in places], reader._for_call()

    def compare(pairs: Sequence[tuple[int, int]]) -> tuple[list[DuplicatePair | None], list[int]]:
        given = [(distinct[one], distinct[two]) for one, two in pairs]
        found, failed = duplicate_pairs(
            combiner, own._batch(given), threshold, probability, reworded
        )
        if failed and on_error == "fail":
            one, two = (numbers[places[at]] for at in pairs[failed[0]])
            raise own._failure(given[failed[0]], f"sentences {one} and {two}: ", (one, two))
        return found, failed

    pairs = _candidates(own, distinct, threshold, reworded, progress)
    unread: set[int] = set()
    with counter("Judging", len(np.unique(pairs)), progress) as advance:
        for records, dropped, failed in decided(pairs, compare):
            for two, one, pair in dropped:
                pairs_of[numbers[places[two]]] = numbers[places[one]], pair
            unread |= {numbers[places[at]] for at in failed}
            advance(records)
    groups: dict[int, list[Dropped]] = {}
    for number, (partner, pair) in sorted(pairs_of.items()):
        # The copy of a dropped text has the partner of that text.
        partner, pair = pairs_of.get(partner, (partner, pair))
        groups.setdefault(partner, []).append(Dropped(number, partner, *pair))
    return Duplicates(
        tuple(number for number in numbers if number not in pairs_of),
        tuple(Group(kept, tuple(groups[kept])) for kept in sorted(groups)),
        tuple(sorted(unread)),
    )


def _candidates(
    reader: Reader, texts: Sequence[str], threshold: float, reworded: bool, progress: bool
) -> IntArray:
    """Return the pairs of texts that may be duplicates, (p, 2), the lower number first."""
    combiner = comparison_of(reader)
    chosen, words = np.arange(len(texts)), None
    if reader._trees is not None and not reworded:  # whose words are those of every parse
        lemma = lemmatiser(reader._trees.encoder.folder)
        cut = reader.truncated(texts)
        words = LexicalFilter(texts, cut, combiner.vectors, lemma)
        chosen = words.candidates()
    vectors = reader._near([texts[at] for at in chosen.tolist()], progress)
    assert vectors is not None  # as comparison_of has checked
    blocks = close(vectors, None, least_cosine(combiner, threshold, reader.scale))
    blocks = tracked(blocks, len(chosen), "Comparing", progress)
    found: Iterable[IntArray] = (chosen[block.pairs] for block in blocks)
    if words is not None:
        found = (
            pairs[np.array([not words.apart(one, two) for one, two in pairs.tolist()], bool)]
            for pairs in found
        )
    return gathered(found)


def difference_between(compared: Compared, reworded: bool) -> str | None:
    """Return a short description of what separates two records, or None; ``reworded`` allows other
    words and another order.
    """
    for edit in compared.edits:
        if edit.kind.separates:
            return edit.kind.value
    first, second = compared.words1, compared.words2
    if CIRCUMSTANCES & (set(first.forms) ^ set(second.forms)):
        return "a condition or circumstance"
    tokens = [
        (pair, first.words[pair.first], second.words[pair.second]) for pair in compared.aligned
    ]
    for pair, one, two in tokens:
        names = "PROPN" in (first.tags[one], second.tags[two])
        if pair.relation != LexicalRelation.SAME and names and pair.similarity < SPELLED:
            return "another name"
    if reworded:
        return None
    if len(first.words) != len(second.words) or len(compared.aligned) != len(first.words):
        return "other words"
    for pair, one, two in tokens:
        if pair.relation == LexicalRelation.SAME:
            if first.forms[one] != second.forms[two] and first.lemmas[one] == second.lemmas[two]:
                return "another form"
        elif pair.relation not in RELATIONS and pair.similarity < SPELLED:
            return "other words"
    places = [pair.second for pair in sorted(compared.aligned)]
    if places != sorted(places):
        return "another order"
    if _function_words(first) != _function_words(second):
        return "other function words"
    return None


def _function_words(words: SentenceWords) -> Counter[str]:
    content = set(words.words)
    forms = (
        SPELT_OUT.get(form, form)
        for at, form in enumerate(words.forms)
        if at not in content and any(map(str.isalnum, form))
    )
    return Counter(form for form in forms if form not in UNINFORMATIVE)


def duplicate_pairs(
    combiner: HybridCombiner, batch: Batch, threshold: float, probability: float, reworded: bool
) -> tuple[list[DuplicatePair | None], list[int]]:
    """Find the duplicates of a batch, and the places of pairs that cannot be compared. The first
    sentence of each pair is kept.
    """
    compared = combiner.compared(batch)
    scores = combiner.scores_of(batch, compared)
    found: list[DuplicatePair | None] = [None] * len(compared)
    places = [
        at
        for at, one in enumerate(compared)
        if one is not None and scores[at] >= threshold and difference_between(one, reworded) is None
    ]
    left = replace(batch, pairs=[batch.pairs[at] for at in places])
    chosen = [compared[at] for at in places]
    derived = derivations(left, chosen)
    features = observe_batch(left, chosen, derived)
    same = probabilities_of(left, features)[:, LABELS.index(Label.SAME)] if places else ()
    for at, one, made, is_same in zip(places, chosen, derived, same, strict=True):
        if one is not None and is_same >= probability:
            why = reasons(Label.SAME, batch, batch.pairs[at], one, made)
            found[at] = DuplicatePair(float(scores[at]), float(is_same), " ".join(why))
    return found, [at for at, one in enumerate(compared) if one is None]


Compare = Callable[[Sequence[tuple[int, int]]], tuple[list[DuplicatePair | None], list[int]]]


def decided(
    pairs: IntArray, compare: Compare
) -> Iterator[tuple[int, list[tuple[int, int, DuplicatePair]], set[int]]]:
    """Decide candidates (p, 2), the lower number first, because that record takes precedence.

    In each round, records without undecided predecessors are kept, and compared with their
    candidates. Yield the number of decided records, the dropped ones (record, kept record, reason),
    and those that cannot be compared.
    """
    records, numbered = np.unique(pairs, return_inverse=True)
    edges = numbered.reshape(-1, 2)
    kept, gone = np.zeros(len(records), bool), np.zeros(len(records), bool)
    while len(edges):
        before = int(kept.sum() + gone.sum())
        waits = np.zeros(len(records), bool)
        waits[edges[:, 1]] = True
        kept |= ~waits & ~gone
        now = kept[edges[:, 0]]
        best: dict[int, tuple[float, int, DuplicatePair]] = {}
        unread: set[int] = set()
        tested, edges = records[edges[now]], edges[~now]
        for at in range(0, len(tested), PAIRS):
            some = list(map(tuple, tested[at : at + PAIRS].tolist()))
            found, failed = compare(some)
            unread.update(end for place in failed for end in some[place])
            for (one, two), pair in zip(some, found, strict=True):
                if pair is not None and (two not in best or (-pair.score, one) < best[two][:2]):
                    best[two] = -pair.score, one, pair
        gone[np.searchsorted(records, list(best))] = True
        edges = edges[~gone[edges].any(axis=1)]
        dropped = [(two, one, pair) for two, (_, one, pair) in best.items()]
        yield int(kept.sum() + gone.sum()) - before, dropped, unread
