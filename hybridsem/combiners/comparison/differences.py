"""What two aligned sentences differ in: edits, each with the words that it is about.

A sentence is a set of propositions, one a content word: the word, what governs it, in which role,
and what function words say of it. The mass of a proposition is the word's share of all words'
weight, so that 1 is all of both sentences. A collector finds the edits of one or a few kinds, and
an edit of partners uses up as much of their mass as it takes, so that each is charged once:
collectors stand in the order in which they may take it. Word order comes last, for what no relation
covers. Opposed function words and the like count 1 each, whatever the length of the sentences.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations, pairwise, product
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.assignment import assignment
from hybridsem.combiners.alignment import align_roles
from hybridsem.combiners.base import ROUNDING
from hybridsem.combiners.comparison.alignment import OPPOSED, AlignedWords, Alignment
from hybridsem.combiners.comparison.reading import DENYING, deniers, informativeness
from hybridsem.combiners.comparison.sentence import Place, SentenceWords
from hybridsem.edits import GOVERNORS, ROLES, SURE, Edit, Kind, Words
from hybridsem.english.function_words import AXES, FUNCTION_CLASSES, SCALES, alike, opposed
from hybridsem.english.lexicon import LexicalRelation, Lexicon
from hybridsem.english.predicate_forms import COMPARISON
from hybridsem.english.words import QUESTION_WORDS

__all__ = ["Differences", "differences"]

ALIKE = frozenset({LexicalRelation.SAME, LexicalRelation.SYNONYM, LexicalRelation.DERIVED})
OF = frozenset({"of", "'s", "’s", "s"})
LACKING = MappingProxyType(
    {
        "PROPN": (Kind.REPLACED_NAMES, Kind.ADDED_NAMES),
        "NOUN": (Kind.REPLACED_NOUNS, Kind.ADDED_NOUNS),
        "VERB": (Kind.REPLACED_VERBS, Kind.ADDED_VERBS),
        "AUX": (Kind.REPLACED_VERBS, Kind.ADDED_VERBS),
        "ADJ": (Kind.REPLACED_ADJECTIVES, Kind.ADDED_ADJECTIVES),
    }
)
"""The kinds of words without a partner, by their tags."""
OTHERS = (Kind.REPLACED_OTHERS, Kind.ADDED_OTHERS)
NOMINAL = frozenset({"nmod", "compound", "amod", "nummod"})
"""Relations within a noun phrase."""
NOUNS = frozenset({"NOUN", "PROPN", "PRON"})
CONCRETE = 0.35
"""The share of its senses from which a noun names a thing; an unknown noun does."""
EITHER = "either"
"""The name of the places of a symmetric predicate."""
ALIAS = {"if": "unless", "fewer": "few"}
"""Lemmas of what is read as another word: "unless" as "if" and a negation."""
MODIFIERS = frozenset({"amod", "nummod"})
ARGUMENTS = frozenset({"NOUN", "PROPN", "PRON", "VERB"})
PHRASE = frozenset({"DET", "ADJ", "NUM", "NOUN", "PROPN"})
"""Tags of words within a noun phrase."""
COORDINATORS = AXES["and or"].keys() | AXES["or and nor"].keys()
FOCUSING = frozenset(word for word, degree in SCALES["exclusion"].items() if degree.value > 0.8)
"""Words of which a negation in front of them denies no more: "not only"."""
PARTING = frozenset({"while", "whereas", ";"})
"""Tokens that stand between clauses as a conjunction does."""
PRO_FORMS = frozenset({"one", "do", "so"})
"""Words that stand for one in the other half of a coordination."""
COUNTS = range(1, 100)
"""Numbers that may stand where the other sentence has an article."""
COMPARED = frozenset({"as", "than"})
EQUATIVE = 0.6
"""How far "as tall as" and "taller than" are opposed."""
MOVED = 0.4
"""The share of its confidence that an exchange keeps where no word has taken the other way."""
NEARLY = 0.75
"""An edit that takes more of the mass that is left takes all of it."""
CLAUSE_BONUS = 0.2
"""What speaks for the main clauses of two sentences being partners."""

Cluster = tuple[str, int | str]
Event = tuple[Any, ...]
"""A kind, and what tells one change of that kind from others."""


class Differences(NamedTuple):
    """The edits between two sentences, and how sure what the relations say is, 0 to 1; 0 where
    nothing differs. ``converses`` are partners that say the same of exchanged participants.
    """

    edits: Sequence[Edit] = ()
    certainty: float = 0.0
    converses: tuple[AlignedWords, ...] = ()


class _ArgumentNames(NamedTuple):
    """What places of a predicate are called, in the first sentence and in the second; whether these
    have converse predicates.
    """

    first: Mapping[str, str]
    second: Mapping[str, str]
    converse: bool


class _Pair:
    """Two aligned sentences, and what the terms need of them."""

    def __init__(
        self, first: SentenceWords, second: SentenceWords, alignment: Alignment, lexicon: Lexicon
    ) -> None:
        self.first, self.second, self.lexicon = first, second, lexicon
        self.own1, self.own2 = first.side, second.side
        self.similarities = alignment.similarities
        self.aligned = alignment.pairs
        self.size = size = (self.own1.weight + self.own2.weight) / 2
        weights1, weights2 = self.own1.weights, self.own2.weights
        self.shares = [
            (weights1[one.first] + weights2[one.second]) / 2 / size for one in self.aligned
        ]
        self.left = list(self.shares)
        taken1 = {one.first for one in self.aligned}
        taken2 = {one.second for one in self.aligned}
        self.alone1 = [i for i in range(len(first.words)) if i not in taken1]
        self.alone2 = [j for j in range(len(second.words)) if j not in taken2]
        self.named1 = {first.words[one.first]: n for n, one in enumerate(self.aligned)}
        self.named2 = {second.words[one.second]: n for n, one in enumerate(self.aligned)}
        self.forms = self._forms()
        self.converses = {n for n, form in self.forms.items() if form.converse}
        self.kept: set[int] = set()
        self.settled: set[int] = set()
        self.recast = False
        self.explained: set[str] = {"if", "unless"}
        self.changed = 0.0
        self.events: dict[Event, int] = {}
        self.edits: list[Edit] = []

    @cached_property
    def clusters1(self) -> dict[int, Cluster]:
        """What each governor of the first sentence is called in both."""
        return _clusters(self.first, self.named1, "first")

    @cached_property
    def clusters2(self) -> dict[int, Cluster]:
        """What each governor of the second sentence is called in both."""
        return _clusters(self.second, self.named2, "second")

    @cached_property
    def nearest(self) -> tuple[Float64Array, Float64Array]:
        """How like each word of either sentence the likest of the other is."""
        return np.maximum.reduce(self.similarities, 1), np.maximum.reduce(self.similarities, 0)

    @cached_property
    def same_words(self) -> bool:
        """Whether both sentences have the same content words."""
        same = all(one.relation is LexicalRelation.SAME for one in self.aligned)
        return same and not self.alone1 and not self.alone2

    def _forms(self) -> dict[int, _ArgumentNames]:
        """The forms of the partners that have one."""
        found = {}
        governors1, governors2 = self.own1.governors, self.own2.governors
        for n, one in enumerate(self.aligned):
            token1, token2 = self.first.words[one.first], self.second.words[one.second]
            if token1 in governors1 and token2 in governors2:
                form = self._form(token1, token2, one.relation in ALIKE)
                if form is not None:
                    found[n] = form
        return found

    def _form(self, token1: int, token2: int, alike: bool) -> _ArgumentNames | None:
        """How participants of one predicate stand with the other, where not as they are called."""
        lemma1, lemma2 = self.first.lemmas[token1], self.second.lemmas[token2]
        tag1, tag2 = self.first.tags[token1], self.second.tags[token2]
        converse = self.lexicon.converse(lemma1, tag1, lemma2, tag2)
        if converse is not None and (converse != COMPARISON or self._compared(token1, token2)):
            form = _ArgumentNames(
                {place: min(own) for own, _ in converse.places for place in own},
                {place: min(own) for own, other in converse.places for place in other},
                True,
            )
            if self._fits(form, token1, token2):
                return form
        if alike:
            symmetries = self.lexicon.symmetries(lemma1, tag1)
            either = {place: EITHER for one in symmetries for place in one.first | one.second}
            either |= dict.fromkeys(self._symmetric_adverbials(token1, token2), EITHER)
            if either:
                return _ArgumentNames(either, either, False)
            return self._converse_adverbials(token1, token2)
        return None

    def _converse_adverbials(self, token1: int, token2: int) -> _ArgumentNames | None:
        """A participant and a preposition that has a converse: "Tom came before Ann", "Ann came
        after Tom".
        """
        syntax1, syntax2 = self.own1.syntax[token1], self.own2.syntax[token2]
        if syntax1 == syntax2:
            return None
        for place1, place2 in product(sorted(syntax1 - syntax2), sorted(syntax2 - syntax1)):
            if self.lexicon.converse(place1, "ADP", place2, "ADP") is not None:
                for host in ("object", "subject"):
                    names2 = {host: place1, place2: host}
                    form = _ArgumentNames({host: host, place1: place1}, names2, True)
                    if host in syntax1 & syntax2 and self._fits(form, token1, token2):
                        return form
        return None

    def _symmetric_adverbials(self, token1: int, token2: int) -> set[str]:
        """The subject and a symmetric preposition of verbs without objects: "sit beside"."""
        shared = self.own1.syntax[token1] & self.own2.syntax[token2]
        if "object" in shared or "subject" not in shared:
            return set()
        beside = {place for place in shared if self.lexicon.symmetric(place, "ADP")}
        return beside | {"subject"} if beside else set()

    def _compared(self, token1: int, token2: int) -> bool:
        """Whether both predicates have a participant with "than"."""
        return all(
            any(
                place.governor == token and place.syntax == "than"
                for places in sentence.places
                for place in places
            )
            for sentence, token in ((self.first, token1), (self.second, token2))
        )

    def _fits(self, form: _ArgumentNames, token1: int, token2: int) -> bool:
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

    def heads1(self, n: int) -> set[Cluster]:
        """What governs a partner in the first sentence."""
        places = self.first.places[self.aligned[n].first]
        return {self.clusters1[place.governor] for place in places}

    def heads2(self, n: int) -> set[Cluster]:
        """What governs a partner in the second sentence."""
        places = self.second.places[self.aligned[n].second]
        return {self.clusters2[place.governor] for place in places}

    def relations(self, governor: Cluster, places: Iterable[Place], second: bool) -> set[str]:
        """What the relations to a governor are called, in the terms of the first sentence.

        Args:
            governor: It.
            places: Of a word, some of them under this governor.
            second: Whether the word is of the second sentence.
        """
        clusters = self.clusters2 if second else self.clusters1
        n = governor[1]
        form = self.forms.get(n) if isinstance(n, int) else None
        names = None if form is None else form.second if second else form.first
        return {
            place.relation
            if names is None
            else names.get(place.syntax, place.syntax or place.relation)
            for place in places
            if clusters[place.governor] == governor
        }

    def add(
        self,
        kind: Kind,
        mass: float,
        words: tuple[Words, Words],
        confidence: float = 1.0,
        event: Event | None = None,
    ) -> None:
        """Add an edit; those of one ``event`` make one change."""
        if mass > ROUNDING:
            number = 0 if event is None else self.events.setdefault(event, len(self.events) + 1)
            self.edits.append(Edit(kind, *words, float(mass), confidence, number))

    def change(
        self,
        kind: Kind,
        n: int,
        amount: float,
        words: tuple[Words, Words],
        confidence: float = 1.0,
        event: Event | None = None,
        counts: bool = False,
    ) -> None:
        """Add an edit of partners, as far as they have mass left; one that ``counts``, and is no
        share, uses up all of it, as does one that leaves little.
        """
        left = self.left[n]
        if left > ROUNDING and amount > ROUNDING:
            mass = amount if counts else min(amount, left)
            self.left[n] = 0.0 if counts or mass > NEARLY * left else left - mass
            self.add(kind, mass, words, confidence, event)

    def words(
        self, one: AlignedWords, marker1: str | None = None, marker2: str | None = None
    ) -> tuple[Words, Words]:
        """Two partners, with what marks them."""
        return (
            _marked(self.first, self.first.words[one.first], marker1),
            _marked(self.second, self.second.words[one.second], marker2),
        )


def _marked(sentence: SentenceWords, token: int, marker: str | None) -> Words:
    """A word with the function word that says something of it, the nearest of its lemma."""
    marks: list[int] = []
    for lemma in marker.split() if marker else ():
        places = [at for at, own in enumerate(sentence.lemmas) if own in (lemma, ALIAS.get(lemma))]
        marks += sorted(places, key=lambda at: abs(at - token))[:1]
    return Words((token,), marker=marker or "", marks=tuple(marks))


def _clusters(sentence: SentenceWords, named: Mapping[int, int], side: str) -> dict[int, Cluster]:
    """What each governor is called in both sentences: by the number of the pair that it is in, or
    else by its lemma.
    """
    return {
        token: ("both", named[token]) if token in named else (side, sentence.lemmas[token])
        for token in sentence.side.governors
    }


def differences(
    first: SentenceWords, second: SentenceWords, alignment: Alignment, lexicon: Lexicon
) -> Differences:
    """All that two sentences differ in; nothing for a sentence and itself.

    Args:
        first: One sentence.
        second: The other.
        alignment: Of their words.
        lexicon: Knows which predicates say the same with their participants in other places.
    """
    pair = _Pair(first, second, alignment, lexicon)
    for collect in COLLECTORS:
        collect(pair)
    converses = tuple([pair.aligned[n] for n in sorted(pair.converses)])
    if not pair.edits:
        return Differences((), 0.0, converses)
    certainty = _certainty(pair)
    edits = [
        edit._replace(mass=edit.mass * certainty) if edit.kind.scaled else edit
        for edit in pair.edits
    ]
    return Differences(edits, certainty, converses)


COLLECTORS: list[Callable[[_Pair], None]] = []
"""The functions that find edits, in the order in which they stand below."""


def collector(function: Callable[[_Pair], None]) -> Callable[[_Pair], None]:
    """Add a function to the collectors."""
    COLLECTORS.append(function)
    return function


# --- relations


class _Flow(NamedTuple):
    """Partners, by their number, that have left one place and entered another."""

    n: int
    source: object
    target: object
    amount: float
    anchors: tuple[int | None, int | None] = (None, None)
    roles: tuple[str, str] = ("", "")


def _balanced_flow(pair: _Pair, kinds: Sequence[Kind], flows: Sequence[_Flow]) -> float:
    """Add the part of the flows that is balanced, what comes into a place against what leaves it;
    return the rest.

    Args:
        pair: The sentences.
        kinds: One for all words, or one for things, one for what is abstract, one for others.
        flows: Of partners.
    """
    if not flows:
        return 0.0
    left: defaultdict[object, float] = defaultdict(float)
    for flow in flows:
        left[flow.source] += flow.amount
    total = sum(left.values())
    if left.keys().isdisjoint(flow.target for flow in flows):
        return total
    entered: defaultdict[object, float] = defaultdict(float)
    for flow in flows:
        entered[flow.target] += flow.amount
    balanced = sum(
        min(amount, entered[place]) for place, amount in left.items() if place in entered
    )
    if balanced:
        within = [flow for flow in flows if flow.target in left or flow.source in entered]
        ways = {(flow.source, flow.target) for flow in flows}
        rate = balanced / sum(flow.amount for flow in within)
        for flow in within:
            one = pair.aligned[flow.n]
            words = (
                Words((pair.first.words[one.first],), flow.roles[0], flow.anchors[0]),
                Words((pair.second.words[one.second],), flow.roles[1], flow.anchors[1]),
            )
            confidence = one.similarity * (1 if (flow.target, flow.source) in ways else MOVED)
            kind = kinds[_word_class(pair, one) if len(kinds) > 1 else 0]
            if kind.distinguishes and not pair.same_words:
                confidence = min(confidence, SURE)
            event: Event = (kinds[0],)
            if kind is not Kind.WORD_ORDER:
                event += (frozenset((flow.source, flow.target)),)
            pair.change(kind, flow.n, rate * flow.amount, words, confidence, event)
    return total - balanced


def _word_class(pair: _Pair, one: AlignedWords) -> int:
    """0 for things and people, 1 for abstract nouns, 2 for other words and where one is no noun."""
    tags = {pair.own1.tags[one.first], pair.own2.tags[one.second]}
    if not tags <= NOUNS:
        return 2
    return int(tags == {"NOUN"} and not _is_thing(pair, pair.own1.lemmas[one.first]))


def _is_thing(pair: _Pair, noun: str) -> bool:
    concreteness = pair.lexicon.concreteness(noun)
    return concreteness is None or concreteness >= CONCRETE


@collector
def _halves_of_a_coordination(pair: _Pair) -> None:
    """The same words in two conjuncts that stand in the other order, which says the same, or that
    are paired otherwise: "Ann sang and Ben danced", whatever the parse of the ellipsis in "Ann
    played the flute and Ben the drums".
    """
    halves1, halves2 = (
        _halves(one) if pair.same_words else [] for one in (pair.first, pair.second)
    )
    if not halves1 or not halves2:
        return
    lemmas, tags = pair.own1.lemmas, pair.own1.tags
    by_side: tuple[list[int], list[int]] = [], []
    for n, one in enumerate(pair.aligned):
        if lemmas.count(lemmas[one.first]) == 1 and lemmas[one.first] not in PRO_FORMS:
            by_side[halves1[one.first] != halves2[one.second]].append(n)
    moved, others = sorted(by_side, key=len) if len(by_side[0]) < len(by_side[1]) else by_side[::-1]
    halves = [
        [
            [i for i in (pair.aligned[n].first for n in some) if halves1[i] == half]
            for half in (0, 1)
        ]
        for some in (moved, others)
    ]
    (left, right), anchors = halves
    if not all(anchors):
        return
    if left and right:
        # "Ann and Ben" in the other order is no exchange.
        conjuncts = {*left, *right} == set(range(min(left), max(right) + 1))
        common = {tags[i] for i in left} & {tags[i] for i in right}
        for n in [] if conjuncts else moved:
            if tags[pair.aligned[n].first] in common:
                words = pair.words(pair.aligned[n])
                pair.change(Kind.CROSSED, n, pair.shares[n], words, event=(Kind.CROSSED,))
    elif others is by_side[1]:
        order = [pair.aligned[n][:2] for n in others]
        pair.recast = all(
            (i < i2) == (j < j2)
            for (i, j), (i2, j2) in combinations(order, 2)
            if halves1[i] == halves1[i2]
        )


def _halves(sentence: SentenceWords) -> list[int]:
    """On which side of the only coordinator each content word stands, 0 or 1; empty where there is
    not one with two words on either side, the first of which is no verb.
    """
    breaks = [
        at
        for at, (lemma, tag) in enumerate(zip(sentence.lemmas, sentence.tags, strict=True))
        if tag == "CCONJ" or lemma in PARTING
    ]
    commas = [at for at, form in enumerate(sentence.forms) if form == "," and at + 1 not in breaks]
    if len(breaks) != 1 or commas:
        return []
    halves = [int(token > breaks[0]) for token in sentence.words]
    second = halves.index(1) if 1 in halves else 0
    if not 2 <= second <= len(halves) - 2:
        return []
    firsts = {sentence.side.tags[0], sentence.side.tags[second]}
    return [] if firsts & {"VERB", "AUX", "ADV"} else halves


@collector
def _relations(pair: _Pair) -> None:
    """Partners under other governors, or in other roles of the same governor or clause."""
    if pair.recast:
        return
    first, second = pair.first, pair.second
    governors: list[_Flow] = []
    relations: list[_Flow] = []
    reversals: list[tuple[int, _Flow]] = []
    prepositions: dict[int, float] = {}
    markers: list[_Flow] = []
    roots: list[_Flow] = []
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        places1, places2 = first.places[one.first], second.places[one.second]
        amount = share * one.similarity
        if not places1 and not places2:
            continue
        if _unmoved(pair, one, places1, places2):
            pair.kept.add(n)
            continue
        same = pair.heads1(n) & pair.heads2(n)
        other = None if same else _reverses(pair, n)
        if not places1 or not places2:
            if other is not None:
                _inverted(pair, n, other, amount)
            elif places1 or places2:
                roots.append(_under_other_governor(pair, n, amount))
            continue
        governor1, governor2 = places1[0].governor, places2[0].governor
        if same:
            for governor in sorted(same, key=str) if len(same) > 1 else same:
                kinds1 = pair.relations(governor, places1, second=False)
                kinds2 = pair.relations(governor, places2, second=True)
                if kinds1.isdisjoint(kinds2):
                    break
            stood1 = _stands(pair.clusters1, governor, places1)
            stood2 = _stands(pair.clusters2, governor, places2)
            if kinds1.isdisjoint(kinds2) and not _labelled_otherwise(pair, governor, stood1, stood2):
                kind1, kind2 = min(kinds1), min(kinds2)
                above = pair.aligned[int(governor[1])]
                anchors = first.words[above.first], second.words[above.second]
                # Theme and Patient are one place here.
                turned = {stood1, stood2} == {"subject", "object"}
                before, after = (stood1, stood2) if turned else (kind1, kind2)
                source, target = (governor, before), (governor, after)
                relations.append(_Flow(n, source, target, amount, anchors, (kind1, kind2)))
            else:
                pair.kept.add(n)
                if governor[1] in pair.converses:
                    pair.settled.add(n)
                markers += _under_other_preposition(pair, n, governor, amount)
        elif other is not None:
            reversals.append((other, _under_other_governor(pair, n, amount)))
            continue
        elif first.governors(one.first).isdisjoint(second.governors(one.second)):
            governors.append(_under_other_governor(pair, n, amount))
            continue
        elif first.lemmas[governor1] == second.lemmas[governor2]:
            cluster1, cluster2 = pair.clusters1[governor1], pair.clusters2[governor2]
            if cluster1[0] == cluster2[0] == "both":
                # Two words of one form, each with its own partner.
                flow = _under_other_governor(pair, n, amount)
                governors.append(flow._replace(source=cluster1, target=cluster2))
        if pair.named1.get(governor1) not in pair.converses:
            prepositions[n] = amount
    moved = {(flow.target, flow.source) for flow in governors}
    moved |= {(flow.target, flow.source) for _, flow in reversals}
    for other, flow in reversals:
        # One that another word has come in for is exchanged with that one.
        if (flow.source, flow.target) in moved:
            governors.append(flow)
        else:
            _inverted(pair, flow.n, other, flow.amount)
    pair.changed += _balanced_flow(pair, GOVERNORS, governors)
    if len(roots) > 1:
        _balanced_flow(pair, GOVERNORS, roots)
    ways = {(flow.target, flow.source) for flow in markers}
    exchanged = [flow for flow in markers if (flow.source, flow.target) in ways]
    for flow in exchanged:
        prepositions.pop(flow.n, None)
    for n, amount in prepositions.items():
        _prepositions(pair, n, amount)
    _balanced_flow(pair, ROLES, _clause_flows(pair))
    pair.changed += _balanced_flow(pair, (Kind.RELATION,), relations + exchanged)
    for flow in governors if pair.same_words else ():
        _modifier(pair, flow)


def _stands(clusters: Mapping[int, Cluster], governor: Cluster, places: Sequence[Place]) -> str:
    """Where a word stands beside a governor in the active voice."""
    return next(place.syntax for place in places if clusters[place.governor] == governor)


def _labelled_otherwise(pair: _Pair, governor: Cluster, stood1: str, stood2: str) -> bool:
    """Whether a word has one place of the same verb, which the labeller gave two roles."""
    n = governor[1]
    if not isinstance(n, int) or n in pair.forms or not stood1 or stood1 != stood2:
        return False
    one = pair.aligned[n]
    return one.relation is LexicalRelation.SAME and all(
        sum(
            place.governor == token and place.syntax == stood1
            for places in sentence.places
            for place in places
        )
        == 1
        for sentence, token in (
            (pair.first, pair.first.words[one.first]),
            (pair.second, pair.second.words[one.second]),
        )
    )


def _unmoved(
    pair: _Pair, one: AlignedWords, places1: Sequence[Place], places2: Sequence[Place]
) -> bool:
    """Whether partners have the same places and the same preposition."""
    if len(places1) != len(places2):
        return False
    token1, token2 = pair.first.words[one.first], pair.second.words[one.second]
    if pair.first.prepositions[token1] != pair.second.prepositions[token2]:
        return False
    for (governor1, relation1, _), (governor2, relation2, _) in zip(places1, places2, strict=True):
        above = pair.named1.get(governor1)
        same = above is not None and above == pair.named2.get(governor2)
        if not same or relation1 != relation2 or above in pair.forms:
            return False
    return True


def _under_other_preposition(
    pair: _Pair, n: int, governor: Cluster, amount: float
) -> Iterator[_Flow]:
    """From one preposition to an unopposed one, of the same governor: "a gift of Ann to Tom"."""
    one = pair.aligned[n]
    tokens = pair.first.words[one.first], pair.second.words[one.second]
    before, after = pair.first.prepositions[tokens[0]], pair.second.prepositions[tokens[1]]
    if before and after and not opposed(before, after):
        source, target = ((governor, "of" if word in OF else word) for word in (before, after))
        above = pair.aligned[int(governor[1])]
        anchors = pair.first.words[above.first], pair.second.words[above.second]
        if source != target:
            yield _Flow(n, source, target, amount, anchors)


def _under_other_governor(pair: _Pair, n: int, amount: float) -> _Flow:
    """From the governor in the first sentence to that in the second."""
    first, second, one = pair.first, pair.second, pair.aligned[n]
    governor1, source = _first_governor(first, one.first)
    governor2, target = _first_governor(second, one.second)
    return _Flow(n, source, target, amount, (governor1, governor2))


def _first_governor(sentence: SentenceWords, i: int) -> tuple[int | None, str]:
    """The first governor of a content word and its lemma; None and "" for a root."""
    places = sentence.places[i]
    return (places[0].governor, sentence.lemmas[places[0].governor]) if places else (None, "")


def _modifier(pair: _Pair, flow: _Flow) -> None:
    """A modifier of another noun, though no other word has come in for it."""
    first, second, one = pair.first, pair.second, pair.aligned[flow.n]
    governor1, governor2 = flow.anchors
    relations = {first.places[one.first][0].relation, second.places[one.second][0].relation}
    if governor1 is None or governor2 is None or not relations <= MODIFIERS:
        return
    in_compound = second.lemmas[governor2] in _compounds(first, governor1)
    if not in_compound and first.lemmas[governor1] not in _compounds(second, governor2):
        before, after = pair.words(one)
        words = before._replace(anchor=governor1), after._replace(anchor=governor2)
        pair.change(Kind.MODIFIER, flow.n, flow.amount, words)


def _compounds(sentence: SentenceWords, token: int) -> set[str]:
    """The nouns that a word makes a compound with, as its first part."""
    at = sentence.side.position.get(token)
    places = () if at is None else sentence.places[at]
    return {sentence.lemmas[place.governor] for place in places if place.relation == "compound"}


def _reverses(pair: _Pair, n: int) -> int | None:
    """The pair of words that govern pair ``n`` in one sentence and are governed by it in the other;
    None if there is none.
    """
    own: Cluster = ("both", n)
    for heads, others in ((pair.heads1, pair.heads2), (pair.heads2, pair.heads1)):
        found = [m for _, m in heads(n) if isinstance(m, int) and own in others(m)]
        if found:
            return min(found)
    return None


def _inverted(pair: _Pair, n: int, m: int, amount: float) -> None:
    """Words that govern each other the other way round: the same said otherwise ("the red car" and
    "the car is red", "A before B" and "B after A"), or not ("my father's boss").
    """
    in_first, in_second = _link(pair, n, m, second=False), _link(pair, n, m, second=True)
    marker1, marker2 = in_first.marker, in_second.marker
    words = in_first.words, in_second.words
    if marker1 and marker2 and not {marker1, marker2} <= OF:
        converse = pair.lexicon.converse(marker1, "ADP", marker2, "ADP") is not None
        symmetric = marker1 == marker2 and pair.lexicon.symmetric(marker1, "ADP")
        same_object = in_first.marked == in_second.marked
        if symmetric or (same_object if marker1 == marker2 else converse and not same_object):
            pair.explained |= {marker1, marker2}
            pair.kept |= {n, m}
            pair.settled |= {n, m}
        elif marker1 == marker2:
            pair.change(GOVERNORS[_word_class(pair, pair.aligned[n])], n, amount, words)
    elif in_first.relation in NOMINAL and in_second.relation in NOMINAL:
        possessors = {marker1, marker2} <= OF
        kind = GOVERNORS[_word_class(pair, pair.aligned[n])] if possessors else Kind.INVERTED
        pair.change(kind, n, amount, words)
    elif in_first.relation in NOMINAL or in_second.relation in NOMINAL:
        pair.kept |= {n, m}


class _Link(NamedTuple):
    """A relation between two partners in one sentence: the dependent with its governor, what the
    relation is called, its preposition or conjunction, and the partners that this marks.
    """

    words: Words
    relation: str
    marker: str | None
    marked: int


def _link(pair: _Pair, n: int, m: int, second: bool) -> _Link:
    """The relation between the partners ``n`` and ``m``, of which one governs the other; with a
    copula the preposition is the governor's: "the cat is under the table".
    """
    sentence = pair.second if second else pair.first
    clusters = pair.clusters2 if second else pair.clusters1
    for below, above in ((n, m), (m, n)):
        at, governor = (
            pair.aligned[one].second if second else pair.aligned[one].first
            for one in (below, above)
        )
        below_token, above_token = sentence.words[at], sentence.words[governor]
        for place in sentence.places[at]:
            if clusters[place.governor] == ("both", above):
                words = Words((below_token,), anchor=above_token)
                marker = sentence.connectives[below_token] or sentence.prepositions[below_token]
                if marker is None and place.syntax == "subject":
                    return _Link(words, place.relation, sentence.prepositions[above_token], above)
                return _Link(words, place.relation, marker, below)
    raise AssertionError("partners of which neither governs the other")


def _prepositions(pair: _Pair, n: int, amount: float) -> None:
    one = pair.aligned[n]
    preposition1 = pair.first.prepositions[pair.first.words[one.first]]
    preposition2 = pair.second.prepositions[pair.second.words[one.second]]
    if not preposition1 or not preposition2 or preposition1 == preposition2:
        return
    both = frozenset((preposition1, preposition2))
    against = opposed(preposition1, preposition2)
    if both == COMPARED and not pair.first.denials and not pair.second.denials:
        against = EQUATIVE
    words = pair.words(one, preposition1, preposition2)
    if against:
        kind = Kind.PREPOSITION_OPPOSED
        pair.change(kind, n, amount * against, words, against, (kind, both))
        pair.explained |= both
    if not both & OF and not alike(preposition1, preposition2):
        pair.change(Kind.PREPOSITION, n, amount * (1 - against), words)


def _clause_flows(pair: _Pair) -> list[_Flow]:
    """Partners in other roles of a clause, clauses being partners by their predicates."""
    partners = _clause_partners(pair)
    if not partners:
        return []
    slots1, slots2 = pair.own1.slots, pair.own2.slots
    called = {
        (clause2, role2): role1
        for clause2, clause1 in partners.items()
        for role1, role2 in _compatible(pair.own1.clauses[clause1], pair.own2.clauses[clause2])
    }
    flows: list[_Flow] = []
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        place1, place2 = slots1.get(one.first), slots2.get(one.second)
        if place1 is None or place2 is None or n in pair.settled:
            continue
        clause = partners.get(place2.governor, ("second", place2.governor))
        role1 = place1.relation
        role2 = called.get((place2.governor, place2.relation), place2.relation)
        number = pair.named1.get(place1.governor)
        if number is not None and number == pair.named2.get(place2.governor):
            above: Cluster = ("both", number)
            if _labelled_otherwise(pair, above, place1.syntax, place2.syntax):
                role2 = role1
        if number in pair.forms and number == pair.named2.get(place2.governor):
            (role1,) = pair.relations(("both", number), (place1,), second=False)
            (role2,) = pair.relations(("both", number), (place2,), second=True)
        if place1.governor != clause or role1 != role2:
            source, target = (place1.governor, role1), (clause, role2)
            anchors, roles = (place1.governor, place2.governor), (place1.relation, place2.relation)
            flows.append(_Flow(n, source, target, share * one.similarity, anchors, roles))
    return flows


@lru_cache(1024)
def _compatible(roles1: tuple[str, ...], roles2: tuple[str, ...]) -> list[tuple[str, str]]:
    """What the roles of a clause are called in its partner: a role that only one of them has is
    paired with a compatible one that only the other has.
    """
    return [(role1, role2) for role1, role2, _ in align_roles(roles1, roles2)]


def _clause_partners(pair: _Pair) -> dict[int, int]:
    """The clause of the first sentence that each of the second has as its partner."""
    first, second = pair.first, pair.second
    clauses1, clauses2 = [*pair.own1.clauses], [*pair.own2.clauses]
    if not clauses1 or not clauses2:
        return {}
    if len(clauses1) == len(clauses2) == 1:
        return {clauses2[0]: clauses1[0]}
    gain = np.zeros((len(clauses1), len(clauses2)))
    for a, clause1 in enumerate(clauses1):
        for b, clause2 in enumerate(clauses2):
            i, j = pair.own1.position.get(clause1), pair.own2.position.get(clause2)
            if i is not None and j is not None:
                gain[a, b] = pair.similarities[i, j]
                gain[a, b] += CLAUSE_BONUS * (not first.places[i] and not second.places[j])
            gain[a, b] += 1e-3 * (a == b)
    return {clauses2[b]: clauses1[a] for a, b in assignment(gain)}


# --- function words


@collector
def _markers(pair: _Pair) -> None:
    """What function words say of partners: negation, modality, quantity, connection."""
    first, second = pair.first, pair.second
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        token1, token2 = first.words[one.first], second.words[one.second]
        said1, said2 = pair.own1.said[token1], pair.own2.said[token2]
        opposites = one.relation is LexicalRelation.ANTONYM
        if said1 == said2 and not opposites:
            continue
        (denied1, modal1, quantity1, mark1), (denied2, modal2, quantity2, mark2) = said1, said2
        for marker1, marker2 in zip(said1[1:], said2[1:], strict=True):
            if marker1 and marker2 and marker1 != marker2:
                pair.explained |= {*marker1.split(), *marker2.split()}
        if mark1 and mark2 and mark1 != mark2:
            words = pair.words(one, mark1, mark2)
            if pair.same_words and {mark1, mark2} <= QUESTION_WORDS:
                pair.change(Kind.QUESTION_WORD, n, 1.0, words, counts=True)
            against = opposed(mark1, mark2)
            pair.change(Kind.CONNECTIVE, n, against, words, against, counts=True)
        if (denied1 - denied2) % 2:
            if not opposites:
                before, after = pair.words(one)
                before = _denied(first, before) if denied1 % 2 else before
                after = _denied(second, after) if denied2 % 2 else after
                pair.change(Kind.NEGATION, n, share, (before, after), event=(Kind.NEGATION, n))
        elif opposites and n not in pair.converses:
            words, event = pair.words(one), (Kind.NEGATION, n)
            pair.change(Kind.OPPOSITE, n, share * one.strength, words, one.strength, event)
        if modal1 != modal2:
            amount = opposed(modal1, modal2) if modal1 and modal2 else 0.3
            sure = pair.same_words and modal1 and modal2 and not alike(modal1, modal2)
            words = pair.words(one, modal1, modal2)
            pair.change(Kind.MODALITY, n, amount, words, 1.0 if sure else SURE, counts=True)
        if quantity1 and quantity2 and quantity1 != quantity2:
            against, words = opposed(quantity1, quantity2), pair.words(one, quantity1, quantity2)
            pair.change(Kind.QUANTITY, n, against, words, counts=True)


def _denied(sentence: SentenceWords, words: Words) -> Words:
    """A word with the nearest one that denies."""
    (token,) = words.tokens
    return words._replace(
        anchor=min(deniers(sentence), key=lambda at: abs(at - token), default=None)
    )


@collector
def _partners_unlike(pair: _Pair) -> None:
    """Partners that are not the same word."""
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        first, second, similarity, relation, strength = one
        tags = pair.own1.tags[first], pair.own2.tags[second]
        if "VERB" in tags and tags[0] != tags[1] and "NOUN" in tags:
            noun = pair.own1.lemmas[first] if tags[0] == "NOUN" else pair.own2.lemmas[second]
            if _is_thing(pair, noun):
                pair.add(Kind.CONVERSION, 1.0, pair.words(one))
        if relation is LexicalRelation.SAME or n in pair.converses:
            continue
        numbers = pair.first.numbers[first], pair.second.numbers[second]
        if relation is LexicalRelation.SIBLING:
            pair.change(Kind.CO_HYPONYM, n, share * strength, pair.words(one), strength)
        elif None not in numbers and numbers[0] != numbers[1]:
            pair.change(Kind.NUMBER, n, share * (1 - similarity), pair.words(one))
        elif relation is not LexicalRelation.ANTONYM:
            tag = pair.own1.tags[first]
            if tag == "ADJ" or tag not in LACKING:
                kind = Kind.UNLIKE_ADJECTIVES if tag == "ADJ" else Kind.UNLIKE_OTHERS
                pair.change(kind, n, share * (1 - similarity), pair.words(one))


@collector
def _function_words(pair: _Pair) -> None:
    """Function words of one sentence that are opposed to some of the other's."""
    first, second, explained = pair.first, pair.second, pair.explained
    if pair.converses:
        explained = explained | {
            place for n in pair.converses for place in _argument_names(pair.forms[n])
        }
    ours = first.function_words - second.function_words - explained
    theirs = second.function_words - first.function_words - explained
    for word1 in sorted(ours):
        against, word2 = max(
            ((opposed(word1, word2), word2) for word2 in theirs), default=(0.0, "")
        )
        if against:
            words = _function_word(first, word1), _function_word(second, word2)
            if pair.same_words and {word1, word2} <= COORDINATORS:
                pair.add(Kind.COORDINATION, against, words)
            else:
                pair.add(Kind.FUNCTION_WORD, against, words, against)
    if first.question != second.question:
        pair.add(Kind.QUESTION, 1.0, (_end(first), _end(second)))


