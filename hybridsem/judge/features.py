"""The features of a judgement: of both sentences together, and in either direction.

    symmetric    the cosine, the amounts of the comparison's terms, and what both sides share
    directed     whether the second sentence follows from the first by its derivation, and what it
                 adds

The weights of the comparison are not features, so learning them again changes no judgement.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem.combiners.base import Batch
from hybridsem.combiners.hybrid import CERTAINTY, Compared
from hybridsem.comparison.edits import CHARGED, LOGICAL, Kind
from hybridsem.comparison.logic import Relation
from hybridsem.comparison.sentence import Sentence
from hybridsem.english.function_words import SCALES
from hybridsem.english.lexicon import LexicalRelation
from hybridsem.judge.derivation import Derivation, derivations
from hybridsem.judge.labels import Assume
from hybridsem.judge.reference import assuming
from hybridsem.judge.verdict import NO_RULE, opposed_alone, rule_of
from hybridsem.structures import Role

PARTICIPANT = frozenset((Role.AGENT, Role.PATIENT, Role.THEME, "nsubj", "obj", "is"))
"""The relations of participants."""
QUANTITY = SCALES["quantity"]


class Observed(NamedTuple):
    """The features of n pairs: symmetric (n, s); directed (n, 2, d), for what sentence 2 adds to
    sentence 1 and the reverse; and the ``rules`` (n, r) of their derivations, if any.
    """

    symmetric: Float64Array
    directed: Float64Array
    rules: Float64Array | None = None

    def taken(self, rows: IntArray) -> Observed:
        """Return the features of some pairs."""
        rules = None if self.rules is None else self.rules[rows]
        return Observed(self.symmetric[rows], self.directed[rows], rules)


class _Partnered(NamedTuple):
    """A sentence, and the partners of its words."""

    words: Sentence
    partners: Mapping[int, int]

    def place(self, i: int) -> str:
        """Return the function of a word: "main", "participant" or ""."""
        places = self.words.places[i]
        if not places:
            return "main"
        return "participant" if places[0].relation in PARTICIPANT else ""


VALUES = (Kind.AMOUNT, Kind.TIME, Kind.IDENTIFIER, Kind.PRECISION)
"""Kinds that count as numbers."""
FOLLOWS = (Relation.EQUIVALENT, Relation.FORWARD)
FOLLOWING = (
    *("follows", "follows surely", "follows strictly"),
    *(f"{which} {kind}" for kind in LOGICAL for which in ("for", "against")),
)
"""The features of a derivation in one direction."""
JOINED = (
    *(f"joined {relation}" for relation in Relation if relation is not Relation.REVERSE),
    *("sure", "no tree", *(f"changes {kind}" for kind in LOGICAL)),
    *(f"unknown {direction}" for direction in (1, 0, -1)),
)
"""The features of a derivation in both directions."""
DIRECTED = (
    "new",
    "number new",
    "quantity raised",
    "modal new",
    "modal lost",
    "preposition new",
    "denies alone",
    "function words new",
    "longer",
    *FOLLOWING,
)
"""What the second sentence adds to the first, as shares of its words' weight, or 0 and 1."""
SYMMETRIC = (
    "cosine",
    *(kind.value for kind in CHARGED if not kind.unjudged),
    CERTAINTY,
    "alike",
    "least alike",
    "main alike",
    "main partners",
    "participants alike",
    "denials",
    "denial of main",
    "both deny",
    "words",
    "same words",
    "opposed or of one kind",
    "opposed alone",
    *JOINED,
)


def observe_batch(
    batch: Batch,
    compared: Sequence[Compared | None],
    derived: Sequence[Derivation | None] | None = None,
    assume: Assume = Assume.SITUATION,
) -> Observed:
    """Return the features of a batch's pairs, (n, s), (n, 2, d), and their rules, (n, r); features
    without a structure are NaN. Derivations are made here if not given; the rules are those of a
    reading.
    """
    derived = derivations(compared) if derived is None else derived
    symmetric = np.full((len(compared), len(SYMMETRIC)), np.nan)
    directed = np.full((len(compared), 2, len(DIRECTED)), np.nan)
    rules = np.array([NO_RULE.row] * len(compared)).reshape(-1, len(NO_RULE.row))
    rows = zip(batch.pairs, batch.cosines().tolist(), compared, derived, strict=True)
    for row, (pair, cosine, found, made) in enumerate(rows):
        if found is not None:
            opposed = opposed_alone(found)
            first = _Partnered(found.words1, {one.first: one.second for one in found.aligned})
            second = _Partnered(found.words2, {one.second: one.first for one in found.aligned})
            symmetric[row] = [
                *_symmetric(cosine, found, first, second, opposed),
                *_derived_symmetric(made),
            ]
            there = _directed(first, second) + _derived(made)
            back = _directed(second, first) + _derived(None if made is None else made.inverted)
            rule = rule_of(found, assuming(made, assume), opposed)
            if found.first != pair[0]:
                there, back, rule = back, there, rule.inverted
            directed[row], rules[row] = (there, back), rule.row
    return Observed(symmetric, directed, rules)


