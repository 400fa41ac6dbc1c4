"""The statements of a judgement together: none repeats another, and none contradicts its label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from hybridsem.comparison.main_clause import in_clauses
from hybridsem.comparison.quotations import QUOTED, SLIGHT, is_wording, plain_text, shared_wording
from hybridsem.facts.reading import read_facts
from hybridsem.facts.values import FactRelation, compare
from hybridsem.judge.labels import Label
from hybridsem.judge.quoting import Said, Statement, listed
from hybridsem.judge.wordings import QuotedPair

ONLY = re.compile("Only sentence ([12]) says (.*)")
FOLLOWS: Mapping[Label, tuple[int, ...]] = MappingProxyType(
    {Label.SAME: (0, 1), Label.ENTAILS: (1,), Label.ENTAILED: (0,)}
)
"""The sentences, 0 and 1, that follow from the other one by a label."""


def without_repeats(stated: Iterable[Statement], pair: QuotedPair, most: int) -> list[Statement]:
    """Drop statements whose quotations another one has with more words. If both sentences have
    words of their own, one statement names these: they may be the same in other words.
    """
    given = list(dict.fromkeys(stated))
    said = [one for one in given if isinstance(one, Said)]
    both = [one for one in said if not one.is_alone]
    kept = [
        one
        for one in given
        if not _extends(one, both) and not (isinstance(one, Said) and _repeats(one, said))
    ]
    alone = [one for one in kept if isinstance(one, Said) and one.is_alone and not one.scope]
    if not alone:
        return kept
    rest = [one for one in kept if one not in alone]
    unmatched = pair.unmatched()
    own = [
        [quote for quote in quotes if not _is_quoted(quote, rest, side)]
        for side, quotes in enumerate(unmatched)
    ]
    unlike = [
        [quote for quote in quotes if not _has_value_of(quote, own[1 - side])]
        for side, quotes in enumerate(own)
    ]
    own = unlike if any(unlike) else own
    for side, quotes in enumerate(own):
        stated_alone = [quote for one in alone for quote in QUOTED.findall(one.texts[side])]
        deciding = [
            quote
            for quote in stated_alone
            if not any(plain_text(one) in plain_text(quote) for one in quotes)
            and not _is_quoted(quote, [Said(one, one) for one in quotes], side)
            and not _has_value_of(quote, [pair.both[1 - side].plain])
            and not is_wording(quote)
        ]
        own[side] = [*deciding, *quotes] or ([] if unmatched[side] else stated_alone)
    first, second = (
        listed(sorted(quotes[: most // 2], key=lambda one: side.plain.find(plain_text(one))))
        if quotes
        else ""
        for quotes, side in zip(own, pair.both, strict=True)
    )
    if (first and second) or pair.is_open:
        new = [Said(first, second, loose=bool(first and second))] if first or second else []
        if whole := in_clauses((first, second), pair.clauses):
            new = [Said(*whole, open=True)]
        return [*rest[: most - len(new)], *new] or given
    sides = {0 if one.first else 1 for one in alone}
    if len(alone) > 1 and len(sides) == 1 and (quotes := own[sides.pop()]):
        return [*rest[: most - 1], Said.only(2 if alone[0].second else 1, listed(quotes[:most]))]
    return kept


def in_wording(
    given: Sequence[Statement], label: Label | None, pair: QuotedPair, likeness: float
) -> list[Statement]:
    """Return statements that do not contradict a sure label by which one sentence says all that the
    other says: what it lacks it says in other words. None states as a difference what may be other
    words of the same. ``likeness`` is what a pair reader finds, not a number without one.
    """
    said = [one for one in given if isinstance(one, Said) and not one.scope]
    sides = FOLLOWS.get(label, ()) if label else ()
    surely = [
        one
        for one in said
        if sides
        and is_wording(*one.texts)
        and (
            any(one.texts[side] for side in sides)
            if one.is_alone
            else one.open or label is Label.SAME
        )
    ]
    kept: list[Statement] = [one for one in given if one not in surely]
    if surely and (quoted := _side_by_side(surely)):
        kept.append(f"The wording differs: {quoted}")
    kept, plain = kept or [*given], (pair.first.plain, pair.second.plain)
    perhaps = [
        one
        for one in said
        if one in kept and (one.open or one.loose) and not one.is_alone
        if shared_wording(one.texts, plain, likeness)
    ]
    if not perhaps or not (quoted := _side_by_side(perhaps)):
        return kept
    texts = (" ".join(one.first for one in perhaps), " ".join(one.second for one in perhaps))
    most = shared_wording(texts, plain, likeness) == "most"
    least = "At least the wording differs"
    if most:
        least = "Most of the wording, at least, differs"
        whole = in_clauses(texts, pair.clauses)
        quoted = "{} in sentence 1, {} in sentence 2.".format(*whole) if whole else quoted
    kept[kept.index(perhaps[0])] = f"{least}: {quoted}"
    return [one for one in kept if one not in perhaps]


def _side_by_side(others: Sequence[Said]) -> str:
    """Quote what each sentence says, and the other does not; "" if one says nothing more."""
    quotes = [
        [quote for one in others for quote in QUOTED.findall(one.texts[side])] for side in (0, 1)
    ]
    own = [
        [one for one in some if one not in other]
        for some, other in zip(quotes, quotes[::-1], strict=True)
    ]
    return f"{listed(own[0])} in sentence 1, {listed(own[1])} in sentence 2." if all(own) else ""


def _is_quoted(quote: str, others: Iterable[Statement], side: int) -> bool:
    """Test if another statement says that a sentence says a phrase, or a value in it."""
    alone = f"Only sentence {side + 1} says "
    said = (
        one.texts[side] if isinstance(one, Said) else one.removeprefix(alone)
        for one in others
        if isinstance(one, Said) or one.startswith(alone)
    )
    own, *texts = (
        f" {' '.join(word for word in plain_text(one).split() if word not in SLIGHT)} "
        for one in (quote, *(one for text in said for one in (text, *QUOTED.findall(text))))
    )
    return any(own in text or (text in own and not is_wording(text)) for text in texts)


def _repeats(one: Said, others: Iterable[Said]) -> bool:
    """Test if another statement quotes what one sentence alone says, with more words or together
    with what the other sentence says, or both sides with more words.
    """
    texts = [f" {plain_text(text)} " for text in one.texts]
    for other in others:
        quoted = [f" {plain_text(text)} " for text in other.texts]
        sides = [side for side in (0, 1) if one.texts[side]]
        if (
            all(texts[side] in quoted[side] and other.texts[side] for side in sides)
            and texts != quoted
        ):
            return True
    return False


def _extends(one: Statement, others: Iterable[Said]) -> bool:
    """Test if what one sentence alone says is more of what another statement quotes."""
    match = ONLY.match(str(one))
    return match is not None and any(
        f" {plain_text(other.texts[int(match[1]) - 1])} " in f" {plain_text(match[2])} "
        for other in others
    )


def _has_value_of(quote: str, others: Iterable[str]) -> bool:
    """Test if a quotation has a value that another one has too."""
    return any(
        compare(one, two) is FactRelation.EQUAL
        for one in read_facts(quote)
        for other in others
        for two in read_facts(other)
    )