@collector
def _negations(pair: _Pair) -> None:
    """An odd number of negations and opposites in all; a negation of no more than "only"."""
    first, second = pair.first, pair.second
    opposites = [
        one
        for n, one in enumerate(pair.aligned)
        if one.relation is LexicalRelation.ANTONYM and n not in pair.converses
    ]
    if (first.denials + second.denials + len(opposites)) % 2:
        tokens = [deniers(first), deniers(second)]
        for one in opposites:
            tokens[0].append(first.words[one.first])
            tokens[1].append(second.words[one.second])
        before, after = (Words(tuple(sorted(of_side))) for of_side in tokens)
        flips = [event for event in pair.events if event[0] is Kind.NEGATION]
        event = flips[0] if len(flips) == 1 else None
        pair.add(Kind.NEGATION_PARITY, 1.0, (before, after), event=event)
    if first.denials and second.denials:
        before, after = _not_only(first), _not_only(second)
        if bool(before.tokens) != bool(after.tokens):
            pair.add(Kind.NEGATION_FOCUS, 1.0, (before, after))


def _not_only(sentence: SentenceWords) -> Words:
    """A negation in front of a word that limits it."""
    for at, (lemma, behind) in enumerate(pairwise(sentence.lemmas)):
        if lemma in DENYING and behind in FOCUSING:
            return Words((at,), anchor=at + 1)
    return Words()


