"""What two aligned sentences differ in: named terms, each with the words that it comes from.

A term's amount is the sum over its differences. Most are shares of the two sentences' words, by
weight, so that 1 is all of them; opposed function words and the like count 1 each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._utils.assignment import assignment
from hybridsem.combiners.alignment import align_roles
from hybridsem.combiners.base import ROUNDING
from hybridsem.combiners.comparison.alignment import OPPOSED, AlignedWords, Alignment
from hybridsem.combiners.comparison.reading import Place, SentenceWords, informativeness
from hybridsem.english.function_words import FUNCTION_CLASSES, alike, opposed
from hybridsem.english.lexicon import LexicalRelation, Lexicon
from hybridsem.english.predicate_forms import COMPARISON
from hybridsem.structures import Role

__all__ = ["CERTAINTY", "COLUMNS", "TERMS", "Difference", "Known", "differences"]

ALIKE = frozenset({LexicalRelation.SAME, LexicalRelation.SYNONYM, LexicalRelation.DERIVED})
OF = frozenset({"of", "'s", "’s", "s"})
ROLES = frozenset(map(str, Role))
NOUNS = frozenset({"NOUN", "PROPN"})
WITHIN = 0.5
"""What a word within a phrase counts in the phrase's role, beside the head."""
DEEPEST = 20
OTHERS = "others"
KINDS = ("names", "nouns", "verbs", "qualities")
"""Kinds of words, beside the others."""
ONLY_ALIKE = ("qualities", OTHERS)
"""Kinds of which partners differ where they are only alike."""
NOMINAL = frozenset({"nmod", "compound", "amod", "nummod"})
"""Relations within a noun phrase."""
EITHER = "either"
"""The name of the places of a symmetric predicate."""
CLAUSE_BONUS = 0.2
"""What speaks for the main clauses of two sentences being partners."""

Cluster = tuple[str, object]


class Difference(NamedTuple):
    """A difference: its term, how much it is, what stands in either sentence (None: nothing)."""

    term: str
    amount: float
    text1: str | None
    text2: str | None


class _Form(NamedTuple):
    """What places of a predicate are called, in the first sentence and in the second; whether these
    have converse predicates.
    """

    first: Mapping[str, str]
    second: Mapping[str, str]
    converse: bool


