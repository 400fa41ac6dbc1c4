"""Natural logic: the relation of every edit between two sentences, and of the sentences.

    No dog barks.        dog > poodle, within "no": <      joined   <   the first entails the second
    No poodle barks.

The tokens of two trees are aligned; what has no equal partner makes edits: a word for another,
words that one sentence alone has, another quantifier, a negation, a verb with a signature. Each
edit has a relation by itself; projected through the contexts of its place (``polarity.py``) and
joined over the edits that is the relation of the sentences (MacCartney & Manning 2009).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from hybridsem._typing import BoolArray
from hybridsem.combiners.base import Batch
from hybridsem.combiners.hybrid import Compared
from hybridsem.english.function_words import alike, opposed
from hybridsem.english.lexicon import LexicalRelation, lexicon
from hybridsem.english.numbers import number_value
from hybridsem.english.words import MODALS, word_set
from hybridsem.judge.polarity import (
    QUANTIFIERS,
    Context,
    Quantified,
    Relation,
    Within,
    complement_form,
    contexts,
    direction,
    licensed,
    negators,
    numbers_of,
    project,
    quantifiers,
)
from hybridsem.judge.signatures import signature
from hybridsem.structures import DependencyTree, Token

__all__ = [
    "Change",
    "Derivation",
    "Sort",
    "derivations",
    "derive",
    "join",
    "of_quantifiers",
    "of_words",
]

EQ, FWD, REV, NEG, ALT, COV, IND = Relation

_JOINED = {
    EQ: "= < > ^ | v #",
    FWD: "< < # | | # #",
    REV: "> # > v # v #",
    NEG: "^ v | = > < #",
    ALT: "| # | < # < #",
    COV: "v v # > > # #",
    IND: "# # # # # # #",
}
JOINED: Mapping[Relation, Mapping[Relation, Relation]] = MappingProxyType(
    {
        first: dict(zip(Relation, map(Relation, row.split()), strict=True))
        for first, row in _JOINED.items()
    }
)
"""What two relations in a row make (MacCartney & Manning 2009, table 2)."""


def join(first: Relation, second: Relation) -> Relation:
    """The relation of a to c, from that of a to b and of b to c.

    >>> str(join(Relation.NEGATION, Relation.ALTERNATION))
    '>'
    """
    return JOINED[first][second]


class Sort(StrEnum):
    """What an edit changes."""

    WORD = "word"
    """A word for one that WordNet relates to it."""
    SIBLING = "sibling"
    """A word for another of its kind."""
    UNKNOWN = "unknown"
    """A word for another."""
    ADDED = "added"
    """Words that one sentence alone has."""
    HEAD = "head"
    """The same, and words of the other belong to them."""
    CONJUNCT = "conjunct"
    DISJUNCT = "disjunct"
    QUANTIFIER = "quantifier"
    ARTICLE = "article"
    NUMBER = "number"
    NEGATION = "negation"
    MODAL = "modal"
    SIGNATURE = "signature"
    MARKER = "marker"
    """A preposition or conjunction."""
    MOVED = "moved"


class Change(NamedTuple):
    """An edit: the tokens of either sentence, its relation by itself and projected, the direction
    of its place (1, -1, 0), and how sure the relation is, in [0, 1]. ``about`` is a word that it is
    said of, ``source`` the one that makes its context: both of the first sentence, or of the second
    where it has no tokens of the first; -1 for none.
    """

    sort: Sort
    tokens1: tuple[int, ...]
    tokens2: tuple[int, ...]
    relation: Relation
    projected: Relation
    direction: int
    sure: float = 1.0
    about: int = -1
    source: int = -1
    swapped: bool = False
    """Whether ``about`` and ``source`` are of the other sentence than they would be."""

    @property
    def turned(self) -> Change:
        """The same of the sentences in the other order."""
        return self._replace(
            tokens1=self.tokens2,
            tokens2=self.tokens1,
            relation=self.relation.turned,
            projected=self.projected.turned,
            swapped=not self.swapped if self.tokens1 and self.tokens2 else False,
        )


@dataclass(frozen=True)
class Derivation:
    """The edits between two sentences."""

    changes: tuple[Change, ...]

    @cached_property
    def relation(self) -> Relation:
        """Of the first sentence to the second."""
        made = Relation.EQUIVALENT
        for change in self.changes:
            made = join(made, change.projected)
        return made

    @cached_property
    def sure(self) -> float:
        """How sure the least sure edit is; 1 without one."""
        return min((change.sure for change in self.changes), default=1.0)

    @property
    def turned(self) -> Derivation:
        """That of the sentences in the other order."""
        return Derivation(tuple(change.turned for change in self.changes))


# --- words and quantifiers

CLEAR = 0.3
"""How usual senses are, at least, whose relation counts as one of the words."""
WEAK_KIND = 0.1
OPPOSED = 0.2


@lru_cache(65_536)
def of_words(word1: str, tag1: str, word2: str, tag2: str) -> tuple[Relation, float]:
    """The relation of two content words by WordNet, and how sure it is.

    Args:
        word1: A lemma.
        tag1: Its UPOS tag.
        word2: The other lemma.
        tag2: Its tag.

    >>> relation, sure = of_words("dog", "NOUN", "animal", "NOUN")
    >>> str(relation), sure > 0.5
    ('<', True)
    """
    known = lexicon()
    found, strength = known.relation(word1, tag1, word2, tag2)
    below, above = known.kind_of(word1, tag1, word2, tag2), known.kind_of(word2, tag2, word1, tag1)
    if tag1 == tag2 == "ADJ":  # "scarlet" is a kind of "red" as nouns
        below, above = (
            0.9 * known.kind_of(a, "NOUN", b, "NOUN") for a, b in ((word1, word2), (word2, word1))
        )
        if max(below, above) >= CLEAR:
            return (FWD, below) if below >= above else (REV, above)
    if found in (LexicalRelation.SAME, LexicalRelation.SYNONYM) and strength >= max(below, above):
        return EQ, strength
    if found is LexicalRelation.ANTONYM and strength >= OPPOSED:
        return ALT, strength
    if max(below, above) >= WEAK_KIND:
        return (FWD, below) if below >= above else (REV, above)
    if found in (LexicalRelation.ENTAILS, LexicalRelation.ENTAILED):
        return (FWD if found is LexicalRelation.ENTAILS else REV), strength
    if found in (LexicalRelation.SIMILAR, LexicalRelation.DERIVED):
        return EQ, strength / 2
    if found is LexicalRelation.SIBLING:
        return (ALT, strength / 2) if tag1 == "ADJ" else (IND, strength)
    return IND, 0.0


_SIZES = (12, 20, 100)


def _holds(name: str, number: float | None, size: int) -> BoolArray:
    """For how many of ``size`` things, 0 to all, a quantifier is true."""
    k = np.arange(size + 1)
    if number is not None and 0 < number < 1:
        number *= size
    n = -1.0 if number is None else number
    name, strict, _ = name.partition(" strictly")
    if name == "at most":
        return k < n if strict else k <= n
    if name == "at least":
        return k > n if strict else k >= n
    table: dict[str, BoolArray] = {
        "every": k == size,
        "both": k == size,
        "the": k == size,
        "no": k == 0,
        "few": k <= 0.25 * size,
        "most": k > 0.5 * size,
        "many": k >= 0.34 * size,
        "a few": k >= 2,
        "exactly": k == n,
        "number": k == n,
    }
    return table.get(name, k >= 1)


def of_quantifiers(
    name1: str, number1: float | None, name2: str, number2: float | None
) -> Relation:
    """The relation of two quantifiers, by the sets of which they are true.

    Args:
        name1: One of :data:`~hybridsem.judge.polarity.QUANTIFIERS`, with " strictly" for "more
            than" and "less than".
        number1: Its number, if it has one.
        name2: The other.
        number2: Its number.

    >>> str(of_quantifiers("every", None, "some", None)), str(of_quantifiers("no", None, "a", None))
    ('<', '^')
    """
    if name1 == name2 == "number" and number1 != number2:
        return ALT
    top = int(2 * max(number1 or 0, number2 or 0))
    if top > 10_000:
        return EQ if (name1, number1) == (name2, number2) else IND
    sizes = (*_SIZES, top) if top > max(_SIZES) else _SIZES
    first, second = (
        np.concatenate([_holds(name, number, size) for size in sizes])
        for name, number in ((name1, number1), (name2, number2))
    )
    both, either = bool((first & second).any()), bool((first | second).all())
    if (first == second).all():
        return EQ
    if not both:
        return NEG if either else ALT
    if not (first & ~second).any():
        return FWD
    if not (second & ~first).any():
        return REV
    return COV if either else IND


STRICT = frozenset({"more", "less", "fewer", "over", "under"})

# --- function words

SILENT_RELATIONS = frozenset({"punct", "expl", "cop", "discourse", "reparandum", "dep", "goeswith"})
NECESSARY = frozenset({"must", "have", "need", "shall", "ought"})
POSSIBLE = frozenset({"can", "could", "may", "might", "able", "unable"})
PRIVATIVE = word_set(
    "fake former alleged potential possible false counterfeit imaginary fictional supposed "
    "almost nearly likely would-be toy virtual pseudo apparent failed"
)
"""Modifiers that what they modify need not be: a former soldier is none."""
HEDGES = word_set(
    "perhaps maybe possibly probably allegedly reportedly likely supposedly apparently"
)
SILENT_ADVERBS = word_set(
    "also too even still ever just either anymore all then so there both as already"
)


INDEFINITE = word_set("someone somebody something anyone anybody anything")


def _modal(lemma: str) -> str:
    return "must" if lemma in NECESSARY else "can" if lemma in POSSIBLE else ""


SEMI_MODALS = frozenset({"have", "need", "able", "unable"})
FOCUS = frozenset({"only", "even", "not", "almost", "nearly"})
CONDITIONS = frozenset({"if", "unless"})


def _of_tokens(token1: Token, token2: Token) -> tuple[Relation, float]:
    """The relation of two words as they are written, and how sure it is."""
    form1, form2 = token1.text.lower(), token2.text.lower()
    if form1 == form2:
        return EQ, 1.0
    if form1 in INDEFINITE or form2 in INDEFINITE:
        return (REV if form1 in INDEFINITE else FWD), 0.8
    lemma1, lemma2 = token1.lemma.lower(), token2.lemma.lower()
    found = [
        of_words(word1, tag, word2, tag)
        for tag in dict.fromkeys((token1.pos, token2.pos))
        for word1 in _spellings(token1)
        for word2 in _spellings(token2)
    ]
    made, sure = max(found, key=lambda one: one[1])
    if (
        made in (EQ, IND)
        and token1.pos == token2.pos == "NOUN"
        and min(map(len, (lemma1, lemma2))) > 2
    ):
        for longer, shorter, kind in ((lemma1, lemma2, FWD), (lemma2, lemma1, REV)):
            if longer.endswith(shorter):
                return kind, 0.8
    return made, sure


def _spellings(token: Token) -> list[str]:
    """A word's lemma; that of a name or an abbreviation also without its ending."""
    found = [token.lemma.lower(), token.text.lower()]
    if token.text[:1].isupper():
        found += [token.text, token.text.removesuffix("s")]
    elif token.pos == "NOUN" and len(token.lemma) <= 4:
        found.append(token.lemma.upper())
    return list(dict.fromkeys(found))