def _derived(derived: Derivation | None) -> list[float]:
    """Return whether the second sentence follows by the derivation, and the edits against it."""
    found = dict.fromkeys(FOLLOWING, 0.0)
    if derived is not None:
        if derived.relation in FOLLOWS:
            found["follows"], found["follows surely"] = 1.0, derived.confidence
            found["follows strictly"] = float(derived.relation is Relation.FORWARD)
        for edit in derived.edits:
            if edit.projected not in FOLLOWS:
                name = f"against {_logical(edit.kind)}"
                found[name] = max(found[name], 0.5 + edit.confidence / 2)
            elif edit.projected is Relation.FORWARD:
                found[f"for {edit.kind}"] += 1.0
    return list(found.values())


def _logical(kind: Kind) -> Kind:
    """Return the kind of natural logic that an edit counts as."""
    return kind if kind.logical else Kind.MOVED


def _derived_symmetric(derived: Derivation | None) -> list[float]:
    found = dict.fromkeys(JOINED, 0.0)
    if derived is not None:
        symmetric = derived.relation is not Relation.REVERSE
        found[f"joined {derived.relation if symmetric else Relation.FORWARD}"] = 1.0
        found["sure"] = derived.confidence
        for edit in derived.edits:
            found[f"changes {_logical(edit.kind)}"] += 1.0
            if edit.kind is Kind.UNKNOWN:
                found[f"unknown {edit.direction}"] += 1.0
    else:
        found["no tree"] = 1.0
    return list(found.values())


def _directed(given: _Partnered, added: _Partnered) -> list[float]:
    """Return the features of what one sentence adds to another."""
    weights = added.words.weights / added.words.weights.sum()
    found: defaultdict[str, float] = defaultdict(float)
    found["new"] = math.fsum(weight for i, weight in enumerate(weights) if i not in added.partners)
    for i, partner in added.partners.items():
        token, other = added.words.words[i], given.words.words[partner]
        quantity, quantity2 = added.words.quantifiers[token], given.words.quantifiers[other]
        if quantity != quantity2:
            raised = _quantity(quantity) - _quantity(quantity2)
            found["quantity raised"] = max(found["quantity raised"], raised)
        preposition = added.words.prepositions[token]
        if preposition and preposition != given.words.prepositions[other]:
            found["preposition new"] += weights[i]
    modals = {one for one in added.words.modals if one}, {one for one in given.words.modals if one}
    found["modal new"] = float(bool(modals[0] - modals[1]))
    found["modal lost"] = float(bool(modals[1] - modals[0]))
    numbers: list[set[object]] = [
        {n for n in side.words.numbers if n is not None} | {*map(str, side.words.facts.values())}
        for side in (added, given)
    ]
    found["number new"] = float(bool(numbers[0] - numbers[1]))
    found["denies alone"] = float(added.words.denials > 0 and not given.words.denials)
    extra = len(added.words.function_words - given.words.function_words)
    found["function words new"] = min(extra, 5) / 5
    found["longer"] = max(0.0, math.log(len(added.words.words) / len(given.words.words)))
    return [found[name] for name in DIRECTED[: -len(FOLLOWING)]]


def _quantity(word: str | None) -> float:
    degree = QUANTITY.get(word) if word else None
    return 0.2 if degree is None else degree.value


def _symmetric(
    cosine: float, compared: Compared, first: _Partnered, second: _Partnered, opposed: float
) -> list[float]:
    found: defaultdict[str, float] = defaultdict(float, compared.amounts())
    found[Kind.NUMBER] += math.fsum(found[kind] for kind in VALUES)
    found["cosine"], found[CERTAINTY] = cosine, compared.confidence
    weights1, weights2 = first.words.weights, second.words.weights
    size = float(weights1.sum() + weights2.sum()) / 2
    aligned = [
        (one, (weights1[one.first] + weights2[one.second]) / 2 / size) for one in compared.aligned
    ]
    found["alike"] = sum(share * one.similarity for one, share in aligned)
    found["least alike"] = min((one.similarity for one, _ in aligned), default=0.0)
    found["same words"] = sum(share for one, share in aligned if one.relation == "same")
    mains = []
    for one, _ in aligned:
        places = {first.place(one.first), second.place(one.second)}
        if places == {"main"}:
            mains.append(one.similarity)
        if places == {"participant"}:
            found["participants alike"] += one.similarity
    found["main alike"] = max(mains, default=0.0)
    found["main partners"] = float(bool(mains))
    total = sum(
        side.place(i) == "participant"
        for side in (first, second)
        for i in range(len(side.words.words))
    )
    found["participants alike"] /= max(1.0, total / 2)
    denials1, denials2 = first.words.denials, second.words.denials
    found["denials"] = float((denials1 > 0) != (denials2 > 0))
    found["both deny"] = float(denials1 > 0 and denials2 > 0)
    found["denial of main"] = float(_main_denied(first.words) != _main_denied(second.words))
    found["words"] = math.log(len(first.words.words) + len(second.words.words))
    against = (LexicalRelation.ANTONYM, LexicalRelation.CO_HYPONYM)
    found["opposed or of one kind"] = max(
        (one.strength for one, _ in aligned if one.relation in against), default=0.0
    )
    found["opposed alone"] = opposed
    return [found[name] for name in SYMMETRIC[: -len(JOINED)]]


def _main_denied(words: Sentence) -> bool:
    """Test if words that nothing governs are denied."""
    return any(
        words.negations[token] % 2
        for token, places in zip(words.words, words.places, strict=True)
        if not places
    )
