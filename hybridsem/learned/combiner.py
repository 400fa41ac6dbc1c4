"""A combiner whose scores were learned from rated pairs, and whose explanations show what each role
was worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.combiners.base import Batch, Combiner, ComparesWords, HasTerms
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch, Term
from hybridsem.learned.features import (
    EMBEDDING,
    POLARITY,
    SENTENCE,
    FeatureSet,
    observe,
    role_of,
    side_by_side,
)
from hybridsem.learned.files import Weights


def features_for(combiner: Combiner, roles: Sequence[str], kind: str) -> FeatureSet:
    """The features of the explanations of a combiner of the model ``kind``. These ``roles`` have
    features of their own; a model of terms has its terms instead.

    Raises :class:`InputError` for a combiner that compares no roles.

    >>> from hybridsem import Pipeline
    >>> found = features_for(Pipeline("verbnet-cn").combiner, ["Verb", "Agent"], "verbnet-cn")
    >>> found.roles
    ('Verb', 'Agent')
    """
    if combiner.formalism is None or not isinstance(combiner, ComparesWords):
        raise InputError(
            f"{kind!r} compares no roles, so there are no role weights to learn; train "
            "'hybrid', 'verbnet-cn', "
            "'dependency-cn' or 'amr-cn', or features='embedding' of a sentence encoder"
        )
    if isinstance(combiner, HasTerms):
        return FeatureSet.of_terms(kind, combiner.terms)
    return FeatureSet.of_roles(
        kind, roles, fused=combiner.reads_vectors, verbnet=combiner.formalism == "verbnet"
    )


def check_features(weights: Weights, combiner: Combiner, kind: str, path: str) -> None:
    """:class:`InputError` where weights are for features that the explanations do not have now.

    Args:
        weights: What was learned.
        combiner: Whose explanations the weights are for.
        kind: The model's name.
        path: The file of the weights, for the message.
    """
    made = weights.features
    if made.kind != EMBEDDING and made != features_for(combiner, made.roles, kind):
        raise InputError(
            f"the weights in {path!r} were made for other features of {kind!r}; train anew"
        )


@dataclass(frozen=True)
class LearnedCombiner:
    """The scores of ``weights`` over the explanations of ``base``.

    An explanation's lines are those of ``base``, each with what it adds to the learned score: its
    share of the model's own score, and what the regressor's correction owes to its role (for
    networks and trees the exact Shapley value). A line ``learned`` stands for a group of features
    that is no role, ``constant`` for what all pairs have, and ``limit`` for what keeps the score
    within [-1, 1] and makes it 1 for a sentence and itself. The lines add up to the score.
    """

    base: Combiner
    weights: Weights

    @property
    def formalism(self) -> str | None:
        """The structures it reads."""
        return self.base.formalism

    @property
    def reads_vectors(self) -> bool:
        """True where it reads sentence vectors."""
        return self.base.reads_vectors

    @property
    def vectors(self) -> WordVectors:
        """The word vectors of the model whose score was corrected."""
        assert isinstance(self.base, ComparesWords)  # as features_for has checked
        return self.base.vectors

    def explain(self, batch: Batch) -> list[Explanation]:
        """One explanation a pair of a batch, in order."""
        explanations = self.base.explain(batch)
        if self.weights.features.kind == EMBEDDING:
            return self._of_embeddings(batch, explanations)
        terms = self.base.terms if isinstance(self.base, HasTerms) else ()
        X = self.weights.features.table(observe(batch, explanations, self.vectors, terms))
        usable = ~np.isnan(X[:, 0])
        scores = np.full(len(X), np.nan)
        scores[usable] = self.weights.predict(X[usable])
        base, added = self.weights.attribute(X[usable])
        parts = iter(added)
        return [
            self._explained(batch, pair, explanation, score, base, next(parts), row)
            if ok
            else explanation
            for pair, explanation, score, ok, row in zip(
                batch.pairs, explanations, scores.tolist(), usable, X, strict=True
            )
        ]

    def _explained(
        self,
        batch: Batch,
        pair: tuple[int, int],
        explanation: Explanation,
        score: float,
        base: float,
        added: Float64Array,
        row: Float64Array,
    ) -> Explanation:
        names = self.weights.players.names
        adds = dict(zip(names, added.tolist(), strict=True))
        slope = 0.0 if self.weights.offset is None else self.weights.offset[1]
        lines = []
        owner = [self._owner(match) for match in explanation.matches]
        for match, player in zip(explanation.matches, owner, strict=True):
            share = adds.get(player, 0.0) / owner.count(player)
            lines.append(_with(match, slope * match.contribution + share))
        values = dict(zip(self.weights.features.names, row.tolist(), strict=True))
        lines += [
            _with(
                RoleMatch(
                    player, player, None, None, values.get(player, 0.0), 0.0, 0.0, term=Term.LEARNED
                ),
                worth,
            )
            for player, worth in adds.items()
            if player not in owner and worth
        ]
        lines.append(RoleMatch(None, None, None, None, 1.0, base, base, term=Term.CONSTANT))
        return _limited(batch, pair, explanation, lines, score)

    def _of_embeddings(self, batch: Batch, explanations: list[Explanation]) -> list[Explanation]:
        """The mean of both orders, since the vectors stand side by side in an order."""
        there = side_by_side(batch)
        dimension = there.shape[1] // 2
        if there.shape[1] != len(self.weights.features.names):
            raise InputError(
                f"the weights are for vectors of {len(self.weights.features.names) // 2} "
                f"dimensions, got {dimension}"
            )
        back = np.hstack([there[:, dimension:], there[:, :dimension]])
        both = (self.weights.model.predict(there) + self.weights.model.predict(back)) / 2
        found = []
        for pair, explanation, value in zip(batch.pairs, explanations, both.tolist(), strict=True):
            if batch.failed(pair):
                found.append(explanation)
                continue
            lines = [
                _with(match, value) for match in explanation.matches if match.term == Term.SENTENCE
            ]
            found.append(_limited(batch, pair, explanation, lines, min(1.0, max(-1.0, value))))
        return found

    @staticmethod
    def _owner(match: RoleMatch) -> str:
        """The player that a line of the corrected model's explanation shows."""
        if match.term == Term.ROLE:
            return role_of(match)
        players: dict[str, str] = {Term.SENTENCE: SENTENCE, Term.POLARITY: POLARITY}
        return players.get(match.term, match.term)


def _with(match: RoleMatch, contribution: float) -> RoleMatch:
    """The line with another contribution; the weight is what the similarity is multiplied with,
    where there is one.
    """
    weight = contribution / match.similarity if abs(match.similarity) > 1e-9 else contribution
    return replace(match, weight=weight, contribution=contribution)


def _limited(
    batch: Batch,
    pair: tuple[int, int],
    explanation: Explanation,
    lines: list[RoleMatch],
    score: float,
) -> Explanation:
    """The explanation with learned lines, and one for what the limits of a score take or add."""
    same = batch.sentences[pair[0]] == batch.sentences[pair[1]]
    score = 1.0 if same else score
    short = score - sum(line.contribution for line in lines)
    if abs(short) > 1e-9:
        lines.append(RoleMatch(None, None, None, None, 1.0, short, short, term=Term.LIMIT))
    details = {"own_score": explanation.score, **explanation.details}
    learned = batch.explanation(pair, f"{explanation.model}, learned", lines, details)
    return replace(
        learned,
        notes=explanation.notes,
        score=1.0 if same else learned.score,
        alignment=explanation.alignment,
    )