def _end(sentence: SentenceWords) -> Words:
    """The last token, where it is a mark."""
    marks = () if sentence.forms[-1].isalnum() else (len(sentence.forms) - 1,)
    return Words(marker="?" if sentence.question else ".", marks=marks)


def _function_word(sentence: SentenceWords, lemma: str) -> Words:
    """The first token of that lemma that is no content word."""
    tokens = (at for at, one in enumerate(sentence.lemmas) if one == lemma)
    return Words((next(at for at in tokens if at not in sentence.side.position),))


@collector
def _particles(pair: _Pair) -> None:
    """Particles that are opposed: "turn it on" and "turn off", be they tagged as adverbs or not."""
    if pair.first.particles or pair.second.particles or (pair.alone1 and pair.alone2):
        ours = pair.first.particles | {pair.own1.lemmas[i] for i in pair.alone1}
        theirs = pair.second.particles | {pair.own2.lemmas[j] for j in pair.alone2}
        for word1 in sorted((ours - theirs) & FUNCTION_CLASSES.keys()):
            for word2 in sorted((theirs - ours) & FUNCTION_CLASSES.keys()):
                if (against := opposed(word1, word2)) >= OPPOSED:
                    weight = (informativeness(word1) + informativeness(word2)) / 2 / pair.size
                    words = (
                        Words((pair.first.lemmas.index(word1),)),
                        Words((pair.second.lemmas.index(word2),)),
                    )
                    pair.add(Kind.OPPOSITE, against * weight, words, against)


