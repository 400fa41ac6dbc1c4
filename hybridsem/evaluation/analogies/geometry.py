"""Answers to analogies by vectors: which candidate X completes A : B :: C : X best.

    3CosAdd   cos(X, B) - cos(X, A) + cos(X, C)         (Mikolov et al. 2013)
    3CosMul   s(X, B) · s(X, C) / (s(X, A) + ε),        (Levy & Goldberg 2014, Eq. 5)
              s = (cos + 1) / 2,  ε = 0.001

The question (i, j), i < j, has A, B from pair i and C, D from pair j. A method excludes A, B and C
from the candidates, or includes them ("with ABC"); D always is one. Equal texts are one candidate.
A question is answered if D's score exceeds all others' by more than TIE.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from hybridsem._typing import AnyArray, BoolArray, Float64Array, IntArray
from hybridsem._utils.threads import cores

METHODS = ("3CosAdd", "3CosMul", "3CosAdd with ABC", "3CosMul with ABC")
HEADLINE = METHODS[0]
EPSILON = 0.001
TIE = 1e-6
NOT_ASKED, WRONG, RIGHT, TIED = -1, 0, 1, 2
ANSWER = "answer"  # D among the distractors
CELLS = 1 << 23  # numbers in one array of a block of sentences: 64 MiB, about ten at once
OWN_CELLS = 1 << 19  # the same if each pair has its own candidates: about thirty arrays at once
CACHED = 1 << 17  # numbers that a thread works on at once, to fit a processor's cache


@dataclass(frozen=True)
class Answers:
    """Outcomes (n, n) by method, and by kind of distractor the share of HEADLINE's choice."""

    outcome: Mapping[str, AnyArray]
    chosen: Mapping[str, AnyArray] = field(default_factory=dict)


def have_direction(vectors: AnyArray) -> BoolArray:
    """Mark the rows that are finite and not zero, (n,)."""
    largest = np.abs(vectors).max(axis=1, initial=0)
    return np.asarray(np.isfinite(largest) & (largest > 0))


def directions(vectors: AnyArray) -> tuple[Float64Array, BoolArray]:
    """Return rows at length 1, zeros where a vector has no direction, and which rows have one."""
    known = have_direction(vectors)
    rows = np.where(known[:, None], vectors, 1).astype(np.float64)
    rows /= np.abs(rows).max(axis=1, keepdims=True, initial=0)  # squares of 1e200 overflow
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[~known] = 0
    return rows, known


