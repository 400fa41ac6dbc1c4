"""The derivation of a pair: the edits from one sentence to the other, with their relations.

    He failed to leave.      signature  "failed"  ^       joined   =
    He did not leave.        negation   "not"     ^

Tokens without an equal partner in the alignment make edits: quantifiers, negations, verbs with a
signature, modal verbs, replaced words, and phrases that only one sentence has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.combiners.hybrid import Compared
from hybridsem.comparison.constructions import are_converse
from hybridsem.comparison.edits import Kind
from hybridsem.english.function_words import alike, opposed
from hybridsem.english.lexicon import lexicon
from hybridsem.english.numbers import number_value
from hybridsem.english.questions import asks
from hybridsem.english.signatures import Complement, signature
from hybridsem.judge.alignment import Alignment
from hybridsem.judge.balanced import balanced_opposites
from hybridsem.judge.contexts import (
    QUANTIFIERS,
    Context,
    LogicalSentence,
    Quantified,
    Relation,
    direction,
    licensed,
    logical,
    project,
)
from hybridsem.judge.contexts import WORDS as READING
from hybridsem.judge.relations import Change, Derivation, Sort, of_quantifiers, of_tokens

EQ, FWD, REV, NEG, ALT, COV, IND = Relation
WORDS = word_sets(read_table(__file__)["words"])
MARKING = frozenset({"ADP", "SCONJ", "CCONJ"})
OPPOSED_PREPOSITIONS = frozenset({Kind.PREPOSITION_OPPOSED, Kind.CONNECTIVE, Kind.FUNCTION_WORD})


def derivations(compared: Sequence[Compared | None]) -> list[Derivation | None]:
    """Return the derivation of each pair, its sentences in the order of the comparison; None for a
    pair without trees.
    """
    return [None if one is None else derive(one) for one in compared]


def derive(compared: Compared) -> Derivation | None:
    """Return the edits from the first sentence of a comparison to the second, with their relations;
    its partners are aligned if order and words do not decide. None without trees.
    """
    first, second = logical(compared.words1), logical(compared.words2)
    if first is None or second is None:
        return None
    changes = tuple(_Deriving(Alignment(first, second, compared)).changes())
    return Derivation(changes, (first, second))


def _rank(one: Quantified) -> tuple[bool, int]:
    """Sort the quantifiers of a noun: the first that is no article comes last, and counts."""
    return one.name != "the", -one.tokens[0]


class _Deriving:
    """Finds the edits of an alignment; ``covered1`` and ``covered2`` are their tokens."""

    def __init__(self, aligned: Alignment) -> None:
        self.first, self.second = aligned.first, aligned.second
        self.pairs, self.back, self.moved = aligned.pairs, aligned.back, aligned.moved
        self.partners, self.converses = aligned.partners, aligned.converses
        edits = () if aligned.compared is None else aligned.compared.edits
        self.prepositions_opposed = any(edit.kind in OPPOSED_PREPOSITIONS for edit in edits)
        self.balanced = {one.tokens1[-1]: one for one in balanced_opposites(aligned)}
        self.covered1: set[int] = set()
        self.covered2: set[int] = set()

    def changes(self) -> Iterator[Change]:
        """Yield the edits."""
        yield from self._of_balanced()
        yield from self._of_quantifiers()
        yield from self._of_negations()
        yield from self._of_signatures()
        yield from self._of_pairs()
        yield from self._of_words_alone(self.first, self.pairs, True)
        yield from self._of_words_alone(self.second, self.back, False)

    def _change(
        self,
        sort: Sort,
        tokens1: Sequence[int],
        tokens2: Sequence[int],
        relation: Relation,
        sure: float = 1.0,
        at: int | None = None,
        about: int = -1,
    ) -> Change:
        """Return an edit with the context of its first word, in the first sentence if possible."""
        side, tokens = (self.first, tokens1) if tokens1 else (self.second, tokens2)
        around = [
            one
            for one in side.contexts[tokens[0] if at is None else at]
            if one.source not in tokens
        ]
        within = [one.context for one in around]
        sources = [one.source for one in around if direction([one.context]) < 0]
        self.covered1.update(tokens1)
        self.covered2.update(tokens2)
        return Change(
            sort,
            tuple(tokens1),
            tuple(tokens2),
            relation,
            project(relation, within),
            direction(within),
            sure,
            about,
            sources[0] if sources else -1,
        )

    def _of_balanced(self) -> Iterator[Change]:
        """Yield opposites and the negation that balances them, each as one edit."""
        for one in self.balanced.values():
            at = one.tokens1[-1]
            yield self._change(Sort.NEGATION, one.tokens1, one.tokens2, one.relation, one.sure, at)

    def _same_quantifiers(self) -> None:
        """Mark quantifiers that occur in both sentences as covered, whatever they belong to."""
        by_start = {one.tokens[0]: one for one in self.second.quantifiers}
        for one in self.first.quantifiers:
            two = by_start.get(self.pairs.get(one.tokens[0], -1))
            if two is not None and (one.name, one.number) == (two.name, two.number):
                self.covered1.update(one.tokens)
                self.covered2.update(two.tokens)

    def _of_quantifiers(self) -> Iterator[Change]:
        self._same_quantifiers()
        nouns1, nouns2 = (
            {
                side.noun(one): one
                for one in sorted(side.quantifiers, key=_rank)
                if one.tokens[0] not in covered
            }
            for side, covered in ((self.first, self.covered1), (self.second, self.covered2))
        )
        for noun1, one in nouns1.items():
            noun2 = self.pairs.get(noun1)
            two = nouns2.pop(noun2, None) if noun2 is not None else None
            if noun2 is not None or noun1 not in one.tokens:
                self.covered1.update(one.tokens)
            if two is not None:
                self.covered2.update(two.tokens)
            if noun2 is not None:
                yield from self._of_two_quantifiers(one, two)
        for noun2, two in nouns2.items():
            if noun2 in self.back or noun2 not in two.tokens:
                self.covered2.update(two.tokens)
            if noun2 in self.back:
                yield from self._of_two_quantifiers(None, two)

    def _of_two_quantifiers(
        self, one: Quantified | None, two: Quantified | None
    ) -> Iterator[Change]:
        (name1, number1), (name2, number2) = (
            self._named(side, q) for side, q in ((self.first, one), (self.second, two))
        )
        if (name1, number1) == (name2, number2):
            return
        tokens1, tokens2 = (q.tokens if q else () for q in (one, two))
        if {name1, name2} <= {"a", "the", "", "any", "some"}:
            universal = any(
                q and q.name == "any" and not licensed(side.contexts[q.tokens[0]])
                for side, q in ((self.first, one), (self.second, two))
            )
            if universal or "the" in (name1, name2):
                yield self._change(Sort.ARTICLE, tokens1, tokens2, EQ, 0.8)
            return
        relation = of_quantifiers(name1, number1, name2, number2)
        sure = 1.0 if one and two else 0.8 if "no" in (name1, name2) else 0.6
        if relation is ALT and {name1, name2} == {"number"}:
            sure = 0.9
        about = self.first.noun(one) if one else self.second.noun(two) if two else -1
        yield self._change(Sort.QUANTIFIER, tokens1, tokens2, relation, sure, None, about)

    @staticmethod
    def _named(side: LogicalSentence, one: Quantified | None) -> tuple[str, float | None]:
        if one is None:
            return "", None
        if one.name == "number" and one.number == 1:
            return "a", None
        forms = {side.tree[at].text.lower() for at in one.tokens}
        strict = bool(forms & WORDS["strict"]) and not forms & {"no", "not", "or"}
        return one.name + (" strictly" if strict else ""), one.number

    def _of_negations(self) -> Iterator[Change]:
        denied2 = {
            self._core(self.second, self.back, denied): at
            for at, denied in self.second.negators.items()
            if at not in self.covered2
        }
        alone1: dict[int, int] = {}
        for at, denied in self.first.negators.items():
            if at in self.covered1:
                continue
            self.covered1.add(at)
            denied = self._core(self.first, self.pairs, denied)
            other = denied2.pop(self.pairs.get(denied, -1), None)
            if other is None and self.pairs.get(at) in self.second.negators:
                there = self.second.negators[self.pairs[at]]
                other = denied2.pop(self._core(self.second, self.back, there), None)
            if other is not None:
                self.covered2.add(other)
            elif denied in self.pairs:
                alone1[denied] = at
        self.covered2.update(denied2.values())
        alone2 = {denied: at for denied, at in denied2.items() if denied in self.back}
        for side, alone in ((self.first, alone1), (self.second, alone2)):
            conjoined = {at: side.tree[at].head if side.bare[at] == "conj" else at for at in alone}
            for denied, at in alone.items():
                group = [other for other in alone if conjoined[other] == conjoined[denied]]
                # If all conjuncts are negated, or none, that is one change, not a double negation.
                if denied == min(group):
                    relation = ALT if len(group) > 1 else NEG
                    first = side is self.first
                    yield self._alone(Sort.NEGATION, (at,), relation, 1.0, first, at, denied)

    @staticmethod
    def _core(side: LogicalSentence, pairs: Mapping[int, int], at: int) -> int:
        """Return a word, or the complement of a verb that the other sentence lacks."""
        for child, _, known in side.complements(at) if at not in pairs else ():
            implied = child in pairs and known not in (None, "++", "--")
            if implied or side.tree[at].lemma.lower() in READING["semi_modals"]:
                return child
        return at

    def _of_signatures(self) -> Iterator[Change]:
        """Yield verbs with a signature that only one sentence has; both have the complement."""
        for side, other, pairs, covered in (
            (self.first, self.second, self.pairs, self.covered1),
            (self.second, self.first, self.back, self.covered2),
        ):
            for at, token in enumerate(side.tree):
                same = at in pairs and side.keys[at] == other.keys[pairs[at]]
                if same or token.pos == "NOUN":
                    continue
                for child, _, known in side.complements(at):
                    if child not in pairs or at in covered:
                        continue
                    lemma = token.lemma.lower()
                    if lemma in READING["semi_modals"]:
                        covered.add(at)
                        if lemma != "unable":
                            continue
                        known = "-+"
                    elif known is None or known == self._known_of(at, pairs, other, child):
                        continue
                    first, degree = side is self.first, side.degree(at)
                    words = (at,) if degree is None else sorted((degree, at))
                    made = self._alone(Sort.SIGNATURE, words, IMPLIED[known], 1.0, first, at, child)
                    fact = known in ("++", "--")  # whether negated or not
                    yield made._replace(projected=made.relation) if fact else made
        for one, two in self.pairs.items():
            if self.first.keys[one] == self.second.keys[two]:
                yield from self._of_forms(one, two)

    @staticmethod
    def _known_of(
        at: int, pairs: Mapping[int, int], other: LogicalSentence, complement: int
    ) -> str | None:
        """Return the signature of the partner of a word in the other sentence, also if the
        complement is a noun there: "quit smoking".
        """
        partner = pairs.get(at)
        if partner is None:
            return None
        found = [known for *_, known in other.complements(partner)]
        if other.tree[pairs[complement]].head == partner:
            found.append(signature(other.tree[partner].lemma.lower(), Complement.ING))
        return found[0] if found else None

    def _of_forms(self, one: int, two: int) -> Iterator[Change]:
        """Yield a verb whose complement has another form: "stopped smoking", "stopped to smoke"."""
        there = {child: form for child, form, _ in self.second.complements(two)}
        for child, _, known in self.first.complements(one) if there else ():
            form = there.get(self.pairs.get(child, -1))
            if form is not None:
                other = signature(self.first.tree[one].lemma.lower(), form)
                denied = {(either or "+")[0] == "-" for either in (known, other)}
                if len(denied) == 2:
                    yield self._change(Sort.SIGNATURE, (one,), (two,), IND, 0.8, None, child)

    def _of_pairs(self) -> Iterator[Change]:
        for one, two in sorted(self.pairs.items()):
            yield from self._of_modality(one, two)
            if self.first.keys[one] in WORDS["focus"] and self._is_of_subject(one, two):
                head = self.first.tree[one].head
                yield self._change(Sort.MOVED, (one,), (two,), IND, 0.8, None, head)
                continue
            if one in self.moved:
                yield self._change(Sort.MOVED, (one,), (two,), EQ, 0.5)
            if one in self.covered1 and two in self.covered2 and one not in self.moved:
                continue
            if self.first.keys[one] == self.second.keys[two]:
                continue
            if (one, two) in self.converses:
                yield self._change(Sort.MOVED, (one,), (two,), EQ, 0.5)
                continue
            token1, token2 = self.first.tree[one], self.second.tree[two]
            if not self.first.content(one) and not self.second.content(two):
                yield from self._of_function_words(one, two)
                continue
            number1, number2 = (
                side.numbers[at] if side.numbers[at] is not None else number_value(token.text)
                for side, at, token in ((self.first, one, token1), (self.second, two, token2))
            )
            if number1 is not None and number2 is not None:
                if number1 != number2:
                    yield self._change(Sort.NUMBER, (one,), (two,), ALT, 0.9)
                continue
            unit1, unit2 = self.first.unit(one), self.second.unit(two)
            if unit1 and unit2 and unit1[0] == unit2[0]:
                continue
            relation, sure = of_tokens(token1, token2)
            if self.first.particle(one) != self.second.particle(two):
                relation, sure = IND, 0.0
            sort = Sort.WORD
            if relation is IND:
                sort = Sort.CO_HYPONYM if sure else Sort.UNKNOWN
                sure = 1 - self.partners.get((one, two), 0.0)
            self.covered1.update(self.first.rest_of_name(one))
            self.covered2.update(self.second.rest_of_name(two))
            yield self._change(sort, (one,), (two,), relation, sure)

    def _is_of_subject(self, one: int, two: int) -> bool:
        """Test if just one of two words belongs to a subject."""
        subjects = {
            side.bare[side.tree[at].head] == "nsubj"
            for side, at in ((self.first, one), (self.second, two))
        }
        return len(subjects) == 2

    def _of_function_words(self, one: int, two: int) -> Iterator[Change]:
        word1, word2 = self.first.keys[one], self.second.keys[two]
        if self.first.bare[one] == "aux" or self.second.bare[two] == "aux":
            return
        if {self.first.tree[one].pos, self.second.tree[two].pos} <= {"ADP", "SCONJ", "CCONJ"}:
            relation, sure = IND, 0.5
            if {word1, word2} == {"as", "than"} and not self.first.negators | self.second.negators:
                relation, sure = ALT, 0.8
            elif (word1, word2) in COORDINATING:
                relation, sure = COORDINATING[word1, word2], 0.8
            elif opposed(word1, word2) >= 0.5:
                same = not self.prepositions_opposed and are_converse(word1, word2, lexicon())
                relation, sure = EQ if same else ALT, 0.6
            elif alike(word1, word2):
                relation, sure = EQ, 0.6
            head = self.first.tree[one].head
            yield self._change(Sort.MARKER, (one,), (two,), relation, sure, None, head)
        elif self.first.tree[one].pos == self.second.tree[two].pos == "PRON":
            yield self._change(Sort.UNKNOWN, (one,), (two,), IND, 0.5)

    def _of_modality(self, one: int, two: int) -> Iterator[Change]:
        denied = one in self.first.negators.values() and two in self.second.negators.values()
        denied1, denied2 = denied, denied
        if balanced := self.balanced.get(one):
            denied1, denied2 = balanced.first_negated, not balanced.first_negated
        modals = self.first.modality(one, denied1), self.second.modality(two, denied2)
        asked = all(asks(side.tree.text) for side in (self.first, self.second))
        # "How can I" and "how do I" are the same question.
        if modals[0] == modals[1] or (asked and "must" not in modals):
            return
        marks1, marks2 = self._modal(self.first, one), self._modal(self.second, two)
        if marks1 or marks2:
            relation = MODAL.get(modals, IND)
            made = self._change(Sort.MODAL, marks1, marks2, relation)
            yield made._replace(projected=relation) if denied else made

    @staticmethod
    def _modal(side: LogicalSentence, of: int) -> list[int]:
        """Return the modal verb of a word, if any."""
        return [
            at
            for at in (*side.tree.children(of), side.tree[of].head)
            if at >= 0
            and side.modal(at)
            and (side.bare[at] == "aux" or side.keys[at] in READING["semi_modals"])
        ][:1]

    def _of_words_alone(
        self, side: LogicalSentence, pairs: Mapping[int, int], first: bool
    ) -> Iterator[Change]:
        """Yield the edits of words without a partner, a phrase at a time."""
        covered = self.covered1 if first else self.covered2
        alone = dict.fromkeys(at for at in side.visible if at not in pairs and at not in covered)
        phrases: dict[int, list[int]] = {}
        for at in alone:
            top = at
            while side.tree[top].head in alone:
                top = side.tree[top].head
            phrases.setdefault(top, []).append(at)
        for top, phrase in phrases.items():
            yield from self._of_phrase(side, top, phrase, pairs, first)

    def _of_phrase(
        self,
        side: LogicalSentence,
        top: int,
        phrase: Sequence[int],
        pairs: Mapping[int, int],
        first: bool,
    ) -> Iterator[Change]:
        tree, relation = side.tree, side.bare[top]
        lemmas = {side.keys[at] for at in phrase if side.content(at)}
        if lemmas <= WORDS["light"]:
            if marked := MARKED.get(self._marking(side, top)):
                yield self._alone(marked[0], phrase, *marked[1:], first, top)
            return
        if lemmas <= WORDS["silent_adverbs"]:
            return
        below = [child for child in tree.children(top) if child in pairs and side.content(child)]
        sort, made, sure = Sort.ADDED, FWD, 1.0
        coordinates = any(side.bare[child] == "conj" for child in below)
        if coordinates:
            sort, made = COORDINATED[self._has_disjunction(side, top)]
        elif below:
            sort, sure = Sort.HEAD, 0.4
        denied = any(
            one.tokens[0] in phrase and QUANTIFIERS[one.name][0] in DENIALS
            for one in side.quantifiers
        )
        conjunct = COORDINATED[relation == "conj" and self._disjoined(side, top)]
        modifies = relation in ("amod", "advmod", "compound")
        unasserted = bool({side.keys[at] for at in phrase} & WORDS["unasserted"])
        hedged = side.keys[top] in WORDS["hedges"] or (relation == "advcl" and unasserted)
        cases = (
            (denied, (sort, IND, 0.4)),
            (relation == "conj", (*conjunct, sure)),
            (coordinates, (sort, made, sure)),
            (tree[top].head < 0, (sort, IND, 0.4)),
            (self._is_replaced(side, top, phrase), (Sort.HEAD, IND, 0.8)),
            (side.keys[top] in WORDS["privative"] and modifies, (sort, IND, 0.8)),
            (hedged, (sort, REV, sure)),
        )
        sort, made, sure = next((case for holds, case in cases if holds), (sort, made, sure))
        yield self._alone(sort, phrase, made, sure, first, top)

    def _is_replaced(self, side: LogicalSentence, top: int, phrase: Sequence[int]) -> bool:
        """Test if a noun within the phrase is the subject or object that the phrase is in the other
        sentence: "the dog that bit the man left", "the man left".
        """
        first, relation = side is self.first, side.bare[top]
        other, pairs = (self.second, self.pairs) if first else (self.first, self.back)
        place = pairs.get(side.tree[top].head, -1), relation
        return relation in ("nsubj", "obj") and any(
            side.keys[child] == other.keys[pairs[child]]
            and side.tags[child] in ("NOUN", "PROPN")
            and (other.tree[pairs[child]].head, other.bare[pairs[child]]) == place
            and (self._is_of_another(side, child) or (at != top and side.tags[at] == "VERB"))
            for at in phrase
            for child in side.tree.children(at)
            if child in pairs
        )

    @staticmethod
    def _is_of_another(side: LogicalSentence, at: int) -> bool:
        """Test if a noun modifies one that is something else: "Ann's brother", "the boss of the
        cook", but not "a group of men", "members of the army".
        """
        cases = [side.keys[c] for c in side.tree.children(at) if side.bare[c] == "case"]
        nouns = side.keys[at], side.keys[side.tree[at].head]
        return side.bare[at] == "nmod" and (
            "of" not in cases
            or all(lexicon().kind_of(one, "NOUN", "person", "NOUN") >= PERSONAL for one in nouns)
        )

    @staticmethod
    def _marking(side: LogicalSentence, top: int) -> str:
        """Return the row of :data:`MARKED` for a phrase without content; "" for none."""
        lemma, pos = side.keys[top], side.tree[top].pos
        if lemma in WORDS["conditions"]:
            return "if"
        if pos in MARKING:
            silent = lemma in WORDS["silent_markers"]
            return "" if silent else "without" if lemma == "without" else "marker"
        argues = pos == "PRON" and side.bare[top] not in ("expl", "mark", "nsubj")
        return "pronoun" if argues else ""

    def _disjoined(self, side: LogicalSentence, top: int) -> bool:
        """Test if a conjunct is coordinated by "or" or "nor"."""
        head = side.tree[top].head
        group = [head, *(at for at in side.tree.children(head) if side.bare[at] == "conj")]
        return any(
            side.keys[child] in WORDS["disjunctions"]
            for at in group
            for child in side.tree.children(at)
            if side.bare[child] == "cc"
        )

    @staticmethod
    def _has_disjunction(side: LogicalSentence, top: int) -> bool:
        """Test if "or" or "nor" is below a conjunct of a word."""
        return any(
            side.keys[child] in WORDS["disjunctions"]
            for conjunct in side.tree.children(top)
            if side.bare[conjunct] == "conj"
            for child in side.tree.children(conjunct)
        )

    def _alone(
        self,
        sort: Sort,
        phrase: Sequence[int],
        relation: Relation,
        sure: float,
        first: bool,
        at: int,
        about: int = -1,
    ) -> Change:
        """Return an edit of words that only one sentence has; ``relation`` is that of the sentence
        with them to the other.
        """
        if first:
            return self._change(sort, phrase, (), relation, sure, at, about)
        return self._change(sort, (), phrase, relation.inverted, sure, at, about)


MARKED = {
    "if": (Sort.MARKER, IND, 0.8),
    "without": (Sort.NEGATION, NEG, 0.6),
    "marker": (Sort.MARKER, EQ, 0.5),
    "pronoun": (Sort.ADDED, FWD, 0.6),
}
"""Edits of words without content that only one sentence has."""
COORDINATED = {False: (Sort.CONJUNCT, FWD), True: (Sort.DISJUNCT, REV)}
"""Edits of conjuncts, depending on whether "or" coordinates them."""
MODAL = {
    ("must", "can"): FWD,
    ("can", "must"): REV,
    ("", "can"): FWD,
    ("can", ""): REV,
}
"""The relations of two modalities, "" for none; else INDEPENDENT."""
COORDINATING = {("and", "or"): FWD, ("or", "and"): REV}
DENIALS = (Context.NO, Context.DOWN)
PERSONAL = 0.8
"""A noun names a person if this share of its senses does."""
IMPLIED = {
    "+-": EQ,
    "+o": FWD,
    "o-": REV,
    "-+": NEG,
    "-o": ALT,
    "o+": COV,
    "++": FWD,
    "--": ALT,
    "oo": IND,
}
"""The relation of a word with a signature to its bare complement."""
