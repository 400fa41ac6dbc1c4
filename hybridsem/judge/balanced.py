"""Opposites of which just one is negated, so that the negation makes up for the opposition.

    not dead        alive              =    complementary: there is nothing between them
    not hot         cold               >    contrary: lukewarm is neither
    no lamp is on   every lamp is off  =    "no" is "every" with a negation

Other quantifiers in the scope of the negation would be exchanged too, so such pairs are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hybridsem._utils.tables import read_table
from hybridsem.english.signatures import signature
from hybridsem.judge.alignment import AlignedSentence, Alignment
from hybridsem.judge.polarity import Quantified, Relation, complement_form
from hybridsem.judge.relations import of_tokens
from hybridsem.structures import Token

__all__ = ["Balanced", "are_complementary", "balanced_opposites"]

COMPLEMENTARY = {
    kind: frozenset(frozenset(pair.split()) for pair in pairs.split(","))
    for kind, pairs in read_table(__file__)["complementary"].items()
}
NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "non-")
DEVERBAL = ("able", "ible", "ed")
"""Endings of adjectives whose negation by a prefix is complementary (Zimmer 1964)."""
REVERSIBLE = 0.4
"""The certainty that one of two opposed verbs excludes the other."""
UNIVERSAL = ("every", "both")


class Balanced(NamedTuple):
    """Opposites: the tokens of both sentences, the word last and before it what negates it or its
    counterpart; whether that of the first sentence is negated; their relation and its certainty.
    """

    tokens1: tuple[int, ...]
    tokens2: tuple[int, ...]
    first_negated: bool
    relation: Relation
    sure: float


def balanced_opposites(alignment: Alignment) -> Iterator[Balanced]:
    """Yield the balanced opposites of two aligned sentences."""
    first, second = alignment.first, alignment.second
    for one, two in sorted(alignment.pairs.items()):
        unlike = first.keys[one] != second.keys[two] and first.content(one) and second.content(two)
        if not unlike or one in alignment.moved or (one, two) in alignment.converses:
            continue
        relation, sure = of_tokens(first.tree[one], second.tree[two])
        negations1, negations2 = _negations(first, one), _negations(second, two)
        if relation is not Relation.ALTERNATION or len(negations1) + len(negations2) != 1:
            continue
        if _has_signature(first, one) or _has_signature(second, two):
            continue
        if negations1:
            marks = _marks(first, negations1[0], second, two, alignment.pairs)
        else:
            marks = _marks(second, negations2[0], first, one, alignment.back)
        if marks is None:
            continue
        marks1, marks2 = marks if negations1 else marks[::-1]
        made = Relation.REVERSE if negations1 else Relation.FORWARD
        modified = _is_modified(first, one) or _is_modified(second, two)
        if not modified and are_complementary(first.tree[one], second.tree[two]):
            made = Relation.EQUIVALENT
        elif first.tags[one] == second.tags[two] == "VERB":
            sure *= REVERSIBLE
        yield Balanced((*marks1, one), (*marks2, two), bool(negations1), made, sure)


def are_complementary(token1: Token, token2: Token) -> bool:
    """Test if there is nothing between two opposites."""
    kind = "verbs" if token1.pos == token2.pos == "VERB" else "states"
    words1, words2 = ({token.text.lower(), token.lemma.lower()} for token in (token1, token2))
    if any({one, two} in COMPLEMENTARY[kind] for one in words1 for two in words2):
        return True
    shorter, longer = sorted((token1.text.lower(), token2.text.lower()), key=len)
    prefix = longer.removesuffix(shorter)
    return prefix in NEGATIVE_PREFIXES and (prefix[0] == "n" or shorter.endswith(DEVERBAL))


def _negations(side: AlignedSentence, at: int) -> list[int | Quantified]:
    """Return the words that negate a predicate, and the arguments with "no"."""
    negators = [by for by, negated in side.negators.items() if negated == at]
    return [*negators, *_arguments(side, at, ("no",))]


def _arguments(side: AlignedSentence, at: int, names: tuple[str, ...]) -> list[Quantified]:
    """Return the quantifiers of that name of a predicate's subject and object."""
    return [
        one
        for one in side.quantifiers
        if one.name in names
        and side.tree[one.head].head == at
        and side.relations[one.head] in ("nsubj", "obj")
    ]


def _marks(
    side: AlignedSentence,
    negation: int | Quantified,
    other: AlignedSentence,
    there: int,
    pairs: dict[int, int],
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the tokens of a negation and those of its counterpart; None if it is of another kind
    or has other quantifiers in its scope.

    Args:
        side: The sentence with the negation.
        negation: It.
        other: The other sentence.
        there: The word of the other sentence that is the opposite.
        pairs: The partners of the words of ``side``.
    """
    source = negation if isinstance(negation, int) else negation.tokens[0]
    for one in side.quantifiers:
        within = [context.source for context in side.contexts[one.tokens[0]]]
        if one.name != "the" and one != negation and source in within:
            return None
    if isinstance(negation, int):
        return ((negation,), ()) if side.keys[negation] == "not" else None
    noun = pairs.get(side.noun(negation))
    for one in _arguments(other, there, UNIVERSAL):
        if other.noun(one) == noun and one.tokens[0] - 1 not in other.negators:
            return negation.tokens, one.tokens
    return None


def _is_modified(side: AlignedSentence, at: int) -> bool:
    """Test if an adverb before a word modifies it: "completely dead"."""
    return any(
        child < at and side.relations[child] == "advmod" and child not in side.negators
        for child in side.tree.children(at)
    )


def _has_signature(side: AlignedSentence, at: int) -> bool:
    """Test if a verb implies, or denies, its complement."""
    forms = (complement_form(side.tree, child) for child in side.tree.children(at))
    return any(form and signature(side.tree[at].lemma.lower(), form) for form in forms)
