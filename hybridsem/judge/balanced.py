"""Opposites of which just one is negated, so that the negation makes up for the opposition.

    not dead        alive              =    complementary: there is nothing between them
    not hot         cold               >    contrary: lukewarm is neither
    no lamp is on   every lamp is off  =    "no" is "every" with a negation

Negation also exchanges quantifiers and conjunctions in its scope; such pairs are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hybridsem.comparison.logic import Relation
from hybridsem.judge.alignment import Alignment
from hybridsem.judge.contexts import LogicalSentence, Quantified
from hybridsem.judge.relations import (
    OPPOSED,
    are_complementary,
    is_negative_participle,
    known_opposites,
    opposition,
)
from hybridsem.judge.rules import relation_words
from hybridsem.structures import Token

CLEAR = 0.8
"""The least strength of opposites of which one surely excludes the other."""
DOUBTED = 0.4
"""The confidence, as a share, that one of other opposites excludes the other, and of verbs."""
ADVERBIAL = frozenset({"advmod", "obl"})
"""Relations of words that the negation of a verb may deny: "not arrive late", "arrive on time"."""
UNIVERSAL = ("every", "both", "the")


class Balanced(NamedTuple):
    """Opposites: the tokens of both sentences, the word last and before it what negates it or its
    counterpart; whether that of the first sentence is negated; their relation and its confidence.
    """

    tokens1: tuple[int, ...]
    tokens2: tuple[int, ...]
    first_negated: bool
    relation: Relation
    confidence: float


def balanced_opposites(alignment: Alignment) -> Iterator[Balanced]:
    """Yield the balanced opposites of two aligned sentences."""
    first, second = alignment.first, alignment.second
    for one, two in sorted(alignment.pairs.items()):
        unlike = first.keys[one] != second.keys[two] and first.content(one) and second.content(two)
        negative = is_negative_participle(first.tree[one], second.tree[two])
        moved = one in alignment.moved and not negative
        if not unlike or moved or (one, two) in alignment.converses:
            continue
        negations1, negations2 = _negations(first, one), _negations(second, two)
        if len(negations1) + len(negations2) != 1:
            continue
        confidence = opposition_of(first.tree[one], second.tree[two])
        if confidence < OPPOSED:
            continue
        if negations1:
            marks = _marks(first, one, negations1[0], second, two, alignment.pairs)
        else:
            marks = _marks(second, two, negations2[0], first, one, alignment.back)
        if marks is None:
            continue
        marks1, marks2 = marks if negations1 else marks[::-1]
        made = Relation.REVERSE if negations1 else Relation.FORWARD
        modified = _is_modified(first, one, marks1) or _is_modified(second, two, marks2)
        words = (first, one), (second, two)
        signatures = {known for side, at in words for *_, known in side.complements(at)}
        implied = signatures == {"+-", "-+"}  # "manage to" and "fail to"
        whole = not modified and ADVERBIAL.isdisjoint((first.bare[one], second.bare[two]))
        if whole and (implied or are_complementary(first.tree[one], second.tree[two])):
            made = Relation.EQUIVALENT
        elif not known_opposites(first.tree[one], second.tree[two]) and (
            confidence < CLEAR or first.tags[one] == second.tags[two] == "VERB"
        ):
            confidence *= DOUBTED
        yield Balanced((*marks1, one), (*marks2, two), bool(negations1), made, confidence)


def opposition_of(token1: Token, token2: Token) -> float:
    """Return the strength with which two words are opposites, 0 if they are not."""
    words1, words2 = ((token.lemma.lower(), token.text.lower()) for token in (token1, token2))
    tags = {token1.pos, token2.pos}
    if known_opposites(token1, token2):
        return 1.0
    if len(tags) > 1 and "NOUN" in tags:
        return 0.0
    return opposition(words1, words2, tags | {"ADJ"} if tags & {"ADV", "VERB"} else tags)


def _negations(side: LogicalSentence, at: int) -> list[int | Quantified]:
    """Return the words that negate a predicate or the verb of an adverb, and the arguments with
    "no".
    """
    verb = side.tree[at].head if side.bare[at] in ADVERBIAL else at
    negators = [by for by, negated in side.negators.items() if negated in (at, verb)]
    return [*negators, *_arguments(side, at, ("no",))]


def _arguments(side: LogicalSentence, at: int, names: tuple[str, ...]) -> list[Quantified]:
    """Return the quantifiers of that name of a predicate's subject and object."""
    return [
        one
        for one in side.quantifiers
        if one.name in names
        and side.tree[one.head].head == at
        and side.bare[one.head] in ("nsubj", "obj")
    ]


def _marks(
    side: LogicalSentence,
    here: int,
    negation: int | Quantified,
    other: LogicalSentence,
    there: int,
    pairs: Mapping[int, int],
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the tokens of a negation and those of its counterpart; None if it is of another kind
    or has other quantifiers or a conjunct in its scope. ``here`` is the negated word of ``side``,
    ``there`` the opposite.
    """
    source = negation if isinstance(negation, int) else negation.tokens[0]
    for one in side.quantifiers:
        within = [context.source for context in side.contexts[one.tokens[0]]]
        if one.name != "the" and one != negation and source in within:
            return None
    for at in side.children(here, "conj"):
        if source in [one.source for one in side.contexts[at]]:
            return None
    if isinstance(negation, int):
        always = tuple(at for at in other.tree.children(there) if other.keys[at] == "always")
        balances = side.keys[negation] in (("never",) if always else ("not", "if"))  # "unless"
        return ((negation,), always) if balances else None
    if side.noun(negation) in negation.tokens and is_negative_participle(
        side.tree[here], other.tree[there]
    ):  # "nobody has paid", "unpaid"
        return negation.tokens, ()
    noun = pairs.get(side.noun(negation))
    for one in _arguments(other, there, UNIVERSAL):
        singular = one.name == "the" and other.forms[one.head] == other.keys[one.head]
        negated = one.tokens[0] - 1 in other.negators
        if other.noun(one) == noun and not singular and not negated:
            return negation.tokens, one.tokens
    return None


def _is_modified(side: LogicalSentence, at: int, marks: Sequence[int]) -> bool:
    """Test if an adverb before a word, not one of ``marks``, modifies it: "completely dead"."""
    adverbs = (child for child in side.children(at, "advmod") if child < at)
    silent = relation_words()["silent_adverbs"]
    return any(child not in marks and side.keys[child] not in silent for child in adverbs)
