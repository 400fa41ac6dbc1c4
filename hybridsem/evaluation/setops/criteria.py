"""The six criteria of set-theoretic compositionality, as columns of values of samples.

    C1  overlap     Sim(A,O) - Sim(A,B) ≥ ε₁  and  Sim(B,O) - Sim(A,B) ≥ ε₂
    C2  overlap     O, projected on the plane of A and B, lies between them
    C3  difference  Sim(A,D) - Sim(B,D) ≥ ε₁  and  Sim(A,B) - Sim(B,D) ≥ ε₂
    C4  difference  Sim(A - B, D) - Sim(A - B, B) ≥ ε
    C5  difference  D, projected, lies within θ of A
    C6  union       U, projected, lies between A and B: (a) if these are as long, within θ of their
                    middle, (b) otherwise within θ of the longer

(Bansal et al. 2025.) For distances the inequalities are inverted. An average over the grid of ε is
the mean share of the grid that a sample reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, IntArray, Record
from hybridsem.datasets.set_operations import DIFFERENCE, OVERLAP, UNION
from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.comparison import MeanComparison, PairedTest
from hybridsem.evaluation.statistics.summaries import Column, summaries

DISTANCES = ("l1", "l2", "ned")  # measures that are small for similar vectors
PAIRS = ("AB", "AT", "BT", "(A-B)T", "(A-B)B")  # compared vectors; T is the target
BLOCK = 1024  # samples computed at once, to fit a processor's cache
COLLINEAR = 1e-6  # the sine below which A and B span no plane: the precision of 32-bit vectors
NORMS = ("norm A", "norm B", "norm target")
Columns = Mapping[str, Float64Array]
Range = tuple[float, float]
GRID = 132  # the number of values of each ε
ALIKE = 0.05  # lengths that differ by a smaller share are equal in the cases of C6
MIDDLE = 0.25  # the limit of case (a): distance from the middle, in angles between A and B
SATISFIED = "satisfied"  # the share of samples that meet a criterion, averaged over the grid


def _dot(x: Float64Array, y: Float64Array) -> Float64Array:
    """Return the inner product of each row with the same row of the other."""
    return np.asarray(np.einsum("ij,ij->i", x, y))


def _variance(x: Float64Array) -> Float64Array:
    centred = x - x.mean(axis=1, keepdims=True)
    return np.asarray(_dot(centred, centred) / x.shape[1])


_MEASURED: Mapping[str, Callable[[Float64Array, Float64Array], Float64Array]] = {
    "cosine": lambda x, y: np.clip(_dot(x, y) / np.sqrt(_dot(x, x) * _dot(y, y)), -1, 1),
    "dot": _dot,
    "l1": lambda x, y: np.abs(x - y).sum(axis=1),
    "l2": lambda x, y: np.sqrt(_dot(x - y, x - y)),
    "ned": lambda x, y: 0.5 * _variance(x - y) / (_variance(x) + _variance(y)),
}
MEASURES = tuple(_MEASURED)


def look(
    vectors: AnyArray, index: IntArray, measures: tuple[str, ...] = MEASURES
) -> dict[str, Float64Array]:
    """Return columns of samples from vectors (texts, d) and the rows (n, 3) of A, B and target."""
    if vectors.ndim != 2 or vectors.shape[1] < 2:
        why = "set operations need vectors of at least two dimensions"
        raise InputError(f"{why}, got an array of shape {vectors.shape}")
    blocks = []
    for at in range(0, max(1, len(index)), BLOCK):
        a, b, target = (vectors[places].astype(np.float64) for places in index[at : at + BLOCK].T)
        rest = a - b
        sides = ((a, b), (a, target), (b, target), (rest, target), (rest, b))
        found = {pair: measured(*two, measures) for pair, two in zip(PAIRS, sides, strict=True)}
        similar = {f"{name} {pair}": found[pair][name] for name in measures for pair in PAIRS}
        blocks.append({**similar, **on_plane(a, b, target)})
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def measured(
    x: Float64Array, y: Float64Array, measures: tuple[str, ...] = MEASURES
) -> dict[str, Float64Array]:
    """Return the similarity or distance of rows of x and y, (n,) by measure; NaN if undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return {name: of(x, y) for name, of in _MEASURED.items() if name in measures}