def _participants(sentence: SentenceWords) -> dict[int, set[str]]:
    """Where in the syntax each governor has words."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for places in sentence.places:
        for place in places:
            found[place.governor].add(place.syntax)
    return found


class _Own(NamedTuple):
    """What the terms need of one sentence, whatever it is compared with."""

    participants: Mapping[int, set[str]]
    slots: Mapping[int, _Slot]
    main_verb: int | None


Known = dict[int, _Own]
"""What was found of sentences, by their identity, as long as they live."""


def _own(sentence: SentenceWords, known: Known) -> _Own:
    if (found := known.get(id(sentence))) is None:
        found = _Own(_participants(sentence), _slots(sentence), _main_verb(sentence))
        known[id(sentence)] = found
    return found


class _Pair:
    """Two aligned sentences, and what the terms need of them."""

    def __init__(
        self,
        first: SentenceWords,
        second: SentenceWords,
        alignment: Alignment,
        lexicon: Lexicon,
        known: Known,
    ) -> None:
        self.first, self.second, self.lexicon = first, second, lexicon
        self.own1, self.own2 = _own(first, known), _own(second, known)
        self.participants1, self.participants2 = self.own1.participants, self.own2.participants
        self.similarities = alignment.similarities
        self.aligned = alignment.pairs
        self.size = float(first.weights.sum() + second.weights.sum()) / 2
        weights1, weights2 = first.weights.tolist(), second.weights.tolist()
        self.weights1, self.weights2 = weights1, weights2
        self.shares = [
            (weights1[one.first] + weights2[one.second]) / 2 / self.size for one in self.aligned
        ]
        taken1 = {one.first for one in self.aligned}
        taken2 = {one.second for one in self.aligned}
        self.alone1 = [i for i in range(len(first.words)) if i not in taken1]
        self.alone2 = [j for j in range(len(second.words)) if j not in taken2]
        # A governor's name in both sentences: the number of the pair it is in, or its lemma.
        self.named1 = {first.words[one.first]: n for n, one in enumerate(self.aligned)}
        self.named2 = {second.words[one.second]: n for n, one in enumerate(self.aligned)}
        self.forms = [self._form(one) for one in self.aligned]
        self.converses = {n for n, form in enumerate(self.forms) if form and form.converse}
        self.kept: set[int] = set()
        self.explained: set[str] = {"if", "unless"}
        self.changed = 0.0
        self.found: list[Difference] = []

    def _form(self, one: AlignedWords) -> _Form | None:
        """How participants of one predicate stand with the other, where not as they are called."""
        token1, token2 = self.first.words[one.first], self.second.words[one.second]
        lemma1, lemma2 = self.first.lemmas[token1], self.second.lemmas[token2]
        tag1, tag2 = self.first.tags[token1], self.second.tags[token2]
        converse = self.lexicon.converse(lemma1, tag1, lemma2, tag2)
        compared = self.participants1.get(token1, set()) & self.participants2.get(token2, set())
        if converse is not None and (converse != COMPARISON or "than" in compared):
            form = _Form(
                {place: min(own) for own, _ in converse.places for place in own},
                {place: min(own) for own, other in converse.places for place in other},
                True,
            )
            if self._fits(form, token1, token2):
                return form
        if one.relation in ALIKE:
            symmetries = self.lexicon.symmetries(lemma1, tag1)
            if symmetries:
                either = {place: EITHER for one in symmetries for place in one.first | one.second}
                return _Form(either, either, False)
        return None

    def _fits(self, form: _Form, token1: int, token2: int) -> bool:
        """Whether the participants stand as converses have them, rather than as antonyms have."""
        moved = kept = 0
        for one in self.aligned:
            for place1 in self.first.places[one.first]:
                for place2 in self.second.places[one.second]:
                    if place1.governor == token1 and place2.governor == token2:
                        called = form.first.get(place1.syntax), form.second.get(place2.syntax)
                        same = place1.syntax == place2.syntax
                        moved += called[0] is not None and called[0] == called[1] and not same
                        kept += same and called[0] != called[1]
        return moved > kept

    def relations(self, n: int | None, places: Iterable[Place], second: bool) -> set[str]:
        """What the relations to a governor are called, in the terms of the first sentence; ``n`` is
        the number of the aligned governors.
        """
        form = None if n is None else self.forms[n]
        if form is None:
            return {place.relation for place in places}
        names = form.second if second else form.first
        return {names.get(place.syntax, place.syntax or place.relation) for place in places}

    def add(self, term: str, amount: float, text1: str | None, text2: str | None) -> None:
        if amount > ROUNDING:
            self.found.append(Difference(term, float(amount), text1, text2))

    def word1(self, i: int) -> str:
        return self.first.forms[self.first.words[i]]

    def lemma1(self, i: int) -> str:
        return self.first.lemmas[self.first.words[i]]

    def lemma2(self, j: int) -> str:
        return self.second.lemmas[self.second.words[j]]

    def word2(self, j: int) -> str:
        return self.second.forms[self.second.words[j]]

    def cluster1(self, token: int) -> Cluster:
        n = self.named1.get(token)
        return ("first", self.first.lemmas[token]) if n is None else ("both", n)

    def cluster2(self, token: int) -> Cluster:
        n = self.named2.get(token)
        return ("second", self.second.lemmas[token]) if n is None else ("both", n)


def differences(
    first: SentenceWords,
    second: SentenceWords,
    alignment: Alignment,
    lexicon: Lexicon,
    known: Known | None = None,
) -> list[Difference]:
    """All differences of two sentences, term by term; none for a sentence and itself.

    Args:
        first: One sentence.
        second: The other.
        alignment: Of their words.
        lexicon: Knows which predicates say the same with their participants in other places.
        known: Keeps what is found of either sentence alone, for their next comparison; both must
            live as long.
    """
    pair = _Pair(first, second, alignment, lexicon, {} if known is None else known)
    for collect in COLLECTORS:
        collect(pair)
    return pair.found


# --- words


def _words_alone(pair: _Pair) -> None:
    """Words without a partner: replaced as far as both sentences have some, else added."""
    if not pair.alone1 and not pair.alone2:
        return
    kinds: defaultdict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for i in pair.alone1:
        kinds[_kind(pair.first.tags[pair.first.words[i]])][0].append(i)
    for j in pair.alone2:
        kinds[_kind(pair.second.tags[pair.second.words[j]])][1].append(j)
    _alone(pair, "", pair.alone1, pair.alone2)
    for kind in KINDS:
        if kind in kinds:
            _alone(pair, f" {kind}", *kinds[kind])


def _alone(pair: _Pair, of_kind: str, ours: Sequence[int], theirs: Sequence[int]) -> None:
    """The terms of words without a partner, all of them or those of a kind."""
    weight1 = sum(pair.weights1[i] for i in ours)
    weight2 = sum(pair.weights2[j] for j in theirs)
    texts = _listed(map(pair.word1, ours)), _listed(map(pair.word2, theirs))
    pair.add(f"replaced{of_kind}", min(weight1, weight2) / pair.size, *texts)
    pair.add(f"added{of_kind}", abs(weight1 - weight2) / pair.size, *texts)


def _kind(tag: str) -> str:
    return {
        "PROPN": "names",
        "NOUN": "nouns",
        "VERB": "verbs",
        "AUX": "verbs",
        "ADJ": "qualities",
    }.get(tag, OTHERS)


def _listed(words: Iterable[str]) -> str | None:
    return ", ".join(words) or None


def _partners_unlike(pair: _Pair) -> None:
    """Partners that are not the same word."""
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        texts = pair.word1(one.first), pair.word2(one.second)
        numbers = pair.first.numbers[one.first], pair.second.numbers[one.second]
        if n in pair.converses:
            continue
        if one.relation == LexicalRelation.SIBLING:
            pair.add("sibling", share * one.strength, *texts)
        elif None not in numbers and numbers[0] != numbers[1]:
            pair.add("number", share * (1 - one.similarity), *texts)
        elif one.relation != LexicalRelation.ANTONYM:
            kind = _kind(pair.first.tags[pair.first.words[one.first]])
            if kind in ONLY_ALIKE:
                pair.add(f"unlike {kind}", share * (1 - one.similarity), *texts)


def _main_verbs(pair: _Pair) -> None:
    """Main verbs that have no like in the other sentence."""
    main1, main2 = pair.own1.main_verb, pair.own2.main_verb
    if main1 is not None and main2 is not None:
        like = (pair.similarities[main1].max() + pair.similarities[:, main2].max()) / 2
        pair.add("main verb", 1 - like, pair.word1(main1), pair.word2(main2))


def _main_verb(sentence: SentenceWords) -> int | None:
    """The first verb that nothing governs."""
    return next(
        (
            i
            for i, token in enumerate(sentence.words)
            if sentence.tags[token] == "VERB" and not sentence.places[i]
        ),
        None,
    )


def _numbers_missing(pair: _Pair) -> None:
    """Numbers of both sentences that are not the same, as a share of them."""
    ours = [n for n in pair.first.numbers if n is not None]
    theirs = [n for n in pair.second.numbers if n is not None]
    if ours and theirs:
        left, right = list(ours), []
        for number in theirs:
            if number in left:
                left.remove(number)
            else:
                right.append(number)
        if left and right:
            share = max(len(left), len(right)) / max(len(ours), len(theirs))
            pair.add("numbers", share, _listed(map(_number, left)), _listed(map(_number, right)))


def _number(value: float) -> str:
    return f"{value:g}"


def _before(sentence: SentenceWords, token: int) -> str:
    return sentence.forms[token - 1] if token else ""


def _after(sentence: SentenceWords, token: int) -> str:
    return sentence.forms[token + 1] if token + 1 < len(sentence.forms) else ""


# --- relations


class _Flow(NamedTuple):
    """A word that has left one place and entered another."""

    source: object
    target: object
    amount: float
    text1: str
    text2: str


def _exchanged(pair: _Pair, term: str, flows: Sequence[_Flow]) -> float:
    """Add the part of the flows that is balanced, what comes into a place against what leaves it;
    how much is not.
    """
    left: defaultdict[object, float] = defaultdict(float)
    entered: defaultdict[object, float] = defaultdict(float)
    for flow in flows:
        left[flow.source] += flow.amount
        entered[flow.target] += flow.amount
    balanced = sum(
        min(amount, entered[place]) for place, amount in left.items() if place in entered
    )
    if balanced:
        within = [flow for flow in flows if flow.target in left or flow.source in entered]
        rate = balanced / sum(flow.amount for flow in within)
        for flow in within:
            pair.add(term, rate * flow.amount, flow.text1, flow.text2)
    return sum(left.values()) - balanced


def _relations(pair: _Pair) -> None:
    """Aligned words under other governors, or in other roles under the same."""
    first, second = pair.first, pair.second
    governors: list[_Flow] = []
    roles: list[_Flow] = []
    reversals: list[tuple[int, int, _Flow]] = []
    heads1 = [{pair.cluster1(p.governor) for p in first.places[o.first]} for o in pair.aligned]
    heads2 = [{pair.cluster2(p.governor) for p in second.places[o.second]} for o in pair.aligned]
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        places1, places2 = first.places[one.first], second.places[one.second]
        amount = share * one.similarity
        same = heads1[n] & heads2[n]
        other = None if same else _reverses(n, heads1, heads2)
        if not places1 or not places2:
            if other is not None:
                _turned(pair, n, other, amount)
            continue
        word1, word2 = pair.word1(one.first), pair.word2(one.second)
        governor1, governor2 = places1[0].governor, places2[0].governor
        lemma1, lemma2 = first.lemmas[governor1], second.lemmas[governor2]
        text1 = f"{word1} ({first.forms[governor1]})"
        text2 = f"{word2} ({second.forms[governor2]})"
        if other is not None:
            reversals.append((n, other, _Flow(lemma1, lemma2, amount, text1, text2)))
            continue
        lemmas1 = {first.lemmas[place.governor] for place in places1}
        lemmas2 = {second.lemmas[place.governor] for place in places2}
        if same or lemmas1 & lemmas2:
            clusters = pair.cluster1(governor1), pair.cluster2(governor2)
            if not same and lemma1 == lemma2 and clusters[0][0] == clusters[1][0] == "both":
                # Two words of one form, each with its own partner.
                governors.append(_Flow(*clusters, amount, text1, text2))
            if same:
                governor = min(same, key=str)
                number = governor[1] if isinstance(governor[1], int) else None
                kinds1 = pair.relations(
                    number, (p for p in places1 if pair.cluster1(p.governor) == governor), False
                )
                kinds2 = pair.relations(
                    number, (p for p in places2 if pair.cluster2(p.governor) == governor), True
                )
                if kinds1 & kinds2:
                    pair.kept.add(n)
                else:
                    kind1, kind2 = min(kinds1), min(kinds2)
                    roles.append(
                        _Flow(
                            (governor, kind1),
                            (governor, kind2),
                            amount,
                            f"{word1} ({kind1})",
                            f"{word2} ({kind2})",
                        )
                    )
            if pair.named1.get(places1[0].governor) not in pair.converses:
                _prepositions(pair, one, amount)
            continue
        governors.append(_Flow(lemma1, lemma2, amount, text1, text2))
    moved = {(flow.target, flow.source) for flow in governors}
    moved |= {(flow.target, flow.source) for _, _, flow in reversals}
    for n, other, flow in reversals:
        # One that another word has come in for is exchanged with that one.
        if (flow.source, flow.target) in moved:
            governors.append(flow)
        else:
            _turned(pair, n, other, flow.amount)
    pair.changed += _exchanged(pair, "governors exchanged", governors)
    pair.changed += _exchanged(pair, "roles exchanged", roles)


def _reverses(n: int, heads1: Sequence[set[Cluster]], heads2: Sequence[set[Cluster]]) -> int | None:
    """The pair of words that govern pair ``n`` in one sentence and are governed by it in the other;
    None if there is none.
    """
    own: Cluster = ("both", n)
    for heads, others in ((heads1, heads2), (heads2, heads1)):
        for kind, m in heads[n]:
            if kind == "both" and isinstance(m, int) and own in others[m]:
                return m
    return None


def _turned(pair: _Pair, n: int, m: int, amount: float) -> None:
    """Words that govern each other the other way round: the same said otherwise ("the red car" and
    "the car is red", "A before B" and "B after A"), or not ("my father's boss").
    """
    word, other = pair.aligned[n], pair.aligned[m]
    governed = any(
        pair.cluster1(place.governor) == ("both", m) for place in pair.first.places[word.first]
    )
    below1, below2 = (word, other) if governed else (other, word)
    place1 = _place_under(pair.first.places[below1.first], pair.cluster1, m if governed else n)
    place2 = _place_under(pair.second.places[below2.second], pair.cluster2, n if governed else m)
    marker1, marker2 = (
        sentence.connectives[token] or sentence.prepositions[token]
        for sentence, token in (
            (pair.first, pair.first.words[below1.first]),
            (pair.second, pair.second.words[below2.second]),
        )
    )
    texts = (
        f"{marker1 or ''} {pair.word1(below1.first)}".strip(),
        f"{marker2 or ''} {pair.word2(below2.second)}".strip(),
    )
    if marker1 and marker2 and not {marker1, marker2} <= OF:
        if pair.lexicon.converse(marker1, "ADP", marker2, "ADP") is not None:
            pair.explained |= {marker1, marker2}
            pair.kept |= {n, m}
        else:
            if marker1 == marker2:
                pair.add("turned round", amount, *texts)
    elif place1 in NOMINAL and place2 in NOMINAL:
        pair.add("turned round", amount, *texts)
    elif place1 in NOMINAL or place2 in NOMINAL:
        pair.kept |= {n, m}


def _place_under(
    places: Iterable[Place], cluster: Callable[[int], Cluster], governor: int
) -> str | None:
    """The relation to an aligned governor."""
    return next((p.relation for p in places if cluster(p.governor) == ("both", governor)), None)


def _prepositions(pair: _Pair, one: AlignedWords, amount: float) -> None:
    preposition1 = pair.first.prepositions[pair.first.words[one.first]]
    preposition2 = pair.second.prepositions[pair.second.words[one.second]]
    if not preposition1 or not preposition2 or preposition1 == preposition2:
        return
    against = opposed(preposition1, preposition2)
    texts = (
        f"{preposition1} {pair.word1(one.first)}",
        f"{preposition2} {pair.word2(one.second)}",
    )
    pair.add("preposition opposed", amount * against, *texts)
    if not {preposition1, preposition2} & OF and not alike(preposition1, preposition2):
        pair.add("preposition changed", amount * (1 - against), *texts)


def _clauses(pair: _Pair) -> None:
    """Words in other roles of the same clause, clauses being partners by their predicates: what the
    roles are exchanged by, the predicate's own among them.
    """
    slots1, slots2 = pair.own1.slots, pair.own2.slots
    partners = _clause_partners(pair, slots1, slots2)
    called = _compatible(partners, slots1, slots2)
    heads: list[_Flow] = []
    phrases: list[_Flow] = []
    for one, share in zip(pair.aligned, pair.shares, strict=True):
        slot1, slot2 = slots1.get(one.first), slots2.get(one.second)
        if slot1 is None or slot2 is None:
            continue
        place1, place2 = slot1.place, slot2.place
        clause = partners.get(place2.governor, ("second", place2.governor))
        role1, role2 = place1.relation, called.get((place2.governor, place2.relation))
        number = pair.named1.get(place1.governor)
        aligned = number is not None and number == pair.named2.get(place2.governor)
        if aligned and number is not None and pair.forms[number] is not None:
            role1 = min(pair.relations(number, (place1,), False))
            role2 = min(pair.relations(number, (place2,), True))
        if (place1.governor, role1) != (clause, role2 or place2.relation):
            amount = share * one.similarity * (slot1.weight + slot2.weight) / 2
            text1 = f"{pair.word1(one.first)} ({place1.relation})"
            text2 = f"{pair.word2(one.second)} ({place2.relation})"
            target = clause, role2 or place2.relation
            flows = heads if slot1.weight == slot2.weight == 1 else phrases
            flows.append(_Flow((place1.governor, role1), target, amount, text1, text2))
    _exchanged(pair, "clause roles exchanged", heads)
    _exchanged(pair, "phrases exchanged", phrases)


def _compatible(
    partners: Mapping[int, int], slots1: Mapping[int, _Slot], slots2: Mapping[int, _Slot]
) -> dict[tuple[int, str], str]:
    """What the roles of the second sentence's clauses are called in their partners: a role that
    only one of them has is paired with a compatible one that only the other has.
    """
    roles1: defaultdict[int, dict[str, None]] = defaultdict(dict)
    roles2: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for slots, roles in ((slots1, roles1), (slots2, roles2)):
        for slot in slots.values():
            roles[slot.place.governor][slot.place.relation] = None
    return {
        (clause2, role2): role1
        for clause2, clause1 in partners.items()
        for role1, role2, _ in align_roles(roles1[clause1], roles2[clause2])
    }


class _Slot(NamedTuple):
    """Where a word stands in a clause, and what it counts there."""

    place: Place
    weight: float


def _slots(sentence: SentenceWords) -> dict[int, _Slot]:
    """The place in a clause, whose predicate is the governor, of each word that has a role there,
    itself or, at less weight, by the phrase that it is in.
    """
    slots: dict[int, _Slot] = {}
    position = {token: i for i, token in enumerate(sentence.words)}
    for i, places in enumerate(sentence.places):
        role = next(
            (
                place
                for place in places
                if place.relation in ROLES and _is_clause(sentence, position, place.governor)
            ),
            None,
        )
        if role is not None:
            slots[i] = _Slot(role, 1.0)
    for clause in {slot.place.governor for slot in slots.values()}:
        if clause in position:
            place = Place(clause, str(Role.VERB), str(Role.VERB))
            slots[position[clause]] = _Slot(place, 1.0)
    within: dict[int, _Slot] = {}
    for i in range(len(sentence.words)):
        above: int | None = i
        for _ in range(DEEPEST):
            if above is None or above in slots or not sentence.places[above]:
                break
            above = position.get(sentence.places[above][0].governor)
        if above is not None and above != i and above in slots:
            within[i] = _Slot(slots[above].place, WITHIN)
    return slots | within


def _is_clause(sentence: SentenceWords, position: Mapping[int, int], predicate: int) -> bool:
    """Whether a predicate has a clause: not so a noun within a phrase."""
    at = position.get(predicate)
    return sentence.tags[predicate] not in NOUNS or at is None or not sentence.places[at]


def _clause_partners(
    pair: _Pair, slots1: Mapping[int, _Slot], slots2: Mapping[int, _Slot]
) -> dict[int, int]:
    """The clause of the first sentence that each of the second has as its partner."""
    clauses1 = sorted({slot.place.governor for slot in slots1.values()})
    clauses2 = sorted({slot.place.governor for slot in slots2.values()})
    if not clauses1 or not clauses2:
        return {}
    if len(clauses1) == len(clauses2) == 1:
        return {clauses2[0]: clauses1[0]}
    position1 = {token: i for i, token in enumerate(pair.first.words)}
    position2 = {token: j for j, token in enumerate(pair.second.words)}
    gain = np.zeros((len(clauses1), len(clauses2)))
    for a, clause1 in enumerate(clauses1):
        for b, clause2 in enumerate(clauses2):
            i, j = position1.get(clause1), position2.get(clause2)
            if i is not None and j is not None:
                gain[a, b] = pair.similarities[i, j]
                gain[a, b] += CLAUSE_BONUS * (
                    not pair.first.places[i] and not pair.second.places[j]
                )
            gain[a, b] += 1e-3 * (a == b)
    return {clauses2[b]: clauses1[a] for a, b in assignment(gain)}


def _neighbours(pair: _Pair) -> None:
    """Words that have exchanged what stands before, or behind, them, where the relations do not
    say that they have kept their places.
    """
    first, second = pair.first, pair.second
    before: list[_Flow] = []
    after: list[_Flow] = []
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        if n in pair.kept or (not first.places[one.first] and not second.places[one.second]):
            continue
        if first.coordinated[one.first] and second.coordinated[one.second]:
            continue
        amount = share * one.similarity
        token1, token2 = first.words[one.first], second.words[one.second]
        for flows, beside in ((before, _before), (after, _after)):
            near1, near2 = beside(first, token1), beside(second, token2)
            if near1 != near2:
                texts = pair.word1(one.first), pair.word2(one.second)
                flows.append(_Flow(near1, near2, amount, *texts))
    _exchanged(pair, "words before exchanged", before)
    _exchanged(pair, "words after exchanged", after)


# --- function words


def _said_of_words(pair: _Pair) -> None:
    """What function words say of partners: negation, modality, quantity, connection."""
    first, second = pair.first, pair.second
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        token1, token2 = first.words[one.first], second.words[one.second]
        word1, word2 = first.forms[token1], second.forms[token2]
        if (first.negations[token1] - second.negations[token2]) % 2:
            anti = one.relation == LexicalRelation.ANTONYM
            not1, not2 = (
                f"not {word}" if negated % 2 else word
                for word, negated in (
                    (word1, first.negations[token1]),
                    (word2, second.negations[token2]),
                )
            )
            if not anti:
                pair.add("polarity", share, not1, not2)
        elif one.relation == LexicalRelation.ANTONYM and n not in pair.converses:
            pair.add("opposed", share * one.strength, word1, word2)
            pair.add("opposites", one.strength, word1, word2)
        modal1, modal2 = first.modals[token1], second.modals[token2]
        if modal1 != modal2:
            amount = opposed(modal1, modal2) if modal1 and modal2 else 0.3
            pair.add("modality", amount, _with(modal1, word1), _with(modal2, word2))
        quantity1, quantity2 = first.quantifiers[token1], second.quantifiers[token2]
        if quantity1 != quantity2:
            amount = opposed(quantity1, quantity2) if quantity1 and quantity2 else 0.2
            pair.add("quantity", amount, _with(quantity1, word1), _with(quantity2, word2))
        mark1, mark2 = first.connectives[token1], second.connectives[token2]
        if mark1 and mark2 and mark1 != mark2:
            against = opposed(mark1, mark2)
            pair.add("connective opposed", against, f"{mark1} {word1}", f"{mark2} {word2}")


def _with(function_word: str | None, word: str) -> str:
    return f"{function_word} {word}" if function_word else word


def _function_words(pair: _Pair) -> None:
    """Function words of one sentence that are opposed to some of the other's."""
    explained = pair.explained
    if pair.converses:
        explained = explained | {place for n in pair.converses for place in _called(pair.forms[n])}
    ours = pair.first.function_words - pair.second.function_words - explained
    theirs = pair.second.function_words - pair.first.function_words - explained
    for word1 in sorted(ours):
        best = max(((opposed(word1, word2), word2) for word2 in theirs), default=(0.0, ""))
        pair.add("function words opposed", best[0], word1, best[1])
    antonyms = sum(
        one.relation == LexicalRelation.ANTONYM and n not in pair.converses
        for n, one in enumerate(pair.aligned)
    )
    if (pair.first.denials + pair.second.denials + antonyms) % 2:
        pair.add("odd denials", 1.0, None, None)
    if pair.first.question != pair.second.question:
        marks = ("?", ".") if pair.first.question else (".", "?")
        pair.add("question", 1.0, *marks)