def among_all(vectors: AnyArray, a: IntArray, b: IntArray) -> Answers:
    """Return the answers among all sentences, (N, d); ``a`` and ``b`` (n,) are rows of pairs."""
    asked = _Questions(*directions(vectors), a, b, CELLS)
    columns = _edges(len(asked.units), CELLS // asked.n)
    for rows in asked.blocks:
        best = [np.full((rows.stop - rows.start, asked.n), -np.inf) for _ in COMBINED]
        for part in columns:
            _best(asked, rows, part, best)
        asked.judge(rows, best, best)
    return Answers(asked.outcome)


def among_own(
    vectors: AnyArray, a: IntArray, b: IntArray, distractors: Mapping[str, IntArray]
) -> Answers:
    """Return the answers among D and its distractors, rows of ``vectors`` by kind (-1: none)."""
    asked = _Questions(*directions(vectors), a, b, OWN_CELLS)
    own = np.array(list(distractors.values()))
    # Kinds that have one text are one candidate.
    copies = np.vstack([np.ones(asked.n), (own[:, None] == own).sum(axis=1)])
    chosen = np.zeros((1 + len(own), asked.n, asked.n), np.float32)
    for rows in asked.blocks:
        others: list[list[Float64Array]] = [[], []]  # by method: a matrix for each kind
        own_text = [  # where the distractor of pair j is A or B of pair i, or C
            (places == a[rows, None]) | (places == b[rows, None]) | (places == a) for places in own
        ]
        for places in own:
            there = (places >= 0) & asked.known[places] & (places != b)
            for found, scores in zip(others, asked.scores(rows, places), strict=True):
                found.append(np.where(there, scores, -np.inf))
        kept = [np.where(own_text, -np.inf, found) for found in others]
        best = [found.max(axis=0) for found in kept]
        asked.judge(rows, best, [np.max(found, axis=0) for found in others])
        answer = asked.scores(rows, b)[0]
        least = np.maximum(best[0], answer) - TIE
        shares = ([answer, *kept[0]] >= least) / copies[:, None]
        chosen[:, rows] = np.where(asked.mask(rows), shares / shares.sum(axis=0), 0)
    return Answers(asked.outcome, dict(zip((ANSWER, *distractors), chosen, strict=True)))


COMBINED: tuple[Callable[[Float64Array, Float64Array, Float64Array], Float64Array], ...] = (
    lambda to_b, to_a, to_c: to_b - to_a + to_c,
    lambda to_b, to_a, to_c: (to_b + 1) / 2 / ((to_a + 1) / 2 + EPSILON) * ((to_c + 1) / 2),
)
"""3CosAdd and 3CosMul of cosines to B, A and C."""


class _Questions:
    """The questions over n pairs: directions of sentences, rows of A (or C) and of B (or D)."""

    def __init__(
        self, units: Float64Array, known: BoolArray, a: IntArray, b: IntArray, cells: int
    ) -> None:
        self.units, self.known, self.a, self.b, self.n = units, known, a, b, len(a)
        self.whole = known[a] & known[b]
        self.with_a, self.with_b = units[a], units[b]
        self.blocks = _edges(self.n, cells // self.n)
        self.outcome = {method: np.full((self.n, self.n), NOT_ASKED, np.int8) for method in METHODS}

    def mask(self, rows: slice) -> BoolArray:
        """Mark the questions that exist, (rows, n)."""
        after = np.arange(self.n) > np.arange(self.n)[rows, None]
        return np.asarray(np.logical_and.outer(self.whole[rows], self.whole) & after)

    def scores(self, rows: slice, places: IntArray) -> list[Float64Array]:
        """Return the scores of a candidate of each pair j, (rows, n) by method."""
        beside = self.units[places]
        to_b, to_a = self.with_b[rows] @ beside.T, self.with_a[rows] @ beside.T
        to_c = np.einsum("jd,jd->j", self.with_a, beside)
        return [combined(to_b, to_a, to_c) for combined in COMBINED]

    def own_scores(self, rows: slice, places: IntArray) -> list[Float64Array]:
        """Return the scores of a candidate of each pair i, (rows, n) by method."""
        beside = self.units[places[rows]]
        sides = self.with_b[rows], self.with_a[rows]
        to_b, to_a = (np.einsum("id,id->i", side, beside)[:, None] for side in sides)
        to_c = beside @ self.with_a.T
        return [combined(to_b, to_a, to_c) for combined in COMBINED]

    def judge(self, rows: slice, best: list[Float64Array], best_with: list[Float64Array]) -> None:
        """Fill in the outcomes from the best scores of other candidates, without and with ABC."""
        among = [  # A, B and C, and where each is D
            (self.own_scores(rows, self.a), self.a[rows, None] == self.b),
            (self.own_scores(rows, self.b), self.b[rows, None] == self.b),
            (self.scores(rows, self.a), (self.a == self.b)[None]),
        ]
        mask = self.mask(rows)
        for place, answer in enumerate(self.scores(rows, self.b)):
            there = [np.where(is_answer, -np.inf, scores[place]) for scores, is_answer in among]
            with_abc = np.max([best_with[place], *there], axis=0)
            for method, other in zip(METHODS[place::2], (best[place], with_abc), strict=True):
                below = np.where(answer < other - TIE, WRONG, TIED)
                found = np.where(answer > other + TIE, RIGHT, below)
                self.outcome[method][rows] = np.where(mask, found, NOT_ASKED)


def _best(asked: _Questions, rows: slice, part: slice, best: list[Float64Array]) -> None:
    """Raise ``best`` to the greatest score of candidates in ``part`` other than A, B, C and D."""
    beside = asked.units[part].T
    width = beside.shape[1]
    to_a, to_b = asked.with_a @ beside, asked.with_b[rows] @ beside
    shifted = (to_a + 1) / 2
    unknown = np.flatnonzero(~asked.known[part])
    # The columns of A and B of each pair in the part; those outside go to an unused column.
    at_a, at_b = (
        np.where((p >= part.start) & (p < part.stop), p - part.start, width)
        for p in (asked.a, asked.b)
    )
    height = max(1, CACHED // (width + 1))
    workers = cores()

    def work(worker: int) -> None:
        held = np.empty((height, width + 1))
        for i in range(rows.start + worker, rows.stop, workers):
            row = i - rows.start
            added = to_b[row] - to_a[i]
            times = (to_b[row] + 1) / 2 / (shifted[i] + EPSILON)
            none = [at_a[i], at_b[i], *unknown]
            for start in range(i + 1, asked.n, height):
                stop = min(start + height, asked.n)
                scores, line = held[: stop - start], np.arange(stop - start)
                for into, function, table, given in zip(
                    best, (np.add, np.multiply), (to_a, shifted), (added, times), strict=True
                ):
                    function(table[start:stop], given, out=scores[:, :width])
                    scores[:, none] = -np.inf
                    scores[line, at_a[start:stop]] = -np.inf
                    scores[line, at_b[start:stop]] = -np.inf
                    place = into[row, start:stop]
                    np.maximum(place, scores[:, :width].max(axis=1), out=place)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, range(workers)))


def _edges(total: int, size: int) -> list[slice]:
    size = max(1, size)
    return [slice(at, min(at + size, total)) for at in range(0, total, size)]
