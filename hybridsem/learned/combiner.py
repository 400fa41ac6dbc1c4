"""A combiner with learned scores, whose explanations show the contribution of each role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hybridsem._typing import Plain
from hybridsem.combiners.base import Batch, Combiner, ComparesWords
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch, Term
from hybridsem.learned.features import POLARITY, SENTENCE, FeatureSet, observe, role_of
from hybridsem.learned.fitted import Weights

Lines = list[RoleMatch]


def features_for(combiner: Combiner, roles: Sequence[str], kind: str) -> FeatureSet:
    """Return the features of a combiner; :class:`InputError` if it compares no roles."""
    if combiner.formalism is None or not isinstance(combiner, ComparesWords):
        why = f"{kind!r} compares no roles, so there are no role weights to learn"
        raise InputError(f"{why}; train 'hybrid', 'verbnet-cn', 'dependency-cn' or 'amr-cn'")
    if terms := getattr(combiner, "terms", ()):
        return FeatureSet.of_terms(kind, terms)
    return FeatureSet.of_roles(
        kind, roles, fused=combiner.reads_vectors, verbnet=combiner.formalism == "verbnet"
    )


def check_features(weights: Weights, combiner: Combiner, kind: str, path: str) -> None:
    """Raise :class:`InputError` for weights of other features than the combiner's."""
    if weights.features != features_for(combiner, weights.features.roles, kind):
        why = f"the weights in {path!r} were made for other features of {kind!r}"
        raise InputError(f"{why}; train again")


@dataclass(frozen=True)
class LearnedCombiner:
    """The scores of ``weights`` on the explanations of ``base``.

    Each line of an explanation of ``base`` shows its part of the learned score: its share of the
    model's own score, and the correction of its role (for networks and trees the exact Shapley
    value). Lines ``learned`` are for groups that are not roles; ``constant`` is the same for all
    pairs; ``limit`` keeps the score within [-1, 1], and at 1 for equal sentences. The lines add up
    to the score.
    """

    base: Combiner
    weights: Weights

    @property
    def formalism(self) -> str | None:
        """The structures that the combiner reads."""
        return self.base.formalism

    @property
    def reads_vectors(self) -> bool:
        """True if the combiner reads sentence vectors."""
        return self.base.reads_vectors

    @property
    def vectors(self) -> WordVectors:
        """The word vectors of ``base``."""
        assert isinstance(self.base, ComparesWords)  # as features_for has checked
        return self.base.vectors

    def explain(self, batch: Batch) -> list[Explanation]:
        """Return an explanation of each pair."""
        explanations = self.base.explain(batch)
        X = self.weights.features.table(observe(batch, explanations, self.base, self.vectors))
        usable = np.flatnonzero(~np.isnan(X[:, 0])).tolist()
        scores = self.weights.predict(X[usable]).tolist()
        base, added = self.weights.attribute(X[usable])
        for i, score, worths in zip(usable, scores, added.tolist(), strict=True):
            lines = self._lines(explanations[i], X[i].tolist(), worths, base)
            explanations[i] = _limited(batch, batch.pairs[i], explanations[i], lines, score)
        return explanations

    def _lines(
        self, explanation: Explanation, values: list[float], worths: list[float], base: float
    ) -> list[RoleMatch]:
        worth = dict(zip(self.weights.players.names, worths, strict=True))
        value = dict(zip(self.weights.features.names, values, strict=True))
        players: dict[str, str] = {Term.SENTENCE: SENTENCE, Term.POLARITY: POLARITY}
        owners = [
            role_of(match) if match.term == Term.ROLE else players.get(match.term, match.term)
            for match in explanation.matches
        ]
        lines = []
        for match, owner in zip(explanation.matches, owners, strict=True):
            own = self.weights.slope * match.contribution
            lines.append(_with(match, own + worth.get(owner, 0.0) / owners.count(owner)))
        for group, amount in worth.items():
            if group not in owners and amount:
                line = RoleMatch(group, group, None, None, value.get(group, 0.0), 0.0, 0.0)
                lines.append(_with(replace(line, term=Term.LEARNED), amount))
        lines.append(RoleMatch(None, None, None, None, 1.0, base, base, term=Term.CONSTANT))
        return lines


def _with(match: RoleMatch, contribution: float) -> RoleMatch:
    """Return the line with another contribution, and the weight that results in it."""
    weight = contribution / match.similarity if abs(match.similarity) > 1e-9 else contribution
    return replace(match, weight=weight, contribution=contribution)


def _limited(
    batch: Batch, pair: tuple[int, int], explanation: Explanation, lines: Lines, score: float
) -> Explanation:
    """Return the explanation with learned lines and, if the score is limited, a line for that."""
    same = batch.sentences[pair[0]] == batch.sentences[pair[1]]
    score = 1.0 if same else score
    short = score - sum(line.contribution for line in lines)
    if abs(short) > 1e-9:
        lines.append(RoleMatch(None, None, None, None, 1.0, short, short, term=Term.LIMIT))
    details = {"own_score": explanation.score, **explanation.details}
    learned = batch.explanation(pair, f"{explanation.model}, learned", lines, details)
    kept: Plain = {"notes": explanation.notes, "alignment": explanation.alignment}
    return replace(learned, **kept, score=1.0 if same else learned.score)