def _particles(pair: _Pair) -> None:
    """Particles that are opposed: "turn it on" and "turn off", be they tagged as adverbs or not."""
    if pair.first.particles or pair.second.particles or (pair.alone1 and pair.alone2):
        ours = pair.first.particles | {pair.lemma1(i) for i in pair.alone1}
        theirs = pair.second.particles | {pair.lemma2(j) for j in pair.alone2}
        for word1 in sorted((ours - theirs) & FUNCTION_CLASSES.keys()):
            for word2 in sorted((theirs - ours) & FUNCTION_CLASSES.keys()):
                if (against := opposed(word1, word2)) >= OPPOSED:
                    weight = (informativeness(word1) + informativeness(word2)) / 2
                    pair.add("opposed", against * weight / pair.size, word1, word2)
                    pair.add("opposites", against, word1, word2)


def _certainty(pair: _Pair) -> None:
    """How sure what the relations say is: less where words have no like in the other sentence, and
    where relations have changed without an exchange, be it that the sentence was recast or that a
    parse is wrong.
    """
    if pair.found:
        nearest1, nearest2 = pair.similarities.max(1), pair.similarities.max(0)
        weights1, weights2 = pair.first.weights, pair.second.weights
        like1 = float(np.sum(weights1 * nearest1) / np.sum(weights1))
        like2 = float(np.sum(weights2 * nearest2) / np.sum(weights2))
        pair.add(CERTAINTY, (like1 + like2) / 2 * max(0.0, 1 - pair.changed), None, None)