# --- a sentence


class _Side:
    """A sentence as it is aligned."""

    def __init__(self, tree: DependencyTree) -> None:
        self.tree = tree
        self.keys = [_key(token.text, token.lemma, token.pos) for token in tree]
        self.visible = [
            at
            for at, token in enumerate(tree)
            if any(map(str.isalnum, token.text)) or "'" in token.text
        ]
        self.relations = [token.relation.partition(":")[0] for token in tree]

    @cached_property
    def contexts(self) -> tuple[tuple[Within, ...], ...]:
        return contexts(self.tree)

    @cached_property
    def quantifiers(self) -> list[Quantified]:
        return quantifiers(self.tree)

    @cached_property
    def numbers(self) -> list[float | None]:
        return numbers_of(self.tree)

    def modality(self, at: int) -> str:
        """The modal verb that a word is said with, "must" or "can"; or ""."""
        for child in self.tree.children(at):
            modal = _modal(self.keys[child])
            if modal and self.relations[child] == "aux" and self.keys[child] != "have":
                return modal
        head = self.tree[at].head
        if head >= 0 and self.relations[at] == "xcomp" and self.keys[head] in SEMI_MODALS:
            return _modal(self.keys[head])
        return ""

    @cached_property
    def negators(self) -> dict[int, int]:
        return negators(self.tree)

    def content(self, at: int) -> bool:
        return self.tree[at].pos in ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "X", "SYM")


