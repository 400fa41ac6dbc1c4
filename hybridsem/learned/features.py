"""Features of a pair: what its explanation and its words say, as numbers a regressor can weigh.

In this order, as far as the model has them (``FeatureSet.names``):

    score                     the model's own score
    cosine                    of the sentence vectors (the hybrids)
    similarity:ROLE           one a role; NaN where the two sentences do not both have it
    presence:ROLE             1 both sentences, ½ one, 0 none
    role_similarity           R: the similarity of what stands in the same role
    shared_roles              the share of the roles that both sentences have
    weakest_role              the least similarity of a core role (verb, agent, patient, theme)
    core_product              the product of the core roles' similarities
    words                     U: the similarity of the words under the best assignment, whatever
                              their roles
    words_less_roles          U - R
    weakest_word              the least similar of the assigned words
    unmatched                 the share of words without a partner; rare words count more
    same_words                the share of words that both sentences have
    length                    the number of words of the shorter over that of the longer
    exchanged, moved          X and M of the hybrid of 0.1.0
    term:NAME                 the amount of a term of the comparison (the hybrid, which compares no
                              roles: above it has cosine and words only)
    polarity                  1 where one main clause is negated and the other is not
    numbers                   1 where the sentences have different numbers
    coverage                  the share of words that have a vector

All of them are the same for (a, b) and (b, a). The groups (``FeatureSet.players``) are what an
explanation shows a line for. With paths for roles (AMR, dependencies) the ``cap`` most frequent
ones of the training pairs have features.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.combiners.alignment import PAIRINGS
from hybridsem.combiners.base import Batch
from hybridsem.combiners.role_swaps import word_roles
from hybridsem.embeddings.words import WordVectors, filler_vectors
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch, Term
from hybridsem.structures import Role, RoleStructure

SCORE, EMBEDDING = "score", "embedding"
CORE = (Role.VERB, Role.AGENT, Role.PATIENT, Role.THEME)
SENTENCE, WORDS, PLACES, POLARITY = "whole sentence", "words", "places", "polarity"
"""The groups that are no roles."""

SIMILARITY, PRESENCE, AMOUNT = "similarity:", "presence:", "term:"
CORE_ONLY = ("weakest_role", "core_product")
OF_ROLES = ("role_similarity", "shared_roles", *CORE_ONLY)
OF_WORDS = ("words", "words_less_roles", "weakest_word", "unmatched", "same_words", "length")
GROUPS: Mapping[str, str] = {
    "cosine": SENTENCE,
    **dict.fromkeys(
        ("role_similarity", "shared_roles", "weakest_role", "core_product", "words_less_roles"),
        PLACES,
    ),
    **dict.fromkeys(("exchanged", "moved"), PLACES),
    **dict.fromkeys(
        ("words", "weakest_word", "unmatched", "same_words", "length", "numbers", "coverage"), WORDS
    ),
    "polarity": POLARITY,
}
DETAILS: Mapping[str, str] = {
    "exchanged": "exchanged",
    "moved": "moved",
    "polarity": "polarity_differs",
}
"""Features that the explanation of the hybrid of 0.1.0 holds as such."""

_SLOTS = {frozenset(map(str, pair)): str(pair[0]) for pair in PAIRINGS}


def role_of(match: RoleMatch) -> str:
    """The role that a line of an explanation counts for: that whose weight counts where two were
    paired.

    >>> from hybridsem import Pipeline
    >>> found = Pipeline("verbnet-cn").explain("A dog barked.", "A fox barked.")
    >>> sorted(role_of(match) for match in found.matches)
    ['Agent', 'Verb']
    """
    if match.role1 is None or match.role2 is None or match.role1 == match.role2:
        return _plain(match.role1 if match.role1 is not None else match.role2)
    return _SLOTS.get(frozenset((str(match.role1), str(match.role2))), _plain(match.role1))


def _plain(role: str | None) -> str:
    return str(role or "").partition("#")[0]  # several nodes of a graph on one path are numbered


@dataclass(frozen=True)
class FeatureSet:
    """Which features, of the explanations of the model ``kind`` or, for ``embedding``, of sentence
    vectors.

    For ``embedding`` the two sentences' unit vectors are put side by side, as Fodor et al. do
    (2024, section 4.7).

    >>> found = FeatureSet.of_roles("verbnet-cn", ["Verb"], fused=False, verbnet=True)
    >>> found.names[0], found.roles
    ('score', ('Verb',))
    """

    kind: str
    names: tuple[str, ...]
    players: tuple[str, ...]
    roles: tuple[str, ...] = ()

    @classmethod
    def of_roles(cls, kind: str, roles: Sequence[str], *, fused: bool, verbnet: bool) -> FeatureSet:
        """The features of a model that compares roles.

        Args:
            kind: The model's name.
            roles: The roles that have features of their own.
            fused: Whether the model has a sentence cosine too.
            verbnet: Whether its roles are VerbNet-style, some of which are core roles.
        """
        names, groups = [SCORE], dict(GROUPS)
        if fused:
            names.append("cosine")
        for role in roles:
            names += [SIMILARITY + role, PRESENCE + role]
            groups |= {SIMILARITY + role: role, PRESENCE + role: role}
        names += [name for name in OF_ROLES if verbnet or name not in CORE_ONLY]
        names += OF_WORDS
        names += (["exchanged", "moved"] if fused else []) + ["polarity", "numbers", "coverage"]
        return cls(
            kind, tuple(names), tuple(groups.get(name, SCORE) for name in names), tuple(roles)
        )

    @classmethod
    def of_terms(cls, kind: str, terms: Sequence[str]) -> FeatureSet:
        """The features of a model that counts differences, a player each."""
        groups = dict(GROUPS) | {AMOUNT + term: term for term in terms}
        of_words = (name for name in OF_WORDS if name != "words_less_roles")
        amounts = (AMOUNT + term for term in terms)
        names = (SCORE, "cosine", *amounts, *of_words, "numbers", "coverage")
        return cls(kind, names, tuple(groups.get(name, SCORE) for name in names))

    @classmethod
    def of_vectors(cls, dimension: int) -> FeatureSet:
        """Two sentence vectors of that dimension side by side."""
        names = tuple(f"{side}:{i}" for side in ("first", "second") for i in range(dimension))
        return cls(EMBEDDING, names, (SENTENCE,) * len(names))

    def table(self, found: Sequence[Mapping[str, float] | None]) -> Float64Array:
        """What :func:`observe` found, (pairs, features); NaN for missing roles and failed pairs."""
        rows = [
            [math.nan] * len(self.names)
            if one is None
            else [
                one.get(name, 0.0 if name.startswith((PRESENCE, AMOUNT)) else math.nan)
                for name in self.names
            ]
            for one in found
        ]
        return np.array(rows, float).reshape(len(rows), len(self.names))


def observe(
    batch: Batch,
    explanations: Sequence[Explanation],
    vectors: WordVectors,
    terms: Sequence[str] = (),
) -> list[dict[str, float] | None]:
    """The features of each pair by name; None where a sentence has no parse. Of roles and terms
    only those that occur are there.

    All but the score are rounded to six decimals, so that the order in which numbers are added up
    decides nothing.

    Args:
        batch: The pairs.
        explanations: What the model says of them.
        vectors: By which words are compared.
        terms: What the model counts, of which the details of the explanations tell.

    >>> from hybridsem import Pipeline
    >>> nlp = Pipeline("verbnet-cn")
    >>> batch = nlp.read([("A dog barked.", "A fox barked.")])
    >>> (found,) = observe(batch, nlp.combiner.explain(batch), nlp.vectors)
    >>> found["similarity:Verb"]
    1.0
    """
    words = _Words(batch, vectors)
    rows: list[dict[str, float] | None] = []
    for pair, explanation in zip(batch.pairs, explanations, strict=True):
        if math.isnan(explanation.score):
            rows.append(None)
            continue
        found = _of_explanation(explanation) | words.compared(pair)
        found["words_less_roles"] = found["words"] - found["role_similarity"]
        details = explanation.details
        found |= {AMOUNT + term: details[term] for term in terms if term in details}
        rows.append(
            {name: round(value, 6) for name, value in found.items()} | {SCORE: explanation.score}
        )
    return rows


def side_by_side(batch: Batch) -> Float64Array:
    """The unit vectors of both sentences of each pair, (pairs, 2d) float64 (Fodor, De Deyne &
    Suzuki 2024, section 4.7).

    Raises :class:`InputError` for a batch without vectors.

    >>> from hybridsem import Pipeline
    >>> side_by_side(Pipeline("embedded").read([("It rains.", "It pours.")])).shape
    (1, 768)
    """
    if batch.vectors is None:
        raise InputError(
            "features of embeddings need a model that reads sentence vectors, such as 'embedded'"
        )
    first, second = np.array(batch.pairs, int).reshape(-1, 2).T
    return np.hstack([batch.vectors[first], batch.vectors[second]]).astype(float)


def _of_explanation(explanation: Explanation) -> dict[str, float]:
    """The features that the lines and details of an explanation give."""
    compared: dict[str, list[float]] = {}
    lone: set[str] = set()
    for match in explanation.matches:
        if match.term != Term.ROLE:
            continue
        if match.filler1 is None or match.filler2 is None:
            lone.add(role_of(match))
        else:
            compared.setdefault(role_of(match), []).append(match.similarity)
    similarities = {role: sum(found) / len(found) for role, found in compared.items()}
    lone -= similarities.keys()
    details = explanation.details
    core = [similarities[role] for role in CORE if role in similarities] + [
        0.0 for role in CORE if role in lone
    ]
    found = {
        SCORE: explanation.score,
        "cosine": details.get("cosine", math.nan),
        "role_similarity": details.get("role_similarity", explanation.score),
        "shared_roles": len(similarities) / max(1, len(similarities) + len(lone)),
        "weakest_role": min(core, default=0.0),
        "core_product": math.prod(max(0.0, one) for one in core),
        "coverage": details.get("coverage", 1.0),
    }
    found |= {name: details.get(detail, math.nan) for name, detail in DETAILS.items()}
    one, two = explanation.structure1, explanation.structure2
    if isinstance(one, RoleStructure) and isinstance(two, RoleStructure):
        found["polarity"] = float(one.main.negated != two.main.negated)
    for role in (*similarities, *lone):
        found[SIMILARITY + role] = similarities.get(role, math.nan)
        found[PRESENCE + role] = 1.0 if role in similarities else 0.5
    return found


class _Words:
    """The content words of a batch's sentences, their vectors and how rare they are."""

    def __init__(self, batch: Batch, vectors: WordVectors) -> None:
        structures = {
            i: s for i, s in enumerate(batch.structures or ()) if isinstance(s, RoleStructure)
        }
        self._words = {i: _content(structure) for i, structure in structures.items()}
        row: dict[str, int] = {}
        for words in self._words.values():
            for word in words:
                row.setdefault(word, len(row))
        self._table = filler_vectors(vectors, [(word,) for word in row])
        self._at = {
            i: np.array([row[word] for word in words], int) for i, words in self._words.items()
        }
        self._rarity = np.array([rarity(word) for word in row])
        self._numbers = {i: _numbers(structure) for i, structure in structures.items()}

    def compared(self, pair: tuple[int, int]) -> dict[str, float]:
        """The features of the words of a pair."""
        from scipy.optimize import linear_sum_assignment

        # In an order that does not depend on how the pair was given, so that ties cannot break the
        # symmetry.
        one, two = sorted(pair, key=lambda i: self._words[i])
        at1, at2 = self._at[one], self._at[two]
        different = float(self._numbers[one] != self._numbers[two])
        if not len(at1) or not len(at2):
            none = dict.fromkeys(("words", "weakest_word", "same_words", "length"), 0.0)
            return none | {"unmatched": 1.0, "numbers": different}
        cosines = np.clip(np.asarray(self._table[at1] @ self._table[at2].T, float), 0, 1)
        cosines[at1[:, None] == at2[None]] = 1.0
        rows, columns = linear_sum_assignment(-cosines)
        best = cosines[rows, columns]
        weight1, weight2 = self._rarity[at1], self._rarity[at2]
        matched = (weight1[rows] + weight2[columns]) / 2
        whole = (weight1.sum() + weight2.sum()) / 2
        left = whole - matched.sum()  # of the longer sentence's words that have no partner
        return {
            "words": float((best * matched).sum() / whole),
            "weakest_word": float(best.min()),
            "unmatched": float((left + (matched * (best < ALIKE)).sum()) / whole),
            "same_words": 2
            * sum((Counter(at1.tolist()) & Counter(at2.tolist())).values())
            / (len(at1) + len(at2)),
            "length": min(len(at1), len(at2)) / max(len(at1), len(at2)),
            "numbers": different,
        }


ALIKE = 0.5
"""The cosine from which two words are partners, as in the fusion."""


def _content(structure: RoleStructure) -> tuple[str, ...]:
    """The content words of a sentence, in order."""
    if structure.formalism == "verbnet":
        return word_roles(structure).words
    return tuple(word for filler in structure.roles.values() for word in filler.words)


def _numbers(structure: RoleStructure) -> tuple[str, ...]:
    """The numbers of a sentence, sorted."""
    if structure.tree is None:
        return tuple(sorted(word for word in structure.text.split() if word.isdigit()))
    return tuple(sorted(token.lemma.lower() for token in structure.tree if token.pos == "NUM"))


@cache
def _frequencies() -> tuple[dict[str, int], int]:
    from hybridsem.embeddings.arithmetic import word_frequencies

    found = word_frequencies()
    return found, sum(found.values())


SMOOTHING = 1e-3


@cache
def rarity(word: str) -> float:
    """How much a word says, in (0, 1]: .001 / (.001 + relative frequency) (Arora et al. 2017)."""
    counts, total = _frequencies()
    return SMOOTHING / (SMOOTHING + counts.get(word.lower(), 0) / total)