def on_plane(a: Float64Array, b: Float64Array, target: Float64Array) -> dict[str, Float64Array]:
    """Return the places of targets (n, d) on the planes of A and B, as columns (n,)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        norm_a, norm_b, norm_target = (np.sqrt(_dot(x, x)) for x in (a, b, target))
        first = a / norm_a[:, None]
        along = _dot(b, first)
        rest = b - along[:, None] * first
        height = np.sqrt(_dot(rest, rest))
        collinear = height <= COLLINEAR * norm_b
        second = rest / np.where(collinear, np.nan, height)[:, None]
        x, y = _dot(target, first), _dot(target, second)
        angle = np.arctan2(height, along)
        place = np.arctan2(y, x)
        place[(x == 0) & (y == 0)] = np.nan  # a target at right angles to the plane
        from_b = np.abs(place - angle)
        to_a, to_b = np.abs(place) / angle, np.minimum(from_b, 2 * np.pi - from_b) / angle
        undefined = np.isnan(place)
        middle = np.where(undefined, np.nan, (place >= 0) & (place <= angle))
        ratio = np.where(undefined, np.nan, norm_a / norm_b)
    one_way = np.where(np.isnan(height) | np.isnan(norm_target), np.nan, collinear)
    places = {"angle to A": to_a, "angle to B": to_b, "middle": middle, "norm ratio": ratio}
    norms = dict(zip(NORMS, (norm_a, norm_b, norm_target), strict=True))
    return {**places, **norms, "collinear": one_way}


class Criterion(NamedTuple):
    """``compared``: pairs of similarities that must differ; without them, a place on the plane."""

    name: str
    operator: str
    compared: tuple[tuple[str, str], ...] = ()


CRITERIA = (
    Criterion("C1", OVERLAP, (("AT", "AB"), ("BT", "AB"))),
    Criterion("C2", OVERLAP),
    Criterion("C3", DIFFERENCE, (("AT", "BT"), ("AB", "BT"))),
    Criterion("C4", DIFFERENCE, (("(A-B)T", "(A-B)B"),)),
    Criterion("C5", DIFFERENCE),
    Criterion("C6", UNION),
)


class Group(NamedTuple):
    """A criterion by a measure ("" for places on the plane), and its name in the card."""

    criterion: Criterion
    measure: str
    name: str


def groups(measures: Sequence[str], operators: Sequence[str], planes: bool) -> list[Group]:
    """Return the reported groups; those of the first measure have the criterion's name."""
    found = []
    for criterion in CRITERIA:
        if criterion.operator not in operators or not (criterion.compared or planes):
            continue
        named = f"{criterion.name} {criterion.operator}"
        if not criterion.compared:
            found.append(Group(criterion, "", named))
            continue
        of_vectors = "(A-B)T" in chain(*criterion.compared)
        for at, measure in enumerate(measures):
            if measure in MEASURES or not of_vectors:
                found.append(Group(criterion, measure, f"{named}, {measure}" if at else named))
    return found


def differences(group: Group, columns: Columns) -> list[Float64Array]:
    """Return the values compared with ε₁ and ε₂, (n,) each, from columns ``MEASURE PAIR``."""
    sign = -1 if group.measure in DISTANCES else 1
    return [
        sign * (columns[f"{group.measure} {one}"] - columns[f"{group.measure} {two}"])
        for one, two in group.criterion.compared
    ]


def reached(values: Float64Array, epsilon: Range) -> Float64Array:
    """Return the share of the grid's values of ε that each value reaches, (n,); NaN stays NaN."""
    grid = np.linspace(*epsilon, GRID)
    return np.where(np.isnan(values), np.nan, np.searchsorted(grid, values, side="right") / GRID)


def values(
    group: Group, columns: Columns, epsilon: Sequence[Range], theta: float
) -> dict[str, Column]:
    """Return the columns of a group's statistics from those of its operator's samples."""
    if not group.criterion.compared:
        return _placed(group.criterion, columns, theta)
    apart = differences(group, columns)
    shares = [reached(one, limits) for one, limits in zip(apart, epsilon, strict=True)]
    found = {SATISFIED: Column(np.prod(shares, axis=0))}
    if len(shares) == 2:
        p, q = shares
        found |= {"TF": Column(p * (1 - q)), "FT": Column((1 - p) * q)}
        found["FF"] = Column((1 - p) * (1 - q))
    for number, one in zip(("",) if len(apart) == 1 else (" 1", " 2"), apart, strict=True):
        found[f"difference{number}"] = Column(one)
        found[f"deviation{number}"] = Column(one, "deviation")
    if len(apart) == 2:
        letter = group.criterion.operator[0].upper()
        for pair in ("AB", "AT", "BT"):
            what = "distance" if group.measure in DISTANCES else "Sim"
            name = f"{what}({','.join(pair.replace('T', letter))})"
            found[name] = Column(columns[f"{group.measure} {pair}"])
    return found


