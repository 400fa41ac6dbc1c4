"""The inputs that a calibration reads of pairs, and the decisions that it makes on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import log
from hybridsem.calibration.model import JUDGEMENT, Calibration, read_calibration
from hybridsem.combiners.base import Batch, scores_of
from hybridsem.errors import InputError
from hybridsem.judge.features import observe_batch
from hybridsem.judge.judgement import comparison_of, probabilities_of
from hybridsem.judge.model import shipped_judge
from hybridsem.reader import CHUNK, Reader, checked_pairs

FLOOR = 1e-4  # the least probability whose logarithm is taken; smaller ones carry no information


class Decision(NamedTuple):
    """A pair's score, the probability that it is positive, and whether that reaches the threshold.
    A pair without a structure has NaN, NaN and False.
    """

    score: float
    probability: float
    decision: bool


def calibration_inputs(reader: Reader, batch: Batch, of: str) -> Float64Array:
    """Return the inputs of a calibration of scores or judgements, (pairs, inputs), score first."""
    if of != JUDGEMENT:
        return scores_of(reader.combiner, batch)[:, None]
    combiner = comparison_of(reader)
    compared = combiner.compared(batch)
    if reader.combiner is combiner:
        scores = combiner.scores_of(batch, compared)
    else:
        scores = scores_of(reader.combiner, batch)
    features = observe_batch(batch, compared)
    labels = log(np.clip(probabilities_of(batch, features), FLOOR, 1))
    return np.column_stack([scores, labels, shipped_judge().values(features)[:, -1]])


def inputs_of_pairs(reader: Reader, pairs: Iterable[tuple[str, str]], of: str) -> Float64Array:
    """Return the inputs for at least one pair, (n, inputs), reading the pairs in chunks."""
    checked = checked_pairs(pairs)
    batches = (reader._batch(checked[at : at + CHUNK]) for at in range(0, len(checked), CHUNK))
    return np.concatenate([calibration_inputs(reader, batch, of) for batch in batches])


def decisions(reader: Reader, calibration: Calibration | None, batch: Batch) -> list[Decision]:
    """Return the decisions on pairs; raise :class:`InputError` without a calibration."""
    if calibration is None:
        raise InputError(
            "a decision needs a calibration: Pipeline(calibration=FILE), of `hybridsem calibrate`"
        )
    inputs = calibration_inputs(reader, batch, calibration.of)
    rows = zip(inputs[:, 0].tolist(), calibration.probabilities(inputs).tolist(), strict=True)
    return [Decision(score, value, value >= calibration.threshold) for score, value in rows]


def calibration_for(reader: Reader, file: str) -> Calibration:
    """Read the calibration of a file, or of ``FILE,sha=HASH`` as in settings. Raises
    :class:`InputError` if it was made with other parts than the reader's.
    """
    calibration = reader._checked_file("calibration", file, read_calibration, "scores")
    if calibration.of == JUDGEMENT:
        comparison_of(reader)
    return calibration
