"""Combiners: what two sentences have become, to a score that explains itself.

    Batch                 distinct sentences, their structures and vectors, and the pairs to compare
      Combiner.explain    one Explanation a pair; the score is the sum of its contributions

:class:`RoleCombiner` compares fillers role by role: VerbNet-CN (Fodor, De Deyne & Suzuki 2024, Eq. 2) and, over paths
of relations, Dependency-CN (the form of their Eq. 3). :class:`SentenceCombiner` is the cosine of sentence vectors. The
fusion of the two is in ``fusion.py``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

from hybridsem.embeddings.words import Coverage, WordVectors, coverage, filler_vectors
from hybridsem.errors import InputError
from hybridsem.structures import Explanation, Filler, Parsed, ParseFailure, Role, RoleMatch, RoleStructure

__all__ = [
    "PAIRINGS",
    "VERBNET_WEIGHTS",
    "Batch",
    "Combiner",
    "Normalise",
    "PairCombiner",
    "PairSimilarity",
    "RoleCombiner",
    "SentenceCombiner",
    "align_roles",
    "covered",
    "relative_weights",
    "row_cosines",
    "weighted_score",
]

Floats = npt.NDArray[np.float32]
Normalise = Literal["matched", "total", "union", "dice"]

VERBNET_WEIGHTS: Mapping[str, float] = {
    Role.VERB: 3.0,
    Role.AGENT: 2.0,
    Role.PATIENT: 2.0,
    Role.THEME: 2.0,
    Role.TIME: 0.5,
    Role.MANNER: 0.5,
    Role.LOCATION: 0.5,
    Role.TRAJECTORY: 0.5,
}

PAIRINGS: tuple[tuple[str, str], ...] = (
    (Role.LOCATION, Role.TRAJECTORY),
    (Role.THEME, Role.PATIENT),
    (Role.THEME, Role.MANNER),
    (Role.MANNER, Role.TRAJECTORY),
    (Role.PATIENT, Role.LOCATION),
    (Role.PATIENT, Role.MANNER),
)
"""Roles that may be compared where each sentence lacks the other's, best first; the first of two gives the weight."""


ROUNDING = 1e-9
"""By no more than this the sum of rounded parts is off, so that a sentence is as like itself as it can be: 1."""


@dataclass(frozen=True)
class Batch:
    """Distinct ``sentences`` and ``pairs`` of indices into them.

    ``structures`` is one parse a sentence, ``vectors`` (n, d) unit sentence vectors; either is None where the combiner
    does not read it. ``truncated`` tells which sentences were cut; ``coverage``, where words were looked up, which of a
    sentence's words have a vector.
    """

    sentences: Sequence[str]
    pairs: Sequence[tuple[int, int]]
    structures: Sequence[Parsed] | None = None
    vectors: Floats | None = None
    truncated: Sequence[bool] = ()
    coverage: Sequence[Coverage] = ()

    def cosines(self) -> npt.NDArray[np.float64]:
        """The cosine of each pair's sentence vectors, (p,), exactly 1 for a sentence and itself."""
        if self.vectors is None:
            raise InputError("this model compares sentence vectors, and the batch has none")
        if not self.pairs:
            return np.empty(0)
        first, second = np.array(self.pairs).T
        products = row_products(self.vectors[first], self.vectors[second])
        return np.where(first == second, 1.0, np.clip(products, -1, 1))

    def narrowed(self, pairs: npt.NDArray[np.int64]) -> Batch:
        """The batch of these pairs of its sentences, (p, 2), and no other sentences."""
        used, places = np.unique(pairs, return_inverse=True)
        chosen = used.tolist()
        return Batch(
            [self.sentences[i] for i in chosen],
            [(one, two) for one, two in places.reshape(-1, 2).tolist()],
            None if self.structures is None else [self.structures[i] for i in chosen],
            None if self.vectors is None else self.vectors[used],
            [self.truncated[i] for i in chosen] if self.truncated else (),
            [self.coverage[i] for i in chosen] if self.coverage else (),
        )

    def notes(self, pair: tuple[int, int]) -> tuple[str, ...]:
        """What is to be said of a pair's reading: the sentences that were cut, the words without vector."""
        cut = tuple(
            f"sentence {side} is longer than the encoder reads and was cut"
            for side, index in enumerate(pair, start=1)
            if self._cut(index)
        )
        return cut + (self._covered(pair).notes if self.coverage else ())

    def _cut(self, index: int) -> bool:
        by_parser = getattr(self._structure(index), "truncated", False)
        return bool(by_parser or (self.truncated and self.truncated[index]))

    def _covered(self, pair: tuple[int, int]) -> Coverage:
        return self.coverage[pair[0]] + self.coverage[pair[1]]

    def _structure(self, index: int) -> Parsed | None:
        return self.structures[index] if self.structures is not None else None

    def failed(self, pair: tuple[int, int]) -> str | None:
        """Why a pair has no score: the reason of a sentence that could not be parsed."""
        for index in pair:
            parsed = self._structure(index)
            if isinstance(parsed, ParseFailure):
                return f"no parse of {parsed.text!r:.80}: {parsed.reason}"
        return None

    def explanation(
        self,
        pair: tuple[int, int],
        model: str,
        matches: Sequence[RoleMatch],
        details: Mapping[str, float] | None = None,
    ) -> Explanation:
        """The explanation of a pair whose lines are ``matches``: their contributions, added up, are the score."""
        one, two = pair
        reason = self.failed(pair)
        score = min(1.0, max(-1.0, sum(match.contribution for match in matches)))
        if one == two and score > 1 - ROUNDING:
            score = 1.0
        return Explanation(
            sentence1=self.sentences[one],
            sentence2=self.sentences[two],
            score=float("nan") if reason else score,
            model=model,
            matches=tuple(matches),
            structure1=self._structure(one),
            structure2=self._structure(two),
            notes=self.notes(pair) + ((reason,) if reason else ()),
            details={**(details or {}), **({"coverage": self._covered(pair).share} if self.coverage else {})},
            truncated=self._cut(one) or self._cut(two),
        )