def _called(form: _Form | None) -> set[str]:
    """The places that a form is about, prepositions among them."""
    return set() if form is None else {*form.first, *form.second, *form.first.values()}


COLLECTORS: tuple[Callable[[_Pair], None], ...] = (
    _words_alone,
    _partners_unlike,
    _main_verbs,
    _numbers_missing,
    _relations,
    _clauses,
    _neighbours,
    _said_of_words,
    _function_words,
    _particles,
    _certainty,
)

TERMS: tuple[str, ...] = (
    "replaced",
    "added",
    *(f"{what} {kind}" for kind in KINDS for what in ("replaced", "added")),
    *(f"unlike {kind}" for kind in ONLY_ALIKE),
    "main verb",
    "number",
    "numbers",
    "sibling",
    "roles exchanged",
    "clause roles exchanged",
    "phrases exchanged",
    "governors exchanged",
    "turned round",
    "preposition opposed",
    "preposition changed",
    "words before exchanged",
    "words after exchanged",
    "polarity",
    "opposed",
    "opposites",
    "modality",
    "quantity",
    "connective opposed",
    "function words opposed",
    "odd denials",
    "question",
)
CERTAINTY = "certainty"
"""What says how sure the terms of relations are, from 0 to 1."""
COLUMNS = (*TERMS, CERTAINTY)
"""All that there are amounts of, in order."""