# --- words


@collector
def _counted(pair: _Pair) -> None:
    """A numeral where the other sentence has an article: "two dogs", "a dog"."""
    for turned in (False, True):
        first, second = (pair.second, pair.first) if turned else (pair.first, pair.second)
        alone, named = (pair.alone2, pair.named2) if turned else (pair.alone1, pair.named1)
        for i in list(alone):
            number, places = first.numbers[i], first.places[i]
            if number not in COUNTS or not places or places[0].relation != "nummod":
                continue
            n = named.get(places[0].governor)
            if n is not None:
                one = pair.aligned[n]
                at = one.first if turned else one.second
                noun = second.words[at]
                article = _article(second, noun)
                alone_there = second.lemmas.count(second.lemmas[noun]) == 1
                if (
                    article is not None
                    and alone_there
                    and one.relation is LexicalRelation.SAME
                    and not second.coordinated[at]
                    and second.quantifiers[noun] is None
                ):
                    alone.remove(i)
                    words = Words((first.words[i],)), Words((article,))
                    share = first.side.weights[i] / pair.size
                    more = share * (1 - 1 / number)
                    pair.add(Kind.NUMBER, more, words[::-1] if turned else words)


def _article(sentence: SentenceWords, token: int) -> int | None:
    """The indefinite article of a noun."""
    for at in range(token - 1, -1, -1):
        if sentence.lemmas[at] in ("a", "an"):
            return at
        if sentence.tags[at] not in PHRASE:
            return None
    return None


