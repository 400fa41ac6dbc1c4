"""Common names for the arguments of converse and symmetric predicates.

"Ann sold Tom a car"  sell: subject, iobj     "Tom bought a car from Ann"  buy: from, subject
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import product
from typing import NamedTuple

from hybridsem.comparison.alignment import AlignedWords
from hybridsem.comparison.sentence import Sentence
from hybridsem.english.function_words import are_converse
from hybridsem.english.lexicon import LexicalRelation, Lexicon
from hybridsem.english.predicate_forms import COMPARISON, Converse

ALIKE = frozenset({LexicalRelation.SAME, LexicalRelation.SYNONYM, LexicalRelation.DERIVED})
HOSTS = (
    ("object", "object"),
    ("subject", "subject"),
    ("subject", "object"),
    ("object", "subject"),
)
"""The arguments that an adverbial may locate, in either sentence: "it stands behind", "it was put
in front of".
"""
OF_PHRASES = Converse(
    (
        (frozenset({"subject"}), frozenset({"object", "to"})),
        (frozenset({"object", "from", "by"}), frozenset({"subject"})),
    )
)
"""The converse of phrases: "Ann had an operation", "they operated on Ann"."""
EITHER = "either"
"""The common name of the arguments of a symmetric predicate."""


class ArgumentNames(NamedTuple):
    """The common names of a predicate's arguments, by their syntax in the first sentence and in the
    second; ``converse`` if the two predicates are converses.
    """

    first: Mapping[str, str]
    second: Mapping[str, str]
    converse: bool

    @property
    def syntax(self) -> set[str]:
        """All names, prepositions among them."""
        return {*self.first, *self.second, *self.first.values()}


def argument_names(
    first: Sentence,
    second: Sentence,
    aligned: Sequence[AlignedWords],
    lexicon: Lexicon,
) -> dict[int, ArgumentNames]:
    """Map the numbers of aligned predicates to the names of their arguments, where these differ
    from their syntax.
    """
    found = {}
    governors1, governors2 = first.syntax, second.syntax
    for n, one in enumerate(aligned):
        token1, token2 = first.words[one.first], second.words[one.second]
        if token1 in governors1 and token2 in governors2:
            predicates = _Predicates(first, second, aligned, lexicon, token1, token2)
            names = predicates.names(one.relation)
            if names is not None:
                found[n] = names
    return found


class _Predicates(NamedTuple):
    """Two aligned predicates, by their tokens."""

    first: Sentence
    second: Sentence
    aligned: Sequence[AlignedWords]
    lexicon: Lexicon
    token1: int
    token2: int

    def names(self, relation: LexicalRelation) -> ArgumentNames | None:
        """Return the argument names, given the relation of the predicates; None if syntax alone
        determines them.
        """
        lemma1, tag1 = self.first.lemmas[self.token1], self.first.tags[self.token1]
        lemma2, tag2 = self.second.lemmas[self.token2], self.second.tags[self.token2]
        converse = self.lexicon.converse(lemma1, tag1, lemma2, tag2)
        if relation is LexicalRelation.CONVERSE:
            converse = OF_PHRASES
        if converse is not None and (
            converse != COMPARISON or all("than" in syntax for syntax in self._syntax())
        ):
            # A verb may be its own converse, from either side: "rent from", "rent to".
            for either in (converse, converse.reversed) if lemma1 == lemma2 else (converse,):
                names = ArgumentNames(
                    {place: min(own) for own, _ in either.places for place in own},
                    {place: min(own) for own, other in either.places for place in other},
                    True,
                )
                moved, against = self._placed(names)
                if moved > against:
                    return names
                # The same participants in the same places: "lost to them", "beat them".
                verbs = tag1 == tag2 == "VERB" and lemma1 != lemma2
                if against and verbs and relation is not LexicalRelation.ANTONYM:
                    return names
        if relation not in ALIKE:
            return self._converse_adverbials()
        symmetries = self.lexicon.symmetries(lemma1, tag1)
        common = {place: EITHER for one in symmetries for place in one.first | one.second}
        common |= dict.fromkeys(self._symmetric_adverbials(), EITHER)
        return ArgumentNames(common, common, False) if common else self._converse_adverbials()

    def _syntax(self) -> tuple[Set[str], Set[str]]:
        syntax1, syntax2 = self.first.syntax, self.second.syntax
        return syntax1[self.token1].keys(), syntax2[self.token2].keys()

    def _converse_adverbials(self) -> ArgumentNames | None:
        """Return the names for a preposition that has a converse: "Tom came before Ann", "Ann came
        after Tom".
        """
        syntax1, syntax2 = self._syntax()
        if syntax1 == syntax2:
            return None
        for place1, place2 in product(sorted(syntax1 - syntax2), sorted(syntax2 - syntax1)):
            if are_converse(place1, place2, self.lexicon):
                for host, host2 in HOSTS:
                    second = {host2: place1, place2: host}
                    names = ArgumentNames({host: host, place1: place1}, second, True)
                    if host in syntax1 and host2 in syntax2:
                        moved, against = self._placed(names)
                        if moved > against:
                            return names
        return None

    def _symmetric_adverbials(self) -> set[str]:
        """Return the subject and the symmetric prepositions of intransitives: "sit next to"."""
        syntax1, syntax2 = self._syntax()
        if "subject" not in syntax1 or "subject" not in syntax2:
            return set()
        shared = syntax1 & syntax2
        if "object" in shared or len(shared) == 1:
            return set()
        beside = {place for place in shared if self.lexicon.symmetric(place, "ADP")}
        return beside | {"subject"} if beside else set()

    def _placed(self, names: ArgumentNames) -> tuple[int, int]:
        """Return how many arguments are placed as with converses, and as with antonyms."""
        moved = against = 0
        for one in self.aligned:
            for place1 in self.first.places[one.first]:
                for place2 in self.second.places[one.second]:
                    if place1.governor == self.token1 and place2.governor == self.token2:
                        name1 = names.first.get(place1.syntax)
                        name2 = names.second.get(place2.syntax)
                        same = place1.syntax == place2.syntax
                        moved += name1 is not None and name1 == name2 and not same
                        against += name1 != name2 and (same or None in (name1, name2))
        return moved, against
