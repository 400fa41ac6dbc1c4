"""Calibrations: from scores or judgements to probabilities and decisions on your own pairs.

model.py      inputs to probabilities, and the threshold; calibration.json
decisions.py  the inputs of a calibration, and decisions on pairs
labelled.py   labelled or rated pairs, checked
fitting.py    curves and thresholds, fitted to these pairs; figures of held-out pairs
"""

from __future__ import annotations

from hybridsem.calibration.decisions import Decision
from hybridsem.calibration.fitting import Bin, Calibrated, Expected, Figure, calibrate
from hybridsem.calibration.labelled import LabelledPairs, labelled
from hybridsem.calibration.model import Calibration, read_calibration

__all__ = [
    "Bin",
    "Calibrated",
    "Calibration",
    "Decision",
    "Expected",
    "Figure",
    "LabelledPairs",
    "calibrate",
    "labelled",
    "read_calibration",
]
