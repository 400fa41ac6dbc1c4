"""Words in another order, where no relation covers them."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from hybridsem.comparison.edits import GOVERNORS, SURE, Evidence, Kind, Words
from hybridsem.comparison.exchange import exchange
from hybridsem.comparison.flows import Flow, balanced_flow
from hybridsem.comparison.pair import Draft, Pair
from hybridsem.comparison.sentence import Attachment, Sentence

ARGUMENTS = frozenset({"NOUN", "PROPN", "PRON", "VERB"})
VERBAL = frozenset({"VERB", "AUX"})
SEPARATORS = frozenset({"while", "whereas", ";"})
"""Tokens between clauses that act as a conjunction does."""
RESPECTIVELY = "respectively"
FAR = 20
"""The distance that a coordinator adds."""
PLACES = frozenset({Evidence.PLACE, Evidence.ORDER})
STRONG = frozenset({Kind.ROLE, Kind.ROLE_ABSTRACT, Kind.GOVERNOR, Kind.CROSSED})
"""Edits of displaced words that stay if parts exchanged their places."""
RELATING = frozenset({Kind.PREPOSITION_OPPOSED, *GOVERNORS})
"""Edits that describe an exchange: "from Oslo to Rome", "a red car and a blue house"."""
ENOUGH = 0.25
"""The mass of such edits from which an exchange adds nothing."""
LEAST_EXCHANGED = 0.15
"""The least mass of a part that exchanged its place: a letter or a pronoun is as much a participant
as a noun.
"""
PRO_FORMS = frozenset({"one", "do", "so"})
"""Pro-forms, which replace a word of the other half of a coordination."""


class Conjuncts(NamedTuple):
    """Pairs of two conjuncts that are paired differently, and whether both sentences have the same
    conjuncts in another order.
    """

    crossed: list[int]
    reordered: bool = False


def conjuncts(pair: Pair) -> Conjuncts:
    """Compare the halves of a coordination, whatever the parse of an ellipsis: "Ann played the
    flute and Ben the drums".
    """
    halves1 = _halves(pair.first.sentence) if pair.same_words else []
    halves2 = _halves(pair.second.sentence) if halves1 else []
    if not halves2:
        return Conjuncts([])
    lemmas, tags = pair.first.sentence.word_lemmas, pair.first.sentence.word_tags
    stay: list[int] = []
    cross: list[int] = []
    for n, one in enumerate(pair.aligned):
        if lemmas.count(lemmas[one.first]) == 1 and lemmas[one.first] not in PRO_FORMS:
            (stay if halves1[one.first] == halves2[one.second] else cross).append(n)
    moved, others = (stay, cross) if len(stay) < len(cross) else (cross, stay)
    (left, right), anchors = (
        [
            [i for i in (pair.first.positions[n] for n in some) if halves1[i] == half]
            for half in (0, 1)
        ]
        for some in (moved, others)
    )
    if not all(anchors):
        return Conjuncts([])
    if left and right:
        # "Ann and Ben" in the other order is no exchange.
        adjacent = {*left, *right} == set(range(min(left), max(right) + 1))
        common = {tags[i] for i in left} & {tags[i] for i in right}
        crossed = [n for n in moved if tags[pair.aligned[n].first] in common]
        return Conjuncts([] if adjacent else crossed)
    if others is not cross:
        return Conjuncts([])
    order = [pair.aligned[n][:2] for n in others]
    kept = all(
        (i < i2) == (j < j2)
        for (i, j), (i2, j2) in combinations(order, 2)
        if halves1[i] == halves1[i2]
    )
    return Conjuncts([], kept)


def _halves(sentence: Sentence) -> list[int]:
    """Return the side of the only coordinator, 0 or 1, that each content word is on. The result is
    empty unless there is exactly one, with two words on either side, the first of which is not a
    verb; a verb may begin the sentence if the second half has none: "leave him the key and me the
    dog".
    """
    breaks = [
        at
        for at, (lemma, tag) in enumerate(zip(sentence.lemmas, sentence.tags, strict=True))
        if tag == "CCONJ" or lemma in SEPARATORS
    ]
    commas = [at for at, form in enumerate(sentence.forms) if form == "," and at + 1 not in breaks]
    if len(breaks) != 1 or commas:
        return []
    halves = [int(token > breaks[0]) for token in sentence.words]
    second = halves.index(1) if 1 in halves else 0
    if not 2 <= second <= len(halves) - 2:
        return []
    tags = sentence.word_tags
    firsts = {tags[second]}
    if tags[0] != "VERB" or not VERBAL.isdisjoint(tags[second:]):
        firsts.add(tags[0])
    return [] if firsts & {*VERBAL, "ADV"} else halves


def crossed_lists(draft: Draft) -> None:
    """Add words of lists that are paired differently: "Ann and Ben won gold and silver
    respectively".

    The same pairs in another order are no difference.
    """
    pair = draft.pair
    if not pair.same_words or RESPECTIVELY not in pair.first.lemmas:
        return
    paired1, paired2 = _paired_lists(pair.first.sentence), _paired_lists(pair.second.sentence)
    if not paired1 or not paired2:
        return
    partner = {one.first: one.second for one in pair.aligned}
    number = {one.first: n for n, one in enumerate(pair.aligned)}
    for i, others in paired1.items():
        if {partner[other] for other in others} != paired2.get(partner[i]):
            n = number[i]
            draft.change(Kind.CROSSED, n, pair.shares[n], pair.words(n), event=(Kind.CROSSED,))


def _paired_lists(sentence: Sentence) -> dict[int, set[int]]:
    """Map the items of lists that "respectively" pairs to the items of the other lists; empty
    unless there are several lists of one length.
    """
    if RESPECTIVELY not in sentence.lemmas:
        return {}
    lists: dict[tuple[Attachment, ...], list[int]] = {}
    for i, (places, coordinated) in enumerate(
        zip(sentence.places, sentence.coordinated, strict=True)
    ):
        if coordinated and places:
            lists.setdefault(places, []).append(i)
    several = [some for some in lists.values() if len(some) > 1]
    if len(several) < 2 or len({*map(len, several)}) > 1:
        return {}
    rows = [*zip(*several, strict=True)]
    return {i: {*row} - {i} for row in rows for i in row}


def crossed_numbers(draft: Draft) -> None:
    """Add nouns that go with each other's numbers, whatever the parse of an ellipsis: "to Rome in
    1876, and to Oslo in 1887". This applies only if no other edit has found displaced words.
    """
    pair = draft.pair
    if not pair.same_words or any(edit.kind.evidence in PLACES for edit in draft.edits):
        return
    sides = [_numbers_of_nouns(this.sentence) for this, _ in pair.sides]
    ways: dict[tuple[float, float], list[int]] = {}
    for n, one in enumerate(pair.aligned):
        before, after = sides[0].get(one.first), sides[1].get(one.second)
        if before is not None and after is not None and before != after:
            ways.setdefault((before, after), []).append(n)
    for (before, after), moved in ways.items():
        for n in moved if (after, before) in ways else ():
            draft.change(
                Kind.CROSSED, n, pair.shares[n], pair.words(n), event=(Kind.CROSSED, "number")
            )


def _numbers_of_nouns(sentence: Sentence) -> dict[int, float]:
    """Map the nouns of a sentence to their nearest numbers; a coordinator or comma between them
    adds distance.
    """
    forms = sentence.word_forms
    numbered = [one for one in sentence.numbered if forms[one[0]][0].isdigit()]
    if len(numbered) < 2 or len({number for _, number in numbered}) < len(numbered):
        return {}
    ends = [0.0]
    for at, tag in enumerate(sentence.tags):
        divides = tag == "CCONJ" or sentence.lemmas[at] in SEPARATORS
        far = FAR if divides else FAR / 2 if sentence.forms[at] == "," else 1
        ends.append(ends[-1] + far)
    found = {}
    for i, token in enumerate(sentence.words):
        if sentence.tags[token] in ("NOUN", "PROPN") and i not in dict(numbered):
            near = sorted(
                (abs(ends[token] - ends[sentence.words[j]]), number) for j, number in numbered
            )
            if near[0][0] < near[1][0]:
                found[i] = near[0][1]
    return found


def crossed_words(draft: Draft) -> None:
    """Add words that changed places around a third word, each with the preposition that the other
    had, whatever the parse: subject and object, two subjects, or "of Ann" and "of Ben".
    """
    pair = draft.pair
    if not pair.same_words:
        return
    first, second = pair.first.sentence, pair.second.sentence
    partners = sorted([(*one[:2], n) for n, one in enumerate(pair.aligned)])
    order = [j for _, j, _ in partners]
    if order == sorted(order) or _sorted_words(first) != _sorted_words(second):
        return
    lemmas, tags = first.word_lemmas, first.word_tags
    symmetric = pair.names.keys() - pair.converses
    ends = [
        i
        for i, _, n in partners
        if tags[i] in ARGUMENTS
        and lemmas.count(lemmas[i]) == 1
        and not first.coordinated[i]
        and symmetric.isdisjoint(above for _, above in pair.first.heads(n) & pair.second.heads(n))
    ]
    before = [_preposition_before(first, token) for token in first.words]
    after = [_preposition_before(second, second.words[j]) for j in order]
    for i, j in combinations(ends, 2):
        if tags[i] == tags[j] and before[i] == after[j] and before[j] == after[i]:
            between = (k for k in range(i + 1, j) if order[j] < order[k] < order[i])
            divided = any(_divides(pair, k, order[k]) for k in between)
            for n in (partners[i][2], partners[j][2]) if divided else ():
                event = (Kind.CROSSED, i, j)
                draft.change(Kind.CROSSED, n, pair.shares[n], pair.words(n), event=event)


def _preposition_before(sentence: Sentence, token: int) -> str | None:
    """Return the preposition before a noun phrase, by word order alone."""
    before = sentence.tokens_before(token)
    return next((sentence.lemmas[at] for at in before if sentence.tags[at] == "ADP"), None)


def _divides(pair: Pair, i: int, j: int) -> bool:
    """Test if the meaning changes if words change places around this one: it is not part of
    a list, and not a symmetric predicate.
    """
    first, second = pair.first.sentence, pair.second.sentence
    lemma, tag = first.word_lemmas[i], first.word_tags[i]
    listed = tag != "VERB" and (first.coordinated[i] or second.coordinated[j])
    symmetric = tag == "VERB" and pair.lexicon.symmetries(lemma, tag)
    return not listed and not symmetric and first.word_lemmas.count(lemma) == 1


def _sorted_words(sentence: Sentence) -> list[str]:
    return sorted(form for form in sentence.forms if any(map(str.isalnum, form)))


def exchanged_parts(draft: Draft) -> None:
    """Add parts that exchanged their places by the words alone. They replace edits of displaced
    words that are less certain or cost less, because they are the same event.
    """
    pair = draft.pair
    strong = sum(e.mass for e in draft.edits if e.kind in STRONG and e.confidence > SURE)
    if strong >= ENOUGH:
        return
    found = exchange(pair.first.sentence, pair.second.sentence, pair.lexicon)
    told = {
        at
        for edit in draft.edits
        if edit.kind in RELATING and edit.confidence > SURE
        for at in edit.before.tokens
        if edit.kind is Kind.PREPOSITION_OPPOSED or pair.first.tags[at] == "ADJ"
    }
    if found and told.issuperset(at for part in found for at in part[0]):
        return
    if found:
        kept = (e for e in draft.edits if e.kind.evidence not in PLACES or e.kind in STRONG)
        draft.edits = list(kept)
    for tokens1, tokens2 in found or ():
        words = Words(tuple(tokens1)), Words(tuple(tokens2))
        weights = pair.first.sentence.word_weights
        position = pair.first.sentence.position
        mass = sum(weights[position[at]] for at in tokens1 if at in position) / pair.size
        draft.add(Kind.CROSSED, max(mass, LEAST_EXCHANGED), words, event=(Kind.CROSSED, "parts"))


def neighbours(draft: Draft, kept: set[int]) -> None:
    """Add words that exchanged the word before or after them, where no relation covers them."""
    pair = draft.pair
    first, second = pair.first, pair.second
    around1, around2 = ("", *first.sentence.forms, ""), ("", *second.sentence.forms, "")
    before: list[Flow] = []
    after: list[Flow] = []
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        if n in kept or (not first.places[n] and not second.places[n]):
            continue
        if first.sentence.coordinated[one.first] and second.sentence.coordinated[one.second]:
            continue
        amount = share * one.similarity
        for flows, shift in ((before, 0), (after, 2)):
            near1, near2 = around1[first.tokens[n] + shift], around2[second.tokens[n] + shift]
            if near1 != near2:
                flows.append(Flow(n, near1, near2, amount))
    balanced_flow(draft, (Kind.WORD_ORDER,), before)
    balanced_flow(draft, (Kind.WORD_ORDER,), after)