@collector
def _words_alone(pair: _Pair) -> None:
    """Words without a partner, all in one event: replaced, as far as the other sentence has some,
    be they of the same part of speech or not, else added; main verbs without like among them.
    """
    pools: dict[tuple[Kind, Kind], tuple[list[int], list[int]]] = {}
    for side, (own, alone) in enumerate(((pair.own1, pair.alone1), (pair.own2, pair.alone2))):
        for i in alone:
            pools.setdefault(LACKING.get(own.tags[i], OTHERS), ([], []))[side].append(i)
    event = (Kind.REPLACED,)
    left: list[tuple[Kind, tuple[Words, Words], float]] = []
    for (replaced, added), (ours, theirs) in pools.items():
        weight1 = sum([pair.own1.weights[i] for i in ours]) / pair.size
        weight2 = sum([pair.own2.weights[j] for j in theirs]) / pair.size
        before = Words(tuple([pair.first.words[i] for i in ours]))
        after = Words(tuple([pair.second.words[j] for j in theirs]))
        pair.add(replaced, min(weight1, weight2), (before, after), event=event)
        left.append((added, (before, after), weight1 - weight2))
    more1 = sum([more for *_, more in left if more > 0])
    more2 = sum([-more for *_, more in left if more < 0])
    share = 1.0
    if more1 > ROUNDING and more2 > ROUNDING:
        tokens1 = [token for _, (before, _), more in left if more > 0 for token in before.tokens]
        tokens2 = [token for _, (_, after), more in left if more < 0 for token in after.tokens]
        crossed = Words(tuple(tokens1)), Words(tuple(tokens2))
        pair.add(Kind.REPLACED, min(more1, more2), crossed, event=event)
        share = abs(more1 - more2) / (more1 + more2)
    for added, words, more in left:
        pair.add(added, abs(more) * share, words, event=event)
    main1, main2 = pair.own1.main_verb, pair.own2.main_verb
    if main1 is not None and main2 is not None and pair.similarities[main1, main2] < 1:
        nearest1, nearest2 = pair.nearest
        like = (nearest1.item(main1) + nearest2.item(main2)) / 2
        words = Words((pair.first.words[main1],)), Words((pair.second.words[main2],))
        both = main1 in pair.alone1 and main2 in pair.alone2
        pair.add(Kind.MAIN_VERB, 1 - like, words, event=event if both else None)


