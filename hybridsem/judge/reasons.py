"""Why a pair has its label: the edits between the sentences, in English.

Each reason is true of the two texts and quotes them; those that speak for the label come first.
What a derivation (``relations.py``) has of each sort of edit is put into words by ``WORDS``; that
words exchanged their roles or belong to others comes from the comparison's edits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

from hybridsem._utils.terminal import visible
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import Compared
from hybridsem.edits import GOVERNORS, ROLES, SURE, Edit, Evidence, Kind
from hybridsem.english.lexicon import LexicalRelation
from hybridsem.judge.labels import Label
from hybridsem.judge.polarity import Relation
from hybridsem.judge.relations import Change, Derivation, Sort
from hybridsem.render.edits import Speller, cells, excerpt, same_words
from hybridsem.structures import Role

__all__ = ["reasons"]

MOST = 4
"""How many reasons are given."""
CLEAR = 0.7
"""How sure a relation of two words must be to be named; chosen by reading those of development
pairs. Below, it is one of senses that are less usual ("boy" and "man" .67).
"""
PARTICIPANTS = frozenset({Role.AGENT, Role.PATIENT, Role.THEME})
BELONGING = frozenset({*GOVERNORS, Kind.INVERTED, Kind.MODIFIER})
"""Kinds of words that are quoted with what they belong to."""
EQ, FWD, REV, NEG, ALT, COV, IND = Relation
SPEAKS_FOR: Mapping[Label, tuple[Relation, ...]] = MappingProxyType(
    {
        Label.SAME: (EQ, FWD, REV),
        Label.ENTAILS: (FWD, EQ, REV, IND),
        Label.ENTAILED: (REV, EQ, FWD, IND),
        Label.CONTRADICTS: (NEG, ALT, COV, IND, FWD, REV),
        Label.DIFFERS: (NEG, ALT, COV, IND, FWD, REV),
        Label.UNRELATED: (IND, ALT, NEG, COV, FWD, REV),
    }
)
"""The order in which edits are told, by what they make of the sentences."""
REPLACED = frozenset({Sort.WORD, Sort.UNKNOWN, Sort.SIBLING})
"""Sorts of edits of words that may already be known to have changed places."""


@dataclass(frozen=True)
class _Side:
    number: int
    words: SentenceWords
    spell: Speller

    def quote(self, tokens: Sequence[int]) -> str:
        return f'"{excerpt(tokens, self.spell).replace(" - ", "-")}"'

    def lacks(self, other: _Side, tokens: Sequence[int]) -> bool:
        """Whether it has not all of some words of the other sentence."""
        return not {other.words.forms[at] for at in tokens} <= {*self.words.forms}


@dataclass(frozen=True)
class _Told:
    """An edit, the side that its ``about`` and ``source`` are of, and both sides."""

    change: Change
    sides: tuple[_Side, _Side]

    @property
    def side(self) -> _Side:
        return self.sides[0 if bool(self.change.tokens1) != self.change.swapped else 1]

    @property
    def texts(self) -> tuple[str, str]:
        tokens = self.change.tokens1, self.change.tokens2
        first, second = (
            side.quote(some) if some else "" for side, some in zip(self.sides, tokens, strict=True)
        )
        return first, second

    @property
    def about(self) -> str:
        return self.side.quote((self.change.about,)) if self.change.about >= 0 else ""

    @property
    def tags(self) -> set[str]:
        tokens = self.change.tokens1, self.change.tokens2
        pairs = zip(self.sides, tokens, strict=True)
        return {side.words.tags[at] for side, some in pairs for at in some}

    def became(self) -> str:
        """That words stand for others, or that one sentence alone has some; "" if neither."""
        (text1, text2), (first, second) = self.texts, self.sides
        if text1 and text2:
            if text1.lower() == text2.lower():
                return ""
            return f"{text1} became {text2}{self.under()}."
        if text1 and not second.lacks(first, self.change.tokens1):
            return ""
        if text2 and not first.lacks(second, self.change.tokens2):
            return ""
        return f"Only sentence {1 if text1 else 2} says {text1 or text2}{self.under()}."

    def under(self) -> str:
        source = self.change.source
        return f" under {self.side.quote((source,))}" if source >= 0 else ""


def _word(told: _Told) -> str:
    change, (text1, text2) = told.change, told.texts
    if change.sure >= CLEAR and text1 and text2 and text1.lower() != text2.lower():
        if change.relation is FWD:
            return f"{text1} is more specific than {text2}{told.under()}."
        if change.relation is REV:
            return f"{text2} is more specific than {text1}{told.under()}."
        if change.relation is EQ and "PROPN" not in told.tags:
            return f"{text1} and {text2} mean the same."
        if change.relation is ALT:
            return f"{text1} excludes {text2}{told.under()}."
    return told.became()


def _negation(told: _Told) -> str:
    about, (at, *_) = told.change.about, (*told.change.tokens1, *told.change.tokens2)
    if about < 0:
        return told.became()
    denied = range(at + 1, about + 1) if at < about <= at + 3 else (about,)
    return f"Sentence {told.side.number} denies {told.side.quote(denied)}."


def _quantifier(told: _Told) -> str:
    text1, text2 = told.texts
    if (text1 and text2) or not told.about:
        return told.became()
    change, side = told.change, told.side
    other = told.sides[2 - side.number]
    if not other.lacks(side, (*change.tokens1, *change.tokens2)):
        return ""
    tokens = [*change.tokens1, *change.tokens2, change.about]
    return f"Only sentence {side.number} says {side.quote(tokens)}{told.under()}."


def _signature(told: _Told) -> str:
    text1, text2 = told.texts
    if text1 and text2:
        return f"{text1} has another complement."
    means = {
        EQ: f"implies {told.about}",
        FWD: f"implies {told.about}",
        NEG: f"denies {told.about}",
        ALT: f"denies {told.about}",
    }
    relation = told.change.relation if text1 else told.change.relation.turned
    made = means.get(relation, f"leaves {told.about} open")
    return f"{text1 or text2} in sentence {told.side.number} {made}."


def _marker(told: _Told) -> str:
    """A preposition or conjunction, with its phrase where that is the same."""
    change, (first, second) = told.change, told.sides
    if not (change.tokens1 and change.tokens2):
        return "" if change.relation is EQ else told.became()
    at1, at2 = change.tokens1[-1], change.tokens2[-1]
    own = at1 if told.side is first else at2
    length = change.about - own
    if (
        0 < length <= MOST
        and at1 + length < len(first.words.forms)
        and at2 + length < len(second.words.forms)
    ):
        span1, span2 = range(at1, at1 + length + 1), range(at2, at2 + length + 1)
        if same_words(span1[1:], first.spell, span2[1:], second.spell):
            return f"{first.quote(span1)} became {second.quote(span2)}{told.under()}."
    return told.became()


def _moved(told: _Told) -> str:
    text = told.texts[told.side.number - 1]
    return f"{text} belongs to {told.about} in sentence {told.side.number} alone."


WORDS: Mapping[Sort, Callable[[_Told], str]] = MappingProxyType(
    {
        Sort.WORD: _word,
        Sort.NEGATION: _negation,
        Sort.QUANTIFIER: _quantifier,
        Sort.SIGNATURE: _signature,
        Sort.MARKER: _marker,
        Sort.MOVED: _moved,
    }
)
"""How edits are told; others by what became what, or what one sentence alone says."""


def reasons(
    label: Label,
    compared: Compared,
    derived: Derivation | None,
    spellers: tuple[Speller, Speller],
) -> tuple[str, ...]:
    """The reasons for a label, the most telling first.

    Args:
        label: Which one.
        compared: What the sentences differ in, in the order in which they were given.
        derived: Their derivation, in the same order; None without trees.
        spellers: How their words are written.
    """
    sides = (
        _Side(1, compared.words1, spellers[0]),
        _Side(2, compared.words2, spellers[1]),
    )
    if label is Label.UNRELATED:
        return tuple(map(visible, _of_shared_words(compared, sides)))
    told = _of_places(compared, sides)
    rank = {relation: place for place, relation in enumerate(SPEAKS_FOR[label])}
    known = {
        (0, at)
        for edit in compared.edits
        if edit.kind.evidence is Evidence.PLACE and told
        for at in edit.before.tokens
    }
    changes = () if derived is None else derived.changes
    for minor in (False, True):
        if minor and told:
            break
        for change in sorted(
            (one for one in changes if _is_minor(one) is minor),
            key=lambda one: (rank.get(one.projected, len(rank)), -one.sure),
        ):
            if change.sort is Sort.MOVED and change.relation is not IND:
                continue
            tokens = {(0, at) for at in change.tokens1} | {(1, at) for at in change.tokens2}
            moved = change.sort in REPLACED and any((0, at) in known for at in change.tokens1)
            reason = WORDS.get(change.sort, _Told.became)(_Told(change, sides))
            if reason and not moved and not tokens <= known:
                told.append(reason)
                known |= tokens
    told = [*dict.fromkeys(told)] or [*_of_edits(compared, sides)]
    told += _of_questions(compared)
    return tuple(map(visible, told[:MOST] or _of_words(compared, label)))


def _is_minor(change: Change) -> bool:
    """Whether an edit is worth a reason only where there is no other."""
    marker = change.sort is Sort.MARKER and change.relation is not NEG
    return marker or (change.sort is Sort.ARTICLE and change.relation is EQ)


def _of_shared_words(compared: Compared, sides: tuple[_Side, _Side]) -> Iterator[str]:
    """The few content words that both sentences have."""
    same = [
        compared.words1.words[one.first]
        for one in compared.aligned
        if one.relation is LexicalRelation.SAME
    ]
    if not same:
        yield "They share no content word."
    elif len(same) <= MOST:
        words = ", ".join(sides[0].quote((at,)) for at in same)
        yield f"The only content words they share: {words}."


def _of_places(compared: Compared, sides: tuple[_Side, _Side]) -> list[str]:
    """Words that exchanged their roles, or else belong to others, or else changed places."""
    first, second = sides
    edits = [
        edit
        for edit in compared.edits
        if edit.kind.evidence in (Evidence.PLACE, Evidence.ORDER) and edit.confidence >= SURE
    ]
    roles = [edit for edit in edits if edit.kind in ROLES and _has_known_roles(edit, sides)]
    names = dict.fromkeys(first.quote(edit.before.tokens) for edit in roles)
    if len(names) == len({edit.before.role for edit in roles}) == 2:
        return [f"{' and '.join(names)} exchanged their roles."]
    attached = [
        edit
        for edit in edits
        if edit.kind in BELONGING and None not in (edit.before.anchor, edit.after.anchor)
    ]
    if reasons := list(dict.fromkeys(_of_attachments(attached, sides))):
        return reasons
    places = sorted(
        {
            (edit.before.tokens[0], edit.after.tokens[0])
            for edit in edits
            if same_words(edit.before.tokens, first.spell, edit.after.tokens, second.spell)
        }
    )
    crossed = {at for one, two in combinations(places, 2) if one[1] > two[1] for at in (one, two)}
    words = list(dict.fromkeys(first.quote((one,)) for one, _ in sorted(crossed)))
    if len(words) == 2:
        return [f"{' and '.join(words)} changed places."]
    return [f"In another order: {', '.join(words)}."] if len(words) > 2 else []


def _of_attachments(edits: Sequence[Edit], sides: tuple[_Side, _Side]) -> Iterator[str]:
    """Where words belong; those of the same governors together."""
    first, second = sides
    together: dict[tuple[str, str], tuple[set[int], set[int]]] = {}
    for edit in edits:
        governors = first.quote((edit.before.anchor or 0,)), second.quote((edit.after.anchor or 0,))
        text1, text2 = first.quote(edit.before.tokens), second.quote(edit.after.tokens)
        if text1 != text2 and {text1, governors[0]} == {text2, governors[1]}:
            yield f"{text1} and {governors[0]} changed places."
        elif edit.kind is not Kind.INVERTED and governors[0] != governors[1]:
            tokens1, tokens2 = together.setdefault(governors, (set(), set()))
            tokens1.update(edit.before.tokens)
            tokens2.update(edit.after.tokens)
    for (governor1, governor2), (tokens1, tokens2) in together.items():
        if same_words(tokens1, first.spell, tokens2, second.spell):
            text = first.quote(sorted(tokens1))
            go = "go" if "…" in text else "goes"
            yield f"{text} {go} with {governor1} in sentence 1 and with {governor2} in sentence 2."


def _has_known_roles(edit: Edit, sides: tuple[_Side, _Side]) -> bool:
    """Whether words of an edit are participants, with no preposition but that of a passive."""
    words = zip(sides, (edit.before, edit.after), strict=True)
    (first, before), (second, after) = zip(sides, (edit.before, edit.after), strict=True)
    if before.anchor is None or after.anchor is None:
        return False
    for tokens1, tokens2 in (
        ((before.anchor,), (after.anchor,)),
        (before.tokens, after.tokens),
    ):
        if not same_words(tokens1, first.spell, tokens2, second.spell):
            return False
    return {edit.before.role, edit.after.role} <= PARTICIPANTS and all(
        side.words.prepositions[token] in (None, "by")
        for side, own in words
        for token in own.tokens
    )


def _of_edits(compared: Compared, sides: tuple[_Side, _Side]) -> Iterator[str]:
    """What the comparison found, where there is nothing else."""
    for edit in compared.edits:
        if edit.kind.evidence in (None, Evidence.PLACE, Evidence.ORDER) or edit.confidence < SURE:
            continue
        text1, text2 = cells(edit, sides[0].spell, sides[1].spell)
        if text1 and text2:
            yield f'"{text1}" became "{text2}".'
        elif text1 or text2:
            yield f'Only sentence {1 if text1 else 2} says "{text1 or text2}".'


def _of_questions(compared: Compared) -> Iterator[str]:
    if compared.words1.question != compared.words2.question:
        yield f"Only sentence {1 if compared.words1.question else 2} is a question."


def _of_words(compared: Compared, label: Label) -> Iterator[str]:
    """What is the same where nothing was found that differs."""
    forms1, forms2 = (
        sorted(form for form in words.forms if any(map(str.isalnum, form)))
        for words in (compared.words1, compared.words2)
    )
    if forms1 == forms2:
        same = label is Label.SAME
        yield "The words are the same." if same else "Only the order of the words differs."
    elif label is Label.SAME and len(compared.aligned) == len(compared.words1.words) == len(
        compared.words2.words
    ):
        yield "The content words are the same, or alike."
