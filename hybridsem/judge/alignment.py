"""The alignment of the tokens of two trees, for their derivation.

Equal tokens are aligned first, in order; then partners of the comparison in another order; then
words of the same part of speech that are alone in two gaps between aligned words.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cached_property
from itertools import pairwise

from hybridsem._utils.tables import by_word, word_set
from hybridsem.combiners.hybrid import Compared
from hybridsem.english.function_words import FUNCTION_CLASSES
from hybridsem.english.words import MODALS, not_only
from hybridsem.judge.polarity import (
    Quantified,
    Relation,
    Within,
    contexts,
    negators,
    numbers_of,
    quantifiers,
)
from hybridsem.judge.relations import of_tokens
from hybridsem.parsers.trees.clauses import base_of
from hybridsem.structures import DependencyTree

_MODALS = by_word({"must": "must have need shall ought", "can": "can could may might able unable"})
_WOULD = word_set("would 'd ’d")
SEMI_MODALS = word_set("have need able unable")
"""Words whose infinitive has a modality: "has to"."""
CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "X", "SYM"})
ALIGNED_BY_TAG = frozenset({"ADP", "AUX", "PRON", "CCONJ", "SCONJ"})
"""Tags of words that may be aligned with any word of the same tag."""


class AlignedSentence:
    """A sentence with the properties of its tokens that the alignment and the derivation read."""

    def __init__(self, tree: DependencyTree) -> None:
        self.tree = tree
        self.keys = [_key(token.text, token.lemma, token.pos) for token in tree]
        self.relations = [base_of(token.relation) for token in tree]
        self.forms = [token.text.lower() for token in tree]
        unsaid = not_only(self.keys)
        self.visible = [
            at
            for at, token in enumerate(tree)
            if (any(map(str.isalnum, token.text)) or "'" in token.text) and at not in unsaid
        ]
        self.tags = [token.pos for token in tree]
        self.quantifiers, self.numbers = quantifiers(tree), numbers_of(tree)
        self.negators = negators(tree)

    @cached_property
    def contexts(self) -> tuple[tuple[Within, ...], ...]:
        """The contexts of every token."""
        return contexts(self.tree)

    def modality(self, at: int, denied: bool = False) -> str:
        """Return the class of the modal verb of a word: "must", "can", "would" for "would have"; or
        "".

        If the word is ``denied``, return the class of its negation: "may not" forbids something,
        and "need not" allows its absence.
        """
        for child in self.tree.children(at):
            modal = self.modal(child)
            if modal and self.relations[child] == "aux" and self.keys[child] != "have":
                if modal == "would" or not denied:
                    return modal
                return "can" if self.keys[child] == "need" else "must"
        head = self.tree[at].head
        if head >= 0 and self.relations[at] == "xcomp" and self.keys[head] in SEMI_MODALS:
            return self.modal(head)
        return ""

    def modal(self, at: int) -> str:
        """Return the class of a modal verb: "must", "can", "would" of "would have"; else ""."""
        if self.forms[at] in _WOULD and "have" in self.keys[at + 1 : at + 3]:
            return "would"
        return _MODALS.get(self.keys[at], "")

    def content(self, at: int) -> bool:
        """Return True for a content word."""
        return self.tags[at] in CONTENT

    def noun(self, quantified: Quantified) -> int:
        """Return the noun of a quantifier: of "most of the guests" the last word."""
        for child in (
            self.tree.children(quantified.head) if quantified.head in quantified.tokens else ()
        ):
            below = self.tree.children(child)
            if self.relations[child] == "nmod" and any(self.keys[at] == "of" for at in below):
                return child
        return quantified.head

    def rest_of_name(self, at: int) -> list[int]:
        """Return the other words of the name that a word is the head of: "New" of "New York"."""
        return [
            child
            for child in self.tree.children(at)
            if self.tags[at] == "PROPN"
            and self.relations[child] in ("flat", "compound", "amod")
            and self.tree[child].text.istitle()
        ]

    def particle(self, at: int) -> str:
        """Return the particle of a verb, or ""."""
        return next(
            (
                self.keys[child]
                for child in self.tree.children(at)
                if self.tree[child].relation == "compound:prt"
                or (
                    self.relations[child] == "advmod"
                    and self.keys[child] in FUNCTION_CLASSES
                    and child not in self.negators
                )
            ),
            "",
        )


def _key(text: str, lemma: str, pos: str) -> str:
    lower = text.lower().replace("’", "'")
    if lower in ("n't", "not"):
        return "not"
    if lower in MODALS and pos == "AUX":
        return MODALS[lower]
    if lower in ("a", "an"):
        return "a"
    if lower == "unless":  # the rest counts as a negation
        return "if"
    return lower if pos == "PROPN" else lemma.lower()


class Alignment:
    """The aligned tokens of two trees. ``pairs`` maps tokens of the first to the second, ``back``
    those of the second to the first. ``moved`` tokens are in another order; ``converses`` express
    one relation from both sides.
    """

    def __init__(
        self, first: AlignedSentence, second: AlignedSentence, compared: Compared | None
    ) -> None:
        self.first, self.second, self.compared = first, second, compared
        self.partners: dict[tuple[int, int], float] = {}
        self.converses: set[tuple[int, int]] = set()
        if compared is not None:
            words1, words2 = compared.words1.words, compared.words2.words
            self.converses = {(words1[one.first], words2[one.second]) for one in compared.converses}
            self.partners = {
                self._whole(words1[one.first], words2[one.second]): one.similarity
                for one in compared.aligned
            }
        self.pairs = self._aligned()
        self.moved = self._moved()
        self.pairs |= self.moved
        self.pairs |= self._replaced()
        self.back = {two: one for one, two in self.pairs.items()}

    def _whole(self, i: int, j: int) -> tuple[int, int]:
        """Return the partners, a part of a name as the name: "(New) York" and "Los (Angeles)"."""
        names = self.first.relations[i] == "flat", self.second.relations[j] == "flat"
        if names == (True, False):
            return self.first.tree[i].head, j
        return (i, self.second.tree[j].head) if names == (False, True) else (i, j)

    def _aligned(self) -> dict[int, int]:
        """Return the best alignment that preserves the order."""
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
        best = [[0.0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
        gains = [[self._gain(i, j) for j in columns] for i in rows]
        for r in range(len(rows) - 1, -1, -1):
            here, below, gain = best[r], best[r + 1], gains[r]
            for c in range(len(columns) - 1, -1, -1):
                here[c] = max(below[c], here[c + 1], gain[c] + below[c + 1])
        r = c = 0
        while r < len(rows) and c < len(columns):
            if gains[r][c] and best[r][c] == gains[r][c] + best[r + 1][c + 1]:
                pairs[rows[r]] = columns[c]
                r, c = r + 1, c + 1
            elif best[r][c] == best[r + 1][c]:
                r += 1
            else:
                c += 1
        return pairs

    def _gain(self, i: int, j: int) -> float:
        if self.first.keys[i] == self.second.keys[j]:
            return 1.0 if self.first.content(i) else 0.5
        if self.first.forms[i] == self.second.forms[j]:
            return 0.9
        tag = self.first.tags[i]
        if tag in ALIGNED_BY_TAG and tag == self.second.tags[j]:
            possessive = self.first.relations[i] == "nmod", self.second.relations[j] == "nmod"
            if tag == "PRON" and (possessive[0] != possessive[1] or self._exchanged(i, j)):
                return 0.0
            return 0.2
        return 0.8 * self.partners.get((i, j), 0.0)

    def _exchanged(self, i: int, j: int) -> bool:
        """Test if both words have another word as partner."""
        firsts, seconds = ({pair[at] for pair in self.partners} for at in (0, 1))
        return (i, j) not in self.partners and i in firsts and j in seconds

    def _moved(self) -> dict[int, int]:
        """Return partners that come in another order."""
        taken = set(self.pairs.values())
        found: dict[int, int] = {}
        for (i, j), _ in sorted(self.partners.items(), key=lambda item: -item[1]):
            if i not in self.pairs and i not in found and j not in taken:
                found[i] = j
                taken.add(j)
        return found

    def _replaced(self) -> dict[int, int]:
        """Return words that are the only ones of their class in two corresponding gaps."""
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
                    token1, token2 = self.first.tree[one], self.second.tree[two]
                    alike = _class(token1.pos) == _class(token2.pos) or (
                        single and of_tokens(token1, token2)[0] is not Relation.INDEPENDENT
                    )
                    possessive = {"nmod"} & {self.first.relations[one], self.second.relations[two]}
                    if possessive and token1.pos == token2.pos == "PRON":
                        continue
                    if alike and one not in found and two not in found.values():
                        found[one] = two
        return found

    @staticmethod
    def _open(side: AlignedSentence, at: int, taken: Container[int]) -> bool:
        pronoun = side.tree[at].pos == "PRON" and side.relations[at] not in ("expl", "mark")
        return at not in taken and (side.content(at) or pronoun) and at not in side.negators

    @staticmethod
    def _tops(side: AlignedSentence, gap: Sequence[int]) -> list[int]:
        return [at for at in gap if side.tree[at].head not in gap]


def _class(pos: str) -> str:
    return {"PROPN": "NOUN", "PRON": "NOUN", "AUX": "VERB"}.get(pos, pos)
