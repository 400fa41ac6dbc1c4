"""A sentence whose words are all in the other one: whether the other asserts it.

    The lawyer near the judge left.         The judge left.      of another: the lawyer left
    Tom knew that the boy she liked sang.   The boy sang.        asserted
    If the guest slept, the cook left.      The guest slept.     left open

The predicate must have the same arguments in both, in the same positions (in the active voice), and
its clause must be asserted: by its conjunction, its adverbs, and every clause above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.comparison.logic import Context
from hybridsem.comparison.sentence import Attachment
from hybridsem.english.lexicon import lexicon
from hybridsem.judge.contexts import LogicalSentence
from hybridsem.judge.rules import relation_words
from hybridsem.judge.tenses import time_of

_WORDS = word_sets(read_table(__file__)["words"])
CLAUSAL = frozenset({"advcl", "acl", "xcomp", "ccomp", "csubj", "parataxis"})
COMPLEMENTS = frozenset({"xcomp", "ccomp", "csubj", "parataxis"})
OWN = frozenset({"mark", "nsubj", "aux", "cop", "obl"})
"""The relations to a clause of what makes it complete, or a participle a phrase."""
CORE = frozenset({"subject", "object", "iobj"})
RECEIVING = frozenset({"object", "iobj", "to"})
"""Positions of what may be one argument: "gave Tom a book", "gave a book to Tom"."""
ASSERTED = frozenset({Context.FACT, Context.SOME, Context.EVERY})
SAME_THING = ("appos", "flat", "compound", "conj", "nmod:npmod", "list")
EMPTYING = relation_words()["privative"] | relation_words()["excluding"]
LONGEST = 20
"""The longest sentence, in tokens, in which it counts that a clause is not asserted. Of 33 such
development pairs of SICK, MNLI, LingNLI and SNLI with 15 words or fewer that have another argument,
29 are not entailed; of the longer ones, 9 of 15.
"""
NOUNS = ("NOUN", "PROPN")
EXISTENTIAL = frozenset({"a", "the", "some", "number", "many", "a few", "any"})
"""Quantifiers that a predicate need not be compared by."""


class Containment(StrEnum):
    """Ways in which one sentence contains the words of another, by their rules of relations."""

    ASSERTED = "asserted clause"
    OPEN = "open clause"
    OTHER = "other argument"


class Contained(NamedTuple):
    """A way in which a sentence contains another, the predicates of both, and what tells so: the
    word that leaves the clause open, or the other argument ``by`` and that of the part.
    """

    how: Containment
    whole: int
    part: int
    by: int = -1
    own: int = -1


def containment(whole: LogicalSentence, part: LogicalSentence) -> Contained | None:
    """Return how one sentence contains the words of another; None if it lacks any of them, or if
    that is unclear.
    """
    if whole.sentence.question or part.sentence.question or part.negators:
        return None
    words = part.sentence.words
    known = {whole.keys[at] for at in whole.sentence.words}
    if not len(words) > 1 or any(part.keys[at] not in known for at in words):
        return None
    graded = [part.forms[at] for at in words if part.tags[at] in ("ADJ", "ADV")]
    if not {*graded} <= {*whole.forms}:
        return None  # "large" is not "larger"
    top = next((at for at in words if part.tree[at].head < 0), None)
    if top is None or {each.name for each in part.quantifiers} - EXISTENTIAL:
        return None
    if any(each.context not in ASSERTED for each in part.contexts[top]):
        return None
    if part.tags[top] in NOUNS and part.children(top, "acl"):
        return None  # "the guest seated" is a phrase, or a clause
    containing = _Containing(whole, part)
    found = None if containing.is_garbled() else containing.of(top)
    asserted = found is not None and found.how is Containment.ASSERTED
    return found if asserted or len(whole.tree) <= LONGEST else None


def _position(place: Attachment) -> str:
    """Return a position, one name for all of what is given or affected."""
    return "object" if place.syntax in RECEIVING else place.syntax


class _Containing:
    """Looks for the clauses of a sentence in another, which has all its words."""

    def __init__(self, whole: LogicalSentence, part: LogicalSentence) -> None:
        self.whole, self.part = whole, part
        self.matched = list[int]()
        self.on_the_way = set[int]()
        self.places = tuple(
            dict(zip(side.sentence.words, side.sentence.places, strict=True))
            for side in (whole, part)
        )

    def of(self, top: int) -> Contained | None:
        """Return how the clause of the predicate ``top`` of the part is contained."""
        others = list[Contained]()
        for at in self._same(top):
            found = self._by_arguments(at, top)
            if found is None:
                return None
            if found.how is Containment.ASSERTED:
                return self._asserted(found) if self._has_rest(top) else None
            others.append(found)
        return others[0] if others else None

    def _same(self, at: int) -> list[int]:
        """Return the words of the whole that are the same as one of the part."""
        part, whole = self.part, self.whole
        verbal = part.tags[at] in ("VERB", "AUX")
        return [
            other
            for other in whole.sentence.words
            if whole.keys[other] == part.keys[at]
            and (whole.tags[other] in ("VERB", "AUX")) == verbal
        ]

    def _by_arguments(self, at: int, top: int) -> Contained | None:
        """Return if a predicate of the whole has the arguments of the same one of the part, or
        others; None if that is unclear.
        """
        if self.whole.bare[at] == "amod":
            return self._by_noun(at, top)
        if self._alternates(at, top):
            return None
        filled = [
            (word, place)
            for word, places in self.places[0].items()
            for place in places
            if place.governor == at
        ]
        matched = False
        for word, places in self.places[1].items():
            for place in places:
                if place.governor != top:
                    continue
                there = self._fillers(filled, place)
                same = next((each for each in there if self._is_same(each, word)), None)
                if same is not None:
                    self.matched.append(same)
                    matched |= place.syntax in CORE
                    continue
                clause = self._clause_about(at, word) if place.syntax in RECEIVING else -1
                if clause >= 0 and not there:
                    return Contained(Containment.OTHER, at, top, clause, word)
                if place.syntax in CORE and there and self._is_other(at, word, place.syntax, there):
                    return Contained(Containment.OTHER, at, top, there[0], word)
                return None
        return Contained(Containment.ASSERTED, at, top) if matched else None

    def _alternates(self, at: int, top: int) -> bool:
        """Test if the object of one predicate is the subject of the other, which has no object:
        "Ann opened the door", "the door opened".
        """
        sides = (self.whole, at), (self.part, top)
        subjects, objects = (
            [side.keys_below(of, bare) for side, of in sides] for bare in ("nsubj", "obj")
        )
        return any(objects[one] & subjects[1 - one] and not objects[1 - one] for one in (0, 1))

    def _by_noun(self, at: int, top: int) -> Contained | None:
        """Return what an adjective before a noun says of its noun, or of what that names: a red car
        is red, a small elephant need not be small. None for one that may be relative to its noun.
        """
        noun, key = self.whole.tree[at].head, self.part.keys[top]
        subjects = [
            word
            for word, places in self.places[1].items()
            for place in places
            if place.governor == top
        ]
        relative = key in _WORDS["relative"]
        if key in EMPTYING or len(subjects) != 1 or not self._is_same(noun, subjects[0]):
            return None
        self.matched.append(noun)
        if not relative:
            return Contained(Containment.ASSERTED, at, top)
        named = self.whole.keys[noun] != self.part.keys[subjects[0]]
        return Contained(Containment.OTHER, at, top, noun, subjects[0]) if named else None

    def _is_other(self, at: int, word: int, position: str, there: list[int]) -> bool:
        """Test if the words in a position of a predicate of the whole are others than one of the
        part, which is something else there.
        """
        whole, part = self.whole, self.part
        own = [each for each in self.places[0] if whole.keys[each] == part.keys[word]]
        direct = all(
            whole.tags[each] in NOUNS
            and (self._is_direct(each, at) or self._is_antecedent(each, at, word))
            for each in there
        )
        conjoined = [word, *part.below[word]]
        if not direct or any(part.bare[each] == "conj" for each in conjoined):
            return False
        if whole.tags[at] != "VERB" or self._is_symmetric(at) or self._is_shared(at):
            return False
        if position != "subject":
            heads = [whole.tree[each].head for each in own]
            subject = (whole.bare[each] == "nsubj" for each in own)
            exchanged = any(is_ and head == at for is_, head in zip(subject, heads, strict=True))
            # "Tom bought a car and Ann bought a house."
            return exchanged or all(h != at and whole.keys[h] == whole.keys[at] for h in heads)
        twice = any(whole.tree[each].relation == "obl:agent" for each in there)
        return not (twice and any("by" in whole.keys_below(each, "case") for each in own)) and all(
            map(self._is_elsewhere, own)
        )

    def _is_symmetric(self, verb: int) -> bool:
        """Test if the participants of a verb may be exchanged."""
        key = self.whole.keys[verb]
        return key in _WORDS["symmetric"] or lexicon().symmetric(key, "VERB")

    def _is_shared(self, verb: int) -> bool:
        """Test if a clause that lacks a verb of its own is joined to that of a verb: "and Ann did
        too", "and Ann by train".
        """
        side = self.whole
        joined = side.children(verb, "conj", "parataxis")
        return any(side.tags[each] != "VERB" or side.keys[each] == "do" for each in joined)

    def _is_direct(self, argument: int, verb: int) -> bool:
        """Test if a word is the subject or object of a verb, or the agent of a passive."""
        token = self.whole.tree[argument]
        return token.head == verb and (
            token.relation == "obl:agent" or self.whole.bare[argument] in ("nsubj", "obj", "iobj")
        )

    def _is_antecedent(self, noun: int, verb: int, word: int) -> bool:
        """Test if a noun stands before the relative pronoun that is the subject of a verb, within
        no phrase of the other word: "the guests who *left*".
        """
        side = self.whole
        pronoun = noun + 1 < len(side.tree) and side.tree[noun + 1]
        if side.tree[verb].head != noun or not pronoun or pronoun.pos != "PRON":
            return False
        above = side.tree[noun].head if side.bare[noun] == "nmod" else -1
        return pronoun.head == verb and (above < 0 or side.keys[above] != self.part.keys[word])

    def _clause_about(self, verb: int, word: int) -> int:
        """Return the complement clause of a verb whose subject a word of the part is, or -1: "They
        knew *the guests left*", but not "They knew the guests".
        """
        for clause in self.whole.children(verb, "ccomp"):
            if any(self._is_same(each, word) for each in self.whole.children(clause, "nsubj")):
                return clause
        return -1

    def _is_elsewhere(self, own: int) -> bool:
        """Test if a word has a place of its own: an argument, or within a phrase for which it does
        not stand.
        """
        side = self.whole
        if side.bare[own] in ("nsubj", "obj", "iobj", "obl"):
            return True
        cases = side.keys_below(own, "case")
        return side.is_of_another(own) and cases.isdisjoint(_WORDS["including"])

    def _fillers(self, filled: list[tuple[int, Attachment]], place: Attachment) -> list[int]:
        """Return the words in the position of a place, or in one that is the same."""
        alike = RECEIVING if place.syntax in RECEIVING else {place.syntax}
        exact = [word for word, other in filled if other.syntax == place.syntax]
        return exact or [word for word, other in filled if other.syntax in alike]

    def _is_same(self, whole: int, part: int) -> bool:
        """Test if a word of the whole, or another name of it, is one of the part."""
        key = self.part.keys[part]
        return any(self.whole.keys[at] == key for at in self._names(whole))

    def _names(self, at: int) -> Iterator[int]:
        """Yield a word and those that name the same thing or a part of it: what a group consists
        of ("a group of *men*"), or what something is ("children who are *sisters*").
        """
        side = self.whole
        seen, todo = {at}, [at]
        while todo:
            one = todo.pop()
            yield one
            near = [*side.children(one, *SAME_THING)]
            near += [c for c in side.children(one, "nmod") if not side.is_of_another(c)]
            near += [side.tree[one].head] if side.bare[one] in SAME_THING else []
            near += [p.governor for p in self.places[0].get(one, ()) if p.syntax == "is"]
            near += [c for c in side.children(one, "acl") if side.children(c, "cop")]
            todo += [each for each in near if each not in seen]
            seen.update(near)

    def _has_rest(self, top: int) -> bool:
        """Test if the whole has all other attachments of the part."""
        whole, part = self.places
        there = {
            (self.whole.keys[word], self.whole.keys[place.governor]): (word, _position(place))
            for word, places in whole.items()
            for place in places
        }
        for word, places in part.items():
            for place in places:
                if place.governor == top:
                    continue
                key = self.part.keys[word], self.part.keys[place.governor]
                found = there.get(key)
                if found is None or found[1] != _position(place):
                    return False
                self.matched.append(found[0])
        return True

    def _asserted(self, found: Contained) -> Contained | None:
        """Return the same if the clause is asserted, or that it is left open; None if neither is
        clear.
        """
        side, part = self.whole, self.part
        times = {time_of(side, found.whole), time_of(part, found.part)} - {""}
        if len(times) > 1 or side.modality(found.whole) != part.modality(found.part):
            return None
        if not {*side.negators.values()}.isdisjoint((found.whole, *self.matched)):
            return None
        if any(
            each.context not in ASSERTED
            and each.source != found.whole
            and each not in side.contexts[found.whole]
            for word in self.matched
            for each in side.contexts[word]
        ):
            return None
        own = self._keys_below(side, found.whole) - self._keys_below(part, found.part)
        for word in self.matched:
            own |= self._keys_below(side, word) & EMPTYING
        if own & (EMPTYING | _WORDS["degrees"] | relation_words()["degrees"]):
            return None
        if any(map(side.is_disjoined, self.matched)):
            return None
        for at in side.upward(found.whole):
            if side.is_disjoined(at):
                return None
            self.on_the_way.add(at)
            opener = self._opener(at)
            if opener is None:
                return None
            if opener >= 0:
                return found._replace(how=Containment.OPEN, by=opener)
        return found

    def _opener(self, at: int) -> int | None:
        """Return the word by which one on the way from a predicate to the root, or what is below
        it, is left open, -1 for none; None if that is unclear.
        """
        side = self.whole
        head, relation = side.tree[at].head, side.bare[at]
        if self._keys_below(side, at) & relation_words()["hedges"]:
            return None
        for child in side.children(at, "advcl"):
            if child not in self.on_the_way:
                mark = self._mark(child, "conditions")
                if mark >= 0 and "even" not in self._keys_below(side, child):
                    return mark
        mark = self._mark(at, "open")
        if mark >= 0:
            return mark
        if relation not in CLAUSAL or head < 0:
            return -1
        if any(each.name == "no" and side.noun(each) == head for each in side.quantifiers):
            return None  # "there is no way I can come"
        known = next((known or "" for c, _, known in side.complements(head) if c == at), "")
        if known == "oo":
            speaker = _WORDS["speakers"] & self._keys_below(side, head)
            return None if speaker and side.keys[head] in _WORDS["believing"] else head
        if known.startswith("+"):
            return -1
        opening = ("mark", "nsubj") if relation == "advcl" else ("mark",)
        unclear = side.children(at, *opening) and self._mark(at, "asserting") < 0
        return None if known or relation in COMPLEMENTS or unclear else -1

    def _mark(self, at: int, kind: str) -> int:
        """Return the conjunction of a clause if it is of a kind, else -1."""
        side = self.whole
        for child in side.children(at, "mark", "advmod"):
            words = (child, *side.children(child, "fixed"))
            if "_".join(side.forms[each] for each in words) in _WORDS[kind]:
                return child
        return -1

    @staticmethod
    def _keys_below(side: LogicalSentence, at: int) -> set[str]:
        return {word for child in side.below[at] for word in (side.keys[child], side.forms[child])}

    def is_garbled(self) -> bool:
        """Test if a finite verb has no subject of its own and no conjunction, as where a participle
        was read as the verb: "The horse raced past the barn fell".
        """
        side = self.whole
        return any(
            side.tags[at] == "VERB"
            and side.bare[at] in ("xcomp", "ccomp", "advcl", "obj")
            and side.forms[at] != side.keys[at]
            and at not in side.participles
            and not side.children(at, *OWN)
            and side.forms[at - 1] != ","
            for at in side.sentence.words
        )
