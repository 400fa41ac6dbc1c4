"""Why a pair has its label: the edits that speak for it, in words.

What counts is what the comparison has found, whatever its weight in the score. Which evidence
speaks for a label, and in which order, is ``SPEAK_FOR``; what each kind of edit is evidence of,
``Kind.evidence``. A reason is true of the two texts: it quotes them, and the only roles that it
names are those of participants that have each other's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.terminal import visible
from hybridsem.combiners.comparison.reading import DENYING
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import Compared
from hybridsem.edits import SURE, Edit, Evidence, Kind
from hybridsem.english.function_words import SCALES
from hybridsem.english.lexicon import LexicalRelation
from hybridsem.judge.features import opposed_alone
from hybridsem.judge.labels import Label
from hybridsem.render.edits import Speller, cells, excerpt, same_words
from hybridsem.structures import Role

__all__ = ["reasons"]

MOST = 4
"""How many reasons are given."""
LONGEST_PHRASE = 5
"""Tokens from a preposition to its word that are quoted with what stands between them."""
CLEAR = 0.7
"""The strength from which a relation of two words is told; chosen by reading those of development
pairs. Below, it is one of senses that are less usual ("boy" and "man" .67, "sport" and "athlete").
"""
QUANTITIES = SCALES["quantity"].keys()
BELONGING = frozenset({Kind.GOVERNOR, Kind.INVERTED, Kind.MODIFIER})
"""Kinds of words that are quoted with what they belong to."""
AUXILIARIES = frozenset({"be", "do", "have"})
"""Nothing is said of these where one sentence alone has them."""
PARTICIPANTS = frozenset({Role.AGENT, Role.PATIENT, Role.THEME})
"""The roles that are named."""

SPEAK_FOR: Mapping[Label, tuple[Evidence, ...]] = MappingProxyType(
    {
        Label.SAME: (Evidence.ALIKE, Evidence.SPECIFIC1, Evidence.SPECIFIC2),
        Label.ENTAILS: (Evidence.ONLY1, Evidence.SPECIFIC1, Evidence.ALIKE, Evidence.DENIAL),
        Label.ENTAILED: (Evidence.ONLY2, Evidence.SPECIFIC2, Evidence.ALIKE, Evidence.DENIAL),
        Label.DIFFERS: (
            *(Evidence.PLACE, Evidence.NUMBER, Evidence.OPPOSITION, Evidence.OTHER),
            *(Evidence.SCOPE, Evidence.REPLACED, Evidence.ORDER, Evidence.DENIAL),
            *(Evidence.ONLY1, Evidence.ONLY2, Evidence.SPECIFIC1, Evidence.SPECIFIC2),
        ),
        Label.CONTRADICTS: (
            *(Evidence.DENIAL, Evidence.SCOPE, Evidence.OPPOSITION, Evidence.NUMBER),
            *(Evidence.PLACE, Evidence.OTHER, Evidence.REPLACED, Evidence.ORDER),
            *(Evidence.ONLY1, Evidence.ONLY2),
        ),
        Label.UNRELATED: (Evidence.REPLACED, Evidence.OTHER, Evidence.ONLY1, Evidence.ONLY2),
    }
)
INSIGNIFICANT = (
    *(Evidence.NUMBER, Evidence.OPPOSITION, Evidence.OTHER, Evidence.REPLACED),
    *(Evidence.DENIAL, Evidence.ONLY1, Evidence.ONLY2),
)
"""What sentences that say the same may differ in all the same."""

Anchors = tuple[int | None, int | None, frozenset[str]]
"""What words belong to in either sentence, and the roles that they have there, if these count."""
Both = tuple[Iterable[int], Iterable[int]]
"""Tokens of the first sentence, and of the second."""


class Reason(NamedTuple):
    """A reason, what of it is quoted, and the tokens that it is about, by their sentences."""

    evidence: Evidence
    text: str
    quoted: str
    tokens: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class _Side:
    """A sentence, how its words are written, and those that have no partner."""

    number: int
    words: SentenceWords
    spell: Speller
    alone: Sequence[int]

    @property
    def denying(self) -> list[int]:
        return [at for at, lemma in enumerate(self.words.lemmas) if lemma in DENYING]

    def listed(self, tokens: Iterable[int]) -> str:
        return ", ".join(dict.fromkeys(map(self.spell, tokens)))

    def phrases(self, tokens: Sequence[int]) -> str:
        """Words, each from its preposition on, where it has one."""
        spans = {token: self.phrase(token) for token in tokens}
        texts = [
            excerpt(span, self.spell)
            for token, span in spans.items()
            if not any(token in spans[later] for later in tokens if later > token)
        ]
        return ", ".join(dict.fromkeys(texts))

    def phrase(self, token: int) -> range:
        """A word, from its preposition on, where it has one."""
        preposition = f"{self.words.prepositions[token]} "
        for at in range(token - 1, max(-1, token - LONGEST_PHRASE), -1):
            if preposition.startswith(f"{self.words.lemmas[at]} "):
                return range(at, token + 1)
        return range(token, token + 1)


@dataclass(frozen=True)
class _Pair:
    """What was compared, and its sentences."""

    compared: Compared
    first: _Side
    second: _Side

    @property
    def sides(self) -> tuple[_Side, _Side]:
        return self.first, self.second

    def have_known_roles(self, edit: Edit) -> bool:
        """Whether words of an edit are participants, with no preposition but that of a passive."""
        words = (self.first.words, edit.before), (self.second.words, edit.after)
        whole = edit.kind is Kind.ROLE and edit.confidence >= SURE
        return (
            whole
            and {edit.before.role, edit.after.role} <= PARTICIPANTS
            and all(
                side.prepositions[token] in (None, "by")
                for side, own in words
                for token in own.tokens
            )
        )

    def denies(self, edit: Edit) -> bool:
        """Whether an edit is about a negation, and no more than that."""
        words = {edit.before.marker, edit.after.marker}
        if edit.kind is Kind.FUNCTION_WORD:
            words = {self.first.words.lemmas[at] for at in edit.before.tokens}
            words |= {self.second.words.lemmas[at] for at in edit.after.tokens}
            words -= QUANTITIES
        return edit.kind is Kind.NEGATION or not DENYING.isdisjoint(words)

    def only(self, evidence: Evidence, side: _Side, quoted: str, tokens: Iterable[int]) -> Reason:
        """That one sentence alone has something."""
        both: Both = (tokens, ()) if side is self.first else ((), tokens)
        return _reason(evidence, f"only sentence {side.number} says: {quoted}", quoted, both)


def _reason(evidence: Evidence, text: str, quoted: str, tokens: Both) -> Reason:
    about = frozenset((side, token) for side in (0, 1) for token in tokens[side])
    return Reason(evidence, visible(text), visible(quoted), about)


def _between(evidence: Evidence, text1: str | None, text2: str | None, tokens: Both) -> Reason:
    """That something stands where the other sentence has something else."""
    quoted = f"{text1} ↔ {text2}"
    return _reason(evidence, quoted, quoted, tokens)


def reasons(label: Label, compared: Compared, spellers: tuple[Speller, Speller]) -> tuple[str, ...]:
    """The reasons for a label, the weightiest first.

    Args:
        label: Which one.
        compared: What the sentences differ in, in the order in which they were given.
        spellers: How their words are written.
    """
    partners = [
        {one.first for one in compared.aligned},
        {one.second for one in compared.aligned},
    ]
    sides = [
        _Side(number + 1, words, spellers[number], _alone(words, other, partners[number]))
        for number, (words, other) in enumerate(
            ((compared.words1, compared.words2), (compared.words2, compared.words1))
        )
    ]
    pair = _Pair(compared, *sides)
    found: defaultdict[Evidence, list[Reason]] = defaultdict(list)
    for collect in (_of_denials, _of_edits, _of_places, _of_words_alone, _of_partners):
        for reason in collect(pair):
            found[reason.evidence].append(reason)
    told = _once(reason for evidence in SPEAK_FOR[label] for reason in found[evidence])
    texts = [reason.text for reason in told]
    if label == Label.SAME:
        left = _once((one for evidence in INSIGNIFICANT for one in found[evidence]), told)
        texts = [*texts[: MOST - 1], *_left_over(pair, left, told)]
    return tuple(texts[:MOST])


def _alone(words: SentenceWords, other: SentenceWords, partners: set[int]) -> list[int]:
    """The words that the other sentence does not have, nor a partner of theirs."""
    there = {*other.lemmas, *other.forms, *AUXILIARIES}
    return [
        token
        for i, token in enumerate(words.words)
        if i not in partners and not {words.lemmas[token], words.forms[token]} & there
    ]


def _once(found: Iterable[Reason], told: Iterable[Reason] = ()) -> list[Reason]:
    """The reasons that are about something that none before was about."""
    left: list[Reason] = []
    known = {token for reason in told for token in reason.tokens}
    for reason in found:
        if not reason.tokens or not reason.tokens <= known:
            left.append(reason)
            known |= reason.tokens
    return left


def _left_over(pair: _Pair, left: Sequence[Reason], told: Sequence[Reason]) -> Iterator[str]:
    """What sentences that say the same differ in all the same, or that they have the same words."""
    if left:
        yield f"the same but for {', '.join(reason.quoted for reason in left)}"
    elif not told:
        words1, words2 = pair.first.words, pair.second.words
        small = words1.function_words.difference(words1.prepositions)
        small ^= words2.function_words.difference(words2.prepositions)
        if small:
            yield visible(f"the same but for {', '.join(sorted(small))}")
        elif _forms(words1) == _forms(words2):
            yield "the same words"
        elif len(pair.compared.aligned) == len(words1.words) == len(words2.words):
            yield "the same content words"


def _forms(words: SentenceWords) -> list[str]:
    """All words, in alphabetical order, without punctuation."""
    return sorted(form for form in words.forms if any(map(str.isalnum, form)))


def _of_denials(pair: _Pair) -> Iterator[Reason]:
    """Words that deny in one of the sentences alone."""
    for side, other in (pair.sides, pair.sides[::-1]):
        if side.denying and not other.denying:
            yield pair.only(Evidence.DENIAL, side, side.listed(side.denying), side.denying)


def _of_edits(pair: _Pair) -> Iterator[Reason]:
    """What edits are evidence of, but for those of places; the largest first."""
    edits = sorted(
        pair.compared.edits,
        key=lambda edit: (edit.kind is Kind.FUNCTION_WORD, not edit.kind.contradicts, -edit.mass),
    )
    one_denies = bool(pair.first.denying) != bool(pair.second.denying)
    for edit in edits:
        evidence, before, after = edit.kind.evidence, edit.before, edit.after
        if evidence in (None, Evidence.PLACE, Evidence.ORDER) or edit.confidence < SURE:
            continue
        if one_denies and pair.denies(edit):
            continue  # told by the words that deny
        if edit.kind is Kind.QUESTION:
            number = 1 if before.marker == "?" else 2
            text = f"only sentence {number} is a question"
            yield _reason(evidence, text, "the question", ((), ()))
            continue
        tokens = before.all_tokens, after.all_tokens
        texts = cells(edit, pair.first.spell, pair.second.spell)
        if edit.kind in (Kind.PREPOSITION, Kind.PREPOSITION_OPPOSED):
            tokens = (
                tuple(pair.first.phrase(*before.tokens)),
                tuple(pair.second.phrase(*after.tokens)),
            )
            texts = excerpt(tokens[0], pair.first.spell), excerpt(tokens[1], pair.second.spell)
        elif edit.kind in (Kind.MODALITY, Kind.CONNECTIVE, Kind.QUESTION_WORD):
            texts = pair.first.listed(before.marks), pair.second.listed(after.marks)
        if all(texts):
            yield _between(evidence, *texts, tokens)
        elif any(texts):
            side = 0 if texts[0] else 1
            yield pair.only(evidence, pair.sides[side], str(texts[side]), tokens[side])
    for one in opposed_alone(pair.compared):
        spelled = pair.first.spell(one.token1), pair.second.spell(one.token2)
        yield _between(Evidence.OPPOSITION, *spelled, ((one.token1,), (one.token2,)))


def _of_places(pair: _Pair) -> Iterator[Reason]:
    """Words that are in each other's place: by their roles, by what they belong to, by order."""
    edits = [
        edit
        for edit in pair.compared.edits
        if edit.kind.evidence in (Evidence.PLACE, Evidence.ORDER)
    ]
    by_anchors: defaultdict[Anchors, list[Edit]] = defaultdict(list)
    for edit in edits:
        anchors = edit.before.anchor, edit.after.anchor
        if edit.kind in BELONGING:
            by_anchors[*anchors, frozenset()].append(edit)
        elif pair.have_known_roles(edit):
            by_anchors[*anchors, frozenset((edit.before.role, edit.after.role))].append(edit)
    for (anchor1, anchor2, roles), together in by_anchors.items():
        tokens = _tokens(together)
        if roles and len({edit.before.role for edit in together}) == 2:
            names = " and ".join(sorted(roles))
            words = pair.first.listed(tokens[0])
            yield _reason(Evidence.PLACE, f"{names} changed places: {words}", words, tokens)
        elif not roles and anchor1 is not None is not anchor2:
            spans, spell = ([*tokens[0], anchor1], [*tokens[1], anchor2]), pair.first.spell
            if not same_words(spans[0], spell, spans[1], pair.second.spell):
                text1, text2 = excerpt(spans[0], spell), excerpt(spans[1], pair.second.spell)
                yield _between(Evidence.PLACE, text1, text2, tokens)
    places = sorted({(edit.before.tokens[0], edit.after.tokens[0]) for edit in edits})
    moved = {place for two in combinations(places, 2) if two[0][1] > two[1][1] for place in two}
    if moved:
        tokens = sorted(one for one, _ in moved), sorted(two for _, two in moved)
        words = pair.first.listed(tokens[0])
        yield _reason(Evidence.ORDER, f"in another order: {words}", words, tokens)


