"""Calibrations: from scores or judgements to probabilities and decisions on your own pairs."""

from hybridsem.calibration.fitting import Bin, Calibrated, Expected, Figure, calibrate
from hybridsem.calibration.labelled import LabelledPairs, labelled
from hybridsem.calibration.model import Calibration, Decision, read_calibration

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