def _key(text: str, lemma: str, pos: str) -> str:
    lower = text.lower().replace("’", "'")
    if lower in ("n't", "not"):
        return "not"
    if lower in MODALS and pos == "AUX":
        return MODALS[lower]
    if lower in ("a", "an"):
        return "a"
    if lower == "unless":  # the rest is told as a negation
        return "if"
    return lower if pos == "PROPN" else lemma.lower()


def derive(
    tree1: DependencyTree, tree2: DependencyTree, compared: Compared | None = None
) -> Derivation:
    """The edits from the first sentence to the second, with their relations.

    Args:
        tree1: The first sentence.
        tree2: The second.
        compared: What is known of them, in this order; its partners are aligned where order and
            words leave it open.
    """
    return Derivation(tuple(_Deriving(tree1, tree2, compared).changes()))


def derivations(batch: Batch, compared: Sequence[Compared | None]) -> list[Derivation | None]:
    """The derivation of each pair, in the order in which ``compared`` has its sentences; None for
    a pair without trees.
    """
    found: list[Derivation | None] = []
    structures = batch.structures or ()
    for pair, one in zip(batch.pairs, compared, strict=True):
        made = None
        if one is not None and structures:
            second = pair[1] if one.first == pair[0] else pair[0]
            tree1, tree2 = (getattr(structures[at], "tree", None) for at in (one.first, second))
            if tree1 is not None and tree2 is not None:
                made = derive(tree1, tree2, one)
        found.append(made)
    return found