class Combiner(Protocol):
    """Turns a batch into explanations, in the order of its pairs."""

    @property
    def formalism(self) -> str | None:
        """The structures it reads: ``verbnet``, ``dependency``, or None."""
        ...

    @property
    def reads_vectors(self) -> bool:
        """Whether it reads sentence vectors."""
        ...

    def explain(self, batch: Batch) -> list[Explanation]:
        """One explanation a pair; its score is NaN where a sentence has no structure."""
        ...


def align_roles(
    roles1: Collection[str], roles2: Collection[str], pairings: Sequence[tuple[str, str]] = PAIRINGS
) -> list[tuple[str, str, str]]:
    """Which roles of two structures are compared: (role1, role2, the role whose weight counts).

    Equal roles are; then a role that only one has is paired with a compatible one that only the other has, in the order
    of ``pairings``. The result does not depend on the order of the sentences.

    >>> align_roles(["Verb", "Patient"], ["Verb", "Theme"])
    [('Verb', 'Verb', 'Verb'), (<Role.PATIENT: 'Patient'>, <Role.THEME: 'Theme'>, <Role.THEME: 'Theme'>)]
    """
    aligned = [(role, role, role) for role in roles1 if role in roles2]
    only1 = [role for role in roles1 if role not in roles2]
    only2 = [role for role in roles2 if role not in roles1]
    for slot, other in pairings:
        for role1, role2 in ((slot, other), (other, slot)):
            if role1 in only1 and role2 in only2:
                only1.remove(role1)
                only2.remove(role2)
                aligned.append((role1, role2, slot))
    return aligned


def relative_weights(
    similarities: Mapping[str, float], weights: Mapping[str, float], normalise: Normalise
) -> dict[str, float]:
    """What each role's similarity is multiplied with: its weight (1 if it has none) over the normaliser.

    ``similarities`` holds the roles of two sentences: the cosine of those that were compared, NaN for those that only
    one sentence has. The normaliser is the sum of the weights of the former (``matched``), of both (``union``), of the
    former and half the latter (``dice``: half of what the two sentences have), or of all ``weights`` (``total``).
    """
    compared = {role: weights.get(role, 1.0) for role, cosine in similarities.items() if not math.isnan(cosine)}
    matched, union = sum(compared.values()), sum(weights.get(role, 1.0) for role in similarities)
    divisor = {"matched": matched, "total": sum(weights.values()), "union": union, "dice": (matched + union) / 2}[
        normalise
    ]
    return {role: weight / divisor if divisor else 0.0 for role, weight in compared.items()}


