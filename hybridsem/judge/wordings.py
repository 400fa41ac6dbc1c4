"""Edits of a derivation in words: a wording for each sort of edit.

WORD          "dog" is more specific than "animal".      or opposites, or what each says
NEGATION      Sentence 1 denies "win".
SIGNATURE     "failed" in sentence 1 denies "win".
others        Sentence 1 says "every", sentence 2 "most".   or Only sentence 1 says "in May".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from types import MappingProxyType

from hybridsem.comparison.counterparts import (
    CLASSES,
    LIGHT,
    Counterparts,
    is_kin,
    says_alike,
    spelled_alike,
)
from hybridsem.comparison.edits import Edit, Kind
from hybridsem.comparison.logic import ALT, COV, EQ, FWD, IND, NEG, REV, Context
from hybridsem.comparison.main_clause import main_clause
from hybridsem.comparison.phrases import UnitRelation
from hybridsem.comparison.quotations import SLIGHT, SUPPORTING, plain_text, with_bound, written
from hybridsem.comparison.spelling import CONTRACTED
from hybridsem.english.lexicon import lexicon
from hybridsem.english.words import MODALS
from hybridsem.facts.names import Name
from hybridsem.facts.units import is_unit
from hybridsem.judge.balanced import opposition_of
from hybridsem.judge.derivation import EXCEPTIONS
from hybridsem.judge.quoting import (
    COUNTED,
    GAP,
    NO_TREE,
    QuotedSentence,
    Said,
    Statement,
)

LONGEST = 4
"""The longest complement of a preposition or verb that a reason quotes."""
FARTHEST = 8
"""The most words from a negation to what it denies that a reason quotes together."""
CLEAR, CLEAR_VERB = 0.7, 0.75
"""The least confidence of a relation that a reason names. They were chosen by
reading the reasons of development pairs. Below them, the senses are less usual ("boy" and "man"
.67).
"""
CLAIMS = MappingProxyType(
    {
        FWD: "{0} is more specific than {1}",
        REV: "{1} is more specific than {0}",
        ALT: "{0} and {1} are opposites",
        EQ: "{0} and {1} can mean the same",
    }
)
REPLACED = frozenset({Kind.WORD, Kind.UNKNOWN, Kind.SIBLING})
COMPLEMENTS = frozenset({"ccomp", "xcomp", "csubj"})
PARENTHESES = frozenset(
    {("you", "know"), ("you", "see"), ("i", "mean"), ("i", "guess"), ("i", "think")}
    | {("i", "understand"), ("i", "suppose"), ("i", "assume")}
)
"""Subjects and verbs that may comment on a clause instead of governing it."""
NEGATING = frozenset({"not", "never", *CONTRACTED})
LEAST_OPPOSED = 0.6
"""The least strength of words that are called opposites."""
VERBAL = frozenset({"VERB", "ADJ"})
"""Tags of words whose scope is not noted: a reader does not see what it contains."""
DENYING = frozenset({Context.NEGATION, Context.NO})
WORD_CLASSES = {**CLASSES, "DET": "NUM", "SCONJ": "ADP"}
KINDS = MappingProxyType(
    {"NOUN": "a noun", "VERB": "a verb", "ADJ": "an adjective", "ADV": "an adverb"}
)


@dataclass(frozen=True)
class QuotedPair:
    """Both sentences, the partner in the second of each word of the first, and the relations of
    phrases.
    """

    first: QuotedSentence
    second: QuotedSentence
    partners: Mapping[int, int]
    units: Mapping[tuple[int, int], UnitRelation]

    @property
    def both(self) -> tuple[QuotedSentence, QuotedSentence]:
        """The two sentences."""
        return self.first, self.second

    def equivalents(self) -> Iterator[str]:
        """State which phrases mean the same."""
        for (at1, at2), unit in self.units.items():
            if unit.relation is EQ:
                yield f"{self.first.quote((at1,))} and {self.second.quote((at2,))} mean the same."

    @cached_property
    def between(self) -> Counterparts:
        """The words of both trees that say alike, have the same place, or are alone; none without
        two trees.
        """
        if not (self.first.tree and self.second.tree):
            return Counterparts(NO_TREE, NO_TREE, {})
        units = self.first.words.units, self.second.words.units
        return Counterparts(self.first.tree, self.second.tree, self.partners, units)

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """The main clauses of both sentences, if they are short."""
        found = tuple(filter(None, (main_clause(side.tree) for side in self.both)))
        return found if len(found) > 1 else ()

    @property
    def is_open(self) -> bool:
        """True if each sentence has words without a counterpart."""
        return self.between.is_open

    @property
    def is_unlike(self) -> bool:
        """True if a sentence has words that the other does not say, so that the places of their
        common words are hard to compare.
        """
        return any(self.between.unlike)

    def unmatched(self) -> list[list[str]]:
        """Quote the longest phrases of each sentence of which the other one says no word."""
        between = self.between
        own = [
            [at for at in alone if at not in said]
            for alone, said in zip(between.unmatched, self.said, strict=True)
        ]
        full = all(between.unmatched)
        return [
            [f'"{written(tree, one)}"' for one in between.phrases(side, own[side], full=full)]
            for side, tree in enumerate((between.first, between.second))
        ]

    @cached_property
    def said(self) -> tuple[set[int], set[int]]:
        """The content words of each sentence that the other one says in other words."""
        found = {*self.between.equal[0]}, {*self.between.equal[1]}
        for (at1, at2), unit in self.units.items():
            if unit.relation is EQ:
                found[0].update(self.first.words.units[at1].tokens)
                found[1].update(self.second.words.units[at2].tokens)
        content = [
            [(at, token) for at, token in enumerate(tree) if token.pos in COUNTED]
            for tree in (self.between.first, self.between.second)
        ]
        for (at1, one), (at2, two) in product(*content):
            alike = is_kin(one, two) or spelled_alike(one, two)
            partners = self.partners.get(at1) == at2 and alike
            if one.text.lower() != two.text.lower() and (partners or says_alike(one, two)):
                found[0].add(at1)
                found[1].add(at2)
        return found

    def only(
        self, side: QuotedSentence, tokens: Sequence[int], scope: str = ""
    ) -> Iterator[Statement]:
        """State that the other sentence lacks some words; name the partners of those that it says
        in other words.
        """
        place = side.number - 1
        other, said = self.both[1 - place], self.said[place]
        if stated := [*side.only(other, tokens, scope, said)]:
            yield from stated
            return
        for at1, at2 in sorted(self.partners.items()):
            at = (at1, at2)[place]
            if at in tokens and at in said and other.lacks(side, (at,)) and self.between.first:
                texts = self.first.quote((at1,)), self.second.quote((at2,))
                one, two = self.between.first[at1], self.between.second[at2]
                if not says_alike(one, two) and "PRON" in (one.pos, two.pos):
                    yield f"{texts[0]} in sentence 1 corresponds to {texts[1]} in sentence 2."

    def related(self, token1: int, token2: int) -> bool:
        """True if two words are partners, or have the same lemma."""
        same = self.first.words.lemmas[token1] == self.second.words.lemmas[token2]
        return same or self.partners.get(token1) == token2


@dataclass(frozen=True)
class StatedEdit:
    """An edit of a derivation and its quotations."""

    edit: Edit
    pair: QuotedPair

    @property
    def given(self) -> list[tuple[QuotedSentence, tuple[int, ...]]]:
        """Both sentences, each with its words of the edit."""
        return [
            *zip(self.pair.both, (self.edit.before.tokens, self.edit.after.tokens), strict=True)
        ]

    @cached_property
    def place(self) -> int:
        """The sentence, 0 or 1, whose word the edit concerns, or in whose scope it is."""
        known = [words.anchor is not None or words.scope is not None for words in self.edit.sides]
        if any(known):
            return known.index(True)
        return 0 if self.edit.before.tokens else 1

    @property
    def sides(self) -> tuple[QuotedSentence, QuotedSentence]:
        """The sentence of :attr:`place`, and the other one."""
        return self.pair.both if self.place == 0 else self.pair.both[::-1]

    @property
    def about(self) -> int:
        """The word of that sentence that the edit concerns, -1 for none."""
        anchor = self.edit.sides[self.place].anchor
        return -1 if anchor is None else anchor

    @cached_property
    def tokens(self) -> tuple[list[int], list[int]]:
        """The words to quote: whole names, verbs with particles, and, if "nobody" replaces a
        quantifier, that quantifier with its noun.
        """
        pronoun = any(
            some and side.words.tags[some[-1]] in ("PRON", "NOUN") for side, some in self.given
        )
        quoted: list[list[int]] = []
        for side, some in self.given:
            tokens = list(some)
            if self.edit.kind in REPLACED and len(some) == 1:
                tokens = side.whole(some[0], names=True)
                verb = side.tree[some[0]].pos == "VERB"
                if self.pair.is_open and self.edit.relation is not EQ and verb:
                    tokens = side.phrases(tokens, full=True)[0]
            elif self.edit.kind is Kind.MODAL:
                after = {"to", *CONTRACTED}  # "have to", "can't"
                tokens += [
                    at + 1 for at in some if not after.isdisjoint(side.words.forms[at + 1 :][:1])
                ]
            elif self.edit.kind is Kind.QUANTIFIER and some and (pronoun or self._has_article):
                head = side.canonical[some[-1]].head
                if some[-1] < head <= some[-1] + 3 and side.relation(some[-1]) in (
                    *("det", "nummod", "amod"),
                ):
                    tokens += range(some[-1] + 1, head + 1)
            if self.edit.kind is Kind.QUANTIFIER and some and some[0] > 0:
                before = some[0] - 1
                tokens += [before] if side.words.forms[before] == "not" else []
            if len(some) == 1 and side.canonical[some[0]].relation == "compound:prt":
                tokens.append(side.canonical[some[0]].head)  # "turned down"
            for one, two in pairwise(some):
                tokens += range(one + 1, two) if two - one <= GAP + 1 else ()
            number = self.edit.kind is Kind.QUANTIFIER and any(
                side.words.tags[at] == "NUM" for at in some
            )
            if (number or self.edit.kind is Kind.VALUE) and some:
                tokens = with_bound(side.tree, side.whole_units(tokens))
            quoted.append(sorted(tokens))
        if self.edit.kind is Kind.VALUE and all(quoted):
            quoted = list(self.pair.between.begun_alike(*quoted))
        return quoted[0], quoted[1]

    @property
    def _has_article(self) -> bool:
        """True if the words of a side say too little alone."""
        return any(
            some and all(side.words.forms[at] in SLIGHT for at in some) for side, some in self.given
        )

    @property
    def texts(self) -> tuple[str, str]:
        """The quotations of the words; "" for none."""
        tokens1, tokens2 = self.tokens
        return self.pair.first.quote(tokens1), self.pair.second.quote(tokens2)

    @property
    def scope(self) -> str:
        """A note that names the word whose scope contains the edit."""
        (side, other), source = self.sides, self.edit.sides[self.place].scope
        quoted = self.tokens[side.number - 1]
        if source is None or self.edit.relation is EQ or side.words.tags[source] in VERBAL:
            return ""
        if quoted and quoted[-1] < source:
            return ""
        if quoted and quoted[0] <= source <= quoted[-1]:
            return ""
        if side.words.forms[source] not in other.words.forms or self.pair.is_open:
            return ""
        found = side.reading.quantifiers
        whole = next((one.tokens for one in found if source in one.tokens), (source,))
        if len(whole) == 1 and side.words.forms[source] == "than":
            return ""
        return f", where {side.quote(whole)} applies"

    def classes(self) -> list[str]:
        """The classes of the tags of the two words."""
        tags = [side.words.tags[some[-1]] for side, some in self.given if some]
        return [WORD_CLASSES.get(tag, tag) for tag in tags]

    @property
    def is_light(self) -> bool:
        """True if a word without content or a light verb replaces another word, or its own form."""
        lemmas = [[side.words.lemmas[at] for at in some] for side, some in self.given]
        if self.edit.kind is Kind.MODAL and lemmas[0] == lemmas[1]:
            return True
        return self.edit.kind in (*REPLACED, Kind.MARKER, Kind.MODAL) and not all(
            any(
                side.words.tags[at] in COUNTED and side.words.lemmas[at] not in LIGHT for at in some
            )
            for side, some in self.given
        )

    @property
    def _is_shared(self) -> bool:
        """True if both sentences say the words of both sides, which are no values."""
        return self.edit.kind in REPLACED and all(
            f" {plain_text(text)} " in f" {side.plain} "
            for text, side in zip(self.texts, self.pair.both[::-1], strict=True)
        )

    @property
    def _is_equal(self) -> bool:
        """True if both sentences say the words of one side in another spelling."""
        return any(
            words.tokens and equal.issuperset(words.tokens)
            for equal, words in zip(self.pair.between.equal, self.edit.sides, strict=True)
        )

    def alone(self) -> Iterator[Statement]:
        """State which words only one of the sentences has."""
        first, second = self.pair.both
        yield from self.pair.only(first, self.tokens[0], self.scope)
        yield from self.pair.only(second, self.tokens[1], self.scope)

    def side_by_side(self) -> Iterator[Statement]:
        """State what each sentence says, or that only one has certain words."""
        text1, text2 = self.texts
        if not (text1 and text2):
            yield from self.alone()
        elif (self.is_light and self.pair.is_open) or self._is_equal or self._is_shared:
            return
        elif self.edit.kind is Kind.VALUE or (
            plain_text(text1).replace(" ", "") != plain_text(text2).replace(" ", "")
        ):
            other_word = self.edit.kind in REPLACED and self.edit.relation is IND
            yield Said(text1, text2, self.scope, other_word)


def _word(stated: StatedEdit) -> Iterator[Statement]:
    edit, (text1, text2) = stated.edit, stated.texts
    (first, second), (at1,), (at2,) = stated.pair.both, edit.before.tokens, edit.after.tokens
    if (at1, at2) in stated.pair.units and edit.relation in CLAIMS:
        texts = first.quote((at1,)), second.quote((at2,))
        yield f"{CLAIMS[edit.relation].format(*texts)}{stated.scope}."
        return
    if text1.lower() == text2.lower() or "expl" in (first.relation(at1), second.relation(at2)):
        return
    if not (second.lacks(first, (at1,)) or first.lacks(second, (at2,))):
        return
    class1, class2 = stated.classes()
    if claim := _claim(stated, at1, at2):
        yield f"{claim}{stated.scope}."
        return
    alike = says_alike(first.tree[at1], second.tree[at2])
    name = "PROPN" in (first.words.tags[at1], second.words.tags[at2])
    whole = at1 in first.words.units or at2 in second.words.units  # "aged 93", "at age 93"
    alike &= not stated.pair.is_open  # "carrier" of people, "carry" a bag
    if alike and class1 != class2 and {class1, class2} <= KINDS.keys() and not (name or whole):
        yield conversion(text1, class1, text2, class2)
    elif stated.pair.between.same_place(at1, at2):
        yield from stated.side_by_side()
    else:
        yield from stated.alone()


def conversion(text1: str, class1: str, text2: str, class2: str) -> str:
    """State that a quoted word has one class in sentence 1, another in sentence 2."""
    return f"{text1} is {KINDS[class1]} in sentence 1, {text2} {KINDS[class2]} in sentence 2."


def _claim(stated: StatedEdit, at1: int, at2: int) -> str:
    """State the relation of two words, if it is clear; else ""."""
    edit, (first, second) = stated.edit, stated.pair.both
    lemma1, lemma2 = first.words.lemmas[at1], second.words.lemmas[at2]
    classes = {*stated.classes()}
    least = CLEAR_VERB if "VERB" in classes else CLEAR
    if edit.kind is not Kind.WORD or edit.confidence < least or lemma1 == lemma2:
        return ""
    if first.particle(at1) or second.particle(at2) or ("VERB" in classes and len(classes) == 2):
        return ""
    if LIGHT & {lemma1, lemma2}:
        return ""
    denied = {
        any(one.context in DENYING for one in side.reading.contexts[at])
        for side, at in ((first, at1), (second, at2))
    }
    if classes == {"ADV"} and len(denied) == 2:
        return ""  # "not yet" and "still"
    longer, shorter = sorted((lemma1, lemma2), key=len, reverse=True)
    near = len(longer) - len(shorter) < 3 or (longer, "NOUN") not in lexicon()
    if (longer.endswith(shorter) and near) or is_unit(shorter):
        return ""  # "methanol", "kilometre", "minute"
    between = stated.pair.between
    is_placed = (
        between.opposed(at1, at2, edit.confidence)
        if edit.relation is ALT
        else between.same_place(at1, at2)
    )
    if not is_placed:
        return ""  # "passed" of a law and "summoned" of a person; "toy lorry" and "plaything"
    lemmas = (lemma1, lemma2) if edit.relation is FWD else (lemma2, lemma1)
    nouns = classes == {"NOUN"} and lexicon().is_clear_kind(*lemmas)
    if edit.relation in (FWD, REV) and not nouns:
        return ""
    text1, text2 = first.quote((at1,)), second.quote((at2,))
    name = "PROPN" in (first.words.tags[at1], second.words.tags[at2])
    claim = "" if name and edit.relation is EQ else CLAIMS.get(edit.relation, "")
    return claim.format(text1, text2)


def _negation(stated: StatedEdit) -> Iterator[Statement]:
    if stated.edit.is_balanced:
        yield from _balanced(stated)
        return
    about, (at, *_) = stated.about, (*stated.edit.before.tokens, *stated.edit.after.tokens)
    side, other = stated.sides
    if at and side.words.forms[at - 1] == "or":
        return  # "stamped or not"
    if about < 0 or side.words.forms[at] == "unless":
        yield from stated.pair.only(side, (at,))
        return
    partners = stated.pair.partners
    if side is not stated.pair.first:
        partners = {two: one for one, two in partners.items()}
    there = partners.get(about, -1)
    if there < 0 and stated.pair.is_open and about not in stated.pair.said[side.number - 1]:
        return  # It may say the same in other words, which are quoted with the denial.
    if there >= 0 and any(one.context in DENYING for one in other.reading.contexts[there]):
        return  # The other sentence negates it too, in another way.
    head = side.tree[at].head
    if head != about and side.words.tags[head] == "VERB" and side.words.implied.get(head) != about:
        return  # "would not confirm that it was sold"
    if stated.edit.rule in EXCEPTIONS:
        yield f"Sentence {side.number} makes an exception of {side.quote((about,))}."
        return
    near = at < about <= at + FARTHEST and side.words.forms[at + 1] != "longer"
    following = range(at + 1, about + 1)
    while len(following) > 1 and side.words.tags[following[0]] == "PUNCT":
        following = following[1:]  # "_not_ going"
    denied = [*following] if near else [about]
    if not near and about < at:  # "isn't a good place"
        denied = [one for one in _with_negation(side, about) if one > at] or denied
    yield f"Sentence {side.number} denies {side.quote(denied)}."


def _balanced(stated: StatedEdit) -> Iterator[str]:
    """State that one of two opposites is negated."""
    texts = [side.quote(tokens[-1:]) for side, tokens in stated.given]
    opposed = opposition_of(*(side.tree[some[-1]] for side, some in stated.given)) >= LEAST_OPPOSED
    for (side, tokens), text in zip(stated.given, texts, strict=True):
        within = side.reading.contexts[tokens[-1]]
        if any(one.context in DENYING and one.source in tokens for one in within):
            denied = f"entence {side.number} denies {text}."
            opposites = f"{' and '.join(texts)} are opposites"
            yield f"{opposites}, and s{denied}" if opposed else f"S{denied}"


def _quantifier(stated: StatedEdit) -> Iterator[Statement]:
    edit, (side, other), (first, second) = stated.edit, stated.sides, stated.pair.both
    tokens = (*edit.before.tokens, *edit.after.tokens)
    if edit.before.tokens and edit.after.tokens:
        heads = (
            first.canonical[edit.before.tokens[-1]].head,
            second.canonical[edit.after.tokens[-1]].head,
        )
        if not stated.pair.is_open or min(heads) < 0 or stated.pair.related(*heads):
            yield from stated.side_by_side()
    elif stated.about < 0:
        yield from stated.side_by_side()
    elif other.lacks(side, tokens):
        only = stated.pair.only(side, [*tokens, stated.about], stated.scope)
        free = stated.pair.between.unmatched[1 - stated.place]
        yield from only if free else map(str, only)


def _value(stated: StatedEdit) -> Iterator[Statement]:
    """State that one value became another if they have one place, or are the only ones."""
    pair, heads, alone, kinds = stated.pair, list[int](), True, set[type]()
    for side, tokens in stated.given:
        units = side.words.units
        head = next((at for at in units if {*tokens} & {*units[at].tokens}), None)
        if head is None and not (tokens and pair.is_open):
            yield from stated.side_by_side()
            return
        heads.append(tokens[-1] if head is None else head)
        kind = type(None) if head is None else type(units[head].fact)
        kinds.add(kind)
        same = sum(type(unit.fact) is kind for unit in units.values())
        alone &= same == 1 and kind is not Name
    alone &= len(kinds) == 1 and not pair.is_open
    if alone or pair.between.value_place(*heads):
        yield from stated.side_by_side()
    else:
        yield from stated.alone()


def _signature(stated: StatedEdit) -> Iterator[Statement]:
    edit, (text1, text2), side = stated.edit, stated.texts, stated.sides[0]
    if text1 and text2:
        yield from _complements(stated)
        return
    at = stated.edit.sides[stated.place].tokens[-1]
    relation = edit.relation if text1 else edit.relation.inverted
    verb = {EQ: "implies", FWD: "implies", NEG: "denies", ALT: "denies"}.get(relation)
    complement = _with_negation(side, stated.about)
    if not _governs_clause(side, at, stated.about) or (
        not verb and (side.relation(stated.about) != "xcomp" or len(complement) > 1)
    ):
        subject = [one for one in side.canonical.children(at) if side.relation(one) == "nsubj"]
        yield from stated.pair.only(side, sorted([*subject, at]))
        return
    if side.reading.contexts[at] or any(
        one.context is Context.NO for one in side.reading.contexts[stated.about]
    ):
        return  # "it is certain that nobody came", "he did not help them understand it"
    if any(
        side.tree[one].lemma in MODALS
        for verb in (at, stated.about)
        for one in side.tree.children(verb)
    ):
        return  # "would manage to win"
    if verb == "denies" and any(side.words.forms[one] in NEGATING for one in complement):
        return
    about = side.quote(complement)
    meaning = f"{verb} {about}" if verb else f"leaves {about} open"
    named = " ".join(side.words.forms[at : at + 2]) == edit.rule  # "used to"
    word = side.quote((at, at + 1)) if named else text1 or text2
    yield f"{word} in sentence {side.number} {meaning}."


def _governs_clause(side: QuotedSentence, at: int, about: int) -> bool:
    """Test if a word is the predicate of a clause that depends on another, which is no parenthesis
    such as "you know".
    """
    tree = side.canonical
    if about <= at or tree[at].lemma in SUPPORTING:
        return False  # "it rained, he said", "let us go"
    if tree[about].pos in ("NOUN", "PROPN", "PRON", "ADV", "NUM") and not any(
        tree[one].relation in ("cop", "nsubj", "mark") for one in tree.children(about)
    ):
        return False
    before = tree[at - 1].text.lower() if at else ""
    marked = any(tree[one].relation == "mark" for one in tree.children(about))
    if (before, tree[at].lemma) in PARENTHESES and not marked:
        return False
    if tree[at].head == about and side.relation(at) == "aux":
        return True  # "managed" of the canonical tree
    while about >= 0 and about != at:
        if side.relation(about) not in COMPLEMENTS:
            return False
        about = tree[about].head
    return about == at


def _with_negation(side: QuotedSentence, about: int) -> list[int]:
    """Return a predicate with its negation, passive or copula, and the object of a light verb."""
    tree = side.canonical
    start = stop = about
    for at in tree.children(about):
        small = side.words.forms[at] in NEGATING or tree[at].relation in ("cop", "aux:pass")
        if small and about - LONGEST <= at < about:
            start = min(start, at)
        elif tree[about].lemma in LIGHT and side.relation(at) in ("obj", "nsubj") and at > about:
            stop = next(end for end in (max(tree.subtree(at)), at, about) if end <= about + LONGEST)
    return [*range(start, stop + 1)]


def _complements(stated: StatedEdit) -> Iterator[str]:
    """State the complements of a verb whose complements differ."""
    heads = stated.edit.before.tokens[0], stated.edit.after.tokens[0]
    side, _ = stated.sides
    lemma = side.words.lemmas[stated.about]
    quoted = []
    for one, head in zip(stated.pair.both, heads, strict=True):
        end = next(
            (at for at in range(head + 1, len(one.words.lemmas)) if one.words.lemmas[at] == lemma),
            None,
        )
        if end is None or end > head + LONGEST:
            return
        quoted.append(one.quote(range(head + 1, end + 1)))
    if plain_text(quoted[0]) == plain_text(quoted[1]):
        return
    yield (
        f"{stated.texts[0]} is followed by {quoted[0]} in sentence 1 and by {quoted[1]} in "
        "sentence 2."
    )


def _marker(stated: StatedEdit) -> Iterator[Statement]:
    """State which preposition or conjunction editd, with its phrase if that is the same."""
    edit, (first, second) = stated.edit, stated.pair.both
    if not (edit.before.tokens and edit.after.tokens):
        if edit.relation is not EQ:
            yield from stated.side_by_side()
        return
    at1, at2 = edit.before.tokens[-1], edit.after.tokens[-1]
    head1, head2 = first.canonical[at1].head, second.canonical[at2].head
    opposed = edit.relation in (NEG, ALT, COV)
    above = [
        side.canonical[head].head if head >= 0 else -1
        for side, head in ((first, head1), (second, head2))
    ]
    if stated.pair.is_open and min(above) >= 0 and not stated.pair.related(*above):
        return  # "the spread of fire" and "related to fire"
    if min(head1, head2) >= 0 and not stated.pair.related(head1, head2):
        alike = first.relation(at1) == second.relation(at2)
        related = stated.pair.related if min(above) >= 0 else stated.pair.between.same_place
        alike &= related(*(above if min(above) >= 0 else (head1, head2)))
        if not (alike and (opposed or edit.relation is IND)):
            yield from stated.alone()
            return
    if head1 in range(at1, at1 + LONGEST + 1) and head2 in range(at2, at2 + LONGEST + 1):
        texts = []
        for side, at, head in ((first, at1, head1), (second, at2, head2)):
            whole = side.phrases(range(at, head + 1))[0]  # "next to the tree"
            start = min(at, *(one for one in whole if side.words.tags[one] != "AUX"))
            texts.append(side.quote(range(start, max(whole) + 1)))
        yield Said(texts[0], texts[1], stated.scope)
        return
    yield from stated.side_by_side()


def _moved(stated: StatedEdit) -> Iterator[str]:
    first, second = stated.pair.both
    at1, at2 = stated.edit.before.tokens[0], stated.edit.after.tokens[0]
    if stated.edit.rule == "converse":
        yield f"{' and '.join(stated.texts)} state one relation from both sides."
    elif stated.edit.relation is IND:
        yield from attached(
            stated.pair, [at1], first.canonical[at1].head, second.canonical[at2].head
        )


def _head(stated: StatedEdit) -> Iterator[Statement]:
    before, after = stated.edit.sides
    if before.anchor is None or after.anchor is None:
        yield from stated.side_by_side()
    else:
        yield from attached(stated.pair, [before.anchor], *before.tokens, *after.tokens)


def attached(pair: QuotedPair, tokens: Iterable[int], head1: int, head2: int) -> Iterator[str]:
    """State the governors of words of the first sentence, in both sentences."""
    if min(head1, head2) < 0 or pair.is_unlike:
        return
    text = pair.first.quote(tokens, gap=0)
    first = pair.first.quote(pair.first.whole(head1, names=True))
    second = pair.second.quote(pair.second.whole(head2, names=True))
    if first != second:
        go = "go" if '" and "' in text else "goes"
        yield f"{text} {go} with {first} in sentence 1 and with {second} in sentence 2."


WORDINGS: Mapping[Kind, Callable[[StatedEdit], Iterator[Statement]]] = MappingProxyType(
    {
        Kind.WORD: _word,
        Kind.UNKNOWN: _word,
        Kind.SIBLING: _word,
        Kind.DENIAL: _negation,
        Kind.QUANTIFIER: _quantifier,
        Kind.SIGNATURE: _signature,
        Kind.HEAD: _head,
        Kind.VALUE: _value,
        Kind.MARKER: _marker,
        Kind.MOVED: _moved,
    }
)


def wording(stated: StatedEdit) -> list[Statement]:
    """Return the reasons from an edit: by its sort, the replacement, or the new words."""
    return [*WORDINGS.get(stated.edit.kind, StatedEdit.side_by_side)(stated)]