class _Deriving:
    """The alignment of two trees, and the edits that it leaves."""

    def __init__(
        self, tree1: DependencyTree, tree2: DependencyTree, compared: Compared | None
    ) -> None:
        self.first, self.second = _Side(tree1), _Side(tree2)
        self.partners: dict[tuple[int, int], float] = {}
        self.converses: set[tuple[int, int]] = set()
        if compared is not None:
            words1, words2 = compared.words1.words, compared.words2.words
            self.converses = {(words1[one.first], words2[one.second]) for one in compared.converses}
            self.partners = {
                (words1[one.first], words2[one.second]): one.similarity for one in compared.aligned
            }
        self.pairs = self._aligned()
        self.moved = self._moved()
        self.pairs |= self.moved
        self.pairs |= self._replaced()
        self.back = {two: one for one, two in self.pairs.items()}

    # alignment

    def _aligned(self) -> dict[int, int]:
        """The best alignment that keeps the order."""
        one, two = self.first.visible, self.second.visible
        keys1, keys2 = self.first.keys, self.second.keys
        start = 0
        while start < min(len(one), len(two)) and keys1[one[start]] == keys2[two[start]]:
            start += 1
        end = 0
        while (
            end < min(len(one), len(two)) - start and keys1[one[-1 - end]] == keys2[two[-1 - end]]
        ):
            end += 1
        pairs = dict(zip(one[:start], two[:start], strict=True))
        pairs |= dict(zip(one[len(one) - end :], two[len(two) - end :], strict=True))
        rows, columns = one[start : len(one) - end], two[start : len(two) - end]
        best = np.zeros((len(rows) + 1, len(columns) + 1))
        gains = [[self._gain(i, j) for j in columns] for i in rows]
        for r in range(len(rows) - 1, -1, -1):
            for c in range(len(columns) - 1, -1, -1):
                best[r, c] = max(best[r + 1, c], best[r, c + 1], gains[r][c] + best[r + 1, c + 1])
        r = c = 0
        while r < len(rows) and c < len(columns):
            if gains[r][c] and best[r, c] == gains[r][c] + best[r + 1, c + 1]:
                pairs[rows[r]] = columns[c]
                r, c = r + 1, c + 1
            elif best[r, c] == best[r + 1, c]:
                r += 1
            else:
                c += 1
        return pairs

    def _gain(self, i: int, j: int) -> float:
        if self.first.keys[i] == self.second.keys[j]:
            return 1.0 if self.first.content(i) else 0.5
        if self.first.tree[i].text.lower() == self.second.tree[j].text.lower():
            return 0.9
        tags = {self.first.tree[i].pos, self.second.tree[j].pos}
        if tags in ({"ADP"}, {"AUX"}, {"PRON"}, {"CCONJ"}, {"SCONJ"}):
            return 0.2
        return 0.8 * self.partners.get((i, j), 0.0)

    def _moved(self) -> dict[int, int]:
        """Partners, or equal words, that stand in another order."""
        taken = set(self.pairs.values())
        found: dict[int, int] = {}
        for (i, j), _ in sorted(self.partners.items(), key=lambda item: -item[1]):
            if i not in self.pairs and i not in found and j not in taken:
                found[i] = j
                taken.add(j)
        return found

    def _replaced(self) -> dict[int, int]:
        """Words of one class that are all that two gaps have of it."""
        pairs = sorted(self.pairs.items() - self.moved.items())
        found: dict[int, int] = {}
        taken = {*self.pairs.values()}
        bounds = [(-1, -1), *pairs, (len(self.first.tree), len(self.second.tree))]
        for (i, j), (i2, j2) in pairwise(bounds):
            gap1 = [at for at in range(i + 1, i2) if self._open(self.first, at, self.pairs)]
            gap2 = [at for at in range(j + 1, j2) if self._open(self.second, at, taken)]
            if not gap1 or not gap2:
                continue
            tops1, tops2 = self._tops(self.first, gap1), self._tops(self.second, gap2)
            single = len(tops1) == len(tops2) == 1
            for one in tops1:
                for two in tops2:
                    same = _class(self.first.tree[one].pos) == _class(self.second.tree[two].pos)
                    if (same or single) and one not in found and two not in found.values():
                        found[one] = two
        return found

    @staticmethod
    def _open(side: _Side, at: int, taken: object) -> bool:
        pronoun = side.tree[at].pos == "PRON" and side.relations[at] not in ("expl", "mark")
        return at not in taken and (side.content(at) or pronoun) and at not in side.negators  # type: ignore[operator]

    @staticmethod
    def _tops(side: _Side, gap: Sequence[int]) -> list[int]:
        return [at for at in gap if side.tree[at].head not in gap]

    # edits

    def changes(self) -> Iterator[Change]:
        """The edits."""
        self.told1: set[int] = set()
        self.told2: set[int] = set()
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
        """An edit at its place: that of its first word in the first sentence, or in the second."""
        side, tokens = (self.first, tokens1) if tokens1 else (self.second, tokens2)
        around = [
            one
            for one in side.contexts[tokens[0] if at is None else at]
            if one.source not in tokens
        ]
        within = [one.context for one in around]
        sources = [one.source for one in around if direction([one.context]) < 1]
        self.told1.update(tokens1)
        self.told2.update(tokens2)
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

    def _same_quantifiers(self) -> None:
        """Take note of quantifiers that are in both sentences, whatever they belong to."""
        by_start = {one.tokens[0]: one for one in self.second.quantifiers}
        for one in self.first.quantifiers:
            two = by_start.get(self.pairs.get(one.tokens[0], -1))
            if two is not None and (one.name, one.number) == (two.name, two.number):
                self.told1.update(one.tokens)
                self.told2.update(two.tokens)

    def _of_quantifiers(self) -> Iterator[Change]:
        self._same_quantifiers()
        heads1, heads2 = (
            {one.head: one for one in reversed(side.quantifiers) if one.tokens[0] not in told}
            for side, told in ((self.first, self.told1), (self.second, self.told2))
        )
        for head1, one in heads1.items():
            head2 = self._counterpart(self.first, head1)
            two = heads2.pop(head2, None) if head2 is not None else None
            if head2 is not None or head1 not in one.tokens:
                self.told1.update(one.tokens)
            if two is not None:
                self.told2.update(two.tokens)
            if head2 is not None:
                yield from self._of_two_quantifiers(one, two, head1)
        for head2, two in heads2.items():
            if head2 in self.back or head2 not in two.tokens:
                self.told2.update(two.tokens)
            if head2 in self.back:
                yield from self._of_two_quantifiers(None, two, self.back[head2])

    def _counterpart(self, side: _Side, head: int) -> int | None:
        return self.pairs.get(head) if side is self.first else self.back.get(head)

    def _of_two_quantifiers(
        self, one: Quantified | None, two: Quantified | None, head: int
    ) -> Iterator[Change]:
        (name1, number1), (name2, number2) = (
            self._named(side, q) for side, q in ((self.first, one), (self.second, two))
        )
        if (name1, number1) == (name2, number2):
            return
        plain = {"a", "the", "", "any"}
        if {name1, name2} <= plain | {"some"}:
            if {name1, name2} & {"the"} or ("any" in (name1, name2) and not self._below(one, two)):
                tokens1 = one.tokens if one else ()
                tokens2 = two.tokens if two else ()
                if tokens1 or tokens2:
                    yield self._change(Sort.ARTICLE, tokens1, tokens2, EQ, 0.8)
            return
        relation = of_quantifiers(name1, number1, name2, number2)
        sure = 1.0 if one and two else 0.8 if "no" in (name1, name2) else 0.6
        tokens1, tokens2 = (q.tokens if q else () for q in (one, two))
        if relation is ALT and {name1, name2} == {"number"}:
            sure = 0.9
        about = one.head if one else two.head if two else -1
        yield self._change(Sort.QUANTIFIER, tokens1, tokens2, relation, sure, None, about)

    def _below(self, one: Quantified | None, two: Quantified | None) -> bool:
        for side, q in ((self.first, one), (self.second, two)):
            if q is not None and q.name == "any":
                return licensed(side.contexts[q.tokens[0]])
        return True

    @staticmethod
    def _named(side: _Side, one: Quantified | None) -> tuple[str, float | None]:
        if one is None:
            return "", None
        if one.name == "number" and one.number == 1:
            return "a", None
        forms = {side.tree[at].text.lower() for at in one.tokens}
        strict = bool(forms & STRICT) and not forms & {"no", "not", "or"}
        return one.name + (" strictly" if strict else ""), one.number

    def _of_negations(self) -> Iterator[Change]:
        denied2 = {
            self._core(self.second, self.back, denied): at
            for at, denied in self.second.negators.items()
        }
        alone1: dict[int, int] = {}
        for at, denied in self.first.negators.items():
            self.told1.add(at)
            denied = self._core(self.first, self.pairs, denied)
            other = denied2.pop(self.pairs.get(denied, -1), None)
            if other is None and self.pairs.get(at) in self.second.negators:
                there = self.second.negators[self.pairs[at]]
                other = denied2.pop(self._core(self.second, self.back, there), None)
            if other is not None:
                self.told2.add(other)
            elif denied in self.pairs:
                alone1[denied] = at
        self.told2.update(denied2.values())
        alone2 = {denied: at for denied, at in denied2.items() if denied in self.back}
        for side, alone in ((self.first, alone1), (self.second, alone2)):
            for denied, at in alone.items():
                # Conjuncts that are all denied, or none, are one change, not a denied denial.
                if not any(
                    self._coordinated(side, denied, other) for other in alone if other < denied
                ):
                    both = any(
                        self._coordinated(side, denied, other) for other in alone if other != denied
                    )
                    relation = ALT if both else NEG
                    first = side is self.first
                    yield self._alone(Sort.NEGATION, (at,), relation, 1.0, first, at, denied)

    @staticmethod
    def _core(side: _Side, pairs: Mapping[int, int], at: int) -> int:
        """A word, or the complement of a verb that the other sentence lacks."""
        for child in side.tree.children(at) if at not in pairs else ():
            form = complement_form(side.tree, child)
            lemma = side.tree[at].lemma.lower()
            known = None if form is None or child not in pairs else signature(lemma, form)
            if (lemma in SEMI_MODALS and form is not None) or known not in (None, "++", "--"):
                return child
        return at

    @staticmethod
    def _coordinated(side: _Side, one: int, two: int) -> bool:
        """Whether one of two words is a conjunct of the other, or both of a third."""
        first, second = (
            side.tree[at].head if side.relations[at] == "conj" else at for at in (one, two)
        )
        return first == second

    def _of_signatures(self) -> Iterator[Change]:
        """Verbs with a signature that one sentence alone has, and their complement in both."""
        for side, pairs, told, first in (
            (self.first, self.pairs, self.told1, True),
            (self.second, self.back, self.told2, False),
        ):
            for at, token in enumerate(side.tree):
                if token.pos == "NOUN" or (at in pairs and at not in self._unlike(first)):
                    continue
                for child in side.tree.children(at):
                    form = complement_form(side.tree, child)
                    if form is None or child not in pairs or at in told:
                        continue
                    lemma = token.lemma.lower()
                    known = signature(lemma, form)
                    if lemma in SEMI_MODALS:
                        told.add(at)
                        if lemma != "unable":
                            continue
                        known = "-+"
                    elif known is None or known == self._known_of(at, pairs, not first):
                        continue
                    relation = IMPLIED[known] if first else IMPLIED[known].turned
                    made = self._alone(Sort.SIGNATURE, (at,), relation, 1.0, first, at, child)
                    fact = known in ("++", "--")  # whether denied or not
                    yield made._replace(projected=relation) if fact else made
        for one, two in self.pairs.items():
            if self.first.keys[one] == self.second.keys[two]:
                yield from self._of_forms(one, two)

    def _known_of(self, at: int, pairs: Mapping[int, int], first: bool) -> str | None:
        """The signature of what stands for a word in the other sentence."""
        side = self.first if first else self.second
        for child in side.tree.children(pairs[at]) if at in pairs else ():
            form = complement_form(side.tree, child)
            if form is not None:
                return signature(side.tree[pairs[at]].lemma.lower(), form)
        return None

    def _of_forms(self, one: int, two: int) -> Iterator[Change]:
        """A verb whose complement has another form: "stopped smoking", "stopped to smoke"."""
        for child in self.first.tree.children(one):
            other = self.pairs.get(child)
            if other is not None and self.second.tree[other].head == two:
                form1 = complement_form(self.first.tree, child)
                form2 = complement_form(self.second.tree, other)
                lemma = self.first.tree[one].lemma.lower()
                if form1 is None or form2 is None:
                    continue
                denied = ((signature(lemma, form) or "+")[0] == "-" for form in (form1, form2))
                if len({*denied}) == 2:
                    yield self._change(Sort.SIGNATURE, (one,), (two,), IND, 0.8, None, child)

    def _unlike(self, first: bool) -> set[int]:
        """Words that are replaced."""
        return {
            one if first else two
            for one, two in self.pairs.items()
            if self.first.keys[one] != self.second.keys[two]
        }

    def _of_pairs(self) -> Iterator[Change]:
        for one, two in sorted(self.pairs.items()):
            yield from self._of_modality(one, two)
            if self.first.keys[one] in FOCUS and self._is_of_subject(one, two):
                head = self.first.tree[one].head
                yield self._change(Sort.MOVED, (one,), (two,), IND, 0.8, None, head)
                continue
            if one in self.moved:
                yield self._change(Sort.MOVED, (one,), (two,), EQ, 0.5)
            if one in self.told1 and two in self.told2 and one not in self.moved:
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
            relation, sure = _of_tokens(token1, token2)
            sort = Sort.WORD
            if relation is IND:
                sort = Sort.SIBLING if sure else Sort.UNKNOWN
                sure = 1 - self.partners.get((one, two), 0.0)
            yield self._change(sort, (one,), (two,), relation, sure)

    def _is_of_subject(self, one: int, two: int) -> bool:
        """Whether of two words one belongs to a subject, and the other does not."""
        heads = self.first.tree[one].head, self.second.tree[two].head
        subjects = {
            side.relations[head] == "nsubj"
            for side, head in ((self.first, heads[0]), (self.second, heads[1]))
        }
        return len(subjects) == 2

    def _of_function_words(self, one: int, two: int) -> Iterator[Change]:
        word1, word2 = self.first.keys[one], self.second.keys[two]
        if self.first.relations[one] == "aux" or self.second.relations[two] == "aux":
            return
        if {self.first.tree[one].pos, self.second.tree[two].pos} <= {"ADP", "SCONJ", "CCONJ"}:
            relation, sure = IND, 0.5
            if (word1, word2) in COORDINATING:
                relation, sure = COORDINATING[word1, word2], 0.8
            elif opposed(word1, word2) >= 0.5:
                relation, sure = ALT, 0.6
            elif alike(word1, word2):
                relation, sure = EQ, 0.6
            head = self.first.tree[one].head
            yield self._change(Sort.MARKER, (one,), (two,), relation, sure, None, head)
        elif self.first.tree[one].pos == self.second.tree[two].pos == "PRON":
            yield self._change(Sort.UNKNOWN, (one,), (two,), IND, 0.5)

    def _of_modality(self, one: int, two: int) -> Iterator[Change]:
        modals = self.first.modality(one), self.second.modality(two)
        if modals[0] != modals[1]:
            marks1, marks2 = (
                [
                    at
                    for at in (*side.tree.children(head), side.tree[head].head)
                    if at >= 0
                    and _modal(side.keys[at])
                    and (side.relations[at] == "aux" or side.keys[at] in SEMI_MODALS)
                ][:1]
                for side, head in ((self.first, one), (self.second, two))
            )
            relation = MODAL.get(modals, IND)
            if marks1 or marks2:
                yield self._change(Sort.MODAL, marks1, marks2, relation)

    def _of_words_alone(
        self, side: _Side, pairs: Mapping[int, int], first: bool
    ) -> Iterator[Change]:
        """Words without a partner, a phrase at a time."""
        told = self.told1 if first else self.told2
        alone = [at for at in side.visible if at not in pairs and at not in told]
        left = set(alone)
        for at in alone:
            top = at
            while side.tree[top].head in left:
                top = side.tree[top].head
            if at not in told and (phrase := self._phrase(side, top, left)):
                yield from self._of_phrase(side, top, phrase, first)
                told.update(phrase)

    @staticmethod
    def _phrase(side: _Side, top: int, left: set[int]) -> list[int]:
        found, todo = [top], [top]
        while todo:
            below = [child for child in side.tree.children(todo.pop()) if child in left]
            found += below
            todo += below
        return sorted(found)

    def _of_phrase(
        self, side: _Side, top: int, phrase: Sequence[int], first: bool
    ) -> Iterator[Change]:
        tree, relation_to_head = side.tree, side.relations[top]
        lemma = side.keys[top]
        content = [at for at in phrase if side.content(at)]
        made, sort, sure = FWD, Sort.ADDED, 1.0
        pairs = self.pairs if first else self.back
        if not content or all(side.keys[at] in ("be", "do", "have", "there") for at in content):
            if lemma in CONDITIONS:
                yield self._place(Sort.MARKER, phrase, IND, 0.8, first, top)
            elif tree[top].pos in ("ADP", "SCONJ", "CCONJ") and lemma not in (
                "to",
                "that",
                "of",
                "as",
            ):
                if lemma == "without":
                    made, sort = NEG, Sort.NEGATION
                    yield self._place(sort, phrase, made, 0.6, first, top)
                else:
                    yield self._place(Sort.MARKER, phrase, EQ, 0.5, first, top)
            elif tree[top].pos == "PRON" and relation_to_head not in ("expl", "mark", "nsubj"):
                yield self._place(Sort.ADDED, phrase, FWD, 0.6, first, top)
            return
        if {side.keys[at] for at in content} <= SILENT_ADVERBS:
            return
        below = [child for child in tree.children(top) if child in pairs and side.content(child)]
        if any(side.relations[child] == "conj" for child in below):
            either = any(side.keys[at] in ("or", "nor") for at in self._follows(side, top))
            sort, made = (Sort.DISJUNCT, REV) if either else (Sort.CONJUNCT, FWD)
        elif below:
            sort, sure = Sort.HEAD, 0.4
        if any(
            one.tokens[0] in phrase and QUANTIFIERS[one.name][0] in DENIALS
            for one in side.quantifiers
        ):
            made, sure = IND, 0.4
        elif relation_to_head == "conj":
            either = self._disjoined(side, top)
            sort, made = (Sort.DISJUNCT, REV) if either else (Sort.CONJUNCT, FWD)
        elif sort in (Sort.CONJUNCT, Sort.DISJUNCT):
            pass
        elif tree[top].head < 0:
            made, sure = IND, 0.4
        elif lemma in PRIVATIVE and relation_to_head in ("amod", "advmod", "compound"):
            made, sure = IND, 0.8
        elif lemma in HEDGES or (
            relation_to_head == "advcl"
            and {side.keys[at] for at in phrase}
            & {
                "if",
                "unless",
                "though",
                "although",
            }
        ):
            made = REV
        yield self._place(sort, phrase, made, sure, first, top)

    def _disjoined(self, side: _Side, top: int) -> bool:
        """Whether the coordination of a conjunct is one by "or" or "nor"."""
        head = side.tree[top].head
        group = [head, *(at for at in side.tree.children(head) if side.relations[at] == "conj")]
        return any(
            side.keys[child] in ("or", "nor")
            for at in group
            for child in side.tree.children(at)
            if side.relations[child] == "cc"
        )

    @staticmethod
    def _follows(side: _Side, top: int) -> Iterator[int]:
        """The coordinating conjunctions of what is coordinated with a word."""
        for conjunct in side.tree.children(top):
            if side.relations[conjunct] == "conj":
                yield from side.tree.children(conjunct)

    def _place(
        self, sort: Sort, phrase: Sequence[int], made: Relation, sure: float, first: bool, top: int
    ) -> Change:
        return self._alone(sort, phrase, made if first else made.turned, sure, first, top)

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
        """An edit of words that one sentence alone has."""
        tokens1, tokens2 = (phrase, ()) if first else ((), phrase)
        return self._change(sort, tokens1, tokens2, relation, sure, at, about)


MODAL = {
    ("must", "can"): FWD,
    ("can", "must"): REV,
    ("", "can"): FWD,
    ("can", ""): REV,
}
"""Of what is said with a modal verb and with another, or none; else INDEPENDENT."""
COORDINATING = {("and", "or"): FWD, ("or", "and"): REV}
DENIALS = (Context.NO, Context.DOWN)
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
"""What a word of a signature is to its complement alone."""


def _class(pos: str) -> str:
    return {"PROPN": "NOUN", "PRON": "NOUN", "AUX": "VERB"}.get(pos, pos)