def weighted_score(
    similarities: Mapping[str, float], weights: Mapping[str, float] = VERBNET_WEIGHTS, normalise: Normalise = "matched"
) -> float:
    """The score of role-wise similarities (see :func:`relative_weights`): Eq. 2 of Fodor, De Deyne & Suzuki 2024.

    >>> weighted_score({"Verb": 1.0, "Agent": 0.5, "Theme": float("nan")}, normalise="matched")
    0.8
    """
    shares = relative_weights(similarities, weights, normalise)
    return sum(share * similarities[role] for role, share in shares.items())


def covered(batch: Batch, vectors: WordVectors) -> Batch:
    """The batch with the coverage of every sentence's fillers, on top of what it has."""
    fillers = [
        (index, filler.words)
        for index, structure in enumerate(batch.structures or ())
        if isinstance(structure, RoleStructure)
        for filler in structure.roles.values()
    ]
    found = list(batch.coverage) or [Coverage()] * len(batch.sentences)
    for (index, _), one in zip(fillers, coverage(vectors, [words for _, words in fillers]), strict=True):
        found[index] += one
    return replace(batch, coverage=found)


@dataclass(frozen=True)
class RoleCombiner:
    """The weighted mean of the cosines between fillers of the same role.

    A filler none of whose words has a vector is compared all the same: its similarity is 0, and 1 to the same words.

    ``weights`` gives each role's weight (a role that it lacks counts 1). ``normalise`` says by what the sum of weight ·
    cosine is divided: ``matched``, the weights of the roles that were compared; ``total``, all ``weights`` (Eq. 2 of
    Fodor, De Deyne & Suzuki 2024); ``union``, the weights of all roles that either sentence has (their Eq. 3);
    ``dice``, half the weights of the roles that each has.
    """

    model: str
    vectors: WordVectors
    weights: Mapping[str, float]
    normalise: Normalise
    formalism: str = "verbnet"
    pairings: tuple[tuple[str, str], ...] = ()
    reads_vectors = False

    def __post_init__(self) -> None:
        if self.normalise not in get_args(Normalise):
            known = ", ".join(map(repr, get_args(Normalise)))
            raise InputError(f"unknown normalisation, got {self.normalise!r}; it is {known}")
        if self.normalise == "total" and not self.weights:
            raise InputError(
                f"{self.model} has an open set of roles, so there is no total; use 'matched', 'union' or 'dice'"
            )

    def explain(self, batch: Batch) -> list[Explanation]:
        """One explanation a pair, with a line for each role that either sentence has."""
        batch = covered(batch, self.vectors)
        return [
            batch.explanation(pair, self.model, matches)
            for pair, matches in zip(batch.pairs, self.matches(batch), strict=True)
        ]

    def matches(self, batch: Batch) -> list[list[RoleMatch]]:
        """The compared and the lone roles of every pair; a pair with a failed parse has none."""
        roles = {
            index: structure.roles
            for index, structure in enumerate(batch.structures or ())
            if isinstance(structure, RoleStructure)
        }
        places = {key: row for row, key in enumerate((i, role) for i, fillers in roles.items() for role in fillers)}
        table = filler_vectors(self.vectors, [roles[index][role].words for index, role in places])
        aligned = [
            align_roles(roles[one], roles[two], self.pairings) if one in roles and two in roles else []
            for one, two in batch.pairs
        ]
        rows = [
            (places[one, role1], places[two, role2])
            for (one, two), compared in zip(batch.pairs, aligned, strict=True)
            for role1, role2, _ in compared
        ]
        cosines = iter(row_cosines(table, rows))
        return [
            self._lines(roles[one], roles[two], [(*roles_, next(cosines)) for roles_ in compared])
            if one in roles and two in roles
            else []
            for (one, two), compared in zip(batch.pairs, aligned, strict=True)
        ]

    def _lines(
        self,
        fillers1: Mapping[str, Filler],
        fillers2: Mapping[str, Filler],
        compared: list[tuple[str, str, str, float]],
    ) -> list[RoleMatch]:
        """The lines of one pair: compared roles in the order of the weights, then those that only one sentence has."""
        lone1 = [role for role in fillers1 if not any(role == role1 for role1, *_ in compared)]
        lone2 = [role for role in fillers2 if not any(role == role2 for _, role2, *_ in compared)]
        similarities = {slot: cosine for *_, slot, cosine in compared} | dict.fromkeys([*lone1, *lone2], float("nan"))
        weights = relative_weights(similarities, self.weights, self.normalise)
        lines = []
        for role1, role2, slot, cosine in compared:
            filler1, filler2 = fillers1[role1], fillers2[role2]
            similarity = 1.0 if filler1.words == filler2.words else cosine
            weight = weights[slot]
            lines.append(RoleMatch(role1, role2, filler1.text, filler2.text, similarity, weight, weight * similarity))
        lines += [RoleMatch(role, None, fillers1[role].text, None, 0.0, 0.0, 0.0) for role in lone1]
        lines += [RoleMatch(None, role, None, fillers2[role].text, 0.0, 0.0, 0.0) for role in lone2]
        return lines

    def vectors_of(self, structures: Sequence[RoleStructure]) -> Floats:
        """Role-slot vectors, (n, roles · d): slot i is sqrt(weight of role i) times the role's unit filler.

        Their inner product, divided by the sum of the weights, is the score with ``normalise="total"`` and no pairing
        of unequal roles.
        """
        if not self.weights:
            raise InputError(f"{self.model} has an open set of roles, so its structures are not vectors")
        fillers = [
            (row, slot, structure.roles[role].words)
            for row, structure in enumerate(structures)
            for slot, role in enumerate(self.weights)
            if role in structure.roles
        ]
        table = filler_vectors(self.vectors, [words for *_, words in fillers])
        slots = np.zeros((len(structures), len(self.weights), table.shape[1]), np.float32)
        slots[[row for row, *_ in fillers], [slot for _, slot, _ in fillers]] = table
        slots *= np.sqrt(np.fromiter(self.weights.values(), np.float32))[:, None]
        return slots.reshape(len(structures), len(self.weights) * table.shape[1])


