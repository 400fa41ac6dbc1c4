"""Words that two sentences say alike, that stand in the same place, or that only one says.

An onion is cut | Garlic is cut     "onion" and "garlic": the subjects of partners
prices rose | it said prices rose   "said" has no counterpart, though both are main verbs
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.comparison.folding import NO_UNITS, Unit
from hybridsem.comparison.quotations import (
    BEGINNING,
    BOUNDS,
    CONTENT,
    DENIALS,
    REACH,
    SUPPORTING,
    base,
    is_preposition,
    phrases,
    plain_text,
    without_adjunct,
    written,
)
from hybridsem.english.lexicon import LexicalRelation, lexicon
from hybridsem.english.numbers import number_value
from hybridsem.facts.values import FactRelation, compare
from hybridsem.structures import DependencyTree, Token

_WORDS = word_sets(read_table(__file__)["words"])
FILLERS, LIGHT = _WORDS["fillers"], _WORDS["light"]
DENIED = _WORDS["denied"]
CLASSES = {"PROPN": "NOUN", "PRON": "NOUN", "AUX": "VERB"}
"""Tags that count as another tag when one word replaces another."""
SAYING_ALIKE = frozenset({LexicalRelation.SAME, LexicalRelation.SYNONYM, LexicalRelation.DERIVED})
KIN = SAYING_ALIKE | {LexicalRelation.HYPERNYM, LexicalRelation.HYPONYM, LexicalRelation.SIMILAR}
LEAST_ALIKE = 0.2
"""The least strength of a synonym or derived form that says what the other word says."""
OPPOSITE = 0.99
"""The least confidence of words that are called opposites, chosen by reading development pairs."""
SUBJECTS = frozenset({"nsubj", "csubj"})
ADJOINED = frozenset({"advcl", "acl", "parataxis"})
ARGUMENTS = SUBJECTS | {"obj", "iobj", "obl", "xcomp", "ccomp"}
LINKS = frozenset({"case", "mark", "cc"})


def says_alike(one: Token, two: Token) -> bool:
    """Test if words have the same lemma or form, or are synonyms or derived forms."""
    if {one.lemma.lower(), one.text.lower()} & {two.lemma.lower(), two.text.lower()}:
        return True
    relation, strength = lexicon().relation(one.lemma.lower(), one.pos, two.lemma.lower(), two.pos)
    if relation is LexicalRelation.DERIVED and one.pos == two.pos:
        return False  # "economy" and "economist"
    return relation in SAYING_ALIKE and strength >= LEAST_ALIKE


def spelled_alike(one: Token, two: Token) -> bool:
    """Test if words begin alike, or one ends with the other: "disputed" and "disputes", "onstage"
    and "stage".
    """
    first, second = sorted((one.text.lower(), two.text.lower()), key=len)
    return len(first) >= BEGINNING and (
        second.startswith(first[:BEGINNING]) or second.endswith(first)
    )


def is_kin(one: Token, two: Token) -> bool:
    """Test if words say alike, one is more general, or one is a pronoun."""
    if "PRON" in (one.pos, two.pos) or says_alike(one, two):
        return True
    relation, _ = lexicon().relation(one.lemma.lower(), one.pos, two.lemma.lower(), two.pos)
    return relation in KIN and not (relation is LexicalRelation.DERIVED and one.pos == two.pos)


@dataclass(frozen=True)
class Counterparts:
    """Two trees, and the partner in the second of each aligned token of the first; ``alike`` are
    the tokens of phrases that mean the same.
    """

    first: DependencyTree
    second: DependencyTree
    partners: Mapping[int, int]
    units: tuple[Mapping[int, Unit], Mapping[int, Unit]] = (NO_UNITS, NO_UNITS)
    alike: tuple[Collection[int], Collection[int]] = ((), ())

    @cached_property
    def equal(self) -> tuple[set[int], set[int]]:
        """The tokens of values that both sentences state, of phrases that mean the same, and of
        words that they write apart in different ways: "data base" and "database".
        """
        found = {*self.alike[0]}, {*self.alike[1]}
        for one in self.units[0].values():
            for two in self.units[1].values():
                facts = one.fact, two.fact
                if None not in facts and compare(*facts) is FactRelation.EQUAL:  # type: ignore[arg-type]
                    found[0].update(one.tokens)
                    found[1].update(two.tokens)
        first, second = map(_spellings, (self.first, self.second))
        for text in first.keys() & second.keys():
            forms = [
                [tree[at].text.lower() for at in tokens]
                for tree, tokens in ((self.first, first[text]), (self.second, second[text]))
            ]
            if forms[0] != forms[1]:
                found[0].update(first[text])
                found[1].update(second[text])
        return found

    def whole(self, side: int, at: int) -> list[int]:
        """Return a token of a sentence, 0 or 1, or the tokens of its value, with a word before it
        that denies it.
        """
        tree, units = (self.first, self.second)[side], self.units[side].values()
        found = next(([*u.tokens] for u in units if at in u.tokens and not u.phrase), [at])
        before = found[0] - 1
        for after in tree.children(at):
            if tree[after].relation == "compound:prt" and after <= found[-1] + REACH + 1:
                found = [*range(found[0], after + 1)]  # "put the light out"
        denied = before >= 0 and tree[before].lemma in DENIALS and tree[before].head == at
        return [before, *found] if denied else found

    def phrases(self, side: int, tokens: Iterable[int], full: bool = False) -> list[list[int]]:
        """Return tokens of a sentence, 0 or 1, as :func:`phrases` with whole values; none that
        another one quotes.
        """
        tree, other = (self.first, self.second)[:: -1 if side else 1]
        texts, kept, alone = list[str](), list[list[int]](), [*tokens]
        for one in phrases(tree, alone, self.units[side].values(), self.equal[side], full):
            one = one if full else without_adjunct(tree, one, alone, plain_text(other.text))
            text = written(tree, one)
            if not any(f" {text} " in f" {other} " for other in texts):
                kept.append(one)
                texts.append(text)
        return kept

    def matched(self, at1: int, at2: int) -> bool:
        """Test if two tokens are partners, or say alike."""
        if self.partners.get(at1) == at2:
            return True
        return says_alike(self.first[at1], self.second[at2])

    def same_place(self, at1: int, at2: int) -> bool:
        """Test if words of the same class depend alike on partners, stand between the same words,
        or are predicates with the same participants.
        """
        one, two = self.first[at1], self.second[at2]
        if one.relation == two.relation == "amod":
            heads = _of_compound(self.first, one.head), _of_compound(self.second, two.head)
            return self.matched(*heads) and is_kin(self.first[heads[0]], self.second[heads[1]])
        if CLASSES.get(one.pos, one.pos) != CLASSES.get(two.pos, two.pos):
            return False
        around = [
            [tree[at].text.lower() for at in (place - 1, place + 1) if 0 <= at < len(tree)]
            for tree, place in ((self.first, at1), (self.second, at2))
        ]
        if around[0] == around[1] and len(around[0]) == 2:
            return True
        if (
            min(one.head, two.head) >= 0
            and self.matched(one.head, two.head)
            and is_kin(self.first[one.head], self.second[two.head])
        ):
            cases = [
                {tree[at].lemma for at in tree.children(place) if tree[at].relation == "case"}
                for tree, place in ((self.first, at1), (self.second, at2))
            ]
            alike = base(one.relation) == base(two.relation) and cases[0] == cases[1]
            return alike and base(one.relation) not in ADJOINED
        return self._same_participants(at1, at2)

    def value_place(self, at1: int, at2: int) -> bool:
        """Test if two values depend on the same word, whatever their prepositions."""
        head1, head2 = self.first[at1].head, self.second[at2].head
        if self.same_place(at1, at2) or head1 == head2 == -1:
            return True
        return min(head1, head2) >= 0 and (
            self.matched(head1, head2) or self.same_place(head1, head2)
        )

    def opposed(self, at1: int, at2: int, confidence: float) -> bool:
        """Test if words that are opposites with a confidence are so here.

        They stand in one place, name no things ("man" and "woman") and bound no values ("at least"
        and "more than"). They are no verbs whose relations depend on their objects.
        """
        words = self.first[at1], self.second[at2]
        if all(
            word.text.lower() in BOUNDS
            and any(number_value(one.text) is not None for one in tree.tokens[at + 1 : at + 4])
            for word, tree, at in zip(words, (self.first, self.second), (at1, at2), strict=True)
        ):
            return False
        things = all((lexicon().concreteness(word.lemma) or 0) > 1 / 2 for word in words)
        if confidence < OPPOSITE or (things and words[0].pos == words[1].pos == "NOUN"):
            return False
        if not SUPPORTING.isdisjoint(word.lemma.lower() for word in words):
            objects = self._below(at1, at2, frozenset({"obj"}))
            if not any(self.matched(one, two) for one, two in product(*objects)):
                return False
        return self.value_place(at1, at2)

    def begun_alike(self, value1: list[int], value2: list[int]) -> tuple[list[int], list[int]]:
        """Return two values; one gets the preposition before it if that of the other belongs to
        the value: "until 6" and "to 7".
        """
        both, trees = [value1, value2], (self.first, self.second)
        begun = [is_preposition(tree, some[0]) for tree, some in zip(trees, both, strict=True)]
        for place, (tree, some) in enumerate(zip(trees, both, strict=True)):
            before = some[0] - 1
            if begun[1 - place] and not begun[place] and before >= 0:
                both[place] = [before, *some] if is_preposition(tree, before) else some
        return both[0], both[1]

    def _below(self, at1: int, at2: int, relations: Collection[str]) -> list[list[int]]:
        """Return the dependents of two tokens with one of some relations."""
        return [
            [at for at in tree.children(place) if base(tree[at].relation) in relations]
            for tree, place in ((self.first, at1), (self.second, at2))
        ]

    def _same_participants(self, at1: int, at2: int) -> bool:
        alike = any(
            base(self.first[one].relation) == base(self.second[two].relation)
            and self.matched(one, two)
            and is_kin(self.first[one], self.second[two])
            for one, two in product(*self._below(at1, at2, ARGUMENTS))
        )
        subjects = self._below(at1, at2, SUBJECTS)
        return alike and (
            not all(subjects)
            or any(is_kin(self.first[one], self.second[two]) for one, two in product(*subjects))
        )

    @cached_property
    def known(self) -> dict[int, int]:
        """The partners that a reader would pair: they say alike, are values or opposites, begin
        alike, or have the same place.
        """
        return {at1: at2 for at1, at2 in self.partners.items() if self._are_known(at1, at2)}

    def _are_known(self, at1: int, at2: int) -> bool:
        one, two = self.first[at1], self.second[at2]
        if at1 in self.units[0] and at2 in self.units[1]:
            return True
        relation, _ = lexicon().relation(one.lemma.lower(), one.pos, two.lemma.lower(), two.pos)
        if spelled_alike(one, two) or relation is LexicalRelation.ANTONYM:
            return True
        return is_kin(one, two) or self.same_place(at1, at2)

    @cached_property
    def alone(self) -> tuple[list[int], list[int]]:
        """The content words of each sentence that the other does not say in any form."""
        equal = self.equal
        partnered = {*self.known, *equal[0]}, {*self.known.values(), *equal[1]}
        return tuple(  # type: ignore[return-value]
            [
                at
                for at, token in enumerate(tree)
                if _counts(token)
                and at not in known
                and not any(says_alike(token, its) for its in other)
            ]
            for tree, other, known in (
                (self.first, self.second, partnered[0]),
                (self.second, self.first, partnered[1]),
            )
        )

    @cached_property
    def replaced(self) -> list[tuple[int, int]]:
        """Return words in the same place that differ, each once, in the order of the first."""
        alone1, alone2 = self.alone
        particles = [
            {one.head: one.lemma for one in tree if one.relation == "compound:prt"}
            for tree in (self.first, self.second)
        ]
        pairs = {
            at1: at2
            for at1, at2 in self.known.items()
            if at1 not in self.equal[0]
            and at2 not in self.equal[1]
            and not (
                {self.first[at1].lemma, self.first[at1].text.lower()}
                & {self.second[at2].lemma, self.second[at2].text.lower()}
                and particles[0].get(at1) == particles[1].get(at2)
            )
            and not self.first[at1].pos == self.second[at2].pos == "PRON"
            and DENIED.isdisjoint((self.first[at1].lemma, self.second[at2].lemma))
        }
        open1, open2 = (
            [*alone, *(at for at, token in enumerate(tree) if _is_participant(token))]
            for tree, alone in ((self.first, alone1), (self.second, alone2))
        )
        for at1 in open1:
            for at2 in open2:
                free = at1 not in self.partners and at1 not in pairs
                free = free and at2 not in {*self.partners.values(), *pairs.values()}
                pronouns = self.first[at1].pos == self.second[at2].pos == "PRON"
                if free and not pronouns and self.same_place(at1, at2):
                    pairs[at1] = at2
        return sorted(pair for pair in pairs.items() if not self._both_say(*pair))

    def _both_say(self, at1: int, at2: int) -> bool:
        """Test if both sentences say the words of both, as in "went up" and "went": "up"."""
        trees = self.first, self.second
        return all(
            f" {plain_text(written(tree, self.whole(side, at)))} " in f" {plain_text(other.text)} "
            for side, (tree, other, at) in enumerate(
                zip(trees, trees[::-1], (at1, at2), strict=True)
            )
        )

    @cached_property
    def unmatched(self) -> tuple[list[int], list[int]]:
        """The words of each sentence that are alone and replace none of the other."""
        replacing = [{pair[side] for pair in self.replaced} for side in (0, 1)]
        first, second = (
            [at for at in alone if at not in known]
            for alone, known in zip(self.alone, replacing, strict=True)
        )
        return first, second

    @property
    def is_open(self) -> bool:
        """True if each sentence has words without a counterpart."""
        return all(self.alone) and all(self.unmatched)

    @property
    def unlike(self) -> tuple[list[int], list[int]]:
        """The unmatched words, and those that replace others, if the other sentence does not say
        nearly the same.
        """
        trees = self.first, self.second
        found = [{*some} for some in self.unmatched]
        for pair in self.replaced:
            words = self.first[pair[0]], self.second[pair[1]]
            for side, other in (
                enumerate(trees[::-1]) if not (is_kin(*words) or spelled_alike(*words)) else ()
            ):
                if not any(says_alike(words[side], its) for its in other):
                    found[side].add(pair[side])
        return sorted(found[0]), sorted(found[1])

    @cached_property
    def has_alike(self) -> bool:
        """True if some content words say alike."""
        return any(
            says_alike(one, two)
            for one in filter(_counts, self.first)
            for two in filter(_counts, self.second)
        )

    def shared(self) -> list[str]:
        """Return the content words that both sentences write alike, as the first does, whole."""
        forms = [
            {
                written(tree, [at]).lower(): at
                for at, token in reversed([*enumerate(tree)])
                if _counts(token)
            }
            for tree in (self.first, self.second)
        ]
        places = sorted(at for form, at in forms[0].items() if form in forms[1])
        return [written(self.first, [at]) for at in places]


def _counts(token: Token) -> bool:
    """Test if a word has content: it is no filler, nor a sign."""
    content = token.pos in CONTENT and token.lemma not in FILLERS and token.relation not in LINKS
    content = (
        content
        and token.lemma not in DENIED | DENIALS
        and (token.pos, token.relation) != ("ADV", "fixed")  # "as well as"
        and token.relation != "compound:prt"
    )
    return content and any(map(str.isalnum, token.text))


def _of_compound(tree: DependencyTree, at: int) -> int:
    """Return the head of the compound that a word is part of."""
    while tree[at].relation == "compound":
        at = tree[at].head
    return at


def _is_participant(token: Token) -> bool:
    return token.pos == "PRON" and base(token.relation) in ("nsubj", "obj", "iobj")


def _spellings(tree: DependencyTree) -> dict[str, range]:
    """Return the places of words, and of up to three neighbours, by their letters and digits."""
    words = ["".join(filter(str.isalnum, token.text.lower())) for token in tree]
    spans = (range(at, at + size) for size in (3, 2, 1) for at in range(len(words) - size + 1))
    return {
        "".join(words[one.start : one.stop]): one for one in spans if all(words[at] for at in one)
    }