# --- order


@collector
def _crossed(pair: _Pair) -> None:
    """Words that stand in each other's place on either side of a third, each with the preposition
    that the other had, whatever the parse has seen: subject and object, two subjects, or "of Ann"
    and "of Ben".
    """
    first, second = pair.first, pair.second
    partners = sorted((*one[:2], n) for n, one in enumerate(pair.aligned))
    order = [j for _, j, _ in partners]
    if (
        not pair.same_words
        or pair.recast
        or order == sorted(order)
        or _spoken(first) != _spoken(second)
    ):
        return
    lemmas, tags = pair.own1.lemmas, pair.own1.tags
    symmetric = {n for n, form in pair.forms.items() if not form.converse}
    ends = [
        i
        for i, _, n in partners
        if tags[i] in ARGUMENTS
        and lemmas.count(lemmas[i]) == 1
        and not first.coordinated[i]
        and symmetric.isdisjoint(above for _, above in pair.heads1(n) & pair.heads2(n))
    ]
    before = [_preposition(first, token) for token in first.words]
    after = [_preposition(second, second.words[j]) for j in order]
    for i, j in combinations(ends, 2):
        if tags[i] == tags[j] and before[i] == after[j] and before[j] == after[i]:
            between = (k for k in range(i + 1, j) if order[j] < order[k] < order[i])
            stays = any(_stays(pair, k, order[k]) for k in between)
            for n in (partners[i][2], partners[j][2]) if stays else ():
                words = pair.words(pair.aligned[n])
                pair.change(Kind.CROSSED, n, pair.shares[n], words, event=(Kind.CROSSED, i, j))