def _placed(criterion: Criterion, columns: Columns, theta: float) -> dict[str, Column]:
    to_a, to_b, between = (columns[name] for name in ("angle to A", "angle to B", "middle"))
    near = np.where(np.isnan(to_a), np.nan, to_a <= theta)
    found = {SATISFIED: Column(near if criterion.operator == DIFFERENCE else between)}
    if criterion.operator == DIFFERENCE:
        found["middle"] = Column(between)
    found |= {"angle to A": Column(to_a, "median"), "angle to B": Column(to_b, "median")}
    if criterion.operator == UNION:
        ratio = columns["norm ratio"]
        found["norm ratio"] = Column(ratio, "median")
        longer = {"A longer": ratio > 1 + ALIKE, "B longer": ratio < 1 / (1 + ALIKE)}
        longer["as long"] = ~(longer["A longer"] | longer["B longer"])
        for case, is_so in longer.items():
            found[case] = Column(np.where(np.isnan(ratio), np.nan, is_so))
            found[f"angle to A, {case}"] = Column(np.where(is_so, to_a, np.nan), "median")
        alike = longer["as long"]
        to_longer = np.where(longer["A longer"], to_a, to_b)
        for case, is_case, is_near in (
            ("case (a)", alike, np.abs(to_a - to_b) / 2 <= MIDDLE),
            ("case (b)", ~alike, to_longer <= theta),
        ):
            held = np.where(is_case, (between == 1) & is_near, np.nan)
            found[case] = Column(np.where(np.isnan(between), np.nan, held))
    return found


def ranges(group: Group, columns: Columns) -> list[Range]:
    """Return the least and the greatest of each difference; (0, 0) without values."""
    found = []
    for apart in differences(group, columns):
        known = apart[~np.isnan(apart)] if not np.isnan(apart).all() else np.zeros(1)
        found.append((float(known.min()), float(known.max())))
    return found


class OnCommonGrid(MeanComparison):
    """The paper's comparison: ε from the least to the greatest difference of all models."""

    alike = ("theta",)
    lacks = "holds no values of samples"

    def prepared(self, cards: Sequence[Card]) -> list[Card]:
        """Return the cards with the statistics that depend on ε on the common range."""
        super().prepared(cards)
        common: dict[str, list[list[float]]] = {}
        for name, own in (item for card in cards for item in card.settings["epsilon"].items()):
            both = zip(common.get(name, own), own, strict=True)
            common[name] = [[min(a[0], b[0]), max(a[1], b[1])] for a, b in both]
        return [self._on(card, common) for card in cards]

    def _on(self, card: Card, common: Record) -> Card:
        own = card.settings["epsilon"]
        wanted = {name: common[name] for name in own}
        if own == wanted:
            return card
        if not card.columns:
            why = f"the card of {card.name!r} holds no values of samples, so it cannot be put on"
            how = "evaluate each model with the same epsilon_range (--epsilon-range)"
            raise InputError(f"{why} the common range of ε; {how}")
        scores = dict(card.scores)
        drawing = [card.settings[name] for name in ("resamples", "seed", "level")]
        for group in groups_of(card):
            if own.get(group.name) != wanted.get(group.name):
                scores[group.name] = summaries(_values(card, group, wanted), *drawing)
        return replace(card, scores=scores, settings={**card.settings, "epsilon": wanted})

    def values(self, card: Card, test: PairedTest) -> Column | None:
        """Return the shares of the group's samples."""
        for group in groups_of(card) if card.columns else ():
            if group.name == test.group:
                return _values(card, group, card.settings["epsilon"])[test.measure]
        return None


def groups_of(card: Card) -> list[Group]:
    """Return the groups that a card has statistics of."""
    planes = any(name not in card.settings["epsilon"] for name in card.scores)
    known = groups(card.settings["measures"], [*card.groups], planes)
    return [group for group in known if group.name in card.scores]


def _values(card: Card, group: Group, epsilon: Record) -> dict[str, Column]:
    rows = np.array(card.groups[group.criterion.operator], int)
    columns = {name: card.numbers(name)[rows] for name in card.columns}
    return values(group, columns, epsilon.get(group.name, ()), card.settings["theta"])
