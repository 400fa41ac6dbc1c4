"""The alignment of the tokens of two trees, for their derivation.

Equal tokens are aligned first, in order; then partners of the comparison in another order; then
words of the same part of speech that are alone in two gaps between aligned words; then function
words of partners.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import pairwise

from hybridsem.combiners.hybrid import Compared
from hybridsem.comparison.counterparts import CLASSES
from hybridsem.comparison.logic import Relation
from hybridsem.judge.contexts import LogicalSentence
from hybridsem.judge.relations import is_negative_participle, of_tokens

ALIGNED_BY_TAG = frozenset({"ADP", "AUX", "PRON", "CCONJ", "SCONJ"})
"""Tags of words that may be aligned with any word of the same tag."""


class Alignment:
    """The aligned tokens of two trees. ``pairs`` maps tokens of the first to the second, ``back``
    those of the second to the first. ``moved`` tokens are in another order; ``converses`` express
    one relation from both sides.
    """

    def __init__(self, first: LogicalSentence, second: LogicalSentence, compared: Compared) -> None:
        self.first, self.second, self.compared = first, second, compared
        words1, words2 = compared.words1.words, compared.words2.words
        self.converses = {(words1[one.first], words2[one.second]) for one in compared.converses}
        self.partners = {
            self._whole(words1[one.first], words2[one.second]): one.similarity
            for one in compared.aligned
            if words1[one.first] not in first.unsaid and words2[one.second] not in second.unsaid
        }
        self.partners |= {
            (i, j): 0.8
            for i in first.visible
            for j in second.visible
            if (first.forms[i][:2] == "un") != (second.forms[j][:2] == "un")
            and is_negative_participle(first.tree[i], second.tree[j])
        }
        self.pairs = self._aligned()
        self.moved = self._moved()
        self.pairs |= self.moved
        self.pairs |= self._replaced()
        self.pairs |= self._followed()
        self.back = {two: one for one, two in self.pairs.items()}

    def in_one_place(self, one: int, two: int) -> bool:
        """Test if a word has one place in the active voice of both sentences, of which one is
        passive, or governs such a word.
        """
        sides = self.first, self.second
        passive = [any(t.relation == "nsubj:pass" for t in side.tree) for side in sides]
        if passive[0] == passive[1]:
            return False
        places = [
            {
                (word, place.governor, place.syntax)
                for word, places in zip(side.sentence.words, side.sentence.places, strict=True)
                for place in places
                if at in (word, place.governor) and place.syntax
            }
            for side, at in zip(sides, (one, two), strict=True)
        ]
        pairs = self.pairs
        return any(
            (pairs.get(word, -1), pairs.get(head, -1), syntax) in places[1]
            for word, head, syntax in places[0]
        )

    def _whole(self, i: int, j: int) -> tuple[int, int]:
        """Return the partners, a part of a name as the name: "(New) York" and "Los (Angeles)"."""
        names = self.first.bare[i] == "flat", self.second.bare[j] == "flat"
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
            possessive = self.first.bare[i] == "nmod", self.second.bare[j] == "nmod"
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

    def _followed(self) -> dict[int, int]:
        """Return equal words without content whose governors are partners: "if it rains"."""
        first, second, taken = self.first, self.second, {*self.pairs.values()}
        free = {
            (second.tree[j].head, second.keys[j]): j
            for j in second.visible
            if j not in taken and not second.content(j)
        }
        found: dict[int, int] = {}
        for i in first.visible:
            if i not in self.pairs and not first.content(i):
                place = self.pairs.get(first.tree[i].head, -1), first.keys[i]
                if (j := free.pop(place, None)) is not None:
                    found[i] = j
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
                    alike = CLASSES.get(token1.pos, token1.pos) == CLASSES.get(
                        token2.pos, token2.pos
                    ) or (single and of_tokens(token1, token2)[0] is not Relation.INDEPENDENT)
                    possessive = {"nmod"} & {self.first.bare[one], self.second.bare[two]}
                    if possessive and token1.pos == token2.pos == "PRON":
                        continue
                    if alike and one not in found and two not in found.values():
                        found[one] = two
        return found

    @staticmethod
    def _open(side: LogicalSentence, at: int, taken: Container[int]) -> bool:
        pronoun = side.tree[at].pos == "PRON" and side.bare[at] not in ("expl", "mark")
        kept = at not in taken and at not in side.unsaid and at not in side.negators
        return kept and (side.content(at) or pronoun)

    @staticmethod
    def _tops(side: LogicalSentence, gap: Sequence[int]) -> list[int]:
        return [at for at in gap if side.tree[at].head not in gap]
