"""Records with the same meaning as a kept one.

Dropping needs proof. Unless ``reworded`` is set, a record is a duplicate only if every difference
between it and a kept one is known not to matter (``english/harmless.py``); anything unknown keeps
both. With ``reworded``, the judge decides on pairs with the same figures and signs, if there is no
edit that separates records: exchanged roles, another name, a negation, opposites, another
quantity, modality or condition. In both cases the pair must reach the threshold.

Each dropped record is a duplicate of a kept one, never of a dropped one, so meaning does not drift
along a chain. A record is kept if it is a duplicate of no record kept before it.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from hybridsem._typing import IntArray
from hybridsem._utils.progress import counter, tracked
from hybridsem._utils.validation import check_threshold, usable_texts
from hybridsem.combiners.base import Batch
from hybridsem.combiners.hybrid import Compared, HybridCombiner
from hybridsem.combiners.passages import scores_of
from hybridsem.english.harmless import (
    AGREEING,
    SYNONYMS,
    Statement,
    bases,
    joined,
    matched,
    proof,
    statement,
    word_match,
)
from hybridsem.english.lexicon import LexicalRelation, lexicon
from hybridsem.english.written import UnitKind
from hybridsem.errors import InputError
from hybridsem.facts.reading import canonical, read_facts
from hybridsem.judge.derivation import derivations
from hybridsem.judge.features import observe_batch
from hybridsem.judge.judgement import comparison_of, probabilities_of
from hybridsem.judge.labels import LABELS, Label
from hybridsem.judge.reasons import reasons
from hybridsem.reader import Reader
from hybridsem.search.close_pairs import close, gathered, least_cosine

KEEP = ("first", "longest")  # the record of a group to keep
LEAST, LEAST_REWORDED = 0.8, 0.9
"""The least scores, without and with rewording: proven pairs are seldom below."""
REWORDED = 0.8
"""The least probability of ``same`` with rewording, chosen on development pairs."""
CIRCUMSTANCES = frozenset(
    {
        *("if", "unless", "whether", "until", "till", "although", "though", "because", "while"),
        *("when", "before", "after", "since", "where", "why", "how"),
    }
)
"""Words that distinguish records if only one has them."""
SPELLED = 0.85  # the least similarity of two spellings of one name
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

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return self._asdict()


@dataclass(frozen=True)
class Group:
    """A kept record and its dropped duplicates."""

    kept: int
    dropped: tuple[Dropped, ...]

    def to_dict(self) -> dict[str, object]:
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
    sentences: Iterable[object],
    threshold: float | None,
    probability: float | None,
    keep: str,
    reworded: bool,
    on_error: str,
    progress: bool,
) -> Duplicates:
    """Implement :meth:`hybridsem.Pipeline.deduplicate`, with its arguments."""
    if threshold is None:
        threshold = LEAST_REWORDED if reworded else LEAST
    if probability is None:
        probability = REWORDED if reworded else 0.0
    _check(threshold, probability, keep)
    combiner = comparison_of(reader)
    texts, numbers = usable_texts(sentences, "sentence", on_error)
    texts = reader.parts.plain(texts)
    places, copies = _distinct(texts, keep)
    same_text = DuplicatePair(1.0, 1.0, "the same text")
    pairs_of = {numbers[at]: (numbers[kept], same_text) for at, kept in copies.items()}
    distinct, own = [texts[at] for at in places], reader.for_call()

    def compare(pairs: Sequence[tuple[int, int]]) -> tuple[list[DuplicatePair | None], list[int]]:
        given = [(distinct[one], distinct[two]) for one, two in pairs]
        found, failed = duplicate_pairs(
            combiner, own.batch(given), threshold, probability, reworded
        )
        if failed and on_error == "fail":
            one, two = (numbers[places[at]] for at in pairs[failed[0]])
            raise own.failure(given[failed[0]], f"sentences {one} and {two}: ", (one, two))
        return found, failed

    pairs = _candidates(own, distinct, threshold, reworded, progress)
    unread: set[int] = set()
    with counter("Judging", len(np.unique(pairs)), progress) as advance:
        for records, dropped, failed in decided(pairs, compare):
            for two, one, pair in dropped:
                pairs_of[numbers[places[two]]] = numbers[places[one]], pair
            unread |= {numbers[places[at]] for at in failed}
            advance(records)
    kept = tuple(number for number in numbers if number not in pairs_of)
    return Duplicates(kept, _groups(pairs_of), tuple(sorted(unread)))


def _check(threshold: float, probability: float, keep: str) -> None:
    """Raise :class:`InputError` for settings that cannot be used."""
    check_threshold(threshold)
    if not isinstance(probability, (int, float)) or not 0 <= probability <= 1:
        raise InputError(f"a probability is a number in [0, 1], got {probability!r:.80}")
    if keep not in KEEP:
        raise InputError(f"keep is one of {', '.join(KEEP)}; got {keep!r:.80}")


def _distinct(texts: Sequence[str], keep: str) -> tuple[list[int], dict[int, int]]:
    """Return the places of different texts, in the order of precedence, and the kept text of each
    that is the same but for spaces.
    """
    plain = [" ".join(unicodedata.normalize("NFC", text).split()) for text in texts]
    order = sorted(range(len(texts)), key=lambda at: -len(plain[at]) if keep == "longest" else 0)
    first: dict[str, int] = {}
    kept = {at: first.setdefault(plain[at], at) for at in order}
    return [*first.values()], {at: one for at, one in kept.items() if one != at}


def _groups(pairs_of: Mapping[int, tuple[int, DuplicatePair]]) -> tuple[Group, ...]:
    """Return the groups of dropped records, each with its partner and their pair."""
    groups: dict[int, list[Dropped]] = {}
    for number, (partner, pair) in sorted(pairs_of.items()):
        # The copy of a dropped text has the partner of that text.
        partner, pair = pairs_of.get(partner, (partner, pair))
        groups.setdefault(partner, []).append(Dropped(number, partner, *pair))
    return tuple(Group(kept, tuple(groups[kept])) for kept in sorted(groups))


def _candidates(
    reader: Reader, texts: Sequence[str], threshold: float, reworded: bool, progress: bool
) -> IntArray:
    """Return the pairs of texts that may be duplicates, (p, 2), the lower number first."""
    if not reworded:
        return proven_pairs([*map(canonical, texts)], progress)
    combiner = comparison_of(reader)
    groups: defaultdict[object, list[int]] = defaultdict(list)
    for at, text in enumerate(texts):
        groups[figures_of(text)].append(at)
    shared = [np.array(group) for group in groups.values() if len(group) > 1]
    chosen = np.concatenate([np.empty(0, np.int64), *shared])
    vectors = reader.near([texts[at] for at in chosen.tolist()], progress)
    assert vectors is not None  # as comparison_of has checked
    least = least_cosine(combiner, threshold, reader.parts.scale)
    ends = np.cumsum([*map(len, shared)])

    def found() -> Iterator[IntArray]:
        groups = zip(shared, ends.tolist(), strict=True)
        for group, end in tracked(groups, len(shared), "Comparing", progress):
            for block in close(vectors[end - len(group) : end], None, least):
                yield group[block.pairs]

    pairs = gathered(found())
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def figures_of(text: str) -> tuple[str, ...]:
    """Return the values, figures and signs of a text, sorted: what records in other words must
    share.

    >>> figures_of("Pay $5 on 3 May, not six dollars!")
    ('3 May', '5 dollars', '6 dollars')
    """
    facts = read_facts(text)
    starts, ends = (0, *(fact.end for fact in facts)), (*(fact.start for fact in facts), len(text))
    rest = " ".join(text[start:end] for start, end in zip(starts, ends, strict=True))
    figures = [unit.key for unit in statement(rest).units if unit.kind is not UnitKind.WORD]
    return tuple(sorted([*map(str, facts), *figures]))


def difference_between(compared: Compared) -> str | None:
    """Return a short description of what separates two records in other words, or None."""
    for edit in compared.edits:
        if edit.kind.separates:
            return edit.kind.value
    first, second = compared.words1, compared.words2
    if CIRCUMSTANCES & (set(first.forms) ^ set(second.forms)):
        return "a condition or circumstance"
    for pair in compared.aligned:
        one, two = first.words[pair.first], second.words[pair.second]
        names = "PROPN" in (first.tags[one], second.tags[two])
        if pair.relation != LexicalRelation.SAME and names and pair.similarity < SPELLED:
            return "another name"
    return None


def duplicate_pairs(
    combiner: HybridCombiner, batch: Batch, threshold: float, probability: float, reworded: bool
) -> tuple[list[DuplicatePair | None], list[int]]:
    """Find the duplicates of a batch, and the places of pairs that cannot be compared. The first
    sentence of each pair is kept.
    """
    compared = combiner.compared(batch)
    scores = combiner.scores_of(batch, compared)
    # Texts that are proven the same may be divided into other sentences.
    several = [
        at
        for at, pair in enumerate(batch.pairs if reworded else ())
        if batch.has_several(pair) and not _is_proven(batch, pair)
    ]
    if several:
        scores[several] = scores_of(combiner, batch.of_rows(several))
    found: list[DuplicatePair | None] = [None] * len(compared)
    places = [
        at
        for at, one in enumerate(compared)
        if one is not None
        and scores[at] >= threshold
        and _may_be_dropped(batch, batch.pairs[at], one, reworded)
    ]
    left = replace(batch, pairs=[batch.pairs[at] for at in places])
    chosen = [compared[at] for at in places]
    derived = derivations(chosen)
    features = observe_batch(left, chosen, derived)
    same = probabilities_of(left, features)[:, LABELS.index(Label.SAME)] if places else ()
    for at, one, made, is_same in zip(places, chosen, derived, same, strict=True):
        if one is not None and is_same >= probability:
            why = reasons(Label.SAME, batch, batch.pairs[at], one, made)
            found[at] = DuplicatePair(float(scores[at]), float(is_same), " ".join(why))
    return found, [at for at, one in enumerate(compared) if one is None]


def _is_proven(batch: Batch, pair: tuple[int, int]) -> bool:
    """Test if every difference of two records is known not to matter."""
    first, second = (canonical(batch.sentences[at]) for at in pair)
    return proof(first, second) is not None


def _may_be_dropped(
    batch: Batch, pair: tuple[int, int], compared: Compared, reworded: bool
) -> bool:
    """Test if two records are proven to be the same, or, if ``reworded``, nothing separates them
    but their words, and both were read to their end.
    """
    if _is_proven(batch, pair):
        return True
    first, second = (batch.sentences[at] for at in pair)
    alike = reworded and figures_of(first) == figures_of(second)
    return alike and not batch.cut(pair) and difference_between(compared) is None


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


# -- the pairs of texts that say the same by their wording
#
# Texts that match (``english/harmless.py``) have the same number of units, the same figures and
# signs in order, and at each place the same or a matching word. So texts are put into groups by
# what must be equal, and within a group each text is compared with those that have a matching word
# at its rarest place. No text is parsed or encoded.


def proven_pairs(texts: Sequence[str], progress: bool = False) -> IntArray:
    """Return the pairs of texts that differ in harmless ways alone, (p, 2), the lower number first.

    Raises :class:`InputError` for more than can be held in memory.
    """
    read = [statement(text) for text in texts]
    groups: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    words = [_joined_keys(one) for one in read]
    for at, one in enumerate(read):
        if one.units:
            # The wording of both asks or not, and has the same figures and signs in order.
            figures = (unit.key for unit in one.units if unit.kind is not UnitKind.WORD)
            groups[(len(words[at]), one.question, *figures)].append(at)
    shared = [group for group in groups.values() if len(group) > 1]
    like = _matching_words({word for group in shared for at in group for word in words[at]})

    def found() -> Iterator[IntArray]:
        for group in tracked(shared, len(shared), "Comparing", progress):
            pairs = [
                (group[i], group[j])
                for i, j in _alike([words[at] for at in group], like)
                if matched(read[group[i]], read[group[j]]) is not None
            ]
            yield np.array(pairs, np.int64).reshape(-1, 2)

    pairs = gathered(found())
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _joined_keys(read: Statement) -> list[str]:
    """Return the keys of units, those that are one word ("web site") as one."""
    keys, at = [], 0
    while at < len(read.units):
        whole = joined(read.units, at)
        keys.append(whole or read.units[at].key)
        at += 2 if whole else 1
    return keys


def _matching_words(words: Iterable[str]) -> dict[str, set[str]]:
    """Return the words that may match each word; words without a match are left out."""
    like: defaultdict[str, set[str]] = defaultdict(set)
    of_base: defaultdict[str, list[str]] = defaultdict(list)
    known = set(words)
    for word in known:
        for base in bases(word):
            of_base[base].append(word)
    pairs = {pair for group in of_base.values() for pair in combinations(sorted(group), 2)}
    lemmas = list(of_base)
    for one, two in lexicon().alike(lemmas, SYNONYMS):
        pairs |= {
            (min(word1, word2), max(word1, word2))
            for word1 in of_base[lemmas[one]]
            for word2 in of_base[lemmas[two]]
            if word1 != word2
        }
    agreeing = {tuple(sorted(pair)) for pair in AGREEING if len(pair) == 2 and pair <= known}
    for word1, word2 in pairs | agreeing:
        if word_match(word1, word2) is not None:
            like[word1].add(word2)
            like[word2].add(word1)
    return dict(like)


def _alike(rows: Sequence[Sequence[str]], like: dict[str, set[str]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of equally long rows whose words match at every place."""
    at_place: list[defaultdict[str, list[int]]] = [defaultdict(list) for _ in range(len(rows[0]))]
    for at, row in enumerate(rows):
        for place, word in enumerate(row):
            at_place[place][word].append(at)
    nothing: set[str] = set()
    for at, row in enumerate(rows):
        rarest, least = 0, len(rows) + 1
        for place, word in enumerate(row):
            there = at_place[place]
            reach = sum(len(there.get(one, ())) for one in (word, *like.get(word, nothing)))
            if reach < least:
                rarest, least = place, reach
        there, word = at_place[rarest], row[rarest]
        for form in (word, *like.get(word, nothing)):
            for other in there.get(form, ()):
                if other > at and all(
                    one == two or two in like.get(one, nothing)
                    for one, two in zip(row, rows[other], strict=True)
                ):
                    yield at, other
