"""The derivation of a pair: the edits from one sentence to the other, with their relations.

    He failed to leave.      signature  "failed"  ^       joined   =
    He did not leave.        negation   "not"     ^

Tokens without an equal partner in the alignment make edits: quantifiers, negations, verbs with a
signature, modal verbs, replaced words, and phrases that only one sentence has. The edits that the
score charges join them: what both find is one edit with a relation and a mass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from types import MappingProxyType

from hybridsem.combiners.hybrid import Compared
from hybridsem.comparison.edits import ROLES, SURE, Edit, Kind, Words
from hybridsem.comparison.logic import Context, Relation, direction, join, project
from hybridsem.english.function_words import alike, are_converse, opposed
from hybridsem.english.lexicon import lexicon
from hybridsem.english.numbers import number_value
from hybridsem.english.questions import asks
from hybridsem.english.signatures import ADDING, Complement, signature
from hybridsem.english.words import AFTER_NOT, PRONOUNS
from hybridsem.facts.dates import Date
from hybridsem.facts.names import Name, NameKind
from hybridsem.facts.quantities import Amount
from hybridsem.facts.values import FactRelation, compare
from hybridsem.judge.alignment import Alignment
from hybridsem.judge.balanced import balanced_opposites, opposition_of
from hybridsem.judge.containment import Containment, containment
from hybridsem.judge.contexts import (
    SEMI_MODALS,
    SOME,
    LogicalSentence,
    Quantified,
    licensed,
    logical,
)
from hybridsem.judge.norms import are_limits, bound_of, is_of_kind
from hybridsem.judge.relations import (
    EXCLUSIVE,
    OPPOSED,
    are_complementary,
    known_opposites,
    of_quantifiers,
    of_tokens,
)
from hybridsem.judge.rules import quantifiers, relation_words, relations
from hybridsem.judge.tenses import AUXILIARY, time_of

EQ, FWD, REV, NEG, ALT, COV, IND = Relation
MARKING = frozenset({"ADP", "SCONJ", "CCONJ"})
OPPOSED_PREPOSITIONS = frozenset({Kind.PREPOSITION_OPPOSED, Kind.CONNECTIVE, Kind.FUNCTION_WORD})
INDEPENDENT = frozenset({Kind.QUESTION, Kind.QUESTION_WORD, Kind.NEGATION_FOCUS})
"""Charged edits other than of places from which nothing follows."""
DENIALS = (Context.NO, Context.DOWN)
OTHER_VALUE, OTHER_NAME = "other value", "other name"
LIKELY_OTHER = 0.7
"""The confidence that two names without a known kind stand for two things."""
VALUE_RULES = MappingProxyType(
    {
        FactRelation.DISJOINT: OTHER_VALUE,
        FactRelation.WITHIN: "more exact value",
        FactRelation.OVERLAPS: "overlapping values",
        FactRelation.UNKNOWN: "overlapping values",
    }
)
"""The rules of values that are not equal, the more exact one first."""
EXCEPTIONS = "exception", "exception to none"
"""The rules of what is excepted from all, and from nothing."""
EXCLUDING = frozenset({NEG, ALT, COV})
CEASING = frozenset(word.replace("_", " ") for word in relation_words()["ceasing"])
"""Verbs by which a habit ends."""
MONOTONE = MappingProxyType({"most": REV, "some": REV, "few": FWD})
"""The relation of what a quantifier says of all that is not so, to what it says of its contrary."""
DENYING = frozenset({Kind.DENIAL, Kind.QUANTIFIER, Kind.SIGNATURE})


@dataclass(frozen=True)
class Derivation:
    """The edits between two sentences, and these as natural logic reads them; ``turned`` if they
    were derived in the other order.
    """

    edits: tuple[Edit, ...]
    sides: tuple[LogicalSentence, LogicalSentence]
    turned: bool = False

    @cached_property
    def relation(self) -> Relation:
        """The relation of the first sentence to the second, by a path on which each edit has its
        contexts around it.
        """
        turned = self.turned
        path = sorted(self.edits, key=lambda e: _step(e.inverted if turned else e), reverse=turned)
        return join(edit.projected for edit in path)

    @cached_property
    def confidence(self) -> float:
        """The confidence of the least certain edit; 1 without edits."""
        return min((edit.confidence for edit in self.edits), default=1.0)

    def first_words(self, edit: Edit) -> Iterator[tuple[LogicalSentence, int]]:
        """Yield each sentence that has words of an edit, with the first of them."""
        for side, words in zip(self.sides, edit.sides, strict=True):
            if words.tokens:
                yield side, words.tokens[0]

    @property
    def inverted(self) -> Derivation:
        """The derivation with the sentences in the other order."""
        edits = tuple(edit.inverted for edit in self.edits)
        return Derivation(edits, self.sides[::-1], not self.turned)


def _step(edit: Edit) -> int:
    """Return the step of an edit on the way to the second sentence: words of the first are left out
    or replaced where it says them, then a denial changes, then words of the second are added.
    """
    added, left_out = not edit.before.tokens, not edit.after.tokens
    if edit.kind in DENYING and edit.projected in EXCLUDING:
        return 5 if edit.kind is not Kind.SIGNATURE or added == left_out else 4 + 2 * added
    if left_out or added:
        return 0 if left_out else 7
    return {FWD: 1, EQ: 1, REV: 3}.get(edit.projected, 2)


def derivations(compared: Sequence[Compared | None]) -> list[Derivation | None]:
    """Return the derivation of each pair, its sentences in the order of the comparison; None for a
    pair without trees.
    """
    return [None if one is None else derive(one) for one in compared]


def derive(compared: Compared) -> Derivation | None:
    """Return the edits from the first sentence of a comparison to the second, with their relations;
    None without trees.
    """
    first, second = logical(compared.words1), logical(compared.words2)
    if first is None or second is None:
        return None
    edits = _Deriving(Alignment(first, second, compared)).edits()
    return Derivation(tuple(with_containment(edits, first, second)), (first, second))


def _rank(quantified: Quantified) -> tuple[bool, int]:
    """Sort the quantifiers of a noun: the first that is no article comes last, and counts."""
    return quantified.name != "the", -quantified.tokens[0]


def with_containment(
    edits: list[Edit], first: LogicalSentence, second: LogicalSentence
) -> list[Edit]:
    """Return the edits with what follows if one sentence has all words of the other, and it is
    clear whether it asserts them (``containment.py``).
    """
    ways = containment(first, second), containment(second, first)
    side = 0 if ways[1] is None else 1
    found, roles = ways[side], [edit for edit in edits if edit.kind in ROLES]
    if found is None or any(edit.relation in EXCLUDING for edit in edits):
        return edits
    if None not in ways or (roles and found.how is Containment.OTHER):
        mutual = {one.how for one in ways if one} == {Containment.OTHER}
        return [e._replace(rule=found.how) if e in roles and mutual else e for e in edits]
    row = relations()[found.how]
    relation = row.relation.inverted if side else row.relation
    made = Edit(
        row.kind, Words(), Words(), 0.0, row.confidence, 0, relation, relation, rule=found.how
    )
    whole = (first, second)[side]
    alone = {at for e in edits if not e.sides[1 - side].tokens for at in e.sides[side].tokens}
    if found.how is Containment.ASSERTED and not any(map(whole.content, alone)):
        return edits
    edits = [edit for edit in edits if not edit.kind.displaces]
    if found.how is Containment.ASSERTED:
        return [_asserted(edit, made, whole, side) for edit in edits]
    given = [Words((found.by,), anchor=found.whole), Words()]
    if found.own >= 0:
        given[1] = Words((found.own,), anchor=found.part)
    before, after = given[::-1] if side else given
    others = [edit for edit in edits if edit.kind is not Kind.HEAD]
    return [*others, made._replace(before=before, after=after)]


def _asserted(edit: Edit, made: Edit, whole: LogicalSentence, side: int) -> Edit:
    """Return an edit as one of words that only the whole has, if it is that."""
    if edit.sides[1 - side].tokens or edit.relation in (made.relation, Relation.EQUIVALENT):
        return edit
    made = made._replace(before=edit.before, after=edit.after)
    if is_of_kind(whole, edit.sides[side].tokens, True):
        made = made._replace(projected=made.relation.inverted)
    content = any(whole.content(at) for at in edit.sides[side].tokens)
    return made if content else made._replace(kind=Kind.MARKER, relation=EQ, projected=EQ)


class _Deriving:
    """Finds the edits of an alignment; ``covered`` are their tokens in each sentence."""

    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment
        self.sides = self.first, self.second = alignment.first, alignment.second
        self.pairs, self.back, self.moved = alignment.pairs, alignment.back, alignment.moved
        self.maps = self.pairs, self.back
        self.partners, self.converses = alignment.partners, alignment.converses
        self.charged, self.units = alignment.compared.edits, alignment.compared.units
        self.balanced = {each.tokens1[-1]: each for each in balanced_opposites(alignment)}
        self.covered: tuple[set[int], set[int]] = set(), set()

    def edits(self) -> list[Edit]:
        """Return the edits."""
        exceptions = [[*self._of_exceptions(side)] for side in (0, 1)]
        edits = exceptions[0]
        for tokens1, tokens2, _, relation, confidence in self.balanced.values():
            at = tokens1[-1]
            edits.append(self._edit(Kind.DENIAL, tokens1, tokens2, relation, confidence, at))
        edits += self._of_ends(0)
        edits += self._of_ends(1)
        edits += self._of_shares()
        edits += self._of_quantifiers()
        edits += self._of_negations()
        edits += self._of_signatures()
        for one, two in sorted(self.pairs.items()):
            edits += self._of_pair(one, two)
        for one, two in sorted(self.pairs.items()):
            edits += self._of_time(one, two)
        for side in (0, 1):
            edits += self._of_words_alone(side)
        edits += exceptions[1]
        return self._with_whole_values(self._with_charged(edits))

    def _with_whole_values(self, edits: list[Edit]) -> list[Edit]:
        """Return the edits without those of parts of values that are compared as wholes: numbers,
        function words, and their places.
        """
        parts: tuple[set[int], set[int]] = set(), set()
        for edit in edits:
            if edit.kind is Kind.VALUE and all(words.tokens for words in edit.sides):
                for side, known, words in zip(self.sides, parts, edit.sides, strict=True):
                    known.update(range(min(words.tokens), max(words.tokens) + 1))
                    known.update(c for at in words.tokens for c in side.children(at, "case"))
        if not any(parts):
            return edits

        def is_part(edit: Edit) -> bool:
            within = [
                known.issuperset(w.tokens) for known, w in zip(parts, edit.sides, strict=True)
            ]
            if edit.kind.displaces:
                return any(within)
            return edit.kind in (Kind.QUANTIFIER, Kind.MARKER) and all(within)

        return [edit for edit in edits if not is_part(edit)]

    def _with_charged(self, edits: list[Edit]) -> list[Edit]:
        """Return the edits with those that the score charges for another place, or a question:
        nothing follows from such a difference. They replace words that merely moved.
        """
        exempting = any(edit.rule == "the rest" for edit in edits)
        charged = [
            edit
            for edit in self.charged
            if edit.confidence > SURE
            and (edit.kind in INDEPENDENT or edit.kind.displaces)
            and not (edit.kind is Kind.INVERTED and exempting)  # "two of the men", "two men"
        ]
        displaced = {at for edit in charged for at in edit.before.tokens}
        kept = (
            edit
            for edit in edits
            if edit.kind is not Kind.MOVED or displaced.isdisjoint(edit.before.tokens)
        )
        return [*kept, *charged]

    def _edit(
        self,
        kind: Kind,
        tokens1: Sequence[int],
        tokens2: Sequence[int],
        relation: Relation,
        confidence: float = 1.0,
        at: int | None = None,
        anchor: int | None = None,
        rule: str = "",
    ) -> Edit:
        """Return an edit with the context of its first word, in the first sentence if possible;
        ``anchor`` is the word of that sentence that it concerns.
        """
        number, tokens = (0, tokens1) if tokens1 else (1, tokens2)
        within = self.sides[number].contexts[tokens[0] if at is None else at]
        tree, alone = self.sides[number].tree, not (tokens1 and tokens2)
        around = [
            each
            for each in within
            if each.source not in tokens and not (alone and tree[each.source].head in tokens)
        ]
        contexts = [each.context for each in around]
        downward = (each.source for each in around if direction([each.context]) < 0)
        self.covered[0].update(tokens1)
        self.covered[1].update(tokens2)
        sides = Words(tuple(tokens1)), Words(tuple(tokens2))
        here = sides[number]._replace(anchor=anchor, scope=next(downward, None))
        before, after = (here, sides[1]) if number == 0 else (sides[0], here)
        return Edit(
            kind,
            before,
            after,
            confidence=confidence,
            relation=relation,
            projected=project(relation, contexts),
            direction=direction(contexts),
            rule=rule,
        )

    def _by_rule(
        self,
        rule: str,
        tokens: tuple[Sequence[int], Sequence[int]],
        at: int | None = None,
        anchor: int | None = None,
        inverted: bool = False,
    ) -> Edit:
        """Return an edit by a row of ``english/rules/relations.toml``; ``inverted`` if its words
        are in the second sentence.
        """
        row = relations()[rule]
        relation = row.relation.inverted if inverted else row.relation
        return self._edit(row.kind, *tokens, relation, row.confidence, at, anchor, rule)

    def _alone(
        self, rule: str, phrase: Sequence[int], side: int, at: int, anchor: int | None = None
    ) -> Edit:
        """Return an edit of words that only one sentence has. Those that govern words of both may
        be another reading of these.
        """
        tokens: tuple[Sequence[int], Sequence[int]] = ((), phrase) if side else (phrase, ())
        edit = self._by_rule(rule, tokens, at, anchor, inverted=bool(side))
        if edit.kind is not Kind.ADDED:
            return edit
        if self._heads(side, at):
            return edit._replace(kind=Kind.HEAD)
        adverb = edit.direction <= 0 or self.sides[side].tags[at] == "ADV"
        narrower = not adverb and is_of_kind(self.sides[side], phrase, True)
        return edit._replace(projected=edit.relation.inverted) if narrower else edit

    def _heads(self, number: int, at: int) -> bool:
        """Test if a word governs content words of both sentences."""
        side, pairs = self.sides[number], self.maps[number]
        return any(child in pairs and side.content(child) for child in side.below[at])

    def _of_exceptions(self, number: int) -> Iterator[Edit]:
        """Yield what a sentence says of what it excepts, if the other one is about that, or says
        the same without exception.
        """
        (side, other), pairs = self.sides[:: 1 - 2 * number], self.maps[number]
        words = relation_words()["exceptive"]
        for at in side.visible:
            child = side.tree[at].head
            there = other.keys[pairs[at]] if at in pairs else ""
            if (
                side.bare[at] not in ("case", "mark")
                or side.keys[at] not in words
                or there in words
                or any(at in quantified.tokens for quantified in side.quantifiers)
            ):
                continue
            noun = side.tree[child].head
            self.covered[1 - number].update([pairs[at]] if at in pairs else ())
            quantified = next((one for one in side.quantifiers if side.noun(one) == noun), None)
            none = quantified is not None and quantified.name == "no"
            only = [c for c in other.below[pairs.get(child, 0)] if other.keys[c] == "only"]
            if child in pairs and noun not in pairs and quantified is not None:
                phrase = sorted({*quantified.tokens, noun, at})
                if none and only:
                    tokens = (only, phrase) if number else (phrase, only)
                    yield self._by_rule("only, nobody but", tokens, anchor=child)
                    continue
                yield self._alone(EXCEPTIONS[none], phrase, number, phrase[0], child)
            elif child in pairs:
                yield self._alone(EXCEPTIONS[none], [at], number, child, child)
            elif noun in pairs:
                edit = self._alone(EXCEPTIONS[False], [at, child], number, child)
                yield edit._replace(projected=edit.relation)

    def _of_ends(self, number: int) -> Iterator[Edit]:
        """Yield the end of a habit, that one sentence negates, where the other has a verb for it or
        "used to".
        """
        (side, other), pairs = self.sides[:: 1 - 2 * number], self.maps[number]
        words = relation_words()
        for negator, denied in side.negators.items():
            longer = [at for at in side.below[denied] if side.forms[at] in words["longer"]]
            there = pairs.get(denied, -1)
            verb = other.tree[there].head if there >= 0 else -1
            if not longer or verb < 0 or verb in self.maps[1 - number]:
                continue
            phrase = sorted({negator, *longer, *(c for at in longer for c in side.below[at])})
            forms = {form for child, form, _ in other.complements(verb) if child == there}
            tokens = ([verb], phrase) if number else (phrase, [verb])
            if other.keys[verb] in CEASING and Complement.ING in forms:
                yield self._by_rule("ceasing", tokens, anchor=None)
            elif other.keys[verb] == "use" and Complement.TO in forms:
                yield self._by_rule("formerly", tokens, anchor=None, inverted=bool(number))

    def _same_quantifiers(self) -> None:
        """Mark quantifiers that occur in both sentences as covered, whatever they belong to."""
        by_start = {quantified.tokens[0]: quantified for quantified in self.second.quantifiers}
        for one in self.first.quantifiers:
            two = by_start.get(self.pairs.get(one.tokens[0], -1))
            if two is not None and (one.name, one.number) == (two.name, two.number):
                self.covered[0].update(one.tokens)
                self.covered[1].update(two.tokens)

    def _of_shares(self) -> Iterator[Edit]:
        """Yield proportions of one set, one of them a count, or of which the sentences say opposite
        things: "two of the twelve seats were free", "most seats were taken"; "not all seats were
        taken", "some seats were not taken".
        """
        first, second = self.sides
        for one, two in product(first.shares, second.shares):
            here, there = first.tree[one.head].head, second.tree[two.head].head
            nouns = self.pairs.get(first.noun(one)), second.noun(two)
            if self.pairs.get(here, -2) != there or nouns[0] != nouns[1]:
                continue
            given = (first, one, here), (second, two, there)
            names = {one.name, two.name}
            if not names.isdisjoint(SOME) and names.isdisjoint(("not every", "few")):
                continue  # read elsewhere
            denials = [
                [by for by, at in side.negators.items() if at == verb and by not in each.tokens]
                for side, each, verb in given
            ]
            same = first.keys[here] == second.keys[there]
            confidence = 1.0 if same else opposition_of(first.tree[here], second.tree[there])
            of_rest = same == (sum(map(len, denials)) == 1)
            facts = all(side.fact(quantified.head) for side, quantified, _ in given)
            denied = any(denials) and not (same and of_rest)
            known = not of_rest and (facts or one.number == two.number)  # read elsewhere
            if confidence < OPPOSED or denied or known:
                continue
            named = self._named(first, one), self._named(second, two)
            relation = of_quantifiers(*named[0], *named[1], of_rest)
            if not same and not are_complementary(first.tree[here], second.tree[there]):
                before, after = (MONOTONE.get(each.name, IND) for each in (one, two))
                ways = join((before.inverted, relation)), join((relation, after))
                relation = ways[ways[0] is IND]  # contraries say more than that it is not so
            words1, words2 = (
                sorted([*one_of.tokens, *by, *([] if same else [verb])])
                for (_, one_of, verb), by in zip(given, denials, strict=True)
            )
            yield self._edit(Kind.QUANTIFIER, words1, words2, relation, confidence, None, None)

    def _of_quantifiers(self) -> Iterator[Edit]:
        self._same_quantifiers()
        by_noun = [
            {
                side.noun(quantified): quantified
                for quantified in sorted(side.quantifiers, key=_rank)
                if quantified.tokens[0] not in covered
            }
            for side, covered in zip(self.sides, self.covered, strict=True)
        ]
        for number, nouns in enumerate(by_noun):
            for noun, own in nouns.items():
                there = self.maps[number].get(noun, -1)
                other = None if number else by_noun[1].pop(there, None)
                if there >= 0 or noun not in own.tokens:
                    self.covered[number].update(own.tokens)
                if other is not None:
                    self.covered[1].update(other.tokens)
                if there >= 0:
                    yield from self._of_two_quantifiers(*((None, own) if number else (own, other)))

    def _of_two_quantifiers(self, one: Quantified | None, two: Quantified | None) -> Iterator[Edit]:
        given = (one, two)
        (name1, number1), (name2, number2) = map(self._named, self.sides, given)
        figure = any(
            each and each.number == 1 and side.forms[each.tokens[0]] == "1"
            for side, each in zip(self.sides, given, strict=True)
        )
        if figure and one and two and {one.name, two.name} == {"number"}:
            name1, number1, name2, number2 = one.name, one.number, two.name, two.number
        if (name1, number1) == (name2, number2):
            return
        tokens1, tokens2 = (each.tokens if each else () for each in given)
        if {name1, name2} <= {"a", "the", "", "any", "some"}:
            universal = any(
                each and each.name == "any" and not licensed(side.contexts[each.tokens[0]])
                for side, each in zip(self.sides, given, strict=True)
            )
            if universal or "the" in (name1, name2):
                yield self._by_rule("article", (tokens1, tokens2))
            return
        names = {each.name for each in given if each is not None}
        if one and two and names == {"all but", "number"} and one.number == two.number:
            yield from self._of_the_rest(one, two)
            return
        relation = of_quantifiers(name1, number1, name2, number2)
        if one and two and relation in (FWD, REV):
            nouns = (self.first, self.first.noun(one)), (self.second, self.second.noun(two))
            if are_limits(nouns, one.name, two.name):
                relation = ALT
        confidence = 1.0 if one and two else 0.8 if "no" in (name1, name2) else 0.6
        if relation is ALT and {name1, name2} == {"number"}:
            confidence = 0.9
        noun = next(side.noun(each) for side, each in zip(self.sides, given, strict=True) if each)
        yield self._edit(Kind.QUANTIFIER, tokens1, tokens2, relation, confidence, None, noun)

    def _of_the_rest(self, one: Quantified, two: Quantified) -> Iterator[Edit]:
        """Yield "all but two did", "two did not" as one edit, whose negation makes up for that."""
        number = 1 if one.name == "all but" else 0
        side, other = self.sides[number], self.sides[1 - number]
        verb = side.tree[side.noun((one, two)[number])].head
        there = self.maps[number].get(verb, -1)
        by = [at for at, denied in side.negators.items() if denied == verb]
        if len(by) == 1 and there not in other.negators.values():
            tokens = [list(one.tokens), list(two.tokens)]
            tokens[number] = sorted([*tokens[number], *by])
            edit = self._by_rule("the rest", (tokens[0], tokens[1]), inverted=not number)
            yield edit._replace(projected=edit.relation)
        else:
            yield self._edit(Kind.QUANTIFIER, one.tokens, two.tokens, IND, 0.9)

    @staticmethod
    def _named(side: LogicalSentence, one: Quantified | None) -> tuple[str, float | None]:
        if one is None:
            return "", None
        if one.name == "number" and one.number == 1:
            return "a", None
        forms = {side.forms[at] for at in one.tokens}
        strict = bool(forms & relation_words()["strict"]) and not forms & {"no", "not", "or"}
        return one.name + (" strictly" if strict else ""), one.number

    def _of_negations(self) -> Iterator[Edit]:
        denied2 = {
            self._core(1, denied): at
            for at, denied in self.second.negators.items()
            if at not in self.covered[1]
        }
        alone1: dict[int, int] = {}
        for at, denied in self.first.negators.items():
            if at in self.covered[0]:
                continue
            self.covered[0].add(at)
            denied = self._core(0, denied)
            other = denied2.pop(self.pairs.get(denied, -1), None)
            if other is None and self.pairs.get(at) in self.second.negators:
                there = self.second.negators[self.pairs[at]]
                other = denied2.pop(self._core(1, there), None)
            if other is not None:
                self.covered[1].add(other)
            elif denied in self.pairs:
                alone1[denied] = at
        self.covered[1].update(denied2.values())
        alone2 = {denied: at for denied, at in denied2.items() if denied in self.back}
        for number, alone in enumerate((alone1, alone2)):
            side = self.sides[number]
            conjoined = {at: side.tree[at].head if side.bare[at] == "conj" else at for at in alone}
            for denied, at in alone.items():
                group = [other for other in alone if conjoined[other] == conjoined[denied]]
                # If all conjuncts are negated, or none, that is one change, not a double negation.
                if denied == min(group):
                    tokens1, tokens2 = ([at], []) if number == 0 else ([], [at])
                    single = "denied until" if self._ends(number, denied) else "negated"
                    rule = "negated conjuncts" if len(group) > 1 else single
                    yield self._by_rule(rule, (tokens1, tokens2), at, denied)

    def _ends(self, number: int, of: int) -> bool:
        """Test if only one sentence says until when."""
        ends, pairs = relation_words()["ends"], self.maps[number]
        side, other = self.sides[number], self.sides[1 - number]
        for at in side.below[of]:
            places = [(side, at), (other, pairs[at])] if at in pairs else [(side, at)]
            bounded = [
                not ends.isdisjoint(
                    {each.forms[one].partition(" ")[0], *(each.keys[c] for c in each.below[one])}
                )
                for each, one in places
            ]
            if bounded[0] and not any(bounded[1:]):
                return True
        return False

    def _core(self, number: int, at: int) -> int:
        """Return a word, or the complement of a verb that the other sentence lacks."""
        side, pairs = self.sides[number], self.maps[number]
        for child, _, known in side.complements(at) if at not in pairs else ():
            implied = child in pairs and known not in (None, "++", "--")
            if implied or side.tree[at].lemma.lower() in SEMI_MODALS:
                return child
        return at

    def _of_signatures(self) -> Iterator[Edit]:
        """Yield verbs with a signature that only one sentence has; both have the complement."""
        for number, side in enumerate(self.sides):
            other, pairs = self.sides[1 - number], self.maps[number]
            for at, token in enumerate(side.tree):
                same = at in pairs and side.keys[at] == other.keys[pairs[at]]
                if same or token.pos == "NOUN":
                    continue
                for child, _, known in side.complements(at):
                    if child in pairs and at not in self.covered[number]:
                        yield from self._of_signature(number, at, child, known)
        for one, two in self.pairs.items():
            if self.first.keys[one] == self.second.keys[two]:
                yield from self._of_forms(one, two)

    def _of_signature(
        self, number: int, at: int, complement: int, known: str | None
    ) -> Iterator[Edit]:
        side = self.sides[number]
        lemma = side.tree[at].lemma.lower()
        if lemma in SEMI_MODALS:
            self.covered[number].add(at)
            if lemma != "unable":
                return
            other, there = self.sides[1 - number], self.maps[number][complement]
            known = "-+" if other.modality(there) else "-o"
        if (
            lemma == "use"
            and time_of(self.sides[1 - number], self.maps[number][complement]) == "past"
        ):
            return
        if known is None or known == self._known_of(number, at, complement):
            return
        degree = side.degree(at)
        words = (at,) if degree is None else sorted((degree, at))
        rule = "used to" if lemma == "use" and known == "oo" else f"signature {known}"
        more = lemma in ADDING and known in ("+-", "-+")
        edit = self._alone(f"{rule} and more" if more else rule, words, number, at, complement)
        fact = more or known in ("++", "--")  # whether negated or not
        yield edit._replace(projected=edit.relation) if fact else edit

    def _known_of(self, number: int, at: int, complement: int) -> str | None:
        """Return the signature of the partner of a word in the other sentence, also if the
        complement is a noun there: "quit smoking".
        """
        pairs, other = self.maps[number], self.sides[1 - number]
        if (partner := pairs.get(at)) is None:
            return None
        signatures = [known for *_, known in other.complements(partner)]
        if other.tree[pairs[complement]].head == partner:
            signatures.append(signature(other.tree[partner].lemma.lower(), Complement.ING))
        return signatures[0] if signatures else None

    def _of_forms(self, one: int, two: int) -> Iterator[Edit]:
        """Yield a verb whose complement has another form: "stopped smoking", "stopped to smoke"."""
        there = {child: form for child, form, _ in self.second.complements(two)}
        for child, _, known in self.first.complements(one) if there else ():
            form = there.get(self.pairs.get(child, -1))
            if form is not None:
                lemma = self.first.tree[one].lemma.lower()
                if known != signature(lemma, form) and lemma not in relation_words()["free_forms"]:
                    yield self._by_rule("complement", ((one,), (two,)), None, child)

    def _of_pair(self, one: int, two: int) -> Iterator[Edit]:
        """Yield the edits of two aligned tokens."""
        first, second = self.sides
        yield from self._of_modality(one, two)
        if one in self.balanced:
            return
        if first.keys[one] in relation_words()["focus"] and self._is_of_subject(one, two):
            yield self._by_rule("focus", ((one,), (two,)), anchor=first.tree[one].head)
            return
        if one in self.moved:
            voice = self.alignment.in_one_place(one, two)
            yield self._by_rule("voice" if voice else "moved", ((one,), (two,)))
        elif one in self.covered[0] and two in self.covered[1]:
            return
        if first.keys[one] == second.keys[two]:
            return
        if (one, two) in self.converses:
            yield self._by_rule("converse", ((one,), (two,)))
            return
        if not first.content(one) and not second.content(two):
            yield from self._of_function_words(one, two)
            return
        if (of_values := self._of_facts(one, two)) is not None:
            yield from of_values
            return
        number1, number2 = (
            side.numbers[at] if side.numbers[at] is not None else number_value(side.tree[at].text)
            for side, at in ((first, one), (second, two))
        )
        if number1 is not None and number2 is not None:
            if number1 != number2:
                yield self._by_rule(OTHER_VALUE, ((one,), (two,)))
            return
        if (of_unit := self.units.get((one, two))) is not None:
            yield self._edit(Kind.WORD, (one,), (two,), *of_unit)
            return
        relation, confidence = of_tokens(first.tree[one], second.tree[two])
        known = known_opposites(first.tree[one], second.tree[two])
        if not known and not self._same_particles(one, two):
            relation, confidence = IND, 0.0
        if relation is ALT and known != EXCLUSIVE and (self._ends(0, one) or self._ends(1, two)):
            yield self._by_rule("opposite until", ((one,), (two,)))
            return
        kind = Kind.WORD
        if relation is IND:
            kind = Kind.SIBLING if confidence else Kind.UNKNOWN
            confidence = 1 - self.partners.get((one, two), 0.0)
        self.covered[0].update(first.rest_of_name(one))
        self.covered[1].update(second.rest_of_name(two))
        edit = self._edit(kind, (one,), (two,), relation, confidence)
        if edit.projected is COV and are_complementary(first.tree[one], second.tree[two]):
            edit = self._edit(kind, (one,), (two,), NEG, confidence)  # "not dead", "not alive"
        yield edit

    def _same_particles(self, one: int, two: int) -> bool:
        """Test if two verbs have the same particle, or one has it that follows the other."""
        first, second = self.sides
        particle1, particle2 = first.particle(one), second.particle(two)
        if not (particle1 and particle2) and particle1 != particle2:
            behind = second.keys[two + 1 : two + 2] if particle1 else first.keys[one + 1 : one + 2]
            return (particle1 or particle2) in behind
        return particle1 == particle2

    def _of_facts(self, one: int, two: int) -> list[Edit] | None:
        """Return the edits of two values; None for words whose values do not decide."""
        first, second = self.sides
        fact1, fact2 = first.value(one), second.value(two)
        if fact1 is None or fact2 is None or not (first.fact(one) or second.fact(two)):
            return None
        relation = compare(fact1, fact2)
        if relation is None:
            return None
        tokens = first.unit(one), second.unit(two)
        if not (isinstance(fact1, Name) and isinstance(fact2, Name)):
            starts = {first.forms[one].partition(" ")[0], second.forms[two].partition(" ")[0]}
            if relation is not FactRelation.EQUAL and starts <= relation_words()["ends"]:
                relation = FactRelation.DISJOINT
            if relation in (FactRelation.CONTAINS, FactRelation.WITHIN):
                places = (first, one), (second, two)
                if are_limits(places, bound_of(fact1), bound_of(fact2)):
                    relation = FactRelation.DISJOINT
            return [*self._of_values(relation, *tokens)]
        known = NameKind.UNKNOWN not in (fact1.kind, fact2.kind)
        if relation is FactRelation.DISJOINT:
            if not (known or self._are_parallel(one, two)):  # they may be of one thing
                return None
            edit = self._by_rule(OTHER_NAME, tokens)
            return [edit if known else edit._replace(confidence=LIKELY_OTHER)]
        if fact1.may_be(fact2):
            return []
        return [*self._of_values(relation if known else FactRelation.OVERLAPS, *tokens)]

    def _are_parallel(self, one: int, two: int) -> bool:
        """Test if two words have the same place below words that are partners."""
        head1, head2 = self.first.tree[one].head, self.second.tree[two].head
        below = self.pairs.get(head1) == head2 if head1 >= 0 else head2 < 0
        return below and self.first.bare[one] == self.second.bare[two]

    def _of_values(
        self, relation: FactRelation, tokens1: Sequence[int], tokens2: Sequence[int]
    ) -> Iterator[Edit]:
        """Yield the edit of two values that are not equal."""
        inverted = relation is FactRelation.CONTAINS
        rule = VALUE_RULES.get(relation.inverted if inverted else relation)
        if rule is not None:
            whole = (self.first, tokens1) if inverted else (self.second, tokens2)
            if rule == "more exact value" and self._spans(*whole):
                rule = "part of a period"
            edit = self._by_rule(rule, (tokens1, tokens2), inverted=inverted)
            if edit.relation is ALT and edit.direction > 0:
                # In one situation an indefinite is the same in both, and so are its values.
                edit = edit._replace(projected=ALT)
            elif edit.direction > 0 and is_of_kind(*whole):
                edit = edit._replace(projected=edit.relation.inverted)
            yield edit

    @staticmethod
    def _spans(side: LogicalSentence, tokens: Sequence[int]) -> bool:
        """Test if a period has something at each of its parts: "from May to July", but not
        "between May and July".
        """
        tree = side.tree
        first = tree.text[tree[min(tokens)].start :].partition(" ")[0].lower()
        return first in relation_words()["spanning"]

    def _of_time(self, one: int, two: int) -> Iterator[Edit]:
        """Yield the edit of a verb whose clause has another time."""
        first, second = self.sides
        times = time_of(first, one), time_of(second, two)
        heads = first.tree[one].head, second.tree[two].head
        of_verb = first.bare[one] == "aux" and self.pairs.get(heads[0]) == heads[1]
        same = first.keys[one] == second.keys[two] and not of_verb
        if same and all(times) and times[0] != times[1]:
            tokens = (
                [*first.children(one, *AUXILIARY), one],
                [*second.children(two, *AUXILIARY), two],
            )
            yield self._by_rule("other tense", tokens, one)

    def _is_of_subject(self, one: int, two: int) -> bool:
        """Test if just one of two words belongs to a subject."""
        places = ((self.first, one), (self.second, two))
        subjects = {side.bare[side.tree[at].head] == "nsubj" for side, at in places}
        return len(subjects) == 2

    def _of_function_words(self, one: int, two: int) -> Iterator[Edit]:
        first, second = self.sides
        word1, word2 = first.keys[one], second.keys[two]
        if first.bare[one] == "aux" or second.bare[two] == "aux":
            return
        if {first.tags[one], second.tags[two]} <= MARKING:
            rule = self._marker_rule(word1, word2)
            head, head2 = first.tree[one].head, second.tree[two].head
            if (first.tree[head].head, second.tree[head2].head) in self.converses:
                return  # "sold to", "bought from"
            heads = first.fact(head), second.fact(head2)
            # "in May", "on 3 May": the value decides.
            if rule == "alike markers" and all(isinstance(fact, Date) for fact in heads):
                return
            if {word1, word2} == {"by", "to"} and all(isinstance(fact, Amount) for fact in heads):
                rule = "by, to"
            inverted = (word1, word2) == ("or", "and")
            yield self._by_rule(rule, ((one,), (two,)), None, head, inverted)
        elif first.tags[one] == second.tags[two] == "PRON":
            same = any({word1, word2} <= {*forms[1:4]} for forms in PRONOUNS.values())
            if same and "nsubj" not in (first.bare[one], second.bare[two]):
                return  # "his", "him"
            yield self._by_rule("other pronoun", ((one,), (two,)))

    def _marker_rule(self, word1: str, word2: str) -> str:
        """Return the rule for a preposition or conjunction in the place of another."""
        first, second = self.sides
        if {word1, word2} == {"as", "than"} and not first.negators | second.negators:
            return "as, than"
        if {word1, word2} == {"and", "or"}:
            return "and, or"
        if {word1, word2} <= relation_words()["conjoining"]:
            return "alike markers"
        if opposed(word1, word2) >= 0.5:
            charged = any(edit.kind in OPPOSED_PREPOSITIONS for edit in self.charged)
            same = not charged and are_converse(word1, word2, lexicon())
            return "alike markers" if same else "opposed markers"
        return "alike markers" if alike(word1, word2) else "other markers"

    def _of_modality(self, one: int, two: int) -> Iterator[Edit]:
        first, second = self.sides
        denied = one in first.negators.values() and two in second.negators.values()
        denied1, denied2 = denied, denied
        if balanced := self.balanced.get(one):
            denied1, denied2 = balanced.first_negated, not balanced.first_negated
        modals = first.modality(one, denied1), second.modality(two, denied2)
        if modals[0] == modals[1]:
            return
        # "How can I" and "how do I" are the same question.
        if "must" not in modals and all(asks(side.tree.text) for side in self.sides):
            return
        marks1, marks2 = self._modal(first, one), self._modal(second, two)
        unable = "unable" in [first.keys[at] for at in marks1] + [second.keys[at] for at in marks2]
        if (marks1 or marks2) and not (unable and "" in modals):  # its signature says all
            rule = dict.fromkeys((("must", "can"), ("must", "free")), "must, can")
            rule["", "can"] = "fact, can"
            inverted = modals not in rule and modals[::-1] in rule
            name = rule.get(modals[::-1] if inverted else modals, "other modals")
            place = 0 if marks1 else 1
            verb, denials = (one, two)[place], {*self.sides[place].negators.values()}
            unable = modals[place] in ("can", "free") and not denials.isdisjoint(
                (verb, *(marks1 or marks2))
            )
            at = verb if unable else None  # "cannot", "not able to"
            edit = self._by_rule(name, (marks1, marks2), at, inverted=inverted)
            yield edit._replace(projected=edit.relation) if denied else edit

    @staticmethod
    def _modal(side: LogicalSentence, of: int) -> list[int]:
        """Return the modal verb of a word, if any."""
        return [
            at
            for at in (*side.below[of], side.tree[of].head)
            if at >= 0
            and side.modal(at)
            and (side.bare[at] == "aux" or side.keys[at] in SEMI_MODALS)
        ][:1]

    def _of_words_alone(self, number: int) -> Iterator[Edit]:
        """Yield the edits of words without a partner, a phrase at a time."""
        side, pairs, covered = self.sides[number], self.maps[number], self.covered[number]
        alone = dict.fromkeys(at for at in side.visible if at not in pairs and at not in covered)
        phrases: dict[int, list[int]] = {}
        for at in alone:
            top = at
            while side.tree[top].head in alone:
                top = side.tree[top].head
            phrases.setdefault(top, []).append(at)
        for top, phrase in phrases.items():
            yield from self._of_phrase(number, top, phrase)

    def _of_phrase(self, number: int, top: int, phrase: Sequence[int]) -> Iterator[Edit]:
        side, words = self.sides[number], relation_words()
        lemmas = {side.keys[at] for at in phrase if side.content(at) and side.bare[at] != "mark"}
        if side.keys[top] in AFTER_NOT and self.sides[1 - number].unsaid:
            rule = "only, not only"
        elif side.tags[top] == "ADV" and len(phrase) == 1 and self._is_elsewhere(number, top):
            rule = ""
        elif any(
            quantified.tokens[0] in phrase and quantifiers()[quantified.name].restrictor in DENIALS
            for quantified in side.quantifiers
        ):
            rule = "denying phrase"
        elif lemmas <= words["light"]:
            rule = self._light_rule(side, top)
        elif lemmas <= words["silent_adverbs"]:
            rule = ""
        else:
            rule = self._phrase_rule(number, top, phrase)
        if rule:
            yield self._alone(rule, phrase, number, top)

    def _is_elsewhere(self, number: int, at: int) -> bool:
        """Test if a word without a partner is in another place of the other sentence."""
        other, pairs = self.sides[1 - number], self.maps[1 - number]
        key = self.sides[number].keys[at]
        return any(other.keys[each] == key for each in other.visible if each not in pairs)

    def _phrase_rule(self, number: int, top: int, phrase: Sequence[int]) -> str:
        """Return the rule for a phrase with content that only one sentence has."""
        side, pairs, words = self.sides[number], self.maps[number], relation_words()
        key, relation = side.keys[top], side.bare[top]
        conjuncts = side.children(top, "conj")
        if relation == "conj":
            return "disjunct" if side.is_disjoined(top) else "conjunct"
        if any(child in pairs and side.content(child) for child in conjuncts):
            below = (side.keys[child] for at in conjuncts for child in side.below[at])
            return "conjunct" if words["disjunctions"].isdisjoint(below) else "disjunct"
        if side.tree[top].head < 0:
            return "other root"
        if self._is_replaced(number, top, phrase):
            return "other participant"
        if relation in ("amod", "advmod", "compound"):
            above = side.tags[side.tree[top].head]
            if key in words["falling_short"] and above in ("VERB", "ADJ", "ADV"):
                denied = side.tree[top].head in side.negators
                known = "privative" if denied else "hedge"  # "almost never", "almost always"
                return known if above == "ADV" else "falling short"
            for rule in ("privative", "excluding"):
                if not words[rule].isdisjoint((key, side.forms[top])):
                    return rule
        if self._is_of_degree(number, top):
            return "degree"
        unasserted = {side.keys[at] for at in phrase} & words["unasserted"]
        if key in words["hedges"] or (relation == "advcl" and unasserted):
            return "hedge"
        return "head" if self._heads(number, top) else "phrase"

    def _is_of_degree(self, number: int, top: int) -> bool:
        """Test if a word makes an adjective or adverb of both sentences a comparative, or is a
        phrase with "than" of one that is in the positive in the other.
        """
        side, other = self.sides[number], self.sides[1 - number]
        head = side.tree[top].head
        there = self.maps[number].get(head, -1)
        if there < 0 or side.tags[head] not in ("ADJ", "ADV"):
            return False
        if side.bare[top] == "advmod" and side.keys[top] in relation_words()["degrees"]:
            return True
        compares = any(side.forms[child] == "than" for child in side.below[top])
        return compares and side.forms[head] != other.forms[there]

    def _is_replaced(self, number: int, top: int, phrase: Sequence[int]) -> bool:
        """Test if a noun within the phrase is the subject or object that the phrase is in the other
        sentence: "the dog that bit the man left", "the man left".
        """
        side, other, pairs = self.sides[number], self.sides[1 - number], self.maps[number]
        relation = side.bare[top]
        place = pairs.get(side.tree[top].head, -1), relation
        return relation in ("nsubj", "obj") and any(
            side.keys[child] == other.keys[pairs[child]]
            and side.tags[child] in ("NOUN", "PROPN")
            and (other.tree[pairs[child]].head, other.bare[pairs[child]]) == place
            and (side.is_of_another(child) or (at != top and side.tags[at] == "VERB"))
            for at in phrase
            for child in side.below[at]
            if child in pairs
        )

    @staticmethod
    def _light_rule(side: LogicalSentence, top: int) -> str:
        """Return the rule for a phrase without content that only one sentence has, "" for none."""
        lemma, words = side.keys[top], relation_words()
        if lemma in words["conditions"]:
            return "condition"
        if side.tags[top] in MARKING:
            if side.bare[top] == "case" and side.fact(side.tree[top].head) is not None:
                return "marker"  # "runs on Friday"
            verb = side.tree[top - 1] if top else None
            if (
                verb
                and verb.pos == "VERB"
                and (f"{verb.lemma.lower()} {lemma}", "VERB") in lexicon()
            ):
                return "particle"
            silent = lemma in words["silent_markers"]
            return "" if silent else "without" if lemma == "without" else "marker"
        argues = side.tags[top] == "PRON" and side.bare[top] not in ("expl", "mark", "nsubj")
        return "pronoun" if argues else ""