def _tokens(edits: Sequence[Edit]) -> tuple[list[int], list[int]]:
    """The tokens of either sentence that edits are about, in order."""
    return (
        sorted({token for edit in edits for token in edit.before.tokens}),
        sorted({token for edit in edits for token in edit.after.tokens}),
    )


def _of_words_alone(pair: _Pair) -> Iterator[Reason]:
    """Words without a partner: for each other, where some are of one part of speech."""
    texts = pair.first.phrases(pair.first.alone), pair.second.phrases(pair.second.alone)
    tags1, tags2 = ({side.words.tags[token] for token in side.alone} for side in pair.sides)
    if tags1 & tags2:
        yield _between(Evidence.REPLACED, *texts, (pair.first.alone, pair.second.alone))
    for side, text, evidence in zip(
        pair.sides, texts, (Evidence.ONLY1, Evidence.ONLY2), strict=True
    ):
        if side.alone:
            yield pair.only(evidence, side, text, side.alone)


def _of_partners(pair: _Pair) -> Iterator[Reason]:
    """Partners that are not the same word, and say the same, or more."""
    first, second = pair.first, pair.second
    for one in pair.compared.aligned:
        token1, token2 = first.words.words[one.first], second.words.words[one.second]
        word1, word2 = first.spell(token1), second.spell(token2)
        tokens: Both = (token1,), (token2,)
        numbers = first.words.numbers[one.first], second.words.numbers[one.second]
        if one.relation in (LexicalRelation.SAME, LexicalRelation.SIBLING) or None not in numbers:
            continue
        evidence, text, clear = Evidence.ALIKE, f"{word1} ≈ {word2}", one.strength >= CLEAR
        if one in pair.compared.converses:
            text = f"{word1} and {word2} say the same from either side"
        elif one.relation is LexicalRelation.ANTONYM:
            no1, no2 = first.words.negations[token1] % 2, second.words.negations[token2] % 2
            if no1 == no2:
                continue
            text = f"{'not ' * no1}{word1} = {'not ' * no2}{word2}"
            tokens = (token1, *first.denying), (token2, *second.denying)
        elif one.relation in (LexicalRelation.HYPONYM, LexicalRelation.ENTAILS):
            evidence = Evidence.SPECIFIC1
            text = f"{word1}: more specific than {word2}" if clear else f"{word1} ↔ {word2}"
        elif one.relation in (LexicalRelation.HYPERNYM, LexicalRelation.ENTAILED):
            evidence = Evidence.SPECIFIC2
            text = f"{word2}: more specific than {word1}" if clear else f"{word1} ↔ {word2}"
        elif one.relation is LexicalRelation.SYNONYM and clear:
            text = f"{word1} = {word2}"
        yield _reason(evidence, text, f"{word1} ↔ {word2}", tokens)
