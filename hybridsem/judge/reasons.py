"""Why a pair has its label: the differences of the explanation that speak for it, in words.

The differences are those that the explanation of the score has lines for; here they count whatever
their weight in the score. Which kinds speak for a label, and in which order, is ``SPEAK_FOR``; what
each difference is, ``KINDS``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from hybridsem.combiners.comparison.differences import Difference
from hybridsem.combiners.comparison.reading import DENYING
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import Compared
from hybridsem.english.lexicon import REVERSED, LexicalRelation
from hybridsem.judge.features import opposed_alone
from hybridsem.judge.labels import Label
from hybridsem.render.wording import visible, without_place

__all__ = ["reasons"]

MOST = 4
"""How many reasons are given."""

DENIED, AGAINST, NUMBER, PLACES, TURNED_ROUND, OTHER, ONLY1, ONLY2, REPLACED = range(9)
SPECIAL1, SPECIAL2, ALIKE = range(9, 12)
"""Kinds of reasons."""

SPEAK_FOR: Mapping[Label, tuple[int, ...]] = MappingProxyType(
    {
        Label.SAME: (ALIKE, SPECIAL1, SPECIAL2),
        Label.ENTAILS: (ONLY1, SPECIAL1, ALIKE, DENIED),
        Label.ENTAILED: (ONLY2, SPECIAL2, ALIKE, DENIED),
        Label.DIFFERS: (
            *(PLACES, TURNED_ROUND, NUMBER, AGAINST, OTHER, REPLACED),
            *(DENIED, ONLY1, ONLY2, SPECIAL1, SPECIAL2),
        ),
        Label.CONTRADICTS: (
            *(DENIED, AGAINST, NUMBER, PLACES, TURNED_ROUND, OTHER, REPLACED),
            *(ONLY1, ONLY2),
        ),
        Label.UNRELATED: (REPLACED, OTHER, ONLY1, ONLY2),
    }
)
KINDS: Mapping[str, int] = MappingProxyType(
    {
        "polarity": DENIED,
        **dict.fromkeys(("opposed", "preposition opposed", "connective opposed"), AGAINST),
        **dict.fromkeys(("function words opposed", "quantity"), AGAINST),
        **dict.fromkeys(("number", "numbers"), NUMBER),
        **dict.fromkeys(("clause roles exchanged", "roles exchanged"), PLACES),
        **dict.fromkeys(("phrases exchanged", "governors exchanged"), PLACES),
        **dict.fromkeys(("words before exchanged", "words after exchanged"), PLACES),
        "turned round": TURNED_ROUND,
        **dict.fromkeys(("sibling", "preposition changed", "modality", "question"), OTHER),
    }
)
"""The kind of reason that a difference is, by its term."""
ROLE = re.compile(r"\((\w+)\)$")
WORD = re.compile(r"\w[\w,.]*\w|\w")


@dataclass(frozen=True)
class _Sides:
    """What was compared, in the order in which the sentences were given."""

    words: tuple[SentenceWords, SentenceWords]
    differences: Sequence[Difference]
    compared: Compared
    turned: bool

    @classmethod
    def of(cls, compared: Compared, turned: bool) -> _Sides:
        words = (compared.words1, compared.words2)
        if not turned:
            return cls(words, compared.differences, compared, turned)
        found = [
            Difference(one.term, one.amount, one.text2, one.text1) for one in compared.differences
        ]
        return cls(words[::-1], found, compared, turned)

    def forms(self, token1: int, token2: int) -> tuple[str, str]:
        """Two words by their tokens in the sentences as they were read."""
        first, second = self.compared.words1.forms[token1], self.compared.words2.forms[token2]
        return (
            (visible(second), visible(first)) if self.turned else (visible(first), visible(second))
        )

    def alone(self, side: int) -> list[str]:
        """The words of a sentence that have no partner, with their prepositions."""
        first = (side == 0) != self.turned
        taken = {one.first if first else one.second for one in self.compared.aligned}
        words = self.words[side]
        found = []
        for i, token in enumerate(words.words):
            if i not in taken:
                preposition = words.prepositions[token]
                text = visible(words.forms[token])
                found.append(f"{preposition} {text}" if preposition else text)
        return found


def reasons(
    label: Label, compared: Compared, turned: bool, sentences: tuple[str, str]
) -> tuple[str, ...]:
    """The reasons for a label, the weightiest first.

    Args:
        label: Which one.
        compared: What the sentences differ in.
        turned: Whether sentence 2 was read first.
        sentences: As they were given, for the capitals of their words.
    """
    sides = _Sides.of(compared, turned)
    found: defaultdict[int, list[str]] = defaultdict(list)
    for collect in (_of_denials, _of_differences, _of_places, _of_words_alone, _of_partners):
        for kind, text in collect(sides):
            found[kind].append(text)
    told: list[str] = []
    for kind in SPEAK_FOR[label]:
        told += [text for text in found[kind] if not _is_said(text, told)]
    if label == Label.SAME:
        told = [*told[: MOST - 1], *_left_over(sides, found, told)]
    written = {
        word.lower(): word for text in sentences for word in WORD.findall(text.partition(" ")[2])
    }
    return tuple(
        WORD.sub(lambda found: written.get(found[0], found[0]), text) for text in told[:MOST]
    )


def _left_over(
    sides: _Sides, found: Mapping[int, Sequence[str]], told: Sequence[str]
) -> Iterator[str]:
    """What sentences that say the same differ in all the same."""
    others = [kind for kind in SPEAK_FOR[Label.DIFFERS] if kind not in SPEAK_FOR[Label.SAME]]
    left: list[str] = []
    for text in (text for kind in others for text in found[kind]):
        if not _is_said(text, [*told, *left]):
            left.append(text.rpartition(": ")[2])
    if left:
        yield f"the same but for {', '.join(left)}"
    elif not told:
        words1, words2 = (
            words.function_words.difference(words.prepositions) for words in sides.words
        )
        small = ", ".join(map(visible, sorted(words1 ^ words2)))
        yield f"the same words but for {small}" if small else "the same words"


def _is_said(text: str, told: Sequence[str]) -> bool:
    """Whether the words of a reason stand in one that was given before."""
    words = _content(text)
    return any(words <= _content(one) for one in told)


def _content(text: str) -> set[str]:
    return set(WORD.findall(text.rpartition(": ")[2]))


Reason = tuple[int, str]


def _between(text1: str | None, text2: str | None) -> str:
    return f"{text1 or 'nothing'} ↔ {text2 or 'nothing'}"


def _of_denials(sides: _Sides) -> Iterator[Reason]:
    """Words that deny in one of the sentences alone."""
    denying = [list(dict.fromkeys(_denying(words))) for words in sides.words]
    if bool(denying[0]) != bool(denying[1]):
        number = 1 if denying[0] else 2
        yield DENIED, f"only sentence {number} says: {', '.join(denying[number - 1])}"


def _denying(words: SentenceWords) -> Iterator[str]:
    for lemma, form in zip(words.lemmas, words.forms, strict=True):
        if lemma in DENYING:
            yield "not" if lemma in ("n't", "n’t") else visible(form)


def _of_differences(sides: _Sides) -> Iterator[Reason]:
    """What the lines of the explanation say, but for places and words alone; the largest first."""
    is_aligned = any(one.term == "number" for one in sides.differences)
    for term, _, text1, text2 in sorted(sides.differences, key=lambda one: -one.amount):
        kind = KINDS.get(term)
        if kind is None or kind == PLACES or (term == "numbers" and is_aligned):
            continue
        if term == "question":
            yield kind, "one is a question"
            continue
        said = _between(text1 and visible(text1), text2 and visible(text2))
        yield kind, f"the other way round: {said}" if kind == TURNED_ROUND else said
    for one in opposed_alone(sides.compared):
        yield AGAINST, _between(*sides.forms(one.token1, one.token2))


def _of_places(sides: _Sides) -> Iterator[Reason]:
    """Words that are in each other's place, with their roles where these are known."""
    of_roles: defaultdict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
    others: dict[str, None] = {}
    for term, _, text1, text2 in sides.differences:
        if KINDS.get(term) != PLACES:
            continue
        words = [visible(word) for word in (without_place(text1), without_place(text2)) if word]
        roles = tuple(
            sorted({match[1] for text in (text1, text2) if text and (match := ROLE.search(text))})
        )
        if len(roles) == 2:
            of_roles[roles].update(dict.fromkeys(words))
        else:
            others.update(dict.fromkeys(words))
    for roles, of_role in of_roles.items():
        yield PLACES, f"{' and '.join(roles)} changed places: {', '.join(of_role)}"
    if left := [word for word in others if not any(word in words for words in of_roles.values())]:
        yield PLACES, f"changed places: {', '.join(left)}"


