"""The features of a pair that a regressor weighs, from its explanation and its words.

``FeatureSet.names`` lists those of a model, in this order:

    score                     the model's own score
    cosine                    of the sentence vectors (the hybrids)
    similarity:ROLE           one per role; NaN unless both sentences have it
    presence:ROLE             1 in both sentences, ½ in one, 0 in neither
    role_similarity           R: the similarity of the fillers of equal roles
    shared_roles              the share of the roles that both sentences have
    weakest_role              the least similarity of a core role (verb, agent, patient, theme)
    core_product              the product of the core roles' similarities
    words                     U: the similarity of the words under the best assignment
    words_less_roles          U - R
    weakest_word              the least similarity of assigned words
    unmatched                 the share of words without a partner, weighted by rarity
    same_words                the share of words that both sentences have
    length                    the ratio of the numbers of words, at most 1
    exchanged, moved          X and M of the hybrid of 0.1.0
    term:NAME                 the amount of a term of the comparison (the hybrid, which has no
                              features of roles)
    polarity                  1 if only one main clause is negated
    numbers                   1 if the sentences have different numbers
    coverage                  the share of words that have a vector

An explanation shows a line for each group of features (``FeatureSet.players``). If roles are paths
(AMR, dependencies), the most frequent ones of the training pairs have features.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.assignment import assignment
from hybridsem._utils.predictors import Stored
from hybridsem.combiners.base import Batch, Combiner
from hybridsem.combiners.role_swaps import word_roles
from hybridsem.comparison.role_alignment import PAIRINGS
from hybridsem.embeddings.arithmetic import word_frequencies
from hybridsem.embeddings.words import WordVectors, filler_vectors
from hybridsem.explanations import Explanation, RoleMatch, Term
from hybridsem.structures import Role, RoleStructure

SCORE = "score"
CORE = (Role.VERB, Role.AGENT, Role.PATIENT, Role.THEME)
# The groups that are not roles.
SENTENCE, WORDS, PLACES, POLARITY = "whole sentence", "words", "places", "polarity"
SIMILARITY, PRESENCE, AMOUNT = "similarity:", "presence:", "term:"
CORE_ONLY = ("weakest_role", "core_product")
OF_ROLES = ("role_similarity", "shared_roles", *CORE_ONLY)
OF_WORDS = ("words", "words_less_roles", "weakest_word", "unmatched", "same_words", "length")
GROUPS: Mapping[str, str] = {
    **dict.fromkeys((*OF_WORDS, "numbers", "coverage"), WORDS),
    **dict.fromkeys((*OF_ROLES, "words_less_roles", "exchanged", "moved"), PLACES),
    "cosine": SENTENCE,
    "polarity": POLARITY,
}
# Features of the hybrid of 0.1.0, and the details of its explanations with their values.
DETAILS = {"exchanged": "exchanged", "moved": "moved", "polarity": "polarity_differs"}
_SLOTS = {frozenset(map(str, pair)): str(pair[0]) for pair in PAIRINGS}


def role_of(match: RoleMatch) -> str:
    """Return the role whose weight a line of an explanation has."""
    if match.role1 is None or match.role2 is None or match.role1 == match.role2:
        return _plain(match.role1 if match.role1 is not None else match.role2)
    return _SLOTS.get(frozenset((str(match.role1), str(match.role2))), _plain(match.role1))


def _plain(role: str | None) -> str:
    return str(role or "").partition("#")[0]  # nodes on the same path are numbered


@dataclass(frozen=True)
class FeatureSet(Stored, type_name="features", kind=str, names=str, players=str, roles=str):
    """Names and groups of features, of the explanations of the model ``kind``."""

    kind: str
    names: tuple[str, ...]
    players: tuple[str, ...]
    roles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(len(self.players) == len(self.names), "a feature has no group")

    @classmethod
    def of_roles(cls, kind: str, roles: Sequence[str], *, fused: bool, verbnet: bool) -> FeatureSet:
        """Return the features of a model that compares roles, perhaps with a cosine."""
        names, groups = [SCORE], dict(GROUPS)
        if fused:
            names.append("cosine")
        for role in roles:
            names += [SIMILARITY + role, PRESENCE + role]
            groups |= {SIMILARITY + role: role, PRESENCE + role: role}
        names += [name for name in OF_ROLES if verbnet or name not in CORE_ONLY]
        names += [*OF_WORDS, *(["exchanged", "moved"] if fused else [])]
        names += ["polarity", "numbers", "coverage"]
        players = tuple(groups.get(name, SCORE) for name in names)
        return cls(kind, tuple(names), players, tuple(roles))

    @classmethod
    def of_terms(cls, kind: str, terms: Sequence[str]) -> FeatureSet:
        """Return the features of a model that counts differences, each in its own group."""
        groups = dict(GROUPS) | {AMOUNT + term: term for term in terms}
        of_words = (name for name in OF_WORDS if name != "words_less_roles")
        amounts = (AMOUNT + term for term in terms)
        names = (SCORE, "cosine", *amounts, *of_words, "numbers", "coverage")
        return cls(kind, names, tuple(groups.get(name, SCORE) for name in names))

    def table(self, observed: Sequence[Mapping[str, float] | None]) -> Float64Array:
        """Return the values of :func:`observe`, (pairs, features); NaN for missing ones."""
        zero = (PRESENCE, AMOUNT)
        absent = {name: 0.0 if name.startswith(zero) else math.nan for name in self.names}
        table = np.full((len(observed), len(absent)), math.nan)
        for row, values in enumerate(observed):
            if values is not None:
                table[row] = [values.get(name, default) for name, default in absent.items()]
        return table


def observe(
    batch: Batch, explanations: Sequence[Explanation], combiner: Combiner, vectors: WordVectors
) -> list[dict[str, float] | None]:
    """Return the features of each pair by name, from the explanations of a combiner; None if a
    sentence has no parse.

    Roles and terms that do not occur are missing. All but the score are rounded to six decimals, so
    that the order of summation does not count.
    """
    words = _Words(batch, vectors)
    terms = getattr(combiner, "terms", ())
    rows: list[dict[str, float] | None] = []
    for pair, explanation in zip(batch.pairs, explanations, strict=True):
        if math.isnan(explanation.score):
            rows.append(None)
            continue
        values = _of_explanation(explanation) | words.compared(pair)
        values["words_less_roles"] = values["words"] - values["role_similarity"]
        details = explanation.details
        values |= {AMOUNT + term: details[term] for term in terms if term in details}
        rounded = {name: round(value, 6) for name, value in values.items()}
        rows.append(rounded | {SCORE: explanation.score})
    return rows


def _of_explanation(explanation: Explanation) -> dict[str, float]:
    compared: dict[str, list[float]] = {}
    lone: set[str] = set()
    for match in explanation.matches:
        if match.term != Term.ROLE:
            continue
        if match.filler1 is None or match.filler2 is None:
            lone.add(role_of(match))
        else:
            compared.setdefault(role_of(match), []).append(match.similarity)
    similarities = {role: sum(values) / len(values) for role, values in compared.items()}
    lone -= similarities.keys()
    details = explanation.details
    core = [similarities[role] for role in CORE if role in similarities]
    core += [0.0 for role in CORE if role in lone]
    values = {
        SCORE: explanation.score,
        "cosine": details.get("cosine", math.nan),
        "role_similarity": details.get("role_similarity", explanation.score),
        "shared_roles": len(similarities) / max(1, len(similarities) + len(lone)),
        "weakest_role": min(core, default=0.0),
        "core_product": math.prod(max(0.0, similarity) for similarity in core),
        "coverage": details.get("coverage", 1.0),
    }
    values |= {name: details.get(detail, math.nan) for name, detail in DETAILS.items()}
    one, two = explanation.structure1, explanation.structure2
    if isinstance(one, RoleStructure) and isinstance(two, RoleStructure):
        values["polarity"] = float(one.main.negated != two.main.negated)
    for role in (*similarities, *lone):
        values[SIMILARITY + role] = similarities.get(role, math.nan)
        values[PRESENCE + role] = 1.0 if role in similarities else 0.5
    return values


class _Words:
    """The content words of a batch's sentences, with their vectors and rarity."""

    def __init__(self, batch: Batch, vectors: WordVectors) -> None:
        all_of = enumerate(batch.structures or ())
        structures = {i: s for i, s in all_of if isinstance(s, RoleStructure)}
        self._words = {i: _content(structure) for i, structure in structures.items()}
        distinct = dict.fromkeys(word for words in self._words.values() for word in words)
        row = {word: place for place, word in enumerate(distinct)}
        self._table = filler_vectors(vectors, [(word,) for word in row])
        own = self._words.items()
        self._at = {i: np.array([row[word] for word in words], int) for i, words in own}
        self._rarity = np.array([rarity(word) for word in row])
        self._numbers = {i: _numbers(structure) for i, structure in structures.items()}

    def compared(self, pair: tuple[int, int]) -> dict[str, float]:
        # A fixed order, so that ties cannot break the symmetry.
        one, two = sorted(pair, key=lambda i: self._words[i])
        at1, at2 = self._at[one], self._at[two]
        different = float(self._numbers[one] != self._numbers[two])
        if not len(at1) or not len(at2):
            none = dict.fromkeys(("words", "weakest_word", "same_words", "length"), 0.0)
            return none | {"unmatched": 1.0, "numbers": different}
        cosines = np.clip(np.asarray(self._table[at1] @ self._table[at2].T, float), 0, 1)
        cosines[at1[:, None] == at2[None]] = 1.0
        rows, columns = map(list, zip(*assignment(cosines), strict=True))
        best = cosines[rows, columns]
        weight1, weight2 = self._rarity[at1], self._rarity[at2]
        matched = (weight1[rows] + weight2[columns]) / 2
        whole = (weight1.sum() + weight2.sum()) / 2
        left = whole - matched.sum()  # words of the longer sentence without a partner
        shared = sum((Counter(at1.tolist()) & Counter(at2.tolist())).values())
        return {
            "words": float((best * matched).sum() / whole),
            "weakest_word": float(best.min()),
            "unmatched": float((left + (matched * (best < ALIKE)).sum()) / whole),
            "same_words": 2 * shared / (len(at1) + len(at2)),
            "length": min(len(at1), len(at2)) / max(len(at1), len(at2)),
            "numbers": different,
        }


ALIKE = 0.5  # the cosine from which two words are partners


def _content(structure: RoleStructure) -> tuple[str, ...]:
    if structure.formalism == "verbnet":
        return word_roles(structure).words
    return tuple(word for filler in structure.roles.values() for word in filler.words)


def _numbers(structure: RoleStructure) -> tuple[str, ...]:
    if structure.tree is None:
        return tuple(sorted(word for word in structure.text.split() if word.isdigit()))
    return tuple(sorted(token.lemma.lower() for token in structure.tree if token.pos == "NUM"))


@cache
def rarity(word: str) -> float:
    """Return .001 / (.001 + relative frequency) of a word (Arora, Liang & Ma 2017)."""
    counts, total = word_frequencies()
    return 1e-3 / (1e-3 + counts.get(word.lower(), 0) / total)
