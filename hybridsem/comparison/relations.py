"""Partners that other words govern, or that have other roles and prepositions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hybridsem.comparison.edits import GOVERNORS, ROLES, Kind, Words
from hybridsem.comparison.flows import (
    Flow,
    balanced_flow,
    clause_flows,
    is_relabelled,
    word_class,
)
from hybridsem.comparison.pair import Cluster, Draft, Pair, Side
from hybridsem.comparison.sentence import Attachment
from hybridsem.english.function_words import alike, are_converse, opposed
from hybridsem.english.lexicon import LexicalRelation
from hybridsem.english.words import COMPASS

OF = frozenset({"of", "'s", "’s", "s"})
NOMINAL = frozenset({"nmod", "compound", "amod", "nummod"})
"""Relations within a noun phrase."""
MODIFIERS = frozenset({"amod", "nummod"})
SOURCE = "from"
"""The preposition of what a converse verb has as its subject: "asked Ann for it", "got it from"."""
COMPARED = frozenset({"as", "than"})
EQUATIVE = 0.6
"""The opposition of "as tall as" and "taller than"."""


@dataclass
class Places:
    """The comparison of the places of partners.

    Attributes:
        kept: Pairs whose attachments are the same; word order has no meaning for these.
        settled: Pairs whose place in the clause needs no comparison.
        explained: Function words for which a comparison of places accounts.
        changed: The mass of relations that changed without an exchange.
        governors, relations, markers: Changed attachments, as flows by what they connect.
        roots: Flows of pairs of which one is a root.
        inversions: Flows with the pair that governs the word in one sentence and is governed by it
            in the other.
        prepositions: The pairs whose prepositions are compared, with their amounts.
    """

    kept: set[int] = field(default_factory=set)
    settled: set[int] = field(default_factory=set)
    explained: set[str] = field(default_factory=set)
    changed: float = 0.0
    governors: list[Flow] = field(default_factory=list)
    relations: list[Flow] = field(default_factory=list)
    markers: list[Flow] = field(default_factory=list)
    roots: list[Flow] = field(default_factory=list)
    inversions: list[tuple[int, Flow]] = field(default_factory=list)
    prepositions: dict[int, float] = field(default_factory=dict)


def relations(draft: Draft) -> Places:
    """Add partners under other governors, or in other roles of the same governor or clause."""
    pair, places = draft.pair, Places()
    for n in range(len(pair.aligned)):
        if pair.first.places[n] or pair.second.places[n]:
            if _unmoved(pair, n):
                places.kept.add(n)
            else:
                _compare_attachments(draft, n, places)
    moved = {(flow.target, flow.source) for flow in places.governors}
    moved |= {(flow.target, flow.source) for _, flow in places.inversions}
    for other, flow in places.inversions:
        # A word whose place another word has taken is exchanged with that word.
        if (flow.source, flow.target) in moved:
            places.governors.append(flow)
        else:
            _inverted(draft, flow.n, other, flow.amount, places)
    places.changed += balanced_flow(draft, GOVERNORS, places.governors)
    if len(places.roots) > 1:
        balanced_flow(draft, GOVERNORS, places.roots)
    ways = {(flow.target, flow.source) for flow in places.markers}
    exchanged = [flow for flow in places.markers if (flow.source, flow.target) in ways]
    for flow in exchanged:
        places.prepositions.pop(flow.n, None)
    for n, amount in places.prepositions.items():
        places.explained |= _prepositions(draft, n, amount)
    balanced_flow(draft, ROLES, clause_flows(pair, places.settled))
    places.changed += balanced_flow(draft, (Kind.RELATION,), places.relations + exchanged)
    for flow in places.governors if pair.same_words else ():
        _modifier(draft, flow)
    return places


def exchanged_subjects(draft: Draft, settled: set[int]) -> None:
    """Add the subjects of two main clauses whose verbs the other sentence has, too, if each subject
    has another place in the other sentence: "the firm claims control", "the settlers control the
    claim of the firm".
    """
    pair = draft.pair
    if pair.converses:
        return
    found = []
    for this, other in pair.sides:
        n = _main_subject(pair, this)
        if n is None or n in settled:
            return
        token = other.tokens[n]
        if other.is_subject(token) or _within_subject(other, n):
            return
        if other.sentence.prepositions[token] == SOURCE:
            return
        found.append(n)
    verbs = [this.words[this.sentence.main_verb or 0] for this, _ in pair.sides]
    if _alternates(pair, *verbs):
        return
    for n in found:
        event = (Kind.ROLE, "subjects")
        kind = ROLES[word_class(pair, n)]
        draft.change(kind, n, pair.shares[n], pair.words(n), event=event)


def infinitive_subjects(draft: Draft, settled: set[int]) -> None:
    """Add the subjects of an infinitive that both sentences have, if they are different words:
    "promised Ann to win", "told Ann to win".
    """
    pair = draft.pair
    if "to" not in pair.first.lemmas or "to" not in pair.second.lemmas or pair.converses:
        return
    for v, verbs in enumerate(zip(pair.first.tokens, pair.second.tokens, strict=True)):
        infinitive = _is_infinitive(pair.first, verbs[0]) and _is_infinitive(pair.second, verbs[1])
        if not infinitive or v in pair.names:
            continue
        subjects = [
            _below(this, verb, "subject") for (this, _), verb in zip(pair.sides, verbs, strict=True)
        ]
        numbers = {n for below in subjects for n in below if n is not None}
        if {*map(len, subjects)} != {1} or len(numbers) != 2 or numbers & settled:
            continue
        for n in numbers:
            before, after = pair.words(n)
            words = before._replace(anchor=verbs[0]), after._replace(anchor=verbs[1])
            event = (Kind.RELATION, v, "subjects")
            draft.change(Kind.RELATION, n, pair.shares[n], words, event=event)


def _is_infinitive(this: Side, verb: int) -> bool:
    return this.tags[verb] == "VERB" and verb > 0 and this.lemmas[verb - 1] == "to"


def _alternates(pair: Pair, verb1: int, verb2: int) -> bool:
    """Test if one verb of two partners alone has an object: "the frost burst pipes", "pipes burst
    because of the frost".
    """
    objects1, objects2 = _below(pair.first, verb1, "object"), _below(pair.second, verb2, "object")
    same = pair.first.number.get(verb1) == pair.second.number.get(verb2)
    return same and bool(objects1) != bool(objects2)


def _below(this: Side, governor: int, syntax: str) -> set[int | None]:
    """Return the pairs of the words with a position under a governor; None for other words."""
    return {
        this.number.get(token)
        for token, places in zip(this.words, this.sentence.places, strict=True)
        for place in places
        if place.governor == governor and place.syntax == syntax
    }


def _main_subject(pair: Pair, this: Side) -> int | None:
    """Return the pair of the only subject of the main verb, if both have the same partner."""
    if this.sentence.main_verb is None:
        return None
    verb = this.words[this.sentence.main_verb]
    at = this.number.get(verb)
    if at is None or at in pair.names or pair.aligned[at].relation is not LexicalRelation.SAME:
        return None
    subjects = _below(this, verb, "subject")
    n = subjects.pop() if len(subjects) == 1 else None
    return None if n is None or pair.aligned[n].relation is not LexicalRelation.SAME else n


def _within_subject(this: Side, n: int) -> bool:
    """Test if the word of pair ``n`` belongs to a subject."""
    return any(
        place.governor in this.sentence.position and this.is_subject(place.governor)
        for place in this.places[n]
    )


def _unmoved(pair: Pair, n: int) -> bool:
    """Test if a pair has the same attachments and the same preposition."""
    first, second = pair.first, pair.second
    places1, places2 = first.places[n], second.places[n]
    if len(places1) != len(places2):
        return False
    if (
        first.sentence.prepositions[first.tokens[n]]
        != second.sentence.prepositions[second.tokens[n]]
    ):
        return False
    for (governor1, relation1, _), (governor2, relation2, _) in zip(places1, places2, strict=True):
        above = first.number.get(governor1)
        same = above is not None and above == second.number.get(governor2)
        if not same or relation1 != relation2 or above in pair.names:
            return False
    return True


def _compare_attachments(draft: Draft, n: int, places: Places) -> None:
    """Compare the attachments of a pair that has any."""
    pair = draft.pair
    first, second = pair.first, pair.second
    places1, places2 = first.places[n], second.places[n]
    amount = pair.shares[n] * pair.aligned[n].similarity
    same = first.heads(n) & second.heads(n)
    other = None if same else _inverting(pair, n)
    if not places1 or not places2:
        if other is None:
            places.roots.append(_between_governors(pair, n, amount))
        else:
            _inverted(draft, n, other, amount, places)
        return
    governor1, governor2 = places1[0].governor, places2[0].governor
    if same:
        _compare_relations(pair, n, sorted(same, key=str), amount, places)
    elif other is not None:
        places.inversions.append((other, _between_governors(pair, n, amount)))
        return
    elif {first.lemmas[place.governor] for place in places1}.isdisjoint(
        second.lemmas[place.governor] for place in places2
    ):
        places.governors.append(_between_governors(pair, n, amount))
        return
    elif first.lemmas[governor1] == second.lemmas[governor2]:
        cluster1, cluster2 = first.cluster(governor1), second.cluster(governor2)
        if cluster1[0] == cluster2[0] == "both":
            # Two words of one form, each with its own partner.
            flow = _between_governors(pair, n, amount)
            places.governors.append(flow._replace(source=cluster1, target=cluster2))
    if first.number.get(governor1) not in pair.converses:
        places.prepositions[n] = amount


def _compare_relations(
    pair: Pair, n: int, shared: list[Cluster], amount: float, places: Places
) -> None:
    """Compare the relations of a pair to a shared governor: the first to which they differ."""
    first, second = pair.first, pair.second
    places1, places2 = first.places[n], second.places[n]
    for governor in shared:
        kinds1 = first.relations(governor, places1)
        kinds2 = second.relations(governor, places2)
        if kinds1.isdisjoint(kinds2):
            break
    anchors = _tokens(pair, int(governor[1]))
    if kinds1.isdisjoint(kinds2):
        syntax1, syntax2 = _syntax(first, governor, places1), _syntax(second, governor, places2)
        if not is_relabelled(pair, governor, syntax1, syntax2):
            kind1, kind2 = min(kinds1), min(kinds2)
            # Theme and Patient are one place here.
            crossed = {syntax1, syntax2} == {"subject", "object"}
            before, after = (syntax1, syntax2) if crossed else (kind1, kind2)
            source, target = (governor, before), (governor, after)
            places.relations.append(Flow(n, source, target, amount, anchors, (kind1, kind2)))
            return
    places.kept.add(n)
    if governor[1] in pair.converses:
        places.settled.add(n)
    # From one preposition to an unopposed one: "a gift of Ann to Tom".
    before, after = (this.sentence.prepositions[this.tokens[n]] or "" for this in (first, second))
    compass = {before, after} <= COMPASS
    if before and after and not opposed(before, after) and not compass:
        source, target = ((governor, "of" if word in OF else word) for word in (before, after))
        if source != target:
            places.markers.append(Flow(n, source, target, amount, anchors))


def _syntax(this: Side, governor: Cluster, places: Sequence[Attachment]) -> str:
    """Return the position relative to a governor in the active voice."""
    return next(place.syntax for place in places if this.cluster(place.governor) == governor)


def _tokens(pair: Pair, n: int) -> tuple[int, int]:
    return pair.first.tokens[n], pair.second.tokens[n]


def _between_governors(pair: Pair, n: int, amount: float) -> Flow:
    """Return the flow from the first governor in one sentence to that in the other; a root has the
    governor None, with the lemma "".
    """
    governor1, governor2 = (
        this.places[n][0].governor if this.places[n] else None for this, _ in pair.sides
    )
    source = "" if governor1 is None else pair.first.lemmas[governor1]
    target = "" if governor2 is None else pair.second.lemmas[governor2]
    return Flow(n, source, target, amount, (governor1, governor2))


def _modifier(draft: Draft, flow: Flow) -> None:
    """Add a modifier that moved to another noun, even if no other word has taken its place."""
    pair = draft.pair
    first, second, n = pair.first, pair.second, flow.n
    governor1, governor2 = flow.anchors
    kinds = {first.places[n][0].relation, second.places[n][0].relation}
    if governor1 is None or governor2 is None or not kinds <= MODIFIERS:
        return
    in_compound = second.lemmas[governor2] in _compounds(first, governor1)
    if not in_compound and first.lemmas[governor1] not in _compounds(second, governor2):
        before, after = pair.words(n)
        words = before._replace(anchor=governor1), after._replace(anchor=governor2)
        draft.change(Kind.MODIFIER, n, flow.amount, words)


def _compounds(this: Side, token: int) -> set[str]:
    """Return the heads of the compounds whose first part is ``token``."""
    at = this.sentence.position.get(token)
    places = () if at is None else this.sentence.places[at]
    return {this.lemmas[place.governor] for place in places if place.relation == "compound"}


def _inverting(pair: Pair, n: int) -> int | None:
    """Return the pair that governs pair ``n`` in one sentence and is governed by it in the other;
    None if there is none.
    """
    own: Cluster = ("both", n)
    for this, other in pair.sides:
        found = [m for _, m in this.heads(n) if isinstance(m, int) and own in other.heads(m)]
        if found:
            return min(found)
    return None


def _inverted(draft: Draft, n: int, m: int, amount: float, places: Places) -> None:
    """Compare two pairs whose relation is inverted: the meaning may be the same ("the red car" and
    "the car is red", "A before B" and "B after A") or another ("my father's boss").
    """
    pair = draft.pair
    link1, link2 = _link(pair.first, n, m), _link(pair.second, n, m)
    marker1, marker2 = link1.marker, link2.marker
    words = link1.words, link2.words
    governor_kind = GOVERNORS[word_class(pair, n)]
    if marker1 and marker2 and not {marker1, marker2} <= OF:
        converse = are_converse(marker1, marker2, pair.lexicon)
        symmetric = marker1 == marker2 and pair.lexicon.symmetric(marker1, "ADP")
        same_object = link1.marked == link2.marked
        if symmetric or (same_object if marker1 == marker2 else converse and not same_object):
            places.explained |= {marker1, marker2}
            places.kept |= {n, m}
            places.settled |= {n, m}
        elif marker1 == marker2:
            draft.change(governor_kind, n, amount, words)
    elif link1.relation in NOMINAL and link2.relation in NOMINAL:
        possessors = {marker1, marker2} <= OF
        draft.change(governor_kind if possessors else Kind.INVERTED, n, amount, words)
    elif link1.relation in NOMINAL or link2.relation in NOMINAL:
        places.kept |= {n, m}


class _Link(NamedTuple):
    """A relation between two pairs in one sentence: the dependent with its governor, the relation,
    its preposition or conjunction, and the pair that this marks.
    """

    words: Words
    relation: str
    marker: str | None
    marked: int


def _link(this: Side, n: int, m: int) -> _Link:
    """Return the relation between two pairs of which one governs the other; with a copula the
    preposition belongs to the governor: "the cat is under the table".
    """
    prepositions, connectives = this.sentence.prepositions, this.sentence.connectives
    for below, above in ((n, m), (m, n)):
        token, governor = this.tokens[below], this.tokens[above]
        for place in this.places[below]:
            if this.cluster(place.governor) == ("both", above):
                words = Words((token,), anchor=governor)
                marker = connectives[token] or prepositions[token]
                if marker is None and place.syntax == "subject":
                    return _Link(words, place.relation, prepositions[governor], above)
                return _Link(words, place.relation, marker, below)
    raise AssertionError("neither of the partners governs the other")


def _prepositions(draft: Draft, n: int, amount: float) -> set[str]:
    """Compare the prepositions of a pair; return those for which an edit accounts."""
    pair = draft.pair
    first, second = pair.first.sentence, pair.second.sentence
    token1, token2 = _tokens(pair, n)
    preposition1, preposition2 = first.prepositions[token1], second.prepositions[token2]
    if not preposition1 or not preposition2 or preposition1 == preposition2:
        return set()
    both = frozenset((preposition1, preposition2))
    against = opposed(preposition1, preposition2)
    if against and any(
        tree[mark].pos == tree[other].pos == "ADP"
        for tree, token in ((first.tree, token1), (second.tree, token2))
        if tree is not None
        for mark in tree.children(token)
        for other in tree.children(mark)
    ):
        against = 0.0  # "before or after Easter"
    if both == COMPARED and not first.denials and not second.denials:
        against = EQUATIVE
    words = pair.words(n, preposition1, preposition2)
    if against:
        kind = Kind.PREPOSITION_OPPOSED
        draft.change(kind, n, amount * against, words, against, (kind, both))
    if both <= COMPASS and not against:
        draft.change(Kind.CO_HYPONYM, n, amount, words)
    elif not both & OF and not alike(preposition1, preposition2):
        draft.change(Kind.PREPOSITION, n, amount * (1 - against), words)
    return {*both} if against else set()