def row_cosines(table: Floats, rows: Sequence[tuple[int, int]]) -> list[float]:
    """The inner products of pairs of unit rows, within [-1, 1]."""
    if not rows:
        return []
    first, second = np.array(rows).T
    return [float(product) for product in np.clip(row_products(table[first], table[second]), -1, 1)]


def row_products(first: Floats, second: Floats) -> npt.NDArray[np.float64]:
    """The inner product of each row with the row beside it, (n,).

    Each is the same to the last bit whatever stands in the other rows, which ``einsum`` does not promise.
    """
    products: npt.NDArray[np.float64] = np.sum(first.astype(np.float64) * second, axis=1)
    return products


@dataclass(frozen=True)
class SentenceCombiner:
    """The cosine of the two sentence vectors."""

    model: str
    formalism = None
    reads_vectors = True

    def explain(self, batch: Batch) -> list[Explanation]:
        """One explanation a pair, of one line."""
        return [
            batch.explanation(pair, self.model, [sentence_line(cosine, 1.0)])
            for pair, cosine in zip(batch.pairs, batch.cosines().tolist(), strict=True)
        ]


class PairSimilarity(Protocol):
    """A similarity of two sentences as they are written."""

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float64]:
        """(p,) in [-1, 1], the same for (a, b) and (b, a), and 1 for (a, a)."""
        ...


@dataclass(frozen=True)
class PairCombiner:
    """A similarity that needs both sentences at once. It may have ``coverage(sentences)``, as encoders do."""

    model: str
    measure: PairSimilarity
    formalism = None
    reads_vectors = False

    def explain(self, batch: Batch) -> list[Explanation]:
        """One explanation a pair, of one line."""
        found = self.measure.similarities([(batch.sentences[one], batch.sentences[two]) for one, two in batch.pairs])
        looked_up = getattr(self.measure, "coverage", None)
        if looked_up:
            batch = replace(batch, coverage=looked_up(batch.sentences))
        return [
            batch.explanation(pair, self.model, [sentence_line(similarity, 1.0)])
            for pair, similarity in zip(batch.pairs, found.tolist(), strict=True)
        ]


def sentence_line(cosine: float, weight: float) -> RoleMatch:
    """The line of an explanation for the sentence vectors' cosine."""
    return RoleMatch(None, None, None, None, cosine, weight, weight * cosine, term="sentence")
