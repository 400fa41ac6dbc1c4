"""Phrases of a dependency tree: their words, text and prepositions, and which of them are times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hybridsem.english import words
from hybridsem.structures import DependencyTree, Filler

OBLIQUES = frozenset({"obl", "nmod", "nummod"})

_FUNCTION_POS = frozenset(
    {"DET", "ADP", "AUX", "CCONJ", "SCONJ", "PART", "PUNCT", "PRON", "INTJ", "X", "SYM"}
)
_NO_CONTENT = words.FOCUS_ADVERBS | words.NEGATORS | words.SUBORDINATING_ADVERBS
_NO_AGENTS = words.MEANS | words.MEASURES | words.MONEY
_BASES: dict[str, str] = {}  # "obl:agent" -> "obl", filled as labels are met


class Phrases:
    """A tree with what rules ask of its words and phrases.

    ``lower`` and ``lemma`` are the words' forms and lemmas in lower case, ``relation`` their
    relations and ``base`` those without subtype.
    """

    def __init__(self, tree: DependencyTree) -> None:
        self.tree = tree
        self.tokens = tokens = tree.tokens
        self.children = tree.below.__getitem__
        self.lower = [token.text.lower() for token in tokens]
        self.lemma = [
            low if token.lemma in ("", "_") else token.lemma.lower()
            for token, low in zip(tokens, self.lower, strict=True)
        ]
        self.relation = [token.relation for token in tokens]
        self.base = [_BASES.get(label) or _base(label) for label in self.relation]
        self._is_content = [
            token.pos not in _FUNCTION_POS and low not in _NO_CONTENT
            for token, low in zip(tokens, self.lower, strict=True)
        ]
        self._particles = {i for i, name in enumerate(self.relation) if name == "compound:prt"}
        self._subtrees: dict[int, tuple[int, ...]] = {}

    def subtree(self, i: int) -> tuple[int, ...]:
        """``i`` and what is below it, in order."""
        below = self.children(i)
        if not below:
            return (i,)
        found = self._subtrees.get(i)
        if found is None:
            found = self._subtrees[i] = self.tree.subtree(i)
        return found

    def without(self, tokens: Sequence[int], clause: int) -> Sequence[int]:
        """``tokens`` without the subtree of a clause inside them."""
        if clause not in tokens:
            return tokens
        inside = set(self.subtree(clause))
        return [t for t in tokens if t not in inside]

    def head_of(self, tokens: Sequence[int]) -> int:
        """The first of ``tokens`` whose governor is not among them."""
        inside = set(tokens)
        return next((t for t in tokens if self.tokens[t].head not in inside), tokens[0])

    def content(self, tokens: Iterable[int]) -> list[int]:
        """Those of ``tokens`` that are content words."""
        return [t for t in tokens if self._is_content[t]]

    def filler(self, tokens: Sequence[int], head: int) -> Filler:
        """A filler of ``tokens``, with its content words and verb particles, or all its words."""
        ordered = tuple(sorted(set(tokens)))
        first, last = 0, len(ordered)
        while first < last - 1 and self.tokens[ordered[first]].pos == "PUNCT":
            first += 1
        while last > first + 1 and self.tokens[ordered[last - 1]].pos == "PUNCT":
            last -= 1
        ordered = ordered[first:last]
        chosen = self.content(ordered)
        if chosen and not self._particles.isdisjoint(ordered):
            chosen = sorted({*chosen, *self._particles.intersection(ordered)})
        elif not chosen:
            chosen = [
                t for t in ordered if self.tokens[t].pos not in ("PUNCT", "ADP", "DET", "PART")
            ] or list(ordered)
        return Filler(
            self.tree.phrase(ordered),
            tuple([self.lower[t] for t in chosen]),
            ordered,
            head,
            tuple(chosen),
        )

    def has_particle(self, verb: int) -> bool:
        """Whether a verb has a particle: "gave up"."""
        return any(self.relation[c] == "compound:prt" for c in self.children(verb))

    def preposition(self, i: int) -> str:
        """The preposition of the phrase of ``i``, as two words if it has two ("out of"), or ""."""
        cases = [
            c
            for c in self.children(i)
            if self.base[c] == "case" and self.lower[c] not in ("'s", "’s", "'")
        ]
        if not cases:
            return ""
        first = cases[0]
        rest = [c for c in self.children(first) if self.base[c] == "fixed"] or cases[1:]
        if rest:
            both = f"{self.lower[first]} {self.lower[rest[0]]}"
            if both in words.COMPOUND_PREPOSITIONS:
                return both
        return words.VARIANTS.get(self.lower[first], self.lower[first])

    def is_time(self, i: int, preposition: str) -> bool:
        """Whether the phrase of ``i``, with ``preposition`` or "", says when or how long."""
        if self.lower[i] in words.AMBIGUOUS_TIMES:
            return self.tokens[i].pos == "PROPN" and all(
                self.base[c] != "det" for c in self.children(i)
            )
        if self.lemma[i] in words.TIME_NOUNS or self.lower[i] in words.TIME_NOUNS:
            return (
                self.lower[i] not in ("second", "past", "present") or self.tokens[i].pos == "NOUN"
            )
        if self.relation[i] == "obl:tmod":
            return True
        if self.tokens[i].pos == "NUM":
            year = len(self.lower[i]) == 4 and self.lower[i][:2] in ("17", "18", "19", "20")
            return preposition in ("at", "on", "around") or (
                year and preposition in ("in", "since", "by", "until", "from")
            )
        return False

    def is_by_agent(self, i: int) -> bool:
        """Whether ``i`` may be the by-phrase of a passive's agent: no time, means or measure."""
        if self.preposition(i) != "by" or self.is_time(i, "by"):
            return False
        return self.lemma[i] not in _NO_AGENTS


def _base(label: str) -> str:
    base = _BASES[label] = label.partition(":")[0]
    return base