def _of_words_alone(sides: _Sides) -> Iterator[Reason]:
    """Words without a partner."""
    alone = sides.alone(0), sides.alone(1)
    if alone[0] and alone[1]:
        yield REPLACED, _between(", ".join(alone[0]), ", ".join(alone[1]))
    for kind, number, words in ((ONLY1, 1, alone[0]), (ONLY2, 2, alone[1])):
        if words:
            yield kind, f"only sentence {number} says: {', '.join(words)}"


def _of_partners(sides: _Sides) -> Iterator[Reason]:
    """Partners that are not the same word, and say the same, or more."""
    numbers1, numbers2 = sides.compared.words1.numbers, sides.compared.words2.numbers
    for one in sides.compared.aligned:
        if None not in (numbers1[one.first], numbers2[one.second]):
            continue
        tokens = sides.compared.words1.words[one.first], sides.compared.words2.words[one.second]
        word1, word2 = sides.forms(*tokens)
        relation = REVERSED.get(one.relation, one.relation) if sides.turned else one.relation
        if word1 == word2 or relation == LexicalRelation.SAME:
            continue
        if relation in (LexicalRelation.HYPONYM, LexicalRelation.ENTAILS):
            yield SPECIAL1, f"{word1} is more special than {word2}"
        elif relation in (LexicalRelation.HYPERNYM, LexicalRelation.ENTAILED):
            yield SPECIAL2, f"{word2} is more special than {word1}"
        elif relation not in (LexicalRelation.SIBLING, LexicalRelation.ANTONYM):
            yield ALIKE, f"{word1} {'≈' if relation == LexicalRelation.NONE else '='} {word2}"
