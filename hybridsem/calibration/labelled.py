"""Labelled or rated pairs to calibrate on, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from hybridsem._typing import BoolArray
from hybridsem.errors import InputError, listed
from hybridsem.reader.pairs import pair_problem
from hybridsem.tables import Pair

MIN_PAIRS, MIN_CLASS = 50, 10
# Columns that hold a label, if none is named.
COLUMNS = ("label", "gold_label", "entailment_judgment", "is_duplicate", "same")
POSITIVE = frozenset({"1", "1.0", "true", "yes", "same", "paraphrase", "duplicate"})
NEGATIVE = frozenset({"0", "0.0", "false", "no", "different", "not duplicate", "non-duplicate"})


@dataclass(frozen=True)
class LabelledPairs:
    """Pairs, whether each is positive, (n,), and what positive means (``what``)."""

    pairs: Sequence[tuple[str, str]]
    positive: BoolArray
    what: str
    notes: tuple[str, ...] = ()


def labelled(
    pairs: Iterable[Pair | tuple[str, str, object]],
    positive: Sequence[str] = (),
    rating_from: float | None = None,
) -> LabelledPairs:
    """Check labelled or rated pairs: records of ``read_pairs``, or (text, text, label).

    The label of a record is in the third of the named columns or in a column ``label``. The labels
    ``positive`` count as positive (default: 1, true, same, paraphrase, duplicate); with ratings,
    those from ``rating_from`` on.

    Raises :class:`InputError` for unusable texts or labels, and for fewer than 50 pairs or 10 of
    either class.

    >>> data = labelled((f"Order {n} is here.", "It has come.", n % 2) for n in range(50))
    >>> len(data.pairs), int(data.positive.sum())
    (50, 25)
    """
    if positive and rating_from is not None:
        raise InputError("give positive labels or the rating from which pairs are positive")
    texts: list[tuple[str, str]] = []
    labels: list[str] = []
    missing = 0
    for row, pair in enumerate(pairs):
        first, second, label = _record(pair)
        if label in ("", "-", "nan"):
            missing += 1
            continue
        if (why := pair_problem((first, second))) is not None:
            where = f"line {pair.line}" if isinstance(pair, Pair) else f"pair {row}"
            raise InputError(f"{where}, {why}")
        texts.append((first, second))
        labels.append(label)
    if len(texts) < MIN_PAIRS:
        raise InputError(f"at least {MIN_PAIRS} labelled pairs are needed, got {len(texts)}")
    if len(set(texts)) == 1:
        raise InputError(f"all {len(texts)} rows are the same pair; give different ones")
    flags, what = _classes(labels, positive, rating_from)
    above, below = int(flags.sum()), int((~flags).sum())
    if not above or not below:
        why = f"all {len(texts)} pairs are {'positive' if above else 'negative'} ({what})"
        raise InputError(f"{why}; a calibration needs at least {MIN_CLASS} of each class")
    if min(above, below) < MIN_CLASS:
        why = f"at least {MIN_CLASS} positive and {MIN_CLASS} negative pairs are needed"
        raise InputError(f"{why}, got {above} and {below} ({what})")
    notes = (f"{missing} pairs have no label and are left out",) if missing else ()
    return LabelledPairs(texts, flags, what, notes)


def _record(pair: Pair | tuple[str, str, object]) -> tuple[str, str, str]:
    """Return two texts and the label in lower case, "" if there is no label."""
    if not isinstance(pair, Pair):
        first, second, value = pair
    else:
        first, second, value = pair.text1, pair.text2, pair.gold
        name = pair.layout.gold if pair.layout is not None else None
        if name is None:
            name = next((name for name in COLUMNS if name in (pair.fields or {})), None)
        if name is not None and pair.fields:
            value = pair.fields.get(name)
    return first, second, "" if value is None else str(value).strip().casefold()


def _classes(
    labels: Sequence[str], positive: Sequence[str], rating_from: float | None
) -> tuple[BoolArray, str]:
    """Return which labels are positive, and what positive means."""
    known = sorted(set(labels))
    try:
        ratings = np.array(labels, float)
    except ValueError:
        ratings = None
    if rating_from is not None:
        if ratings is None:
            raise InputError(f"ratings are numbers, got the labels {listed(known)}")
        return ratings >= rating_from, f"rated {rating_from:g} or more"
    if positive:
        wanted = {label.strip().casefold() for label in positive}
        if unknown := sorted(wanted - set(known)):
            raise InputError(f"no pair has the label {unknown[0]!r}; they have {listed(known)}")
        return np.array([label in wanted for label in labels]), " or ".join(sorted(wanted))
    if not set(known) <= POSITIVE | NEGATIVE:
        why = f"cannot determine which labels are positive, got {listed(known)}"
        how = "name them with positive= (--positive LABEL)"
        if ratings is not None:
            why = f"these are ratings, from {ratings.min():g} to {ratings.max():g}, not labels"
            how = "name the lowest rating of a positive pair with rating_from= (--from RATING)"
        raise InputError(f"{why}; {how}")
    return np.array([label in POSITIVE for label in labels]), "the same"
