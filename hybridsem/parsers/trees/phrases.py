"""Phrases of a dependency tree: their words, their text, and the roles of adjuncts by preposition
and adverb.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hybridsem.parsers.verbnet import tables
from hybridsem.structures import DependencyTree, Filler, Role

__all__ = ["OBLIQUES", "Phrases"]

OBLIQUES = frozenset({"obl", "nmod", "nummod"})

_MANNER: tables.Preferences = (Role.MANNER,)
_TIME: tables.Preferences = (Role.TIME,)
_LOCATION: tables.Preferences = (Role.LOCATION,)
_PATIENT: tables.Preferences = (Role.PATIENT, Role.THEME)
_STOP = tables.FOCUS | tables.NEGATORS | tables.QUESTION_WORDS
_BASES: dict[str, str] = {}  # "obl:agent" -> "obl", filled as labels are met


class Phrases:
    """A tree with what the role rules ask of it; lower-case forms and lemmas, base relations,
    subtrees.
    """

    def __init__(self, tree: DependencyTree) -> None:
        self.tree = tree
        self.tokens = tokens = tree.tokens
        self.children = tree.children
        self.lower = [token.text.lower() for token in tokens]
        self.lemma = [
            low if token.lemma in ("", "_") else token.lemma.lower()
            for token, low in zip(tokens, self.lower, strict=True)
        ]
        self.relation = [token.relation for token in tokens]
        self.base = [_BASES.get(label) or _base(label) for label in self.relation]
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

    def less(self, tokens: Sequence[int], clause: int) -> Sequence[int]:
        """``tokens`` without the subtree of a clause inside them."""
        if clause not in tokens:
            return tokens
        inside = set(self.subtree(clause))
        return [t for t in tokens if t not in inside]

    def head_of(self, tokens: Sequence[int]) -> int:
        inside = set(tokens)
        return next((t for t in tokens if self.tokens[t].head not in inside), tokens[0])

    def content(self, tokens: Iterable[int]) -> list[int]:
        """Those of ``tokens`` that are content words."""
        return [
            t
            for t in tokens
            if self.tokens[t].pos not in tables.FUNCTION_POS and self.lower[t] not in _STOP
        ]

    def filler(self, tokens: Sequence[int], head: int) -> Filler:
        """A filler of ``tokens``; its words are the content words and verb particles, or what words
        it has.
        """
        ordered = tuple(dict.fromkeys(sorted(tokens)))
        first, last = 0, len(ordered)
        while first < last - 1 and self.tokens[ordered[first]].pos == "PUNCT":
            first += 1
        while last > first + 1 and self.tokens[ordered[last - 1]].pos == "PUNCT":
            last -= 1
        ordered = ordered[first:last]
        chosen = self.content(ordered)
        particles = [t for t in ordered if self.relation[t] == "compound:prt"]
        if chosen and particles:
            chosen = sorted({*chosen, *particles})
        elif not chosen:
            chosen = [
                t for t in ordered if self.tokens[t].pos not in ("PUNCT", "ADP", "DET", "PART")
            ] or list(ordered)
        return Filler(
            self.tree.phrase(ordered),
            tuple(self.lower[t] for t in chosen),
            ordered,
            head,
            tuple(chosen),
        )

    def has_particle(self, verb: int) -> bool:
        return any(self.relation[c] == "compound:prt" for c in self.children(verb))

    # --- adjuncts
    # -----------------------------------------------------------------------------------------------------

    def preposition(self, i: int) -> str:
        """The preposition of the phrase of ``i``, of two words where it has two ("out of"), or
        "".
        """
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
            if both in tables.PREPOSITIONS:
                return both
        return tables.WRITTEN_AS.get(self.lower[first], self.lower[first])

    def oblique(self, i: int, verb: str) -> tables.Preferences:
        """The roles, from best to last, of a prepositional or bare phrase beside ``verb`` (a
        lemma).
        """
        preposition, noun = self.preposition(i), self.lemma[i]
        if (not preposition or preposition in tables.TIME_PREPOSITIONS) and self.is_time(
            i, preposition
        ):
            return _TIME
        if not preposition:
            if self.relation[i] == "obl:agent":
                return _PATIENT
            return tables.ADVERBS.get(self.lower[i], _MANNER)
        for verbs, roles in tables.PREPOSITIONS_BY_VERB.get(preposition, ()):
            if verb in verbs:
                return roles
        if noun in tables.MANNER_NOUNS.get(preposition, ()) or (
            preposition == "for" and noun in tables.MONEY
        ):
            return _MANNER
        if preposition in tables.PATHS and verb in tables.MOTION:
            return (Role.TRAJECTORY,)
        if preposition in ("to", "unto"):
            person = noun in tables.PERSONS or self.lower[i] in tables.PERSONAL
            return _LOCATION if verb in tables.DATIVE_GOAL and not person else _PATIENT
        if preposition == "through" and verb not in tables.MOTION:
            return _MANNER
        return tables.PREPOSITIONS.get(preposition, _LOCATION)

    def moves_object(self, i: int, verb: str) -> bool:
        """Whether ``i`` is the Theme of ``verb``, so that its object is not: "filled the cup with
        tea".
        """
        preposition = self.preposition(i)
        only_some = tables.COMPANIONS.get(preposition)
        if only_some is None:
            return False
        if only_some:
            verbs = tables.PREPOSITIONS_BY_VERB.get(preposition, ())
            roles: tables.Preferences = next(
                (roles for lemmas, roles in verbs if verb in lemmas), _MANNER
            )
            return roles[0] == Role.THEME and not self.is_time(i, preposition)
        return True

    def is_time(self, i: int, preposition: str) -> bool:
        if self.lower[i] in tables.ALSO_A_NAME:
            return self.tokens[i].pos == "PROPN" and all(
                self.base[c] != "det" for c in self.children(i)
            )
        if self.lemma[i] in tables.TIME_NOUNS or self.lower[i] in tables.TIME_NOUNS:
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
        """Whether ``i`` is a by-phrase that may name the agent of a passive: no time, means or
        measure.
        """
        if self.preposition(i) != "by" or self.is_time(i, "by"):
            return False
        return self.lemma[i] not in tables.MANNER_NOUNS["by"] | tables.MEASURES | tables.MONEY

    def adverbial(self, i: int) -> tables.Preferences:
        """The roles of an adverb, by its form."""
        return tables.ADVERBS.get(self.lower[i]) or tables.ADVERBS.get(self.lemma[i]) or _MANNER

    def clausal(self, i: int) -> tables.Preferences:
        """The roles of an adverbial clause, by what introduces it."""
        for c in self.children(i):
            if self.base[c] in ("mark", "advmod", "case", "cc"):
                roles = tables.MARKERS.get(self.lower[c])
                if roles:
                    return roles
        return _MANNER


def _base(label: str) -> str:
    base = _BASES[label] = label.partition(":")[0]
    return base