def _preposition(sentence: SentenceWords, token: int) -> str | None:
    """The preposition in front of a noun phrase, read from the word order."""
    for at in range(token - 1, -1, -1):
        if sentence.tags[at] not in PHRASE:
            return sentence.lemmas[at] if sentence.tags[at] == "ADP" else None
    return None


def _stays(pair: _Pair, i: int, j: int) -> bool:
    """Whether words that change places round a word mean something else: not in a list, nor round
    a symmetric predicate.
    """
    lemma, tag = pair.own1.lemmas[i], pair.own1.tags[i]
    listed = tag != "VERB" and (pair.first.coordinated[i] or pair.second.coordinated[j])
    symmetric = tag == "VERB" and pair.lexicon.symmetries(lemma, tag)
    return not listed and not symmetric and pair.own1.lemmas.count(lemma) == 1


def _spoken(sentence: SentenceWords) -> list[str]:
    """All words, in alphabetical order."""
    return sorted(form for form in sentence.forms if any(map(str.isalnum, form)))


@collector
def _neighbours(pair: _Pair) -> None:
    """Words that have exchanged the word before, or behind, them, where no relation covers them."""
    if pair.recast:
        return
    first, second = pair.first, pair.second
    around1, around2 = ("", *first.forms, ""), ("", *second.forms, "")
    before: list[_Flow] = []
    after: list[_Flow] = []
    for n, (one, share) in enumerate(zip(pair.aligned, pair.shares, strict=True)):
        if n in pair.kept or (not first.places[one.first] and not second.places[one.second]):
            continue
        if first.coordinated[one.first] and second.coordinated[one.second]:
            continue
        amount = share * one.similarity
        for flows, shift in ((before, 0), (after, 2)):
            near1 = around1[first.words[one.first] + shift]
            near2 = around2[second.words[one.second] + shift]
            if near1 != near2:
                flows.append(_Flow(n, near1, near2, amount))
    _balanced_flow(pair, (Kind.WORD_ORDER,), before)
    _balanced_flow(pair, (Kind.WORD_ORDER,), after)


def _certainty(pair: _Pair) -> float:
    """How sure what the relations say is: less where words have no like in the other sentence, and
    where relations have changed without an exchange, be it that the sentence was recast or that a
    parse is wrong.
    """
    (nearest1, nearest2), first, second = pair.nearest, pair.first, pair.second
    like1 = float(np.add.reduce(first.weights * nearest1)) / pair.own1.weight
    like2 = float(np.add.reduce(second.weights * nearest2)) / pair.own2.weight
    certainty = (like1 + like2) / 2 * max(0.0, 1 - pair.changed)
    return certainty if certainty > ROUNDING else 0.0


def _argument_names(form: _ArgumentNames | None) -> set[str]:
    """The places that a form is about, prepositions among them."""
    return set() if form is None else {*form.first, *form.second, *form.first.values()}
